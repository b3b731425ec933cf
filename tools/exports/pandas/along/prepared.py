"""Functions on prepared columns that a pandas script takes along: bins, scales, fillings, parts.

They are copied into the script by their source, so they know pandas, numpy and each other alone.
"""

from __future__ import annotations

import re
import sys
from typing import Any

import numpy as np
import pandas as pd

from wideleaf.tools.exports.pandas.along.cells import _finite, _typed
from wideleaf.tools.exports.pandas.along.frames import _mode


def _edges(cells: Any, count: int, quantiles: bool) -> list[float]:
    """Edges of so many bins of equal width, or of equally many cells; equal ones are one."""
    known = np.sort(_finite(cells).dropna().to_numpy(dtype="float64"))
    if not len(known):
        return []
    if quantiles:
        places = [divmod(part * (len(known) - 1), count) for part in range(count + 1)]
        ends = [
            (known[at], known[min(at + 1, len(known) - 1)], rest / count) for at, rest in places
        ]
        made = [a + (b - a) * t if t < 0.5 else b - (b - a) * (1 - t) for a, b, t in ends]
    else:
        half = 2 if known[-1] / 2 - known[0] / 2 > np.finfo(float).max / 2 else 1
        made = list(half * np.linspace(known[0] / half, known[-1] / half, count + 1))
    made = list(dict.fromkeys(float(edge) + 0.0 for edge in made))
    return made * 2 if len(made) == 1 else made


def _interval_texts(edges: list[float], closed: str) -> list[str]:
    """Such as (0, 10], with as many decimals as tell where a bin ends; outer edges are inside."""
    widths = [width for width in np.diff(edges).tolist() if width > 0]
    told = edges
    for decimals in range(13) if widths and max(map(abs, edges)) < 1e15 else []:
        if all(abs(round(edge, decimals) - edge) <= 0.01 * min(widths) for edge in edges):
            told = [round(edge, decimals) for edge in edges]
            break
    texts = [str(int(e)) if e == int(e) and abs(e) < 1e15 else repr(e) for e in told]
    made = []
    for place in range(len(edges) - 1):
        left = "[" if closed == "left" or place == 0 else "("
        right = "]" if closed == "right" or place == len(edges) - 2 else ")"
        made.append(f"{left}{texts[place]}, {texts[place + 1]}{right}")
    return made


def _bin_number(cells: Any, edges: list[Any], closed: str) -> Any:
    """The number of the bin that each cell is in, from 1; None is an end that is open."""
    if not edges:
        return pd.Series(pd.NA, cells.index, dtype="Int64")
    values = cells.to_numpy(dtype="float64", na_value=np.nan)
    low = -np.inf if edges[0] is None else edges[0]
    high = np.inf if edges[-1] is None else edges[-1]
    number = np.searchsorted(edges[1:-1], values, side="left" if closed == "right" else "right") + 1
    made = pd.Series(number, cells.index, dtype="Int64")
    return made.where((values >= low) & (values <= high))


def _binned(cells: Any, edges: list[Any], closed: str, labels: list[str]) -> Any:
    """The label of the bin that each cell is in."""
    number = _bin_number(cells, edges, closed)
    made = [pd.NA if one is pd.NA else labels[one - 1] for one in number]
    return pd.Series(made, cells.index, dtype="string[python]")


def _scaled(cells: Any, key: Any, method: str, ddof: int, low: float, high: float) -> Any:
    """Numbers on one scale, by the statistics of their group."""
    known = _finite(cells).astype("float64")
    group = known.groupby(key)
    least, most = group.transform("min"), group.transform("max")
    if method == "z-score":
        spread = group.std(ddof=ddof).reindex(key.to_numpy()).set_axis(known.index)
        made = (known - group.transform("mean")) / spread.where(spread > 0)
        return made.mask(least == most, known * 0.0)
    if method == "min-max":
        made = low + (known - least) / (most - least).where(most > least) * (high - low)
        return made.mask(least == most, known * 0.0 + low)
    if method == "max-abs":
        largest = known.abs().groupby(key).transform("max")
        return known / largest.where(largest > 0, 1.0)
    if method == "rank":
        others = group.transform("count") - 1
        return ((group.rank() - 1) / others.where(others > 0)).mask(others == 0, known * 0.0 + 0.5)
    ends = [group.quantile(q).reindex(key.to_numpy()).set_axis(known.index) for q in (0.25, 0.75)]
    width = (ends[1] - ends[0]).where(ends[0] != ends[1], 1.0)
    return (known - group.transform("median")) / width


def _filled_from(cells: Any, keys: list[Any], method: str) -> Any:
    """Nulls filled with the mean, median or mode of the first of several groups that has one."""
    made = cells if method == "mode" else _typed(cells, "Float64")
    for key in keys:
        if method == "mode":
            best = _mode(cells, key).reindex(key.to_numpy()).set_axis(cells.index)
        else:
            best = _typed(_finite(cells).groupby(key).transform(method), "Float64")
        made = made.where(made.notna(), best)
    return made


def _filled_on_line(cells: Any, at: Any, key: Any) -> Any:
    """Nulls between two known cells filled on the straight line between them; rows in order."""
    cells = _typed(cells, "Float64").astype("float64")
    at = _typed(at, "Float64").astype("float64")
    known, stand = cells.where(at.notna()), at.where(cells.notna())
    before, start = known.groupby(key).ffill(), stand.groupby(key).ffill()
    after, end = known.groupby(key).bfill(), stand.groupby(key).bfill()
    line = before + (after - before) * (at - start) / (end - start).where(end != start, 1.0)
    return cells.where(cells.notna(), line)


def _filled_by_neighbours(frame: Any, columns: list[str], beside: list[str], count: int) -> Any:
    """Nulls filled with the mean of the nearest rows, in units of each column's deviation."""
    from sklearn.impute import KNNImputer  # type: ignore[import-untyped]

    cells = frame[[*columns, *beside]].apply(_finite).to_numpy(dtype="float64", na_value=np.nan)
    some, order = ~np.isnan(cells).all(axis=0), np.lexsort(cells.T[::-1])
    if not len(cells) or not some.any():
        return {name: frame[name] for name in columns}
    known = cells[order][:, some]
    spread = np.nanstd(known, axis=0)
    spread, middle = np.where(spread > 0, spread, 1.0), np.nanmean(known, axis=0)
    found = KNNImputer(n_neighbors=count).fit_transform((known - middle) / spread)
    made = cells.copy()
    made[np.ix_(order, some)] = found * spread + middle
    filled = pd.DataFrame(made[:, : len(columns)], frame.index, columns)
    return {name: frame[name].astype("Float64").fillna(filled[name]) for name in columns}


def _list_items(text: str) -> Any:
    """The items of a text such as ['a', "b"]; None where it is no flat list."""
    item = re.compile(
        r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|"""
        r"""([^\s,'"\[\]{}()]+(?:\s+[^\s,'"\[\]{}()]+)*))\s*(?:,|\Z)""",
        re.DOTALL,
    )
    bare = text.strip()
    if len(bare) < 2 or bare[0] != "[" or bare[-1] != "]":
        return None
    inside, place, items = bare[1:-1].strip(), 0, []
    while place < len(inside):
        match = item.match(inside, place)
        if match is None:
            return None
        single, double, plain = match.groups()
        if plain is None:
            made = re.sub(
                r"\\(?:(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|(.))",
                lambda one: (
                    chr(min(int(one[1][1:], 16), sys.maxunicode))
                    if one[1]
                    else {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}.get(one[2], one[2])
                ),
                double if single is None else single,
                flags=re.DOTALL,
            )
            made = made.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            items.append(made)
        elif plain.lower() not in ("none", "null", "nan", "na"):
            items.append(plain)
        else:
            items.append("")
        place = match.end()
    return items


def _parts(text: Any, separator: str) -> list[str]:
    """The parts of a text, as they stand there."""
    if text is pd.NA or text != text:
        return []
    if separator == "whitespace":
        return str(text).split()
    if separator != "list":
        return str(text).split(separator)
    items = _list_items(text)
    return [text] if items is None else list(items)


def _split_into_rows(
    frame: Any, column: str, separator: str, names: list[str], strip: bool
) -> Any:  # fmt: skip
    """A row for each part that is not empty, its number beside it; a null where there is none."""
    parts = [[p.strip() if strip else p for p in _parts(text, separator)] for text in frame[column]]
    kept: list[list[Any]] = [[part for part in some if part] or [pd.NA] for some in parts]
    places: list[list[Any]] = [
        [pd.NA if part is pd.NA else n for n, part in enumerate(some, 1)] for some in kept
    ]
    made = frame.iloc[np.repeat(np.arange(len(frame)), [len(some) for some in kept])]
    made = made.reset_index(drop=True)
    columns = ((kept, "string[python]"), (places, "Int64"))
    for name, (cells, kind) in zip(names, columns, strict=False):
        made[name] = pd.Series([cell for some in cells for cell in some], made.index, dtype=kind)
    return made


def _split_into_columns(
    frame: Any, column: str, separator: str, names: list[str], strip: bool
) -> Any:  # fmt: skip
    """A column for each part, the last with what is beyond; an empty part is null."""
    joint = {"list": ", ", "whitespace": " "}.get(separator, separator)
    rows = []
    for text in frame[column]:
        parts = _parts(text, separator)
        first = parts[: len(names) - 1]
        first += [""] * (len(names) - 1 - len(first))
        told = [*first, joint.join(parts[len(names) - 1 :])]
        told = [part.strip() if strip else part for part in told]
        rows.append([part or pd.NA for part in told])
    made = pd.DataFrame(rows, frame.index, names, dtype="string[python]")
    return pd.concat([frame, made], axis=1)
