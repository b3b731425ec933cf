"""The pieces of an SVG drawing: its style, rounded lines, and text cut to a width."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from unicodedata import east_asian_width

from wideleaf.tools.telling.calls import call_text
from wideleaf.tools.tree.tree import Node
from wideleaf.tools.words import one_line, printable

Point = tuple[float, float]
TIP_CHARACTERS = 600

STYLE = """
.wl{font:12px ui-sans-serif,system-ui,'Segoe UI',Helvetica,Arial,sans-serif}
.wl rect{fill:#fff;stroke:#8a99ad;stroke-width:1.2}
.wl text{fill:#1f2937}.wl .n{font-weight:600;font-size:13px}
.wl .q{fill:#5b6776;font-size:11px}.wl .k{fill:#76828f;font-size:11px}
.wl .a{font:11px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#41506a}
.wl path{fill:none;stroke:#8a99ad;stroke-width:1.5}
.wl .way{stroke:#2f8f5b;stroke-width:2.2}
.wl .leaf rect{fill:#eef7ee;stroke:#5fa777}.wl .on rect{stroke:#2f8f5b;stroke-width:1.6}
.wl .goal rect{fill:#d9f2e3;stroke:#1f7a48;stroke-width:2.6}
.wl .left rect{fill:#f6f7f9;stroke:#a9b2bf;stroke-dasharray:5 4}.wl .left text{fill:#6f7b8b}
.wl .try rect{fill:#fff5f5;stroke:#d9484f}.wl .try text{fill:#a3262d;font-size:11px}
.wl .stop rect{fill:#fafafa;stroke:#b08900;stroke-dasharray:2 3}
.wl .gone{stroke:#b9c1cc;stroke-dasharray:5 4}.wl .miss{stroke:#e3a0a4;stroke-width:1.2}
.wl .back{stroke:#c77700;stroke-width:1.5;stroke-dasharray:6 4}
.wl .again{stroke:#7a5cc0;stroke-width:1.5;stroke-dasharray:2 4}
.wl .tip{fill:#c77700;stroke:none}.wl .tip.again{fill:#7a5cc0}
.wl circle.back{fill:#c77700;stroke:none}.wl circle.again{fill:#7a5cc0;stroke:none}
.wl text.m{fill:#fff;font-size:10px;font-weight:700;text-anchor:middle}
@media (prefers-color-scheme:dark){
.wl rect{fill:#1b222c;stroke:#61708a}.wl text{fill:#e6eaf0}.wl .q{fill:#9aa7b8}.wl .k{fill:#76828f}
.wl .a{fill:#b4c2d8}
.wl path{stroke:#61708a}.wl .leaf rect{fill:#17291e}.wl .goal rect{fill:#174a2d;stroke:#4cc081}
.wl .left rect{fill:#161b22;stroke:#4b5666}.wl .left text{fill:#76828f}.wl .gone{stroke:#4b5666}
.wl .try rect{fill:#2b1719}.wl .try text{fill:#ff9a9f}.wl .miss{stroke:#7a3b40}
.wl .stop rect{fill:#1f1d16}.wl .way{stroke:#4cc081}.wl text.m{fill:#fff}
.wl .back{stroke:#e39a2d}.wl .again{stroke:#a58be0}.wl .tip{stroke:none;fill:#e39a2d}
.wl .tip.again{fill:#a58be0}}
"""


def fit(text: str, letters: int) -> str:
    """Cut text to a width, wide East Asian letters counting twice."""
    width = 0
    for place, sign in enumerate(text):
        width += 1 + (east_asian_width(sign) in "WF")
        if width > letters:
            return f"{text[: max(place - 1, 0)]}…"
    return text


def wrap(text: str, letters: int) -> list[str]:
    """Break text into one or two lines of a width, between words where there is a place."""
    first = fit(text, letters)
    if first == text:
        return [text]
    cut = text.rfind(" ", letters // 3, len(first)) + 1 or len(first) - 1
    return [text[:cut], fit(text[cut:], letters)]


def line(points: Sequence[Point], style: str, radius: float = 9) -> str:
    """A line through points, its corners rounded."""
    points = [p for p, q in zip(points, [None, *points], strict=False) if p != q]
    d = "M{:g} {:g}".format(*points[0])
    for (ax, ay), (bx, by), (cx, cy) in zip(points, points[1:], points[2:], strict=False):
        before, after = abs(bx - ax) + abs(by - ay), abs(cx - bx) + abs(cy - by)
        r = min(radius, before / 2, after / 2)
        x1, y1 = bx - (bx - ax) / before * r, by - (by - ay) / before * r
        x2, y2 = bx + (cx - bx) / after * r, by + (cy - by) / after * r
        d += f"L{x1:g} {y1:g}Q{bx:g} {by:g} {x2:g} {y2:g}"
    d += "L{:g} {:g}".format(*points[-1])
    return f'<path class="{style}" d="{d}"/>'


def try_text(node: Node, letters: int) -> str:
    """A try that made no frame in one line, with why."""
    mark = "✗" if node.outcome == "failed" else "◌"
    why = node.error or node.outcome
    return one_line(f"{mark} {node.label} {node.action.name}: {why}", letters)


def tip(*nodes: Node) -> str:
    """What is known of nodes, for whoever points at them."""
    texts = []
    for node in nodes:
        of = f" of {', '.join(node.parents)}" if node.parents else ""
        call = call_text(node.action, TIP_CHARACTERS, node.parents, short=True)
        head = one_line(f"{node.label} = {call}{of}", TIP_CHARACTERS)
        more = (node.thought, node.description, node.observation, node.error)
        texts += [head, *(printable(text[:TIP_CHARACTERS]) for text in more if text)]
    return f"<title>{escape(chr(10).join(texts[:12]))}</title>"
