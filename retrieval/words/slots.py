"""Slots in a question: which days, depths or observations it speaks of, and where it says so."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from wideleaf.retrieval.words.number_words import (
    LONGEST_NUMBER,
    MONTHS,
    ORDINAL_ENDINGS,
    ORDINALS,
    parse_number_words,
)
from wideleaf.retrieval.words.stems import stem

_FIRST = ("opening", "initial")
_N = r"-?\d+(?:\.\d+)?"
_UNIT_FORMS = (
    "days? d weeks? wks? wk fortnights? months? years? yrs? hours? cm mm centimet(?:er|re)s? "
    "observations? obs measurements? stages? seasons? visits? waves? layers? depth dap das "
    "q rounds? runs? sessions? laps? lags? quarters? qtrs? instances? cycles? phases? periods? "
    "episodes? terms? semesters? minutes?"
)
_U = rf"(?:{'|'.join(_UNIT_FORMS.split())})"
_MONTH = "|".join(sorted(MONTHS.keys() - {"may"}, key=len, reverse=True))
_BEFORE = (
    r"(?:before|prior to|prior|ahead of|preceding|earlier than|earlier|ago|leading up to|"
    r"in advance of|previous to)"
)
_AFTER = r"(?:after|past|post|following|since|into|later than|later|beyond|from|on from)"
_SIDE = rf"(?: (?:(?P<before>{_BEFORE})|(?P<after>{_AFTER}))\b)"
_EVENT = r"(?P<event>(?: (?:the|its|their|a|start|beginning|of|day|date|crop|time)\b)* [a-z]{3,})?"
_UNTIL = r"(?:to|through|until|till|thru)"
_TO = r"(?:and|to|through|until|till|thru)"
# In the order in which they may claim a word.
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(rf"(?<![\w#.-]){pattern}\b"))
    for kind, pattern in (
        ("first", rf"#1 (?P<high>{_N}) (?P<unit>{_U})(?:{_SIDE}{_EVENT})?"),
        ("last", rf"(?:last|final|latest) (?P<high>{_N}) (?P<unit>{_U}) {_BEFORE}{_EVENT}"),
        ("last", rf"(?:over|during|in|for|throughout|across) the (?P<high>{_N}) (?P<unit>{_U}) "
                 rf"{_BEFORE}{_EVENT}"),
        ("first", rf"(?:over|during|in|for|throughout|across) the (?P<high>{_N}) (?P<unit>{_U}) "
                  rf"{_AFTER}{_EVENT}"),
        ("from", rf"(?:from|between) (?:the )?(?:day of )?[a-z]{{3,}}ing(?: day)? {_TO} "
                 rf"(?:(?P<unit>{_U}) )?(?P<high>{_N})(?: (?P<unit2>{_U}))?(?:{_SIDE}{_EVENT})?"),
        ("range", rf"(?:between|from) (?:(?P<unit>{_U}) )?(?P<low>{_N})(?: (?P<unit3>{_U}))? {_TO} "
                  rf"(?:{_U} )?(?P<high>{_N})(?: (?P<unit2>{_U}))?(?:{_SIDE}{_EVENT})?"),
        ("range", rf"(?P<unit>{_U}) (?P<low>{_N}) {_UNTIL} (?:{_U} )?(?P<high>{_N})"
                  rf"(?:{_SIDE}{_EVENT})?"),
        ("both", rf"(?P<unit>{_U}) (?P<low>{_N}) (?:and|or) (?:{_U} )?(?P<high>{_N})"
                 rf"(?:{_SIDE}{_EVENT})?"),
        ("range", rf"(?P<low>{_N}) (?:to|through|until) (?P<high>{_N}) (?P<unit>{_U})"
                  rf"(?:{_SIDE}{_EVENT})?"),
        ("both", rf"(?P<low>{_N}) (?:and|or) (?P<high>{_N}) (?P<unit>{_U}){_SIDE}{_EVENT}"),
        ("one", rf"(?P<high>{_N}) (?P<unit>{_U}){_SIDE}{_EVENT}"),
        ("one", rf"(?P<one>a|an|the) (?P<unit>day|week|fortnight|month|year|season) "
                rf"(?P<before>{_BEFORE}){_EVENT}"),
        ("one", rf"(?P<unit>day) of (?:the )?year (?P<high>{_N})"),
        ("previous", rf"(?:previous|last|preceding|prior|final|latest|most recent) (?P<unit>{_U})"),
        ("clock", r"(?P<high>[01]?\d) ?(?:(?P<minutes>[0-5]\d) )?(?P<half>am|pm)"),
        ("clock", r"at (?P<high>[01]?\d|2[0-4]) (?P<minutes>[0-5]\d)"),
        ("clock", r"(?P<word>midnight|noon|midday)"),
        ("month", rf"(?P<word>{_MONTH})"),
        ("begin", rf"(?:at )?(?:the )?(?:baseline|outset)(?: (?P<unit>{_U}))?"),
        ("one", rf"(?:{_U} )?(?P<unit>{_U}) (?P<high>{_N})(?:{_SIDE}{_EVENT})?"),
        ("ordinal", rf"#(?P<high>\d+) (?:[a-z]{{3,}} )?(?P<unit>{_U})(?:{_SIDE}{_EVENT})?"),
        ("one", rf"(?:at )?(?:a |the )?depths? of (?P<high>{_N}) (?P<unit>{_U})"),
        ("one", rf"(?P<high>{_N}) (?P<unit>{_U})(?: deep| down)?"),
        ("event", r"(?:on|at) (?:the )?(?:[a-z]{3,}ing day|day of (?:the )?[a-z]{3,}ing)"),
        ("event", r"[a-z]{3,}ing day|day of (?:the )?[a-z]{3,}ing"),
        ("event", r"when (?:the |they |it )?(?:[a-z]+ )?(?:was|were) [a-z]+ed"),
        ("event", r"(?:on|at) (?:the )?(?:time of )?[a-z]{3,}ing(?: time)?"),
        ("span", r"(?:school year )?(?P<low>\d{4})/(?P<high>\d{4})"
                 r"(?: (?:school|academic|financial|fiscal))?(?: year)?"),
        ("ordinal", r"#(?P<high>\d+)"),
        ("year", r"(?P<high>(?:19|20)\d\d)"),
        ("named", rf"(?P<unit>[a-z]{{3,}}) (?P<low>{_N}) {_UNTIL} (?:[a-z]{{3,}} )?(?P<high>{_N})"),
        ("named", rf"(?P<unit>[a-z]{{3,}}) (?P<high>{_N})"),
    )
)  # fmt: skip
SHORT_UNITS = {
    "d": "day", "dap": "day", "das": "day", "wk": "week", "wks": "week", "yr": "year",
    "yrs": "year", "obs": "observation", "q": "quarter", "qtr": "quarter", "qtrs": "quarter",
    "rnd": "round", "hr": "hour", "mo": "month", "mth": "month", "inst": "instance",
}  # fmt: skip
"""Short forms of units."""
_SCHOOL = re.compile(r"(?P<start>(?:19|20)\d\d)[-–/](?P<end>(?:(?:19|20)\d\d|\d\d))$")


def school_year(text: str) -> str:
    """A year that two calendar years write, such as 2017-18, as ``2017/2018``; else nothing."""
    match = _SCHOOL.match(text)
    follows = match and (int(match["start"]) + 1) % 100 == int(match["end"]) % 100
    return f"{match['start']}/{int(match['start']) + 1}" if match and follows else ""


class Slot(NamedTuple):
    """Where along an axis a question speaks of.

    Attributes:
        low: First value.
        high: Last value.
        unit: What is counted, as a stem; empty where it is not said.
        first: Place of the first word that says so.
        last: One past the last.
        kind: How it is said; ``named`` is a number beside any word, which says where only along
            an axis of that name.
        apart: Whether the two ends are meant, and nothing between them.
    """

    low: float
    high: float
    unit: str
    first: int
    last: int
    kind: str = "one"
    apart: bool = False

    @property
    def school_code(self) -> str:
        """A school year as headers write it: 1718 of 2017-18."""
        return f"{self.low % 100:02.0f}{self.high % 100:02.0f}"


def find_slots(words: Sequence[str]) -> list[Slot]:
    """The slots that a question speaks of, in the order of its words.

    Args:
        words: The question's words, lower case; a number with its sign is one word.
    """
    plain = _plain(list(words))
    starts: list[int] = []
    size = 0
    for word, _ in plain:
        starts.append(size)
        size += len(word) + 1
    text = " ".join(word for word, _ in plain)
    ends = [*(first for _, first in plain[1:]), len(words)]
    claimed: set[int] = set()
    slots: list[Slot] = []
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            places = [p for p, s in enumerate(starts) if match.start() <= s < match.end()]
            if places and not claimed.intersection(places):
                claimed.update(places)
                slots.append(_slot(kind, match, plain[places[0]][1], ends[places[-1]]))
    return sorted(slots, key=lambda slot: slot.first)


def _plain(words: Sequence[str]) -> list[tuple[str, int]]:
    """The words with numbers in digits, ``#`` before ordinals; each with its first word's place."""
    plain: list[tuple[str, int]] = []
    place = 0
    while place < len(words):
        word, size = words[place], 1
        value, spelled = parse_number_words(words[place : place + LONGEST_NUMBER])
        if spelled:
            word, size = str(value), spelled
        elif word in _FIRST:
            word = "#1"
        elif word in ORDINALS:
            word = f"#{ORDINALS[word]}"
        elif word.isdigit() and set(words[place + 1 : place + 2]) & ORDINAL_ENDINGS:
            word, size = f"#{word}", 2
        plain.append((word, place))
        place += size
    return plain


def _slot(kind: str, match: re.Match[str], first: int, last: int) -> Slot:
    groups = match.groupdict()
    unit = groups.get("unit") or groups.get("unit2") or groups.get("unit3") or ""
    unit = stem(SHORT_UNITS.get(unit, unit))
    high = float(groups.get("high") or 1)
    low = float(groups.get("low") or high)
    before = bool(groups.get("before"))
    if kind in ("clock", "month"):
        return _read_time(kind, groups, first, last)
    if kind == "event":
        return Slot(0.0, 0.0, "day", first, last, kind)
    if kind == "previous":
        return Slot(-1.0, -1.0, unit, first, last, kind)
    if kind == "last":
        return Slot(-high, -1.0, unit, first, last, kind)
    if kind in ("first", "from"):
        ends = (-high, -1.0) if before else (0.0, high)
        return Slot(*ends, unit, first, last, kind)
    if before:
        low, high = -high, -low
    return Slot(min(low, high), max(low, high), unit, first, last, kind, kind == "both")


def _read_time(kind: str, groups: Mapping[str, str | None], first: int, last: int) -> Slot:
    """A time of day in minutes, or a month of the year."""
    word = groups.get("word") or ""
    if kind == "month":
        return Slot(float(MONTHS[word]), float(MONTHS[word]), "month", first, last, kind)
    hour = 0 if word == "midnight" else int(groups.get("high") or 12)
    if half := groups.get("half"):
        hour = hour % 12 + 12 * (half == "pm")
    at = 60.0 * hour + float(groups.get("minutes") or 0)
    return Slot(at, at, "hour", first, last, kind)
