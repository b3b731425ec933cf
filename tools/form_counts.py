"""Form counts: how many cells of text columns do not have a form, in a sample or in all rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from wideleaf.tools.forms import Form, is_null_word

if TYPE_CHECKING:
    import polars as pl

SAMPLE_ROWS = 200
COLUMNS_AT_ONCE = 1_000
COLUMNS_APART = 200
"""Up to so many columns are tried each by itself."""


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
