"""Times of facts: which facts have a year or day that compares, and every year of a fact.

A fact has every year from its start to its end (TrustUQA's mapping of temporal facts, without
counting the years up); a start or end that is not there is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals as nw

from wideleaf.tools.conditions.dates import read_period
from wideleaf.tools.conditions.literals import Scalar, read_number
from wideleaf.tools.errors import ActionError
from wideleaf.tools.knowledge.sides import (
    KEY,
    MEMBER,
    Members,
    Sign,
    member_values,
    with_key,
)
from wideleaf.tools.tables.relations import END, START
from wideleaf.tools.tables.table import Table

Period = tuple[Any, Any]
_FARTHEST = 10**9
"""Numbers of so many years are none."""


def read_periods(times: Scalar | tuple[Scalar, ...] | None, facts: Table) -> list[Period]:
    """The first and last year, or day, of each time that is named.

    Raises:
        ActionError: If one is no time.
    """
    years = facts.kind(START) == "number"
    periods: list[Period] = []
    for one in times if isinstance(times, tuple) else (times,):
        period = read_period(str(one))
        number = read_number(one) if years else None
        if number is not None and abs(number) < _FARTHEST and float(number).is_integer():
            periods.append((int(number), int(number)))
        elif period is not None:
            periods.append((period[0].year, period[1].year) if years else (period[0], period[1]))
        else:
            form = "a year, as in 1999" if years else "a year or day, as in 1999 or 1999-12-31"
            raise ActionError(f"{one!r} is no time; write {form}", kind="wrong type")
    return periods


def within_periods(facts: Table, key: str, sign: Sign, periods: Sequence[Period]) -> Table:
    """The facts whose time compares with one of these periods.

    Args:
        facts: Facts with times.
        key: ``time`` for any of their years, ``start_time`` or ``end_time``.
        sign: How they compare.
        periods: As `read_periods` gives them.
    """
    start, end = _ends(key)
    equal = [_overlap(start, end, "=" if sign == "!=" else sign, *one) for one in periods]
    hits = nw.any_horizontal(*equal, ignore_nulls=True)
    there = ~(start.is_null() & end.is_null())
    return Table(facts.frame.filter((~hits & there) if sign == "!=" else hits))


def within_members(facts: Table, key: str, members: Members) -> Table:
    """The facts whose time compares with a value of a frame; not with ``!=``."""
    sign, member = members.sign, nw.col(MEMBER)
    values = member_values(members, with_key(facts, START), KEY).unique()
    if sign[0] in "<>":
        values = values.select(member.min() if sign[0] == ">" else member.max())
        values = values.filter(~member.is_null())
    # Each fact once, however many values its time has: spans are matched, and then facts.
    start, end = _ends(key)
    spans = facts.frame.select(START, END).unique().join(values, how="cross")
    hits = spans.filter(_overlap(start, end, sign, member, member)).select(*_span()).unique()
    names = hits.collect_schema().names()
    matches = facts.frame.with_columns(*_span()).join(hits, on=names, how="semi")
    return Table(matches.select(*facts.columns))


def years_of(facts: Table, name: str) -> nw.LazyFrame[Any]:
    """Every year of each fact, one row a year; of an open one the end that is known."""
    years = [
        nw.col(one) if facts.kind(one) == "number" else nw.col(one).dt.year().cast(nw.Int64)
        for one in (START, END)
    ]
    spans = facts.frame.select(
        nw.coalesce(*years).alias(START), nw.coalesce(*reversed(years)).alias(END)
    )
    native: Any = nw.to_native(spans.filter(~nw.col(START).is_null()))
    if spans.implementation.is_polars():
        import polars as pl

        every = pl.int_ranges(pl.col(START), pl.col(END) + 1).alias(name)
        rows: Any = native.select(every).explode(name)
    elif spans.implementation.is_spark_like():
        from pyspark.sql import functions

        rows = native.select(functions.explode(functions.sequence(START, END)).alias(name))
    elif spans.implementation.is_ibis():
        import ibis

        rows = native.select(ibis.range(native[START], native[END] + 1).unnest().name(name))
    else:
        import duckdb

        every_sql = f'unnest(generate_series("{START}", "{END}"))'
        rows = native.select(duckdb.SQLExpression(every_sql).alias(name))
    frame: nw.LazyFrame[Any] = nw.from_native(rows)
    return frame.select(nw.col(name).cast(nw.Int64)).filter(~nw.col(name).is_null())


def _span() -> list[nw.Expr]:
    """Start and end as columns to join by, in which nulls equal each other."""
    start, end = nw.col(START), nw.col(END)
    cells = {"from": nw.coalesce(start, end), "to": nw.coalesce(end, start)}
    cells |= {"open_start": start.is_null(), "open_end": end.is_null()}
    return [cell.alias(f"__{name}") for name, cell in cells.items()]


def _ends(key: str) -> tuple[nw.Expr, nw.Expr]:
    """The first and last time that a key speaks of."""
    start, end = nw.col(START), nw.col(END)
    return {"start_time": (start, start), "end_time": (end, end)}.get(key, (start, end))


def _overlap(start: nw.Expr, end: nw.Expr, sign: Sign, first: Any, last: Any) -> nw.Expr:
    """Whether a time from start to end compares with a period; what is open has no bound."""
    before = {"<": start < first, "<=": start <= last, "=": start <= last}
    behind = {">": end > last, ">=": end >= first, "=": end >= first}
    there = ~(start.is_null() & end.is_null())
    hits = there
    if sign in before:
        hits = hits & (before[sign] | start.is_null())
    if sign in behind:
        hits = hits & (behind[sign] | end.is_null())
    return hits
