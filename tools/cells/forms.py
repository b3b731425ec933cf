"""Forms: what a column's text may be read as."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple

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
