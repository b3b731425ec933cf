"""Giving out labels: turns a reply's calls into what each action's node is sent."""

from __future__ import annotations

from typing import NamedTuple

from wideleaf.agents.replies import Reply
from wideleaf.graph.state import Plain, Sent
from wideleaf.tools import action_named
from wideleaf.tools.action import Call
from wideleaf.tools.errors import ActionError
from wideleaf.tools.lineage import canonical
from wideleaf.tools.tree import FrameTree, Node


class Proposal(NamedTuple):
    """What a reply comes to.

    Attributes:
        calls: One payload for each node to run, in the order of the reply.
        offer: The frame offered as the answer: ``label`` and ``note``; empty if none.
        notes: Calls that cannot be sent anywhere, and why.
        minted: How many labels are given out now.
    """

    calls: list[Sent]
    offer: Plain
    notes: list[str]
    minted: int


def propose(reply: Reply, tree: FrameTree, minted: int) -> Proposal:
    """Give every new frame its label before any step runs, so that no two take the same.

    Args:
        reply: The thinker's reply.
        tree: The tree as it is.
        minted: How many labels were given out before.
    """
    calls: list[Sent] = []
    offer: Plain = {}
    notes: list[str] = []
    seen: set[str] = set()
    for call in reply.calls:
        try:
            name = action_named(call.name).__name__
        except ActionError as error:
            notes.append(error.text)
            continue
        key = canonical([name, call.arguments])
        if key in seen:
            continue
        seen.add(key)
        call = Call(name=name, arguments=call.arguments)
        if name == "Finish":
            offer, note = _offer(call, tree, alone=len(reply.calls) == 1)
            notes += note
        elif name == "Backtrack":
            sent, note = _backtrack(call, tree)
            calls += sent
            notes += note
        elif name == "Ask":
            calls.append({"node": name, "arguments": call.arguments})
        else:
            minted += 1
            calls.append(_act(call, reply.thought, tree, f"T{minted}"))
    return Proposal(calls, offer, notes, minted)


def _act(call: Call, thought: str, tree: FrameTree, label: str) -> Sent:
    arguments = dict(call.arguments)
    labels, problem = [], ""
    for name in action_named(call.name).inputs:
        wanted = str(arguments.pop(name, tree.head))
        found = _frame(wanted, tree)
        if found is None:
            problem = f"no frame {wanted!r}; the frames are {_frames(tree)}"
        else:
            labels.append(found)
    if problem:
        labels = [tree.head]
    siblings = _siblings(tree, labels)
    return {
        "node": call.name,
        "wish": {
            "call": {"name": call.name, "arguments": arguments},
            "label": label,
            "parents": [[parent, tree[parent].id] for parent in labels],
            "thought": thought,
            "failed": {n.id: _failure(n) for n in reversed(siblings) if n.outcome == "failed"},
            "problem": problem,
        },
        "made": {n.id: n.label for n in siblings if n.outcome == "ok"},
        "head": tree.head,
        "after": len(tree.nodes),
    }


def _siblings(tree: FrameTree, parents: list[str]) -> list[Node]:
    """What was done with these parents before; a repeated action must be among it."""
    return [node for node in tree.nodes if list(node.parents) == parents]


def _failure(node: Node) -> str:
    return f"failed as {node.label}: {node.error}"


def _backtrack(call: Call, tree: FrameTree) -> tuple[list[Sent], list[str]]:
    wanted = str(call.arguments.get("to", ""))
    target = _frame(wanted, tree)
    if target is None:
        return [], [f"cannot go back to {wanted!r}; the frames are {_frames(tree)}"]
    move = {
        "kind": "back",
        "origin": tree.head,
        "target": target,
        "reason": str(call.arguments.get("reason", "")),
        "after": len(tree.nodes),
    }
    return [{"node": "Backtrack", "move": move}], []


def _offer(call: Call, tree: FrameTree, alone: bool) -> tuple[Plain, list[str]]:
    if not alone:
        return {}, ["Finish was left out: call it alone, once its frame is there"]
    wanted = str(call.arguments.get("table", tree.head))
    label = _frame(wanted, tree)
    if label is None:
        return {}, [f"cannot finish with {wanted!r}; the frames are {_frames(tree)}"]
    return {"label": label, "note": str(call.arguments.get("note", ""))}, []


def _frame(wanted: str, tree: FrameTree) -> str | None:
    """The label of a node that has a frame, whatever the case it is written in."""
    labels = [node.label for node in tree.nodes if node.outcome == "ok"]
    if wanted in labels:
        return wanted
    folded = wanted.strip().casefold()
    return next((label for label in labels if label.casefold() == folded), None)


def _frames(tree: FrameTree) -> str:
    labels = [node.label for node in tree.nodes if node.outcome == "ok"]
    return ", ".join(labels[-20:]) or "none"
