"""Texts of dates: the parts of a format, by which dates are written and texts read as dates."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import NamedTuple

import narwhals as nw

from wideleaf.tools.conditions import dates
from wideleaf.tools.conditions.literals import trim_text
from wideleaf.tools.conditions.patterns import literal_pattern
from wideleaf.tools.expressions.date_functions import date_of
from wideleaf.tools.expressions.number_functions import Stage
from wideleaf.tools.expressions.text_functions import digits, extract_group, join_pieces
from wideleaf.tools.tables.table import Kind

Format = tuple[str, ...]
"""Parts of a date, and between them characters to be taken literally."""
# Only real dates reach the engine, since some of them stop at the 31st of April.
_ISO_DATE = (
    r"^\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)"
    r"|02-(?:0[1-9]|1\d|2[0-8]))$"
    r"|^(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29$"
)
_ISO_MOMENT = (
    r"(?s)\A[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.][0-9]+)?)?)?Z?\z"
)
_SPELLED = re.compile(r"%-?[A-Za-z%]|[Yy]{4}|[Yy]{2}|M{1,4}|D{1,3}|d{1,4}|HH|hh|mm|SS|ss|(.)", re.S)


class FormatPart(NamedTuple):
    """A part of a date in a format.

    Attributes:
        directive: What ``strftime`` calls it.
        number: The number of it.
        width: With how many digits it is written, or letters of a name; 0 for as many as it has.
        names: What it is called by from 1 on, where it is no number.
        fixed: Whether a number is read with just so many digits, whatever stands beside it.
        spelling: What else it is called.
    """

    directive: str
    number: Callable[[nw.Expr], nw.Expr]
    width: int = 0
    names: tuple[str, ...] = ()
    fixed: bool = False
    spelling: str = ""

    def write(self, moment: nw.Expr) -> nw.Expr:
        """The part of a date as text."""
        number = self.number(moment)
        if self.names:
            texts = (nw.lit(name[: self.width or None]) for name in self.names)
            branches = (nw.when(number == n).then(text) for n, text in enumerate(texts, 1))
            return nw.coalesce(*branches)
        return digits(number, self.width) if self.width else number.cast(nw.String)

    def pattern(self, tight: bool) -> str:
        """What it is read by; `tight` between digits, where only their number tells them apart."""
        if self.names:
            return "[A-Za-z]+[.]?" if self.width else "[A-Za-z]+"
        return f"[0-9]{{{self.width}}}" if self.fixed else "[0-9]{2}" if tight else "[0-9]{1,2}"


PARTS: dict[str, FormatPart] = {
    "YYYY": FormatPart("%Y", dates.year, 4, fixed=True, spelling="yyyy"),
    "YY": FormatPart("%y", lambda moment: dates.year(moment) % 100, 2, fixed=True, spelling="yy"),
    "MMMM": FormatPart("%B", dates.month, names=dates.MONTHS),
    "MMM": FormatPart("%b", dates.month, 3, dates.MONTHS),
    "MM": FormatPart("%m", dates.month, 2),
    "DD": FormatPart("%d", dates.day, 2, spelling="dd"),
    "HH": FormatPart("%H", dates.hour, 2, spelling="hh"),
    "mm": FormatPart("%M", dates.minute, 2),
    "ss": FormatPart("%S", dates.second, 2, spelling="SS"),
    "dddd": FormatPart("%A", dates.weekday, names=dates.WEEKDAYS),
    "ddd": FormatPart("%a", dates.weekday, 3, dates.WEEKDAYS),
    "DDD": FormatPart("%j", dates.day_of_year, 3),
    "D": FormatPart("%-d", dates.day, spelling="d"),
    "M": FormatPart("%-m", dates.month),
}
_CLOCK = ("HH", "mm", "ss")
_LOOSE = ("D", "M")
_DIRECTIVES = {part.directive: name for name, part in PARTS.items()}
_SPELLINGS = {part.spelling: name for name, part in PARTS.items() if part.spelling}


def read_format(text: str) -> Format:
    """The parts of a date format.

    Args:
        text: Such as ``%d.%m.%Y`` or ``DD.MM.YYYY``; MM behind HH: is minutes.

    Raises:
        ValueError: If it holds a directive that not every engine could follow.
    """
    parts: list[str] = []
    percent = "%" in text
    for match in _SPELLED.finditer(text):
        part = match[0]
        if part.startswith("%"):
            if part not in _DIRECTIVES:
                raise ValueError(f"the directive {part!r}; use {' '.join(_DIRECTIVES)}")
            parts.append(_DIRECTIVES[part])
        elif percent:
            parts += part
        else:
            minutes = part == "MM" and "HH" in parts and "mm" not in parts
            parts.append("mm" if minutes else _SPELLINGS.get(part, part))
    if not set(parts) & PARTS.keys():
        raise ValueError("no part of a date; write such as 'DD.MM.YYYY' or '%d.%m.%Y'")
    return tuple(parts)


def read_date_format(text: str) -> Format:
    """A format by which texts are read.

    Raises:
        ValueError: If it has no year, or a part that says nothing of the day.
    """
    form = read_format(text)
    if not {"YYYY", "YY"} & set(form):
        raise ValueError("no year; write such as 'DD.MM.YYYY'")
    if "DDD" in form:
        raise ValueError("the day of the year; write month and day")
    return form


def format_date(moment: nw.Expr, form: Format, *, kind: Kind) -> nw.Expr:
    """A date as text; months and weekdays are named in English."""
    midnight = nw.when(~moment.is_null()).then(nw.lit("00"))
    pieces = [
        midnight
        if kind == "date" and part in _CLOCK
        else PARTS[part].write(moment)
        if part in PARTS
        else nw.lit(part)
        for part in form
    ]
    # A format that is one literal and one number is still a text of its own.
    return nw.concat_str(*pieces) if len(pieces) > 1 else pieces[0]


def date_of_text(
    text: nw.Expr, form: Format | None, engine: nw.Implementation, stage: Stage
) -> nw.Expr:
    """The day that a text reads as, ISO or in a format."""
    stripped = stage(trim_text(text))
    if form is None:
        real = nw.when(stripped.str.contains(_ISO_DATE)).then(stripped)
        return real.str.to_date("%Y-%m-%d")

    def number(*names: str) -> nw.Expr | None:
        directive = next((name for name in names if name in form), None)
        return (
            None if directive is None else stage(_number(stripped, form, directive, engine, stage))
        )

    year_number = number("YYYY")
    if year_number is None and (short := number("YY")) is not None:
        year_number = stage(nw.when(short < 69).then(short + 2000).otherwise(short + 1900))
    assert year_number is not None, "read_date_format sees to it"
    others = (number("MMMM", "MMM", "MM", "M"), number("DD", "D"))
    first = year_number * 0 + 1
    month_number, day_number = (first if one is None else one for one in others)
    return date_of(year_number, month_number, day_number, stage=stage)


def datetime_of_text(
    text: nw.Expr, form: Format | None, engine: nw.Implementation, stage: Stage
) -> nw.Expr:
    """The moment that a text reads as; a day alone is its midnight."""
    stripped = stage(trim_text(text))
    if form is None:
        reads = stripped.str.contains(_ISO_MOMENT)
        moment = stage(nw.when(reads).then(stripped.str.replace_all("Z", "", literal=True)))
        start = stage(date_of_text(moment.str.slice(0, 10), None, engine, stage))
        texts = (moment.str.slice(at, 2) for at in (11, 14, 17))
        pieces = [nw.when(d == "").then(nw.lit("0")).otherwise(d).cast(nw.Int64) for d in texts]
        micros = moment.str.slice(20, 6).str.pad_end(6, "0")
    else:
        start = stage(date_of_text(text, form, engine, stage))
        pieces = [
            _number(stripped, form, part, engine, stage)
            if part in form
            else start.dt.day().cast(nw.Int64) * 0
            for part in _CLOCK
        ]
        micros = nw.when(~start.is_null()).then(nw.lit("0"))
    pieces = [stage(piece) for piece in pieces]
    clock = [nw.when(p <= most).then(p) for p, most in zip(pieces, (23, 59, 59), strict=True)]
    hours, minutes, seconds = (digits(part, 2) for part in clock)
    day = start.dt.to_string("%Y-%m-%d")
    whole = join_pieces(day, " ", hours, ":", minutes, ":", seconds)
    stamp = whole.str.to_datetime("%Y-%m-%d %H:%M:%S").cast(nw.Datetime("us"))
    return stamp + nw.lit(timedelta(microseconds=1)) * micros.cast(nw.Int64)


def _number(
    text: nw.Expr, form: Format, name: str, engine: nw.Implementation, stage: Stage
) -> nw.Expr:
    """The number of one part of a format; a month may be named."""
    pattern, place = "", form.index(name)
    for at, part in enumerate(form):
        if part not in PARTS:
            pattern += literal_pattern(part)
            continue
        beside = (*form[max(at - 1, 0) : at], *form[at + 1 : at + 2])
        tight = any(one in PARTS and one not in _LOOSE for one in beside)
        opening = "(" if at == place else "(?:"
        pattern += f"{opening}{PARTS[part].pattern(tight)})"
    piece = extract_group(text, rf"(?s)\A{pattern}\z", engine)
    if not PARTS[name].names:
        return piece.cast(nw.Int64)
    start = stage(piece.str.slice(0, 3).str.to_lowercase())
    months = (
        nw.when(start == one[:3].lower()).then(nw.lit(n)) for n, one in enumerate(dates.MONTHS, 1)
    )
    return nw.coalesce(*months).cast(nw.Int64)
