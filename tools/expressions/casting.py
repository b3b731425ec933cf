"""Casting: which way of reading a cast means, and how cells of one kind become another."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any, NamedTuple

import narwhals as nw

from wideleaf.tools.conditions.dates import MONTHS
from wideleaf.tools.conditions.literals import FALSE, NUMBER, TRUE, trim_text
from wideleaf.tools.conditions.patterns import literal_pattern
from wideleaf.tools.errors import ActionError
from wideleaf.tools.expressions.date_functions import date_of, format_date, read_format
from wideleaf.tools.expressions.expression import Cast
from wideleaf.tools.expressions.number_functions import Stage
from wideleaf.tools.expressions.text_functions import as_text, extract_group
from wideleaf.tools.tables.table import Kind
from wideleaf.tools.words import short_text

# Only real dates reach the engine, since some of them stop at the 31st of April.
ISO_DATE = (
    r"^\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)"
    r"|02-(?:0[1-9]|1\d|2[0-8]))$"
    r"|^(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29$"
)
_ISO_MOMENT = (
    r"(?s)\A[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.][0-9]+)?)?)?Z?\z"
)
_SAMPLE = re.compile(r"(\()?([^\d.,]*?)\s*[+-]?(\d[\d.,' \u00a0\u202f]*\d|\d)\s*([^\d()]*)(\))?")
_PIECES = {
    "YYYY": "[0-9]{4}", "YY": "[0-9]{2}", "MMMM": "[A-Za-z]+", "MMM": "[A-Za-z]+[.]?",
    "dddd": "[A-Za-z]+", "ddd": "[A-Za-z]+[.]?",
}  # fmt: skip


def read_form(target: str, kind: Kind, text: str | None) -> Any:
    """What a format says of how cells are written; None where there is none.

    Raises:
        ActionError: If there can be no format, or it cannot be read.
    """
    if text is None:
        return None
    readers = {
        ("number", "text"): read_number_form,
        ("date", "text"): read_date_format,
        ("datetime", "text"): read_date_format,
        ("text", "date"): read_format,
        ("text", "datetime"): read_format,
    }
    if (target, kind) not in readers:
        raise ActionError(f"a {target} of a {kind} takes no format, so {text!r} must be left out")
    try:
        return readers[target, kind](text)
    except ValueError as error:
        raise ActionError(f"the format {text!r} has {error}") from None


def cast_expr(
    cast: Cast, inner: nw.Expr, kind: Kind, engine: nw.Implementation, stage: Stage
) -> nw.Expr:
    """Write a resolved cast over the expression of what it casts."""
    form = read_form(cast.cast, kind, cast.format)
    match cast.cast, kind:
        case ("text", "date" | "datetime") if form is not None:
            return format_date(inner, form, kind=kind)
        case (target, same) if target == same:
            return inner
        case ("text", _):
            return as_text(inner, kind)
        case ("number", "boolean"):
            return inner.cast(nw.Int64)
        case ("number", _):
            return number_of_text(inner, form)
        case ("date", "datetime"):
            return inner.dt.date()
        case ("date", _):
            return date_of_text(inner, form, engine, stage)
        case ("datetime", "date"):
            return inner.cast(nw.Datetime("us"))
        case ("datetime", _):
            return datetime_of_text(inner, form, engine, stage)
        case (_, "number"):
            return nw.when((inner == 0) | (inner == 1)).then(inner == 1)
        case _:
            word = trim_text(inner).str.to_lowercase()
            return nw.when(word.is_in([*TRUE, *FALSE])).then(word.is_in([*TRUE]))


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
    found = _SAMPLE.fullmatch(short_text(sample))
    if found is None or bool(found[1]) != bool(found[5]):
        raise ValueError(f"{sample!r} shows no number; write a cell such as '1.234,5 €' or '5%'")
    signs = re.sub(r"\d", "", found[3])
    last = signs[-1:]
    if last not in (".", ",") or (
        len(set(signs)) == 1 and (len(signs) > 1 or re.search(r",\d{3}$", found[3]))
    ):
        point = "," if last == "." and len(signs) > 1 else "."
        group = last or ","
    else:
        point, group = last, next((s for s in signs if s != last), "." if last == "," else ",")
    return NumberForm(found[2].strip(), found[4].strip(), point, group, bool(found[1]))


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


def date_of_text(
    text: nw.Expr, form: tuple[str, ...] | None, engine: nw.Implementation, stage: Stage
) -> nw.Expr:
    """The day that a text reads as, ISO or in a format."""
    stripped = stage(trim_text(text))
    if form is None:
        real = nw.when(stripped.str.contains(ISO_DATE)).then(stripped)
        return real.str.to_date("%Y-%m-%d")

    def number(*tokens: str) -> nw.Expr | None:
        token = next((token for token in tokens if token in form), None)
        return None if token is None else stage(_number(stripped, form, token, engine, stage))

    year = number("YYYY")
    if year is None and (short := number("YY")) is not None:
        year = stage(nw.when(short < 69).then(short + 2000).otherwise(short + 1900))
    assert year is not None, "read_date_format sees to it"
    month, day = number("MMMM", "MMM", "MM", "M"), number("DD", "D")
    one = year * 0 + 1
    return date_of(year, one if month is None else month, one if day is None else day, stage=stage)


def datetime_of_text(
    text: nw.Expr, form: tuple[str, ...] | None, engine: nw.Implementation, stage: Stage
) -> nw.Expr:
    """The moment that a text reads as; a day alone is its midnight."""
    stripped = stage(trim_text(text))
    if form is None:
        reads = stripped.str.contains(_ISO_MOMENT)
        moment = stage(nw.when(reads).then(stripped.str.replace_all("Z", "", literal=True)))
        start = stage(date_of_text(moment.str.slice(0, 10), None, engine, stage))
        pieces = [_or_zero(moment.str.slice(at, 2)).cast(nw.Int64) for at in (11, 14, 17)]
        micros = moment.str.slice(20, 6).str.pad_end(6, "0")
    else:
        start = stage(date_of_text(text, form, engine, stage))
        pieces = [
            _number(stripped, form, token, engine, stage)
            if token in form
            else start.dt.day().cast(nw.Int64) * 0
            for token in ("HH", "mm", "ss")
        ]
        micros = nw.when(~start.is_null()).then(nw.lit("0"))
    pieces = [stage(piece) for piece in pieces]
    clock = [nw.when(p <= most).then(p) for p, most in zip(pieces, (23, 59, 59), strict=True)]
    iso = [start.dt.to_string("%Y-%m-%d"), *(p.cast(nw.String).str.zfill(2) for p in clock)]
    whole = nw.concat_str(iso[0], nw.lit(" "), iso[1], nw.lit(":"), iso[2], nw.lit(":"), iso[3])
    made = whole.str.to_datetime("%Y-%m-%d %H:%M:%S").cast(nw.Datetime("us"))
    return made + nw.lit(timedelta(microseconds=1)) * micros.cast(nw.Int64)


def read_date_format(text: str) -> tuple[str, ...]:
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


def _number(
    text: nw.Expr, form: tuple[str, ...], token: str, engine: nw.Implementation, stage: Stage
) -> nw.Expr:
    """The number of one part of a format; a month may be named."""
    pattern, place = "", form.index(token)
    for at, part in enumerate(form):
        if len(part) == 1 and part not in ("M", "D"):
            pattern += literal_pattern(part)
            continue
        piece = _PIECES.get(part, "[0-9]{2}" if _tight(form, at) else "[0-9]{1,2}")
        pattern += f"({piece})" if at == place else f"(?:{piece})"
    found = extract_group(text, rf"(?s)\A{pattern}\z", engine)
    if token not in ("MMM", "MMMM"):
        return found.cast(nw.Int64)
    name = stage(found.str.slice(0, 3).str.to_lowercase())
    return nw.coalesce(
        *(nw.when(name == month[:3].lower()).then(nw.lit(n)) for n, month in enumerate(MONTHS, 1))
    ).cast(nw.Int64)


def _tight(form: tuple[str, ...], at: int) -> bool:
    """Whether digits stand beside digits, so that only their number tells them apart."""
    beside = (*form[max(at - 1, 0) : at], *form[at + 1 : at + 2])
    return any(part in _PIECES or part in ("MM", "DD", "HH", "mm", "ss") for part in beside)


def _or_zero(digits: nw.Expr) -> nw.Expr:
    return nw.when(digits == "").then(nw.lit("0")).otherwise(digits)
