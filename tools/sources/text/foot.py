"""Foot: what stands at the end of a table of text or between its rows: notes, totals, blanks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from wideleaf.tools.cells.coerce import find_forms
from wideleaf.tools.cells.forms import NULL_WORDS
from wideleaf.tools.cells.repairs import Repair

if TYPE_CHECKING:
    import polars as pl

TAIL_ROWS = 30
TOTAL = (
    r"(?i)^(?:(?:grand|overall|column)\s+)?(?:totals?|sums?|gesamt|gesamtsumme|summe|insgesamt|"
    r"somme|totale|suma|totaal|total général|total general|итого)\s*:?$"
)
_NOTE = re.compile(
    r"(?i)^(?:source|quelle|fuente|fonte|notes?|remarks?|anmerkung|hinweis|stand|©|\(c\)|copyright"
    r"|\*|†|‡|\[\d+\]|\d\)|generated|exported|created|downloaded|data\s|end of|last updated|legend)"
)
_LONG_NOTE = 60
_ROUNDING = 1e-9


class _Tail(NamedTuple):
    """The end of a table: how many rows to leave out, notes among them, and a row of totals."""

    cut: int = 0
    notes: int = 0
    total: dict[str, str | None] | None = None
    total_cut: int = 0


class TextRows(NamedTuple):
    """A table's rows as text, what was left out, and how many of it were lines of one field."""

    text: pl.LazyFrame
    repairs: list[Repair]
    single: int


def table_rows(text: pl.LazyFrame) -> TextRows:
    """Leave out what is no row of the table.

    A last row that is labelled as a total is left out if its numbers are the sums of their
    columns. Rows without any value and lines of notes below the table or of comments are left
    out; a table of one column keeps them.

    Args:
        text: Columns of text; scanned several times, so best a columnar file.
    """
    import polars as pl

    names = text.collect_schema().names()
    first = pl.col(names[0])
    rest = pl.all_horizontal(pl.col(names[1:]).is_null()) if len(names) > 1 else pl.lit(False)
    blank, comment = rest & first.is_null(), rest & first.str.contains(r"^\s*#")
    rows, blanks, comments, totals = (
        text.select(
            pl.len().alias("rows"),
            blank.sum().alias("blanks"),
            comment.sum().alias("comments"),
            first.str.strip_chars().str.contains(TOTAL).sum().alias("totals"),
        )
        .collect(engine="streaming")
        .row(0)
    )
    if len(names) == 1:
        blanks = comments = 0
    repairs = []
    tail = _tail(text.tail(TAIL_ROWS).collect(), names)
    if blanks:
        repairs.append(Repair(text=f"Left out lines without any value ({blanks})"))
    if comments:
        repairs.append(Repair(text=f"Left out comment lines ({comments})"))
    if tail.notes:
        repairs.append(Repair(text=f"Left out lines of notes below the table ({tail.notes})"))
    keep = ~(blank | comment) if blanks or comments else None

    def above(cut: int) -> pl.LazyFrame:
        kept = text.head(rows - cut) if cut else text
        return kept if keep is None else kept.filter(keep)

    if tail.total is not None:
        totals -= bool(re.match(TOTAL, (tail.total[names[0]] or "").strip()))
        if _is_total(above(tail.total_cut), tail.total):
            told = "Left out the last row, which is the total of the others"
            repairs += [Repair(text=told), *_inner(totals)]
            return TextRows(above(tail.total_cut), repairs, comments + tail.notes)
        told = "The last row is labelled as a total but is not the sum of the others; it was kept"
        repairs.append(Repair(text=told))
    repairs += _inner(totals)
    return TextRows(above(tail.cut), repairs, comments + tail.notes)


def _inner(totals: int) -> list[Repair]:
    text = f"Rows labelled as totals among the others were kept ({totals})"
    return [Repair(text=text)] if totals > 0 else []


def _tail(frame: pl.DataFrame, names: list[str]) -> _Tail:
    """Look at the last rows from below."""
    rows = frame.rows()
    filled = [[c for c, cell in enumerate(row) if cell and cell.strip()] for row in rows]
    if len(names) == 1:
        return _Tail()
    usual = sum(len(cells) > 1 for cells in filled) > 1
    cut = notes = 0
    while cut < len(rows) - 1 and usual:
        place = len(rows) - 1 - cut
        if filled[place] and not _is_note(rows, filled, place):
            break
        notes += bool(filled[place])
        cut += 1
    if not notes:
        cut = 0
    last = next((p for p in range(len(rows) - 1 - cut, -1, -1) if filled[p]), None)
    if last is None or last == 0 or len(filled[last]) < 2:
        return _Tail(cut, notes)
    label = rows[last][filled[last][0]].strip()
    if not re.match(TOTAL, label):
        return _Tail(cut, notes)
    return _Tail(cut, notes, frame.row(last, named=True), len(rows) - last)


def _is_note(rows: list[tuple[str | None, ...]], filled: list[list[int]], place: int) -> bool:
    if filled[place] != [0]:
        return False
    cell = (rows[place][0] or "").strip()
    apart = place > 0 and not filled[place - 1]
    others = [row[0] or "" for row, cells in zip(rows, filled, strict=True) if len(cells) > 1]
    digits = all(re.match(r"[-+]?\d", other.strip()) for other in others)
    odd = digits and not re.match(r"[-+]?\d", cell)
    return bool(_NOTE.match(cell)) or apart or odd or len(cell) > _LONG_NOTE


def _is_total(text: pl.LazyFrame, total: dict[str, str | None]) -> bool:
    """Whether the numbers of a last row are the sums of the columns above it."""
    import polars as pl

    reads, _ = find_forms(text)
    typed = text.with_columns(reads)
    schema = typed.collect_schema()
    row = pl.DataFrame([total], schema=dict.fromkeys(total, pl.String)).lazy().with_columns(reads)
    sums = row.collect().row(0, named=True)
    label = next(name for name, cell in total.items() if cell and cell.strip())
    given = {
        name: (cell or "").strip()
        for name, cell in total.items()
        if name != label and schema[name].is_numeric() and (cell or "").strip() not in NULL_WORDS
    }
    if not given or any(sums[name] is None for name in given):
        return False
    made = typed.select(pl.col(list(given)).cast(pl.Float64).sum()).collect(engine="streaming")
    for name, value in made.row(0, named=True).items():
        digits = re.search(r"[.,](\d{1,2}|\d{4,})\D*$", given[name])
        step = 10.0 ** -len(digits[1]) if digits else 1e-6
        if abs(value - sums[name]) > 0.51 * step + _ROUNDING * abs(value):
            return False
    return True
