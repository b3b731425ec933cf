"""Functions on frames that a pandas script takes along: order, groups, joins and shapes.

They are copied into the script by their source, so they know pandas, numpy and each other alone.
"""

from __future__ import annotations

import glob
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from wideleaf.tools.exports.pandas.along.cells import _divide, _typed


def _load(path: str, types: dict[str, str]) -> Any:
    """Some columns of a Parquet file, or of its parts by folder or pattern, in types with nulls."""
    place = Path(path)
    files = sorted(place.glob("*.parquet")) if place.is_dir() else [place]
    if not place.exists():
        files = sorted(map(Path, glob.glob(path))) or [place]
    parts = [pd.read_parquet(file, columns=list(types)) for file in files]
    frame = pd.concat(parts, ignore_index=True) if len(parts) > 1 else parts[0]
    return _retyped(frame[list(types)].reset_index(drop=True), types)


def _retyped(frame: Any, types: dict[str, str]) -> Any:
    """The frame with some columns in other types; one without a type stays as it is."""
    made = {name: _typed(frame[name], kind) for name, kind in types.items() if kind}
    return frame.assign(**made)


def _sort(frame: Any, by: list[str], down: list[bool], smallest: bool = False) -> Any:
    """Rows in order, nulls last or as the smallest; equal ones by the first other columns."""
    others = [name for name in frame.columns if frame[name].dtype != object][:8]
    cells = [(frame[name], low) for name, low in zip(by, down, strict=True)]
    cells += [(frame[name], False) for name in others if name not in by]
    keys = {}
    for place, (cell, low) in enumerate(cells):
        # The other columns' nulls stand where those of the keys do, if these all do alike.
        first = smallest and not low and (place < len(by) or not any(down))
        keys[f"null {place}"] = cell.isna().to_numpy() != first
        codes, _ = pd.factorize(cell, sort=True)
        keys[f"cell {place}"] = -codes if low else codes
    if not keys:
        return frame
    order = np.lexsort(list(keys.values())[::-1])
    return frame.iloc[order].reset_index(drop=True)


def _top(frame: Any, by: list[str], down: list[bool], n: int, smallest: bool = False) -> Any:
    """The first n rows in order, and those equal to the n-th in every key."""
    ordered = _sort(frame, by, down, smallest)
    key = _key(ordered, by)
    return ordered[key.isin(key.head(n))].reset_index(drop=True)


def _distinct(frame: Any) -> Any:
    """Each row once, nulls equal to each other, sorted."""
    return _in_order(frame.drop_duplicates().reset_index(drop=True))


def _in_order(frame: Any) -> Any:
    """Rows sorted by all columns, nulls last."""
    return _sort(frame, list(frame.columns), [False] * len(frame.columns))


def _key(frame: Any, by: list[str]) -> Any:
    """The number of the group that each row is in; a null key is a group like others."""
    number: Any = pd.Series(np.zeros(len(frame), dtype="int64"), frame.index)
    for name in by:
        codes, found = pd.factorize(frame[name])
        number = number * (len(found) + 1) + codes + 1
        number = pd.Series(pd.factorize(number)[0], frame.index)
    return number


def _table(frame: Any, by: list[str], key: Any, cells: dict[str, Any], types: dict[str, str]) -> Any:  # noqa: E501  # fmt: skip
    """One row for each group: its keys and its measures, sorted by the keys."""
    first = frame.loc[~key.duplicated(), by]
    first = first.set_axis(key[~key.duplicated()].to_numpy()) if by else first.iloc[:0]
    made = pd.DataFrame(index=first.index if by else pd.Index([0]))
    for name in by:
        made[name] = first[name]
    for name, measure in cells.items():
        made[name] = _typed(measure.reindex(made.index), types[name])
    return _sort(made.reset_index(drop=True), by, [False] * len(by)) if by else made


def _count(key: Any, cells: Any = None) -> Any:
    """How many rows, or cells that are not null, each group has; 0 where there are no rows."""
    counted = key if cells is None else cells
    made = counted.groupby(key).size() if cells is None else counted.groupby(key).count()
    return made if len(made) else pd.Series([0])


def _count_distinct(cells: Any, key: Any) -> Any:
    """How many different cells each group has, nulls left out."""
    made = cells.groupby(key).nunique()
    return made if len(made) else pd.Series([0])


def _extreme(cells: Any, key: Any, highest: bool = False) -> Any:
    """The smallest or largest cell of each group, whatever their type."""
    codes, found = pd.factorize(cells, sort=True)
    number = pd.Series(codes, cells.index, dtype="Int64").mask(codes == -1)
    best = number.groupby(key).max() if highest else number.groupby(key).min()
    made = pd.Series(found, dtype=cells.dtype).reindex(best.fillna(-1).astype("int64"))
    return made.set_axis(best.index)


def _mode(cells: Any, key: Any) -> Any:
    """The most frequent cell of each group; of several the smallest."""
    pairs = pd.DataFrame({"key": key, "cell": _key(cells.to_frame("cell"), ["cell"])})
    times = pairs.groupby(["key", "cell"])["key"].transform("size").where(cells.notna())
    return _extreme(cells.where(times == times.groupby(key).transform("max")), key)


def _first(cells: Any, key: Any, order: list[Any], down: list[bool]) -> Any:
    """The cell of the first row of each group; of several rows equal in the order the smallest."""
    there = pd.Series(True, cells.index)
    for column, low in zip(order, down, strict=True):
        codes, _ = pd.factorize(column, sort=True)
        number = pd.Series(codes, cells.index, dtype="Int64").mask(codes == -1).where(there)
        edge = number.groupby(key).transform("max" if low else "min")
        there &= edge.isna() | (number == edge).fillna(False).astype(bool)
    return _extreme(cells.where(there), key)


def _list(
    cells: Any, texts: Any, key: Any, order: list[Any], down: list[bool], distinct: bool = False
) -> Any:
    """Each group's cells as one text, or each different one, in order; the empty text of none."""
    by = {f"{place}": column for place, column in enumerate([*order, cells])}
    rows = pd.DataFrame(by).assign(row=range(len(cells)))
    at = _sort(rows, list(by), [*down, False])["row"].to_numpy()
    made = {}
    for group, part in texts.iloc[at].groupby(key.iloc[at]):
        known = part.dropna()
        made[group] = ", ".join(dict.fromkeys(known) if distinct else known)
    return pd.Series(made if made else {0: ""}, dtype="string[python]")


def _weighted_mean(cells: Any, weight: Any, key: Any) -> Any:
    """Mean by weights over the rows that have both; null where these come to nothing."""
    cells, weight = cells.astype("Float64"), weight.astype("Float64")
    total = weight.where(cells.notna()).groupby(key).sum()
    return _divide((cells * weight).groupby(key).sum(), total)


def _share(made: Any) -> Any:
    """Each group's part of the sum of all."""
    total = made.sum()
    return made.astype("Float64") / (total if total is not pd.NA and total != 0 else pd.NA)


def _pairs(ours: Any, theirs: Any) -> Any:
    """Places of left and right rows whose keys are equal; a null equals nothing."""
    sides = []
    for name, keys in (("left", ours), ("right", theirs)):
        side = pd.DataFrame({f"key {n}": one.to_numpy() for n, one in enumerate(keys)})
        side = side.set_axis(range(len(keys)), axis=1).assign(**{name: range(len(side))})
        known = np.logical_and.reduce([~one.isna().to_numpy() for one in keys])
        sides.append(side[known])
    return sides[0].merge(sides[1], on=list(range(len(ours))))[["left", "right"]]


def _beside(left: Any, right: Any, pairs: Any, names: dict[str, str]) -> Any:
    """Left and right rows at these places beside each other; -1 is no row."""
    ours = left.reindex(pairs["left"].to_numpy()).reset_index(drop=True)
    theirs = right[list(names)].reindex(pairs["right"].to_numpy()).reset_index(drop=True)
    return pd.concat([ours, theirs.set_axis(list(names.values()), axis=1)], axis=1)


def _join(left: Any, right: Any, on: list[tuple[str, str]], how: str, names: dict[str, str]) -> Any:
    """Rows whose keys are equal; a key stands once, under its left name."""
    pairs = _pairs([left[one] for one, _ in on], [right[other] for _, other in on])
    if how in ("semi", "anti"):
        matched = pd.Series(range(len(left))).isin(pairs["left"]).to_numpy()
        return left[matched == (how == "semi")].reset_index(drop=True)
    more = [pairs]
    if how in ("left", "full"):
        alone = sorted({*range(len(left))} - {*pairs["left"]})
        more.append(pd.DataFrame({"left": alone, "right": [-1] * len(alone)}))
    if how in ("right", "full"):
        alone = sorted({*range(len(right))} - {*pairs["right"]})
        more.append(pd.DataFrame({"left": [-1] * len(alone), "right": alone}))
    pairs = pd.concat(more).astype("int64").sort_values(["left", "right"], ignore_index=True)
    made = _beside(left, right, pairs, names)
    if how in ("right", "full"):
        for one, other in on:
            key = right[other].reindex(pairs["right"].to_numpy()).reset_index(drop=True)
            if key.dtype != made[one].dtype:  # numbers, whole and not
                key, made[one] = key.astype("Float64"), made[one].astype("Float64")
            made[one] = made[one].where((pairs["left"] >= 0) & made[one].notna(), key)
    return made


def _cross(left: Any, right: Any, names: dict[str, str]) -> Any:
    """Each left row with each right row."""
    places = {"left": np.repeat(range(len(left)), len(right)),
              "right": np.tile(range(len(right)), len(left))}  # fmt: skip
    return _beside(left, right, pd.DataFrame(places).astype("int64"), names)


def _across(cells: Any, key: Any, highest: bool) -> Any:
    """The smallest or largest cell of its group in every row."""
    best = _extreme(cells, key, highest)
    return best.reindex(key.to_numpy()).set_axis(cells.index)


def _described(frame: Any, kinds: dict[str, str]) -> Any:
    """One row about each column."""
    rows = []
    for name, kind in kinds.items():
        cells = frame[name]
        wide = cells.astype("Float64") if kind == "number" else None
        span = [pd.NA] * 3 if wide is None else [wide.min(), wide.max(), wide.mean()]
        rows.append([name, kind, int(cells.isna().sum()), int(cells.nunique()), *span])
    types = {"column": "string[python]", "type": "string[python]", "nulls": "Int64"}
    types |= {"distinct": "Int64", "min": "Float64", "max": "Float64", "mean": "Float64"}
    return _retyped(pd.DataFrame(rows, columns=list(types)), types)
