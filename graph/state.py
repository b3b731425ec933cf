"""What flows through the graphs: plain data only, for every checkpointer must be able to keep it.

A channel is written by whoever its class names. The graph around a run (`AskState`, `TalkState`)
holds what came of the run; the run itself (`RunState`) begins with each question and grows its
channels by reducers, so that steps side by side may write the same one.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Annotated, Any

from typing_extensions import TypedDict

from wideleaf.graph.channels import (
    Given,
    Memory,
    Person,
    PlainData,
    Review,
    Spent,
    Tree,
    add_memory,
    add_person,
    add_review,
    add_spent,
    grow_tree,
    last,
    reducers_of,
)
from wideleaf.tools.tree.tree import FrameTree, Move, Node

Update = dict[str, Any]
ANSWER_FORM = "wideleaf.answer/1"
"""What an answer says of its form, see `graph.doors.schemas`."""


class Question(TypedDict):
    """What a caller gives.

    Attributes:
        question: In plain language.
    """

    question: str


class StartedQuestion(Question, total=False):
    """A question, and where it begins.

    Attributes:
        start: Label of a frame of the question before on this thread, such as ``T2``, that this
            one goes on from.
    """

    start: str | None


class Inputs(TypedDict, total=False):
    """What may come with a question; it wins over the context of the run.

    Attributes:
        sources: Tables, as the setting names them; ``frame:`` and the id of an earlier answer's
            frame is one, too.
        settings: Other settings by name: the fields of `wideleaf.Context`.
    """

    sources: list[str] | None
    settings: PlainData | None


class Asked(StartedQuestion, Inputs):
    """What a caller gives to a graph that has no tables of its own."""


class Answer(TypedDict, total=False):
    """What a caller gets; belongs to a question.

    Attributes:
        form: ``wideleaf.answer/1``, the name and version of this form.
        status: ``answered``, ``partial`` (a budget ended it), ``unanswered`` (nobody knew how)
            or ``failed`` (an error ended it).
        answer: The answer in words.
        value: The answer as plain data: a number, text, list or list of rows.
        table: The answer's frame: the first ``columns`` and ``rows``, and how many there are in
            all, ``width`` and ``total``.
        label: The node that holds it.
        frame: The id of its frame, by which `wideleaf.frame` reads it.
        rest: Where answer, value or table hold a part only: of how much, and how to get the rest.
        caveats: What the reader should know.
        error: ``code`` and ``message``, where status is ``failed``.
        confidence: How likely the answer is right, 0 to 1, where that can be told; of a vote,
            the share of samples that gave it.
        chart: Of a message that wants one, what `graph.results.chart_parts.chart_artifact` makes.
        suggestions: Of a question that was refused, or that asks what there is, what may be asked:
            ``nearest``, ``readings``, ``questions`` and ``tables``, see `agents.turn.Suggestions`.
        samples: Of a vote, in short: each sample's ``number``, ``strategy``, ``status``,
            ``answer``, ``votes`` and whether it ``crafted``.
    """

    form: Annotated[str, last]
    status: Annotated[str, last]
    answer: str
    value: Any
    table: PlainData
    label: str
    frame: str
    rest: str
    caveats: list[str]
    error: Annotated[PlainData, last]
    confidence: float | None
    chart: PlainData
    suggestions: PlainData
    samples: list[PlainData]


NO_ANSWER: Answer = {
    "form": ANSWER_FORM,
    "status": "",
    "answer": "",
    "value": None,
    "table": {},
    "label": "",
    "frame": "",
    "rest": "",
    "caveats": [],
    "error": {},
    "confidence": None,
    "chart": {},
    "suggestions": {},
    "samples": [],
}


class RunState(Question, Answer, total=False):
    """The state of a run, from the first thought to the answer; each question has one anew.

    Attributes:
        ballots: Of a sample of a vote what it came to, see `graph.ballots`.
    """

    given: Given
    tree: Annotated[Tree, grow_tree]
    memory: Annotated[Memory, add_memory]
    review: Annotated[Review, add_review]
    spent: Annotated[Spent, add_spent]
    person: Annotated[Person, add_person]
    ballots: Annotated[list[PlainData], operator.add]


class CraftState(RunState, total=False):
    """The state of a Craft: the run's as it was when the Craft was called, and the Craft's own.

    Attributes:
        crafting: A `graph.nodes.function_state.Crafting`: tries, code and approval.
        took: What it took so far.
        decided: What a person decided of it.
    """

    crafting: PlainData
    took: Annotated[Spent, add_spent]
    decided: Person


class Outcome(TypedDict, total=False):
    """What comes of a run besides the answer, each channel as the run left it."""

    given: Given
    tree: Tree
    memory: Memory
    review: Review
    spent: Spent
    person: Person
    ballots: list[PlainData]


class AskState(Asked, Outcome, Answer, total=False):
    """The state of the graph that answers a question."""


class Ballots(TypedDict, total=False):
    """What a sample of a vote gives to the vote, each channel as in `RunState`."""

    spent: Annotated[Spent, add_spent]
    person: Annotated[Person, add_person]
    ballots: Annotated[list[PlainData], operator.add]


class VoteState(Question, Ballots, Answer, total=False):
    """The state of a vote; tree, memory and review are those of the sample that wins."""

    given: Given
    tree: Tree
    memory: Memory
    review: Review


class ToolCall(TypedDict, total=False):
    """What a tool node is sent for one call; of the state it sees nothing else.

    Attributes:
        name: The action.
        number: Of a vote the sample's number.
        step: Number of the thought it comes from.
        wish: Of an action: the fields of `tools.steps.step.Wish` as plain data.
        made: Frames that these parents have already, label by id.
        head: Label of the head.
        after: How many nodes the tree holds.
        move: Of a Backtrack: the move.
        arguments: Of an Ask: question, readings and tables; of a FindColumns: words and table.
        frames: Of an Ask: label and id of the frame of each reading.
    """

    name: str
    number: int
    step: int
    wish: PlainData
    made: dict[str, str]
    head: str
    after: int
    move: PlainData
    arguments: PlainData
    frames: list[list[str]]


class Message(TypedDict):
    """What a person says in a conversation."""

    message: str


class Said(TypedDict, total=False):
    """What comes beside a message.

    Attributes:
        wanted: What a command means by it, an `agents.conversation.remarks.Remark` as plain data;
            empty for words that are to be read.
        typed: What answers a question back of this very message, see `graph.channels.Given`.
    """

    wanted: PlainData
    typed: str


class Tables(TypedDict, total=False):
    """What messages brought to a thread of a chat; belongs to the thread.

    Attributes:
        tables: ``sources``, attached or named, and whether those that the settings name stand
            ``beside`` them; empty where no message brought any.
    """

    tables: PlainData


class Conversation(TypedDict, total=False):
    """What a thread keeps of a conversation.

    Attributes:
        conversation: A `graph.conversation.record.Record` as plain data.
    """

    conversation: PlainData


class TalkState(Message, Said, Tables, Conversation, AskState, total=False):
    """The state of the graph that goes on with a conversation."""


class Reply(Conversation, Answer, total=False):
    """What comes of a message: its answer, and the conversation after it."""


def begin_question(given: Given) -> Update:
    """What each channel of a question holds before its run; the input is taken over.

    Args:
        given: What comes with it.
    """
    empty: Outcome = {"tree": {}, "memory": {}, "review": {}, "spent": {}, "person": {}}
    fresh: Update = {**NO_ANSWER, **empty, "ballots": [], "given": given}
    return {**fresh, "sources": None, "settings": None, "start": None}


def combine(*updates: Update) -> Update:
    """The update of a run that several come to, one after the other."""
    rules, joined = reducers_of(RunState), Update()
    for update in updates:
        for name, value in update.items():
            known = name in rules and name in joined
            joined[name] = rules[name](joined[name], value) if known else value
    return joined


def tree_of(state: RunState | AskState) -> FrameTree:
    """Read the tree out of the state."""
    tree = state.get("tree") or {}
    return FrameTree.model_construct(
        nodes=tuple(_node(node) for node in tree.get("nodes", {}).values()),
        head=tree.get("head", ""),
        moves=tuple(Move.model_validate(move) for move in tree.get("moves", [])),
    )


def _node(plain: PlainData) -> Node:
    """Read a node; within a process each is read once, for a node never changes."""
    entry = _read.get(id(plain))
    # The entry keeps its dict alive, so an identity cannot have passed to another dict.
    if entry is None or entry[0] is not plain:
        if len(_read) >= NODES_READ:
            _read.clear()
        entry = _read[id(plain)] = (plain, Node.model_validate(plain))
    return entry[1]


NODES_READ = 10_000
_read: dict[int, tuple[PlainData, Node]] = {}


def nodes_update(nodes: Iterable[Node]) -> Update:
    """The update that adds nodes; the head follows the last that is ok."""
    nodes = list(nodes)
    tree: Tree = {"nodes": {node.label: node.model_dump(mode="json") for node in nodes}}
    fine = [node.label for node in nodes if node.outcome == "ok"]
    if fine:
        tree["head"] = fine[-1]
    return {"tree": tree}
