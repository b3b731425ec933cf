"""Observations in an outline: those of the newest frames, or of all that the latest turn made."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from string import ascii_lowercase
from typing import NamedTuple

from wideleaf.tools.telling.calls import call_text, shape_text
from wideleaf.tools.telling.schema import to_model_call
from wideleaf.tools.tree.tree import FrameTree, Move, Node
from wideleaf.tools.words import one_line

LABEL_CHARACTERS = 80
CALL_CHARACTERS = 240
REASON_CHARACTERS = 160
INPUTS = 4
"""So many frames that a call is of are named."""
SHARES = (0.34, 0.14, 0.08)
"""How much of the text the newest observations may have, each on its own."""
SHARE = 0.34
"""How much of it all observations may have before what others leave is given away."""
FIRST_SHARE = 0.6
"""How much the raw tables have together, alike, before anything is made of them."""
LATEST_SHARES = (0.8, 0.68, sum(SHARES))
"""How much those of the latest turn have together, where it made more frames than those: the first
with which none is lost, the last whatever else there is."""
MOST, LEAST = 12, 60
"""So many of a turn are seen; one that would be cut below so many characters is left out."""
HEADING_CHARACTERS = 60
"""Kept free for the heading of them all."""


class Seen(NamedTuple):
    """Frames whose observations are shown.

    Attributes:
        nodes: The head, then the newest first; before anything is made, the raw tables.
        share: The part of the outline that they have whatever else there is.
        texts: Their observations, worded only when asked for.
        called: Whether one that is not in the plan is told with its call.
    """

    nodes: list[Node]
    share: float
    texts: Iterator[str]
    called: bool = False


def see(
    tree: FrameTree, characters: int, since: int | None, latest_share: float = LATEST_SHARES[-1]
) -> Seen:
    """Choose what is seen: of a turn that made many frames each, as long as there is room.

    Args:
        tree: What was done so far.
        characters: The size of the outline.
        since: How many nodes there were before the latest turn; None where that is not known.
        latest_share: One of `LATEST_SHARES`.
    """
    labels = {node.label for node in tree.nodes if node.parents}
    frames = [
        n for n in reversed(tree.nodes) if n.outcome == "ok" and not leads_to(n.label, labels)
    ]
    if len(tree.leaves) == len(frames):
        nodes = list(tree.leaves)
        share = FIRST_SHARE / max(len(nodes), 1)
        sizes = [int(share * characters)] * len(nodes)
        texts = map(_observation, _headings(nodes), nodes, sizes)
        return Seen(nodes, max(SHARE, share * len(nodes)), texts)
    latest = _latest(tree, since)
    plan = {node.label for node in tree.plan(tree.head)} if tree.head else set[str]()
    headings = _headings(latest, plan)
    sizes = _share_out(headings, latest, int(latest_share * characters) - HEADING_CHARACTERS)
    if len(sizes) > len(SHARES):
        texts = map(_observation, headings, latest, sizes)
        return Seen(latest[: len(sizes)], LATEST_SHARES[-1], texts, called=True)
    candidates = {node.label: node for node in (*latest, *frames[: len(SHARES)])}
    if tree.head:
        candidates = {tree.head: tree[tree.head]} | candidates
    nodes = [*candidates.values()][: len(SHARES)]
    sizes = [int(share * characters) for share in SHARES]
    return Seen(nodes, SHARE, map(_observation, _headings(nodes), nodes, sizes))


def leads_to(label: str, labels: Collection[str]) -> str:
    """The step that a frame with a letter leads to, as T3a to T3; empty if it is none of those."""
    step = label.rstrip(ascii_lowercase)
    return step if step != label and step in labels else ""


def written_steps(steps: Sequence[Node]) -> list[Node]:
    """The steps of a plan that were written, without those that a call was short for."""
    labels = {node.label for node in steps}
    return [node for node in steps if not leads_to(node.label, labels)]


def is_repeat(move: Move, since: int | None) -> bool:
    """Whether in the latest turn something was asked for that had been done before."""
    return since is not None and move.kind == "repeat" and move.after >= since


def label_text(label: str) -> str:
    """A label on one line."""
    return one_line(label, LABEL_CHARACTERS)


def asked_text(node: Node, characters: int = CALL_CHARACTERS) -> str:
    """A node with the call that it is of: ``T2 = Sort(limit=3) of T1``."""
    call, parents = node.told.call, node.told.parents
    of = f" of {', '.join(map(label_text, parents[:INPUTS]))}" if parents else ""
    return f"{label_text(node.label)} = {call_text(to_model_call(call), characters, parents)}{of}"


def step_text(node: Node, characters: int) -> str:
    """A step of a plan as a person reads it: ``T2 = Sort(limit=3) of T1``."""
    call, parents = node.told.call, node.told.parents
    of = f" of {' and '.join(parents)}" if parents else ""
    return f"{node.label} = {call_text(call, characters, parents, short=True)}{of}"


def _latest(tree: FrameTree, since: int | None) -> list[Node]:
    """What the latest turn made, or asked for again; frames with a letter lead to one of them."""
    if since is None or not tree.head:
        return []
    labels = [node.label for node in tree.nodes[since:] if node.outcome == "ok"]
    again = [move.target for move in tree.moves if is_repeat(move, since)]
    candidates = dict.fromkeys([tree.head, *reversed([*again, *labels])])
    steps = {label for label in labels if tree[label].parents}
    return [tree[label] for label in candidates if not leads_to(label, steps)][:MOST]


def _headings(nodes: Sequence[Node], plan: Collection[str] | None = None) -> list[str]:
    """What each observation is of; with a plan, a frame outside of it with the call it is of."""
    headings = []
    for place, node in enumerate(nodes):
        whole = plan is not None and node.label not in plan
        name = asked_text(node, CALL_CHARACTERS // 2) if whole else label_text(node.label)
        thought = ""
        if node.thought and node.thought not in [n.thought for n in nodes[:place]]:
            # Frames of one turn share theirs.
            thought = f' (thought: "{one_line(node.thought, REASON_CHARACTERS)}")'
        headings.append(f"{name}{thought}:")
    return headings


def _share_out(headings: Sequence[str], nodes: Sequence[Node], room: int) -> list[int]:
    """The sizes of as many observations as have room; what short ones leave, others have.

    The first, which is of the head, has half of the room where it needs it.
    """
    count = len(nodes)
    while count and room - sum(len(one) + 1 for one in headings[:count]) < count * LEAST:
        count -= 1
    room -= sum(len(one) + 1 for one in headings[:count])
    needs = [sum(len(line) + 3 for line in _lines(node)) for node in nodes[:count]]
    sizes = [len(one) for one in headings[:count]]
    others = sorted(range(1, count), key=needs.__getitem__)
    for rank, place in enumerate([0, *others] if count else ()):
        most = room // (count - rank)
        if not rank:
            most = max(most, min(room // 2, room - (count - 1) * LEAST))
        share = min(needs[place], most)
        sizes[place] += share
        room -= share
    return sizes


def _observation(heading: str, node: Node, characters: int) -> str:
    lines = [heading]
    room = characters - len(heading)
    for line in _lines(node):
        room -= len(line) + 3
        if room < 0:
            rest = room + len(line)
            lines += [f"  {one_line(line, rest)}"] * (rest > 0)
            break
        lines.append(f"  {one_line(line, len(line))}")
    return "\n".join(lines)


def _lines(node: Node) -> list[str]:
    described = [node.description] if node.description else []
    return [*described, *(node.observation or shape_text(node)).splitlines()]
