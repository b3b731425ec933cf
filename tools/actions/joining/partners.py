"""Partners: how many rows have one, and whether a join would make too many of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals as nw

from wideleaf.tools.actions.joining.keys import JoinKey, add_keys, fresh_names
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

MOST_ROWS = 200_000_000


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


def refuse_too_large(keys: Sequence[JoinKey], left: Table, right: Table) -> None:
    """Count the result before it is made, unless it cannot be large.

    Raises:
        ActionError: If it has more than `MOST_ROWS`.
    """
    rows = left.count(), right.count()
    if rows[0] * rows[1] <= MOST_ROWS:
        return
    names = fresh_names("key", len(keys), left, right)

    def counted(side: int) -> nw.LazyFrame[Any]:
        frame = add_keys(side, keys, names, left, right).select(*names).drop_nulls()
        return frame.group_by(*names).agg(nw.len().cast(nw.Int64).alias(f"rows_{side}"))

    # A key of the smaller side rarely repeats; then the larger side needs no look.
    small = int(rows[1] <= rows[0])
    most = counted(small).select(nw.col(f"rows_{small}").max()).collect().item()
    if (most or 0) * rows[1 - small] <= MOST_ROWS:
        return
    pairs = counted(0).join(counted(1), on=names, how="inner")
    total = pairs.select((nw.col("rows_0") * nw.col("rows_1")).sum()).collect().item()
    if (total or 0) > MOST_ROWS:
        raise ActionError(
            f"this join would make {total} rows of {rows[0]} left and {rows[1]} right rows, more "
            f"than {MOST_ROWS}; the keys repeat on both sides: join on more keys or Group first",
            kind="too large",
        )
