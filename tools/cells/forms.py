"""Forms: what a column's text may be read as, and how many of its cells have none of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    import polars as pl

_WORDS = ("", "NA", "N/A", "NaN", "null", "None", "nil", "missing", "n.a.", "k.A.", "#N/A", "#NA")
_MARKS = ("-", "--", "---", "–", "—", "?", ".", "..", "...", ":", "\\N", "<NA>", "(null)")
_ERRORS = ("#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?")
NULL_WORDS = frozenset(
    word
    for listed in (*_WORDS, *_MARKS, *_ERRORS)
    for word in (listed, listed.lower(), listed.upper(), listed.title())
)
"""Null in a column that is read as something else than text."""
SAMPLE_ROWS = 200
COLUMNS_AT_ONCE = 1_000
COLUMNS_APART = 200
"""Up to so many columns are tried each by itself."""


class Form(NamedTuple):
    """What a column's text may be read as.

    Attributes:
        text: What the note says.
        parse: Reads stripped text; null where a cell does not have this form.
        kind: What the cells are then; `text` if a column of this form stays as it is.
        ordinary: Whether anybody would read it so.
    """

    text: str
    parse: Callable[[pl.Expr], pl.Expr]
    kind: Literal["boolean", "number", "date", "text"]
    ordinary: bool = False


def true_or_false(cell: pl.Expr) -> pl.Expr:
    """Read ``true`` or ``yes``, ``false`` or ``no``; one letter may stand for anything."""
    import polars as pl

    lower = cell.str.to_lowercase()
    truths = ["true", "yes"]
    return pl.when(lower.is_in([*truths, "false", "no"])).then(lower.is_in(truths))


def is_null_word(cell: pl.Expr) -> pl.Expr:
    """Whether stripped text stands for no value."""
    return cell.is_in(list(NULL_WORDS))


def count_misfits(
    text: pl.LazyFrame, names: Sequence[str], form: Form
) -> Iterator[tuple[str, int, int, int]]:
    """Try a form on every cell of some columns.

    Many columns are stacked into one, since their expressions would cost more than their cells.

    Returns:
        Of each column its name, the cells that do not have the form, all cells, the null words.
    """
    import polars as pl

    cell, present = pl.col("value").str.strip_chars(), pl.col("value").is_not_null()
    valid = present & ~is_null_word(cell)
    counts = (
        (valid & form.parse(cell).is_null()).sum().alias("misfits"),
        valid.sum().alias("cells"),
        (present & ~valid).sum().alias("null words"),
    )
    for first in range(0, len(names), COLUMNS_AT_ONCE):
        some = list(names[first : first + COLUMNS_AT_ONCE])
        if len(some) > COLUMNS_APART:
            queries = [text.select(some).unpivot().group_by("variable").agg(counts)]
        else:
            queries = [
                text.select(value=name).select(pl.lit(name).alias("variable"), *counts)
                for name in some
            ]
        for answer in pl.collect_all(queries, engine="streaming"):
            yield from answer.iter_rows()


def sample_cells(text: pl.LazyFrame, names: list[str]) -> pl.DataFrame:
    """Stripped cells of each column, one below another; of empty beginnings the first there are."""
    import polars as pl

    cell = pl.col("value").str.strip_chars()
    valid = pl.col("value").is_not_null() & ~is_null_word(cell)
    head = text.head(SAMPLE_ROWS).collect()
    sample = head.unpivot().lazy().filter(valid).with_columns(cell).collect()
    there = set(sample.get_column("variable").unique())
    parts = [sample]
    missing = [name for name in names if name not in there] if head.height == SAMPLE_ROWS else []
    for first in range(0, len(missing), COLUMNS_APART):
        some = missing[first : first + COLUMNS_APART]
        queries = [
            text.select(pl.lit(name).alias("variable"), value=pl.col(name))
            .filter(valid)
            .with_columns(cell)
            .head(SAMPLE_ROWS)
            for name in some
        ]
        parts += pl.collect_all(queries, engine="streaming")
    return pl.concat(parts)
