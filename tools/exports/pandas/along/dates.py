"""Functions on dates and along rows that a pandas script takes along."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from wideleaf.tools.exports.pandas.along.cells import _typed


def _truncate(moment: Any, unit: str) -> Any:
    """The start of the year, quarter, month, week (Monday), day, hour or minute."""
    return _period_start(_period(moment, unit, 1), unit, 1)


def _period(moment: Any, unit: str, steps: int) -> Any:
    """The number of the period that a moment falls in; null where it is null.

    Weeks start on Monday; several years and months are counted from the year 0, other units from
    1970.
    """
    cut = {"year": "Y", "quarter": "M", "month": "M", "week": "D", "day": "D", "hour": "h",
           "minute": "m", "second": "s"}[unit]  # fmt: skip
    cells = moment.to_numpy().astype("datetime64[us]")
    number = cells.astype(f"datetime64[{cut}]").astype("int64") + _origin(unit)
    size = steps * {"quarter": 3, "week": 7}.get(unit, 1)
    made = pd.Series(number // size, moment.index).astype("Int64")
    return made.mask(pd.Series(np.isnat(cells), moment.index))


def _origin(unit: str) -> int:
    """How far before 1970 the first period of a unit is."""
    return {"year": 1970, "quarter": 23_640, "month": 23_640, "week": -4}.get(unit, 0)


def _period_start(number: Any, unit: str, steps: int) -> Any:
    """The first moment of a period of this number."""
    cut = {"year": "Y", "quarter": "M", "month": "M", "week": "D", "day": "D", "hour": "h",
           "minute": "m", "second": "s"}[unit]  # fmt: skip
    size = steps * {"quarter": 3, "week": 7}.get(unit, 1)
    first = number.fillna(0).to_numpy(dtype="int64") * size - _origin(unit)
    made = pd.Series(first.astype(f"datetime64[{cut}]").astype("datetime64[us]"), number.index)
    return made.mask(number.isna())


def _add_days(moment: Any, count: Any) -> Any:
    """So many whole days later; a part of a day is left out."""
    near = _typed(np.floor(count.astype("Float64")), "Float64")
    return _add_micros(moment, near, 86_400_000_000)


def _add_micros(moment: Any, count: Any, size: int) -> Any:
    """So many times so many microseconds later; null where the year is none of a date."""
    near = count.astype("Float64") * size
    near = near.where((near.abs() <= 3_700_000 * 86_400_000_000).fillna(False))
    known = ~(near.isna() | moment.isna())
    whole = np.floor(near.fillna(0).to_numpy(dtype="float64") + 0.5).astype("int64")
    cells = moment.where(known).to_numpy().astype("datetime64[us]") + whole
    first, end = np.datetime64("0001-01-01", "us"), np.datetime64("10000-01-01", "us")
    made = pd.Series(np.where((cells >= first) & (cells < end), cells, np.datetime64("NaT", "us")))
    return made.set_axis(moment.index)


def _add_months(moment: Any, count: Any) -> Any:
    """So many whole months later; a day that the month lacks becomes its last."""
    known = ~(count.isna() | moment.isna())
    cells = moment.where(known).to_numpy().astype("datetime64[us]")
    month = cells.astype("datetime64[M]")
    more = np.floor(count.where(known).fillna(0).to_numpy(dtype="float64")).astype("int64")
    target = month + more
    days = (cells.astype("datetime64[D]") - month.astype("datetime64[D]")).astype("int64")
    last = ((target + 1).astype("datetime64[D]") - target.astype("datetime64[D]")).astype("int64")
    day = target.astype("datetime64[D]") + np.minimum(days, last - 1)
    clock = cells - cells.astype("datetime64[D]").astype("datetime64[us]")
    made = day.astype("datetime64[us]") + clock
    first, end = np.datetime64("0001-01-01", "us"), np.datetime64("10000-01-01", "us")
    made = np.where((made >= first) & (made < end), made, np.datetime64("NaT", "us"))
    return pd.Series(made, moment.index)


def _days_between(start: Any, end: Any) -> Any:
    """Days from start to end; half a day is 0.5."""
    return _typed((end - start) / pd.Timedelta(days=1), "Float64")


def _months_between(start: Any, end: Any) -> Any:
    """Whole months from start to end, negative if end comes first."""
    forward = _whole_months(start, end)
    return forward.mask(forward < 0, -_whole_months(end, start))


def _whole_months(start: Any, end: Any) -> Any:
    """Months from start to end, without the last if it is not full."""
    months = (end.dt.year - start.dt.year) * 12 + end.dt.month - start.dt.month
    into = [one - _truncate(one, "month") for one in (start, end)]
    return _typed(months - (into[1] < into[0]).astype("int64"), "Int64")


def _row_sum(frame: Any) -> Any:
    """Sum along each row, nulls left out; null if all are."""
    return frame.sum(axis=1, min_count=1)


def _row_extreme(frame: Any, highest: bool) -> Any:
    """The largest or smallest cell along each row, nulls left out."""
    if frame.dtypes.nunique() > 1:  # whole numbers beside others
        frame = frame.astype("Float64")
    best = frame.iloc[:, 0]
    for name in frame.columns[1:]:
        cell = frame[name]
        nearer = (cell > best) if highest else (cell < best)
        best = cell.where(best.isna() | nearer.fillna(False).astype(bool), best)
    return best


def _row_which(frame: Any, highest: bool) -> Any:
    """The name of the first column that holds the best cell of its row."""
    best = _row_extreme(frame, highest)
    made = pd.Series(pd.NA, frame.index, dtype="string[python]")
    for name in reversed(list(frame.columns)):
        here = (frame[name] == best).fillna(False).astype(bool) & frame[name].notna()
        made = made.mask(here, name)
    return made


def _coalesce(*columns: Any) -> Any:
    """The first cell of each row that is not null."""
    if len({str(one.dtype) for one in columns}) > 1:  # whole numbers beside others
        columns = tuple(one.astype("Float64") for one in columns)
    made = columns[0]
    for one in columns[1:]:
        made = made.where(made.notna(), one)
    return made


def _cases(frame: Any, cases: list[Any], other: Any, dtype: str) -> Any:
    """What stands with the first condition that is true, else the other, or null."""
    made = other if isinstance(other, pd.Series) else pd.Series([other] * len(frame), frame.index)
    made = _typed(made.fillna(pd.NA) if other is None else made, dtype)
    for test, value in reversed(cases):
        here = test.fillna(False).astype(bool)
        chosen = value if isinstance(value, pd.Series) else pd.Series([value] * len(frame))
        made = made.mask(here, _typed(chosen, dtype).set_axis(frame.index))
    return made
