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
_DIGIT_FIRST = re.compile(r"[-+]?\d")
_LONG_NOTE = 60
_ROUNDING = 1e-9


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
    first, only = pl.col(names[0]), len(names) == 1
    rest = pl.lit(False) if only else pl.all_horizontal(pl.col(names[1:]).is_null())
    blank, comment = rest & first.is_null(), rest & first.str.contains(r"^\s*#")
    counts = text.select(
        pl.len().alias("rows"),
        blank.sum().alias("blanks"),
        comment.sum().alias("comments"),
        first.str.strip_chars().str.contains(TOTAL).sum().alias("totals"),
    )
    rows, blanks, comments, totals = counts.collect(engine="streaming").row(0)
    tail = [] if only else text.tail(TAIL_ROWS).collect().rows()
    cut, notes = _notes(tail)
    told = {
        f"Left out lines without any value ({blanks})": blanks,
        f"Left out comment lines ({comments})": comments,
        f"Left out lines of notes below the table ({notes})": notes,
    }

    def above(cut: int) -> pl.LazyFrame:
        kept = text.head(rows - cut) if cut else text
        return kept.filter(~(blank | comment)) if blanks or comments else kept

    if place := _total_row(tail[: len(tail) - cut]):
        total = dict(zip(names, tail[place], strict=True))
        totals -= bool(re.match(TOTAL, (tail[place][0] or "").strip()))
        if _is_total(above(len(tail) - place), total):
            cut = len(tail) - place
            told["Left out the last row, which is the total of the others"] = 1
        else:
            kept = (
                "The last row is labelled as a total but is not the sum of the others; it was kept"
            )
            told[kept] = 1
    told[f"Rows labelled as totals among the others were kept ({totals})"] = totals
    repairs = [Repair(text=words) for words, count in told.items() if count]
    return TextRows(above(cut), repairs, comments + notes)


def _notes(rows: list[tuple[str | None, ...]]) -> tuple[int, int]:
    """How many of the last rows are to be left out for notes among them, and how many notes."""
    filled = [_filled(row) for row in rows]
    cut = notes = 0
    if sum(len(cells) > 1 for cells in filled) > 1:
        others = [row[0] or "" for row, cells in zip(rows, filled, strict=True) if len(cells) > 1]
        digits = all(_DIGIT_FIRST.match(other.strip()) for other in others)
        for place in range(len(rows) - 1, 0, -1):
            cells = filled[place]
            if cells:
                text = (rows[place][0] or "").strip()
                apart = not filled[place - 1]
                odd = digits and not _DIGIT_FIRST.match(text)
                note = _NOTE.match(text) or apart or odd or len(text) > _LONG_NOTE
                if cells != [0] or not note:
                    break
                notes += 1
            cut += 1
    return (cut, notes) if notes else (0, 0)


def _filled(row: tuple[str | None, ...]) -> list[int]:
    return [place for place, cell in enumerate(row) if cell and cell.strip()]


def _total_row(rows: list[tuple[str | None, ...]]) -> int:
    """The place of a last row that is labelled as a total; 0 if there is none."""
    last = next((place for place in range(len(rows) - 1, -1, -1) if _filled(rows[place])), 0)
    cells = _filled(rows[last]) if last else []
    labelled = len(cells) > 1 and re.match(TOTAL, (rows[last][cells[0]] or "").strip())
    return last if labelled else 0


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
