"""Words of SQL: small parts of a query as syntax trees, types, and what one step's query knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, NoReturn

import narwhals as nw
from sqlglot import exp

from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.extents import Wide
from wideleaf.tools.tables.sort_keys import SortKey
from wideleaf.tools.tables.table import Kind, Table

Sql = exp.Expr
TRIED = ("duckdb", "sqlite")
"""The dialects in which the project's own tests run what is written."""
DIGITS_EXACT = 15


@dataclass
class QueryScope:
    """What the query of one step knows: its dialect, its input and whom to name in a refusal.

    Attributes:
        dialect: A dialect of sqlglot.
        label: The step's label.
        action: The step's action.
        table: The input, for the types of its columns.
        side: The alias before each column; none where a query has one input.
        stages: Columns computed beforehand, one subquery each.
        places: Whether its rows are to be numbered, since later steps drop what orders them.
    """

    dialect: str
    label: str
    action: str
    table: Table
    side: str = ""
    stages: list[tuple[str, Sql]] = field(default_factory=list)
    places: bool = False

    @property
    def lite(self) -> bool:
        """Whether it is SQLite: no dates, no booleans and few functions."""
        return self.dialect == "sqlite"

    def refuse(self, why: str) -> NoReturn:
        """Refuse the step by name.

        Raises:
            ActionError: Always.
        """
        raise ActionError(
            f"step {self.label!r} ({self.action}) cannot be said in {self.dialect}: {why}",
            kind="sql",
        )

    def column(self, name: str) -> Sql:
        """A column of the input."""
        return exp.column(
            quote_identifier(name), table=quote_identifier(self.side) if self.side else None
        )

    def number(self, name: str) -> Sql:
        """A column of numbers or of true and false, as a number that no engine overflows early."""
        dtype, column = self.table.schema[name], self.column(name)
        if isinstance(dtype, nw.Boolean):
            return column if self.lite else exp.cast(column, "int")
        if self.lite or dtype in (nw.Int64(), nw.Float64()):
            return column
        return exp.cast(column, "bigint" if dtype.is_integer() else "double")

    def wide(self, made: Sql, wide: Wide | None) -> Sql:
        """A number in the type that its results need, where 64 bits do not do."""
        if wide is None:
            return made
        if wide == "whole" and self.lite:
            self.refuse("it has no type for whole numbers beyond 64 bits; duckdb has one")
        return exp.cast(made.copy(), "decimal(38,0)" if wide == "whole" else "double")

    def number_for(self, name: str, wide: Wide | None) -> Sql:
        """A column of numbers in its widest type, or in one for results beyond 64 bits."""
        return self.wide(self.column(name), wide) if wide else self.number(name)

    def stage(self, made: Sql) -> Sql:
        """Have something computed beforehand, so that it stands in the query once."""
        if known := next((name for name, other in self.stages if other == made), None):
            return exp.column(quote_identifier(known))
        name = f"__stage_{len(self.stages)}"
        if name in self.table.columns:
            self.refuse(f"there is a column {name!r}; give it another name")
        self.stages.append((name, made))
        return exp.column(quote_identifier(name))

    def with_stages(self, source: exp.Select) -> exp.Select:
        """The query, which selects from a table, with its stages computed before it."""
        inner: Any = source.args["from_"].this
        depths: dict[str, int] = {}
        for name, made in self.stages:
            used = {column.name for column in made.find_all(exp.Column)}
            depths[name] = 1 + max((depths[one] for one in used & depths.keys()), default=-1)
        # Those that use no other one stand side by side, for dialects nest only so many queries.
        for depth in sorted(set(depths.values())):
            parts = [with_alias(made, name) for name, made in self.stages if depths[name] == depth]
            inner = exp.select(exp.Star(), *parts).from_(inner).subquery(f"stage_{depth}")
        return source.from_(inner)

    def need_clock(self, name: str) -> None:
        """Refuse times of a zone, whose parts dialects read by clocks of their own."""
        if getattr(self.table.schema.get(name), "time_zone", None):
            self.refuse(f"{name!r} holds times of a zone; Derive the plain date or time first")


def quote_identifier(name: str) -> exp.Identifier:
    """A name as an identifier, quoted whatever it holds."""
    if "\0" in name:
        raise ActionError(f"the name {name!r} holds a null character, which no SQL can", kind="sql")
    return exp.to_identifier(name, quoted=True)


def with_alias(made: Sql, name: str) -> Sql:
    """An expression under a name; a column that has it already stays bare."""
    if isinstance(made, exp.Column) and made.name == name:
        return made
    return exp.Alias(this=made, alias=quote_identifier(name))


def text(value: str) -> Sql:
    """A text constant."""
    if "\0" in value:
        raise ActionError(f"the text {value!r} holds a null character; SQL has none", kind="sql")
    return exp.Literal.string(value)


def number(value: float, *, exact: bool = False) -> Sql:
    """A number constant.

    Args:
        value: The number.
        exact: Whether it must not be read as a decimal, whose arithmetic is another.
    """
    written = repr(value)
    long = len(written.strip("-0.").replace(".", "")) > DIGITS_EXACT
    if isinstance(value, float) and "e" not in written and (exact or long):
        written += "e0"
    return exp.Literal.number(written)


def constant(scope: QueryScope, value: Any) -> Sql:
    """A constant of a cell's kind."""
    if isinstance(value, bool):
        return exp.Boolean(this=value)
    if isinstance(value, datetime):
        shown = value.isoformat(" ", timespec="microseconds" if value.microsecond else "seconds")
        return text(shown) if scope.lite else exp.cast(text(shown), "timestamp")
    if isinstance(value, date):
        return text(value.isoformat()) if scope.lite else exp.cast(text(value.isoformat()), "date")
    if isinstance(value, (int, float)):
        return number(value, exact=not scope.lite)
    return text(str(value))


def bare(made: Sql) -> Sql:
    """An operand, in brackets where it is a compound of its own."""
    if isinstance(made, exp.Func) or not isinstance(
        made, (exp.Binary, exp.Unary, exp.In, exp.Between)
    ):
        return made
    return made if isinstance(made, exp.Paren) else exp.Paren(this=made)


def binary(kind: type[Sql], left: Sql, right: Sql) -> Sql:
    """An operator between two operands."""
    return kind(this=bare(left.copy()), expression=bare(right.copy()))


def chain(kind: type[Sql], parts: Sequence[Sql]) -> Sql:
    """An operator over any number of operands; many are bracketed, so that none nests deeply."""
    most = 50
    while len(parts) > most:
        parts = [
            exp.Paren(this=chain(kind, parts[at : at + most])) if len(parts) - at > 1 else parts[at]
            for at in range(0, len(parts), most)
        ]
    made = bare(parts[0].copy())
    for part in parts[1:]:
        made = kind(this=made, expression=bare(part.copy()))
    return made


def call(name: str, *args: Sql) -> Sql:
    """A function that sqlglot has no word for; dialects that are not tried may lack it."""
    return exp.Anonymous(this=name, expressions=[arg.copy() for arg in args])


def divide(left: Sql, right: Sql) -> Sql:
    """True division; by zero it gives null."""
    zero: Sql = exp.Nullif(this=right.copy(), expression=exp.Literal.number(0))
    if isinstance(right, exp.Literal) and float(right.this) != 0:
        zero = right.copy()
    return exp.Div(this=exp.cast(left.copy(), "double"), expression=zero, typed=True)


def case(pairs: Iterable[tuple[Sql, Sql]], otherwise: Sql | None = None) -> exp.Case:
    """The first result whose condition is true."""
    made = exp.Case()
    for condition, then in pairs:
        made = made.when(condition.copy(), then.copy(), copy=False)
    return made if otherwise is None else made.else_(otherwise.copy(), copy=False)


def is_null(made: Sql) -> Sql:
    """Whether something is null."""
    return exp.Is(this=bare(made.copy()), expression=exp.Null())


def not_null(made: Sql) -> Sql:
    """Whether something is not null."""
    return exp.Not(this=is_null(made))


def coalesce(parts: Sequence[Sql]) -> Sql:
    """The first that is not null; many are nested, since a function takes only so many."""
    most = 50
    while len(parts) > most:
        parts = [coalesce(parts[at : at + most]) for at in range(0, len(parts), most)]
    if len(parts) == 1:
        return parts[0].copy()
    return exp.Coalesce(this=parts[0].copy(), expressions=[part.copy() for part in parts[1:]])


def order_key(made: Sql, *, down: bool = False, nulls_first: bool = False) -> exp.Ordered:
    """A key to order by, with the place of its nulls."""
    return exp.Ordered(this=made.copy(), desc=down, nulls_first=nulls_first)


def by_keys(scope: QueryScope, keys: Sequence[SortKey]) -> list[exp.Ordered]:
    """Sort keys, nulls last."""
    return [order_key(scope.column(key.column), down=key.descending) for key in keys]


def over(
    made: Sql,
    by: Sequence[Sql] = (),
    order: Sequence[exp.Ordered] = (),
    rows_before: int | str | None = None,
) -> Sql:
    """A function over a window.

    Args:
        made: The function.
        by: What partitions the rows.
        order: What orders them.
        rows_before: The frame's length before the row; ``UNBOUNDED`` for all.
    """
    window = exp.Window(this=made, partition_by=[one.copy() for one in by])
    if order:
        window.set("order", exp.Order(expressions=[one.copy() for one in order]))
    if rows_before is not None:
        start = rows_before if isinstance(rows_before, str) else number(rows_before)
        frame = {"kind": "ROWS", "start": start, "start_side": "PRECEDING", "end": "CURRENT ROW"}
        window.set("spec", exp.WindowSpec(**frame))
    return window


def widen_cell(scope: QueryScope, made: Sql, dtype: Any) -> Sql:
    """A cell in a wider type."""
    if isinstance(dtype, nw.Datetime):
        return as_moment(scope, made, "date")
    if scope.lite or not dtype.is_numeric():
        return made
    return exp.cast(made, "bigint" if dtype.is_integer() else "double")


def as_moment(scope: QueryScope, made: Sql, kind: Kind) -> Sql:
    """A day as its midnight; a time stays as it is."""
    if kind != "date":
        return made
    if scope.lite:
        return exp.DPipe(this=made.copy(), expression=text(" 00:00:00"))
    return exp.cast(made.copy(), "timestamp")


def as_day(scope: QueryScope, made: Sql, kind: Kind) -> Sql:
    """A time as its day."""
    if kind == "date":
        return made
    if scope.lite:
        return call("SUBSTR", made, number(1), number(10))
    return exp.cast(made.copy(), "date")
