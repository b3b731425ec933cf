"""Slots: which members of a family a question means, by a number, date or category in it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from wideleaf.retrieval.words.bm25 import stem
from wideleaf.retrieval.words.names import header_words
from wideleaf.tools.tables.families import Family

_CARDINALS = "zero one two three four five six seven eight nine ten eleven twelve"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth"
_SPELLED = {word: str(n) for n, word in enumerate(_CARDINALS.split())} | {
    word: f"#{n}" for n, word in enumerate(_ORDINALS.split(), start=1)
}
_N = r"-?\d+(?:\.\d+)?"
_NO_UNIT = (
    "a after an and are as at before between by for from have in is of on or that the to was were "
    "what which with"
)
_UNIT = rf"(?!(?:{_NO_UNIT.replace(' ', '|')})\b)[a-z]+"
_BEFORE = r"(?P<before> (?:before|prior|ago|earlier)\b)?"
_STEPS = "day|week|fortnight|month|year|hour|observation|obs|stage|period|visit|wave|depth|layer"
# In the order in which they may claim a number.
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"#1 (?P<high>{_N}) (?P<unit>{_UNIT}){_BEFORE}",
        rf"(?:between|from) (?P<unit>{_STEPS})s? (?P<low>{_N}) (?:and|to|until|through) "
        rf"(?:{_UNIT} )?(?P<high>{_N})",
        rf"(?:between|from) (?:{_UNIT} )?(?P<low>{_N}) (?:and|to|until|through) (?:{_UNIT} )?"
        rf"(?P<high>{_N})(?: (?P<unit>{_UNIT}){_BEFORE})?",
        rf"(?:(?P<unit>{_STEPS})s? )?(?P<low>{_N}) (?:to|until|through) (?:{_UNIT} )?"
        rf"(?P<high>{_N})",
        rf"\b(?P<unit>{_STEPS}) (?P<value>{_N})(?![\d.]*\d)",
        rf"#(?P<value>\d+) (?P<unit>{_UNIT})",
        rf"(?<![\w#.])(?P<value>{_N}) (?P<unit>{_UNIT}){_BEFORE}",
        rf"\b(?P<unit>{_UNIT}) (?P<value>{_N})(?![\d.]*\d)",
        r"\b(?P<value>(?:19|20)\d\d)\b",
    )
)
_DAY_ITSELF = re.compile(r"\bday of [a-z]|\b[a-z]{3,}ing day\b|\bon the day\b")
_SPAN_FROM_IT = re.compile(
    r"\b(from|between) (?:the )?(?:day of )?[a-z]{3,}ing(?: day)? (to|until|through|and)"
    r"(?= (?:day )?-?\d)"
)
_DATE = re.compile(r"\b(?:19|20)\d\d[-/.]\d\d[-/.]\d\d\b")
_TIMES = frozenset({"day", "week", "fortnight", "month", "hour"})
_DAYS = {"week": 7.0, "fortnight": 14.0, "month": 30.0}
_LONGER = frozenset(["week", "w", "wk", "fortnight", "month"])
"""Words of a family that does not count days."""
MANY_MEMBERS = 12
"""An axis longer than this is a time in days or the like, not a count of observations."""


class Mention(NamedTuple):
    """A number in a question: the span it stands for and the unit beside it, stemmed."""

    low: float
    high: float
    unit: str
    ordinal: bool = False


def find_mentions(question: str) -> list[Mention]:
    """The numbers of a question with what they count, "first 80 days" as a span from 0."""
    text = _plain(question)
    found = list(_mentions(text))
    if _DAY_ITSELF.search(text):
        found.append(Mention(0.0, 0.0, "day"))
    return found


def meant_members(
    family: Family, words: Collection[str], question: str, asked: Collection[str]
) -> tuple[str, ...]:
    """The members of a family that a question clearly means.

    Args:
        family: The family.
        words: Stems of its name's words, written out.
        question: The question.
        asked: Stems of the question's words.

    Returns:
        Columns in the order of the axis; none where nothing is clear.
    """
    if family.axis == "category":
        levels = [(column, header_words(str(value))) for value, column in family.members]
        return tuple(c for c, level in levels if level and all(stem(w) in asked for w in level))
    if family.axis == "date":
        dates = {re.sub(r"\D", "", date) for date in _DATE.findall(question)}
        return tuple(c for value, c in family.members if re.sub(r"\D", "", str(value)) in dates)
    values = [(float(value), column) for value, column in family.members]
    best: tuple[str, ...] = ()
    strongest = 0
    for mention in find_mentions(question):
        mention = in_axis_units(mention, [value for value, _ in values], words)
        columns = tuple(column for value, column in values if mention.low <= value <= mention.high)
        strength = _affinity(mention, [value for value, _ in values], words) if columns else 0
        if strength > strongest:
            best, strongest = columns, strength
    return best


def in_axis_units(mention: Mention, values: Sequence[float], words: Collection[str]) -> Mention:
    """A mention in weeks or months as days, where the axis is one of days around an event.

    Args:
        mention: The mention.
        values: The axis, in order.
        words: Stems of the family's words, written out.
    """
    days = _DAYS.get(mention.unit)
    if days is None or values[0] >= 0 or _LONGER & set(words):
        return mention
    return mention._replace(low=days * mention.low, high=days * mention.high, unit="day")


def _plain(question: str) -> str:
    text = question.lower().replace("−", "-")
    text = re.sub(r"\b(\d+)(?:st|nd|rd|th)\b", r"#\1", text)
    text = re.sub(r"(?<=\d)[-–](?=\d)", " to ", text)
    text = re.sub(r"(?<=\d)-?(?=[a-z])|(?<=[a-z])-(?=[a-z])", " ", text)
    text = re.sub(r"\bday of (?:the )?year(?= \d)", "day", text)
    text = re.sub(r"[a-z]+", lambda word: _SPELLED.get(word[0], word[0]), text)
    text = " ".join(re.sub(r"(?<=\d),(?=\d{3}\b)|[?!,;:()'\"]", "", text).split())
    return _SPAN_FROM_IT.sub(r"\1 day 0 \2", text)


def _mentions(text: str) -> Iterator[Mention]:
    claimed: set[int] = set()
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            groups = match.groupdict()
            places = [match.start(g) for g in ("low", "high", "value") if groups.get(g)]
            if claimed.intersection(places):
                continue
            claimed.update(places)
            value = groups.get("value")
            low, high = (float(groups.get(g) or value or 0) for g in ("low", "high"))
            if groups.get("before"):
                low, high = -high, -low
            ordinal = match[0].startswith("#") and value is not None
            yield Mention(min(low, high), max(low, high), stem(groups.get("unit") or ""), ordinal)


def _affinity(mention: Mention, values: list[float], words: Collection[str]) -> int:
    """How sure it is that a number speaks of an axis with these values; 0 is not at all."""
    if mention.unit in words:
        return 3
    long = len(values) > MANY_MEMBERS or values[0] < 0
    if mention.unit in _TIMES:
        return 2 if long else 0
    if mention.unit == "year" or not mention.unit:
        years = all(1900 <= value <= 2100 for value in values)
        return 2 if years or (mention.unit == "year" and not long) or values[0] < 0 else 0
    if mention.ordinal or mention.unit in ("observation", "obs"):
        return 1 if not long else 0
    return 0
