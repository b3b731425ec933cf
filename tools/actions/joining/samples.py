"""Samples of two tables that still join: some rows of one, and what the other has of their keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import narwhals as nw

from wideleaf.tools.actions.joining.keys import JoinKey, add_keys, fresh_names
from wideleaf.tools.tables.profiling.sampled import first_of, first_rows, is_large, sample_rows
from wideleaf.tools.tables.table import Table, is_polars

MAX_KEYS = 2_000
"""So many keys stand in one query."""


def sample_here(table: Table, *columns: str) -> Table:
    """A table, of some of its columns or all, in memory: some rows of a large one, all of others.

    Of a large one in a lake it is a query over its first rows.
    """
    names = columns or table.columns
    if table.remote and is_large(table):  # each look fetches the columns that it needs
        return replace(table, frame=first_of(table, names))
    if is_large(table):
        rows: Any = sample_rows(table, names)
    elif is_polars(table.frame):
        return table
    else:
        rows = nw.to_native(table.frame.select(*names).collect("polars"))
    return Table(nw.from_native(rows.lazy()), table.about, table.relations, table.measures)


def sample_partners(keys: Sequence[JoinKey], some: Table, large: Table) -> tuple[Table, Table]:
    """Rows of a sample with some of its keys, and the rows of a large table that have these keys.

    Args:
        keys: The pairs of columns, of the sample on the left.
        some: Rows in memory.
        large: A table wherever it stands; it is asked once.
    """
    names = fresh_names("key", len(keys), some, large)
    ours, theirs = (add_keys(side, keys, names, some, large) for side in (0, 1))
    key = nw.col(names[0])
    values = ours.select(key).drop_nulls().collect()[names[0]].unique(maintain_order=True)
    cells = values.gather_every(-(-len(values) // MAX_KEYS) or 1).to_list()
    sample = ours.filter(key.is_in(cells) | key.is_null()).select(*some.columns)
    rows = first_rows(Table(theirs.filter(key.is_in(cells))), large.columns)
    return Table(sample), Table(nw.from_native(rows.lazy()))
