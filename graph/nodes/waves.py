"""Giving out labels: turns a reply's calls into what each action's node is sent, in waves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_lowercase
from typing import NamedTuple

from wideleaf.agents.turn import Reply
from wideleaf.graph.context import MAX_CALLS
from wideleaf.graph.nodes.finding import find_problem, search_key
from wideleaf.graph.state import NodeInput, PendingCall, PlainData
from wideleaf.tools.actions.moves import MOVES
from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.errors import ActionError
from wideleaf.tools.steps.shorthand import SHAPE, shape_of
from wideleaf.tools.tree.lineage import canonical
from wideleaf.tools.tree.tree import FrameTree, Node

MOVE_NAMES = frozenset(move.__name__ for move in MOVES)


class Wave(NamedTuple):
    """What can be done now.

    Attributes:
        calls: One payload for each node to run, side by side.
        offer: The frame offered as the answer: ``label`` and ``note``; empty if none.
        later: Wishes that wait for a frame of this wave.
        notes: Wishes that cannot be sent anywhere, and why.
    """

    calls: list[NodeInput]
    offer: PlainData
    later: list[PendingCall]
    notes: list[str]


def mint(reply: Reply, minted: int) -> tuple[list[PendingCall], list[str]]:
    """Give every frame to come its label before any step runs, so that no two take the same.

    Args:
        reply: The thinker's reply; a call said twice is taken once.
        minted: How many labels were given out before.

    Returns:
        The wishes in the order of the reply, and notes about calls that are none.
    """
    wishes: list[PendingCall] = []
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
            wishes.append(
                {
                    "name": one,
                    "arguments": arguments,
                    "label": label,
                    "first": first,
                    "thought": thought,
                }
            )
    return wishes, notes


def _in_steps(name: str, arguments: PlainData, number: int) -> list[tuple[str, PlainData, str]]:
    """A call with its label; a Finish that says how the answer is given has a Select before it."""
    label = f"T{number}"
    shape = shape_of(arguments) if name == "Finish" else {}
    if not shape:
        return [(name, arguments, "" if name in MOVE_NAMES else label)]
    of = {"table": arguments["table"]} if "table" in arguments else {}
    rest = {k: v for k, v in arguments.items() if k not in SHAPE}
    return [("Select", {**of, **shape}, label), (name, rest | {"table": label}, "")]


def next_wave(
    wishes: Sequence[PendingCall],
    tree: FrameTree,
    aliases: Mapping[str, str],
    finds: Mapping[str, str] | None = None,
) -> Wave:
    """Send what stands on frames that are there; what stands on a frame to come waits.

    Args:
        wishes: What is still to be done of one reply, in order.
        tree: The tree as it is.
        aliases: Labels whose frame had been made before, and its label.
        finds: What FindColumns was asked for before.
    """
    wave = Wave([], {}, [], [])
    coming: set[str] = set()
    crafts = False
    causes: dict[str, str] = {}
    dropped: dict[str, list[str]] = {}
    for wish in wishes:
        waits = coming.intersection([*_inputs(wish), *_opened(wish)])
        alone = wish["name"] == "Craft" and (wave.calls or crafts)
        if waits or crafts or alone or (wish["name"] == "Finish" and coming):
            wave.later.append(wish)
        elif lost := [
            label
            for label in _inputs(wish)
            if label in causes or _was_lost(label, wish, tree, aliases)
        ]:
            cause = causes.get(lost[0], lost[0])  # what stood on it was left out for the same
            name = wish["label"] or wish["name"]
            causes[name] = cause
            dropped.setdefault(cause, []).append(name)
        elif wish["name"] == "Finish":
            _finish(wish, tree, aliases, wave)
        elif wish["name"] == "Backtrack":
            _backtrack(wish, tree, aliases, wave)
        elif wish["name"] == "Recall":
            _recall(wish, tree, aliases, wave)
        elif wish["name"] == "Ask":
            _ask(wish, tree, aliases, wave)
        elif wish["name"] == "FindColumns":
            _find(wish, tree, finds or {}, wave)
        else:
            wave.calls.append(_act(wish, tree, aliases))
            # Its nodes are several, and those of a wave must end together.
            crafts = wish["name"] == "Craft"
        if wish["label"] and wish["label"] not in causes:
            coming.add(wish["label"])
            coming.update(_opened(wish))
    wave.notes.extend(_describe_skips(names, cause) for cause, names in dropped.items())
    return wave


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


def _inputs(wish: PendingCall) -> list[str]:
    if wish["name"] == "Ask":
        tables = wish["arguments"].get("tables")
        return list(map(str, tables)) if isinstance(tables, list) else []
    action = find_action(wish["name"])
    names = (*action.inputs, *action.optional)
    values = [wish["arguments"][name] for name in names if wish["arguments"].get(name)]
    return [*map(str, _many(values[0]) if action.many and values else values)]


def _opened(wish: PendingCall) -> list[str]:
    """The name that a table to be loaded will have, which a later call may use at once."""
    return [str(wish["arguments"].get("source", ""))] if wish["name"] == "Load" else []


def _many(value: object) -> list[object]:
    """The labels of an action of many frames; a model may name one alone."""
    return value if isinstance(value, list) else [value]


def _was_lost(label: str, wish: PendingCall, tree: FrameTree, aliases: Mapping[str, str]) -> bool:
    """Whether an input was to be made earlier in this very reply, and was not."""
    number = _number(label)
    if not wish["label"]:  # a move has no number to compare with: what was tried has a node
        failed = [node.label for node in tree.nodes if node.outcome != "ok"]
        return wish["first"] <= number and label in failed
    own = _number(wish["label"])
    return wish["first"] <= number < own and _frame(label, tree, aliases) is None


def _act(wish: PendingCall, tree: FrameTree, aliases: Mapping[str, str]) -> NodeInput:
    arguments = dict(wish["arguments"])
    labels, problem = [], ""
    for name in _wanted(wish["name"], arguments, tree.head):
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
        "node": wish["name"],
        "wish": {
            "call": {"name": wish["name"], "arguments": arguments},
            "label": wish["label"],
            "parents": [[parent, tree[parent].id] for parent in labels],
            "thought": wish["thought"],
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


def _backtrack(wish: PendingCall, tree: FrameTree, aliases: Mapping[str, str], wave: Wave) -> None:
    name = str(wish["arguments"].get("to", ""))
    target = _frame(name, tree, aliases)
    if target is None:
        wave.notes.append(f"cannot go back to {name!r}; the frames are {_frames(tree)}")
        return
    move = {
        "kind": "back",
        "origin": tree.head,
        "target": target,
        "reason": str(wish["arguments"].get("reason", "")),
        "after": len(tree.nodes),
    }
    wave.calls.append({"node": "Backtrack", "move": move})


def _ask(wish: PendingCall, tree: FrameTree, aliases: Mapping[str, str], wave: Wave) -> None:
    pairs = [(name, _frame(name, tree, aliases)) for name in _inputs(wish)]
    lost = [name for name, label in pairs if label is None]
    if lost:
        wave.notes.append(f"cannot ask about {lost[0]!r}; the frames are {_frames(tree)}")
        return
    frames = [[label, tree[label].id] for _, label in pairs if label is not None]
    wave.calls.append({"node": "Ask", "arguments": wish["arguments"], "frames": frames})


def _recall(wish: PendingCall, tree: FrameTree, aliases: Mapping[str, str], wave: Wave) -> None:
    label = _frame(str(wish["arguments"].get("table", tree.head)), tree, aliases)
    if wave.calls or label is None:
        wave.notes.append("Recall was left out: call it alone, with the frame of an earlier answer")
        return
    arguments = {**wish["arguments"], "table": label}
    wave.calls.append({"node": "Recall", "arguments": arguments})


def _find(wish: PendingCall, tree: FrameTree, finds: Mapping[str, str], wave: Wave) -> None:
    arguments = {name: value for name, value in wish["arguments"].items() if value is not None}
    label = _frame(str(arguments.get("table") or ""), tree, {})
    if label is not None:  # what is looked for is in the raw tables under a frame
        raw = {str(n.action.arguments["source"]) for n in tree.plan(label) if not n.parents}
        arguments["table"] = raw.pop() if len(raw) == 1 else ""
    if problem := find_problem(arguments, finds):
        wave.notes.append(problem)
        return
    keys = {search_key(call["arguments"]) for call in wave.calls if call["node"] == "FindColumns"}
    if search_key(arguments) not in keys:
        node_input: NodeInput = {"node": "FindColumns", "arguments": arguments, "head": tree.head}
        wave.calls.append({**node_input, "after": len(tree.nodes)})


def _finish(wish: PendingCall, tree: FrameTree, aliases: Mapping[str, str], wave: Wave) -> None:
    name = str(wish["arguments"].get("table", tree.head))
    label = _frame(name, tree, aliases)
    if label is None:
        wave.notes.append(f"cannot finish with {name!r}; the frames are {_frames(tree)}")
    elif wave.calls:
        wave.notes.append("Finish was left out: call it alone, or with a frame of the same turn")
    else:
        note = str(wish["arguments"].get("note", ""))
        wave.offer.update({"label": label, "note": note})


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
