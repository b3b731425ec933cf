"""A tree of frames as SVG: raw tables at the bottom, the answer on top, branches beside its way."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from wideleaf.graph.drawings.layout import Cell, arrange, unused_tables
from wideleaf.graph.drawings.shapes import (
    STYLE,
    TIP_CHARACTERS,
    Point,
    fit,
    line,
    tip,
    try_text,
    wrap,
)
from wideleaf.tools.telling.calls import call_text
from wideleaf.tools.tree.tree import FrameTree, Node
from wideleaf.tools.words import one_line

WIDTH, HEIGHT = 236, 62
ACROSS, BETWEEN = 52, 44
"""Free space between lanes and between layers, where lines run."""
TRY_HEIGHT = 22
MARGIN = 28
LETTERS = 31
"""Letters of the small font that fit into a box."""
FOLDED_ABOVE = 60
"""A tree of more nodes shows the failed tries on a frame as one."""
UNUSED_CHARACTERS = 90
LEVELS = (0.5, 0.34, 0.66, 0.42, 0.58)
"""Where in the space above a frame its line turns, by lane, so that none runs over another."""


PAPER = '<rect width="100%" height="100%" style="fill:#fff;stroke:none"/>'


def draw_svg(tree: FrameTree, answer: str | None = None, *, paper: bool = False) -> str:
    """Draw a tree as one SVG element; all text from outside is escaped.

    Args:
        tree: The tree.
        answer: Label of the answer; without one the way to the head is drawn straight.
        paper: Whether it stands on white, for a picture that knows nothing of its page.

    Returns:
        A self-contained ``<svg>``, light or dark as the reader prefers.
    """
    sheet = Canvas(tree, answer)
    legend, height = sheet.legend()
    size = f'width="{sheet.width}" height="{height:g}" viewBox="0 0 {sheet.width} {height:g}"'
    parts = [*sheet.edges(), *sheet.frames(), *sheet.tries(), *sheet.moves(), *legend]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="wl" role="img" {size}>'
        f"<title>Tree of frames</title><style>{STYLE}</style>{PAPER * paper}\n"
        f"{chr(10).join(parts)}\n</svg>"
    )


class Canvas:
    """A tree laid out in pixels."""

    def __init__(self, tree: FrameTree, answer: str | None) -> None:
        goal = answer or tree.head
        self.places = {node.label: place for place, node in enumerate(tree.nodes)}
        self.unused = unused_tables(tree, goal)
        if self.unused:
            labels = {node.label for node in self.unused}
            nodes = tuple(node for node in tree.nodes if node.label not in labels)
            tree = FrameTree(nodes=nodes, head=tree.head, moves=tree.moves)
        self.tree, self.answer = tree, answer
        self.layout = arrange(tree, goal)
        self.way = {node.label for node in tree.plan(goal)} if goal else set[str]()
        self.left = tree.abandoned() - self.way
        cells = [
            *self.layout.frames.values(),
            *(cell for cell, _ in self.layout.tries.values()),
        ]
        cells = cells or [Cell(0, 0)]
        self.first = min(cell.lane for cell in cells)
        self.top = max(cell.layer for cell in cells)
        lanes = max(cell.lane for cell in cells) - self.first + 1
        self.width = lanes * (WIDTH + ACROSS) - ACROSS + 2 * MARGIN + ACROSS * bool(tree.moves)
        self.height = (self.top + 1) * (HEIGHT + BETWEEN) - BETWEEN + 2 * MARGIN

    def at(self, cell: Cell) -> Point:
        """The upper left corner of a cell."""
        x = MARGIN + (cell.lane - self.first) * (WIDTH + ACROSS)
        return x, MARGIN + (self.top - cell.layer) * (HEIGHT + BETWEEN)

    def edges(self) -> Iterator[str]:
        """Lines from each frame up to what was made of it; the way to the answer last, on top."""
        paths = []
        for node in self.tree.nodes:
            for parent in dict.fromkeys(node.parents) if node.label in self.layout.frames else ():
                style = "way" if node.label in self.way else "gone" * (node.label in self.left)
                paths.append((style == "way", line(self._edge(parent, node.label), style)))
        for parent, (cell, _) in self.layout.tries.items():
            if parent:
                x, y = self.at(cell)
                points = self._rise(self.layout.frames[parent], (x + WIDTH / 2, y + HEIGHT))
                paths.append((False, line(points, "miss")))
        yield from (path for _, path in sorted(paths, key=lambda pair: pair[0]))

    def _edge(self, parent: str, child: str) -> list[Point]:
        below, above = self.layout.frames[parent], self.layout.frames[child]
        x, y = self.at(above)
        x, y = x + WIDTH / 2, y + HEIGHT
        if self.layout.trunk[child] == parent:
            return self._rise(below, (x, y))
        side = 1 if below.lane > above.lane else -1
        end = (x + side * WIDTH / 5, y)
        if above.layer == below.layer + 1:
            return self._rise(below, end)
        gutter = x + side * (WIDTH / 2 + ACROSS / 3)  # boxes may stand between: go round them
        turn = y + BETWEEN / 3
        return [*self._rise(below, (gutter, turn)), (end[0], turn), end]

    def _rise(self, below: Cell, end: Point) -> list[Point]:
        x, y = self.at(below)
        turn = y - BETWEEN * LEVELS[abs(below.lane) % len(LEVELS)]
        return [(x + WIDTH / 2, y), (x + WIDTH / 2, turn), (end[0], turn), end]

    def frames(self) -> Iterator[str]:
        """A box for each frame."""
        for label, cell in self.layout.frames.items():
            node = self.tree[label]
            x, y = self.at(cell)
            size = " × ".join(f"{n:,}" for n in (node.rows, node.columns) if n is not None)
            if label == (self.answer or self.tree.head):
                size = " · ".join(filter(None, ("answer" if self.answer else "head", size)))
            room = int((WIDTH - 30 - 6 * len(size)) / 7.6)
            lines = wrap(call_text(node.action, 3 * LETTERS, node.parents, short=True), LETTERS)
            first = 24 if len(lines) == 1 else 18
            calls = "".join(
                f'<text class="a" x="12" y="{first + 20 + 15 * n}">{escape(words)}</text>'
                for n, words in enumerate(lines)
            )
            yield (
                f'<g class="{self.kind(node)}" data-frame="{self.places[label]}" '
                f'transform="translate({x:g} {y:g})">{tip(node)}'
                f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8"/>'
                f'<text class="n" x="12" y="{first}">{escape(fit(label, room))}</text>'
                f'<text class="q" x="{WIDTH - 12}" y="{first}" text-anchor="end">{size}</text>'
                f"{calls}</g>"
            )

    def kind(self, node: Node) -> str:
        """The look of a frame's box."""
        if node.label == (self.answer or self.tree.head):
            return "goal"
        if not node.parents:
            return "leaf"
        return "on" if node.label in self.way else "left" * (node.label in self.left)

    def tries(self) -> Iterator[str]:
        """Small boxes for tries that made no frame; many on one frame become one box."""
        most = 1 if len(self.tree.nodes) > FOLDED_ABOVE else 2
        for cell, nodes in self.layout.tries.values():
            boxes = [([node], try_text(node, 2 * LETTERS)) for node in nodes]
            if len(nodes) > most:
                rest = nodes[most - 1 :]
                word = "failed tries" if all(n.outcome == "failed" for n in rest) else "tries"
                boxes[most - 1 :] = [(rest, f"✗ {len(rest)} {word}")]
            x, y = self.at(cell)
            for place, (members, text) in enumerate(boxes):
                down = y + HEIGHT - TRY_HEIGHT - place * (TRY_HEIGHT + 6)
                stopped = " stop" * all(node.outcome == "stopped" for node in members)
                yield (
                    f'<g class="try{stopped}" transform="translate({x:g} {down:g})">'
                    f'{tip(*members)}<rect width="{WIDTH}" height="{TRY_HEIGHT}" rx="5"/>'
                    f'<text x="8" y="{TRY_HEIGHT - 6}">{escape(fit(text, LETTERS + 7))}</text></g>'
                )

    def moves(self) -> Iterator[str]:
        """Dashed, numbered arrows for the head's moves, in the free space; looks as a number."""
        for number, move in enumerate(self.tree.moves, 1):
            if move.origin not in self.layout.frames:
                continue
            start, turn = self.layout.frames[move.origin], number % 3
            x, y = self.at(start)
            x, y = x + WIDTH, y + HEIGHT * (0.22 + 0.28 * turn)
            style, arrow = "back" if move.kind in ("back", "forced") else "again", ""
            if move.origin != move.target and move.kind != "find":
                end = self.layout.frames[move.target]
                u, v = self.at(end)
                u, arrival = u + WIDTH, v + HEIGHT * (0.3 + 0.2 * turn)
                out = ACROSS * (0.3 + 0.2 * turn)
                points = [(x, y), (x := x + out, y)]
                if start.lane != end.lane:
                    above = v - BETWEEN * (0.15 + 0.1 * turn)
                    points += [(x, above), (u + out, above)]
                points += [(u + out, arrival), (u, arrival)]
                tip_path = f'<path class="tip {style}" d="M{u:g} {arrival:g}l9 -4.5v9z"/>'
                arrow = f"{line(points, style)}{tip_path}"
            elif move.kind != "find":
                continue
            words = escape(one_line(f"{number}. {move.kind}: {move.reason}", TIP_CHARACTERS))
            yield (
                f"<g><title>{words}</title>{arrow}"
                f'<circle class="{style}" cx="{x:g}" cy="{y:g}" r="8.5"/>'
                f'<text class="m" x="{x:g}" y="{y + 3.5:g}">{number}</text></g>'
            )

    def legend(self) -> tuple[list[str], float]:
        """What the looks that occur mean, and the height of the whole drawing."""
        kinds = {self.kind(self.tree[label]) for label in self.layout.frames}
        failed = {node.outcome for node in self.tree.nodes}
        looks = {"repeat": "again", "find": "find"}
        moves = {looks.get(move.kind, "back") for move in self.tree.moves}
        entries = [
            ("goal", "answer" if self.answer else "head", "goal" in kinds),
            ("on", "on the way to it", "on" in kinds),
            ("leaf", "raw table", "leaf" in kinds),
            ("left", "branch left", "left" in kinds),
            ("try", "failed try", "failed" in failed),
            ("try stop", "stopped try", "stopped" in failed),
            ("back", "head went back", "back" in moves),
            ("again", "done before", "again" in moves),
        ]
        parts, x, y = [], float(MARGIN), float(self.height)
        for style, words, occurs in entries:
            if occurs:
                wide = 46 + 6.4 * len(words)
                if x > MARGIN and x + wide > self.width:
                    x, y = float(MARGIN), y + 20
                key = '<rect width="20" height="12" rx="3"/>'
                if style in ("back", "again"):
                    key = f'<path class="{style}" d="M0 6h20"/>'
                parts.append(
                    f'<g class="{style}" transform="translate({x:g} {y:g})">{key}</g>'
                    f'<text class="k" x="{x + 27:g}" y="{y + 10:g}">{words}</text>'
                )
                x += wide
        if self.unused:
            names = ", ".join(node.label for node in self.unused)
            unused = fit(one_line(f"Not used: {names}", UNUSED_CHARACTERS), int(self.width / 6.4))
            parts.append(
                f"<g>{tip(*self.unused)}"
                f'<text class="k" x="{MARGIN}" y="{y + 32:g}">{escape(unused)}</text></g>'
            )
            y += 24
        return parts, y + 12 + MARGIN / 2
