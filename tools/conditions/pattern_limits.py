"""Limits of patterns: what could run without end is refused; borders of words, spelled out.

Polars' and DuckDB's engines take linear time whatever the pattern; Spark's, Java's, goes back and
tries again. A pattern is accepted if its ways are few even there.
"""

from __future__ import annotations

from wideleaf.tools.conditions.pattern_parser import parse_pattern
from wideleaf.tools.conditions.patterns import (
    WHOLE,
    WORD,
    Anchor,
    Chars,
    Either,
    PatternGroup,
    PatternNode,
    Repeat,
    Sequence,
    first,
    meet,
)
from wideleaf.tools.errors import ActionError

MOST_REPEATS = 100
MOST_SIZE = 1_500
MOST_WAYS = 1_000
MOST_LOOSE = 2
"""Repeats without end whose end is uncertain; each multiplies the time by a text's length."""
LONG_CHOICE = 20
_NOT_WORD = WORD._replace(negated=True)


def read_pattern(text: str) -> PatternNode:
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


def _size(node: PatternNode, text: str) -> int:
    match node:
        case Chars(categories=categories):
            return 5 if categories else 1
        case PatternGroup(inner=inner):
            return _size(inner, text)
        case Repeat(inner=inner, least=least, most=most):
            if max(least, most or 0) > MOST_REPEATS:
                raise _too_much(text, f"repeats {max(least, most or 0)} times", MOST_REPEATS)
            return _size(inner, text) * max(1, least + 1 if most is None else most)
        case Sequence(parts=parts) | Either(branches=parts):
            return sum(_size(part, text) for part in parts)
        case _:
            return 0


def _walk(node: PatternNode, after: tuple[Chars, ...], text: str) -> tuple[int, int]:
    """How many uncertain repeats without end, and in how many ways besides, before `after`."""
    match node:
        case PatternGroup(inner=inner):
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
    while isinstance(inner, PatternGroup):
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


def _fixed(node: PatternNode) -> bool:
    """Whether it matches in one way only, so that it may be repeated without end."""
    match node:
        case PatternGroup(inner=inner):
            return _fixed(inner)
        case Repeat(inner=inner, least=least, most=most):
            return least == most and _fixed(inner)
        case Sequence(parts=parts):
            return all(map(_fixed, parts))
        case _:
            return isinstance(node, Chars)


def spell_borders(node: PatternNode, text: str) -> PatternNode:
    """Write each border of a word as the character there must be, or the text's end.

    Returns:
        The tree; what is found stands in the group `WHOLE`.

    Raises:
        ActionError: If a border stands where engines would have to look around.
    """
    if isinstance(node, Either):
        branches = tuple(spell_borders(branch, text) for branch in node.branches)
        if not any(has_borders(branch) for branch in branches):
            return PatternGroup(node, WHOLE)
        return Either(branches)
    parts = list(node.parts) if isinstance(node, Sequence) else [node]
    before, after = Sequence(()), Sequence(())
    edges: list[PatternNode] = [before, after]
    rest, begun = Sequence(tuple(parts[1:])), Sequence(tuple(parts[:-1]))
    if len(parts) > 1 and parts[0] == Anchor("word") and _wordy(rest, at_end=False):
        edges[0] = Either((Anchor("start"), _NOT_WORD))
        parts = parts[1:]
    if len(parts) > 1 and parts[-1] == Anchor("word") and _wordy(begun, at_end=True):
        edges[1] = Either((Anchor("end"), _NOT_WORD))
        parts = parts[:-1]
    core = parts[0] if len(parts) == 1 else Sequence(tuple(parts))
    if _looks(core):
        raise ActionError(
            f"the pattern {text!r} has a \\b that engines see differently; allowed: "
            r"\b only where the pattern begins or ends, before or after a word character; "
            r"elsewhere write \W or \s",
            kind="pattern",
        )
    whole = PatternGroup(core, WHOLE)
    if edges == [before, after]:
        return whole
    return Sequence((edges[0], whole, edges[1]))


def _looks(node: PatternNode) -> bool:
    match node:
        case Anchor(at=at):
            return at == "word"
        case PatternGroup(inner=inner) | Repeat(inner=inner):
            return _looks(inner)
        case Sequence(parts=parts) | Either(branches=parts):
            return any(map(_looks, parts))
        case _:
            return False


def _wordy(node: PatternNode, *, at_end: bool) -> bool:
    """Whether it surely begins, or ends, with a character of a word."""
    match node:
        case Chars():
            return not meet([node], [_NOT_WORD])
        case PatternGroup(inner=inner):
            return _wordy(inner, at_end=at_end)
        case Repeat(inner=inner, least=least):
            return least > 0 and _wordy(inner, at_end=at_end)
        case Sequence(parts=parts):
            for part in reversed(parts) if at_end else parts:
                if _wordy(part, at_end=at_end):
                    return True
                # What may be missing, as the s of `totals?`, leaves the end to what is beside it.
                if not (isinstance(part, Repeat) and _wordy(part.inner, at_end=at_end)):
                    return False
            return False
        case Either(branches=branches):
            return all(_wordy(branch, at_end=at_end) for branch in branches)
        case _:
            return False


def has_borders(node: PatternNode) -> bool:
    """Whether a pattern looks at the characters beside what it finds."""
    return not (isinstance(node, PatternGroup) and node.number == WHOLE)
