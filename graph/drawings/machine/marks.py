"""The marks of the picture of the machine: its style, boxes, words and arrows as SVG."""

from __future__ import annotations

import re
from html import escape

from wideleaf.graph.drawings.machine.places import Place, Way

NARROW, WIDE = "iljtfr,.' ", "mwMW"
"""Letters whose width is not that of most, in the widest font among those named."""
LINE = 16
STYLE = """
.wlm text{font:13px ui-sans-serif,system-ui,'Segoe UI',Helvetica,Arial,sans-serif;fill:#1f2937}
.wlm .page{fill:#fff}.wlm .h{font-size:15px;font-weight:700}
.wlm .b{font-size:14px;font-weight:600;text-anchor:middle}
.wlm .c{font-size:12px;fill:#475569;text-anchor:middle}.wlm .s{font-size:12px;fill:#475569}
.wlm .e{text-anchor:end}
.wlm .box{fill:#fff;stroke:#3b7dc4;stroke-width:1.3}.wlm .hub{fill:#eaf2fb;stroke-width:2}
.wlm .act{stroke:#2f8f5b}.wlm .code{stroke:#c77700}.wlm .vote{stroke:#7a5cc0}
.wlm .goal{fill:#d9f2e3;stroke:#1f7a48;stroke-width:2.2}.wlm .left{stroke:#a9b2bf}
.wlm .band{stroke-width:1}.wlm .actions{fill:#eaf6ef;stroke:#2f8f5b}
.wlm .codes{fill:#fdf4e7;stroke:#c77700}.wlm .moves{fill:#eaf2fb;stroke:#3b7dc4}
.wlm .around{fill:none;stroke:#9aa7b8;stroke-dasharray:5 4}
.wlm .arrow{fill:none;stroke:#5b6776;stroke-width:1.5}.wlm .main{stroke:#2f8f5b;stroke-width:2.4}
.wlm .back{stroke:#c77700;stroke-dasharray:6 4}.wlm .gone{stroke:#a9b2bf;stroke-dasharray:4 3}
.wlm .tip,.wlm .dot{fill:#5b6776}.wlm .tipm{fill:#2f8f5b}.wlm .tipb{fill:#c77700}
.wlm .person{fill:#c2566a}.wlm .no{fill:#3b7dc4}
.wlm .w{fill:#fff;font-size:11px;font-weight:700;text-anchor:middle}
@media (prefers-color-scheme:dark){.wlm .page{fill:#0f141a}.wlm text{fill:#e6eaf0}
.wlm .s,.wlm .c{fill:#aeb9c7}.wlm .box{fill:#161d26}.wlm .hub{fill:#16273a}
.wlm .goal{fill:#174a2d;stroke:#4cc081}.wlm .band{fill-opacity:.1}.wlm .arrow{stroke:#9aa7b8}
.wlm .tip,.wlm .dot{fill:#9aa7b8}.wlm .main{stroke:#4cc081}.wlm .tipm{fill:#4cc081}
.wlm .back{stroke:#e39a2d}.wlm .tipb{fill:#e39a2d}.wlm .gone{stroke:#61708a}.wlm .w{fill:#fff}}
"""
TIPS = {"": "tip", "main": "tipm", "back": "tipb", "gone": "tip"}


def draw_way(way: Way) -> str:
    """An arrow as SVG."""
    path = re.sub(r"\.0\b", "", way.path)
    tip = f"url(#wlm-{TIPS[way.style]})"
    start = f' marker-start="{tip}"' if way.both else ""
    return f'<path class="arrow {way.style}" d="{path}" marker-end="{tip}"{start}/>'


def draw_rect(place: Place, style: str, radius: int) -> str:
    """A box with round corners as SVG."""
    left, top, width, height = place[:4]
    return (
        f'<rect class="{style.strip()}" x="{left:g}" y="{top:g}" width="{width:g}" '
        f'height="{height:g}" rx="{radius}"/>'
    )


def draw_text(x: float, y: float, text: str, style: str) -> str:
    """A line of words as SVG; any text will do."""
    return f'<text class="{style}" x="{x:g}" y="{y:g}">{escape(text)}</text>'


def wrap(text: str, width: float) -> list[str]:
    """Break a note into lines of a width in pixels, between words."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        lines = [*lines[:-1], longer] if _width(longer) <= width else [*lines, word]
    return [line for line in lines if line]


def _width(text: str) -> float:
    return sum(4 if sign in NARROW else 10 if sign in WIDE else 7.5 for sign in text)
