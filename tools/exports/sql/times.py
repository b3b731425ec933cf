"""Times of facts as SQL: whether they compare with a period, and every year of a fact."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from wideleaf.tools.exports.sql.dates import PARTS
from wideleaf.tools.exports.sql.words import (
    QueryScope,
    Sql,
    binary,
    call,
    chain,
    coalesce,
    constant,
    is_null,
    not_null,
    number,
    quote_identifier,
    with_alias,
)
from wideleaf.tools.knowledge.sides import MEMBER, Sign
from wideleaf.tools.knowledge.times import Period
from wideleaf.tools.tables.relations import END, START

ENDS = {"time": (START, END), "start_time": (START, START), "end_time": (END, END)}
"""The first and last time that a key speaks of."""


def in_periods(key: str, sign: Sign, periods: Sequence[Period], scope: QueryScope) -> Sql:
    """Whether the time of a fact compares with one of these periods.

    Args:
        key: Which time.
        sign: How they compare.
        periods: Their first and last years or days.
        scope: What the query knows.
    """
    like: Sign = "=" if sign == "!=" else sign
    ends = [[constant(scope, end) for end in period] for period in periods]
    hits = chain(exp.Or, [_overlap(key, like, first, last) for first, last in ends])
    if sign != "!=":
        return hits
    return chain(exp.And, [_there(key), exp.Not(this=exp.Paren(this=hits))])


def in_members(key: str, sign: Sign, members: exp.Select) -> Sql:
    """Whether the time of a fact compares with a value of a query, which is called `MEMBER`."""
    member = _column(MEMBER)
    holds = [not_null(member), _overlap(key, sign, member, member)]
    return exp.Exists(this=exp.select(number(1)).from_(members.subquery("members")).where(*holds))


def years_sql(spans: exp.Select, key: str, scope: QueryScope) -> exp.Query:
    """Every year of each of some facts, once.

    Args:
        spans: Their starts and ends.
        key: What the year is called.
        scope: What the query knows; its table tells whether times are years.

    Raises:
        ActionError: If the dialect cannot count up.
    """
    if scope.dialect != "duckdb":
        scope.refuse("years are counted up from a start to an end, which duckdb alone can")
    ends: list[Sql] = [_column(START), _column(END)]
    if scope.table.kind(START) != "number":
        ends = [PARTS["year"](end, scope) for end in ends]
    first, last = coalesce(ends), coalesce(ends[::-1])
    every = with_alias(call("UNNEST", call("GENERATE_SERIES", first, last)), key)
    years = exp.select(every).from_(spans.subquery("facts"))
    made = with_alias(exp.cast(_column(key), "bigint"), key)
    return exp.select(made).from_(years.subquery("years")).distinct()


def _there(key: str) -> Sql:
    start, end = ENDS[key]
    if start == end:
        return not_null(_column(start))
    return exp.Paren(this=chain(exp.Or, [not_null(_column(start)), not_null(_column(end))]))


def _overlap(key: str, sign: Sign, first: Sql, last: Sql) -> Sql:
    """Whether a time from start to end compares with a period; what is open has no bound."""
    start, end = map(_column, ENDS[key])
    holds = [_there(key)]
    if sign in ("<", "<=", "="):
        within = binary(exp.LT, start, first) if sign == "<" else binary(exp.LTE, start, last)
        holds.append(exp.Paren(this=chain(exp.Or, [within, is_null(start)])))
    if sign in (">", ">=", "="):
        within = binary(exp.GT, end, last) if sign == ">" else binary(exp.GTE, end, first)
        holds.append(exp.Paren(this=chain(exp.Or, [within, is_null(end)])))
    return exp.Paren(this=chain(exp.And, holds))


def _column(name: str) -> exp.Column:
    return exp.column(quote_identifier(name))
