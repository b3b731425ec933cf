"""Rows in time as pandas code: runs of them, trends and growth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wideleaf.tools.actions.sequences.runs import Runs
from wideleaf.tools.actions.sequences.trend import Trend
from wideleaf.tools.actions.windowing.order import TIE_BREAKERS, orders_alike
from wideleaf.tools.exports.pandas.conditions import condition_code
from wideleaf.tools.exports.pandas.rules import write_pandas
from wideleaf.tools.exports.pandas.words import NotInPandas, as_code, types_of

if TYPE_CHECKING:
    from wideleaf.tools.exports.pandas.words import Lines, StepPlace

_HOLDS = "holds"


@write_pandas.register(Runs)
def runs_code(action: Runs, at: StepPlace) -> Lines:
    """The lines of runs: the rows that have a place in the order, in it, and their runs."""
    table, frame, by = at.tables[0], at.frames[0], list(action.by or ())
    order = {key.column: key.descending for key in action.order}
    value = str(action.column)
    lines = [f"rows = {frame}"]
    if action.where is not None:
        value = next(n for n in (_HOLDS, *(f"{_HOLDS}_{i}" for i in range(2, 999)))
                     if n not in table.columns)  # fmt: skip
        held = f"({condition_code(action.where, table, frame)}).fillna(False).astype('int64')"
        lines = [f"rows = {frame}.assign(**{{{value!r}: {held}}})"]
    taken = {*by, *order, value}
    others = [n for n in table.columns if n not in taken and orders_alike(table, n)]
    beside = [*([] if value in {*by, *order} else [value]), *others[:TIE_BREAKERS]]
    return [
        *lines,
        f"rows = rows[rows[{as_code(list(order))}].notna().all(axis=1)]",
        f"rows = _placed(rows, {as_code(by)}, {as_code(list(order))}, "
        f"{as_code(list(order.values()))}, {as_code(beside)})",
        f"{at.name} = _runs(rows, {value!r}, {as_code(by)}, {as_code(order)}, "
        f"{action.where is not None}, {action.step!r}, {action.limit!r}, "
        f"{as_code(types_of(at.made))})",
    ]


@write_pandas.register(Trend)
def trend_code(action: Trend, at: StepPlace) -> Lines:
    """The line of a trend or of growth.

    Raises:
        NotInPandas: Of a season, which the library decomposes.
    """
    if action.result == "seasonality":
        raise NotInPandas("Trend's seasonality")
    named = f"{at.frames[0]}, {action.time!r}, {action.column!r}, {as_code(list(action.by or ()))}"
    types = as_code(types_of(at.made))
    if action.result == "growth":
        return [f"_growth({named}, {types})"]
    day = at.tables[0].kind(action.time) == "date"
    return [f"_trend({named}, {day}, {types})"]
