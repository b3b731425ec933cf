"""Indicators: whether columns of 0 and 1 are the levels of one category, looked at all at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import narwhals as nw

from wideleaf.tools.table import Table

AT_ONCE = 32
"""So many columns stand side by side in one expression; deeper plans are slow to make."""


class Indicators(NamedTuple):
    """What columns hold that may be the levels of one category.

    Attributes:
        plain: Whether they hold nothing but 0, 1, yes, no and missing cells.
        several: Rows that have more than one of them set.
        none: Rows that have none of them set.
    """

    plain: bool
    several: int = 0
    none: int = 0

    @property
    def category(self) -> bool:
        """Whether each row has one level at most and some row has one."""
        return self.plain and self.several == 0


def read_indicators(table: Table, columns: Sequence[str]) -> Indicators:
    """Look at columns of a table in one query, after a look at the first of them.

    Args:
        table: The table.
        columns: Columns of it.
    """
    if any(table.kind(column) not in ("number", "boolean") for column in columns):
        return Indicators(plain=False)
    if len(columns) > 1 and not _read(table, columns[:1]).plain:
        return Indicators(plain=False)
    return _read(table, columns)


def _read(table: Table, columns: Sequence[str]) -> Indicators:
    cells = [
        nw.col(name).cast(nw.Int64) if table.kind(name) == "boolean" else nw.col(name)
        for name in columns
    ]
    chunks = [cells[start : start + AT_ONCE] for start in range(0, len(cells), AT_ONCE)]
    odd = [
        nw.any_horizontal(*((cell != 0) & (cell != 1) for cell in chunk), ignore_nulls=True)
        for chunk in chunks
    ]
    set_ = [
        nw.sum_horizontal(*((cell == 1).fill_null(False).cast(nw.Int64) for cell in chunk))
        for chunk in chunks
    ]
    count = nw.sum_horizontal(*set_)
    tests = [
        one.fill_null(False).cast(nw.Int64).max().alias(f"odd{i}") for i, one in enumerate(odd)
    ]
    found = table.frame.select(
        *tests,
        (count > 1).cast(nw.Int64).sum().alias("several"),
        (count == 0).cast(nw.Int64).sum().alias("none"),
    )
    *others, several, none = found.collect().row(0)
    return Indicators(not any(others), int(several or 0), int(none or 0))
