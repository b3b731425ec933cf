"""The outline: the tree as text for a prompt, of a bounded size however long the run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from wideleaf.tools.telling.calls import call_text, shape_text
from wideleaf.tools.telling.schema import to_model_call
from wideleaf.tools.tree.tree import FrameTree, Move, Node
from wideleaf.tools.words import one_line

CHARACTERS = 4_200
LABEL_CHARACTERS = 80
CALL_CHARACTERS = 160
GLIMPSE_CHARACTERS = 140
ERROR_CHARACTERS = 320
REASON_CHARACTERS = 160
BRANCH_STEPS = 4
RECENT_MOVES = 3
LISTED = 8
"""Of branches, failed tries and other frames, at most so many are worth a reader's time."""
SEEN_SHARES = (0.34, 0.14, 0.08)
"""How much of the text the newest observations may have, each on its own."""
SEEN_SHARE = 0.34
"""How much of it all observations may have before what others leave is given away."""
FIRST_SHARE = 0.6
"""How much the raw tables have together, alike, before anything is made of them."""
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
        used = 0
        while True:
            if self.waiting is None:
                self.waiting = next(self.entries, None)
            if self.waiting is None:
                return used
            size = len(self.waiting) + 1
            if not self.taken:
                size += len(self.heading) + 2 + REMAINDER_CHARACTERS
            if used + size > room:
                return used
            self.taken.append(self.waiting)
            self.waiting = None
            used += size

    def lines(self) -> list[str]:
        """The heading and what was taken; nothing if that is nothing."""
        left_out = self.total - len(self.taken)
        lines = self.taken + ([f"(and {left_out} {self.rest})"] if left_out else [])
        return ["", self.heading, *(reversed(lines) if self.rising else lines)] * bool(self.taken)


def outline(tree: FrameTree, characters: int = CHARACTERS) -> str:
    """Render the tree for a prompt.

    Shown are the raw tables, the plan of the head, the newest observations, the branches left
    and why, the failed tries and the latest moves. Where that would grow beyond the size, the
    oldest entries of each section give way to their number.

    Args:
        tree: What was done so far.
        characters: The size that is never exceeded; from 300 it holds the head and what was
            seen there.

    Returns:
        Lines of plain text; a name or a word from outside never begins a line unless it is a
        label.
    """
    if not tree.nodes:
        return "No table is loaded yet."
    sections = _sections(tree, characters)
    head = f"HEAD: {_leaf(tree[tree.head], {tree.head})}" if tree.head else "HEAD: none"
    room = characters - len(head)
    by_share = sorted(sections, key=lambda section: section.share, reverse=True)
    for section in by_share:
        room -= section.take(min(room, int(section.share * characters)))
    for section in by_share:  # what some did not need goes to the others
        room -= section.take(room)
    return "\n".join([head, *(line for section in sections for line in section.lines())])


def _sections(tree: FrameTree, characters: int) -> list[Section]:
    plan = tree.plan(tree.head) if tree.head else ()
    abandoned = tree.abandoned()
    known = abandoned | {node.label for node in plan}
    made = [node for node in reversed(tree.nodes) if node.outcome == "ok"]
    steps = [node for node in reversed(plan) if node.parents]
    others = [node for node in made if node.parents and node.label not in known]
    failed = [node for node in reversed(tree.nodes) if node.outcome != "ok"]
    newest = [node for node in made[: len(SEEN_SHARES)] if node.label != tree.head]
    seen = [*([tree[tree.head]] if tree.head else []), *newest][: len(SEEN_SHARES)]
    in_full = {node.label for node in seen}
    branches, moves = _branches(tree, abandoned)
    shares: Sequence[float] = SEEN_SHARES
    most_seen = SEEN_SHARE
    if len(tree.leaves) == len(made):
        seen = list(tree.leaves)
        shares = [FIRST_SHARE / max(len(seen), 1)] * len(seen)
        in_full = {node.label for node in seen}
        most_seen = max(most_seen, sum(shares))
    sizes = [int(share * characters) for share in shares]
    return [
        Section(
            "TABLES",
            0.12,
            "more tables",
            len(tree.leaves),
            (_leaf(node, in_full) for node in tree.leaves),
        ),
        Section(
            f"PLAN OF {_label(tree.head)} (label = action of its inputs -> its frame)",
            0.2,
            "earlier steps",
            len(steps),
            (_step(node, in_full) + " (head)" * (node.label == tree.head) for node in steps),
            rising=True,
        ),
        Section(
            "LAST OBSERVATIONS",
            most_seen,
            "more",
            len(seen),
            (
                _observation(node, size, node.thought not in [n.thought for n in seen[:place]])
                for place, (node, size) in enumerate(zip(seen, sizes, strict=False))
            ),
        ),
        Section(
            "BRANCHES LEFT, newest first (their frames can still be used)",
            0.11,
            "earlier branches",
            len(branches),
            (_branch(*pair) for pair in branches[:LISTED]),
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
            (_move(move) for move in moves),
        ),
    ]


def _branches(
    tree: FrameTree, abandoned: frozenset[str]
) -> tuple[list[tuple[Move, list[Node]]], list[Move]]:
    """Pair each move with the frames it left for good; recent moves that left none apart."""
    order = {node.label: place for place, node in enumerate(tree.nodes)} if tree.moves else {}
    told: set[str] = set()
    branches, moves = [], []
    for place, move in enumerate(reversed(tree.moves)):
        left, stack = set[str](), [move.origin] if move.kind in ("back", "forced") else []
        while stack:
            label = stack.pop()
            if label in abandoned and label not in told:
                told.add(label)
                left.add(label)
                stack += tree[label].parents
        if left:
            branches.append((move, [tree[label] for label in sorted(left, key=order.__getitem__)]))
        elif place < RECENT_MOVES:
            moves.append(move)
    return branches, moves


def _label(label: str) -> str:
    return one_line(label, LABEL_CHARACTERS)


def _asked(node: Node, characters: int = CALL_CHARACTERS) -> str:
    of = f" of {', '.join(map(_label, node.parents[:BRANCH_STEPS]))}" if node.parents else ""
    call = call_text(to_model_call(node.action), characters, node.parents)
    return f"{_label(node.label)} = {call}{of}"


def _glimpse(node: Node, in_full: set[str]) -> str:
    if node.label in in_full or not (node.observation or node.description):
        return shape_text(node)
    if node.description:
        return f"{shape_text(node)}: {one_line(node.description, GLIMPSE_CHARACTERS)}"
    return one_line(node.observation, GLIMPSE_CHARACTERS)


def _leaf(node: Node, in_full: set[str]) -> str:
    return f"{_label(node.label)}: {_glimpse(node, in_full)}"


def _step(node: Node, in_full: set[str]) -> str:
    return f"{_asked(node)} -> {_glimpse(node, in_full)}"


def _observation(node: Node, characters: int, with_thought: bool) -> str:
    thought = ""
    if node.thought and with_thought:  # frames of one turn share theirs
        thought = f' (thought: "{one_line(node.thought, REASON_CHARACTERS)}")'
    lines = [f"{_label(node.label)}{thought}:"]
    room = characters - len(lines[0])
    described = [node.description] if node.description else []
    for line in (*described, *(node.observation or shape_text(node)).splitlines()):
        room -= len(line) + 3
        if room < 0:
            lines.append(f"  {one_line(line, max(room + len(line), 1))}")
            break
        lines.append(f"  {one_line(line, len(line))}")
    return "\n".join(lines)


def _failure(node: Node) -> str:
    stopped = "stopped, may be tried again: " * (node.outcome == "stopped")
    return f"{_asked(node)}: {stopped}{one_line(node.error, ERROR_CHARACTERS)}"


def _branch(move: Move, nodes: Sequence[Node]) -> str:
    shown = [_asked(node, CALL_CHARACTERS // 2) for node in nodes]
    if len(shown) > BRANCH_STEPS:
        shown[1 : 1 - BRANCH_STEPS] = [f"…{len(shown) - BRANCH_STEPS} more…"]
    return f"{'; '.join(shown)} -> {shape_text(nodes[-1])}; left: {_move(move)}"


def _move(move: Move) -> str:
    origin, target = _label(move.origin), _label(move.target)
    reason = one_line(move.reason, REASON_CHARACTERS) or "no reason given"
    if move.kind == "repeat":
        return f"at {origin}, asked for {target} again: {reason}"
    if move.kind == "find":
        return f"at {origin}, looked for columns: {reason}"
    verb = "sent" if move.kind == "forced" else "went"
    return f"{verb} back from {origin} to {target}: {reason}"
