"""What has no pandas form of its own: an action run by the library on pandas frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import narwhals as nw

from wideleaf.tools.steps.step import read_call
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call

if TYPE_CHECKING:
    import pandas as pd


def run_action(
    name: str, arguments: Mapping[str, Any], frames: Sequence[pd.DataFrame]
) -> pd.DataFrame:
    """Run one action on pandas frames.

    Args:
        name: The action's name.
        arguments: Its arguments, as plain data.
        frames: Its inputs, in its order.

    Returns:
        What it makes, in pandas' types that have nulls.

    Raises:
        ActionError: If there is no such action or it does not fit the frames.
    """
    import polars as pl
    import pyarrow as pa  # type: ignore[import-untyped]  # it ships no types

    from wideleaf.tools.exports.scripts.along.frames import _frame

    tables = []
    for frame in frames:
        table = pl.from_arrow(pa.Table.from_pandas(frame, preserve_index=False))
        assert isinstance(table, pl.DataFrame)
        tables.append(Table(nw.from_native(table.lazy())))
    action = read_call(Call(name=name, arguments=dict(arguments))).resolve(*tables)
    rows = action.run(*tables).frame.collect("pyarrow")
    made_frame: pd.DataFrame = _frame(nw.to_native(rows))
    return made_frame
