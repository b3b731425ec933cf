"""The steps of a plan as code: a query by DuckDB, tests and fits by SciPy, else the library."""

from __future__ import annotations

from typing import Any

import narwhals as nw

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.inference.correlate import Correlate
from wideleaf.tools.actions.inference.fit import ADDED, USUAL, Fit
from wideleaf.tools.actions.inference.hypothesis import Test
from wideleaf.tools.actions.inference.hypothesis_samples import group_label
from wideleaf.tools.actions.joining.keys import avoid_clashes
from wideleaf.tools.actions.position import number_places
from wideleaf.tools.actions.reading.reading import Reading
from wideleaf.tools.errors import ActionError
from wideleaf.tools.exports.judged import add_values, run_judged
from wideleaf.tools.exports.query import PLACE, keep_place, need_unlike
from wideleaf.tools.exports.query_source import QuerySource, run_query, write_query
from wideleaf.tools.exports.scripts.words import (
    Lines,
    NotInPandas,
    StepPlace,
    as_code,
    column,
    text_code,
    types_of,
)
from wideleaf.tools.queries.dialects import Dialect
from wideleaf.tools.tables.table import Table


def inference_code(action: Action, at: StepPlace) -> Lines:
    """The lines of a step that SciPy or statsmodels computes; none of another."""
    rows = f"rows = _plain({at.frames[0]})"
    match action:
        case Test():
            return [rows, *_test_code(action, at)]
        case Fit():
            return [rows, *_fit_code(action, at)]
        case Correlate() if action.method != "mixed":
            names, by = as_code(list(action.with_ or ())), as_code(list(action.by or ()))
            return [
                rows,
                f"{at.name} = _correlated(rows, {action.column!r}, {names}, {action.method!r}, "
                f"{by}, {action.limit}, {as_code(types_of(at.made))})",
            ]
    return []


def _test_code(action: Test, at: StepPlace) -> Lines:
    """The lines of hypothesis tests: the groups that are compared, and a row a test."""
    frame, table = "rows", at.tables[0]
    names, takes = list(action.columns), action.method.takes
    tests: list[list[str | None]] = [[name, action.between, action.test] for name in names]
    lines, factor = [], action.between
    if takes == "counts" and factor is None:
        factor, tests = names[1], [[*names, action.test]]
    if factor is not None:
        groups = None if action.groups is None else [*map(str, _labels(action, at))]
        day = ", day=True" if table.kind(factor) == "date" else ""
        lines.append(f"part = _grouping({column(frame, factor)}, {as_code(groups)}{day})")
    if takes == "counts":
        samples = "lambda rows, name, _: _counts_of(rows, name, part)"
    elif factor is not None:
        samples = f"lambda rows, name, _: _groups_of(rows, name, part, two={takes == 'two'})"
    elif takes == "pairs":
        samples = f"lambda rows, *_: _pairs_of(rows, {as_code(names)})"
        tests = [[*names, action.test]]
    elif takes == "each":
        samples = "lambda rows, name, _: _columns_apart(rows, [name], (None, None))"
    else:
        labels = as_code(names) if takes == "two" else "(None, None)"
        samples = f"lambda rows, *_: _columns_apart(rows, {as_code(names)}, {labels})"
        tests = [[names[0], ", ".join(names[1:]), action.test]]
    return [
        *lines,
        f"{at.name} = _tested(",
        f"    {frame}, {as_code(list(action.by or ()))}, {as_code(tests)},",
        f"    {samples},",
        f"    lambda samples: {_call(action)}, {action.method.least}, {action.alpha!r},",
        f"    {as_code(types_of(at.made))}{', medians=True' if action.method.medians else ''},",
        ")",
    ]


def _labels(action: Test, at: StepPlace) -> list[str]:
    """What the groups that are named are called in the result."""
    kind = at.tables[0].kind(str(action.between))
    return [group_label(group, kind) for group in action.groups or ()]


def _call(action: Test) -> str:
    options = "".join(f", {name}={as_code(one)}" for name, one in action.method.given.items())
    return f"{action.method.call}(samples, {action.value!r}, {action.alternative!r}{options})"


def _fit_code(action: Fit, at: StepPlace) -> Lines:
    """The lines of a fit: the design and the regression, or distributions."""
    types = as_code(types_of(at.made))
    if action.model == "distribution":
        cells, names = column("rows", action.target), as_code(list(action.distributions or USUAL))
        parameters = action.result == "coefficients"
        return [f"{at.name} = _distributions({cells}, {names}, {parameters}, {types})"]
    terms = [action.target, list(action.features or ()), action.model]
    arguments = ", ".join(as_code(one) for one in [*terms, action.intercept, action.robust])
    if action.result == "coefficients":
        call = f"_coefficients(part, {types})"
    elif action.result == "summary":
        order = f", {column('rows', action.order)}" if action.order else ""
        call = f"_summary(part, {types}{order})"
    else:
        names = as_code([*avoid_clashes(at.tables[0].columns, ADDED).values()])
        call = f"_with_residuals(rows, part, {names})"
    return [
        f"part = _fitted(rows, {arguments})  # the rows, their terms and the regression",
        f"{at.name} = {call}",
    ]


def step_code(action: Action, at: StepPlace) -> Lines:
    """The lines that make a step's frame.

    Raises:
        NotInPandas: If the library is to do it.
    """
    if code := inference_code(action, at):
        return [*code, *days_code(at.name, at.made)]
    return query_code(action, at)


def query_code(action: Action, at: StepPlace) -> Lines:
    """A step as a query over its frames.

    Raises:
        NotInPandas: If it is no query, or DuckDB has no words for it.
    """
    source, dialect = QuerySource("duckdb"), Dialect("duckdb")
    tables = dict(zip(at.frames, at.tables, strict=True))
    try:
        for table in (*tables.values(), at.made):
            need_unlike(table, "duckdb", "a frame")
        views = {name: source.open_frame(name, table) for name, table in tables.items()}
        inputs = [views[name] for name in at.frames]
        if isinstance(action, Reading):
            own = avoid_clashes(at.frames, [f"{at.name}_verdicts"]).popitem()[1]
            result, view, values = run_judged(action, inputs, source, own)
            written = write_query(dialect, at.name, result, [*inputs, view], ordered=True)
            query = dialect.text(add_values(written, values))
        else:
            result = _run(action, inputs)
            query = dialect.text(write_query(dialect, at.name, result, inputs, ordered=True))
    except ActionError as error:
        if error.kind != "sql":
            raise
        raise NotInPandas(type(action).__name__) from None
    frames = "".join(f", {name}={name}" for name in tables)
    return [f"{at.name} = _sql({text_code(query)}{frames})"]


def _run(action: Action, inputs: list[Table]) -> Table:
    """What an action makes of tables, its rows in their order, which windows would lose.

    Raises:
        ActionError: If it is no query.
    """
    import ibis.expr.operations as ops

    result = run_query(action, inputs)
    operation: Any = nw.to_native(result.frame).op()
    if "order" not in action.keeps or not operation.find(ops.WindowFunction):
        return result
    first = Table(number_places(inputs[0].frame, PLACE), relations=inputs[0].relations)
    variant, tables = keep_place(action, [first, *inputs[1:]])
    return Table(run_query(variant, tables).frame.sort(PLACE).drop(PLACE))


def days_code(name: str, table: Table) -> Lines:
    """The line that makes days of a frame's times, where some are days."""
    days = [column for column, dtype in table.schema.items() if isinstance(dtype, nw.Date)]
    return [f"{name} = _days({name}, {as_code(days)})"] if days else []
