"""Number words of English: cardinals, ordinals, scales, and the number that some words write."""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from decimal import Decimal

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

MONTHS = {
    name.casefold(): number
    for names in (calendar.month_name, calendar.month_abbr)
    for number, name in enumerate(names)
    if name
} | {"sept": 9}
"""The months by their names and short names."""


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


SCALES = {
    **{"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12},
    **{
        "dozen": 12,
        "k": 10**3,
        "mn": 10**6,
        "bn": 10**9,
        "grand": 10**3,
        "mio": 10**6,
        "mrd": 10**9,
    },
}
"""Words behind a number in digits that it is to be taken times."""
_SCALED = re.compile(
    r"(?<![\w.,])(?:(?P<low>\d+(?:\.\d+)?)(?P<to>\s?(?:and|to|or|-|–)\s?))?"
    rf"(?P<number>\d+(?:,\d{{3}})*(?:\.\d+)?)\s?(?P<scale>{'|'.join(SCALES)})s?\b"
    r"|\b(?P<half>half|a quarter of) an?\s+(?P<whole>thousand|million|billion|trillion)\b"
    rf"|\b(?P<words>(?:an?|{'|'.join(CARDINALS)})(?:[\s-](?:{'|'.join(CARDINALS)}))?"
    r"(?:\s+hundred(?=\s+(?:thousand|million|billion|trillion)))?)"
    rf"\s+(?P<of>hundred(?!\s+(?:and\s+)?(?:{'|'.join(CARDINALS)})\b)"
    r"|thousand|million|billion|trillion)\b",
    re.IGNORECASE,
)


def scaled_numbers(text: str) -> list[tuple[str, str]]:
    """Numbers of a text that a word scales, each as written and in digits.

    Args:
        text: Such as ``over 2.5 million`` or ``15k``.

    Returns:
        Pairs such as ``("2.5 million", "2500000")``, in their order.
    """
    pairs = []
    for match in _SCALED.finditer(text):
        if match["words"]:
            words = match["words"].casefold().replace("-", " ").split()
            value = Decimal(parse_number_words(words)[0] or 1) * SCALES[match["of"].casefold()]
        elif match["half"]:
            part = Decimal("0.5") if match["half"].casefold() == "half" else Decimal("0.25")
            value = part * SCALES[match["whole"].casefold()]
        else:
            scale = SCALES[match["scale"].casefold()]
            value = Decimal(match["number"].replace(",", "")) * scale
            low = Decimal(match["low"] or 0)
            if match["low"] and low < Decimal(match["number"].replace(",", "")):
                # Between 1 and 2 billion: the first is in billions, too.
                scaled = f"{(low * scale).normalize():f}{match['to']}{value.normalize():f}"
                pairs.append((match[0], scaled))
                continue
            if match["low"]:
                start = match.start("number") - match.start()
                pairs.append((match[0][start:], f"{value.normalize():f}"))
                continue
        pairs.append((match[0], f"{value.normalize():f}"))
    return pairs
