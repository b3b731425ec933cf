"""Literals in conditions: fitted to the kind of their column, refused where they cannot be."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

import narwhals as nw

from wideleaf.tools.columns import need_kind
from wideleaf.tools.errors import ActionError
from wideleaf.tools.table import Kind, Table

Scalar = bool | int | float | str

NUMBER = r"^[+-]?(\d{1,3}(,\d{3})+|\d+)?(\.\d+)?([eE][+-]?\d+)?$"
"""A number as people write it, thousands in commas or not; the same text for every engine."""
ORDERINGS = ("<", "<=", ">", ">=", "between")
LARGEST_INTEGER = 2**63 - 1
_Text = TypeVar("_Text", str, nw.Expr)


def fitted_literal(
    table: Table, column: str, op: str, value: Scalar | None = None, other: str | None = None
) -> Any:
    """The literal in the column's kind: ``"1,250"`` becomes 1250 beside numbers.

    Dates stay ISO text and text stays as it was written.

    Raises:
        ActionError: If the column cannot be compared so, or the literal cannot be read.
    """
    kind = table.kind(column)
    if op in ("contains", "starts with", "ends with"):
        need_kind(table, [column], "text", purpose=repr(op))
    if kind == "other":
        raise ActionError(
            f"{column!r} holds {table.schema[column]}, which only 'is null' can test",
            kind="wrong type",
        )
    if other is not None:
        _need_comparable(table, column, other)
        return None
    if kind == "text":
        if op in ORDERINGS and not isinstance(value, str):
            raise ActionError(
                f"{column!r} is text and {value!r} is not; make it a number first: Derive with "
                f"cast",
                kind="wrong type",
            )
        return value
    fitted = _FITTING[kind](value)
    if fitted is None:
        raise ActionError(
            f"{column!r} is a {kind} column and {value!r} is no {kind}{_EXAMPLES[kind]}",
            kind="wrong type",
        )
    return fitted


def read_number(value: object) -> float | None:
    """A number, or a text that reads as one; None otherwise."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return value if abs(value) <= LARGEST_INTEGER else float(value)
    text = str(value).strip()
    if not re.match(NUMBER, text) or not re.search(r"\d", text):
        return None
    try:
        number = float(text.replace(",", ""))
    except ValueError:
        return None
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def read_date(value: object) -> date | None:
    """A date, or a datetime where a time is given, from ISO text; None otherwise."""
    if not isinstance(value, str):
        return None
    for read in (date.fromisoformat, datetime.fromisoformat):
        try:
            return read(value.strip())
        except ValueError:
            continue
    return None


def sides(
    table: Table, column: str, value: Scalar | tuple[Scalar, ...] | None, other: str | None = None
) -> tuple[nw.Expr, Any]:
    """The two sides of a comparison as the engine takes them.

    A date beside a datetime column compares with its day.
    """
    left: nw.Expr = nw.col(column)
    if other is not None:
        right = nw.col(other)
        if table.kind(column) != table.kind(other):
            return _day(table, column), _day(table, other)
        return left, right
    if table.kind(column) not in ("date", "datetime"):
        return left, value
    moment = read_date(value)
    if table.kind(column) == "datetime" and not isinstance(moment, datetime):
        return left.dt.date(), moment
    zone = getattr(table.schema[column], "time_zone", None)
    if isinstance(moment, datetime) and zone and moment.tzinfo is None:
        moment = moment.replace(tzinfo=ZoneInfo(zone))
    return left, moment


def text_column(table: Table, name: str) -> nw.Expr:
    """A text column as plain strings."""
    plain = isinstance(table.schema[name], nw.String)
    return nw.col(name) if plain else nw.col(name).cast(nw.String)


def number_column(table: Table, name: str) -> nw.Expr:
    """A number or boolean column in its widest type, so that no engine overflows a narrow one."""
    dtype = table.schema[name]
    wide = nw.Int64() if dtype.is_integer() or isinstance(dtype, nw.Boolean) else nw.Float64()
    return nw.col(name) if dtype == wide else nw.col(name).cast(wide)


def text_of(value: Scalar) -> str:
    """A literal as it would stand in a text cell."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def folded(text: _Text, *, trim: bool = True) -> _Text:
    """Text in lower case and, unless only a part is looked for, without blanks around it."""
    if isinstance(text, str):
        return text.strip().lower() if trim else text.lower()
    return (text.str.strip_chars() if trim else text).str.to_lowercase()


def _day(table: Table, column: str) -> nw.Expr:
    return nw.col(column).dt.date() if table.kind(column) == "datetime" else nw.col(column)


def _need_comparable(table: Table, column: str, other: str) -> None:
    kinds: set[Kind] = {table.kind(column), table.kind(other)}
    if len(kinds) > 1 and kinds != {"date", "datetime"}:
        raise ActionError(
            f"{column!r} is {table.kind(column)} and {other!r} is {table.kind(other)}; compare "
            f"columns of one kind, or Derive with cast first",
            kind="wrong type",
        )


def _read_boolean(value: object) -> bool | None:
    return {"true": True, "1": True, "false": False, "0": False}.get(str(value).strip().lower())


def _iso_date(value: object) -> str | None:
    moment = read_date(value)
    return None if moment is None or isinstance(moment, datetime) else str(value).strip()


def _iso_datetime(value: object) -> str | None:
    return None if read_date(value) is None else str(value).strip()


_FITTING: dict[Kind, Any] = {
    "number": read_number,
    "boolean": _read_boolean,
    "date": _iso_date,
    "datetime": _iso_datetime,
}
_EXAMPLES: dict[Kind, str] = {
    "number": "",
    "boolean": "; write true or false",
    "date": "; write '2024-05-31', or Derive the year or month first",
    "datetime": "; write '2024-05-31' or '2024-05-31T14:00'",
}
