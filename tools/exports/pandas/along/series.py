"""Functions on rows in time that a pandas script takes along: runs, trends and growth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import stats  # type: ignore[import-untyped]

from wideleaf.tools.exports.pandas.along.dates import _days_between
from wideleaf.tools.exports.pandas.along.frames import _key, _retyped, _sort


def _runs(
    rows: Any, value: str, by: list[str], order: dict[str, bool], holds: bool, step: float | None,
    limit: int | None, types: dict[str, str],
) -> Any:  # fmt: skip
    """Rows in order that have one value, or a value of 1, as one row each; longest first."""
    part = _key(rows, by)
    cells = rows[value]
    same = (cells == cells.groupby(part).shift(1)).fillna(False).astype(bool)
    key = next(iter(order))
    if step is not None:
        before = rows[key].groupby(part).shift(1)
        dated = rows[key].dtype.kind == "M"
        apart = _days_between(before, rows[key]) if dated else rows[key] - before
        apart = -apart if order[key] else apart
        same &= (apart.astype("Float64") <= 1.5 * step).fillna(False).astype(bool)
    number = (~same).astype("int64").groupby(part).cumsum()
    kept = (cells == 1 if holds else cells.notna()).astype(bool)
    run = _key(pd.DataFrame({"part": part, "number": number}), ["part", "number"])[kept]
    rows = rows[kept]
    first = rows[~run.duplicated()].set_axis(run[~run.duplicated()].to_numpy())
    last = rows[~run.duplicated(keep="last")]
    last = last.set_axis(run[~run.duplicated(keep="last")].to_numpy()).reindex(first.index)
    length = run.value_counts().reindex(first.index).astype("int64")
    made = [first[name] for name in by] + ([] if holds else [first[value]])
    for name in order:
        made += [first[name], last[name]]
    made.append(length)
    if rows[key].dtype.kind == "M":
        early, late = (last[key], first[key]) if order[key] else (first[key], last[key])
        made.append(_days_between(early, late))
    frame = pd.concat(made, axis=1).set_axis(list(types), axis=1)
    if limit is not None:
        rank = length.groupby(part[kept][~run.duplicated()].to_numpy()).rank("min", ascending=False)
        frame = frame[rank <= limit]
    start = len(by) + (not holds)
    ends = list(types)[start : start + 2 * len(order)]
    down = [True, *[False for _ in by], *[falls for falls in order.values() for _ in "se"]]
    place = start + 2 * len(order)
    return _retyped(
        _sort(frame.reset_index(drop=True), [list(types)[place], *by, *ends], down), types
    )


def _points(frame: Any, time: str, column: str, by: list[str]) -> Any:
    """The mean at each moment of each group, and how many rows that is of."""
    value = pd.to_numeric(frame[column].astype("Float64")).astype("float64")
    known = pd.DataFrame({"group": _key(frame, by), "time": frame[time], "value": value})
    known = known[np.isfinite(value) & frame[time].notna()]
    made = known.groupby(["group", "time"])["value"].agg(["mean", "min", "max", "size"])
    # Of equal cells the mean is the cell, however their sum was rounded.
    made["mean"] = made["mean"].clip(made["min"], made["max"])
    return made.reset_index()


def _times(moments: Any) -> Any:
    """Moments as numbers: dates and times in days since 1970."""
    if moments.dtype.kind == "M":
        return (moments - pd.Timestamp(0)) / pd.Timedelta(days=1)
    return moments.astype("float64")


def _growth_of(before: Any, now: Any) -> Any:
    """By what share numbers grew; null where one was not above zero."""
    return (now / before.where(before > 0) - 1).astype("Float64")


def _growth(frame: Any, time: str, column: str, by: list[str], types: dict[str, str]) -> Any:
    """Each moment's value with how it grew since the one before, and since the first."""
    points = _points(frame, time, column, by)
    group, value = points["group"], points["mean"]
    before = value.groupby(group).shift(1)
    first = value.groupby(group).transform("first")
    keys = frame[by].set_axis(_key(frame, by).to_numpy())
    keys = keys[~keys.index.duplicated()].reindex(group).reset_index(drop=True)
    cells = [points["time"], value, points["size"], value - before, _growth_of(before, value),
             _growth_of(first, value)]  # fmt: skip
    made = pd.concat([keys, *cells], axis=1).set_axis(list(types), axis=1)
    return _retyped(_sort(made, [*by, time], [False] * (len(by) + 1)), types)


def _trend(
    frame: Any, time: str, column: str, by: list[str], day: bool, types: dict[str, str]
) -> Any:
    """The line through each group's points, what ranks say beside it, and how it grew."""
    points = _points(frame, time, column, by)
    unit, size = time, 1.0
    if points["time"].dtype.kind == "M":
        span = np.ptp(_times(points["time"])) if len(points) else 0.0
        unit, size = ("day", 1.0) if day or span >= 2 else ("hour", 1 / 24)
        unit, size = ("year", 365.2425) if span >= 2 * 365.2425 else (unit, size)
    key = _key(frame, by)
    firsts = frame.loc[~key.duplicated(), by].set_axis(key[~key.duplicated()].to_numpy())
    groups = list(firsts.index) if by else [0]
    rows = []
    for number in groups:
        part = points[points["group"] == number]
        rows.append([*(firsts.loc[number] if by else []), *_line(part, unit, size)])
    made = pd.DataFrame(rows, columns=list(types))
    return _retyped(_sort(made, by, [False] * len(by)) if by else made, types)


def _line(part: Any, unit: str, size: float) -> list[Any]:
    """The cells about one group's points."""
    x, y = (_times(part["time"]) / size).to_numpy(), part["mean"].to_numpy()
    if not len(y):
        return [0, 0, *[None] * 7, unit, *[None] * 10]
    first, last = y[0], y[-1]
    growth = last / first - 1 if len(y) > 1 and first > 0 else None
    both = len(y) > 1 and first > 0 and last > 0
    yearly = (last / first) ** (1 / (x[-1] - x[0])) - 1 if both else None
    told = [int(part["size"].sum()), len(y), part["time"].iloc[0], part["time"].iloc[-1], first,
            last, last - first, growth, yearly, unit]  # fmt: skip
    if len(y) < 2:
        return [*told, *[None] * 10]
    if y.min() == y.max():
        return [*told, 0.0, *[None] * 4, 0.0, *[None] * 3, "no trend" if len(y) > 2 else None]
    found = stats.linregress(x - x[0], y)
    robust = stats.theilslopes(y, x - x[0]).slope if len(y) <= 2000 else None
    if len(y) < 3:
        return [*told, found.slope, None, None, None, None, robust, *[None] * 4]
    reach = stats.t.ppf(0.975, len(y) - 2) * found.stderr
    tau = stats.kendalltau(x, y)
    r2, left = found.rvalue**2, y - found.intercept - found.slope * (x - x[0])
    watson = (np.diff(left) ** 2).sum() / (left**2).sum() if r2 <= 1 - 1e-12 else None
    way = ("rising" if found.slope > 0 else "falling") if found.pvalue < 0.05 else "no trend"
    return [*told, found.slope, found.slope - reach, found.slope + reach, found.pvalue, r2, robust,
            tau.statistic, tau.pvalue, watson, way]  # fmt: skip
