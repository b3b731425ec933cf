"""Preview: rows of a frame as a small text table, as many as a number of characters holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw

from wideleaf.tools.tables.relations import RELATION
from wideleaf.tools.tables.table import Table
from wideleaf.tools.words import CELL_CHARACTERS, as_name, cell_text

CHARACTERS = 1_100
MIN_ROWS, LAST_ROWS, MAX_ROWS = 3, 2, 40
"""Of a frame that is not shown whole so many first rows at the least, and so many last ones."""
WIDEST_CELL = 160
_SEPARATOR = " | "

Row = Mapping[str, Any]


def preview(
    first: Sequence[Row], last: Sequence[Row], rows: int, columns: Sequence[str]
) -> tuple[str, int]:
    """Write rows of a frame, whole where that fits, else the first and the last ones.

    Args:
        first: The first rows, `MAX_ROWS` at the most.
        last: The last rows, for a frame that is not shown whole.
        rows: How many rows the frame has.
        columns: Whose cells are shown.

    Returns:
        Lines of plain text, and how many rows are shown.
    """
    width = _cell_width(len(columns))
    header = _SEPARATOR.join(as_name(name) for name in columns)
    lines = [_line(row, columns, width) for row in first]
    if len(lines) == rows and len(header) + sum(map(len, lines)) + rows <= CHARACTERS:
        return "\n".join([header, *lines]), rows
    ends = [_line(row, columns, width) for row in last[-LAST_ROWS:]]
    room = CHARACTERS - len(header) - sum(len(line) + 1 for line in ends)
    count = 0
    for line in lines[: rows - len(ends)]:
        room -= len(line) + 1
        if room < 0 and count >= MIN_ROWS:
            break
        count += 1
    between = rows - count - len(ends)
    gap = [f"... {between} rows between ..."] if between and ends else []
    return "\n".join([header, *lines[:count], *gap, *ends]), count + len(ends)


def preview_table(table: Table, columns: Sequence[str], rows: int) -> str:
    """The first rows of some columns of a table."""
    first = Table(table.frame.select(*columns)).rows(rows)
    lines = [_line(row, columns, CELL_CHARACTERS) for row in first]
    return "\n".join([_SEPARATOR.join(as_name(name) for name in columns), *lines])


def preview_facts(graph: Table, relations: Sequence[str]) -> str:
    """One fact of each of some relations of a knowledge graph as a small text table."""
    lines = [_SEPARATOR.join(graph.columns)]
    for name in relations:
        facts = Table(graph.frame.filter(nw.col(RELATION) == name))
        lines += [
            _SEPARATOR.join(
                as_name(c) if one == RELATION else cell_text(c) for one, c in row.items()
            )
            for row in facts.rows(1)
        ]
    return "\n".join(lines)


def _cell_width(columns: int) -> int:
    """Long texts are shown longer where there are few columns."""
    return min(max(CELL_CHARACTERS, CHARACTERS // (2 * MIN_ROWS * max(columns, 1))), WIDEST_CELL)


def _line(row: Row, columns: Sequence[str], width: int) -> str:
    return _SEPARATOR.join(cell_text(row[name], width) for name in columns)
