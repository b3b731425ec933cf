"""Draws docs/graph.svg: the nodes of a conversation's graph, actions in groups, read from it.

LangGraph's own drawing gives each action a box, all in one row; here those of a kind share one.

Where a box stands is written here; which boxes and arrows there are is the compiled graph's, and
one that has no place here stops the drawing. Run it after nodes were added: ``python
.ci/draw_graph.py``; a test holds the picture against the code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from wideleaf.graph.chat import build_chat
from wideleaf.graph.talk import build_talk

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "graph.svg"
WIDTH, HEIGHT = 1180, 720
STYLE = """
text{font:13px ui-sans-serif,system-ui,'Segoe UI',Helvetica,Arial,sans-serif;fill:#1f2937}
.page{fill:#fff}.h{font-size:15px;font-weight:700}.b{font-weight:600;text-anchor:middle}
.c{font-size:11px;fill:#5b6776;text-anchor:middle}.s{font-size:12px;fill:#5b6776}
.box{fill:#fff;stroke:#3b7dc4}.act{stroke:#2f8f5b}.code{stroke:#c77700}.vote{stroke:#7a5cc0}
.band{fill:#eaf6ef;stroke:#2f8f5b}.around{fill:none;stroke:#9aa7b8;stroke-dasharray:5 4}
.arrow{fill:none;stroke:#5b6776;stroke-width:1.5}.tip,.dot{fill:#5b6776}.wait{fill:#c2566a}
@media (prefers-color-scheme:dark){.page{fill:#0f141a}text{fill:#e6eaf0}.s,.c{fill:#9aa7b8}
.box{fill:#161d26}.band{fill-opacity:.12}.arrow{stroke:#9aa7b8}.tip,.dot{fill:#9aa7b8}}
"""
BAND = (300, 366, 560, 300)
CRAFT = (900, 366, 250, 300)


ACTIONS: Mapping[str, tuple[str, ...]] = {
    "open": ("Load", "Describe", "Sample", "Get"),
    "rows": ("Filter", "DropNulls", "Distinct", "Sort", "Position"),
    "columns": ("Select", "Derive", "FromOneHot", "Window"),
    "tables together": ("Join", "Union", "Intersect", "Difference"),
    "measures": ("Aggregate", "Group", "Resample"),
    "shape": ("Pivot", "Unpivot"),
    "learning": ("Correlate", "PCA", "Anomaly", "Predict"),
}
"""Actions by what they are for."""
MOVES = ("Backtrack", "FindColumns", "Ask", "Recall")
"""What a thinker may do without making a frame."""
OTHERS = "of other packages"
PAUSES = ("Ask", "ApproveCraft")
"""Nodes at which a run may wait for a person."""
NOTES = {
    "begin": "a question anew",
    "select": "tables opened, columns chosen",
    "think": "Thought: which calls next, by model or planner",
    "verify": "does the frame answer?",
    "answer": "written, its figures checked",
    "sample": "of a vote: the same steps, in a graph of its own",
    "count": "which answer has most votes",
    "Craft": "a function is written",
    "ApproveCraft": "a person sees it",
    "RunCraft": "it runs in the sandbox",
    "moves": "no frame is made",
    "listen": "the message, and tables in it",
    "talk": "the conversation",
    "say": "the answer's message",
    "hear": "a remark, or a question",
    "reply": "out of what is kept",
    "remember": "the answer is kept",
}
"""What each box does, in a few words."""


class Box(NamedTuple):
    """Nodes that are drawn as one.

    Attributes:
        name: The node's name, or the group's.
        nodes: The nodes' names.
        note: What it does.
    """

    name: str
    nodes: tuple[str, ...]
    note: str = ""

    @property
    def is_group(self) -> bool:
        """Whether it stands for several nodes."""
        return self.nodes != (self.name,)


class Machine(NamedTuple):
    """A graph in groups.

    Attributes:
        boxes: In the order of the graph's nodes.
        edges: Pairs of boxes' names, each once.
    """

    boxes: tuple[Box, ...]
    edges: tuple[tuple[str, str], ...]


class Place(NamedTuple):
    """Where a box stands, its size, and its colour."""

    left: int
    top: int
    width: int = 150
    height: int = 62
    colour: str = ""


PLACES = {
    "hear": Place(60, 236),
    "select": Place(300, 236, 190),
    "think": Place(560, 236, 290),
    "verify": Place(880, 236),
    "answer": Place(880, 130, 190),
    "remember": Place(640, 130, 160),
    "sample": Place(60, 130, 290, 62, "vote"),
    "count": Place(400, 130, 190, 62, "vote"),
    "moves": Place(60, 366, 190, 130),
    "reply": Place(60, 560, 190),
    "Craft": Place(930, 406, 190, 56, "code"),
    "ApproveCraft": Place(930, 494, 190, 56, "code"),
    "RunCraft": Place(930, 582, 190, 56, "code"),
}
ROUTES = {
    ("__start__", "hear"): "M24 267H54",
    ("hear", "select"): "M210 267H294",
    ("hear", "reply"): "M60 280H40V591H54",
    ("select", "think"): "M490 267H554",
    ("select", "sample"): "M330 236V198",
    ("sample", "count"): "M350 161H394",
    ("count", "sample"): "",
    ("count", "remember"): "M590 161H634",
    ("think", "verify"): "M850 267H874",
    ("verify", "think"): "",
    ("verify", "answer"): "M955 236V198",
    ("think", "answer"): "M770 236V214H900V198",
    ("answer", "remember"): "M880 161H806",
    ("remember", "__end__"): "M720 130V100H1110",
    ("reply", "__end__"): "M250 591H268",
    ("think", "think"): "M620 236C600 206 680 206 664 230",
    ("think", "moves"): "M610 298V338H155V360",
    ("moves", "think"): "",
    ("moves", "reply"): "M155 496V554",
    ("think", "Craft"): "M800 298V338H1060V400",
    ("Craft", "think"): "",
    ("Craft", "Craft"): "M1120 424C1146 414 1146 454 1126 444",
    ("Craft", "ApproveCraft"): "M1000 462V488",
    ("Craft", "RunCraft"): "M930 446H914V610H924",
    ("ApproveCraft", "RunCraft"): "M1000 550V576",
    ("ApproveCraft", "think"): "M1120 522H1156V338H1064",
    ("RunCraft", "think"): "M1120 610H1162V338H1064",
    ("RunCraft", "Craft"): "",
}
"""Arrows; an empty one is the way back of the other, which has two tips."""
ACTS = "M705 298V360"


def draw() -> str:
    """The picture as SVG; the same text for the same graph."""
    machine = group_nodes(build_talk())
    boxes = [box for box in machine.boxes if not box.name.startswith("__")]
    groups = [box for box in boxes if box.name in ACTIONS]
    _check(machine, {box.name for box in boxes} - {box.name for box in groups}, groups)
    parts = [*_chat(), *_frames(), *_arrows(machine), *_tree()]
    for place, group in enumerate(groups):
        left, top = BAND[0] + 16 + place % 3 * 178, BAND[1] + 44 + place // 3 * 84
        parts += _box(group, Place(left, top, 172, 76, "act"))
    for box in boxes:
        if box not in groups:
            parts += _box(box, PLACES[box.name])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" aria-labelledby="t">\n'
        '<title id="t">The graph of a conversation: its nodes, and where each leads</title>\n'
        f"<style>{STYLE}</style>\n"
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto-start-reverse"><path class="tip" d="M0 0L8 4L0 8z"/>'
        "</marker></defs>\n"
        f'<rect class="page" width="{WIDTH}" height="{HEIGHT}"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def group_nodes(graph: Any) -> Machine:
    """The graph with its actions and moves in groups.

    Args:
        graph: Compiled.
    """
    drawn = graph.get_graph()
    names = [*drawn.nodes]
    group = {name: _group_of(name, names) for name in names}
    boxes: dict[str, list[str]] = {}
    for name in names:
        boxes.setdefault(group[name], []).append(name)
    edges = ((group[edge.source], group[edge.target]) for edge in drawn.edges)
    own = (pair for pair in edges if pair[0] != pair[1] or len(boxes[pair[0]]) == 1)
    made = (Box(name, tuple(inside), NOTES.get(name, "")) for name, inside in boxes.items())
    return Machine(tuple(made), tuple(dict.fromkeys(own)))


def _group_of(name: str, names: Iterable[str]) -> str:
    if name in MOVES:
        return "moves"
    for title, actions in ACTIONS.items():
        if name in actions:
            return title
    known = {*NOTES, "__start__", "__end__"}
    return name if name in known or "think" not in names else OTHERS


def _check(machine: Machine, single: set[str], groups: list[Box]) -> None:
    """Refuse a graph with boxes or arrows that have no place here."""
    drawn = {*ROUTES}
    for group in groups:
        drawn |= {("think", group.name), (group.name, "think")}
    if single != PLACES.keys() or {*machine.edges} != drawn:
        odd = single ^ PLACES.keys(), {*machine.edges} ^ drawn
        raise SystemExit(f"the picture and the graph differ: {odd}; mend .ci/draw_graph.py")


def _chat() -> Iterator[str]:
    """The chat's own row: what stands around a conversation."""
    yield '<text class="h" x="24" y="36">chat</text>'
    left = 90
    boxes = [b for b in group_nodes(build_chat()).boxes if not b.name.startswith("__")]
    for number, box in enumerate(boxes):
        yield from _box(box, Place(left, 16, 220, 50))
        if number < len(boxes) - 1:
            yield _arrow(f"M{left + 220} 41H{left + 254}")
        left += 260


def _frames() -> Iterator[str]:
    yield (
        '<rect class="around" x="12" y="82" width="1156" height="626" rx="14"/>'
        '<text class="h" x="30" y="110">talk</text>'
        '<text class="s" x="70" y="110">the graph <tspan font-weight="600">ask</tspan> begins each '
        "question anew, without hear, reply and remember</text>"
    )
    for (left, top, width, height), title, about in (
        (BAND, "actions", "each makes a frame of the tree; of one thought side by side"),
        (CRAFT, "code", "of a model"),
    ):
        yield (
            f'<rect class="band" x="{left}" y="{top}" width="{width}" height="{height}" rx="12"/>'
            f'<text class="h" x="{left + 16}" y="{top + 26}">{title}</text>'
            f'<text class="s" x="{left + 28 + 9 * len(title)}" y="{top + 26}">{about}</text>'
        )
    for across, text in ((716, "Action down, Observation back"), (166, "back to an earlier frame")):
        yield f'<text class="s" x="{across}" y="352">{text}</text>'
    yield '<circle class="dot" cx="20" cy="267" r="6"/>'
    for across, down in ((1122, 100), (278, 591)):
        yield f'<circle class="dot" cx="{across}" cy="{down}" r="7"/>'
    yield (
        '<circle class="wait" cx="40" cy="688" r="5"/>'
        '<text class="s" x="52" y="692">may wait for a person</text>'
    )


def _tree() -> Iterator[str]:
    """A tree of frames in little, in the free place among the actions."""
    left, top = BAND[0] + 230, BAND[1] + 246
    spots = {"leaf": (0, 0), "T1": (80, 0), "T2": (160, -22), "T3": (160, 18), "T4": (240, 18)}
    ways = (("leaf", "T1"), ("T1", "T2"), ("T1", "T3"), ("T3", "T4"))
    for source, target in ways:
        (x, y), (to, down) = spots[source], spots[target]
        style = ' stroke-dasharray="3 3"' if target == "T2" else ""
        yield (
            f'<path class="arrow"{style} d="M{left + x + 14} {top + y}L{left + to - 17} '
            f'{top + down}" marker-end="url(#tip)"/>'
        )
    for name, (x, y) in spots.items():
        colour = {"leaf": "", "T2": "code", "T4": "vote"}.get(name, "act")
        yield (
            f'<circle class="box {colour}" cx="{left + x}" cy="{top + y}" r="14"/>'
            f'<text class="c" x="{left + x}" y="{top + y + 4}">{name.removeprefix("leaf")}</text>'
        )
    for x, y, text in (
        (0, 30, "a raw table"),
        (232, -18, "failed: Backtrack"),
        (240, 47, "the answer"),
    ):
        yield f'<text class="c" x="{left + x}" y="{top + y}">{text}</text>'


def _arrows(machine: Machine) -> Iterator[str]:
    for pair in machine.edges:
        if way := ROUTES.get(pair):
            yield _arrow(way, both=ROUTES.get(pair[::-1]) == "")
    yield _arrow(ACTS, both=True)


def _arrow(way: str, *, both: bool = False) -> str:
    start = ' marker-start="url(#tip)"' if both else ""
    return f'<path class="arrow" d="{way}" marker-end="url(#tip)"{start}/>'


def _box(box: Box, place: Place) -> Iterator[str]:
    left, top, width, height, colour = place
    middle = left + width / 2
    lines = [*_wrapped(box.note, width)]
    lines += [line for line in _wrapped(", ".join(box.nodes), width)] if box.is_group else []
    first = top + height / 2 - 7 * len(lines) + 4
    yield (
        f'<rect class="box {colour}" x="{left}" y="{top}" width="{width}" height="{height}" '
        f'rx="8"/><text class="b" x="{middle:g}" y="{first:g}">{box.name}</text>'
    )
    for number, line in enumerate(lines, 1):
        down = first + 2 + 15 * number
        yield f'<text class="c" x="{middle:g}" y="{down:g}">{escape(line)}</text>'
    if {*PAUSES} & {*box.nodes}:
        yield f'<circle class="wait" cx="{left + width - 12}" cy="{top + 12}" r="5"/>'


def _wrapped(text: str, width: int) -> Iterator[str]:
    line = ""
    for word in text.split():
        if line and len(line) + len(word) > width // 6:
            yield line
            line = ""
        line = f"{line} {word}".strip()
    if line:
        yield line


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
