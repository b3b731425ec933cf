"""Parts: texts taken apart at a separator, or read as lists of items."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from wideleaf.tools.conditions.literals import BLANKS, text_column, trim_text
from wideleaf.tools.tables.table import Table, count_where

if TYPE_CHECKING:
    import polars as pl

LIST, WHITESPACE = "list", "whitespace"
"""Words that stand for no separator of their own."""
COMMA = ","
SPELLINGS = {
    "blank": WHITESPACE,
    "blanks": WHITESPACE,
    "space": WHITESPACE,
    "spaces": WHITESPACE,
    "lists": LIST,
    "json": LIST,
    "comma": COMMA,
    "semicolon": ";",
    "pipe": "|",
    "tab": "\t",
    "newline": "\n",
}
_ITEM = re.compile(
    r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s,'"\[\]{}()]+(?:\s+[^\s,'"\[\]{}()]+)*))"""
    r"""\s*(?:,|\Z)""",
    re.DOTALL,
)
"""An item in quotes or bare, and the comma behind it."""
_ESCAPE = re.compile(r"\\(?:(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|(.))", re.DOTALL)
_SIGNS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_MISSING = ("none", "null", "nan", "na")


def list_items(text: str) -> list[str | None] | None:
    """The items of a text such as ``['a', "b"]`` or ``[1, 2]``; None where it is no flat list.

    An item that stands for none is null.
    """
    bare = text.strip()
    if len(bare) < 2 or bare[0] != "[" or bare[-1] != "]":
        return None
    inside, place = bare[1:-1].strip(), 0
    items: list[str | None] = []
    while place < len(inside):
        match = _ITEM.match(inside, place)
        if match is None:
            return None
        single, double, plain = match.groups()
        if plain is not None:
            items.append(None if plain.lower() in _MISSING else plain)
        else:
            items.append(_ESCAPE.sub(_sign, double if single is None else single))
        place = match.end()
    return [item and _whole(item) for item in items]


def look_like_lists(table: Table, column: str) -> bool:
    """Whether every cell that is not blank stands in square brackets, and there is one."""
    text = trim_text(text_column(table, column))
    there = ~text.is_null() & (text != "")
    is_list = text.str.starts_with("[") & text.str.ends_with("]")
    some, odd = count_where(table.frame, there & is_list, there & ~is_list)
    return some > 0 and not odd


def take_apart(cells: pl.Series, separator: str) -> pl.Series:
    """The parts of each text, as they stand there; of a null none.

    Args:
        cells: The texts.
        separator: What stands between parts, or `LIST`, where a text that is no list is one part,
            or `WHITESPACE`.
    """
    import polars as pl

    texts = cells.cast(pl.String)
    if separator == WHITESPACE:
        return texts.str.extract_all(r"\S+")
    if separator != LIST:
        return texts.str.split(separator)
    items = {text: list_items(text) for text in texts.unique().drop_nulls()}
    lists = {text: [text] if parts is None else parts for text, parts in items.items()}
    return pl.Series(map(lists.get, texts), dtype=pl.List(pl.String))


def without_blanks(parts: pl.Series, strip: bool) -> pl.Series:
    """Parts that are not empty, if wished without the blanks around them."""
    import polars as pl

    bare = parts.list.eval(pl.element().str.strip_chars(BLANKS)) if strip else parts
    return bare.list.eval(pl.element().filter(pl.element() != ""))


def joint(separator: str) -> str:
    """What stands between parts that stay together."""
    return {LIST: ", ", WHITESPACE: " "}.get(separator, separator)


def _sign(match: re.Match[str]) -> str:
    code, sign = match.groups()
    if code is None:
        return _SIGNS.get(sign, sign)
    return chr(min(int(code[1:], 16), sys.maxunicode))


def _whole(text: str) -> str:
    """Text without halves of characters, as JSON may write them."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
