"""Casting: how cells of one kind become another, a row each, and how numbers are written."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import narwhals as nw

from wideleaf.tools.conditions.literals import FALSE, NUMBER, TRUE, trim_text
from wideleaf.tools.conditions.patterns import literal_pattern
from wideleaf.tools.errors import ActionError
from wideleaf.tools.expressions.date_formats import (
    Format,
    date_of_text,
    datetime_of_text,
    format_date,
    read_date_format,
    read_format,
)
from wideleaf.tools.expressions.text_functions import as_text
from wideleaf.tools.tables.table import Kind
from wideleaf.tools.words import short_text

_SAMPLE = re.compile(r"(\()?([^\d.,]*?)\s*[+-]?(\d[\d.,' \u00a0\u202f]*\d|\d)\s*([^\d()]*)(\))?")


class NumberForm(NamedTuple):
    """How the numbers of a column are written.

    Attributes:
        prefix: A sign such as ``$`` that may stand before.
        suffix: A unit that may stand behind; a percent sign must, and divides by 100.
        point: What stands before the decimals.
        group: What stands between thousands.
        brackets: Whether brackets mean a negative number.
    """

    prefix: str
    suffix: str
    point: str
    group: str
    brackets: bool


def read_number_form(sample: str) -> NumberForm:
    """The form of which one cell is given, such as ``1.234,5 €``, ``5%`` or ``(1,234)``.

    Raises:
        ValueError: If it shows no number.
    """
    match = _SAMPLE.fullmatch(short_text(sample))
    if match is None or bool(match[1]) != bool(match[5]):
        raise ValueError(f"{sample!r} shows no number; write a cell such as '1.234,5 €' or '5%'")
    signs = re.sub(r"\d", "", match[3])
    last = signs[-1:]
    if last not in (".", ",") or (
        len(set(signs)) == 1 and (len(signs) > 1 or re.search(r",\d{3}$", match[3]))
    ):
        point = "," if last == "." and len(signs) > 1 else "."
        group = last or ","
    else:
        point, group = last, next((s for s in signs if s != last), "." if last == "," else ",")
    return NumberForm(match[2].strip(), match[4].strip(), point, group, bool(match[1]))


def number_of_text(text: nw.Expr, form: NumberForm | None = None) -> nw.Expr:
    """The number that a text reads as."""
    stripped = trim_text(text)
    if form is None:
        reads = stripped.str.contains(NUMBER) & stripped.str.contains(r"\d")
        plain = nw.when(reads).then(stripped)
        return plain.str.replace_all(",", "", literal=True).cast(nw.Float64)
    prefix, suffix, point, group = map(literal_pattern, form[:4])
    before = f"(?:{prefix})?[ ]*" if prefix else ""
    behind = f"[ ]*(?:{suffix})" + ("" if form.suffix == "%" else "?") if suffix else ""
    number = f"(?:[0-9]{{1,3}}(?:{group}[0-9]{{3}})+|[0-9]+)(?:{point}[0-9]+)?"
    plain_form = rf"\A[+-]?{before}[+-]?{number}{behind}\z"
    forms = [plain_form] + ([rf"\A[(]{before}{number}{behind}[)]\z"] if form.brackets else [])
    reads = stripped.str.contains("|".join(forms))
    cell = nw.when(reads).then(stripped)
    bare = cell.str.replace_all(behind.rstrip("?") + r"[)]?\z", "") if behind else cell
    for sign in dict.fromkeys((form.prefix, form.group, " ", "(", ")")):
        bare = bare.str.replace_all(sign, "", literal=True) if sign else bare
    value = bare.str.replace_all(form.point, ".", literal=True).cast(nw.Float64)
    negative = stripped.str.starts_with("(")
    signed = nw.when(negative).then(-value).otherwise(value) if form.brackets else value
    return signed / 100 if form.suffix == "%" else signed


class Way(NamedTuple):
    """How cells of one kind become another.

    Attributes:
        write: Makes the expression of that of the cells, a format or None, the engine and a stage.
        read_form: Reads a format; None where there can be none.
    """

    write: Callable[..., nw.Expr]
    read_form: Callable[[str], Any] | None = None


_AS_IT_IS = Way(lambda cell, *_: cell)


def _truth_of_number(number: nw.Expr, *_: Any) -> nw.Expr:
    return nw.when((number == 0) | (number == 1)).then(number == 1)


def _truth_of_text(text: nw.Expr, *_: Any) -> nw.Expr:
    word = trim_text(text).str.to_lowercase()
    return nw.when(word.is_in([*TRUE, *FALSE])).then(word.is_in([*TRUE]))


def _plain_text(kind: Kind) -> Way:
    return Way(lambda cell, *_: as_text(cell, kind))


def _text_of_time(kind: Kind) -> Way:
    def write(moment: nw.Expr, form: Format | None, *_: Any) -> nw.Expr:
        return as_text(moment, kind) if form is None else format_date(moment, form, kind=kind)

    return Way(write, read_format)


WAYS: dict[tuple[str, Kind], Way] = {
    ("number", "text"): Way(lambda cell, form, *_: number_of_text(cell, form), read_number_form),
    ("number", "number"): _AS_IT_IS,
    ("number", "boolean"): Way(lambda cell, *_: cell.cast(nw.Int64)),
    ("text", "text"): _AS_IT_IS,
    ("text", "number"): _plain_text("number"),
    ("text", "boolean"): _plain_text("boolean"),
    ("text", "date"): _text_of_time("date"),
    ("text", "datetime"): _text_of_time("datetime"),
    ("date", "text"): Way(date_of_text, read_date_format),
    ("date", "date"): _AS_IT_IS,
    ("date", "datetime"): Way(lambda cell, *_: cell.dt.date()),
    ("datetime", "text"): Way(datetime_of_text, read_date_format),
    ("datetime", "date"): Way(lambda cell, *_: cell.cast(nw.Datetime("us"))),
    ("datetime", "datetime"): _AS_IT_IS,
    ("boolean", "text"): Way(_truth_of_text),
    ("boolean", "number"): Way(_truth_of_number),
    ("boolean", "boolean"): _AS_IT_IS,
}
"""By target and kind of the cells."""


def find_way(target: str, kind: Kind, form: str | None) -> tuple[Way, Any]:
    """How a cast is made, and what its format says of how cells are written, where it has one.

    Raises:
        ActionError: If there is no such cast, there can be no format, or it cannot be read.
    """
    if (target, kind) not in WAYS:
        raise ActionError(f"cannot make a {target} of a {kind}", kind="wrong type")
    way = WAYS[target, kind]
    if form is None:
        return way, None
    if way.read_form is None:
        raise ActionError(f"a {target} of a {kind} takes no format, so {form!r} must be left out")
    try:
        return way, way.read_form(form)
    except ValueError as error:
        raise ActionError(f"the format {form!r} has {error}") from None
