"""Draws the picture of the README: the tree of a question over the demo's tables.

python benchmarks/readme_picture.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import wideleaf as wl
from wideleaf.graph.demo_table import make_demo_tables
from wideleaf.graph.drawings.svg import draw_svg

PICTURE = Path(__file__).parent.parent / "docs" / "tree.svg"
QUESTION = (
    "For homes with a heat pump in districts with more than 20000 inhabitants, "
    "what is the mean electricity on day 15?"
)


def picture() -> str:
    """The tree as SVG."""
    with tempfile.TemporaryDirectory() as folder:
        result = wl.ask(QUESTION, *make_demo_tables(Path(folder)), folder=folder)
        return draw_svg(result.tree, result.label)


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf-8")
