"""Position: each row's place in the table, in the order in which its source lists the rows."""

from __future__ import annotations

from typing import Any, Self

import narwhals as nw
from pydantic import Field

from wideleaf.tools.actions.action import Action
from wideleaf.tools.errors import ActionError
from wideleaf.tools.queries.database import database_of
from wideleaf.tools.queries.dialects import LISTING
from wideleaf.tools.tables.columns import need_free
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table


class Position(Action):
    """Add each row's place in the table as it is listed, from 1."""

    purpose = "filter"
    keeps = frozenset(("order", "columns"))
    phrases = (
        "consecutive", "streak", "listed first", "listed last", "row number", "row before",
        "row after", "first row", "first rows", "last row", "last rows", "nth row",
    )  # fmt: skip

    name: str = Field(default="position", min_length=1)

    def resolve(self, *tables: Table) -> Self:
        """Check that the name is free and that the engine keeps an order of rows.

        Raises:
            ActionError: If it is taken, or the rows have no order.
        """
        table = tables[0]
        need_free(self.name, table.columns, "place")
        if not keeps_order(table.frame):
            raise ActionError(
                "rows on Spark and in a database's tables have no order of their own; use Window's "
                "row number with an order",
                kind="no order",
            )
        return self

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns; the place is made of none."""
        return [need.past(headers[0], {self.name: Need()})]

    def run(self, *tables: Table) -> Table:
        """Number the rows."""
        return Table(number_places(tables[0].frame, self.name))


def keeps_order(frame: nw.LazyFrame[Any]) -> bool:
    """Whether rows come in the order of their source: not on Spark, nor in a database's tables."""
    if frame.implementation.is_ibis():
        native: Any = nw.to_native(frame)
        return database_of(frame) is None and native.get_backend().name in LISTING
    return not frame.implementation.is_spark_like()


def number_places(frame: nw.LazyFrame[Any], name: str) -> nw.LazyFrame[Any]:
    """A frame that keeps its order with the place of each row, from 1, as its last column.

    DuckDB reads files and keeps rows in their order.
    """
    native: Any = nw.to_native(frame)
    if frame.implementation.is_ibis():
        import ibis

        numbered: nw.LazyFrame[Any] = nw.from_native(native.mutate(**{name: ibis.row_number() + 1}))
        return numbered
    if frame.implementation.is_polars():
        numbered = nw.from_native(native.with_row_index(name, offset=1))
        columns = frame.collect_schema().names()
        placed: nw.LazyFrame[Any] = numbered.select(*columns, nw.col(name).cast(nw.Int64))
        return placed
    import duckdb

    place = duckdb.SQLExpression("row_number() over ()").alias(name)
    result: nw.LazyFrame[Any] = nw.from_native(native.select(duckdb.StarExpression(), place))
    return result
