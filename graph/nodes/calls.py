"""Tool calls: a reply's calls get their labels, and are sent off in batches that can be done."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from string import ascii_lowercase
from typing import NamedTuple

from wideleaf.agents.turn import Reply
from wideleaf.graph.channels import Memory, PendingCall, PlainData, Tree
from wideleaf.graph.context import MAX_CALLS
from wideleaf.graph.nodes.finding import find_problem, search_key
from wideleaf.graph.state import ToolCall
from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.moves import MOVES, Abstain
from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.errors import ActionError
from wideleaf.tools.steps.shorthand import SHAPE, shape_of
from wideleaf.tools.tree.lineage import canonical
from wideleaf.tools.tree.tree import FrameTree, Node

MOVE_NAMES = frozenset(move.__name__ for move in MOVES)
MOVE_NODES = {
    "Backtrack": "backtrack",
    "FindColumns": "find_columns",
    "Ask": "ask_person",
    "Recall": "recall",
}
"""The nodes of moves; a Finish goes to the critic, an Abstain ends the run."""
ALONE = frozenset(["craft", "reader", "ask_person", "recall"])
"""Nodes that need the whole state, or end the run, and so have no other call beside them."""
ABSTAINS = "The tables do not hold what is asked."
PLACES = ("supervisor", "describer", "critic", "writer")
"""Nodes that are no tools."""


class Batch(NamedTuple):
    """What can be done now.

    Attributes:
        calls: What each tool node is sent, side by side.
        alone: A call whose node goes alone, if it is its turn.
        offer: The frame offered as the answer: ``label`` and ``note``; empty if none.
        later: Calls that wait for a frame of this batch.
        notes: Calls that cannot be sent anywhere, and why.
    """

    calls: list[ToolCall]
    alone: list[ToolCall]
    offer: PlainData
    later: list[PendingCall]
    notes: list[str]

    @property
    def is_usable(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.calls or self.alone or self.offer)


def node_of(name: str) -> str:
    """The node of the graph that carries out an action or a move."""
    return MOVE_NODES.get(name) or kind_of(find_action(name))


def kind_of(action: type[Action]) -> str:
    """The tool node of an action: one for each purpose, whoever brings the action."""
    purpose = action.purpose
    return f"{purpose} actions" if purpose in (*MOVE_NODES.values(), *PLACES) else purpose


def mint(reply: Reply, minted: int) -> tuple[list[PendingCall], list[str]]:
    """Give every frame to come its label before any step runs, so that no two take the same.

    Args:
        reply: The thinker's reply; a call said twice is taken once.
        minted: How many labels were given out before.

    Returns:
        The calls in the order of the reply, and notes about calls that are none.
    """
    calls: list[PendingCall] = []
    notes: list[str] = []
    keys: set[str] = set()
    first = minted + 1
    if len(reply.calls) > MAX_CALLS:
        excess = len(reply.calls) - MAX_CALLS
        notes.append(f"{excess} of {len(reply.calls)} calls were left out; {MAX_CALLS} is the most")
    thoughts = (*reply.thoughts, *[reply.thought] * len(reply.calls))
    for call, thought in zip(reply.calls[:MAX_CALLS], thoughts, strict=False):
        try:
            name = find_action(call.name).__name__
        except ActionError as error:
            notes.append(error.text)
            continue
        if (key := canonical([name, call.arguments])) in keys:
            continue
        keys.add(key)
        for one, arguments, label in _in_steps(name, dict(call.arguments), minted + 1):
            minted += bool(label)
            calls.append(
                {
                    "name": one,
                    "arguments": arguments,
                    "label": label,
                    "first": first,
                    "thought": thought,
                }
            )
    return calls, notes


def find_abstention(reply: Reply) -> str:
    """Why a reply says that the tables cannot answer; empty where it does not say so."""
    for call in reply.calls:
        if call.name.casefold() == Abstain.__name__.casefold():
            return str(call.arguments.get("reason") or reply.thought or ABSTAINS).strip()
    return ""


def _in_steps(name: str, arguments: PlainData, number: int) -> list[tuple[str, PlainData, str]]:
    """A call with its label; a Finish that says how the answer is given has a Select before it."""
    label = f"T{number}"
    shape = shape_of(arguments) if name == "Finish" else {}
    if not shape:
        return [(name, arguments, "" if name in MOVE_NAMES else label)]
    of = {"table": arguments["table"]} if "table" in arguments else {}
    rest = {k: v for k, v in arguments.items() if k not in SHAPE}
    return [("Select", {**of, **shape}, label), (name, rest | {"table": label}, "")]


def next_batch(calls: Sequence[PendingCall], tree: FrameTree, grown: Tree, memory: Memory) -> Batch:
    """Send what stands on frames that are there; what stands on a frame to come waits.

    Args:
        calls: What is still to be done of one reply, in order.
        tree: The tree as it is.
        grown: Its channel, for labels whose frame had been made before.
        memory: What FindColumns was asked for before.
    """
    batch = Batch([], [], {}, [], [])
    aliases, coming = grown.get("aliases", {}), set[str]()
    causes: dict[str, str] = {}
    dropped: dict[str, list[str]] = {}
    for call in calls:
        if _waits(call, batch, coming):
            batch.later.append(call)
        elif lost := _lost_inputs(call, causes, tree, aliases):
            cause = causes.get(lost[0], lost[0])  # what stood on it was left out for the same
            name = call["label"] or call["name"]
            causes[name] = cause
            dropped.setdefault(cause, []).append(name)
        elif call["name"] == "FindColumns":
            _add_find(call, tree, memory.get("found", {}), batch)
        elif call["name"] in MOVE_NAMES:
            _MOVES[call["name"]](call, tree, aliases, batch)
        else:
            target = batch.alone if node_of(call["name"]) in ALONE else batch.calls
            target.append(_make_call(call, tree, aliases))
        if call["label"] and call["label"] not in causes:
            coming.update([call["label"], *_opened(call)])
    batch.notes.extend(_describe_skips(names, cause) for cause, names in dropped.items())
    return batch


def _waits(call: PendingCall, batch: Batch, coming: set[str]) -> bool:
    """Whether a call waits for what is sent off before it."""
    if batch.alone or coming.intersection([*_inputs(call), *_opened(call)]):
        return True
    goes_alone = node_of(call["name"]) in ALONE and bool(batch.calls)
    return goes_alone or (call["name"] == "Finish" and bool(coming))


def _lost_inputs(
    call: PendingCall, causes: Collection[str], tree: FrameTree, aliases: Mapping[str, str]
) -> list[str]:
    """The inputs that were to be made earlier in this very reply, and were not."""
    labels = _inputs(call)
    return [one for one in labels if one in causes or _was_lost(one, call, tree, aliases)]


def _describe_skips(names: Sequence[str], cause: str) -> str:
    """One line for all that stood on a frame that could not be made."""
    runs: list[list[str]] = []
    for name in names:
        if runs and _number(name) == _number(runs[-1][-1]) + 1 > 1:
            runs[-1].append(name)
        else:
            runs.append([name])
    parts = [run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs]
    listing = " and ".join([", ".join(parts[:-1]), parts[-1]] if parts[1:] else parts)
    return (
        f"{listing} {'were' if len(names) > 1 else 'was'} left out, for {cause} could not be made"
    )


def _number(label: str) -> int:
    digits = label.removeprefix("T")
    return int(digits) if digits.isdecimal() else 0


def _inputs(call: PendingCall) -> list[str]:
    if call["name"] == "Ask":
        tables = call["arguments"].get("tables")
        return list(map(str, tables)) if isinstance(tables, list) else []
    action = find_action(call["name"])
    names = (*action.inputs, *action.optional)
    values = [call["arguments"][name] for name in names if call["arguments"].get(name)]
    return [*map(str, _many(values[0]) if action.many and values else values)]


def _opened(call: PendingCall) -> list[str]:
    """The name that a table to be loaded will have, which a later call may use at once."""
    return [str(call["arguments"].get("source", ""))] if call["name"] == "Load" else []


def _many(value: object) -> list[object]:
    """The labels of an action of many frames; a model may name one alone."""
    return value if isinstance(value, list) else [value]


def _was_lost(label: str, call: PendingCall, tree: FrameTree, aliases: Mapping[str, str]) -> bool:
    """Whether an input was to be made earlier in this very reply, and was not."""
    number = _number(label)
    if not call["label"]:  # a move has no number to compare with: what was tried has a node
        failed = [node.label for node in tree.nodes if node.outcome != "ok"]
        return call["first"] <= number and label in failed
    own = _number(call["label"])
    return call["first"] <= number < own and _frame(label, tree, aliases) is None


def _make_call(call: PendingCall, tree: FrameTree, aliases: Mapping[str, str]) -> ToolCall:
    arguments = dict(call["arguments"])
    labels, problem = [], ""
    for name in _wanted(call["name"], arguments, tree.head):
        label = _frame(name, tree, aliases)
        if label is None:
            problem = f"no frame {name!r}; the frames are {_frames(tree)}"
        else:
            labels.append(label)
    if problem:
        labels = [tree.head]
    of = tuple(labels)
    siblings = [node for node in tree.nodes if node.parents == of]
    return {
        "name": call["name"],
        "wish": {
            "call": {"name": call["name"], "arguments": arguments},
            "label": call["label"],
            "parents": [[parent, tree[parent].id] for parent in labels],
            "thought": call["thought"],
            "failed": {n.id: _failure(n) for n in reversed(siblings) if n.outcome == "failed"},
            "problem": problem,
        },
        "made": {n.id: n.label for n in _beside(siblings, tree) if n.outcome == "ok"},
        "head": tree.head,
        "after": len(tree.nodes),
    }


def _beside(siblings: Sequence[Node], tree: FrameTree) -> Sequence[Node]:
    """Nodes on the same frames, each with all others of a call that was short for several."""
    numbers = {n.label.rstrip(ascii_lowercase) for n in siblings if n.parents}
    several = [n for n in tree.nodes if n.label.rstrip(ascii_lowercase) in numbers and n.parents]
    return several or siblings


def _wanted(name: str, arguments: PlainData, head: str) -> list[str]:
    """The labels of a call's input frames, taken out of its arguments; by default the head."""
    action = find_action(name)
    if action.many:
        return [*map(str, _many(arguments.pop(action.inputs[0], None) or head))]
    labels = [str(arguments.pop(one, head)) for one in action.inputs]
    for one in action.optional:
        if (label := arguments.pop(one, None)) not in (None, ""):
            arguments[one] = len(labels)
            labels.append(str(label))
    return labels


def _failure(node: Node) -> str:
    return f"failed as {node.label}: {node.error}"


def _add_backtrack(
    call: PendingCall, tree: FrameTree, aliases: Mapping[str, str], batch: Batch
) -> None:
    name = str(call["arguments"].get("to", ""))
    target = _frame(name, tree, aliases)
    if target is None:
        batch.notes.append(f"cannot go back to {name!r}; the frames are {_frames(tree)}")
        return
    move = {
        "kind": "back",
        "origin": tree.head,
        "target": target,
        "reason": str(call["arguments"].get("reason", "")),
        "after": len(tree.nodes),
    }
    batch.calls.append({"name": "Backtrack", "move": move})


def _add_ask(call: PendingCall, tree: FrameTree, aliases: Mapping[str, str], batch: Batch) -> None:
    pairs = [(name, _frame(name, tree, aliases)) for name in _inputs(call)]
    lost = [name for name, label in pairs if label is None]
    if lost:
        batch.notes.append(f"cannot ask about {lost[0]!r}; the frames are {_frames(tree)}")
        return
    frames = [[label, tree[label].id] for _, label in pairs if label is not None]
    batch.alone.append({"name": "Ask", "arguments": call["arguments"], "frames": frames})


def _add_recall(
    call: PendingCall, tree: FrameTree, aliases: Mapping[str, str], batch: Batch
) -> None:
    label = _frame(str(call["arguments"].get("table", tree.head)), tree, aliases)
    if label is None:
        batch.notes.append("Recall was left out: call it with the frame of an earlier answer")
        return
    arguments = {**call["arguments"], "table": label}
    batch.alone.append({"name": "Recall", "arguments": arguments})


def _add_find(call: PendingCall, tree: FrameTree, finds: Mapping[str, str], batch: Batch) -> None:
    arguments = {name: value for name, value in call["arguments"].items() if value is not None}
    label = _frame(str(arguments.get("table") or ""), tree, {})
    if label is not None:  # what is looked for is in the raw tables under a frame
        raw = {str(n.action.arguments["source"]) for n in tree.plan(label) if not n.parents}
        arguments["table"] = raw.pop() if len(raw) == 1 else ""
    if problem := find_problem(arguments, finds):
        batch.notes.append(problem)
        return
    keys = {search_key(one["arguments"]) for one in batch.calls if one["name"] == "FindColumns"}
    if search_key(arguments) not in keys:
        node_input: ToolCall = {"name": "FindColumns", "arguments": arguments, "head": tree.head}
        batch.calls.append({**node_input, "after": len(tree.nodes)})


def _add_finish(
    call: PendingCall, tree: FrameTree, aliases: Mapping[str, str], batch: Batch
) -> None:
    name = str(call["arguments"].get("table", tree.head))
    label = _frame(name, tree, aliases)
    if label is None:
        batch.notes.append(f"cannot finish with {name!r}; the frames are {_frames(tree)}")
    elif batch.calls:
        batch.notes.append("Finish was left out: call it alone, or with a frame of the same turn")
    else:
        note = str(call["arguments"].get("note", ""))
        batch.offer.update({"label": label, "note": note})


def _frame(name: str, tree: FrameTree, aliases: Mapping[str, str]) -> str | None:
    """The label of a node that has a frame, whatever the case it is written in."""
    name = aliases.get(name, name)
    exact = tree.by_label.get(name)
    if exact is not None and exact.outcome == "ok":
        return name
    folded = name.strip().casefold()
    labels = (node.label for node in tree.nodes if node.outcome == "ok")
    match = next((label for label in labels if label.casefold() == folded), None)
    # The outline calls the newest frame so, and a model may take the word for its label.
    return tree.head if match is None and folded == "head" else match


def _frames(tree: FrameTree) -> str:
    labels = [node.label for node in tree.nodes if node.outcome == "ok"]
    return ", ".join(labels[-20:]) or "none"


_MOVES = {
    "Backtrack": _add_backtrack,
    "Ask": _add_ask,
    "Recall": _add_recall,
    "Finish": _add_finish,
}
