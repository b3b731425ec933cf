"""Dialects of SQL: what ibis makes of tables, in the words of each."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from wideleaf.tools.errors import ActionError, SettingsError
from wideleaf.tools.words import one_line

if TYPE_CHECKING:
    import sqlglot.expressions as exp

ALIASES = {"spark": "pyspark", "tsql": "mssql", "presto": "trino", "redshift": "postgres"}
"""What ibis calls dialects that sqlglot and people call otherwise."""
DIALECTS = (
    "athena", "bigquery", "clickhouse", "databricks", "datafusion", "druid", "duckdb", "exasol",
    "flink", "impala", "materialize", "mssql", "mysql", "oracle", "postgres", "presto", "pyspark",
    "redshift", "risingwave", "snowflake", "spark", "sqlite", "trino", "tsql",
)  # fmt: skip
LISTING = ("duckdb", "sqlite")
"""Databases whose tables give their rows as they were put in."""
_NOT_SAID = "_ibis_"
"""How the names of functions begin that ibis adds to a database from Python."""


class Dialect:
    """How a dialect's queries are written.

    Attributes:
        name: One of `DIALECTS`.
    """

    def __init__(self, name: str) -> None:
        """Load what writes it.

        Raises:
            SettingsError: If there is no such dialect.
        """
        import ibis.backends.sql.compilers as compilers

        if name not in DIALECTS:
            raise SettingsError(f"no SQL dialect {name!r}; there are {', '.join(DIALECTS)}")
        self.name = name
        self._spoken = (
            name if name == "redshift" else ALIASES.get(name, name)
        )  # it orders otherwise
        self._compiler = getattr(compilers, ALIASES.get(name, name)).compiler

    @cached_property
    def syntax(self) -> Any:
        """The dialect as sqlglot knows it."""
        return self._compiler.dialect

    def say(self, expr: Any, *, letters: bool = True) -> exp.Query:
        """An ibis table as a query.

        Args:
            expr: The table.
            letters: Whether the database lowers and raises letters beyond the plain ones.

        Raises:
            ActionError: If the dialect cannot say it.
        """
        return self.write(expr, letters=letters)[0]

    def write(self, expr: Any, *, letters: bool = True) -> tuple[exp.Query, str]:
        """An ibis table as a query, and its text.

        Args:
            expr: The table.
            letters: Whether the database lowers and raises letters beyond the plain ones.

        Raises:
            ActionError: If the dialect cannot say it.
        """
        import ibis.common.exceptions as refusals
        from sqlglot.errors import ErrorLevel, SqlglotError

        from wideleaf.tools.queries.operations import rewrite

        try:
            operation = rewrite(expr.op(), self._spoken, letters=letters)
            tree: Any = self._compiler.to_sqlglot(operation.to_expr())
            _list_parts(tree)
            tree = tree.transform(_write_order)  # a copy, in which no part stands twice
            _write_remainders(tree)
            text: str = tree.sql(self.syntax, unsupported_level=ErrorLevel.RAISE)
        except (refusals.IbisError, SqlglotError, NotImplementedError) as error:
            raise ActionError(one_line(str(error), 200), kind="sql") from None
        if "\0" in text:
            raise ActionError("a value holds a null character, which no SQL can", kind="sql")
        if match := re.search(rf"{_NOT_SAID}\w+", text, re.IGNORECASE):
            what = match.group().lower().removeprefix(_NOT_SAID).replace("_", " ")
            raise ActionError(f"it has no function for {what}", kind="sql")
        return tree, text

    def cut(self, query: exp.Query, rows: int) -> str | None:
        """The text of a query with a limit on its rows; None if it has one of its own."""
        if query.args.get("limit") or query.args.get("offset"):
            return None
        return query.limit(rows).sql(self.syntax)

    def text(self, query: exp.Query) -> str:
        """The query as it is written down."""
        return query.sql(self.syntax, pretty=True)


def _list_parts(node: Any) -> None:
    """Make lists of the tuples that ibis writes, into which sqlglot does not look."""
    for key, value in [*node.args.items()]:
        if isinstance(value, tuple):
            node.set(key, [*value])
        for part in value if isinstance(value, (list, tuple)) else (value,):
            if hasattr(part, "args"):
                _list_parts(part)


def _write_remainders(query: exp.Expression) -> None:
    """Write remainders of whole numbers as such: SQLite's function of that name is of floats."""
    from sqlglot import exp

    for node in [*query.find_all(exp.Anonymous)]:
        if node.this == "mod":
            parts = (
                exp.Paren(this=o) if isinstance(o, exp.Binary) else o for o in node.expressions
            )
            left, right = parts
            node.replace(exp.Mod(this=left, expression=right))


def _write_order(node: exp.Expression) -> exp.Expression:
    """Texts by their signs where that is said; no word on nulls for an order that is none."""
    from sqlglot import exp

    from wideleaf.tools.queries.operations import ORDER_OF_SIGNS

    if isinstance(node, exp.Ordered) and isinstance(node.this, exp.Null):
        node.set("nulls_first", True)
    if not isinstance(node, exp.Anonymous) or node.this != ORDER_OF_SIGNS:
        return node
    return exp.Collate(this=node.expressions[0], expression=exp.to_identifier("C", quoted=True))
