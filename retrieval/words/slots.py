"""Slots in a question: which days, depths or observations it speaks of, and where it says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
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
_COUNTED = (
    "observation", "measurement", "visit", "wave", "stage", "layer", "round", "run", "session",
    "lap", "lag", "quarter", "instance", "cycle", "phase", "period", "episode", "term", "semester",
)  # fmt: skip
_DAYS = {"week": 7, "fortnight": 14, "month": 30}
_SHORT = {
    "d": "day", "dap": "day", "das": "day", "wk": "week", "wks": "week", "yr": "year",
    "yrs": "year", "obs": "observation", "q": "quarter", "qtr": "quarter", "qtrs": "quarter",
    "rnd": "round", "hr": "hour", "mo": "month", "mth": "month", "inst": "instance",
}  # fmt: skip
LAST_YEAR = 35
"""Years of two digits up to this one are of this century."""
MIN_YEARS = 3
DECADE = 10
"""Years of two digits that are further apart are numbers of something else: 1 to 52."""
OTHER_UNITS = ("day", "week", "month", "hour")
"""Where a family's name says that its members are such, none of them is a year."""
MANY_MEMBERS = 12
"""An axis longer than this is a time in days or the like, not a count of observations."""


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
    unit = stem(_SHORT.get(unit, unit))
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


def years_of(values: Sequence[float]) -> list[float]:
    """Values along an axis as years, where they are the last two digits of years in order.

    ``fh90 ... fh99, fh00 ... fh22`` are 1990 to 2022; whether they are years shows only beside a
    question that speaks of one.
    """
    return [value + (1900 if value > LAST_YEAR else 2000) for value in values]


def members_at(slot: Slot, values: Sequence[float], words: frozenset[str]) -> tuple[int, list[int]]:
    """Which members of an axis a slot means.

    Args:
        slot: The slot.
        values: Values along the axis, in order.
        words: Stems of the family's words, written out.

    Returns:
        How sure it is that the slot speaks of this axis, 0 where it does not, and the places of
        the members that it means.
    """
    best: tuple[int, list[int]] = (0, [])
    for low, high, sure in _readings(slot, values, words):
        if slot.apart:
            there = [p for p, value in enumerate(values) if value in (low, high)]
        else:
            there = [p for p, value in enumerate(values) if low <= value <= high]
        if there and sure > best[0]:
            best = (sure, there)
    return best


def _readings(
    slot: Slot, values: Sequence[float], words: frozenset[str]
) -> Iterator[tuple[float, float, int]]:
    """The spans of values a slot may stand for on an axis, each with how sure that is."""
    low, high, unit = slot.low, slot.high, slot.unit
    if slot.kind == "named":
        if unit in words:
            yield low, high, 3
        return
    long = len(values) > MANY_MEMBERS or values[0] < 0
    on_axis = _names_axis(unit, words)
    if slot.kind == "clock":
        yield from _times_of_day(low, values, words)
        return
    if slot.kind == "month":
        if len(values) <= MANY_MEMBERS and {*values} <= {*map(float, range(1, 13))} and on_axis:
            yield low, high, 3
        return
    if slot.kind == "begin":
        if not long and (on_axis or not unit):
            yield values[0], values[0], 3 if on_axis else 2
        return
    if slot.kind == "previous" and values[0] >= 0 and (on_axis or unit == "year"):
        yield values[-1], values[-1], 2
        return
    if slot.kind == "year" and all(0 <= v < 100 for v in values) and len(values) > MIN_YEARS:
        short, years = low % 100, sorted(years_of(values))
        apart = max(after - before for before, after in pairwise(years))
        others = any(_names_axis(other, words) for other in OTHER_UNITS)
        if low in years and apart <= DECADE and not others:
            yield short, short, 2
        return
    if slot.kind == "ordinal" and not long and values[0] == 0:
        yield low - 1, high - 1, 3 if on_axis else 1  # the first of those that are counted from 0
        return
    if slot.kind == "span":  # 1718 of 2017-18
        if all((int(v) // 100 + 1) % 100 == int(v) % 100 for v in values):
            yield float(slot.school_code), float(slot.school_code), 3
        return
    yearly = all(1900 <= value <= 2100 for value in values)
    if unit == "day" and long:  # a name may have the word for another reason: LST_day
        if not words & {"w", "week"}:
            yield low, high, 2
    elif unit and on_axis:
        yield low, high, 3
    elif unit in _DAYS and long and not words & {"week", "w", "month"}:
        times = _DAYS[unit]
        ends = (low * times, high * times)
        if slot.kind in ("last", "first"):
            ends = (low * times if low else 0.0, high * times if high > 0 else high)
        yield *ends, 2
    elif unit == "hour":
        if long:
            yield low, high, 2
    elif unit == "cm" or unit == "depth" or unit.startswith("centimet"):
        if "cm" in words or "depth" in words or "soil" in words:
            yield low, high, 2
    elif unit in ("year", "season"):
        if yearly or (values[0] < 0 and len(values) <= MANY_MEMBERS) or not long:
            yield low, high, 2
    elif unit in map(stem, _COUNTED) or slot.kind == "ordinal":
        if not long:
            yield low, high, 1
    elif not unit and (yearly or slot.kind != "year"):
        yield low, high, 2


def _names_axis(unit: str, words: frozenset[str]) -> bool:
    """Whether a family's name has a unit, its first letter or a short form of it."""
    return bool(unit) and (
        unit in words or unit[0] in words or any(stem(_SHORT.get(w, "")) == unit for w in words)
    )


def _times_of_day(
    at: float, values: Sequence[float], words: frozenset[str]
) -> Iterator[tuple[float, float, int]]:
    """A time of day on an axis of hours (0 to 23), or of hours and minutes (0 to 2359)."""
    hour, minute = divmod(at, 60)
    if values[-1] <= 24 and len(values) > MANY_MEMBERS and not minute:
        yield hour, hour, 2 + bool(words & {"h", "hour", "hr"})
    elif values[-1] > 1000 and all(value % 100 < 60 for value in values):
        yield 100 * hour + minute, 100 * hour + minute, 2


def assign(
    slots: Sequence[Slot],
    families: Mapping[int, tuple[Sequence[int], Sequence[float], frozenset[str]]],
) -> dict[int, tuple[int, ...]]:
    """Give each slot to the family it speaks of: the surest, then the nearest in the question.

    Args:
        slots: Slots of a question.
        families: By key, the places of the words that name it, its values and its words' stems.

    Returns:
        By key, the members meant; a family without a slot of its own takes that of the next one
        it is named together with ("NDVI and EVI 10 days after planting").
    """
    members: dict[int, set[int]] = {}
    fits = {
        key: [members_at(slot, values, words) for slot in slots]
        for key, (_, values, words) in families.items()
    }
    for place, slot in enumerate(slots):
        able = [key for key in families if fits[key][place][0]]
        if not able:
            continue
        surest = max(fits[key][place][0] for key in able)
        able = [key for key in able if fits[key][place][0] == surest]
        best = min(able, key=lambda key: _distance(slot, families[key][0]))
        members.setdefault(best, set()).update(fits[best][place][1])
    for key in families:
        if key in members:
            continue
        behind = [
            (_distance(slot, families[key][0]), place)
            for place, slot in enumerate(slots)
            if fits[key][place][0]
        ]
        if behind:
            members[key] = set(fits[key][min(behind)[1]][1])
    return {key: tuple(sorted(places)) for key, places in members.items()}


def _distance(slot: Slot, places: Sequence[int]) -> float:
    """How far a slot is from a family's words; one that follows them is nearer."""
    if not places:
        return 1000.0
    behind = [slot.first - place for place in places if place < slot.first]
    ahead = [place - slot.last + 1 for place in places if place >= slot.last]
    return min([*behind, *(2.0 * gap + 0.5 for gap in ahead)], default=0.0)
