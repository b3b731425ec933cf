"""Words for whoever reads: one line, printable, and no longer than it may be."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

CELL_CHARACTERS = 40
MAX_LOOKED_AT = 4_000
"""Of a cell of a megabyte no more is looked at to show its beginning."""
SHORT = 400
"""Characters; the longest number that a float can be has 309 digits before its point."""
TEXT_CHARACTERS = 60
NUMBER_DIGITS, TRUE_DIGITS = 6, 15
MIN_DIGITS, MONEY_DECIMALS = 3, 2
MIN_APART = 10_000
"""From here on thousands are told apart, so that no year is."""
KEY_WORDS = re.compile(r"(?:^|(?<=[a-z])(?=I)|[^a-z0-9]+)(id|key|code|no|nr|number|pk|fk)$", re.I)


def cut(entries: Iterable[str], characters: int) -> str:
    """Join entries with commas as long as they fit; say how many were left out."""
    parts: list[str] = []
    entries = list(entries)
    length = 0
    for entry in entries:
        length += len(entry) + 2
        if parts and length > characters:
            return f"{', '.join(parts)} and {len(entries) - len(parts)} more"
        parts.append(entry)
    return ", ".join(parts)


def name_some(names: Sequence[str], most: int = 3) -> str:
    """The first of some names, as they stand in a sentence, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(repr, names[:most])) + more


def p_text(value: float) -> str:
    """A p-value in words."""
    return "p < 0.0001" if value < 0.0001 else f"p = {value:.3g}"


def as_name(name: str) -> str:
    """A header as it may stand in a prompt: one line, of bounded length."""
    flat = visible(name) or ascii(name)
    return flat if len(flat) <= 2 * CELL_CHARACTERS else f"{flat[: 2 * CELL_CHARACTERS - 1]}…"


def cell_text(value: Any, characters: int = CELL_CHARACTERS) -> str:
    """A cell as it may stand in a line; one with blanks at its ends in quotes, to be seen."""
    if value is None:
        return "null"
    text = number_text(value) if isinstance(value, float) else visible(str(value)[:MAX_LOOKED_AT])
    text = text if len(text) <= characters else f"{text[: characters - 1]}…"
    if not isinstance(value, str) or value.strip() == value:
        return text
    before, after = " " * (value.lstrip() != value), " " * (value.rstrip() != value)
    return f"'{before}{text}{after}'" if text else repr(value[:characters])


def number_text(value: float) -> str:
    """A number with six significant digits or, where it has more before the point, all of those.

    From 15 digits on, where a float is no longer true to each of them, it has so many.
    """
    if abs(value) < 10**NUMBER_DIGITS:
        return f"{value:.{NUMBER_DIGITS}g}"
    return f"{value:.1f}" if abs(value) < 10**TRUE_DIGITS else f"{value:.{TRUE_DIGITS}g}"


def number_texts(numbers: Sequence[float], name: str = "") -> list[str]:
    """The numbers of a column as a person reads them: all of as many decimals, thousands apart.

    Two decimals, as of money, are shown whole; of more so many that the largest number has six
    digits and the smallest three. Where no such form shows all of them, each has its own.

    Args:
        numbers: Finite numbers.
        name: The column's name, which may say that whole numbers are keys.
    """
    sizes = [abs(number) for number in numbers if number]
    if not sizes or (max(sizes) >= 10**TRUE_DIGITS and any(isinstance(n, float) for n in numbers)):
        return [number_text(n) if isinstance(n, float) else str(n) for n in numbers]
    decimals = max(map(_decimals, numbers))
    if decimals > MONEY_DECIMALS:
        before = [math.floor(math.log10(size)) + 1 for size in (max(sizes), min(sizes))]
        least = max(NUMBER_DIGITS - before[0], MIN_DIGITS - before[1], MONEY_DECIMALS)
        if least > NUMBER_DIGITS:
            return [number_text(float(number)) for number in numbers]
        decimals = min(decimals, least)
    apart = "," if _are_apart(numbers, name) else ""
    if not decimals:
        return [f"{round(number):{apart}d}" for number in numbers]
    texts = [f"{number:z{apart}.{decimals}f}" for number in numbers]
    idle = min(len(text) - len(text.rstrip("0")) for text in texts)  # the same rounding for all
    return [text[: len(text) - idle].removesuffix(".") for text in texts]


def _decimals(number: float) -> int:
    """Digits behind the point, of a float those that it is true to."""
    if not isinstance(number, float):
        return 0
    exponent = Decimal(f"{number:.{TRUE_DIGITS}g}").normalize().as_tuple().exponent
    return max(0, -int(exponent))


def _are_apart(numbers: Sequence[float], name: str) -> bool:
    """Whether thousands are told apart; of whole numbers not where they may be years or codes."""
    largest = max(map(abs, numbers))
    if largest < MIN_APART or is_key(name):
        return False
    if any(isinstance(number, float) for number in numbers):
        return True
    lengths = {len(str(abs(number))) for number in numbers}
    return largest >= 10**NUMBER_DIGITS or len(lengths) > 1


def is_key(name: str) -> bool:
    """Whether a name says that it is a key, such as ``customer_id``."""
    return KEY_WORDS.search(name.strip()) is not None


def short_text(text: str, characters: int = SHORT) -> str:
    """Text with one blank where there were several, empty if it is too long to be a number.

    A pattern with room for blanks in several places tries each way to share out a run of them.
    """
    flat = " ".join(text.split())
    return flat if len(flat) <= characters else ""


def is_whole_text(text: str) -> bool:
    """Whether text can be written as UTF-8; a file's name that was none holds half characters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def read_place(place: object) -> object:
    """A place in the file system as text; what is neither path nor text stays as it is.

    Raises:
        ValueError: If its name is no UTF-8 text.
    """
    text = os.fspath(place) if isinstance(place, os.PathLike) else place
    if isinstance(text, str) and not is_whole_text(text):
        raise ValueError(f"{text!a} is no UTF-8 text; rename the file or folder")
    return text


def visible(text: str) -> str:
    """Text as one line of signs that can be seen; blanks and line breaks become one blank.

    Signs that turn the order of others round, have no width or steer a terminal could carry words
    that no person sees, or make two readers see two texts. Letters that look alike stay.
    """
    flat = " ".join(text.split())
    return flat if flat.isprintable() else "".join(sign for sign in flat if sign.isprintable())


def printable(text: str) -> str:
    """Text without control or invisible characters, line breaks excepted.

    Headers, reasons and thoughts are untrusted: an escape sequence could rewrite a terminal, an
    invisible character could carry words that no person sees.
    """
    lines = text.replace("\t", "    ").splitlines()
    return "\n".join("".join(sign for sign in line if sign.isprintable()) for line in lines)


def one_line(text: str, characters: int) -> str:
    """Printable text as one line of bounded length, so that a line break poses as nothing."""
    flat = " ".join(text[: 4 * characters].split())
    if not flat.isprintable():
        flat = "".join(sign for sign in flat if sign.isprintable())
    return flat if len(flat) <= characters else f"{flat[: characters - 1]}…"
