"""Draws the compiled graphs into the documents, as the Mermaid text that LangGraph makes of them.

Run it after nodes, edges or purposes of actions were added: ``python .ci/draw_graph.py``; a test
holds the documents against the code. A drawing stands below its mark, ``<!-- graph: NAME -->``.
"""

from __future__ import annotations

import re
from pathlib import Path

from wideleaf.graph.shell.start import draw

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = ("docs/architecture.md",)
MARK = re.compile(r"(<!-- graph: (\w+) -->\n\n)(?:```mermaid\n.*?```\n)?", re.S)


def draw_into(document: str) -> str:
    """The text of a document with its drawings as the code has them."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return MARK.sub(lambda mark: f"{mark[1]}```mermaid\n{draw(mark[2])}```\n", text)


if __name__ == "__main__":
    for name in DOCUMENTS:
        (ROOT / name).write_text(draw_into(name), encoding="utf-8")
