"""Matching: a condition is fitted to the data once, and is a lazy expression from then on."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import narwhals as nw

from wideleaf.tools.conditions.calendar_parts import PARTS
from wideleaf.tools.conditions.condition import (
    EQUALITIES,
    NULL_TESTS,
    PARTS_OF_TEXT,
    AllOf,
    AnyOf,
    Compare,
    Condition,
    Not,
    compares,
    map_comparisons,
)
from wideleaf.tools.conditions.dates import read_period
from wideleaf.tools.conditions.literals import (
    day_of,
    fit_literal,
    fit_part,
    fold_text,
    literal_text,
    number_column,
    sides,
    text_column,
    trim_text,
)
from wideleaf.tools.conditions.patterns import read_pattern, write_pattern
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.columns import resolve_column
from wideleaf.tools.tables.table import Table

Align = Callable[[str, Sequence[str]], str | None]
"""Finds the one value of a column that is meant by words, or None."""
DISTINCT_VALUES_READ = 20_000
_ORDER: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def resolve_condition(condition: Condition, table: Table, align: Align | None = None) -> Condition:
    """Fit a condition to a table: names, literals of the columns' kinds, and how text matches.

    Text compares exactly where a cell matches exactly, else case-folded and trimmed; among
    several literals one that matches only folded makes the whole comparison folded. A text that
    matches neither way stands for the value that is meant by it, where one is.

    Args:
        condition: What to fit.
        table: To what.
        align: Finds the value that is meant by words; without it they match nothing.

    Raises:
        ActionError: If a column is unknown or a literal does not fit its column.
    """
    fitted = map_comparisons(condition, lambda compare: _fitted(compare, table))
    open_ = [c for c in compares(fitted) if _needs_match(c, table)]
    if not open_:
        return fitted
    pairs = [(c, target) for c in open_ for target in (c.literals or (c.other,))]
    exact = _found(pairs, table, fold=False)
    missing = [pair for pair in pairs if pair not in exact]
    by_folding = _found(missing, table, fold=True)
    lost = [pair for pair in missing if pair not in by_folding] if align else []
    meant = {(c, said): value for c, said, value in _meant(lost, table, align)} if align else {}

    def decided(compare: Compare) -> Compare:
        if not _needs_match(compare, table):
            return compare
        words = (said for said in compare.as_written if isinstance(said, str))
        instead = tuple((w, meant[compare, w]) for w in words if (compare, w) in meant)
        only_folded = any(c == compare for c, _ in by_folding)
        is_exact = any(c == compare for c, _ in exact) and not only_folded
        is_exact |= bool(instead) and not only_folded
        match = "exact" if is_exact else "folded"
        return compare.model_copy(update={"match": match, "meant": instead})

    return map_comparisons(fitted, decided)


def condition_expr(condition: Condition, table: Table) -> nw.Expr:
    """Write a resolved condition as an expression, null where it is unknown."""
    match condition:
        case Compare():
            return _compare_expr(condition, table)
        case AllOf(all=parts):
            return nw.all_horizontal(*_each(parts, table), ignore_nulls=False)
        case AnyOf(any=parts):
            return nw.any_horizontal(*_each(parts, table), ignore_nulls=False)
        case Not(not_=part):
            return ~condition_expr(part, table)


def _each(parts: Sequence[Condition], table: Table) -> list[nw.Expr]:
    return [condition_expr(part, table) for part in parts]


def _fitted(compare: Compare, table: Table) -> Compare:
    column = resolve_column(compare.column, table)
    update: dict[str, Any] = {"column": column}
    if compare.figure is not None:
        raise ActionError(
            f"the {compare.figure} is no value here; add it as a column first, with Aggregate and "
            "a cross Join, or compare with it in Filter or Derive",
            kind="argument value",
        )
    if compare.part is not None:
        values = tuple(fit_part(table, column, compare.part, v) for v in compare.as_written)
        update["value"] = values if isinstance(compare.value, tuple) else values[0]
    elif compare.other is not None:
        update["other"] = resolve_column(compare.other, table)
        fit_literal(table, column, compare.op, other=update["other"])
    elif compare.op not in NULL_TESTS:
        values = tuple(fit_literal(table, column, compare.op, v) for v in compare.as_written)
        update["value"] = values if isinstance(compare.value, tuple) else values[0]
        if compare.op == "matches":
            read_pattern(str(compare.value))
    return compare.model_copy(update=update)


def _needs_match(compare: Compare, table: Table) -> bool:
    return (
        compare.match is None and compare.op in EQUALITIES and table.kind(compare.column) == "text"
    )


def _meant(
    lost: Sequence[tuple[Compare, Any]], table: Table, align: Align
) -> Iterator[tuple[Compare, str, str]]:
    """Of comparisons and words that no cell equals, those words by which a value is meant."""
    values: dict[str, list[str]] = {}
    for compare, said in lost:
        if not isinstance(said, str) or compare.other:
            continue
        if compare.column not in values:
            values[compare.column] = distinct_texts(table, compare.column)
        there = values[compare.column]
        value = align(said, there) if len(there) <= DISTINCT_VALUES_READ else None
        if value is not None:
            yield compare, said, value


def absent_literals(condition: Condition, table: Table) -> list[tuple[Compare, str]]:
    """Texts of a resolved condition that are compared with a text column in which none is equal.

    That a text is in no cell, and how many there are, can be told where no cell may be.
    """
    pairs = [
        (compare, said)
        for compare in compares(condition)
        if compare.op in EQUALITIES and table.kind(compare.column) == "text"
        for said in compare.literals
        if isinstance(said, str)
    ]
    there = _found(pairs, table, fold=False)
    missing = [pair for pair in pairs if pair not in there]
    folded = _found([pair for pair in missing if pair[0].match == "folded"], table, fold=True)
    return [pair for pair in missing if pair not in folded]


def distinct_texts(table: Table, column: str) -> list[str]:
    """The different texts of a column, sorted; of very many one more than are looked at."""
    texts = text_column(table, column).alias(column)
    cells = table.frame.select(texts).unique().head(DISTINCT_VALUES_READ + 1).collect()[column]
    return sorted(cell for cell in cells.to_list() if cell is not None)


def _found(
    pairs: Sequence[tuple[Compare, Any]], table: Table, *, fold: bool
) -> list[tuple[Compare, Any]]:
    """Those comparisons and targets that some cell equals; one query for all."""
    if not pairs:
        return []
    tests = []
    for compare, target in pairs:
        one = compare.model_copy(
            update={
                "op": "==",
                "value": None if compare.other else target,
                "match": "folded" if fold else "exact",
            }
        )
        tests.append(_compare_expr(one, table))
    if len(tests) == 1:  # an engine may stop at the first cell
        first = table.frame.filter(tests[0]).select(pairs[0][0].column)
        return [*pairs] if len(first.head(1).collect()) else []
    found = (test.any().alias(str(place)) for place, test in enumerate(tests))
    row = table.frame.select(*found).collect().row(0)
    return [pair for pair, hit in zip(pairs, row, strict=True) if hit]


def _compare_expr(compare: Compare, table: Table) -> nw.Expr:
    name, op = compare.column, compare.op
    if op == "is null":
        return nw.col(name).is_null()
    if op == "is not null":
        return ~nw.col(name).is_null()
    if op == "is empty":
        if table.kind(name) == "text":
            return (trim_text(text_column(table, name)) == "").fill_null(True)
        return nw.col(name).is_null()
    if compare.part is not None:
        return _number_expr(PARTS[compare.part](nw.col(name)), compare)
    if table.kind(name) == "text":
        return _text_expr(compare, table)
    if table.kind(name) in ("date", "datetime") and compare.other is None:
        return _moment_expr(compare, table)
    if op in ("in", "not in"):
        hits = _is_in(compare, table)
        return ~hits if op == "not in" else hits
    if op == "between":
        (above, low), (below, high) = (sides(table, name, value) for value in compare.literals)
        return _ordered(above, ">=", low) & _ordered(below, "<=", high)
    column, target = sides(table, name, compare.value, compare.other)
    return _ordered(column, op, target)


def _number_expr(number: nw.Expr, compare: Compare) -> nw.Expr:
    op, values = compare.op, list(compare.literals)
    if op in ("in", "not in"):
        hits = number.cast(nw.Float64).is_in([float(value) for value in values])
        return ~hits if op == "not in" else hits
    if op == "between":
        return number.is_between(values[0], values[1])
    return _ordered(number, op, values[0])


def _moment_expr(compare: Compare, table: Table) -> nw.Expr:
    """A date beside dates; a month or a year means the days from its first to its last."""
    spans = [_span(compare.column, value, table) for value in compare.literals]
    (moment, first, last), op = spans[0], compare.op
    match op:
        case "<" | ">=":
            return _ordered(moment, op, first)
        case "<=" | ">":
            return _ordered(moment, op, last)
        case "between":
            end, _, until = spans[1]
            between: nw.Expr = (moment >= first) & (end <= until)
            return between
        case _:
            inside = [
                (moment >= first) & (moment <= last) if first != last else moment == first
                for moment, first, last in spans
            ]
            hits = nw.any_horizontal(*inside, ignore_nulls=False)
            return ~hits if op in ("!=", "not in") else hits


def _span(column: str, value: Any, table: Table) -> tuple[nw.Expr, Any, Any]:
    """A column beside a literal, as days where that is days: the first and the last that fit."""
    period = read_period(str(value))
    if period is not None:
        return day_of(table, column), *period
    moment, target = sides(table, column, value)
    return moment, target, target


def _text_expr(compare: Compare, table: Table) -> nw.Expr:
    column, op = text_column(table, compare.column), compare.op
    values = [literal_text(value) for value in compare.literals]
    other = text_column(table, compare.other) if compare.other else None
    if op == "matches":
        return column.str.contains(write_pattern(read_pattern(values[0])))
    if compare.match == "folded" or (op in PARTS_OF_TEXT and compare.match is None):
        trim = op not in PARTS_OF_TEXT
        column = fold_text(column, trim=trim)
        values = [fold_text(value, trim=trim) for value in values]
        other = None if other is None else fold_text(other, trim=trim)
    match op:
        case "in":
            return column.is_in(values)
        case "not in":
            return ~column.is_in(values)
        case "between":
            # A text given to is_between would be taken for the name of a column.
            between: nw.Expr = (column >= values[0]) & (column <= values[1])
            return between
        case "contains":
            return column.str.contains(values[0], literal=True)
        case "starts with":
            return column.str.starts_with(values[0])
        case "ends with":
            return column.str.ends_with(values[0])
        case _:
            return _ordered(column, op, values[0] if other is None else other)


def _is_in(compare: Compare, table: Table) -> nw.Expr:
    if table.kind(compare.column) == "number":
        column, values = number_column(table, compare.column), list(compare.literals)
        if all(isinstance(v, int) for v in values) and table.schema[compare.column].is_integer():
            return column.is_in(values)
        return column.cast(nw.Float64).is_in([float(v) for v in values])
    pairs = (sides(table, compare.column, value) for value in compare.literals)
    return nw.any_horizontal(
        *(_ordered(column, "==", value) for column, value in pairs), ignore_nulls=False
    )


def _ordered(column: nw.Expr, op: str, target: Any) -> nw.Expr:
    compared: nw.Expr = _ORDER[op](column, target)
    return compared
