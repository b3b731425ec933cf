"""Frames as tables of a query that ibis writes; no database stands behind them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import narwhals as nw

from wideleaf.tools.errors import ActionError
from wideleaf.tools.exports.readable import INPUT, numbers_rows, plainer, tidy, with_names
from wideleaf.tools.queries.dialects import LISTING, Dialect
from wideleaf.tools.queries.here import answer_here
from wideleaf.tools.tables.table import Table
from wideleaf.tools.words import one_line

if TYPE_CHECKING:
    import sqlglot.expressions as exp

    from wideleaf.tools.actions.action import Action
    from wideleaf.tools.plans.plan import Step
    from wideleaf.tools.tables.relations import Relation

COMPUTED = "it is computed here, by no relational query; take the notebook or script"


class QuerySource:
    """What ibis takes for the database of a query's tables; the rows stand in frames elsewhere.

    An action that looks at values before it knows its columns, as Pivot does, is answered from
    those frames.

    Attributes:
        name: What actions know it by: a database that lists its rows in order, or another.
    """

    def __init__(self, name: str) -> None:
        """Start without tables."""
        self.name = name
        self._leaves: dict[str, Table] = {}
        self._steps: dict[str, Any] = {}

    def open_frame(self, name: str, table: Table) -> Table:
        """A frame as a table of that name, with the same columns and types."""
        import ibis

        for called in (name, *table.columns):
            if "\0" in called:
                text = f"the name {called!r} holds a null character, which no query can; rename it"
                raise ActionError(text, kind="name")
        empty: Any = nw.to_native(table.frame.head(0).collect("pyarrow"))
        self._leaves[INPUT + name] = table
        return self._open(name, ibis.Schema.from_pyarrow(empty.schema), table.relations)

    def open_result(self, name: str, result: Table) -> Table:
        """What a step made as a table of its own, so that the next is a query of its own, too."""
        expression: Any = nw.to_native(result.frame)
        self._steps[INPUT + name] = expression.op().replace(self._write_out)
        return self._open(name, expression.schema(), result.relations)

    def _open(self, name: str, schema: Any, relations: Sequence[Relation]) -> Table:
        import ibis.expr.operations as ops

        table = ops.DatabaseTable(INPUT + name, schema, source=self, namespace=ops.Namespace())
        return Table(nw.from_native(table.to_expr()), relations=tuple(relations))

    def _write_out(self, node: Any, arguments: dict[str, Any] | None) -> Any:
        """The table of a step as its query over the leaves."""
        import ibis.expr.operations as ops

        if isinstance(node, ops.DatabaseTable):
            return self._steps.get(node.name, node)
        return type(node)(**arguments) if arguments else node

    def to_pyarrow(self, expr: Any, **_: Any) -> Any:
        """What an action asks of the rows before it knows its columns, from the leaves, by DuckDB.

        Raises:
            ActionError: If the columns are too large to hold in memory.
        """
        return answer_here(expr.op().replace(self._write_out), self._read)

    def _read(self, leaf: Any, names: Sequence[str]) -> Any:
        table = self._leaves[leaf.name]
        return table.collect(*names, purpose="a look at the values behind a query").to_arrow()

    def need_order(self, query: exp.Query, dialect: str) -> None:
        """Refuse places of rows that have no order.

        Raises:
            ActionError: If a step numbers rows that are not a table's.
        """
        from sqlglot import exp

        steps = {name.removeprefix(INPUT) for name in self._steps}
        derived = any(table.name in steps for table in query.find_all(exp.Table))
        if numbers_rows(query) and (dialect not in LISTING or derived):
            text = "its rows have no order of their own there; take Window's row number"
            raise ActionError(text, kind="sql")

    def to_polars(self, expr: Any, **_: Any) -> Any:
        """Refuse an action that works with the rows themselves.

        Raises:
            ActionError: Always.
        """
        raise ActionError(COMPUTED, kind="sql")


def write_query(
    dialect: Dialect, name: str, result: Table, inputs: Sequence[Table], *, ordered: bool = False
) -> exp.Query:
    """What an action made of a source's tables as a query that a person can read.

    Args:
        dialect: Whose words it is written in.
        name: What the step is called.
        result: What the action made.
        inputs: Its tables.
        ordered: Whether its rows are to come in their order.

    Raises:
        ActionError: If the dialect cannot say it.
    """
    statement = dialect.say(nw.to_native(result.frame))
    if not ordered and not statement.args.get("limit"):  # a query that others read has no order
        statement.set("order", None)
    sources = [nw.to_native(table.frame).op() for table in inputs]
    columns: dict[str, object] = {
        table.name: dict.fromkeys(table.schema, "text") for table in sources
    }
    return with_names(plainer(tidy(statement, columns, dialect.syntax)), name)


def run_query(action: Action, inputs: Sequence[Table]) -> Table:
    """Run an action over a source's tables.

    Raises:
        ActionError: If it looks at the rows themselves, or does what ibis has no words for.
    """
    try:
        result = action.run(*inputs)
    except NotImplementedError as error:
        raise ActionError(one_line(str(error), 200), kind="sql") from None
    if not result.frame.implementation.is_ibis():
        raise ActionError(COMPUTED, kind="sql")
    return result


@contextmanager
def said_of(step: Step, dialect: str) -> Iterator[None]:
    """Name the step in a refusal.

    Raises:
        ActionError: In place of one that says only what cannot be said.
    """
    try:
        yield
    except ActionError as error:
        if error.kind in ("sql", "no order") and "cannot be said" not in error.text:
            text = f"step {step.label!r} ({step.name}) cannot be said in {dialect}: {error.text}"
            raise ActionError(text, kind="sql") from None
        raise
