"""Pages of a comparison: its tables as text for a terminal, and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

from wideleaf.graph.evaluation.comparison.tables import Table
from wideleaf.tools.words import one_line

WIDTH = 100
LONGEST_CELL = 60


def write_text_page(tables: Sequence[Table]) -> str:
    """Tables with columns under each other, empty cells as dashes."""
    return "\n\n".join(map(_text, tables)) + "\n"


def write_markdown_page(tables: Sequence[Table]) -> str:
    """Tables of Markdown, a heading each."""
    return "\n\n".join(map(_markdown, tables)) + "\n"


def _text(table: Table) -> str:
    rows = [table.header, *table.lines]
    cells = [[one_line(cell, LONGEST_CELL) or "-" for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
    rule = "  ".join("-" * width for width in widths)
    notes = [fill(note, WIDTH) for note in table.notes]
    return "\n".join([table.title, "", lines[0], rule, *lines[1:], *notes])


def _markdown(table: Table) -> str:
    rows = [table.header, ["---"] * len(table.header), *table.lines]
    lines = ["| " + " | ".join(_cell(cell) for cell in row) + " |" for row in rows]
    return "\n".join([f"## {table.title}", "", *lines, *(f"\n{note}" for note in table.notes)])


def _cell(text: str) -> str:
    return one_line(text, LONGEST_CELL).replace("|", "\\|").replace("<", "&lt;")
