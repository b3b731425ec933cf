"""Draws docs/graph.svg: the nodes of a chat's graph, actions in groups, read from it.

Run it after nodes, edges or actions were added: ``python .ci/draw_graph.py``; a test holds the
picture against the code. Where things stand is said in graph/drawings/machine/places.py.
"""

from __future__ import annotations

from pathlib import Path

from wideleaf.graph.chat import build_chat
from wideleaf.graph.drawings.machine.boxes import read_machine
from wideleaf.graph.drawings.machine.picture import draw_picture

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "graph.svg"


def draw() -> str:
    """The picture as SVG; the same text for the same graph."""
    return draw_picture(read_machine(build_chat().get_graph(xray=1)))


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
