"""Forms: what text may be read as, and of numbers thousands, decimals and amounts as written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from wideleaf.tools.words import short_text

if TYPE_CHECKING:
    import polars as pl

_WORDS = ("", "NA", "N/A", "NaN", "null", "None", "nil", "missing", "n.a.", "k.A.", "#N/A", "#NA")
_MARKS = ("-", "--", "---", "–", "—", "?", ".", "..", "...", ":", "\\N", "<NA>", "(null)")
_ERRORS = ("#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?")
NULL_WORDS = frozenset(
    word
    for listed in (*_WORDS, *_MARKS, *_ERRORS)
    for word in (listed, listed.lower(), listed.upper(), listed.title())
)
"""Null in a column that is read as something else than text."""
_CURRENCIES = """
€ $ £ ¥ ₹ ₽ ₩ ₪ ₺ zł Kč kr kr. Fr. R$ US$ A$ C$ EUR USD GBP JPY CHF SEK NOK DKK PLN
CZK HUF AUD CAD NZD CNY INR BRL ZAR MXN RUB TRY KRW
"""
CURRENCIES = frozenset(_CURRENCIES.split())
_UNITS = """
% ‰ percent pct ppm ppb mm cm dm m km in ft yd mi µm μm um nm mm² cm² m² km² mm2 cm2
m2 km2 ha ac acre acres cm³ m³ dm³ cm3 m3 dm3 l L ml mL hl dl µl µL μl μL gal µg μg
ug mg g dag kg t dt lb lbs oz s sec min h hr hrs d day days week weeks month months
yr yrs year years ms µs Hz kHz MHz GHz °C °F ° deg K C F Pa hPa kPa MPa bar mbar psi
J kJ MJ GJ Wh kWh MWh GWh W kW MW GW V mV kV A mA Ω N kN mol mmol µmol μmol kcal cal
lx lm dB m/s km/h mph kt kn mm/h mm/d l/s m³/s m3/s kg/ha t/ha dt/ha g/m² g/m2 kg/m²
kg/m2 kg/m³ kg/m3 mg/l mg/L g/l g/L µg/l µg/L mg/kg g/kg µg/m³ μg/m³ kg/m W/m² W/m2
µS/cm mS/cm dS/m L/ha l/ha bu/ac lb/ac pcs pc Stk Stück bp kb Mb Gb KB MB TB
"""
PERCENT = ("%", "percent", "pct")
UNITS = frozenset(_UNITS.split())
"""A unit that is not listed is a word like others: its column stays text."""

_LONG = r"^[+-]?\d{16,}$"
_CODE = r"^[+-]?0\d"
_BLANKS = "[ \u00a0\u202f\u2009'’]"
_EXPONENT = r"(?:[eE][+-]?\d+)?"


class Form(NamedTuple):
    """What a column's text may be read as.

    Attributes:
        text: What the note says.
        parse: Reads stripped text; null where a cell does not have this form.
        kind: What the cells are then; `text` if a column of this form stays as it is.
        ordinary: Whether anybody would read it so.
    """

    text: str
    parse: Callable[[pl.Expr], pl.Expr]
    kind: Literal["boolean", "number", "date", "text"]
    ordinary: bool = False


def true_or_false(cell: pl.Expr) -> pl.Expr:
    """Read ``true`` or ``yes``, ``false`` or ``no``; one letter may stand for anything."""
    import polars as pl

    lower = cell.str.to_lowercase()
    truths = ["true", "yes"]
    return pl.when(lower.is_in([*truths, "false", "no"])).then(lower.is_in(truths))


def is_null_word(cell: pl.Expr) -> pl.Expr:
    """Whether stripped text stands for no value."""
    return cell.is_in(list(NULL_WORDS))


class _Style(NamedTuple):
    """How thousands and decimals are written."""

    text: str
    core: str
    comma: bool = False


def _core(group: str, point: str) -> str:
    whole = rf"(?:[1-9][0-9]{{0,2}}(?:{group}[0-9]{{3}})+|0|[1-9][0-9]*)"
    return rf"(?:{whole}(?:{point}[0-9]*)?|{point}[0-9]+){_EXPONENT}"


_POINT = _Style("thousands separators left out", _core(",", r"\."))
_BLANK = _Style("blanks or apostrophes between thousands left out", _core(_BLANKS, r"\."))
_COMMA = _Style("commas as decimal points", _core(rf"[.{_BLANKS[1:]}", ","), comma=True)
_NEGATIVE = "(5) and 5- as negative"


def read_whole_numbers(cell: pl.Expr) -> pl.Expr:
    """Read whole numbers as they are usually written."""
    import polars as pl

    return pl.when(~cell.str.contains(_CODE)).then(cell.cast(pl.Int64, strict=False))


def read_numbers(cell: pl.Expr) -> pl.Expr:
    """Read numbers as they are usually written; too long ones would lose digits."""
    import polars as pl

    code = cell.str.contains(_CODE) | cell.str.contains(_LONG)
    return pl.when(~code).then(cell.cast(pl.Float64, strict=False))


def code(cell: pl.Expr) -> pl.Expr:
    """Find numbers of whatever sort, leading zeros and many digits included."""
    import polars as pl

    return pl.when(cell.cast(pl.Float64, strict=False).is_not_null()).then(cell)


def _parse_styled(
    style: _Style, negative: bool, mark: str, whole: bool
) -> Callable[[pl.Expr], pl.Expr]:
    sign, end = (r"\(?\s*[+\-−]?\s*", r"\s*-?\s*\)?") if negative else (r"[+-]?", "")
    pattern = f"^{sign}{style.core}{end}$"
    if mark:  # before or after the number
        sign, inner = (sign, r"[+\-−]?\s*") if negative else (r"[+-]?\s*", r"[+-]?\s*")
        before, after = _around(mark)
        pattern = f"^(?:{sign}{before}{inner}{style.core}{end}|{sign}{style.core}{after}{end})$"
    between = (",",) if style is _POINT else (" ", "\u00a0", "\u202f", "\u2009", "'", "’")
    between = (*between, ".") if style.comma else between
    long = rf"^[^{'.,'[style.comma]}]*?(?:[0-9][{re.escape(''.join(between))}]?){{16}}"

    def parse(cell: pl.Expr) -> pl.Expr:
        import polars as pl

        # Literal changes after one match cost a third of what captures do.
        bare = cell.str.replace(mark, "", literal=True).str.strip_chars() if mark else cell
        plain = bare.str.strip_chars("()+-− \u00a0\u202f")
        for thousands in between:
            plain = plain.str.replace_all(thousands, "", literal=True)
        if style.comma:
            plain = plain.str.replace(",", ".", literal=True)
        fits = cell.str.contains(pattern)
        if not whole:
            fits &= ~cell.str.contains(long)
        minus = bare.str.starts_with("-") | bare.str.starts_with("(")
        if negative:
            minus |= bare.str.starts_with("−") | bare.str.ends_with("-")
            fits &= cell.str.starts_with("(") == cell.str.ends_with(")")
        value = plain.cast(pl.Int64 if whole else pl.Float64, strict=False)
        return pl.when(fits).then(value * pl.when(minus).then(-1).otherwise(1))

    return parse


def _around(mark: str) -> tuple[str, str]:
    """The mark before or after a number; 12A is rather a code than a current."""
    escaped = re.escape(mark)
    gap = r"\s+" if len(mark) == 1 and mark.isupper() else r"\s*"
    # A unit stands behind its number; T7 and G1 are codes.
    before = rf"(?:{escaped}\s*)" if mark in CURRENCIES or mark in PERCENT else r"(?:[^\s\S])"
    return before, rf"(?:{gap}{escaped})"


def _written(mark: str) -> str:
    if not mark:
        return ""
    if mark in PERCENT:
        return " of percent (12 % is 12)"
    return f" in {mark}" if mark in CURRENCIES else f" of unit {mark}"


def _styles(mark: str, styles: Iterable[_Style], negative: bool) -> list[Form]:
    forms = []
    for style in styles:
        for is_whole in (True, False):
            wording = f"Read as {'whole numbers' if is_whole else 'numbers'}{_written(mark)}"
            if not mark or style is not _POINT:
                wording += f", {_whole_text(style) if is_whole else style.text}"
            wording += f", {_NEGATIVE}" if negative else ""
            forms.append(Form(wording, _parse_styled(style, negative, mark, is_whole), "number"))
    return forms


def _whole_text(style: _Style) -> str:
    return "points or blanks between thousands left out" if style.comma else style.text


PLAIN = (
    Form("Read as whole numbers", read_whole_numbers, "number", ordinary=True),
    Form("Read as numbers", read_numbers, "number", ordinary=True),
    *_styles("", (_POINT,), negative=False),
)
CODE = Form("Kept as text because of leading zeros or too many digits", code, "text")
OTHER = (
    *_styles("", (_BLANK, _COMMA), negative=False),
    *_styles("", (_POINT, _BLANK, _COMMA), negative=True),
)
POINTED, GROUPED = PLAIN[1], PLAIN[2:]
"""Forms whose points are decimal and whose commas are between thousands."""
COMMA_WHOLE, COMMA = OTHER[2], OTHER[3]
COMMAS = frozenset(form for form in OTHER if _COMMA.text in form.text)


@lru_cache(maxsize=256)
def forms_with_mark(mark: str) -> tuple[Form, ...]:
    """Forms of numbers that all have one mark: a currency, a percent sign or a unit."""
    forms = [
        *_styles(mark, (_POINT, _BLANK, _COMMA), negative=False),
        *_styles(mark, (_POINT, _BLANK, _COMMA), negative=True),
    ]
    if mark in CURRENCIES:
        wording = "Kept as text because a point may stand for thousands or for decimals"
        forms.insert(1, Form(wording, _either(mark), "text"))
    return tuple(forms)


def _either(mark: str) -> Callable[[pl.Expr], pl.Expr]:
    mark = re.escape(mark)

    def parse(cell: pl.Expr) -> pl.Expr:
        import polars as pl

        bare = r"[-−]?\s*[1-9]\d{0,2}(?:\.\d{3})?"
        return pl.when(cell.str.contains(rf"^(?:{mark}\s*{bare}|{bare}\s*{mark})$")).then(cell)

    return parse


_MARK = re.compile(
    r"\(?\s*[+\-−]?\s*(?P<before>[^\d\s.,'’()+\-−]{0,4}\.?)\s*[+\-−]?\s*\.?\d[\d.,'’\s]*"
    r"(?:[eE][+-]?\d+(?=\D|$))?\s*(?P<after>[^\s()\-−]*(?:/[^\s()\-−]*)?)\s*-?\s*\)?"
)


def find_mark(cells: Iterable[str]) -> str:
    """The one currency, percent sign or unit that all of some cells have; empty if none."""
    marks: set[str] = set()
    for cell in cells:
        match = _MARK.fullmatch(short_text(cell))
        if match is None:
            return ""
        if match["before"] and match["before"] not in (*CURRENCIES, *PERCENT):
            return ""
        marks.add(match["before"] or match["after"])
        if len(marks) > 1:
            return ""
    mark = marks.pop() if marks else ""
    return mark if mark in CURRENCIES or mark in UNITS else ""
