"""The outline: the tree as text for a prompt, of a bounded size however long the run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from wideleaf.tools.telling.calls import shape_text
from wideleaf.tools.telling.observations import (
    CALL_CHARACTERS,
    LATEST_SHARES,
    REASON_CHARACTERS,
    Seen,
    asked_text,
    is_repeat,
    label_text,
    see,
    written_steps,
)
from wideleaf.tools.tree.tree import FrameTree, Move, Node
from wideleaf.tools.words import one_line

CHARACTERS = 4_200
GLIMPSE_CHARACTERS = 140
ERROR_CHARACTERS = 320
BRANCH_STEPS = 4
RECENT_MOVES = 3
LISTED = 8
"""Of branches, failed tries and other frames, at most so many are worth a reader's time."""
LAST = "LAST OBSERVATIONS"
REMAINDER_CHARACTERS = 40
"""Kept free in a section for the line that says how many entries were left out."""


@dataclass
class Section:
    """Entries under a heading, the most important first, taken while there is room.

    Attributes:
        heading: One line.
        share: The part of the text that no other section may have.
        rest: What entries that were left out are called.
        total: How many entries there are.
        entries: Worded only when asked for, so that a long run costs no more than a short one.
        rising: Whether the taken entries are shown in reversed order.
    """

    heading: str
    share: float
    rest: str
    total: int
    entries: Iterator[str]
    rising: bool = False
    taken: list[str] = field(default_factory=list)
    waiting: str | None = None

    def take(self, room: int) -> int:
        """Take entries that fit into this many characters; tell how many they used."""
        total = 0
        while True:
            if self.waiting is None:
                self.waiting = next(self.entries, None)
            if self.waiting is None:
                return total
            size = len(self.waiting) + 1
            if not self.taken:
                size += len(self.heading) + 2 + REMAINDER_CHARACTERS
            if total + size > room:
                return total
            self.taken.append(self.waiting)
            self.waiting = None
            total += size

    @property
    def left_out(self) -> int:
        """How many entries had no room."""
        return self.total - len(self.taken)

    def lines(self) -> list[str]:
        """The heading and what was taken; nothing if that is nothing."""
        lines = self.taken + ([f"(and {self.left_out} {self.rest})"] if self.left_out else [])
        return ["", self.heading, *(reversed(lines) if self.rising else lines)] * bool(self.taken)


def outline(tree: FrameTree, characters: int = CHARACTERS, since: int | None = None) -> str:
    """Render the tree for a prompt.

    Shown are the raw tables, the plan of the head, the newest observations, the branches left and
    why, the failed tries and the latest moves. Where that would grow beyond the size, the
    oldest entries of each section give way to their number. Of a turn that made many frames each
    is seen, shortened, as long as there is room.

    Args:
        tree: What was done so far.
        characters: The size that is never exceeded; from 300 it holds the head and what was
            seen there.
        since: How many nodes there were before the latest turn; None where that is not known.

    Returns:
        Lines of plain text; a name or a word from outside never begins a line unless it is a
        label.
    """
    if not tree.nodes:
        return "No table is loaded yet."
    head = f"HEAD: {_leaf(tree[tree.head], {tree.head})}" if tree.head else "HEAD: none"
    if not tree.moves and not any(node.parents and node.outcome == "ok" for node in tree.nodes):
        head = ""  # the last table that was opened is none to go on from
    for share in LATEST_SHARES:
        view = see(tree, characters, since, share)
        sections = _sections(tree, view, since)
        _fill(sections, characters, characters - len(head))
        if not view.called or not any(s.left_out for s in sections if s.heading == LAST):
            break
    lines = [head, *(line for section in sections for line in section.lines())]
    return "\n".join(lines).lstrip("\n")


def _fill(sections: Sequence[Section], characters: int, room: int) -> None:
    """Take entries of each section by its share of the text, then of what others did not need."""
    by_share = sorted(sections, key=lambda section: section.share, reverse=True)
    for section in by_share:
        room -= section.take(min(room, int(section.share * characters)))
    for section in by_share:
        room -= section.take(room)


def _sections(tree: FrameTree, view: Seen, since: int | None) -> list[Section]:
    plan = tree.plan(tree.head) if tree.head else ()
    abandoned = tree.abandoned()
    labels = abandoned | {node.label for node in plan}
    frames = [node for node in reversed(tree.nodes) if node.outcome == "ok"]
    steps = written_steps([node for node in plan if node.parents])[::-1]
    in_full = {node.label for node in view.nodes}
    # A call is told once: in the plan, else above what was seen, else among the others.
    mentions = labels | in_full if view.called else labels
    others = [node for node in frames if node.parents and node.label not in mentions]
    failed = [node for node in reversed(tree.nodes) if node.outcome != "ok"]
    tables = [node for node in tree.leaves if node.label not in in_full]
    branches, moves = _branches(tree, abandoned, since)
    return [
        Section(
            "TABLES",
            0.12,
            "more tables",
            len(tables),
            (_leaf(node, in_full) for node in tables),
        ),
        Section(
            f"PLAN OF {label_text(tree.head)} (label = action of its inputs -> its frame)",
            0.2,
            "earlier steps",
            len(steps),
            (f"{_step(one, in_full)}" + " (head)" * (one.label == tree.head) for one in steps),
            rising=True,
        ),
        Section(
            LAST if any(node.parents for node in view.nodes) else "TABLES",
            view.share,
            "more",
            len(view.nodes),
            view.texts,
        ),
        Section(
            "BRANCHES LEFT, newest first (their frames can still be used)",
            0.11,
            "earlier branches",
            len(branches),
            (_branch(tree, *pair) for pair in branches[:LISTED]),
        ),
        Section(
            "OTHER FRAMES, newest first",
            0.05,
            "earlier frames",
            len(others),
            (_step(node, in_full) for node in others[:LISTED]),
        ),
        Section(
            "FAILED TRIES, newest first (do not repeat them)",
            0.13,
            "earlier failed tries",
            len(failed),
            (_failure(node) for node in failed[:LISTED]),
        ),
        Section(
            "LAST MOVES, newest first",
            0.05,
            "earlier moves",
            len(moves),
            (_move(tree, move) for move in moves),
        ),
    ]


def _branches(
    tree: FrameTree, abandoned: frozenset[str], since: int | None
) -> tuple[list[tuple[Move, list[Node]]], list[Move]]:
    """Pair each move with the frames it left for good; recent moves that left none apart."""
    order = {node.label: place for place, node in enumerate(tree.nodes)} if tree.moves else {}
    labels: set[str] = set()
    branches, moves = [], []
    for place, move in enumerate(reversed(tree.moves)):
        branch, stack = set[str](), [move.origin] if move.kind in ("back", "forced") else []
        while stack:
            label = stack.pop()
            if label in abandoned and label not in labels:
                labels.add(label)
                branch.add(label)
                stack += tree[label].parents
        if branch:
            branches.append(
                (move, [tree[label] for label in sorted(branch, key=order.__getitem__)])
            )
        elif place < RECENT_MOVES or is_repeat(move, since):
            moves.append(move)
    return branches, moves


def _glimpse(node: Node, in_full: set[str]) -> str:
    if node.label in in_full or not (node.observation or node.description):
        return shape_text(node)
    if node.description:
        return f"{shape_text(node)}: {one_line(node.description, GLIMPSE_CHARACTERS)}"
    return one_line(node.observation, GLIMPSE_CHARACTERS)


def _leaf(node: Node, in_full: set[str]) -> str:
    return f"{label_text(node.label)}: {_glimpse(node, in_full)}"


def _step(node: Node, in_full: set[str]) -> str:
    return f"{asked_text(node)} -> {_glimpse(node, in_full)}"


def _failure(node: Node) -> str:
    stopped = "stopped, may be tried again: " * (node.outcome == "stopped")
    return f"{asked_text(node)}: {stopped}{one_line(node.error, ERROR_CHARACTERS)}"


def _branch(tree: FrameTree, move: Move, nodes: Sequence[Node]) -> str:
    calls = [asked_text(node, CALL_CHARACTERS // 2) for node in nodes]
    if len(calls) > BRANCH_STEPS:
        calls[1 : 1 - BRANCH_STEPS] = [f"…{len(calls) - BRANCH_STEPS} more…"]
    return f"{'; '.join(calls)} -> {shape_text(nodes[-1])}; left: {_move(tree, move)}"


def _move(tree: FrameTree, move: Move) -> str:
    origin, target = label_text(move.origin), label_text(move.target)
    reason = one_line(move.reason, REASON_CHARACTERS) or "no reason given"
    if move.kind == "repeat":
        size = shape_text(tree[move.target])
        return f"at {origin}, asked for {target} again: {reason}{', ' * bool(size)}{size}"
    if move.kind == "find":
        return f"at {origin}, looked for columns: {reason}"
    verb = "sent" if move.kind == "forced" else "went"
    return f"{verb} back from {origin} to {target}: {reason}"
