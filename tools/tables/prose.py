"""Prose: which columns of a table hold texts that are worth being read."""

from __future__ import annotations

from wideleaf.tools.tables.table import Table, is_far

ROWS, COLUMNS = 200, 100
"""So much of a table is looked at."""
WORDS = 4.0
"""Words of a text, on average, and so many different ones of ten, from which on it is prose."""
DIFFERENT = 0.3


def find_prose(table: Table) -> list[str]:
    """The columns of texts of several words that are mostly unlike each other, by the first rows.

    Of a table whose cells come over a network every column of texts is taken for one.

    Args:
        table: The table.
    """
    import polars as pl

    names = [name for name in table.columns if table.kind(name) == "text"][:COLUMNS]
    if not names or is_far(table.frame) or table.remote:
        return names
    rows: pl.DataFrame = table.frame.select(*names).head(ROWS).collect("polars").to_native()
    prose = []
    for name in names:
        texts = rows[name].cast(pl.String).drop_nulls()
        words = texts.str.count_matches(r"\S+").mean()
        if len(texts) and float(str(words or 0)) >= WORDS:
            prose += [name] * (texts.n_unique() >= DIFFERENT * len(texts))
    return prose
