"""The writer: puts the answer frame into words on this machine, so no number is invented."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from wideleaf.agents.answer.traceability import LEFT_OUT, Sources, keep_traceable, literals_of
from wideleaf.tools.plain_data import whole
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.tree import FrameTree
from wideleaf.tools.words import number_text, number_texts

VALUE_CELLS = 100_000
TABLE_ROWS = 50
LISTED = 20
COLUMNS_IN_WORDS = 12
BRIEF_ROWS = 5
INFINITE = ("inf", "-inf")
BRIEF_CHARACTERS = 160


def write_answer(
    tree: FrameTree,
    label: str,
    table: Table | None,
    stop: str,
    *,
    question: str = "",
    note: str = "",
    caveats: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Write the answer, or an honest account of how far the run came.

    Args:
        tree: The tree.
        label: The answer's node, or the head of a run that was cut off; empty for none.
        table: The frame of that node.
        stop: Why the run ended without an answer; empty if it did not.
        question: The user's words.
        note: What the thinker wants to be known; a sentence whose number does not stand in the
            frame is left out, and that is said (`traceability`).
        caveats: What is to be known of the steps that made the frame; what their nodes say of
            themselves if not given.

    Returns:
        ``answer``, ``value``, ``table``, ``label`` and ``caveats`` as plain data, in which whole
        numbers may be of any length, and ``notes``, what is left of the note, where there was one.
    """
    if table is None:
        return {"answer": stop, "value": None, "table": {}, "label": "", "caveats": []}
    if stop and not tree[label].parents:
        text = f"No finished answer: {stop}. No frame was made beyond the tables."
        return {"answer": text, "value": None, "table": {}, "label": "", "caveats": []}
    rows = _rows(table)
    total = tree[label].rows or len(rows)
    if caveats is None:
        caveats = list(dict.fromkeys(c for node in tree.plan(label) for c in node.caveats))
    notes: list[str] = []
    if note:
        names = [name for node in tree.nodes for name in (node.label, *literals_of([node]))]
        unlisted = (max(0, total - LISTED), max(0, len(table.columns) - COLUMNS_IN_WORDS))
        rest, cut = keep_traceable(note, Sources(table, rows, total, (question, *names), unlisted))
        notes = [text for text in (rest, LEFT_OUT if cut else "") if text]
    if stop:
        text = f"No finished answer: {stop}. The last frame, {label}: {in_words(rows, total)}"
        value = None
    else:
        text, value = in_words(rows, total), value_of(rows, table.columns)
    return {
        "answer": text,
        "value": value,
        "table": {
            "columns": list(table.columns),
            "rows": [list(row.values()) for row in rows[:TABLE_ROWS]],
            "total": total,
        },
        "label": label,
        "notes": notes,
        "caveats": [*caveats, *_infinite(table, rows), *_cut_rows(rows, total)],
    }


def whole_value(table: Table, total: int | None) -> tuple[Any, list[str]]:
    """The value of a frame as plain data, and what is to be said where not even it has all rows."""
    rows = _rows(table)
    caveats = [*_infinite(table, rows), *_cut_rows(rows, total or len(rows))]
    return value_of(rows, table.columns), caveats


def _rows(table: Table) -> list[dict[str, Any]]:
    most = max(1, VALUE_CELLS // len(table.columns))
    return [{k: exact_cell(v) for k, v in row.items()} for row in table.rows(most)]


def _infinite(table: Table, rows: list[dict[str, Any]]) -> list[str]:
    """What is to be said of cells that are no finite number."""
    floats = [name for name, dtype in table.schema.items() if dtype.is_float()]
    counts = {name: sum(row[name] in INFINITE for row in rows) for name in floats}
    return [
        f"{name!r} is infinite in {count} of {len(rows)} rows: beyond the largest number that can "
        "be held, or so in the table"
        for name, count in counts.items()
        if count
    ]


def _cut_rows(rows: list[dict[str, Any]], total: int) -> list[str]:
    if total <= len(rows):
        return []
    return [f"the value holds the first {len(rows)} of {total} rows"]


def brief(table: Table) -> str:
    """A frame in one short line, to tell it from another."""
    rows = [{k: exact_cell(v) for k, v in row.items()} for row in table.rows(BRIEF_ROWS)]
    total = table.count()
    text = in_words(rows, total)
    if len(rows) > 1 and len(rows[0]) > 1:
        listing = "; ".join(", ".join(one) for one in _phrase_rows(rows))
        text = f"{', '.join([*rows[0]][:COLUMNS_IN_WORDS])} ({total} rows): {listing}"
        text += f"; and {total - len(rows)} more" if total > len(rows) else ""
    return text if len(text) <= BRIEF_CHARACTERS else f"{text[: BRIEF_CHARACTERS - 3]}..."


def value_of(rows: list[dict[str, Any]], columns: tuple[str, ...]) -> Any:
    """The answer as plain data: one cell, one column as a list, one row, or a list of rows."""
    if len(columns) == 1:
        cells = [row[columns[0]] for row in rows]
        return cells[0] if len(cells) == 1 else cells
    return rows[0] if len(rows) == 1 else rows


def in_words(rows: list[dict[str, Any]], total: int) -> str:
    """Say a frame in a line or a few."""
    if not rows:
        return "no rows"
    columns = list(rows[0])
    words = _phrase_rows(rows[:LISTED])
    wide = len(columns) - COLUMNS_IN_WORDS
    also = f", and {wide} more columns" if wide > 0 else ""
    more = f" and {total - LISTED} more" if total > LISTED else ""
    if len(rows) == 1:
        pairs = zip(columns, words[0], strict=False)
        return ", ".join(f"{name}: {cell}" for name, cell in pairs) + also
    if len(columns) == 1:
        return f"{columns[0]} ({total}): {', '.join(cell for (cell,) in words)}{more}"
    lines = [" | ".join(columns[:COLUMNS_IN_WORDS]) + also]
    lines += [" | ".join(cells) for cells in words]
    return "\n".join(lines) + (f"\n...{more}" if more else "")


def _phrase_rows(rows: list[dict[str, Any]]) -> list[tuple[str, ...]]:
    names = list(rows[0])[:COLUMNS_IN_WORDS]
    return list(zip(*(phrase_column([row[n] for row in rows], n) for n in names), strict=True))


def phrase_column(cells: Sequence[Any], name: str = "") -> list[str]:
    """The cells of a column in words, its numbers alike (`number_texts`)."""
    numbers = iter(number_texts([cell for cell in cells if _is_finite(cell)], name))
    return [next(numbers) if _is_finite(cell) else phrase_cell(cell) for cell in cells]


def _is_finite(cell: Any) -> bool:
    number = isinstance(cell, int | float) and not isinstance(cell, bool)
    return number and math.isfinite(cell)


def phrase_cell(cell: Any) -> str:
    """A cell in words: of a number the digits that are true to it (`number_text`)."""
    if cell is None:
        return "none"
    if isinstance(cell, float):
        return number_text(cell)
    return str(cell)


def plain_cell(cell: Any) -> Any:
    """A cell as plain data that JSON and every checkpointer can hold."""
    return whole(exact_cell(cell))


def exact_cell(cell: Any) -> Any:
    """A cell as plain data; a whole number has all its digits, and what is infinite is a word."""
    if cell is None or isinstance(cell, (bool, int)):
        return cell
    if isinstance(cell, str):
        return whole(cell)
    if isinstance(cell, (float, Decimal)):
        if not math.isfinite(cell):
            return None if math.isnan(cell) else INFINITE[cell < 0]
        return int(cell) if isinstance(cell, Decimal) and cell == int(cell) else float(cell)
    if isinstance(cell, (date, datetime, time)):
        return cell.isoformat()
    if isinstance(cell, timedelta):
        return str(cell)  # with its units
    if isinstance(cell, (list, tuple)):
        return [exact_cell(item) for item in cell]
    return str(cell)
