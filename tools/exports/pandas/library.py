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
    name: str,
    arguments: Mapping[str, Any],
    frames: Sequence[pd.DataFrame],
    days: Sequence[Sequence[str]] = (),
) -> pd.DataFrame:
    """Run one action on pandas frames.

    Args:
        name: The action's name.
        arguments: Its arguments, as plain data.
        frames: Its inputs, in its order.
        days: For each input the columns of times that are whole days.

    Returns:
        What it makes, in pandas' own types.

    Raises:
        ActionError: If there is no such action or it does not fit the frames.
    """
    import polars as pl
    import pyarrow as pa  # type: ignore[import-untyped]  # it ships no types

    tables = []
    for place, frame in enumerate(frames):
        made = pl.from_arrow(pa.Table.from_pandas(frame, preserve_index=False))
        assert isinstance(made, pl.DataFrame)
        dated = list(days[place]) if place < len(days) else []
        made = made.with_columns(pl.col(pl.Float32, pl.Float64).fill_nan(None))
        made = made.with_columns(pl.col(dated).cast(pl.Date)) if dated else made
        texts = pl.col(pl.Categorical, pl.Enum).cast(pl.String)
        tables.append(Table(nw.from_native(made.with_columns(texts).lazy())))
    action = read_call(Call(name=name, arguments=dict(arguments))).resolve(*tables)
    return action.run(*tables).to_pandas()
