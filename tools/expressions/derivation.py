"""Derivation: expressions become lazy columns of a table; how many cells that loses is counted."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any, NamedTuple

import narwhals as nw

from wideleaf.tools.conditions.literals import number_column, text_column
from wideleaf.tools.conditions.matching import condition_expr
from wideleaf.tools.conditions.nodes import parts_within
from wideleaf.tools.expressions.casting import find_way
from wideleaf.tools.expressions.expression import (
    Across,
    Apply,
    Cases,
    Cast,
    Choose,
    Expression,
    Truth,
    Value,
)
from wideleaf.tools.expressions.formulas import resolve_expression, split_args
from wideleaf.tools.expressions.functions import FUNCTIONS
from wideleaf.tools.expressions.number_functions import ROW_FUNCTIONS, row_count, row_hits
from wideleaf.tools.tables.extents import Wide, as_wide, wide_of
from wideleaf.tools.tables.table import Kind, Table


class Builder:
    """Writes resolved expressions over one table as lazy ones.

    Args:
        table: The table.

    Attributes:
        stages: What must be computed beforehand, under hidden names, so that it is done once.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.stages: dict[str, nw.Expr] = {}

    def columns(self, expressions: dict[str, Expression]) -> nw.LazyFrame[Any]:
        """The table's frame with further columns."""
        return self.extend({name: self.whole(one) for name, one in expressions.items()})

    def extend(self, columns: dict[str, nw.Expr]) -> nw.LazyFrame[Any]:
        """The table's frame with columns that are built."""
        frame = self.table.frame
        for name, expr in self.stages.items():
            frame = frame.with_columns(expr.alias(name))
        frame = frame.with_columns(*(expr.alias(name) for name, expr in columns.items()))
        return frame.drop(*self.stages) if self.stages else frame

    def whole(self, expression: Expression) -> nw.Expr:
        """An expression that is a column; a column of wide numbers stays what it is."""
        schema = self.table.schema
        if isinstance(expression, str) and wide_of(schema[expression]):
            return nw.col(expression)
        return self.build(expression)

    def build(self, expression: Expression) -> nw.Expr:
        """Write an expression; some of it may go into `stages`."""
        match expression:
            case str():
                return _cell(expression, self.table)
            case Value(value=value):
                return nw.lit(value)
            case Apply():
                return self._apply(expression)
            case Choose() | Cases():
                return self._cases(expression)
            case Truth(test=condition):
                return condition_expr(condition, self.table)
            case Cast(of=inner):
                way, form = find_way(expression.cast, self._kind(inner), expression.format)
                engine = self.table.frame.implementation
                return way.write(self._prepare(inner), form, engine, self._stage)
            case Across():
                return self._across(expression)
            case _:
                return nw.lit(expression)

    def _apply(self, apply: Apply) -> nw.Expr:
        function = FUNCTIONS[apply.op]
        args, plain = split_args(apply)
        prepare = self.build if function.once else self._prepare
        operands = [prepare(arg) for arg in args]
        if apply.wide:
            operands = [self._wide(*pair, apply.wide) for pair in zip(args, operands, strict=True)]
        facts: dict[str, Callable[[], Any]] = {
            "kind": lambda: self._kind(args[0]),
            "kinds": lambda: [self._kind(arg) for arg in args],
            "stage": lambda: self._stage,
            "engine": lambda: self.table.frame.implementation,
        }
        context = {name: facts[name]() for name in function.needs}
        result: nw.Expr = function.build(*operands, *plain, **context)
        return result

    def _kind(self, expression: Expression) -> Kind:
        return resolve_expression(expression, self.table)[1]

    def _wide(self, arg: Expression, operand: nw.Expr, wide: Wide) -> nw.Expr:
        """A part of arithmetic in the type that holds it, of cells as they are where they are."""
        is_wide = isinstance(arg, str) and wide_of(self.table.schema[arg])
        return as_wide(nw.col(str(arg)) if is_wide else operand, wide)

    def _cases(self, expression: Choose | Cases) -> nw.Expr:
        result = None if expression.else_ is None else self.build(expression.else_)
        for case in reversed(expression.cases):
            branch = nw.when(condition_expr(case.if_, self.table)).then(self.build(case.then))
            result = branch if result is None else branch.otherwise(result)
        assert result is not None
        return result

    def _across(self, across: Across) -> nw.Expr:
        table = self.table
        if across.op is not None:
            hits = [condition_expr(across.comparison(name), table) for name in across.columns]
            return row_hits(hits)
        if across.row == "count":
            cells = [nw.col(name) for name in across.columns]
        else:
            counts = ROW_FUNCTIONS[across.row].counts_truth
            cells = [_cell(name, table, counts_truth=counts) for name in across.columns]
            if across.wide:
                pairs = zip(across.columns, cells, strict=True)
                cells = [self._wide(name, cell, across.wide) for name, cell in pairs]
            elif len({table.schema[n].is_integer() for n in across.columns}) > 1:
                cells = [cell.cast(nw.Float64) for cell in cells]
        return ROW_FUNCTIONS[across.row].build(cells, across.columns, self._stage)

    def _prepare(self, expression: Expression) -> nw.Expr:
        """An expression for a builder that may use it often: computed beforehand if compound."""
        result = self.build(expression)
        simple = isinstance(expression, (str, bool, int, float, Value))
        return result if simple else self._stage(result)

    def _stage(self, expr: nw.Expr) -> nw.Expr:
        names = (f"__stage_{place}" for place in count())
        name = next(n for n in names if n not in self.stages and n not in self.table.columns)
        self.stages[name] = expr
        return nw.col(name)


def _cell(name: str, table: Table, *, counts_truth: bool = False) -> nw.Expr:
    """A column in the type that its kind has in expressions."""
    kind = table.kind(name)
    if kind == "number" or (kind == "boolean" and counts_truth):
        return number_column(table, name)
    return text_column(table, name) if kind == "text" else nw.col(name)


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
        or (isinstance(part, Apply) and FUNCTIONS[part.op].null_of)
        or (isinstance(part, Across) and ROW_FUNCTIONS[part.row].partial)
    ]
    if not parts:
        return []
    builder = Builder(table)
    columns: dict[str, nw.Expr] = {}

    def hold(expr: nw.Expr) -> nw.Expr:
        """A column of its own: expressions are long, and what is told of them uses them often."""
        name = f"__part_{len(columns)}"
        columns[name] = expr
        return nw.col(name)

    totals = []
    for part in parts:
        if isinstance(part, Across):
            filled = hold(row_count([nw.col(name) for name in part.columns]))
            there, lost = filled > 0, filled.is_between(1, len(part.columns) - 1)
        else:
            inputs = [part.of] if isinstance(part, Cast) else split_args(part)[0]
            before = [~hold(builder.whole(one)).is_null() for one in inputs]
            there = nw.all_horizontal(*before, ignore_nulls=True)
            lost = there & hold(builder.whole(part)).is_null()
        totals += [there.cast(nw.Int64).sum(), lost.cast(nw.Int64).sum()]
    selection = [total.alias(f"__total_{place}") for place, total in enumerate(totals)]
    row = [int(total or 0) for total in builder.extend(columns).select(*selection).collect().row(0)]
    return [Loss(*one) for one in zip(parts, row[::2], row[1::2], strict=True)]
