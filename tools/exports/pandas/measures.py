"""Measures over groups of rows as pandas code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import narwhals as nw

from wideleaf.tools.actions.measuring.measure import LISTING, Trait
from wideleaf.tools.actions.measuring.moments import CONFIDENCE
from wideleaf.tools.exports.pandas.functions import as_text
from wideleaf.tools.exports.pandas.words import TEXT, as_code, column, widen_number
from wideleaf.tools.tables.table import Table

_METHODS = {
    "std": "std()",
    "variance": "var()",
    "mean": "mean()",
    "median": "median()",
    "standard error": "sem()",
}
_POWERS = {"skewness": 3, "kurtosis": 4}
_ENDS = {"ci low": (1 - CONFIDENCE) / 2, "ci high": (1 + CONFIDENCE) / 2}


def aggregate_code(
    frame: str,
    by: Sequence[str],
    measures: Sequence[Trait],
    table: Table,
    types: Mapping[str, str],
    key: str,
) -> list[str]:
    """The lines of a value that is one row for each group.

    Args:
        frame: The name of the frame.
        by: Its columns to group by.
        measures: Resolved measures.
        table: The frame's types.
        types: The pandas types of the results, by name.
        key: The name of the group's numbers.
    """
    kept = {str(one.name): types[str(one.name)] for one in measures}
    cells = [f"    {one.name!r}: {measure_code(one, table, frame, key)}," for one in measures]
    return [
        f"_table({frame}, {as_code(list(by))}, {key}, {{",
        *cells,
        f"}}, {as_code(kept)})",
    ]


def measure_code(measure: Trait, table: Table, frame: str, key: str) -> str:
    """One measure of the groups that a key numbers."""
    made = _measure(measure, table, frame, key)
    return f"_share({made})" if measure.function == "share" else made


def _measure(measure: Trait, table: Table, frame: str, key: str) -> str:
    name, function = measure.column, measure.function
    if name is None:
        return f"_count({key})"
    cell, kind = column(frame, name), table.kind(name)
    if function == "count":
        return f"_count({key}, {cell})"
    if function == "count distinct":
        return f"_count_distinct({cell}, {key})"
    if function == "mode":
        return f"_mode({cell}, {key})"
    if function in ("first", "last"):
        order = ", ".join(column(frame, one.column) for one in measure.order)
        down = [one.descending != (function == "last") for one in measure.order]
        return f"_first({cell}, {key}, [{order}], {as_code(down)})"
    if function in LISTING:
        order = ", ".join(column(frame, one.column) for one in measure.order)
        down = [one.descending for one in measure.order]
        texts = _texts(cell, name, table)
        more = ", distinct=True" if function == "list distinct" else ""
        return f"_list({cell}, {texts}, {key}, [{order}], {as_code(down)}{more})"
    if function in ("min", "max", "any", "all"):
        highest = function in ("max", "any")
        if kind in ("number", "date", "datetime"):
            return f"{cell}.groupby({key}).{function}()"
        return f"_extreme({cell}, {key}, highest={highest})"
    cell = widen_number(frame, name, table)
    if function == "weighted mean":
        return f"_weighted_mean({cell}, {widen_number(frame, str(measure.weight), table)}, {key})"
    groups = f"{cell}.groupby({key})"
    if function in ("sum", "share"):
        return f"{groups}.sum(min_count=1)"
    if function == "quantile":
        return f"{groups}.quantile({measure.q!r})"
    if function == "range":
        return f"{groups}.max() - {groups}.min()"
    if function == "iqr":
        return f"_finite({groups}.quantile(0.75) - {groups}.quantile(0.25))"
    if function in _POWERS:
        return f"_shape({cell}, {key}, {_POWERS[function]}, population={measure.population})"
    if function in _ENDS:
        return f"_confidence({cell}, {key}, {_ENDS[function]:.6g})"
    if function in ("mad", "geometric mean"):
        return f"_{function.replace(' ', '_')}({cell}, {key})"
    if measure.population:
        return f"{groups}.{_METHODS[function].replace('()', '(ddof=0)')}"
    return f"{groups}.{_METHODS[function]}"


def _texts(cell: str, name: str, table: Table) -> str:
    """A column's cells as texts, of floats of 32 bits as few digits as tell them apart."""
    dtype = table.schema[name]
    if dtype.is_integer():
        return f"{cell}.astype({TEXT!r})"
    if dtype == nw.Float32():
        cell = f"{cell}.astype({TEXT!r}).astype('Float64')"
    return as_text(cell, table.kind(name))
