"""Patterns: the part of regular expressions that means the same, and ends, on every engine.

A pattern is read into a tree and written out again in the few constructs that all engines share:
classes and case are spelled out, so no engine's own idea of a word or of a line comes in. Polars'
and DuckDB's engines take linear time whatever the pattern; Spark's, Java's, goes back and tries
again. A pattern is accepted if its ways are few even there.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

from wideleaf.tools.conditions.pattern_parser import (
    ANY,
    BORDER,
    WORD,
    Anchor,
    Chars,
    Either,
    PatternGroup,
    PatternNode,
    Repeat,
    Sequence,
    parse_pattern,
    parts_of,
    parts_within,
    refuse,
)

WHOLE = 99
"""The number of the group that stands around what is found."""
MAX_REPEATS = 100
MAX_SIZE = 1_500
MAX_WAYS = 1_000
MAX_LOOSE = 2
"""Repeats without end whose end is uncertain; each multiplies the time by a text's length."""
LONG_CHOICE = 20
_NOT_WORD = WORD._replace(negated=True)
_SAMPLE = [*range(0x180), *map(ord, "Жж中ا٣…€😀\u0301\u2028")]


def read_pattern(text: str) -> PatternNode:
    """Read a pattern and bound it, with the borders of words spelled out.

    Returns:
        The tree; what is found stands in the group `WHOLE`.

    Raises:
        ActionError: If it is broken, or could run too long.
    """
    node = parse_pattern(text)
    size = _size(node, text)
    if size > MAX_SIZE:
        raise refuse(
            text, f"is {size} characters long with its repeats written out; at most {MAX_SIZE}"
        )
    loose, ways = _walk(node, (), text)
    if loose > MAX_LOOSE:
        raise refuse(
            text,
            f"has {loose} repeats without end whose end is uncertain, as .* is, which takes too "
            f"long on some engines; at most {MAX_LOOSE}; write what they stop at, as [^,]*, or "
            "split the pattern into several conditions",
        )
    if ways > MAX_WAYS:
        raise refuse(text, f"can match in {ways} ways; at most {MAX_WAYS}")
    return _spell_borders(node, text)


def has_borders(node: PatternNode) -> bool:
    """Whether a pattern looks at the characters beside what it finds."""
    return not (isinstance(node, PatternGroup) and node.number == WHOLE)


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


def groups_of(node: PatternNode) -> tuple[int, ...]:
    """The numbers of the groups that a pattern captures."""
    groups = (part for part in parts_within(node) if isinstance(part, PatternGroup))
    return tuple(group.number for group in groups if group.number != WHOLE)


def may_be_empty(node: PatternNode) -> bool:
    """Whether it can match no character at all."""
    return _edge(node)[1]


def _size(node: PatternNode, text: str) -> int:
    if isinstance(node, Chars):
        return 5 if node.categories else 1
    size = sum(_size(part, text) for part in parts_of(node))
    if not isinstance(node, Repeat):
        return size
    most = max(node.least, node.most or 0)
    if most > MAX_REPEATS:
        raise refuse(text, f"repeats {most} times; at most {MAX_REPEATS}")
    return size * max(1, node.least + 1 if node.most is None else node.most)


def _walk(node: PatternNode, after: tuple[Chars, ...], text: str) -> tuple[int, int]:
    """How many uncertain repeats without end, and in how many ways besides, before `after`."""
    if isinstance(node, Repeat):
        return _walk_repeat(node, after, text)
    if isinstance(node, Either):
        counts = [_walk(branch, after, text) for branch in node.branches]
        firsts = [_edge(branch)[0] for branch in node.branches]
        apart = not any(_meet(one, other) for i, one in enumerate(firsts) for other in firsts[:i])
        ways = max(w for _, w in counts) if apart else sum(w for _, w in counts)
        return max(loose for loose, _ in counts), ways
    loose, ways, parts = 0, 1, parts_of(node)
    for place, part in enumerate(parts):
        chars, empty = _edge(Sequence(parts[place + 1 :]))
        more, times = _walk(part, chars + after if empty else chars, text)
        loose, ways = loose + more, ways * times
    return loose, ways


def _walk_repeat(node: Repeat, after: tuple[Chars, ...], text: str) -> tuple[int, int]:
    begins, empty = _edge(node.inner)
    loose, ways = 0, 1
    inner = node.inner
    while isinstance(inner, PatternGroup):
        inner = inner.inner
    if not isinstance(inner, Chars):
        if node.most is None and (empty or not _is_fixed(inner)):
            raise refuse(
                text,
                "repeats without end what itself repeats or chooses, as (a+)+ does, which may "
                "never end on some engines; allowed: a single class such as [a-z ]+ or a bound "
                "such as (...){1,9}",
            )
        loose, ways = _walk(inner, begins + after, text)
        if loose and node.most != 1:
            raise refuse(
                text,
                "repeats what holds a repeat without end; write what that stops at, as [^,]*, or "
                "a bound such as {0,9}",
            )
        ways = ways ** (node.most or 1)
    if node.most != node.least and _meet(begins, after):
        if node.most is None or node.most - node.least > LONG_CHOICE:
            return loose + 1, ways
        ways *= node.most - node.least + 1
    return loose, min(ways, 10**9)


def _is_fixed(node: PatternNode) -> bool:
    """Whether it matches in one way only, so that it may be repeated without end."""
    if isinstance(node, (Either, Anchor)) or (isinstance(node, Repeat) and node.least != node.most):
        return False
    return all(map(_is_fixed, parts_of(node)))


def _edge(node: PatternNode, *, last: bool = False) -> tuple[tuple[Chars, ...], bool]:
    """The characters a part can begin with, or end with, and whether it may be empty."""
    match node:
        case Chars():
            return (node,), False
        case Either(branches=branches):
            edges = [_edge(branch, last=last) for branch in branches]
            return tuple(c for chars, _ in edges for c in chars), any(e for _, e in edges)
    ends: tuple[Chars, ...] = ()
    parts = parts_of(node)
    for part in reversed(parts) if last else parts:
        chars, empty = _edge(part, last=last)
        ends += chars
        if not empty:
            return ends, isinstance(node, Repeat) and node.least == 0
    return ends, True


def _meet(these: Iterable[Chars], those: Iterable[Chars]) -> bool:
    """Whether two sets of characters share one; tried where sets begin and end."""
    one, other = list(these), list(those)
    ends = {end for chars in (*one, *other) for span in chars.ranges for end in span}
    near = {code + step for code in ends for step in (-1, 0, 1) if 0 <= code + step <= 0x10FFFF}
    return any(
        any(c.holds(code) for c in one) and any(c.holds(code) for c in other)
        for code in (*_SAMPLE, *near)
    )


def _spell_borders(node: PatternNode, text: str) -> PatternNode:
    """Write each border of a word as the character there must be, or the text's end.

    Returns:
        The tree; what is found stands in the group `WHOLE`.

    Raises:
        ActionError: If a border stands where engines would have to look around.
    """
    if isinstance(node, Either):
        branches = tuple(_spell_borders(branch, text) for branch in node.branches)
        if not any(has_borders(branch) for branch in branches):
            return PatternGroup(node, WHOLE)
        return Either(branches)
    parts = node.parts if isinstance(node, Sequence) else (node,)
    before: tuple[PatternNode, ...] = ()
    after: tuple[PatternNode, ...] = ()
    if parts[:1] == (BORDER,) and _wordy(parts[1:]):
        before, parts = (Either((Anchor("start"), _NOT_WORD)),), parts[1:]
    if parts[-1:] == (BORDER,) and _wordy(parts[:-1], last=True):
        after, parts = (Either((Anchor("end"), _NOT_WORD)),), parts[:-1]
    core = parts[0] if len(parts) == 1 else Sequence(parts)
    if BORDER in parts_within(core):
        raise refuse(
            text,
            r"has a \b that engines see differently; allowed: \b only where the pattern begins or "
            r"ends, before or after a word character; elsewhere write \W or \s",
        )
    whole = PatternGroup(core, WHOLE)
    return Sequence((*before, whole, *after)) if before or after else whole


def _wordy(parts: tuple[PatternNode, ...], *, last: bool = False) -> bool:
    """Whether they surely begin, or end, with a character of a word."""
    chars, empty = _edge(Sequence(parts), last=last)
    return not empty and not _meet(chars, [_NOT_WORD])


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
    spans = [
        _char(low) if low == high else f"{_char(low)}-{_char(high)}" for low, high in one.ranges
    ]
    if one == Chars(one.ranges[:1]) and one.ranges[0][0] == one.ranges[0][1]:
        return spans[0]
    kinds = "".join(rf"\p{{{name}}}" for name in one.categories)
    return f"[{'^' if one.negated else ''}{''.join(spans)}{kinds}]"


def _char(code: int) -> str:
    char = chr(code)
    return char if char.isascii() and char.isalnum() else rf"\x{{{code:x}}}"
