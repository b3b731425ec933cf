"""Functions on shapes, windows and periods that a pandas script takes along."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import pandas as pd

from wideleaf.tools.exports.pandas.along.cells import _typed
from wideleaf.tools.exports.pandas.along.dates import _period, _period_start
from wideleaf.tools.exports.pandas.along.frames import _in_order, _key, _sort


def _nearest(
    left: Any, right: Any, on: list[Any], at: tuple[Any, Any], direction: str,
    tolerance: float | None, names: dict[str, str],
) -> Any:  # fmt: skip
    """All left rows, each with the right row of equal keys whose other key is nearest.

    Of two equally far the earlier is taken, of several with the same keys the first by its cells.
    """
    sides = []
    for place, cells in enumerate(at):
        keys = pd.DataFrame(
            {n: one[place].to_numpy() for n, one in enumerate(on)}, index=range(len(cells))
        )
        known = cells.notna().to_numpy() & ~keys.isna().any(axis=1).to_numpy(dtype=bool)
        if cells.dtype.kind == "M":
            number = pd.Series(cells.fillna(pd.Timestamp(0)).to_numpy().astype("int64"))
        else:
            number = pd.Series(cells.fillna(0).to_numpy(dtype=f"{cells.dtype}".lower()))
        sides.append((keys, known, number))
    both = pd.concat([keys for keys, _, _ in sides], ignore_index=True)
    group = _key(both, list(both.columns)).to_numpy()
    ours = pd.DataFrame({"at": sides[0][2], "group": group[: len(left)], "left": range(len(left))})
    theirs = pd.DataFrame({"at": sides[1][2], "group": group[len(left) :]})
    cells = right.drop(columns=[n for n in right.columns if right[n].dtype == object])
    ranked = _nulls_first(cells.assign(**{"": range(len(right))}))[""].to_numpy(dtype="int64")
    theirs = theirs.assign(right=range(len(right)))[sides[1][1]]
    theirs = theirs.loc[[place for place in ranked if sides[1][1][place]]]
    theirs = theirs.drop_duplicates(["at", "group"])
    way: Any = {"before": "backward", "after": "forward"}.get(direction, direction)
    far: Any = None if tolerance is None else (
        float(tolerance) if theirs["at"].dtype.kind == "f" else int(tolerance)
    )  # fmt: skip
    found = pd.merge_asof(
        ours[sides[0][1]].sort_values("at", kind="stable"),
        theirs.sort_values("at", kind="stable"),
        on="at", by="group", direction=way, tolerance=far,
    )  # fmt: skip
    places: Any = (
        found.set_index("left")["right"].reindex(range(len(left))).fillna(-1).astype("int64")
    )
    beside = right[list(names)].reindex(places.to_numpy()).set_axis(list(names.values()), axis=1)
    return pd.concat([left, beside.reset_index(drop=True)], axis=1)


def _nulls_first(frame: Any) -> Any:
    """Rows sorted by all columns, nulls first."""
    names = list(frame.columns)
    return _sort(frame, names, [False] * len(names), smallest=True)


def _rows_of_both(left: Any, right: Any, minus: bool, distinct: bool) -> Any:
    """Left rows that are on the right, too, or that are not; nulls are equal to each other."""
    both = pd.concat([left, right], ignore_index=True)
    key = _key(both, list(both.columns))
    ours, theirs = key[: len(left)], key[len(left) :]
    times = ours.map(theirs.value_counts()).fillna(0)
    number = ours.groupby(ours).cumcount() + 1
    if distinct:
        kept = (number == 1) & ((times == 0) if minus else (times > 0))
    else:
        kept = (number > times) if minus else (number <= times)
    return _in_order(left[kept.to_numpy()].reset_index(drop=True))


def _spread(
    cells: Any, columns: str, index: list[str], zero: bool, numbered: str | None, day: bool
) -> Any:
    """The values of a column as columns; its cells are those of the frame's last column."""
    row, made = _key(cells, index), cells.loc[~_key(cells, index).duplicated(), index]
    made = made.set_axis(row[~row.duplicated()].to_numpy()) if index else pd.DataFrame(index=[0])
    codes, found = pd.factorize(cells[columns], sort=True)
    places = [*range(len(found)), *([-1] if -1 in codes else [])]
    labels = ["null" if place < 0 else _label(found[place], day) for place in places]
    if numbered is not None:
        labels = [f"{numbered}_{number}" for number in range(1, len(places) + 1)]
    for place, header in zip(places, _unlike(labels, index), strict=True):
        here = codes == place
        cell = cells.iloc[:, -1][here].set_axis(row[here].to_numpy()).reindex(made.index)
        made = made.assign(**{header: cell.fillna(0) if zero else cell})
    return _sort(made.reset_index(drop=True), index, [False] * len(index)) if index else made


def _label(value: Any, day: bool) -> str:
    """A value as a header; a blank one is called so."""
    if isinstance(value, (bool, np.bool_)):
        return str(value).lower()
    if isinstance(value, pd.Timestamp):
        return str(value.date()) if day else str(value.to_pydatetime())
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < 2**53 else str(number)
    return str(value).replace("\0", "\ufffd") if str(value).strip() else "blank"


def _unlike(names: list[str], taken: list[str]) -> list[str]:
    """The names, with a number behind those that are there in whatever case."""
    seen, made = {name.casefold() for name in taken}, []
    for name in names:
        new, number = name, 2
        while new.casefold() in seen:
            new, number = f"{name}_{number}", number + 1
        seen.add(new.casefold())
        made.append(new)
    return made


def _stack(
    frame: Any, columns: dict[str, Any], keep: list[str], name: str, value: str, dtype: str
) -> Any:
    """Columns as rows of what each stands for and its cell."""
    parts = []
    for column, parameter in columns.items():
        part = frame[keep].copy()
        part[name] = [date.fromisoformat(parameter) if dtype == "date" else parameter] * len(part)
        part[value] = frame[column]
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def _one_hot(frame: Any, levels: dict[str, str]) -> Any:
    """The level of the one indicator that is set; null where none or several are."""
    there = {level: (frame[name] == 1).fillna(False).astype(bool) for name, level in levels.items()}
    count = sum(one.astype("int64") for one in there.values())
    made = pd.Series(pd.NA, frame.index, dtype="string[python]")
    for level, here in there.items():
        made = made.mask(here & (count == 1), level)
    return made


def _placed(frame: Any, by: list[str], order: list[str], down: list[bool], others: list[str]) -> Any:  # noqa: E501  # fmt: skip
    """Rows in order, nulls last, under their old index; equal ones by the other columns."""
    known = frame[[*dict.fromkeys([*by, *order, *others])]].assign(**{"\0row": frame.index})
    keys: list[str] = []
    low: list[bool] = []
    for place, (name, falls) in enumerate(zip(order, down, strict=True)):
        known[f"\0null {place}"] = known[name].isna()
        keys, low = [*keys, f"\0null {place}", name], [*low, False, falls]
    low += [False for _ in others]
    # Only the order's own nulls come last; those of the other columns come first.
    made = _sort(known, [*keys, *others, "\0row"], [*low, False], smallest=True)
    return made.set_index("\0row")


def _rank(rows: Any, part: Any, order: list[str], dense: bool = False) -> Any:
    """Ranks from 1, ties sharing the lowest; a null in the first key has none."""
    tie = _key(rows.assign(**{"\0part": part}), ["\0part", *order])
    place = part.groupby(part).cumcount() + 1
    rank = place.groupby(tie).transform("min")
    if dense:
        rank = (rank == place).astype("int64").groupby(part).cumsum()
    return rank.astype("Int64").where(rows[order[0]].notna())


def _percent_rank(rows: Any, part: Any, order: list[str]) -> Any:
    """The part of the other rows that a row is behind; of a single row 0."""
    others = rows[order[0]].notna().astype("int64").groupby(part).transform("sum") - 1
    rank = _rank(rows, part, order)
    return ((rank - 1) / others.mask(others < 1, 1)).mask(rank.notna() & (others < 1), 0.0)


def _so_far(cells: Any, part: Any, what: str) -> Any:
    """Sum, mean, min, max or count of the cells so far; a null passes on what was."""
    known = cells.notna().astype("int64").groupby(part).cumsum()
    if what == "count":
        return known
    if what in ("min", "max"):
        codes, found = pd.factorize(cells, sort=True)
        number = pd.Series(codes, cells.index, dtype="float64").where(cells.notna())
        best = number.groupby(part).agg(f"cum{what}").groupby(part).ffill()
        made = pd.Series(found, dtype=cells.dtype).reindex(best.fillna(-1).astype("int64"))
        return made.set_axis(cells.index)
    total = cells.fillna(0).groupby(part).cumsum().where(known > 0)
    return total / known if what == "mean" else total


def _rolling(cells: Any, part: Any, n: int, what: str) -> Any:
    """An aggregate of the last n cells; null unless all of them are there."""
    if what in ("min", "max"):
        codes, found = pd.factorize(cells, sort=True)
        number = pd.Series(codes, cells.index, dtype="float64").where(cells.notna())
    else:
        number = _typed(cells, "Float64").astype("float64")
    made = number.groupby(part).rolling(n, min_periods=n).agg(what).reset_index(level=0, drop=True)
    made = made.reindex(cells.index)
    if what not in ("min", "max"):
        return made
    best = pd.Series(found, dtype=cells.dtype).reindex(made.fillna(-1).astype("int64"))
    return best.set_axis(cells.index)


def _filled(
    made: Any, time: str, by: list[str], unit: str, steps: int, fill: str, zero: list[str]
) -> Any:
    """A row for each period from the first to the last of its group."""
    made = _sort(made, [*by, time], [False] * (len(by) + 1))
    number, key = _period(made[time], unit, steps), _key(made, by)
    times = (number.groupby(key).shift(-1) - number).fillna(1).to_numpy(dtype="int64")
    place = np.repeat(np.arange(len(made)), times)
    after = pd.Series(place).groupby(place).cumcount()
    frame = made.iloc[place].reset_index(drop=True)
    frame[time] = _period_start(number.iloc[place].reset_index(drop=True) + after, unit, steps)
    for name in frame.columns:
        if fill != "previous" and name not in (time, *by):
            frame[name] = frame[name].where(after == 0, 0 if name in zero else pd.NA)
    return frame
