"""Words for whoever reads: one line, printable, and no longer than it may be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

CELL_CHARACTERS = 40
MOST_LOOKED_AT = 4_000
"""Of a cell of a megabyte no more is looked at to show its beginning."""
TEXT_CHARACTERS = 60
NUMBER_DIGITS, TRUE_DIGITS = 6, 15


def cut(entries: Iterable[str], characters: int) -> str:
    """Join entries with commas as long as they fit; say how many were left out."""
    kept: list[str] = []
    entries = list(entries)
    used = 0
    for entry in entries:
        used += len(entry) + 2
        if kept and used > characters:
            return f"{', '.join(kept)} and {len(entries) - len(kept)} more"
        kept.append(entry)
    return ", ".join(kept)


def as_name(name: str) -> str:
    """A header as it may stand in a prompt: one line, of bounded length."""
    flat = visible(name) or ascii(name)
    return flat if len(flat) <= 2 * CELL_CHARACTERS else f"{flat[: 2 * CELL_CHARACTERS - 1]}…"


def cell_text(value: Any, characters: int = CELL_CHARACTERS) -> str:
    """A cell as it may stand in a line; one with blanks at its ends in quotes, to be seen."""
    if value is None:
        return "null"
    text = number_text(value) if isinstance(value, float) else visible(str(value)[:MOST_LOOKED_AT])
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
