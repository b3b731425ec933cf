"""Conditions as SQL: resolved comparisons, with nulls and folded texts as they are here."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sqlglot import exp

from wideleaf.tools.conditions.condition import PARTS_OF_TEXT, AllOf, AnyOf, Compare, Condition, Not
from wideleaf.tools.conditions.dates import read_period
from wideleaf.tools.conditions.literals import fold_text, literal_text, read_date
from wideleaf.tools.conditions.pattern_limits import read_pattern
from wideleaf.tools.conditions.patterns import BLANKS, write_pattern
from wideleaf.tools.exports.sql.dates import PARTS
from wideleaf.tools.exports.sql.words import (
    TRIED,
    QueryScope,
    Sql,
    as_day,
    binary,
    chain,
    coalesce,
    constant,
    is_null,
    not_null,
    number,
    text,
)

_ORDER: dict[str, type[Sql]] = {
    "==": exp.EQ,
    "!=": exp.NEQ,
    "<": exp.LT,
    "<=": exp.LTE,
    ">": exp.GT,
    ">=": exp.GTE,
}
RE2 = ("duckdb", "bigquery")
"""Dialects whose patterns are those of RE2, as Wideleaf writes them."""
MOST_LETTERS = 40


def condition_sql(condition: Condition, scope: QueryScope) -> Sql:
    """A resolved condition, null where it is unknown.

    Raises:
        ActionError: If the dialect has no words for it.
    """
    match condition:
        case Compare():
            return _compare(condition, scope)
        case AllOf(all=parts):
            return chain(exp.And, [condition_sql(part, scope) for part in parts])
        case AnyOf(any=parts):
            return chain(exp.Or, [condition_sql(part, scope) for part in parts])
        case Not(not_=part):
            return negate(condition_sql(part, scope))


def negate(made: Sql) -> Sql:
    """The opposite, unknown where it is unknown."""
    return exp.Not(this=exp.Paren(this=made))


def trim_sql(made: Sql, scope: QueryScope) -> Sql:
    """Text without blanks around it, by Wideleaf's list of them."""
    if scope.dialect in ("mysql", "tsql", "clickhouse", "hive", "spark", "databricks"):
        scope.refuse("its TRIM takes no set of blanks away; compare exactly (match: exact)")
    return exp.Trim(this=made.copy(), expression=text(BLANKS))


def fold_cell(
    made: Sql, values: tuple[str, ...], scope: QueryScope, *, part: bool, trim: bool
) -> Sql:
    """Text in lower case, exact as far as it is compared with the folded values.

    SQLite lowers the 26 plain letters only, so there the other capitals of the letters at hand
    are replaced beforehand; all other letters cannot make a cell equal.
    """
    bare = trim_sql(made, scope) if trim else made.copy()
    letters = {letter for value in values for letter in value}
    if letters & ({"i", "\u0307"} if part else {"\u0307"}):
        bare = _replaced(bare, "İ", "i\u0307")
    if scope.lite:
        capitals = [(c, low) for low in sorted(letters) for c in _capitals().get(low, ())]
        if len(capitals) > MOST_LETTERS:
            scope.refuse("it lowers plain letters only, and the text has too many others")
        for capital, low in capitals:
            bare = _replaced(bare, capital, low)
        return exp.Lower(this=bare)
    bare = exp.Lower(this=bare)
    return _replaced(bare, "ς", "σ") if "σ" in letters else bare


def _replaced(made: Sql, old: str, new: str) -> Sql:
    return exp.func("REPLACE", made, text(old), text(new))


@lru_cache(maxsize=1)
def _capitals() -> dict[str, tuple[str, ...]]:
    """The characters beyond the plain letters that fold to each one."""
    found: dict[str, tuple[str, ...]] = {}
    for code in range(0x80, 0x1E944):
        if 0xD800 <= code < 0xE000:
            continue
        char = chr(code)
        low = fold_text(char, trim=False)
        if low != char and len(low) == 1:
            found[low] = (*found.get(low, ()), char)
    return found


def _compare(compare: Compare, scope: QueryScope) -> Sql:
    name, op, table = compare.column, compare.op, scope.table
    column, kind = scope.column(name), table.kind(name)
    if op == "is null":
        return is_null(column)
    if op == "is not null":
        return not_null(column)
    if op == "is empty":
        if kind != "text":
            return is_null(column)
        empty = binary(exp.EQ, trim_sql(column, scope), text(""))
        return coalesce([exp.Paren(this=empty), exp.true()])
    if compare.part is not None:
        scope.need_clock(name)
        return _numbers(PARTS[compare.part](column, scope), compare)
    if kind == "text":
        return _texts(compare, scope)
    if kind in ("date", "datetime"):
        return _moments(compare, scope)
    if compare.other is not None:
        return binary(_ORDER[op], column, scope.column(compare.other))
    if kind == "boolean":
        return _among(column, [exp.Boolean(this=bool(v)) for v in compare.literals], op)
    return _numbers(column, compare)


def _numbers(column: Sql, compare: Compare) -> Sql:
    return _among(column, [number(float(v) if isinstance(v, float) else int(v))
                           for v in compare.literals], compare.op)  # fmt: skip


def _among(column: Sql, values: list[Sql], op: str) -> Sql:
    if op in ("in", "not in"):
        hits = exp.In(this=column, expressions=values)
        return hits if op == "in" else exp.Not(this=hits)
    if op == "between":
        return exp.Between(this=column, low=values[0], high=values[1])
    return binary(_ORDER[op], column, values[0])


def _moments(compare: Compare, scope: QueryScope) -> Sql:
    """A date beside dates; a month or a year means the days from its first to its last."""
    table, name, op = scope.table, compare.column, compare.op
    scope.need_clock(name)
    column, kind = scope.column(name), table.kind(name)
    if compare.other is not None:
        scope.need_clock(compare.other)
        other, beside = scope.column(compare.other), table.kind(compare.other)
        if kind != beside:
            column, other = as_day(scope, column, kind), as_day(scope, other, beside)
        return binary(_ORDER[op], column, other)
    spans = [_span(value, scope) for value in compare.literals]
    sides = [as_day(scope, column, kind) if days else column for _, _, days in spans]
    cell, (first, last, _) = sides[0], spans[0]
    if op in ("<", ">="):
        return binary(_ORDER[op], cell, first)
    if op in ("<=", ">"):
        return binary(_ORDER[op], cell, last)
    if op == "between":
        low, high = binary(exp.GTE, cell, first), binary(exp.LTE, sides[1], spans[1][1])
        return chain(exp.And, [low, high])
    inside = [
        binary(exp.EQ, side, start)
        if start == end
        else exp.Between(this=side.copy(), low=start, high=end)
        for side, (start, end, _) in zip(sides, spans, strict=True)
    ]
    hits = chain(exp.Or, inside)
    return negate(hits) if op in ("!=", "not in") else hits


def _span(value: Any, scope: QueryScope) -> tuple[Sql, Sql, bool]:
    """The first and the last that fit, and whether they are days."""
    period = read_period(str(value))
    if period is not None:
        return constant(scope, period.first), constant(scope, period.last), True
    moment = constant(scope, read_date(value))
    return moment, moment, False


def _texts(compare: Compare, scope: QueryScope) -> Sql:
    op, column = compare.op, scope.column(compare.column)
    values = tuple(literal_text(value) for value in compare.literals)
    other = scope.column(compare.other) if compare.other else None
    if op == "matches":
        return matches(column, write_pattern(read_pattern(values[0])), scope)
    part = op in PARTS_OF_TEXT
    if compare.match == "folded" or (part and compare.match is None):
        if other is not None:
            if scope.lite:
                scope.refuse("it lowers plain letters only; compare the columns exactly")
            every = ("i", "\u0307", "σ")
            column = fold_cell(column, every, scope, part=True, trim=True)
            other = fold_cell(other, every, scope, part=True, trim=True)
        else:
            values = tuple(fold_text(value, trim=not part) for value in values)
            column = fold_cell(column, values, scope, part=part, trim=not part)
    if other is not None:
        return binary(_ORDER[op], column, other)
    if not part:
        return _among(column, [text(value) for value in values], op)
    if values[0] == "":
        return binary(exp.EQ, column, column)
    wanted, length = text(values[0]), number(len(values[0]))
    if op == "contains":
        return binary(exp.GT, exp.StrPosition(this=column, substr=wanted), number(0))
    if scope.lite:
        start = number(1) if op == "starts with" else number(-len(values[0]))
        args = (column, start, length) if op == "starts with" else (column, start)
        return binary(exp.EQ, exp.Anonymous(this="SUBSTR", expressions=list(args)), wanted)
    side = exp.Left if op == "starts with" else exp.Right
    return binary(exp.EQ, side(this=column, expression=length), wanted)


def matches(column: Sql, pattern: str, scope: QueryScope) -> Sql:
    """Whether a written pattern finds something.

    Raises:
        ActionError: If the dialect has no such patterns.
    """
    if scope.dialect not in RE2:
        scope.refuse(f"its patterns are others or none; {TRIED[0]} has these")
    return exp.RegexpLike(this=column.copy(), expression=text(pattern))
