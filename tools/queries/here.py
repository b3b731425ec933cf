"""Queries answered on this machine, by DuckDB over the columns that they name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from wideleaf.tools.queries.dialects import Dialect

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]  # it ships no types

Read = Callable[[Any, Sequence[str]], "pa.Table"]
"""Gives some columns of a table, which is an operation of ibis."""


def answer_here(operation: Any, fetch: Read) -> pa.Table:
    """The rows of a query whose tables' columns are read into memory.

    Args:
        operation: An operation of ibis over tables of one source.
        fetch: Reads their columns; says no where they are too large.

    Raises:
        ActionError: If DuckDB cannot say it either.
    """
    import duckdb
    import ibis.expr.operations as ops

    fields = {field.name for field in operation.find(ops.Field)}
    query = Dialect("duckdb").say(operation.to_expr())
    with duckdb.connect(config={"enable_external_access": "false"}) as connection:
        for place, leaf in enumerate(operation.find(ops.DatabaseTable)):
            names = [name for name in leaf.schema if name in fields] or list(leaf.schema)[:1]
            connection.register(f"leaf_{place}", fetch(leaf, names))
            _point_at(query, leaf, f"leaf_{place}")
        return connection.sql(query.sql("duckdb")).to_arrow_table()


def _point_at(query: Any, leaf: Any, name: str) -> None:
    from sqlglot import exp

    for table in query.find_all(exp.Table):
        if (table.name, table.db) == (leaf.name, leaf.namespace.database or ""):
            table.set("this", exp.to_identifier(name, quoted=True))
            table.set("db", None)
