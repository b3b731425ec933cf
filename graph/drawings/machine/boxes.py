"""The boxes of the state machine: its nodes, actions of one purpose together, and what leads where.

Both drawings are made of what is read here from the compiled graph, so that neither can tell of a
node or an edge that is not there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wideleaf.tools.actions.craft import Craft
from wideleaf.tools.actions.moves import MOVES
from wideleaf.tools.actions.registry import RESERVED, actions

if TYPE_CHECKING:
    from langchain_core.runnables.graph import Graph

START, END = "__start__", "__end__"
OUTER, INNER = "chat", "talk"
"""The graph of a chat, and that of a conversation in it."""
HUB, ASKS = "think", "question"
"""A run that waits for the chat to ask goes from the one to the other; any that ends, to `say`."""
ACTIONS, CODE, MOVING = "actions", "code", "moves"
BANDS = {
    ACTIONS: "each makes a frame of the tree; those of one thought run side by side",
    CODE: "of a model, where no action fits; it makes a frame, too",
    MOVING: "make no frame",
}
"""What is drawn around the boxes to which `think` sends calls, and what they have in common."""
PERSON = ("Ask", "ApproveCraft", "wait")
"""Nodes at which a run may wait for a person."""
NOTES = {
    "listen": "takes question, tables",
    "say": "the answer as a message",
    ASKS: "asks, as a message",
    "wait": "a person chooses",
    "hear": "a question, or about an answer?",
    "select": "opens tables, chooses columns",
    HUB: "a model or the planner looks at the tree of frames and says which steps come next, until "
    "one frame is the answer",
    "verify": "does the frame answer?",
    "answer": "written from the frame, its figures checked",
    "remember": "for further messages",
    "reply": "tells what is kept",
    "sample": "of a vote: the loop, once for each",
    "count": "the answer that most samples have",
    "Craft": "writes a function",
    "ApproveCraft": "a person allows it",
    "RunCraft": "in the sandbox",
    "Backtrack": "goes back to an earlier frame",
    "FindColumns": "shows further columns",
    "Ask": "a person says what is meant",
    "Recall": "an earlier answer is meant",
}
"""What each node does that is no action, in a few words."""


class Box(NamedTuple):
    """Nodes that are drawn as one.

    Attributes:
        name: The node's, or what actions are for.
        nodes: The nodes' names, in the graph's order.
        note: What it does; of actions their names.
        band: The one of `BANDS` in which it stands; empty for none.
        inside: Whether it is of the graph within the graph.
    """

    name: str
    nodes: tuple[str, ...]
    note: str = ""
    band: str = ""
    inside: bool = False

    @property
    def waits(self) -> bool:
        """Whether a run may wait for a person there."""
        return any(name in PERSON for name in self.nodes)


class Machine(NamedTuple):
    """A graph in boxes.

    Attributes:
        boxes: In the order of the graph's nodes.
        edges: Pairs of boxes' names, each once.
    """

    boxes: tuple[Box, ...]
    edges: tuple[tuple[str, str], ...]

    def of(self, band: str) -> tuple[Box, ...]:
        """The boxes in a band."""
        return tuple(box for box in self.boxes if box.band == band)


def read_machine(graph: Graph) -> Machine:
    """Read a graph as LangGraph would draw it.

    Args:
        graph: Of the chat, with that of the conversation open: ``chat.get_graph(xray=1)``.
    """
    purposes = {action.__name__: action.purpose for action in actions()}
    boxes: dict[str, Box] = {}
    names: dict[str, str] = {}
    for place in graph.nodes:
        outer, _, name = place.rpartition(":")
        names[place] = place
        if name in (START, END):
            continue
        title, band = _title(name, purposes)
        nodes = (*boxes[title].nodes, name) if title in boxes else (name,)
        note = ", ".join(nodes) if band == ACTIONS else NOTES.get(name, "")
        boxes[title] = Box(title, nodes, note, band, bool(outer))
        names[place] = title
    pairs = [(names[edge.source], names[edge.target]) for edge in graph.edges]
    ends = f"{INNER}:{END}"
    after = [target for source, target in pairs if source == ends]
    edges = [
        (source, one)
        for source, target in pairs
        if source != ends
        for one in (after if target == ends else [target])
        if target != ends or (source == HUB) == (one == ASKS)
    ]
    return Machine(tuple(boxes.values()), tuple(dict.fromkeys(edges)))


def _title(name: str, purposes: dict[str, str]) -> tuple[str, str]:
    """The box of a node, and its band."""
    if name == Craft.__name__ or name in RESERVED:
        return name, CODE
    if name in purposes:
        return purposes[name], ACTIONS
    return name, MOVING if name in {move.__name__ for move in MOVES} else ""
