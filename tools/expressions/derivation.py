"""Derivation: expressions become lazy columns of a table; how many cells that loses is counted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any, NamedTuple

import narwhals as nw

from wideleaf.tools.conditions.literals import number_column, text_column
from wideleaf.tools.conditions.matching import condition_expr
from wideleaf.tools.expressions.casting import cast_expr
from wideleaf.tools.expressions.expression import (
    Across,
    Apply,
    Cases,
    Cast,
    Choose,
    Expression,
    Truth,
    Value,
    parts_within,
)
from wideleaf.tools.expressions.formulas import resolve_expression, split_args
from wideleaf.tools.expressions.functions import FUNCTIONS, ONCE
from wideleaf.tools.expressions.number_functions import row_aggregate, row_count, row_hits
from wideleaf.tools.expressions.text_functions import as_text
from wideleaf.tools.tables.extents import Wide, as_wide, wide_of
from wideleaf.tools.tables.table import Table

NULL_OF: dict[str, str] = {
    "/": "divisions by zero",
    "//": "divisions by zero",
    "%": "divisions by zero",
    "sqrt": "square roots of negative numbers",
    "log": "logarithms of numbers that are not positive",
    "log10": "logarithms of numbers that are not positive",
    "**": "powers that are no finite numbers",
    "exp": "powers that are no finite numbers",
    "date": "dates that no calendar has",
}
"""Functions that have no result for some of what they take, and what those are called."""
PARTIAL = ("sum", "mean")
"""Aggregates along the row that mean something else where some of its cells are missing."""


class Builder:
    """Writes resolved expressions over one table as lazy ones.

    Args:
        table: The table.

    Attributes:
        stages: What must be computed beforehand, under hidden names, so that it is done once.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.stages: list[tuple[str, nw.Expr]] = []

    def columns(self, made: dict[str, Expression]) -> nw.LazyFrame[Any]:
        """The table's frame with further columns."""
        built = [self._whole(one).alias(name) for name, one in made.items()]
        frame = self.table.frame
        for name, expr in self.stages:
            frame = frame.with_columns(expr.alias(name))
        frame = frame.with_columns(*built)
        return frame.drop(*(name for name, _ in self.stages)) if self.stages else frame

    def _whole(self, expression: Expression) -> nw.Expr:
        """An expression that is a column; a column of wide numbers stays what it is."""
        schema = self.table.schema
        if isinstance(expression, str) and wide_of(schema[expression]):
            return nw.col(expression)
        return self.build(expression)

    def build(self, expression: Expression) -> nw.Expr:
        """Write an expression; some of it may go into `stages`."""
        match expression:
            case str():
                return _column_expr(expression, self.table)
            case Value(value=value):
                return nw.lit(value)
            case Apply():
                return self._apply(expression)
            case Choose() | Cases():
                return self._cases(expression)
            case Truth(test=condition):
                return condition_expr(condition, self.table)
            case Cast(of=inner):
                kind = resolve_expression(inner, self.table)[1]
                engine = self.table.frame.implementation
                return cast_expr(expression, self._prepared(inner), kind, engine, self._stage)
            case Across():
                return self._across(expression)
            case _:
                return nw.lit(expression)

    def _apply(self, apply: Apply) -> nw.Expr:
        function = FUNCTIONS[apply.op]
        args, plain = split_args(apply, function)
        prepare = self.build if apply.op in ONCE else self._prepared
        built = [prepare(arg) for arg in args]
        if apply.wide:
            built = [self._wide(*pair, apply.wide) for pair in zip(args, built, strict=True)]
        wanted: dict[str, Any] = {}
        if apply.op == "concat" or "kind" in function.needs:
            kinds = [resolve_expression(arg, self.table)[1] for arg in args]
            if apply.op == "concat":
                built = [as_text(arg, kind) for arg, kind in zip(built, kinds, strict=True)]
            else:
                wanted["kind"] = kinds[0]
        if "stage" in function.needs:
            wanted["stage"] = self._stage
        if "engine" in function.needs:
            wanted["engine"] = self.table.frame.implementation
        return function.build(*built, *plain, **wanted)

    def _wide(self, arg: Expression, built: nw.Expr, wide: Wide) -> nw.Expr:
        """A part of arithmetic in the type that holds it, of cells as they are where they are."""
        held = isinstance(arg, str) and wide_of(self.table.schema[arg])
        return as_wide(nw.col(str(arg)) if held else built, wide)

    def _cases(self, expression: Choose | Cases) -> nw.Expr:
        made = None if expression.else_ is None else self.build(expression.else_)
        for case in reversed(expression.cases):
            chosen = nw.when(condition_expr(case.if_, self.table)).then(self.build(case.then))
            made = chosen if made is None else chosen.otherwise(made)
        assert made is not None
        return made

    def _across(self, across: Across) -> nw.Expr:
        table = self.table
        if across.op is not None:
            hits = [condition_expr(across.comparison(name), table) for name in across.columns]
            return row_hits(hits)
        if across.row == "count":
            cells = [nw.col(name) for name in across.columns]
        else:
            cells = [_cell(name, across.row, table) for name in across.columns]
            if across.wide:
                pairs = zip(across.columns, cells, strict=True)
                cells = [self._wide(name, cell, across.wide) for name, cell in pairs]
            elif len({table.schema[n].is_integer() for n in across.columns}) > 1:
                cells = [cell.cast(nw.Float64) for cell in cells]
        return row_aggregate(across.row, cells, across.columns, self._stage)

    def _prepared(self, expression: Expression) -> nw.Expr:
        """An expression for a builder that may use it often: computed beforehand if compound."""
        built = self.build(expression)
        simple = isinstance(expression, (str, bool, int, float, Value))
        return built if simple else self._stage(built)

    def _stage(self, expr: nw.Expr) -> nw.Expr:
        taken = {*self.table.columns, *(name for name, _ in self.stages)}
        name = next(n for n in (f"__stage_{i}" for i in count()) if n not in taken)
        self.stages.append((name, expr))
        return nw.col(name)


def _column_expr(name: str, table: Table) -> nw.Expr:
    if table.kind(name) == "number":
        return number_column(table, name)
    return text_column(table, name) if table.kind(name) == "text" else nw.col(name)


def _cell(name: str, row: str, table: Table) -> nw.Expr:
    if table.kind(name) == "boolean" and row not in ("first", "last"):
        return number_column(table, name)
    return _column_expr(name, table)


class Loss(NamedTuple):
    """What a part of an expression did to the cells it was given.

    Attributes:
        part: The part.
        given: In how many rows it was given all that it takes; along the row, some cells.
        lost: In how many of these it gave a null; along the row, lacked some cells.
    """

    part: Cast | Apply | Across
    given: int
    lost: int


def find_losses(expression: Expression, table: Table) -> list[Loss]:
    """What each part of a resolved expression lost; one query, or none where nothing can be."""
    parts = [
        part
        for part in parts_within(expression)
        if isinstance(part, Cast)
        or (isinstance(part, Apply) and part.op in NULL_OF)
        or (isinstance(part, Across) and part.row in PARTIAL)
    ]
    if not parts:
        return []
    made: dict[str, Expression] = {}
    for place, part in enumerate(parts):
        if not isinstance(part, Across):
            made[_hidden_name("after", place)] = part
            taken = enumerate(_taken(part))
            made |= {_hidden_name("before", place, number): one for number, one in taken}
    frame = Builder(table).columns(made) if made else table.frame
    totals = []
    for place, part in enumerate(parts):
        if isinstance(part, Across):
            count = _hidden_name("count", place)  # a column of its own: its expression is long
            told = row_count([nw.col(name) for name in part.columns])
            frame = frame.with_columns(told.alias(count))
            there, lost = nw.col(count) > 0, nw.col(count).is_between(1, len(part.columns) - 1)
        else:
            before = [_hidden_name("before", place, number) for number in range(len(_taken(part)))]
            there = nw.all_horizontal(
                *(~nw.col(one).is_null() for one in before), ignore_nulls=True
            )
            lost = there & nw.col(_hidden_name("after", place)).is_null()
        totals += [
            there.cast(nw.Int64).sum().alias(_hidden_name("given", place)),
            lost.cast(nw.Int64).sum().alias(_hidden_name("lost", place)),
        ]
    row = iter(frame.select(*totals).collect().row(0))
    return [Loss(part, int(next(row) or 0), int(next(row) or 0)) for part in parts]


def _taken(part: Cast | Apply) -> Sequence[Expression]:
    """The expressions a part is given, without its constants."""
    if isinstance(part, Cast):
        return [part.of]
    return split_args(part, FUNCTIONS[part.op])[0]


def _hidden_name(what: str, *places: int) -> str:
    return "_".join(["_", what, *map(str, places)])
