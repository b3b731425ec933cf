"""Number words: cardinals and ordinals of English, and the number that a run of words writes."""

from __future__ import annotations

from collections.abc import Sequence

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
HUNDRED = 100
CARDINALS = {word: n for n, word in enumerate(_SMALL.split())} | {
    word: 10 * n for n, word in enumerate(_TENS.split(), start=2)
}
"""Cardinal words below a hundred, by themselves."""
ORDINALS = {word: n for n, word in enumerate(_ORDINALS.split(), start=1)}
ORDINAL_ENDINGS = frozenset(["st", "nd", "rd", "th"])
LONGEST_NUMBER = 5
"""Words of the longest number read: one hundred and twenty five."""


def parse_number_words(words: Sequence[str]) -> tuple[int, int]:
    """The number that the first of these words write, and how many of them do.

    Args:
        words: Words in lower case.

    Returns:
        The number and its words, such as 125 and 5 for ``one hundred and twenty five days``; 0 and
        0 where the first word is no number.
    """
    value, size = _below_hundred(words)
    if list(words[size : size + 1]) != ["hundred"]:
        return value, size
    value, size = max(value, 1) * HUNDRED, size + 1
    joint = list(words[size : size + 1]) == ["and"]
    more, further = _below_hundred(words[size + joint :])
    return (value + more, size + joint + further) if further else (value, size)


def _below_hundred(words: Sequence[str]) -> tuple[int, int]:
    first = CARDINALS.get(words[0]) if words else None
    if first is None:
        return 0, 0
    one = CARDINALS.get(words[1], 0) if len(words) > 1 else 0
    return (first + one, 2) if first >= 20 and 0 < one < 10 else (first, 1)
