"""Limits of patterns: what would run without end on an engine that tries every way is refused.

Polars' and DuckDB's engines take linear time whatever the pattern; Spark's, Java's, goes back and
tries again. A pattern is accepted if its ways are few even there.
"""

from __future__ import annotations

from wideleaf.tools.errors import ActionError
from wideleaf.tools.pattern_borders import spell_borders
from wideleaf.tools.pattern_parser import parse_pattern
from wideleaf.tools.patterns import (
    Chars,
    Either,
    Group,
    Node,
    Repeat,
    Sequence,
    first,
    meet,
)

MOST_REPEATS = 100
MOST_SIZE = 1_500
MOST_WAYS = 1_000
MOST_LOOSE = 2
"""Repeats without end whose end is uncertain; each multiplies the time by a text's length."""
LONG_CHOICE = 20


def read_pattern(text: str) -> Node:
    """Read a pattern and bound it, with the borders of words spelled out.

    Returns:
        The tree; what is found stands in the group `WHOLE`.

    Raises:
        ActionError: If it is broken, or could run too long.
    """
    node = parse_pattern(text)
    size = _size(node, text)
    if size > MOST_SIZE:
        raise _too_much(text, f"is {size} characters long with its repeats written out", MOST_SIZE)
    loose, ways = _walk(node, (), text)
    if loose > MOST_LOOSE:
        raise ActionError(
            f"the pattern {text!r} has {loose} repeats without end whose end is uncertain, as .* "
            f"is, which takes too long on some engines; at most {MOST_LOOSE}; write what they "
            f"stop at, as [^,]*, or split the pattern into several conditions",
            kind="pattern",
        )
    if ways > MOST_WAYS:
        raise _too_much(text, f"can match in {ways} ways", MOST_WAYS)
    return spell_borders(node, text)


def _too_much(text: str, what: str, most: int) -> ActionError:
    return ActionError(f"the pattern {text!r} {what}; at most {most}", kind="pattern")


def _size(node: Node, text: str) -> int:
    match node:
        case Chars(categories=categories):
            return 5 if categories else 1
        case Group(inner=inner):
            return _size(inner, text)
        case Repeat(inner=inner, least=least, most=most):
            if max(least, most or 0) > MOST_REPEATS:
                raise _too_much(text, f"repeats {max(least, most or 0)} times", MOST_REPEATS)
            return _size(inner, text) * max(1, least + 1 if most is None else most)
        case Sequence(parts=parts) | Either(branches=parts):
            return sum(_size(part, text) for part in parts)
        case _:
            return 0


def _walk(node: Node, after: tuple[Chars, ...], text: str) -> tuple[int, int]:
    """How many uncertain repeats without end, and in how many ways besides, before `after`."""
    match node:
        case Group(inner=inner):
            return _walk(inner, after, text)
        case Either(branches=branches):
            found = [_walk(branch, after, text) for branch in branches]
            firsts = [first(branch)[0] for branch in branches]
            apart = not any(
                meet(one, other) for i, one in enumerate(firsts) for other in firsts[:i]
            )
            ways = max(w for _, w in found) if apart else sum(w for _, w in found)
            return max(loose for loose, _ in found), ways
        case Sequence(parts=parts):
            loose, ways = 0, 1
            for place, part in enumerate(parts):
                chars, empty = first(Sequence(parts[place + 1 :]))
                more, times = _walk(part, chars + after if empty else chars, text)
                loose, ways = loose + more, ways * times
            return loose, ways
        case Repeat():
            return _walk_repeat(node, after, text)
        case _:
            return 0, 1


def _walk_repeat(node: Repeat, after: tuple[Chars, ...], text: str) -> tuple[int, int]:
    begins, empty = first(node.inner)
    loose, ways = 0, 1
    inner = node.inner
    while isinstance(inner, Group):
        inner = inner.inner
    if not isinstance(inner, Chars):
        if node.most is None and (empty or not _fixed(inner)):
            raise ActionError(
                f"the pattern {text!r} repeats without end what itself repeats or chooses, as "
                f"(a+)+ does, which may never end on some engines; allowed: a single class such "
                f"as [a-z ]+ or a bound such as (...){{1,9}}",
                kind="pattern",
            )
        loose, ways = _walk(inner, begins + after, text)
        if loose and node.most != 1:
            raise ActionError(
                f"the pattern {text!r} repeats what holds a repeat without end; write what that "
                f"stops at, as [^,]*, or a bound such as {{0,9}}",
                kind="pattern",
            )
        ways = ways ** (node.most or 1)
    if node.most != node.least and meet(begins, after):
        if node.most is None or node.most - node.least > LONG_CHOICE:
            return loose + 1, ways
        ways *= node.most - node.least + 1
    return loose, min(ways, 10**9)


def _fixed(node: Node) -> bool:
    """Whether it matches in one way only, so that it may be repeated without end."""
    match node:
        case Group(inner=inner):
            return _fixed(inner)
        case Repeat(inner=inner, least=least, most=most):
            return least == most and _fixed(inner)
        case Sequence(parts=parts):
            return all(map(_fixed, parts))
        case _:
            return isinstance(node, Chars)
