"""Synonyms: the further names of a column that a description lists."""

from __future__ import annotations

import re

from wideleaf.tools.dictionary.forms import BESIDE

MAX_WORDS = 3
"""A further name has so many words at most; a longer piece is a part of a sentence."""
_BESIDE = re.compile(rf";\s*(?:{'|'.join(word for word, _ in BESIDE)})\s.*$", re.DOTALL)
_BETWEEN = re.compile(r"\s*[,;|]\s*(?:or\s+|also\s+|a\.?k\.?a\.?\s+)?|\s+or\s+|\s+a\.?k\.?a\.?\s+")
_NAME = re.compile(r"[^\W\d][\w%'’.-]*(?:[ /][^\W\d][\w%'’.-]*)*")


def split_synonyms(text: str, little: frozenset[str]) -> tuple[str, ...]:
    """The names that a description lists, as in ``monthly gross pay in EUR, wage, earnings``.

    The first is whatever the list begins with. Where one of the others is no short name (it begins
    with a little word, as *in cm* does, or holds one, a number or a sign), the whole is a sentence
    and no list.

    Args:
        text: What a user said that a column means.
        little: Words of the grammar, such as prepositions.

    Returns:
        The names; the whole text alone where it lists none.
    """
    plain = drop_beside(" ".join(text.split()))
    first, *others = (piece.strip() for piece in _BETWEEN.split(plain))
    if not first or not others or not all(_is_name(piece, little) for piece in others):
        return (text,)
    return (first, *others)


def drop_beside(text: str) -> str:
    """What is said of a column, without the unit and the like that a dictionary has beside it."""
    return _BESIDE.sub("", text).strip().rstrip(".")


def _is_name(piece: str, little: frozenset[str]) -> bool:
    words = piece.casefold().split()
    plausible = len(words) <= MAX_WORDS and _NAME.fullmatch(piece) is not None
    sentence = len(words) > 1 and words[0].endswith(("ing", "ed"))  # measured weekly
    return plausible and not sentence and not little.intersection(words)
