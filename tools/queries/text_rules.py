"""Texts in queries: compared with constants as they are folded, in what a dialect can lower."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import ibis.expr.operations as ops

from wideleaf.tools.conditions.literals import fold_text
from wideleaf.tools.errors import ActionError
from wideleaf.tools.queries.relations import call

PLAIN_LETTERS = ("sqlite",)
"""Dialects that lower and raise the 26 plain letters only."""
BY_LOCALE = ("postgres", "redshift")
"""Dialects that lower and raise letters as the locale of the server has them."""
BY_LIKE = ("sqlite", "mssql", "impala")
"""Dialects for which ibis writes how a text begins and ends as a pattern, of whatever signs."""
WITHOUT_CONTAINS = ("mssql",)
"""Dialects in which the function that ibis takes for a text within another is one of an index."""
MAX_LETTERS = 40
_FOLDED = ("İ", "ς")
"""Letters that a fold of text writes in other letters, before or after it lowers."""


def compare(node: Any, dialect: str) -> Any:
    """A folded text beside a constant: letters that the constant lacks need no folding."""
    left, right = node.args[:2]
    if isinstance(left, ops.Literal):
        left, right = right, left
    if not isinstance(right, ops.Literal) or not isinstance(right.value, str):
        return _part(node, dialect)
    folded = _fold(left, {*right.value}, dialect)
    args = (folded if one is left else one for one in node.args)
    return _part(node if folded is left else type(node)(*args), dialect)


def _part(node: Any, dialect: str) -> Any:
    """A text within another, sign by sign."""
    text, part = (one.to_expr() for one in node.args[:2])
    if dialect in BY_LIKE and isinstance(node, (ops.StartsWith, ops.EndsWith)):
        affix = node.args[1]
        many = len(affix.value) if isinstance(affix, ops.Literal) else part.length()
        begins = isinstance(node, ops.StartsWith)
        return ((call("substring", text, 1, many) if begins else text.right(many)) == part).op()
    if dialect in WITHOUT_CONTAINS and isinstance(node, ops.StringContains):
        return (call("charindex", part, text, made=int) > 0).op()
    return node


def compare_any(node: Any, dialect: str) -> Any:
    """A folded text beside several constants."""
    values = [one.value for one in node.options if isinstance(one, ops.Literal)]
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) != len(node.options):
        return node
    return ops.InValues(_fold(node.value, set().union(*texts), dialect), node.options)


def is_null(node: Any, dialect: str) -> Any:
    """A folded text, or a number read as another, is null where the cell is."""
    text = node.arg
    while isinstance(text, (ops.Lowercase, ops.Uppercase, ops.StringReplace)) or (
        isinstance(text, ops.Cast) and text.arg.dtype.is_numeric() and text.to.is_numeric()
    ):
        text = text.arg
    return node if text is node.arg else node.copy(arg=text)


def _fold(node: Any, letters: set[str], dialect: str) -> Any:
    """A text in small letters, as far as it is compared with a text of these letters."""
    if isinstance(node, ops.StringReplace):
        text = _fold(node.arg, letters, dialect)
        if isinstance(node.pattern, ops.Literal) and node.pattern.value in _FOLDED:
            return node.copy(arg=text) if letters & {*node.replacement.value} else text
        return node.copy(arg=text)
    if not isinstance(node, ops.Lowercase):
        return node
    text = _fold(node.arg, letters, dialect)
    if dialect not in (*PLAIN_LETTERS, *BY_LOCALE):
        return ops.Lowercase(text)
    capitals = [(capital, low) for low in sorted(letters) for capital in _capitals().get(low, ())]
    if len(capitals) > MAX_LETTERS:
        raise ActionError(
            "it lowers plain letters only, and the text has too many others", kind="sql"
        )
    expression = text.to_expr()
    for capital, low in capitals:
        expression = expression.replace(capital, low)
    return call("lower", expression).op()


@cache
def _capitals() -> dict[str, tuple[str, ...]]:
    """The characters beyond the plain letters that fold to each one."""
    capitals: dict[str, tuple[str, ...]] = {}
    codes: Iterable[int] = (*range(0x80, 0xD800), *range(0xE000, 0x1E944))
    for char in map(chr, codes):
        low = fold_text(char, trim=False)
        if low != char and len(low) == 1:
            capitals[low] = (*capitals.get(low, ()), char)
    return capitals
