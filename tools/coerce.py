"""Coercion: the type of a text column, which is another than text only if every cell parses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from wideleaf.tools.repair import Repair

if TYPE_CHECKING:
    import polars as pl

NULL_WORDS = frozenset(
    word
    for listed in ("", "NA", "N/A", "NaN", "null", "None", "-")
    for word in (listed, listed.lower(), listed.upper(), listed.title())
)
SAMPLE_ROWS = 200
COLUMNS_AT_ONCE = 1_000
COLUMNS_APART = 200
"""Up to so many columns are tried each by itself."""

# "007" is a code, and so is a whole number of more digits than a float can hold.
_CODE = r"^[+-]?0\d"
_LONG = r"^[+-]?\d{16,}$"
_GROUPED = r"^[+-]?(?:[1-9]\d{0,2}(?:,\d{3})+|\d{1,3})(?:\.\d+)?$"
_ISO_DATE = r"^\d{4}-\d\d-\d\d"


class Form(NamedTuple):
    """What a column's text may be read as.

    Attributes:
        text: What the note says.
        parse: Reads stripped text; null where a cell does not have this form.
    """

    text: str
    parse: Callable[[pl.Expr], pl.Expr]


def _boolean(cell: pl.Expr) -> pl.Expr:
    import polars as pl

    lower = cell.str.to_lowercase()
    return pl.when(lower.is_in(["true", "false"])).then(lower == "true")


def _integer(cell: pl.Expr) -> pl.Expr:
    import polars as pl

    return pl.when(~cell.str.contains(_CODE)).then(cell.cast(pl.Int64, strict=False))


def _number(cell: pl.Expr) -> pl.Expr:
    import polars as pl

    code = cell.str.contains(_CODE) | cell.str.contains(_LONG)
    return pl.when(~code).then(cell.cast(pl.Float64, strict=False))


def _ungrouped(read: Callable[[pl.Expr], pl.Expr]) -> Callable[[pl.Expr], pl.Expr]:
    def parse(cell: pl.Expr) -> pl.Expr:
        import polars as pl

        plain = cell.str.replace_all(",", "", literal=True)
        return pl.when(cell.str.contains(_GROUPED)).then(read(plain)).otherwise(read(cell))

    return parse


def _date(cell: pl.Expr) -> pl.Expr:
    import polars as pl

    read = cell.str.to_date("%Y-%m-%d", strict=False)
    return pl.when(cell.str.contains(_ISO_DATE)).then(read)


def _datetime(cell: pl.Expr) -> pl.Expr:
    import polars as pl

    text = cell.str.replace(" ", "T", literal=True).str.strip_suffix("Z")
    forms = ("%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%dT%H:%M")
    read = [text.str.to_datetime(form, strict=False, time_unit="us") for form in forms]
    return pl.when(cell.str.contains(_ISO_DATE)).then(pl.coalesce(read))


def _code(cell: pl.Expr) -> pl.Expr:
    import polars as pl

    return pl.when(cell.cast(pl.Float64, strict=False).is_not_null()).then(cell)


FORMS: tuple[Form, ...] = (
    Form("Read as true or false", _boolean),
    Form("Read as whole numbers", _integer),
    Form("Read as numbers", _number),
    Form("Read as whole numbers, thousands separators left out", _ungrouped(_integer)),
    Form("Read as numbers, thousands separators left out", _ungrouped(_number)),
    Form("Read as dates", _date),
    Form("Read as times", _datetime),
    Form("Kept as text because of leading zeros or too many digits", _code),
)
"""The first that every cell of a column has is what the column is read as."""
ORDINARY = (_boolean, _integer, _number, _date, _datetime)


class Fit(NamedTuple):
    """How a column fits a form: the form's place in `FORMS`, its cells and its null words."""

    form: int
    cells: int
    null_words: int


def read_forms(text: pl.LazyFrame) -> tuple[pl.LazyFrame, list[Repair]]:
    """Give text columns the type that every cell of them has.

    Null words such as ``NA`` become null only in columns that are not text in the end; cells of
    text columns stay as they are.

    Args:
        text: Columns of text; scanned several times, so best a columnar file.

    Returns:
        The query with its types, and the coercions.
    """
    names = text.collect_schema().names()
    head = text.head(SAMPLE_ROWS).collect().lazy()
    sample = _first_fits(head, dict.fromkeys(names, 0))
    fits = _first_fits(text, {name: fit.form for name, fit in sample.items()})
    fits = {name: fit for name, fit in fits.items() if fit.cells}
    typed = {name: fit for name, fit in fits.items() if FORMS[fit.form].parse is not _code}
    repairs = []
    for place, form in enumerate(FORMS):
        if columns := tuple(name for name in names if name in fits and fits[name].form == place):
            ordinary = form.parse in ORDINARY
            repairs.append(Repair(text=form.text, columns=columns, ordinary=ordinary))
    if columns := tuple(name for name in names if name in typed and typed[name].null_words):
        repairs.append(Repair(text="Words such as NA or - became null", columns=columns))
    reads = [_read(name, FORMS[fit.form]).alias(name) for name, fit in typed.items()]
    return text.with_columns(reads), repairs


def _first_fits(text: pl.LazyFrame, start: Mapping[str, int]) -> dict[str, Fit]:
    """The first form from `start` on that all cells of a column have, of the columns with one."""
    found: dict[str, Fit] = {}
    failed: list[str] = []
    for place in range(len(FORMS)):
        pending = [*failed, *(name for name, first in start.items() if first == place)]
        failed = []
        for first in range(0, len(pending), COLUMNS_AT_ONCE):
            for name, misfits, fit in _try(text, pending[first : first + COLUMNS_AT_ONCE], place):
                if misfits:
                    failed.append(name)
                else:
                    found[name] = fit
    return found


def _try(text: pl.LazyFrame, names: list[str], place: int) -> Iterator[tuple[str, int, Fit]]:
    """Try a form on columns; counts the cells that do not have it.

    Many columns are stacked into one, since their expressions would cost more than their cells.
    """
    import polars as pl

    cell, present = pl.col("value").str.strip_chars(), pl.col("value").is_not_null()
    valid = present & ~_is_null_word(cell)
    counts = (
        (valid & FORMS[place].parse(cell).is_null()).sum().alias("misfits"),
        valid.sum().alias("cells"),
        present.sum().alias("present"),
    )
    if len(names) > COLUMNS_APART:
        queries = [text.select(names).unpivot().group_by("variable").agg(counts)]
    else:
        queries = [
            text.select(value=name).select(pl.lit(name).alias("variable"), *counts)
            for name in names
        ]
    for answer in pl.collect_all(queries, engine="streaming"):
        for name, misfits, cells, there in answer.iter_rows():
            yield name, misfits, Fit(place, cells, there - cells)


def _read(name: str, form: Form) -> pl.Expr:
    import polars as pl

    cell = _cell(name)
    return pl.when(~_is_null_word(cell)).then(form.parse(cell))


def _cell(name: str) -> pl.Expr:
    import polars as pl

    return pl.col(name).str.strip_chars()


def _is_null_word(cell: pl.Expr) -> pl.Expr:
    return cell.is_in(list(NULL_WORDS))
