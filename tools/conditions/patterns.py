"""Patterns: the part of regular expressions that means the same, and ends, on every engine.

A pattern is read into a tree and written out again in the few constructs that all engines share:
classes and case are spelled out, so no engine's own idea of a word or of a line comes in.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable
from typing import NamedTuple

LAST = 0x10FFFF
BLANKS = "".join(chr(c) for c in range(0x3001) if chr(c).isspace())
"""What counts as a blank, on every engine; engines' own trims differ."""


class Chars(NamedTuple):
    """One character out of a set.

    Attributes:
        ranges: First and last code points.
        categories: Unicode's general categories, such as ``L``.
        negated: Whether it is any character outside of these.
    """

    ranges: tuple[tuple[int, int], ...] = ()
    categories: tuple[str, ...] = ()
    negated: bool = False


class Anchor(NamedTuple):
    """A place: the ``start`` or the ``end`` of the text, or the border of a ``word``."""

    at: str


class PatternGroup(NamedTuple):
    """A part in parentheses; number 0 captures nothing."""

    inner: PatternNode
    number: int = 0


class Repeat(NamedTuple):
    """A part several times; `most` None is without end."""

    inner: PatternNode
    least: int
    most: int | None
    lazy: bool


class Sequence(NamedTuple):
    """Parts one after another."""

    parts: tuple[PatternNode, ...]


class Either(NamedTuple):
    """One of several parts, the first that fits."""

    branches: tuple[PatternNode, ...]


PatternNode = Chars | Anchor | PatternGroup | Repeat | Sequence | Either

WHOLE = 99
"""The number of the group that stands around what is found."""
WORD = Chars(((95, 95),), ("L", "M", "N"))
ANY = Chars(((0, LAST),))
_SAMPLE = [*range(0x180), *map(ord, "Жж中ا٣…€😀\u0301\u2028")]


def write_pattern(node: PatternNode, keep: Container[int] = ()) -> str:
    """Write a pattern for every engine.

    Args:
        node: The tree.
        keep: The numbers of the groups that capture.
    """
    return "(?s)" + _written(node, keep)


def like_pattern(text: str) -> str:
    """SQL's LIKE as a pattern, case-folded as all parts of text are."""
    middle = text.strip("%")
    inner = "".join({"%": ".*", "_": "."}.get(c, re.escape(c)) for c in middle)
    start, end = "" if text.startswith("%") else r"\A", "" if text.endswith("%") else r"\z"
    return f"(?is){start}{inner}{end}"


def literal_pattern(text: str) -> str:
    """A text as a pattern that finds just it."""
    return "".join(_char(ord(c)) for c in text)


def single(one: Chars) -> bool:
    """Whether the set holds just one character."""
    plain = not one.categories and not one.negated and len(one.ranges) == 1
    return plain and one.ranges[0][0] == one.ranges[0][1]


def shortest(node: PatternNode) -> int:
    """The fewest characters it can match."""
    match node:
        case Chars():
            return 1
        case Anchor():
            return 0
        case PatternGroup(inner=inner):
            return shortest(inner)
        case Repeat(inner=inner, least=least):
            return least * shortest(inner)
        case Sequence(parts=parts):
            return sum(map(shortest, parts))
        case Either(branches=branches):
            return min(map(shortest, branches))


def groups_of(node: PatternNode) -> tuple[int, ...]:
    """The numbers of the groups that a pattern captures."""
    match node:
        case PatternGroup(inner=inner, number=number):
            own = (number,) if number not in (0, WHOLE) else ()
            return (*own, *groups_of(inner))
        case Repeat(inner=inner):
            return groups_of(inner)
        case Sequence(parts=parts) | Either(branches=parts):
            return tuple(number for part in parts for number in groups_of(part))
        case _:
            return ()


def first(node: PatternNode) -> tuple[tuple[Chars, ...], bool]:
    """The characters a part can begin with, and whether it may be empty."""
    match node:
        case Chars():
            return (node,), False
        case PatternGroup(inner=inner):
            return first(inner)
        case Repeat(inner=inner, least=least):
            chars, empty = first(inner)
            return chars, empty or least == 0
        case Either(branches=branches):
            firsts = [first(branch) for branch in branches]
            return tuple(c for chars, _ in firsts for c in chars), any(e for _, e in firsts)
        case Sequence(parts=parts):
            found: tuple[Chars, ...] = ()
            for part in parts:
                chars, empty = first(part)
                found += chars
                if not empty:
                    return found, False
            return found, True
        case _:
            return (), True


def meet(these: Iterable[Chars], those: Iterable[Chars]) -> bool:
    """Whether two sets of characters share one; tried where sets begin and end."""
    one, other = list(these), list(those)
    ends = {end for chars in (*one, *other) for span in chars.ranges for end in span}
    near = {code + step for code in ends for step in (-1, 0, 1) if 0 <= code + step <= 0x10FFFF}
    return any(
        any(_holds(c, code) for c in one) and any(_holds(c, code) for c in other)
        for code in (*_SAMPLE, *near)
    )


def unite_sets(found: list[Chars], negated: bool = False) -> Chars:
    """All of several sets as one."""
    ranges = tuple(dict.fromkeys(span for one in found for span in one.ranges))
    categories = tuple(dict.fromkeys(name for one in found for name in one.categories))
    return Chars(ranges, categories, negated)


def complement(one: Chars) -> Chars:
    """Every other character than those of ranges."""
    made, start = [], 0
    for low, high in sorted(one.ranges):
        if low > start:
            made.append((start, low - 1))
        start = high + 1
    return Chars((*made, (start, LAST)) if start <= LAST else tuple(made))


def _holds(one: Chars, code: int) -> bool:
    inside = any(low <= code <= high for low, high in one.ranges) or (
        bool(one.categories) and unicodedata.category(chr(code)).startswith(one.categories)
    )
    return inside != one.negated


def _written(node: PatternNode, keep: Container[int]) -> str:
    match node:
        case Chars():
            return _set(node)
        case Anchor(at="word"):
            raise AssertionError("borders of words are spelled out before")
        case Anchor(at=at):
            return r"\A" if at == "start" else r"\z"
        case PatternGroup(inner=inner, number=number):
            opening = "(" if number in keep else "(?:"
            return f"{opening}{_written(inner, keep)})"
        case Repeat(inner=inner, least=least, most=most, lazy=lazy):
            counts = f"{{{least},{'' if most is None else most}}}"
            short = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get((least, most), counts)
            body = _written(inner, keep)
            if isinstance(inner, (Sequence, Either)):
                body = f"(?:{body})"
            return body + short + ("?" if lazy else "")
        case Sequence(parts=parts):
            return "".join(
                f"(?:{_written(p, keep)})" if isinstance(p, Either) else _written(p, keep)
                for p in parts
            )
        case Either(branches=branches):
            return "|".join(_written(branch, keep) for branch in branches)


def _set(one: Chars) -> str:
    if one == ANY:
        return "."
    if single(one):
        return _char(one.ranges[0][0])
    inside = "".join(
        _char(low) if low == high else f"{_char(low)}-{_char(high)}" for low, high in one.ranges
    )
    kinds = "".join(rf"\p{{{name}}}" for name in one.categories)
    return f"[{'^' if one.negated else ''}{inside}{kinds}]"


def _char(code: int) -> str:
    char = chr(code)
    return char if char.isascii() and char.isalnum() else rf"\x{{{code:x}}}"
