"""A sheet of a workbook: its table found, its cells typed as in the file, merged cells seen."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import polars as pl

from wideleaf.tools.cells.repairs import Repair, repair_headers
from wideleaf.tools.sources.text.layout import find_table

HEAD_ROWS = 200
TAIL_ROWS = 20
TOTALS = frozenset(
    ("total", "totals", "grand total", "sum", "overall", "summe", "gesamt", "insgesamt", "somme")
)
EXACT = 2**53
"""Below it a float holds every whole number."""

_COLUMN = re.compile(r"column (?:__UNNAMED__)?(\d+)")
_MIDNIGHT = " 00:00:00"
_FIRST_DAY = re.compile(r"(?:1899-12-3[01]|1904-01-01) (\d\d:\d\d)(?::00)?")
"""The day that a workbook gives to times of day."""


class SheetMarks(NamedTuple):
    """Cells of one sheet, each by its column; rows and columns are counted from 0.

    Attributes:
        merged: The first and last rows of cells that are merged over several rows.
        unsaved: The rows of cells with a formula and no value, as programs write them that do not
            compute.
    """

    merged: dict[int, list[tuple[int, int]]]
    unsaved: dict[int, list[int]]


def head_of(book: Any, name: str) -> Any:
    """The first rows of a sheet as text, counted from the sheet's own first row."""
    return book.load_sheet(name, header_row=None, skip_rows=0, n_rows=HEAD_ROWS, dtypes="string")


class Sheet:
    """One sheet on its way to a table; its columns count from the first that is used."""

    def __init__(self, book: Any, name: str, head: Any, marks: SheetMarks) -> None:
        self._book = book
        self._name = name
        self._head = head
        self._marks = marks
        self._layout = find_table(head.to_polars().rows())
        headers = [_header(name) for name in self._layout.names]
        self._written = [*headers, *[""] * head.width][: head.width]
        self._names, self._renamed = repair_headers(self._written)
        self._repairs = self._layout.told(self._names)

    def read(self) -> tuple[pl.DataFrame, list[Repair]]:
        """The table, without columns that have neither a header nor a cell, and the changes."""
        first = self._layout.first
        count = self._head.total_height - first - self._totals()
        if count <= 0:
            return pl.DataFrame(schema=dict.fromkeys(self._names, pl.Null)), self._repairs
        frame = self._filled(self._load(first, count), first)
        self._tell_formulas(first, count)
        columns = {
            name: _narrow_type(column).alias(name)
            for name, header, column in zip(self._names, self._written, frame, strict=True)
            if header or column.null_count() < count
        }
        renamed = [repair.without(set(self._names) - set(columns)) for repair in self._renamed]
        return pl.DataFrame(list(columns.values())), [*self._repairs, *filter(None, renamed)]

    def _totals(self) -> int:
        """How many rows at the end, blank ones among them, are totals."""
        height, first = self._head.total_height, self._layout.first
        start = max(first, height - TAIL_ROWS)
        if height <= start:
            return 0
        rows = self._sheet(start, None, dtypes="string").to_polars().rows()
        cut = totals = 0
        for place, row in enumerate(reversed(rows), start=1):
            cells = [cell for cell in row if cell and cell.strip()]
            if cells and cells[0].strip(" :").casefold() not in TOTALS:
                break
            if cells:
                cut, totals = place, totals + 1
        if totals and cut < height - first:
            self._repairs.append(Repair(text=f"Left out rows of totals at the end ({totals})"))
            return cut
        return 0

    def _sheet(self, first: int, count: int | None, **options: Any) -> Any:
        return self._book.load_sheet(
            self._name, header_row=None, skip_rows=first, n_rows=count, **options
        )

    def _load(self, first: int, count: int) -> pl.DataFrame:
        """The cells, each column with the type its cells have in the file."""
        import fastexcel

        forced: dict[int, Any] = {}
        while True:
            try:
                sheet = self._sheet(first, count, schema_sample_rows=None, dtypes=forced)
                table, errors = sheet.to_arrow_with_errors()
                break
            except (
                fastexcel.UnsupportedColumnTypeCombinationError,
                fastexcel.CalamineCellError,
            ) as error:
                match = _COLUMN.search(str(error))
                if match is None or int(match[1]) in forced:
                    raise
                # Lengths of time have no text of their own; beside other cells they win.
                forced[int(match[1])] = "duration" if "Duration" in str(error) else "string"
        frame = pl.from_arrow(table)
        assert isinstance(frame, pl.DataFrame)
        self._tell_errors(errors, frame)
        rounded = [place for place, column in enumerate(frame) if _is_rounded(column)]
        if rounded:
            exact = self._sheet(first, count, dtypes="float", use_columns=rounded).to_polars()
            for place, numbers in zip(rounded, exact, strict=True):
                frame = frame.with_columns(_exact(frame.to_series(place), numbers))
        return frame

    def _tell_errors(self, errors: Any, frame: pl.DataFrame) -> None:
        counts: dict[str, Counter[str]] = {}
        for cell in errors.errors if errors else ():
            place = cell.offset_position[1]
            text = "Cells with an error such as #N/A became null"
            if "Error(" not in cell.detail:  # the reader itself takes NA and the like for no value
                span = isinstance(frame.dtypes[place], pl.Duration)
                text = "Cells that are no length of time" if span else "Words such as NA"
                text += " became null"
            counts.setdefault(text, Counter())[self._names[place]] += 1
        for text, tally in counts.items():
            sentence = f"{text} ({tally.total()})"
            self._repairs.append(Repair(text=sentence, columns=tuple(tally)))

    def _filled(self, frame: pl.DataFrame, first: int) -> pl.DataFrame:
        """Give every row of cells that are merged downwards the value they share."""
        filled = []
        for place, spans in self._by_place(self._marks.merged):
            column = frame.to_series(place)
            source = list(range(frame.height))
            for top, bottom in spans:
                top, bottom = top - first, min(bottom - first, frame.height - 1)
                if 0 <= top < bottom and column[top] is not None:
                    source[top + 1 : bottom + 1] = [top] * (bottom - top)
                    filled.append(self._names[place])
            frame = frame.with_columns(column.gather(source))
        if filled:
            columns = tuple(dict.fromkeys(filled))
            self._repairs.append(Repair(text="Merged cells were filled down", columns=columns))
        return frame

    def _tell_formulas(self, first: int, count: int) -> None:
        """Say which cells hold a formula that was never worked out, and so are null."""
        tally: Counter[str] = Counter()
        for place, rows in self._by_place(self._marks.unsaved):
            if inside := sum(first <= row < first + count for row in rows):
                tally[self._names[place]] += inside
        if tally:
            text = (
                f"Formulas that were saved without their values are null ({tally.total()} cells); "
                "open the workbook in a spreadsheet, save it and ask again"
            )
            self._repairs.append(Repair(text=text, columns=tuple(tally)))

    def _by_place(self, marks: Mapping[int, list[Any]]) -> Iterator[tuple[int, list[Any]]]:
        """What is known by the sheet's columns, by those of the table."""
        offset = self._head.selected_columns[0].absolute_index
        for column, entries in sorted(marks.items()):
            if 0 <= column - offset < len(self._names):
                yield column - offset, entries


def _is_rounded(column: pl.Series) -> bool:
    """Whether a column of text may hold numbers that lost digits on becoming text."""
    if column.dtype != pl.String:
        return False
    return bool(column.str.contains(r"^-?\d+\.\d{9}$|^-?0$").any())


def _exact(text: pl.Series, numbers: pl.Series) -> pl.Series:
    frame = pl.DataFrame([text.alias("t"), numbers.alias("n")])
    lost = pl.col("t").cast(pl.Float64, strict=False) != pl.col("n")
    exact = pl.when(lost).then(pl.col("n").cast(pl.String)).otherwise(pl.col("t"))
    return frame.select(exact.alias(text.name)).to_series()


def _narrow_type(column: pl.Series) -> pl.Series:
    """Whole numbers, dates and times of day told apart, which a workbook does not."""
    if column.dtype == pl.Float64:
        whole = ((column == column.floor()) & (column.abs() < EXACT)).all()
        return column.cast(pl.Int64) if whole and column.null_count() < len(column) else column
    if not isinstance(column.dtype, pl.Datetime) or column.null_count() == len(column):
        return column
    days, clock = column.dt.date(), column.dt.time()
    if (clock.cast(pl.Int64) == 0).all():
        return days
    base = {str(day) for day in days.drop_nulls().unique()}
    return clock if base <= {"1899-12-30", "1899-12-31", "1904-01-01"} else column


def _header(text: str) -> str:
    """A header on one line; a date or time as such, since a workbook knows only both together."""
    if clock := _FIRST_DAY.fullmatch(text):
        return clock[1]
    return " ".join(text.removesuffix(_MIDNIGHT).split())
