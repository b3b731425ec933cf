"""Cells of one type as another in SQL: days as times, times as days, narrow numbers as wide."""

from __future__ import annotations

from typing import Any

import narwhals as nw
from sqlglot import exp

from wideleaf.tools.plan_sql_words import Scope, Sql, call, number, text
from wideleaf.tools.table import Kind


def typed(scope: Scope, made: Sql, dtype: Any) -> Sql:
    """A cell in a wider type."""
    if isinstance(dtype, nw.Datetime):
        return as_moment(scope, made, "date")
    if scope.lite or not dtype.is_numeric():
        return made
    return exp.cast(made, "bigint" if dtype.is_integer() else "double")


def as_moment(scope: Scope, made: Sql, kind: Kind) -> Sql:
    """A day as its midnight; a time stays as it is."""
    if kind != "date":
        return made
    if scope.lite:
        return exp.DPipe(this=made.copy(), expression=text(" 00:00:00"))
    return exp.cast(made.copy(), "timestamp")


def as_day(scope: Scope, made: Sql, kind: Kind) -> Sql:
    """A time as its day."""
    if kind == "date":
        return made
    if scope.lite:
        return call("SUBSTR", made, number(1), number(10))
    return exp.cast(made.copy(), "date")
