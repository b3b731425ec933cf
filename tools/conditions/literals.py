"""Literals in conditions: fitted to the kind of their column, refused where they cannot be."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

import narwhals as nw

from wideleaf.tools.cells.number_forms import find_mark
from wideleaf.tools.conditions.dates import (
    EXAMPLES,
    MONTHS,
    WEEKDAYS,
    absolute,
    calendar_number,
    iso_text,
    read_period,
)
from wideleaf.tools.errors import ActionError
from wideleaf.tools.plain_data import whole
from wideleaf.tools.tables.columns import need_kind
from wideleaf.tools.tables.table import Kind, Table

Scalar = bool | int | float | str

BLANKS = "".join(chr(c) for c in range(0x3001) if chr(c).isspace())
"""What counts as a blank, on every engine; engines' own trims differ."""

NUMBER = r"^[+-]?(\d{1,3}(,\d{3})+|\d+)?(\.\d+)?([eE][+-]?\d+)?$"
"""A number as people write it, thousands in commas or not; the same text for every engine."""
_DECIMAL_COMMA = re.compile(r"^[+-]?\d+,(\d{1,2}|\d{4,})$")
ORDERINGS = ("<", "<=", ">", ">=", "between")
TRUE = ("true", "yes", "1", "t", "y", "1.0")
FALSE = ("false", "no", "0", "f", "n", "0.0")
_Text = TypeVar("_Text", str, nw.Expr)


def fit_literal(
    table: Table, column: str, op: str, value: Scalar | None = None, other: str | None = None
) -> Any:
    """The literal in the column's kind: ``"1,250"`` becomes 1250 beside numbers.

    Dates stay ISO text and text stays as it was written.

    Raises:
        ActionError: If the column cannot be compared so, or the literal cannot be read.
    """
    kind = table.kind(column)
    if op in ("contains", "starts with", "ends with", "matches"):
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
    fitted: Scalar | None
    if kind in ("date", "datetime"):
        zone = getattr(table.schema[column], "time_zone", None)
        fitted = _fit_moment(value, kind, zone)
    else:
        fitted = read_number(value) if kind == "number" else read_boolean(value)
    if fitted is None:
        raise ActionError(
            f"{column!r} is a {kind} column and {value!r} is no {kind}{_EXAMPLES[kind]}",
            kind="wrong type",
        )
    return fitted


def fit_part(table: Table, column: str, part: str, value: Scalar) -> float:
    """The number of a part of a date; months and weekdays may be named.

    Raises:
        ActionError: If the column has no such part, or the value is no number.
    """
    kinds = ("datetime",) if part == "hour" else ("date", "datetime")
    need_kind(table, [column], *kinds, purpose=f"the {part}")
    names = {"month": MONTHS, "weekday": WEEKDAYS}.get(part, ())
    ordinal = calendar_number(value, names) if isinstance(value, str) else None
    number = read_number(value) if ordinal is None else ordinal
    if number is None:
        example = f"a number or a name such as {names[5]!r}" if names else "a number"
        raise ActionError(f"{value!r} is no {part}; write {example}", kind="wrong type")
    return number


def read_number(value: object) -> float | None:
    """A number, or a text that reads as one, with its unit or currency; None otherwise.

    Columns of amounts are read without their unit, so ``5.2 %`` beside one of them is 5.2.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        number: float | None = whole(value)
        return number
    text = str(value).strip()
    if mark := find_mark([text]):
        text = text.replace(mark, "", 1).strip()
    if _DECIMAL_COMMA.match(text):
        text = text.replace(",", ".")
    if not re.match(NUMBER, text) or not re.search(r"\d", text):
        return None
    try:
        amount: float = whole(float(text.replace(",", "")))
    except ValueError:
        return None
    return int(amount) if amount.is_integer() and abs(amount) < 2**53 else amount


def read_date(value: object) -> date | None:
    """A date, or a datetime where a time is given, from ISO text; None otherwise."""
    if not isinstance(value, str):
        return None
    for parse in (date.fromisoformat, datetime.fromisoformat):
        try:
            return parse(value.strip())
        except ValueError:
            continue
    return None


def read_moment(table: Table, column: str, value: object) -> date | None:
    """A date as `read_date` reads it, in the zone of the column beside which it stands."""
    moment = read_date(value)
    zone = getattr(table.schema[column], "time_zone", None)
    if isinstance(moment, datetime) and zone and moment.tzinfo is None:
        return moment.replace(tzinfo=ZoneInfo(zone))
    return moment


def text_column(table: Table, name: str) -> nw.Expr:
    """A text column as plain strings."""
    plain = isinstance(table.schema[name], nw.String)
    return nw.col(name) if plain else nw.col(name).cast(nw.String)


def number_column(table: Table, name: str) -> nw.Expr:
    """A number or boolean column in its widest type, so that no engine overflows a narrow one."""
    dtype = table.schema[name]
    wide = nw.Int64() if dtype.is_integer() or isinstance(dtype, nw.Boolean) else nw.Float64()
    return nw.col(name) if dtype == wide else nw.col(name).cast(wide)


def float_cell(table: Table, column: str) -> nw.Expr:
    """A number as a float; a not-a-number is a null."""
    return number_column(table, column).cast(nw.Float64).fill_nan(None)


def finite_cell(table: Table, column: str) -> nw.Expr:
    """A number as a float; null where it is no finite one."""
    cell = float_cell(table, column)
    return nw.when(cell.is_finite()).then(cell)


def literal_text(value: Scalar) -> str:
    """A literal as it would stand in a text cell."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def fold_text(text: _Text, *, trim: bool = True) -> _Text:
    """Text in lower case and, unless only a part is looked for, without blanks around it."""
    # A final sigma is a sigma, and one engine has no dot left over from a Turkish capital.
    if isinstance(text, str):
        lower = (text.strip(BLANKS) if trim else text).replace("İ", "i\u0307").lower()
        return lower.replace("ς", "σ")
    bare = trim_text(text) if trim else text
    dotted = bare.str.replace_all("İ", "i\u0307", literal=True)
    return dotted.str.to_lowercase().str.replace_all("ς", "σ", literal=True)


def trim_text(text: nw.Expr) -> nw.Expr:
    """Text without blanks around it; what a blank is, engines' own trims do not agree on."""
    # An end at a time: of both ends at once narwhals takes no given signs on ibis.
    return text.str.strip_chars_start(BLANKS).str.strip_chars_end(BLANKS)


def day_of(table: Table, column: str) -> nw.Expr:
    """A date column, or the days of a datetime column."""
    return nw.col(column).dt.date() if table.kind(column) == "datetime" else nw.col(column)


def _need_comparable(table: Table, column: str, other: str) -> None:
    kinds: set[Kind] = {table.kind(column), table.kind(other)}
    if len(kinds) > 1 and kinds != {"date", "datetime"}:
        raise ActionError(
            f"{column!r} is {table.kind(column)} and {other!r} is {table.kind(other)}; compare "
            f"columns of one kind, or Derive with cast first",
            kind="wrong type",
        )


def read_boolean(value: object) -> bool | None:
    """A truth value, or a text or number that reads as one; None otherwise."""
    text = str(value).strip(BLANKS).lower()
    return True if text in TRUE else False if text in FALSE else None


def _fit_moment(value: object, kind: Kind, zone: str | None) -> str | None:
    """ISO text of a day, a period or a time; what is relative to today is made absolute."""
    if isinstance(value, (bool, float)):
        return None
    text = iso_text(str(value))
    text = absolute(text, ZoneInfo(zone) if zone else None) or text
    if read_period(text) is not None:
        return text
    moment = read_date(text)
    if kind == "datetime":
        if zone is None and isinstance(moment, datetime) and moment.tzinfo is not None:
            # Clocks without a zone were read so, with a Z left out; any other zone is refused.
            return None if moment.utcoffset() else moment.replace(tzinfo=None).isoformat()
        return None if moment is None else text
    if text.lower() != str(value).strip().lower() and isinstance(moment, datetime):
        return moment.date().isoformat()  # beside a date, now is today
    if isinstance(moment, datetime):
        midnight = moment.tzinfo is None and moment.time() == datetime.min.time()
        return moment.date().isoformat() if midnight else None
    return None if moment is None else moment.isoformat()


_EXAMPLES: dict[str, str] = {
    "number": "",
    "boolean": "; write true or false",
    "date": f"; write '2024-05-31', '2024-05' or {EXAMPLES}, or give a part such as month",
    "datetime": f"; write '2024-05-31T14:00', '2024-05' or {EXAMPLES}, or give a part",
}
