"""Axes of families: which members a slot of a question means, and which family it speaks of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from wideleaf.retrieval.words.slots import SHORT_UNITS, Slot
from wideleaf.retrieval.words.stems import stem

_COUNTED = (
    "observation", "measurement", "visit", "wave", "stage", "layer", "round", "run", "session",
    "lap", "lag", "quarter", "instance", "cycle", "phase", "period", "episode", "term", "semester",
)  # fmt: skip
_DAYS = {"week": 7, "fortnight": 14, "month": 30}
LAST_YEAR = 35
"""Years of two digits up to this one are of this century."""
MIN_YEARS = 3
DECADE = 10
"""Years of two digits that are further apart are numbers of something else: 1 to 52."""
OTHER_UNITS = ("day", "week", "month", "hour")
"""Where a family's name says that its members are such, none of them is a year."""
MANY_MEMBERS = 12
"""An axis longer than this is a time in days or the like, not a count of observations."""


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
    low, high, sure = _READINGS.get(slot.kind, _of_unit)(slot, _Axis(values, words))
    if not sure:
        return 0, []
    if slot.apart:
        there = [p for p, value in enumerate(values) if value in (low, high)]
    else:
        there = [p for p, value in enumerate(values) if low <= value <= high]
    return (sure, there) if there else (0, [])


class _Axis(NamedTuple):
    """What the members of a family stand along: their values, and the words of its name."""

    values: Sequence[float]
    words: frozenset[str]

    @property
    def is_long(self) -> bool:
        return len(self.values) > MANY_MEMBERS or self.values[0] < 0

    @property
    def is_in_years(self) -> bool:
        return all(1900 <= value <= 2100 for value in self.values)

    def is_named(self, unit: str) -> bool:
        """Whether the name has a unit, its first letter or a short form of it."""
        short = any(stem(SHORT_UNITS.get(word, "")) == unit for word in self.words)
        return bool(unit) and (unit in self.words or unit[0] in self.words or short)


_Reading = tuple[float, float, int]
"""The values that a slot stands for on an axis, and how sure that is: 0 where it is not so."""
_NONE: _Reading = (0.0, 0.0, 0)


def _of_that_name(slot: Slot, axis: _Axis) -> _Reading:
    return slot.low, slot.high, 3 if slot.unit in axis.words else 0


def _time_of_day(slot: Slot, axis: _Axis) -> _Reading:
    """A time of day on an axis of hours (0 to 23), or of hours and minutes (0 to 2359)."""
    hour, minute = divmod(slot.low, 60)
    values, words = axis
    if values[-1] <= 24 and len(values) > MANY_MEMBERS and not minute:
        return hour, hour, 2 + bool(words & {"h", "hour", "hr"})
    if values[-1] > 1000 and all(value % 100 < 60 for value in values):
        return 100 * hour + minute, 100 * hour + minute, 2
    return _NONE


def _month(slot: Slot, axis: _Axis) -> _Reading:
    yearly = len(axis.values) <= MANY_MEMBERS and {*axis.values} <= {*map(float, range(1, 13))}
    return slot.low, slot.high, 3 if yearly and axis.is_named(slot.unit) else 0


def _baseline(slot: Slot, axis: _Axis) -> _Reading:
    first = axis.values[0]
    if axis.is_long or (slot.unit and not axis.is_named(slot.unit)):
        return _NONE
    return first, first, 3 if slot.unit else 2


def _school_year(slot: Slot, axis: _Axis) -> _Reading:
    """A school year where each member is one: 1718 of 2017-18."""
    code = float(slot.school_code)
    follow = all((int(v) // 100 + 1) % 100 == int(v) % 100 for v in axis.values)
    return code, code, 3 if follow else 0


def _previous(slot: Slot, axis: _Axis) -> _Reading:
    """The last member of an axis that does not count from an event."""
    last = axis.values[-1]
    if axis.values[0] >= 0 and (axis.is_named(slot.unit) or slot.unit == "year"):
        return last, last, 2
    return _of_unit(slot, axis)


def _year(slot: Slot, axis: _Axis) -> _Reading:
    """A year where the members may be the last two digits of years."""
    short, values = slot.low % 100, axis.values
    if not all(0 <= value < 100 for value in values) or len(values) <= MIN_YEARS:
        return _of_unit(slot, axis)
    years = sorted(years_of(values))
    apart = max(after - before for before, after in pairwise(years))
    others = any(map(axis.is_named, OTHER_UNITS))
    fits = slot.low in years and apart <= DECADE and not others
    return short, short, 2 if fits else 0


def _ordinal(slot: Slot, axis: _Axis) -> _Reading:
    """The first of those that are counted from 0 is 0."""
    if axis.is_long or axis.values[0] != 0:
        return _of_unit(slot, axis)
    return slot.low - 1, slot.high - 1, 3 if axis.is_named(slot.unit) else 1


def _of_unit(slot: Slot, axis: _Axis) -> _Reading:
    """What is counted by a unit, on an axis whose name has it or that may count such."""
    low, high, unit = slot.low, slot.high, slot.unit
    if unit == "day" and axis.is_long:  # a name may have the word for another reason: LST_day
        return low, high, 0 if axis.words & {"w", "week"} else 2
    if axis.is_named(unit):
        return low, high, 3
    if unit in _DAYS and axis.is_long and not axis.words & {"week", "w", "month"}:
        times = _DAYS[unit]
        to_event = slot.kind in ("last", "first") and high <= 0  # up to the day before it
        return low * times, high if to_event else high * times, 2
    return low, high, _may_count(slot, axis)


def _may_count(slot: Slot, axis: _Axis) -> int:
    """How sure it is that an axis whose name does not say so counts what a slot does."""
    unit, short = slot.unit, not axis.is_long
    if unit == "hour":
        return 0 if short else 2
    if unit in ("cm", "depth") or unit.startswith("centimet"):
        return 2 if axis.words & {"cm", "depth", "soil"} else 0
    if unit in ("year", "season"):
        return 2 if axis.is_in_years or len(axis.values) <= MANY_MEMBERS else 0
    if unit in map(stem, _COUNTED) or slot.kind == "ordinal":
        return 1 if short else 0
    return 2 if not unit and (axis.is_in_years or slot.kind != "year") else 0


_READINGS: Mapping[str, Callable[[Slot, _Axis], _Reading]] = {
    "named": _of_that_name,
    "clock": _time_of_day,
    "month": _month,
    "begin": _baseline,
    "span": _school_year,
    "previous": _previous,
    "year": _year,
    "ordinal": _ordinal,
}
"""How a slot that is said in a way of its own is read; every other one goes by its unit."""


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
