"""Conditions as pandas code: true, false or unknown, as nulls have it."""

from __future__ import annotations

from collections.abc import Container
from datetime import date
from typing import Any

from wideleaf.tools.conditions.condition import (
    PARTS_OF_TEXT,
    AllOf,
    AnyOf,
    Compare,
    Condition,
    Not,
)
from wideleaf.tools.conditions.dates import read_period
from wideleaf.tools.conditions.literals import fold_text, literal_text, read_date
from wideleaf.tools.conditions.pattern_limits import read_pattern
from wideleaf.tools.conditions.patterns import (
    ANY,
    Anchor,
    Chars,
    Either,
    PatternGroup,
    PatternNode,
    Repeat,
    Sequence,
    single,
)
from wideleaf.tools.exports.pandas.words import as_code, column, moment_code
from wideleaf.tools.tables.table import Table

_PART_CODES = {
    "year": ".dt.year", "quarter": ".dt.quarter", "month": ".dt.month",
    "week": ".dt.isocalendar().week", "day": ".dt.day", "weekday": ".dt.day_of_week",
    "day of year": ".dt.day_of_year", "days in month": ".dt.days_in_month", "hour": ".dt.hour",
    "minute": ".dt.minute", "second": ".dt.second",
}  # fmt: skip
CALENDAR_PARTS = tuple(_PART_CODES)
_METHODS = {"contains": "contains", "starts with": "startswith", "ends with": "endswith"}


def condition_code(condition: Condition, table: Table, frame: str) -> str:
    """A resolved condition as code of a nullable truth value."""
    match condition:
        case Compare():
            return _compare(condition, table, frame)
        case AllOf(all=parts):
            return _joined(" & ", parts, table, frame)
        case AnyOf(any=parts):
            return _joined(" | ", parts, table, frame)
        case Not(not_=part):
            return f"~({condition_code(part, table, frame)}).astype('boolean')"


def _joined(sign: str, parts: tuple[Condition, ...], table: Table, frame: str) -> str:
    return sign.join(f"({condition_code(part, table, frame)})" for part in parts)


def part_code(moment: str, part: str) -> str:
    """A part of a date as a whole number; weekdays count from Monday = 1."""
    more = " + 1" if part == "weekday" else ""
    code = f"{moment}{_PART_CODES[part]}.astype('Int64')"
    return f"({code}{more})" if more else code


def _compare(compare: Compare, table: Table, frame: str) -> str:
    cell, op, kind = column(frame, compare.column), compare.op, table.kind(compare.column)
    if op == "is null" or (op == "is empty" and kind != "text"):
        return f"{cell}.isna()"
    if op == "is not null":
        return f"{cell}.notna()"
    if op == "is empty":
        return f"{cell}.isna() | ({cell}.str.strip() == '')"
    if compare.part is not None:
        return _number(part_code(cell, compare.part), compare, floats=True)
    if kind == "text":
        return _text(compare, frame)
    if kind in ("date", "datetime"):
        return _moment(compare, table, frame)
    if compare.other is not None:
        return f"{cell} {op} {column(frame, compare.other)}"
    whole = all(isinstance(v, int) for v in compare.literals)
    floats = kind == "number" and not (whole and table.schema[compare.column].is_integer())
    return _number(cell, compare, floats=floats)


def _number(cell: str, compare: Compare, *, floats: bool) -> str:
    op, values = compare.op, list(compare.literals)
    if op in ("in", "not in"):
        if floats:
            cell, values = f"{cell}.astype('Float64')", [float(value) for value in values]
        return _negated(f"_is_in({cell}, {as_code(values)})", op == "not in")
    if op == "between":
        return f"({cell} >= {as_code(values[0])}) & ({cell} <= {as_code(values[1])})"
    return f"{cell} {op} {as_code(values[0])}"


def _text(compare: Compare, frame: str) -> str:
    cell, op = column(frame, compare.column), compare.op
    values = [literal_text(value) for value in compare.literals]
    other = column(frame, compare.other) if compare.other else None
    if op == "matches":
        return f"{cell}.str.contains({pattern_code(read_pattern(values[0]))}, regex=True)"
    if compare.match == "folded" or (op in PARTS_OF_TEXT and compare.match is None):
        trim = op not in PARTS_OF_TEXT
        more = "" if trim else ", trim=False"
        cell = f"_folded({cell}{more})"
        values = [fold_text(value, trim=trim) for value in values]
        other = other and f"_folded({other}{more})"
    if op in ("in", "not in"):
        return _negated(f"_is_in({cell}, {as_code(values)})", op == "not in")
    if op == "between":
        return f"({cell} >= {values[0]!r}) & ({cell} <= {values[1]!r})"
    if op in _METHODS:
        literal = ", regex=False" if op == "contains" else ""
        return f"{cell}.str.{_METHODS[op]}({values[0]!r}{literal})"
    return f"{cell} {op} {other or repr(values[0])}"


def _moment(compare: Compare, table: Table, frame: str) -> str:
    cell, op = column(frame, compare.column), compare.op
    if compare.other is not None:
        other = column(frame, compare.other)
        if table.kind(compare.column) != table.kind(compare.other):
            cell, other = (
                _day(c, n, table) for c, n in ((cell, compare.column), (other, compare.other))
            )
        return f"_known({cell} {op} {other}, {cell}, {other})"
    spans = [_span(cell, compare.column, value, table) for value in compare.literals]
    (moment, first, last) = spans[0]
    if op in ("<", ">=", "<=", ">"):
        edge = first if op in ("<", ">=") else last
        return f"_known({moment} {op} {moment_code(edge)}, {cell})"
    if op == "between":
        end, _, until = spans[1]
        low, high = f"{moment} >= {moment_code(first)}", f"{end} <= {moment_code(until)}"
        return f"_known(({low}) & ({high}), {cell})"
    inside = []
    for one, early, late in spans:
        if early == late:
            inside.append(f"({one} == {moment_code(early)})")
        else:
            edges = moment_code(early), moment_code(late)
            inside.append(f"(({one} >= {edges[0]}) & ({one} <= {edges[1]}))")
    return _negated(f"_known({' | '.join(inside)}, {cell})", op in ("!=", "not in"))


def _span(cell: str, name: str, value: Any, table: Table) -> tuple[str, date, date]:
    period = read_period(str(value))
    if period is not None:
        return _day(cell, name, table), period.first, period.last
    moment = read_date(value)
    assert moment is not None, "resolving sees to it"
    return cell, moment, moment


def _day(cell: str, name: str, table: Table) -> str:
    return f"{cell}.dt.normalize()" if table.kind(name) == "datetime" else cell


def _negated(code: str, negated: bool) -> str:
    return f"~{code}" if negated else code


def pattern_code(node: PatternNode, keep: Container[int] = ()) -> str:
    """A pattern as code of a text for Python's own regular expressions.

    Args:
        node: The tree; categories of characters are spelled out where the script runs.
        keep: The numbers of the groups that capture.
    """
    parts: list[str | tuple[str, ...]] = ["(?s)"]
    _write(node, keep, parts)
    made: list[str] = []
    text = ""
    for part in parts:
        if isinstance(part, str):
            text += part
            continue
        made += [repr(text), f"_category({', '.join(map(repr, part))})"]
        text = ""
    return " + ".join([*made, repr(text)] if text or not made else made)


def _write(node: PatternNode, keep: Container[int], to: list[str | tuple[str, ...]]) -> None:
    match node:
        case Chars():
            _write_set(node, to)
        case Anchor(at=at):
            to.append(r"\A" if at == "start" else r"\Z")
        case PatternGroup(inner=inner, number=number):
            to.append("(" if number in keep else "(?:")
            _write(inner, keep, to)
            to.append(")")
        case Repeat(inner=inner, least=least, most=most, lazy=lazy):
            to.append("(?:")
            _write(inner, keep, to)
            to.append(f"){{{least},{'' if most is None else most}}}" + ("?" if lazy else ""))
        case Sequence(parts=parts):
            for part in parts:
                to.append("(?:")
                _write(part, keep, to)
                to.append(")")
        case Either(branches=branches):
            for place, branch in enumerate(branches):
                to.append("|" if place else "")
                _write(branch, keep, to)


def _write_set(one: Chars, to: list[str | tuple[str, ...]]) -> None:
    if one == ANY:
        to.append(".")
    elif single(one):
        to.append(_char(one.ranges[0][0]))
    else:
        to.append("[^" if one.negated else "[")
        to.extend(f"{_char(low)}-{_char(high)}" for low, high in one.ranges)
        if one.categories:
            to.append(one.categories)
        to.append("]")


def _char(code: int) -> str:
    char = chr(code)
    return char if char.isascii() and char.isalnum() else f"\\U{code:08x}"
