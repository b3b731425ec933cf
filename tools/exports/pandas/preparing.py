"""Prepared columns as pandas code: bins, scales, filled nulls and texts taken apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wideleaf.tools.actions.preparing.bin import Bin
from wideleaf.tools.actions.preparing.fillings import MEASURED, is_measured, read_value
from wideleaf.tools.actions.preparing.impute import Impute
from wideleaf.tools.actions.preparing.normalise import Normalise
from wideleaf.tools.actions.preparing.split import Split
from wideleaf.tools.actions.windowing.order import TIE_BREAKERS, orders_alike
from wideleaf.tools.exports.pandas.rules import write_pandas
from wideleaf.tools.exports.pandas.words import (
    Lines,
    as_code,
    column,
    moment_code,
    pandas_type,
    widen_number,
)

if TYPE_CHECKING:
    from wideleaf.tools.exports.pandas.words import StepPlace

_LOGARITHMS = {
    "log": "_apply({0}.where({0} > 0), np.log)",
    "log10": "_apply({0}.where({0} > 0), np.log10)",
    "log1p": "_apply({0}.where({0} > -1), np.log1p)",
}


@write_pandas.register(Bin)
def bin_code(action: Bin, at: StepPlace) -> Lines:
    """The edges, then the bin of each cell."""
    cells, closed = column(at.frames[0], action.column), action.closed
    if action.edges is not None:
        edges, labels = as_code(list(action.edges)), as_code(list(action.texts(action.edges)))
    else:
        equal = action.quantiles is not None
        edges = f"_edges({cells}, {action.quantiles or action.count}, quantiles={equal})"
        labels = f"_interval_texts(part, {closed!r})"
        if action.labels is not None:
            labels = as_code(list(action.labels))
    name, *numbers = action.new_names(at.tables[0].columns)
    made = {name: f"_binned({cells}, part, {closed!r}, {labels})"}
    made |= {number: f"_bin_number({cells}, part, {closed!r})" for number in numbers}
    return [f"part = {edges}", *_assigned(at, made)]


@write_pandas.register(Normalise)
def normalise_code(action: Normalise, at: StepPlace) -> Lines:
    """The groups, then each column on its scale."""
    frame, table, made = at.frames[0], at.tables[0], {}
    for old, new in zip(action.columns, action.names, strict=True):
        cells = widen_number(frame, old, table)
        code = _LOGARITHMS.get(action.method, "").format(cells)
        if not code:
            ddof = 0 if action.population else 1
            code = (
                f"_scaled({cells}, key, {action.method!r}, {ddof}, {action.low!r}, {action.high!r})"
            )
        made[new] = f"_typed({code}, 'Float64')"
    if action.method in _LOGARITHMS:
        return _assigned(at, made)
    return [f"key = _key({frame}, {as_code(list(action.by or ()))})", *_assigned(at, made)]


@write_pandas.register(Impute)
def impute_code(action: Impute, at: StepPlace) -> Lines:
    """Columns with their nulls filled."""
    frame, by = at.frames[0], list(action.by or ())
    if action.method == "neighbours":
        names, beside = as_code(list(action.columns)), as_code(list(action.with_ or ()))
        found = f"_filled_by_neighbours({frame}, {names}, {beside}, {action.neighbours})"
        return [f"{frame}.assign(**{found})"]
    if action.method in MEASURED:
        keys = [f"_key({frame}, {as_code(by)})"]
        if by and action.fallback:
            keys.append(f"_key({frame}, [])  # then all rows")
        lines = [f"part = [{keys[0]}]", *(f"part += [{key.split('  #')[0]}]" for key in keys[1:])]
        code = "_filled_from({0}, part, {1!r})"
        made = {n: code.format(column(frame, n), action.method) for n in action.columns}
        return [*lines, *_assigned(at, _typed_cells(action, at, made))]
    if action.method == "value":
        return _assigned(at, _typed_cells(action, at, {n: _or_value(action, n, at) for n in action.columns}))  # noqa: E501  # fmt: skip
    return _along(action, at)


@write_pandas.register(Split)
def split_code(action: Split, at: StepPlace) -> Lines:
    """Texts taken apart."""
    names = as_code(list(action.new_names))
    rest = f"{action.column!r}, {action.separator!r}, {names}, strip={action.strip}"
    return [f"_split_into_{action.into}({at.frames[0]}, {rest})"]


def _along(action: Impute, at: StepPlace) -> Lines:
    """The rows in order, then what is filled from those before or behind."""
    table, frame, by = at.tables[0], at.frames[0], list(action.by or ())
    order = [key.column for key in action.order]
    down = [key.descending for key in action.order]
    others = [n for n in table.columns if n not in {*by, *order} and orders_alike(table, n)]
    beside = as_code(others[: TIE_BREAKERS + 1])
    lines = [
        f"rows = _placed({frame}, {as_code(by)}, {as_code(order)}, {as_code(down)}, {beside})",
        f"rows = {frame}.loc[rows.index]",
        f"part = _key(rows, {as_code(by)})",
    ]
    places = "part.groupby(part).cumcount()"
    if action.method == "interpolate" and is_measured(table, action.order):
        places = column("rows", order[0])
        if table.kind(order[0]) != "number":
            places = f"({places} - {places}.min()).dt.total_seconds()"
    made = {}
    for name in action.columns:
        cells = column("rows", name)
        if action.method == "interpolate":
            made[name] = f"_filled_on_line({cells}, {places}, part)"
        else:
            how = "ffill" if action.method == "previous" else "bfill"
            made[name] = f"{cells}.fillna({cells}.groupby(part).{how}())"
    return [*lines, *_assigned(at, _typed_cells(action, at, made))]


def _or_value(action: Impute, name: str, at: StepPlace) -> str:
    assert action.value is not None
    fitted, _ = read_value(at.tables[0], name, action.value)
    timed = at.tables[0].kind(name) in ("date", "datetime")
    dtype = pandas_type(at.made.schema[name])
    cells = f"_typed({column(at.frames[0], name)}, {dtype!r})"
    return f"{cells}.fillna({moment_code(fitted) if timed else as_code(fitted)})"


def _typed_cells(action: Impute, at: StepPlace, made: dict[str, str]) -> dict[str, str]:
    return {n: f"_typed({code}, {pandas_type(at.made.schema[n])!r})" for n, code in made.items()}


def _assigned(at: StepPlace, made: dict[str, str]) -> Lines:
    inside = [f"    {name!r}: {code}," for name, code in made.items()]
    return [f"{at.name} = {at.frames[0]}.assign(**{{", *inside, "})"]
