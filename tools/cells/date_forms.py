"""Forms of dates and times: orders of day and month, names of months, time zones."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from wideleaf.tools.cells.number_forms import Form

if TYPE_CHECKING:
    import polars as pl

_ISO_DATE = r"^\d{4}-\d\d-\d\d"
_CLOCK = r"\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:\s*[AaPp]\.?[Mm]\.?)?"
_TIME = rf"(?:,?\s+|T){_CLOCK}$"
_OFFSET = r"(?:Z|\s?UTC|\s?GMT|\s?[+-]\d\d:?\d\d|\s?[+-]\d\d)$"
_TIMES = ("%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%I:%M:%S %p", "%Y-%m-%dT%I:%M %p")

# An order of day, month and year: how it looks, and its format once points are slashes.
_DAY = r"\d{1,2}"
_POINTED, _SLASHED = rf"^{_DAY}\.\s?{_DAY}\.\s?", rf"^{_DAY}[/\-]{_DAY}[/\-]"
_YEAR_FIRST = (rf"^\d{{4}}[/.-]{_DAY}[/.-]{_DAY}", "%Y/%m/%d")
_SHORT = ", years of two digits as 1970 to 2069"

_MONTHS = (
    "jan january januar jänner janvier janv enero ene gennaio",
    "feb february februar février févr fév febrero febbraio",
    "mar march märz mär mrz mars marzo",
    "apr april avril avr abril abr aprile",
    "may mai mayo maggio",
    "jun june juni juin junio giugno",
    "jul july juli juillet juil julio luglio",
    "aug august août aoû agosto ago",
    "sep sept september septembre septiembre settembre",
    "oct october oktober okt octobre octubre ottobre",
    "nov november novembre noviembre",
    "dec december dezember dez décembre déc diciembre dic dicembre",
)
MONTHS = {
    name: f"{place:02}" for place, names in enumerate(_MONTHS, start=1) for name in names.split()
}
_WEEKDAY = r"^(?:\p{L}{2,10}\.?,\s*)?"
_WORD = r"(\p{L}{3,10})"
_DAY_NAMED = (
    rf"{_WEEKDAY}(\d{{1,2}})(?:st|nd|rd|th|\.)?(?:\s+de)?[\s\-/]*{_WORD}\.?(?:\s+de)?[\s\-/,]*"
)
_NAMED_DAY = rf"{_WEEKDAY}{_WORD}\.?[\s\-]*(\d{{1,2}})(?:st|nd|rd|th)?,?[\s\-]+"
_DIGITS = {False: r"(\d{4})", True: r"['’]?(\d\d)"}


def iso_date(cell: pl.Expr) -> pl.Expr:
    """Read dates such as 2020-02-29."""
    import polars as pl

    date = cell.str.to_date("%Y-%m-%d", strict=False)
    return pl.when(cell.str.contains(_ISO_DATE)).then(date)


def iso_time(cell: pl.Expr) -> pl.Expr:
    """Read dates with a time of day such as 2020-02-29T10:00:01Z."""
    import polars as pl

    text = cell.str.replace(" ", "T", literal=True).str.strip_suffix("Z")
    readings = [text.str.to_datetime(form, strict=False, time_unit="us") for form in _TIMES[:2]]
    return pl.when(cell.str.contains(_ISO_DATE)).then(pl.coalesce(readings))


def _with_offset(cell: pl.Expr) -> pl.Expr:
    import polars as pl

    text = cell.str.replace(r"\s?(?:UTC|GMT)$", "Z")
    text = text.str.replace(r"\s?([+-]\d\d:?(?:\d\d)?)$", "${1}").str.replace(r"\s+", "T")
    forms = ("%Y-%m-%dT%H:%M:%S%.f%#z", "%Y-%m-%dT%H:%M%#z")
    readings = [text.str.to_datetime(form, strict=False, time_unit="us") for form in forms]
    zoned = pl.coalesce(readings).dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    has_offset = cell.str.contains(_ISO_DATE) & cell.str.contains(rf":\d\d.*{_OFFSET}")
    return pl.when(has_offset).then(zoned)


def _parse_ordered(order: tuple[str, str], time: bool) -> Callable[[pl.Expr], pl.Expr]:
    look, date = order
    pattern = look + (_TIME if time else "$")

    def parse(cell: pl.Expr) -> pl.Expr:
        import polars as pl

        text = _clock(cell) if time else cell
        if r"\." in look:
            text = text.str.replace(". ", ".", literal=True, n=2)
            text = text.str.replace(".", "/", literal=True, n=2)
        elif date.startswith("%Y"):
            text = text.str.replace(r"^(\d+)[.\-](\d+)[.\-]", "${1}/${2}/")
        else:
            text = text.str.replace("-", "/", literal=True, n=2)
        return pl.when(cell.str.contains(pattern)).then(_moment(text, date, time))

    return parse


def _clock(cell: pl.Expr) -> pl.Expr:
    """The date and the time of day apart by a T, the half of the day by a blank."""
    text = cell.str.replace(r"(\d),?\s+(\d{1,2}:)", "${1}T${2}").str.replace(r",(\d+)$", ".${1}")
    return text.str.replace(r"\s*([AaPp])\.?([Mm])\.?$", " ${1}${2}")


def _moment(text: pl.Expr, date: str, time: bool) -> pl.Expr:
    import polars as pl

    if not time:
        return text.str.to_date(date, strict=False)
    forms = [form.replace("%Y-%m-%d", date) for form in _TIMES]
    readings = [text.str.to_datetime(form, strict=False, time_unit="us") for form in forms]
    return pl.coalesce(readings)


def _both(first: tuple[str, str], second: tuple[str, str], same: bool, time: bool) -> Form:
    one, other = _parse_ordered(first, time), _parse_ordered(second, time)
    if same:
        noun = "times" if time else "dates"
        text = f"Read as {noun}, whose day and month are the same number"
    else:
        text = "Kept as text because the dates may have the day or the month first"

    def parse(cell: pl.Expr) -> pl.Expr:
        import polars as pl

        a, b = one(cell), other(cell)
        if same:
            return pl.when(a == b).then(a)
        return pl.when(a.is_not_null() & b.is_not_null()).then(cell)

    return Form(text, parse, "date" if same else "text")


def _parse_named(day_first: bool, short: bool, time: bool) -> Callable[[pl.Expr], pl.Expr]:
    pattern = (_DAY_NAMED if day_first else _NAMED_DAY) + _DIGITS[short]
    day, month = (1, 2) if day_first else (2, 1)

    def parse(cell: pl.Expr) -> pl.Expr:
        import polars as pl

        word = cell.str.extract(pattern, month).str.to_lowercase()
        number = word.replace_strict(MONTHS, default=None, return_dtype=pl.String)
        rest = cell.str.replace(pattern, "")
        parts = [cell.str.extract(pattern, 3), number, cell.str.extract(pattern, day)]
        iso = pl.concat_str(parts, separator="-") + rest
        fits = cell.str.contains(pattern + (_TIME if time else "$"))
        year = "%y" if short else "%Y"
        return pl.when(fits).then(_moment(_clock(iso) if time else iso, f"{year}-%m-%d", time))

    return parse


def _orders(time: bool) -> list[Form]:
    head = "Read as times" if time else "Read as dates"
    forms = [Form(head, _parse_ordered(_YEAR_FIRST, time), "date", ordinary=True)]
    month_forms = []
    for short in (False, True):
        year, digits, note = ("%y", r"\d\d", _SHORT) if short else ("%Y", r"\d{4}", "")
        pointed = (_POINTED + digits, f"%d/%m/{year}")
        day, month = (_SLASHED + digits, f"%d/%m/{year}"), (_SLASHED + digits, f"%m/%d/{year}")
        forms += [
            Form(
                f"{head}, day first{note}",
                _parse_ordered(pointed, time),
                "date",
                ordinary=not short,
            ),
            *([] if short else [_both(day, month, True, time)]),
            _both(day, month, False, time),
            Form(f"{head}, day first{note}", _parse_ordered(day, time), "date"),
            Form(f"{head}, month first{note}", _parse_ordered(month, time), "date"),
        ]
        for day_first in (True, False):
            text, parse = f"{head} with names of months{note}", _parse_named(day_first, short, time)
            month_forms.append(Form(text, parse, "date", ordinary=not short))
    return [*forms, *month_forms]


def _midnight(cell: pl.Expr) -> pl.Expr:
    import polars as pl

    return pl.coalesce(iso_time(cell), iso_date(cell).cast(pl.Datetime("us")))


PLAIN = (
    Form("Read as dates", iso_date, "date", ordinary=True),
    Form("Read as times", iso_time, "date", ordinary=True),
)
OTHER = (
    Form("Read as times, converted to UTC", _with_offset, "date"),
    Form("Read as times, dates without one as midnight", _midnight, "date"),
    *_orders(time=False),
    *_orders(time=True),
)
