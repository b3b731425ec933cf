"""Functions on columns that a pandas script takes along: text, numbers, dates and conditions.

They are copied into the script by their source, so they know pandas, numpy and each other alone.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import lru_cache, reduce
from typing import Any

import numpy as np
import pandas as pd


def _typed(cells: Any, dtype: str) -> Any:
    """Cells in a type that has nulls; a NaN is one."""
    if dtype in ("Float64", "Float32"):
        made: Any = pd.Series(cells.to_numpy(dtype="float64", na_value=np.nan), cells.index)
        return made.astype(dtype)
    if dtype == "Int64" and cells.dtype.kind in "fO":
        return _typed(cells, "Float64").astype(dtype) if cells.dtype.kind == "f" else (
            cells.astype(dtype)
        )  # fmt: skip
    return cells.astype(dtype)


def _constant(frame: Any, value: Any, dtype: str) -> Any:
    """The same value in every row."""
    return pd.Series([value] * len(frame), frame.index, dtype=dtype)


def _known(test: Any, *columns: Any) -> Any:
    """Whether a test holds; unknown where a column is null."""
    return reduce(lambda made, one: made.mask(one.isna()), columns, test.astype("boolean"))


def _is_in(cells: Any, values: list[Any]) -> Any:
    """Whether a cell is one of the values; unknown where it is null."""
    return _known(cells.isin(values), cells)


def _each(cells: Any, make: Any, dtype: str) -> Any:
    """A function of each cell; a null stays one."""
    made = [pd.NA if cell is pd.NA or cell != cell else make(cell) for cell in cells]
    return pd.Series(made, cells.index, dtype=dtype)


def _folded(text: Any, trim: bool = True) -> Any:
    """Text in lower case, without blanks around it."""
    bare = text.str.strip() if trim else text
    dotted = _each(bare, lambda one: one.replace("İ", "i\u0307"), "string[python]")
    return _each(dotted, lambda one: one.lower().replace("ς", "σ"), "string[python]")


def _lower(text: Any) -> Any:
    """Lower case; a capital sigma becomes the plain one wherever it stands."""
    return _each(
        text, lambda one: one.replace("İ", "i\u0307").replace("Σ", "σ").lower(), "string[python]"
    )


def _title(text: Any) -> Any:
    """Each run of letters with its first in upper case."""

    def titled(one: str) -> str:
        made, start = "", True
        for char in one:
            made += char.title() if start else char
            start = not char.isalpha()
        return made

    return _each(_lower(text), titled, "string[python]")


@lru_cache
def _category(*names: str) -> str:
    """Unicode categories as the ranges of a regular expression's class."""
    made, start = "", -1
    for code in range(sys.maxunicode + 2):
        inside = code <= sys.maxunicode and unicodedata.category(chr(code)).startswith(names)
        if inside and start < 0:
            start = code
        elif not inside and start >= 0:
            made, start = f"{made}\\U{start:08x}-\\U{code - 1:08x}", -1
    return made


def _extract(text: Any, pattern: str) -> Any:
    """What the first group of a pattern finds; null where the pattern finds nothing."""
    find = re.compile(pattern).search

    def found(one: str) -> Any:
        match = find(one)
        return (match[1] or "") if match else pd.NA

    return _each(text, found, "string[python]")


def _replace(text: Any, pattern: str, parts: list[Any]) -> Any:
    """What a pattern finds, replaced by texts and the groups of these numbers."""

    def new(match: Any) -> str:
        return "".join(p if isinstance(p, str) else match[p] or "" for p in parts)

    return _each(text, lambda one: re.sub(pattern, new, one), "string[python]")


def _split_part(text: Any, delimiter: str, number: int) -> Any:
    """A part between delimiters, from 1 or from the end as -1; null if there is none."""

    def part(one: str) -> Any:
        parts = one.split(delimiter)
        place = number - 1 if number > 0 else len(parts) + number
        return parts[place] if 0 <= place < len(parts) else pd.NA

    return _each(text, part, "string[python]")


def _number_text(cells: Any) -> Any:
    """Numbers as text: whole ones without a point."""

    def written(one: Any) -> str:
        if one == np.floor(one) and abs(one) < 1e15:
            return str(int(one))
        small = 1e-5 <= abs(one) < 1e-4
        short = np.format_float_positional(one, trim="-") if small else repr(float(one))
        return short.replace("e-0", "e-")

    return _each(cells, written, "string[python]")


def _time_text(cells: Any) -> Any:
    """Times as text, with millionths of a second where there are some."""
    return _each(cells, lambda one: one.isoformat(sep=" "), "string[python]")


def _number(text: Any) -> Any:
    """The number that a text reads as; null where it reads as none."""
    form = r"[+-]?(\d{1,3}(,\d{3})+|\d+)?(\.\d+)?([eE][+-]?\d+)?"

    def read(one: str) -> Any:
        bare = one.strip()
        fits = re.fullmatch(form, bare, re.ASCII) and re.search(r"\d", bare, re.ASCII)
        try:
            return float(bare.replace(",", "")) if fits else pd.NA
        except ValueError:
            return pd.NA

    return _each(text, read, "Float64")


def _boolean(text: Any) -> Any:
    """True or false of such words as yes and no; null of others."""
    words = dict.fromkeys(("true", "yes", "1", "t", "y", "1.0"), True)
    words |= dict.fromkeys(("false", "no", "0", "f", "n", "0.0"), False)
    return _each(text, lambda one: words.get(one.strip().lower(), pd.NA), "boolean")


def _date(text: Any) -> Any:
    """The day that an ISO text reads as; null of others."""
    form = r"\d{4}-\d{2}-\d{2}"
    bare = _each(text, lambda one: one.strip(), "string[python]")
    fits = bare.where(bare.str.fullmatch(form).fillna(False).astype(bool))
    return pd.Series(
        [_day(*map(int, one.split("-"))) if isinstance(one, str) else pd.NaT for one in fits],
        text.index,
        dtype="datetime64[us]",
    )


def _day(year: int, month: int, day: int) -> Any:
    """A date, or null if there is none such."""
    try:
        return np.datetime64(f"{year:04}-{month:02}-{day:02}", "us") if year else pd.NaT
    except ValueError:
        return pd.NaT


def _date_of(year: Any, month: Any, day: Any) -> Any:
    """Dates of years, months and days; null where there is none."""
    made = []
    for parts in zip(year, month, day, strict=True):
        whole = all(p is not pd.NA and p == np.floor(p) and 0 < p < 10_000 for p in parts)
        made.append(_day(*map(int, parts)) if whole else pd.NaT)
    return pd.Series(made, year.index, dtype="datetime64[us]")


def _divide(left: Any, right: Any) -> Any:
    """True division; by zero it gives null."""
    return left.astype("Float64") / right.mask(right == 0)


def _remainder(left: Any, right: Any) -> Any:
    """What is left of a division, with the divisor's sign; null by zero."""
    return left % right.mask(right == 0)


def _finite(cells: Any) -> Any:
    """Null where it is no finite number."""
    made = _typed(cells, "Float64")
    return made.mask(made.abs() == np.inf)


def _apply(cells: Any, function: Any) -> Any:
    """A function of numpy; null where it gives no finite number."""
    with np.errstate(all="ignore"):
        made = function(cells.to_numpy(dtype="float64", na_value=np.nan))
    return _finite(pd.Series(made, cells.index))


def _power(left: Any, right: Any) -> Any:
    """A power; null where it is no finite number."""
    base = left.to_numpy(dtype="float64", na_value=np.nan)
    known = ~(left.isna() | right.isna())
    with np.errstate(all="ignore"):
        made = base ** right.to_numpy(dtype="float64", na_value=np.nan)
    return _finite(pd.Series(made, left.index).where(known))


def _round(cells: Any, digits: int = 0) -> Any:
    """Round half away from zero."""
    scaled = cells.astype("Float64")
    scaled = scaled * 10.0**digits if digits >= 0 else scaled / 10.0**-digits
    whole = _apply(scaled.abs(), np.floor)
    size = whole.mask(scaled.abs() - whole >= 0.5, whole + 1)
    signed = size.mask(scaled < 0, -size)
    return signed / 10.0**digits if digits >= 0 else signed * 10.0**-digits
