"""Meanings: what is said of words that stand for a value which no cell equals."""

from __future__ import annotations

from wideleaf.tools.conditions.condition import Compare
from wideleaf.tools.privacy import Fact


def tell_meanings(compare: Compare, what: str) -> list[Fact]:
    """Which words of a resolved comparison mean a value; the value itself is a cell.

    Args:
        compare: The comparison.
        what: What is compared, in the words of whoever asked for it.
    """
    if not compare.meant:
        return []
    words = ", ".join(repr(said) for said, _ in compare.meant)
    text = f"No {what} is {words}; the nearest value in spelling or meaning was taken"
    pairs = ", ".join(f"{value!r} for {said!r}" for said, value in compare.meant)
    told = f"Of {what}, taken {pairs}"
    return [Fact(text=text, caveat=True), Fact(text=told, matter="values", caveat=True)]
