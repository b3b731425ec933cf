"""Partners: how many rows have one, and whether a join would make too many of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals as nw

from wideleaf.tools.actions.joining.keys import JoinKey, add_keys, fresh_names
from wideleaf.tools.errors import ActionError
from wideleaf.tools.latest import Latest
from wideleaf.tools.tables.table import Table

MAX_ROWS = 200_000_000
_looked: Latest[tuple[int, Table, Table]] = Latest(4)
"""Of the last joins: it is asked before one is made, and when it is told of."""


def count_partners(
    keys: Sequence[JoinKey], left: Table, right: Table, *, fold: bool = False
) -> int:
    """How many left rows have a partner.

    Args:
        keys: Pairs of columns.
        left: The table whose rows are counted.
        right: The table of their partners.
        fold: Whether texts are compared without regard to case and blanks.
    """
    names = fresh_names("key", len(keys), left, right)
    ours, theirs = (
        add_keys(side, keys, names, left, right, fold=fold).select(*names) for side in (0, 1)
    )
    return Table(ours.join(theirs, on=names, how="semi")).count()


def meets_once(keys: Sequence[JoinKey], left: Table, right: Table) -> bool:
    """Whether no row of a long left table meets two of a shorter right one, as far as was looked.

    Of tables that `refuse_too_large` need not look at, nobody looks.
    """
    rows = left.count(), right.count()
    if rows[0] * rows[1] <= MAX_ROWS or rows[1] > rows[0]:
        return False
    return _most_of_a_key(keys, left, right, 1) <= 1


def refuse_too_large(keys: Sequence[JoinKey], left: Table, right: Table) -> None:
    """Count the result before it is made, unless it cannot be large.

    Raises:
        ActionError: If it has more than `MAX_ROWS`.
    """
    rows = left.count(), right.count()
    if rows[0] * rows[1] <= MAX_ROWS:
        return
    # A key of the smaller side rarely repeats; then the larger side needs no look.
    small = int(rows[1] <= rows[0])
    if _most_of_a_key(keys, left, right, small) * rows[1 - small] <= MAX_ROWS:
        return
    names = fresh_names("key", len(keys), left, right)
    one, other = (_counted(keys, names, left, right, side) for side in (0, 1))
    pairs = one.join(other, on=names, how="inner")
    total = pairs.select((nw.col("rows_0") * nw.col("rows_1")).sum()).collect().item()
    if (total or 0) > MAX_ROWS:
        raise ActionError(
            f"this join would make {total} rows of {rows[0]} left and {rows[1]} right rows, more "
            f"than {MAX_ROWS}; the keys repeat on both sides: join on more keys or Group first",
            kind="too large",
        )


def _most_of_a_key(keys: Sequence[JoinKey], left: Table, right: Table, side: int) -> int:
    """How many rows of a side have the key that most of them share; 0 if none has a key."""
    key = (tuple(keys), id(left), id(right), side)
    entry = _looked.get(key)
    if entry is None:
        names = fresh_names("key", len(keys), left, right)
        most = _counted(keys, names, left, right, side).select(nw.col(f"rows_{side}").max())
        # The tables are kept beside it, so that no others get their ids.
        entry = _looked.keep(key, (int(most.collect().item() or 0), left, right))
    return entry[0]


def _counted(
    keys: Sequence[JoinKey], names: Sequence[str], left: Table, right: Table, side: int
) -> nw.LazyFrame[Any]:
    frame = add_keys(side, keys, names, left, right).select(*names).drop_nulls()
    return frame.group_by(*names).agg(nw.len().cast(nw.Int64).alias(f"rows_{side}"))
