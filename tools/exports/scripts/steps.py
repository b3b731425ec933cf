"""The steps of a plan as code: a query by DuckDB, tests and fits by SciPy, else the library."""

from __future__ import annotations

from typing import Any

import narwhals as nw

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.position import number_places
from wideleaf.tools.errors import ActionError
from wideleaf.tools.exports.query import PLACE, keep_place, need_unlike
from wideleaf.tools.exports.query_source import QuerySource, run_query, write_query
from wideleaf.tools.exports.scripts.inference import inference_code
from wideleaf.tools.exports.scripts.words import (
    Lines,
    NotInPandas,
    StepPlace,
    as_code,
    text_code,
)
from wideleaf.tools.queries.dialects import Dialect
from wideleaf.tools.tables.table import Table


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
    given = dict(zip(at.frames, at.tables, strict=True))
    try:
        for table in (*given.values(), at.made):
            need_unlike(table, "duckdb", "a frame")
        opened = {name: source.open_frame(name, table) for name, table in given.items()}
        inputs = [opened[name] for name in at.frames]
        result = _run(action, inputs)
        query = dialect.text(write_query(dialect, at.name, result, inputs, ordered=True))
    except ActionError as error:
        if error.kind != "sql":
            raise
        raise NotInPandas(type(action).__name__) from None
    frames = "".join(f", {name}={name}" for name in given)
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
    kept, tables = keep_place(action, [first, *inputs[1:]])
    return Table(run_query(kept, tables).frame.sort(PLACE).drop(PLACE))


def days_code(name: str, made: Table) -> Lines:
    """The line that makes days of a frame's times, where some are days."""
    days = [column for column, dtype in made.schema.items() if isinstance(dtype, nw.Date)]
    return [f"{name} = _days({name}, {as_code(days)})"] if days else []
