"""The steps of a plan as pandas code, a short block each."""

from __future__ import annotations

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.derive import Derive
from wideleaf.tools.actions.describe import Describe
from wideleaf.tools.actions.distinct import Distinct
from wideleaf.tools.actions.drop_nulls import DropNulls
from wideleaf.tools.actions.filter import Filter
from wideleaf.tools.actions.from_one_hot import FromOneHot
from wideleaf.tools.actions.group import Aggregate, Group
from wideleaf.tools.actions.inference.correlate import Correlate
from wideleaf.tools.actions.measuring.measures import Trait
from wideleaf.tools.actions.pivot import Pivot
from wideleaf.tools.actions.position import Position
from wideleaf.tools.actions.projection import Projection
from wideleaf.tools.actions.resample import Resample
from wideleaf.tools.actions.sample import Sample
from wideleaf.tools.actions.set_operations import Intersect, SetOperation, Union, pair_columns
from wideleaf.tools.actions.sort import Sort
from wideleaf.tools.actions.unpivot import Unpivot
from wideleaf.tools.actions.windowing.intervals import read_every
from wideleaf.tools.exports.pandas.conditions import condition_code
from wideleaf.tools.exports.pandas.expressions import ExpressionWriter
from wideleaf.tools.exports.pandas.measures import aggregate_code
from wideleaf.tools.exports.pandas.rules import write_pandas
from wideleaf.tools.exports.pandas.words import (
    Lines,
    NotInPandas,
    StepPlace,
    as_code,
    column,
    pandas_type,
    types_of,
)


def step_code(action: Action, at: StepPlace) -> Lines:
    """The lines that make a step's frame.

    Raises:
        NotInPandas: If pandas has no form of it.
        ActionError: If there is no rule for it.
    """
    load_rules()
    lines = write_pandas(action, at)
    if any(line.startswith(f"{at.name} = ") for line in lines):
        return lines
    return [f"{at.name} = {lines[0]}", *lines[1:]]


def load_rules() -> None:
    """Register the rules."""
    import wideleaf.tools.exports.pandas.get
    import wideleaf.tools.exports.pandas.inference
    import wideleaf.tools.exports.pandas.join
    import wideleaf.tools.exports.pandas.preparing
    import wideleaf.tools.exports.pandas.series
    import wideleaf.tools.exports.pandas.window  # noqa: F401


@write_pandas.register(Projection)
def _select(action: Projection, at: StepPlace) -> Lines:
    return [f"{at.frames[0]}[{as_code(list(action.columns))}]"]


@write_pandas.register(Filter)
def _filter(action: Filter, at: StepPlace) -> Lines:
    frame = at.frames[0]
    condition = condition_code(action.where, at.tables[0], frame)
    return [f"{frame}[({condition}).fillna(False).astype(bool)].reset_index(drop=True)"]


@write_pandas.register(DropNulls)
def _drop_nulls(action: DropNulls, at: StepPlace) -> Lines:
    names = as_code(list(action.columns or ()))
    return [f"{at.frames[0]}.dropna(subset={names}, how={action.how!r}).reset_index(drop=True)"]


@write_pandas.register(Derive)
def _derive(action: Derive, at: StepPlace) -> Lines:
    frame = at.frames[0]
    code = ExpressionWriter(at.tables[0], frame).write(action.expression)
    dtype = pandas_type(at.made.schema[action.name])
    return [f"{frame}.assign(**{{", f"    {action.name!r}: _typed({code}, {dtype!r}),", "})"]


@write_pandas.register(Sort)
def _sort(action: Sort, at: StepPlace) -> Lines:
    by = [key.column for key in action.by]
    down = [key.descending for key in action.by]
    smallest = ", smallest=True" if action.nulls == "smallest" else ""
    keys = f"{at.frames[0]}, {as_code(by)}, {as_code(down)}"
    if action.limit is not None and action.ties == "keep":
        return [f"_top({keys}, {action.limit}{smallest})"]
    head = "" if action.limit is None else f".head({action.limit})"
    return [f"_sort({keys}{smallest}){head}"]


@write_pandas.register(Position)
def _position(action: Position, at: StepPlace) -> Lines:
    frame = at.frames[0]
    places = f"pd.array(range(1, len({frame}) + 1), dtype='Int64')"
    return [f"{frame}.assign(**{{{action.name!r}: {places}}})"]


@write_pandas.register(Sample)
def _sample(action: Sample, at: StepPlace) -> Lines:
    frame = at.frames[0]
    drawn = f"random.Random({action.seed}).sample(range(len({frame})), min({action.n}, len({frame})))"  # noqa: E501  # fmt: skip
    return [f"{frame}.iloc[sorted({drawn})].reset_index(drop=True)"]


@write_pandas.register(Distinct)
def _distinct(action: Distinct, at: StepPlace) -> Lines:
    chosen = "" if action.columns is None else f"[{as_code(list(action.columns))}]"
    return [f"_distinct({at.frames[0]}{chosen})"]


@write_pandas.register(Group)
def _group(action: Group, at: StepPlace) -> Lines:
    frame, key = at.frames[0], "key"
    lines = aggregate_code(
        frame, action.keys, action.measures, at.tables[0], types_of(at.made), key
    )
    return [f"{key} = _key({frame}, {as_code(list(action.keys))})", *_made(at, lines)]


@write_pandas.register(Aggregate)
def _aggregate(action: Aggregate, at: StepPlace) -> Lines:
    frame, key = at.frames[0], "key"
    lines = aggregate_code(frame, (), action.measures, at.tables[0], types_of(at.made), key)
    return [f"{key} = _key({frame}, [])  # all rows are one group", *_made(at, lines)]


@write_pandas.register(Pivot)
def _pivot(action: Pivot, at: StepPlace) -> Lines:
    frame, key, table = at.frames[0], "key", at.tables[0]
    by = [*(action.index or ()), action.columns]
    cell = next(name for name in ("cell", *(f"cell_{n}" for n in range(99))) if name not in by)
    measure = Trait(function=action.function or "count", column=action.value, name=cell)
    spread = [name for name in at.made.columns if name not in by]
    counts = measure.function.startswith("count") or action.value is None
    dtype = pandas_type(at.made.schema[spread[0]]) if spread else "Float64"
    lines = aggregate_code(frame, by, [measure], table, {cell: dtype}, key)
    numbered = (action.value or action.columns) if action.headers == "numbers" else None
    day = table.kind(action.columns) == "date"
    return [
        f"{key} = _key({frame}, {as_code(by)})",
        *_made(at, lines, "cells"),
        f"{at.name} = _spread(cells, {action.columns!r}, "
        f"{as_code(list(action.index or ()))}, {counts}, {numbered!r}, day={day})",
    ]


@write_pandas.register(Unpivot)
def _unpivot(action: Unpivot, at: StepPlace) -> Lines:
    columns = dict(zip(action.columns, action.parameters, strict=True))
    stacked = (
        f"_stack({at.frames[0]}, {as_code(columns)}, {as_code(list(action.keep or ()))}, "
        f"{action.name!r}, {action.value!r}, {action.axis!r})"
    )
    types = as_code(types_of(at.made, action.name, action.value))
    lines = [f"_retyped({stacked}, {types})"]
    if action.drop_nulls:
        lines[0] += f".dropna(subset=[{action.value!r}]).reset_index(drop=True)"
    return lines


@write_pandas.register(FromOneHot)
def _from_one_hot(action: FromOneHot, at: StepPlace) -> Lines:
    frame = at.frames[0]
    levels = as_code(dict(zip(action.columns, action.levels, strict=True)))
    bare = f"{frame}.drop(columns={as_code(list(action.columns))})"
    return [f"{bare}.assign(**{{{action.name!r}: _one_hot({frame}, {levels})}})"]


@write_pandas.register(Resample)
def _resample(action: Resample, at: StepPlace) -> Lines:
    frame, table, time = at.frames[0], at.tables[0], action.time
    key, rows, by = "key", "rows", list(action.by or ())
    every = read_every(action.every)
    taken = {*table.columns, *at.made.columns}
    period = next(n for n in ("period", *(f"period_{n}" for n in range(2, 99))) if n not in taken)
    length = f"{every.unit!r}, {every.number}"
    lines = aggregate_code(rows, [*by, period], action.measures, table, types_of(at.made), key)
    made = [
        f"{rows} = {frame}[{column(frame, time)}.notna()].reset_index(drop=True)",
        f"{rows}[{period!r}] = _period_start(_period({column(rows, time)}, {length}), {length})",
        f"{key} = _key({rows}, {as_code([*by, period])})",
        *_made(at, lines),
    ]
    made[-1] += f".rename(columns={{{period!r}: {time!r}}})"
    if action.fill != "none":
        zero = [n for n, d in at.made.schema.items() if action.fill == "zero" and d.is_numeric()]
        made.append(
            f"{at.name} = _filled({at.name}, {time!r}, {as_code(by)}, {length}, "
            f"{action.fill!r}, {as_code(zero)})"
        )
    return made


@write_pandas.register(Describe)
def _describe(action: Describe, at: StepPlace) -> Lines:
    frame, table = at.frames[0], at.tables[0]
    kinds = as_code({name: table.kind(name) for name in action.columns or ()})
    return [f"_described({frame}, {kinds})"]


@write_pandas.register(Correlate)
def _correlate(action: Correlate, at: StepPlace) -> Lines:
    if action.method == "mixed":
        raise NotInPandas("Correlate by the kinds of columns")
    names, by = as_code(list(action.with_ or ())), as_code(list(action.by or ()))
    return [
        f"_correlated({at.frames[0]}, {action.column!r}, {names}, {action.method!r}, {by}, "
        f"{action.limit}, {as_code(types_of(at.made))})"
    ]


@write_pandas.register(SetOperation)
def _set_operation(action: SetOperation, at: StepPlace) -> Lines:
    (one, other), (left, right) = at.frames, at.tables
    pairs = pair_columns(left, right).names
    types = as_code(types_of(at.made))
    ours = f"_retyped({one}, {types})"
    chosen = f"{other}[{as_code([name for _, name in pairs])}]"
    theirs = f"_retyped({chosen}.set_axis({as_code([name for name, _ in pairs])}, axis=1), {types})"
    if isinstance(action, Union):
        stacked = f"pd.concat([{ours}, {theirs}], ignore_index=True)"
        return [f"_distinct({stacked})" if action.distinct else stacked]
    minus = not isinstance(action, Intersect)
    return [f"_rows_of_both({ours}, {theirs}, minus={minus}, distinct={action.distinct})"]


def _made(at: StepPlace, lines: Lines, name: str = "") -> Lines:
    return [f"{name or at.name} = {lines[0]}", *lines[1:]]
