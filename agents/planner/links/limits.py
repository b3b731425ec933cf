"""Limits: numbers of a question that say how many are wanted, and so are the value of no column."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from wideleaf.agents.planner.links.lexicon import Cue, Number, Question, lexicon
from wideleaf.agents.planner.links.members import slot_places
from wideleaf.agents.planner.links.number_values import comparison
from wideleaf.retrieval.words.number_words import ORDINALS

MOST = 100
"""Nobody asks for more rows than that by a bare number before a noun."""
ENDS = ("extreme", "mode")
DEMONSTRATIVES = ("these", "those", "both")
PLURALS = ("people", "children", "men", "women", "mice", "feet", "teeth", "geese", "series", "data")
UNIT_WORDS = 2
"""A number and its unit; what a longer time has beside them is what it is before or after."""
NOUN_WORDS = 3
"""Between a number and the end of its noun stand so many words at most."""
JOINTS = ("and", "or", "but", "then", "now", "so")
AFTER = ("of", "with", "that", "which", "who", "having", "where", "now", "then", "and", "instead")


class Limit(NamedTuple):
    """A number that says how many are wanted, or how many those are that are spoken of.

    Attributes:
        place: Where it stands.
        value: It.
        end: The superlative that says which ones, if one does.
        points: Whether it only counts what was answered before, as in ``these three``.
        noun: One past its noun's last word; one past the number if it has none.
    """

    place: int
    value: int
    end: Cue | None = None
    points: bool = False
    noun: int = 0


@lru_cache(maxsize=64)
def find_limits(question: Question) -> tuple[Limit, ...]:
    """The numbers of a question that count rows of the answer, in order.

    A number does where a superlative stands beside it (``five best``) or is said of its noun
    (``the 5 sites with the most``), where a plural noun follows that the number opens (``which ten
    sites``), where it is all that is wanted (``just five``), and behind a demonstrative (``these
    three``).
    """
    limits = []
    for number in question.numbers:
        whole = number.value == int(number.value) and 1 <= number.value <= MOST
        if whole and not number.ordinal and comparison(question, number)[0] == "==":
            limit = _limit(question, number)
            if limit is not None:
                limits.append(limit)
    return tuple(limits)


def rank_of(question: Question, cue: Cue) -> Limit | None:
    """Which one of an order a superlative means, as in ``the third highest``; None for its end."""
    places = [*range(cue.start, cue.end), cue.start - 1] if cue.start else [*cue.places]
    digits = {number.place: int(number.value) for number in question.numbers if number.ordinal}
    for place in places:
        value = digits.get(place) or ORDINALS.get(question.words[place].text, 0)
        if 1 < value <= MOST:
            return Limit(place, value, cue)
    return None


def limit_places(question: Question) -> frozenset[int]:
    """Where those numbers stand, and those that say which one of an order is meant."""
    ranks = (rank_of(question, cue) for cue in question.cue(*ENDS))
    limits = (*find_limits(question), *(rank for rank in ranks if rank))
    return frozenset(limit.place for limit in limits)


def _limit(question: Question, number: Number) -> Limit | None:
    place, value = number.place, int(number.value)
    words = [word.text for word in question.words]
    before = words[place - 1] if place else ""
    start = words[place - 2 : place] if place > 1 else []
    noun = _noun_end(question, place)
    if before in DEMONSTRATIVES or start in (["the", "same"], ["all", "the"]) or before == "all":
        return Limit(place, value, points=True, noun=noun)
    if beside := _end_beside(question, place):
        return Limit(place, value, beside, noun=noun)
    if words[place] == "one":
        return _one(question, place)
    behind = _end_behind(question, noun)
    if not _opens(question, place, behind is not None):
        return None
    if behind is not None:
        return Limit(place, value, behind, noun=noun)
    timed = noun == place + 2 and words[place + 1] in lexicon().axes | lexicon().units
    if timed or (noun == place + 1 and not _alone(question, place)):
        return None
    points = before == "the" and not _narrows(question, place - 1)
    return Limit(place, value, points=points, noun=noun)


def _one(question: Question, place: int) -> Limit | None:
    """``one`` as a word counts, too: one figure, which one, one of them; replicate one does not."""
    if _is_of_a_time(question, place):
        return None
    before = question.words[place - 1].text if place else ""
    counts = _mark(question, place) or before in lexicon().stopwords or not place
    counts = counts or _cue_at(question, place - 1) or _cue_at(question, place)
    return Limit(place, 1, noun=_noun_end(question, place), points=True) if counts else None


def _is_of_a_time(question: Question, place: int) -> bool:
    """Whether a number says how long before or after something: *recorded one year before*."""
    return any(
        place in slot_places(question, slot)
        for slot in question.heard.slots
        if slot.unit and slot.last - slot.first > UNIT_WORDS
    )


def _opens(question: Question, place: int, is_count: bool) -> bool:
    """Whether a number begins a noun phrase: what stands before it is no name and no preposition.

    ``which ten``, ``the 5``, ``only 3``, ``show me 4`` begin one; ``in 5 games``, ``with 3 visits``
    and ``block 2`` do not, nor does the ``2`` of ``1 and 2``.
    """
    words = [word.text for word in question.words]
    if not place:
        return True
    before, numbers = words[place - 1], {number.place for number in question.numbers}
    if _mark(question, place):
        return is_count and place - 1 not in numbers
    if before in JOINTS:
        return place == 1 or (is_count and place - 2 not in numbers)
    article = before in ("the", "my", "our", "your", "any", "some", "me", "us")
    return article or _narrows(question, place) or any(c.end == place for c in question.cue("wh"))


def _narrows(question: Question, place: int) -> bool:
    """Whether a word before a place says that something is wanted: only, just, need, show."""
    before = question.words[place - 1].text if place else ""
    requests = lexicon().classes["wanting"] | lexicon().classes["asking"]
    return before in requests or any(cue.end == place for cue in question.cue("wh"))


def _noun_end(question: Question, place: int) -> int:
    """One past the plural noun that a number counts; one past the number if there is none."""
    words = question.words
    for end in range(place + 1, min(place + 1 + NOUN_WORDS, len(words))):
        text = words[end].text
        small = text in lexicon().stopwords or _cue_at(question, end)
        if _mark(question, end) or small or text in lexicon().classes["scale"]:
            break
        if any(number.place == end for number in question.numbers):
            break
        if text in PLURALS or (text.endswith("s") and not text.endswith("ss") and len(text) > 3):
            return end + 1
    return place + 1


def _end_beside(question: Question, place: int) -> Cue | None:
    """The superlative beside a number, as in ``five best`` or ``5 of the best``."""
    ends = question.cue(*ENDS)
    beside = [cue for cue in ends if place in (cue.start - 1, cue.end)]
    if [word.text for word in question.words[place + 1 : place + 3]] == ["of", "the"]:
        beside += [cue for cue in ends if cue.start == place + 3]
    return beside[0] if beside else None


def _end_behind(question: Question, start: int) -> Cue | None:
    """The superlative that is said of a noun behind it: at the bottom, with the most, that got."""
    later = [cue for cue in question.cue(*ENDS) if cue.start >= start]
    for cue in later[:1]:
        if any(_mark(question, place) for place in range(start, cue.start + 1) if place):
            return None
        if any(number.place in range(start, cue.start) for number in question.numbers):
            return None
        return cue
    return None


def _alone(question: Question, place: int) -> bool:
    """Whether nothing is said of a number, so that it stands for its rows."""
    end = place + 1
    if end >= len(question.words) or _mark(question, end):
        return True
    return question.words[end].text in AFTER or not question.content(end, len(question.words))


def _mark(question: Question, place: int) -> bool:
    """Whether a mark stands before a word."""
    words = question.words
    between = question.text[words[place - 1].end : words[place].start] if place else ""
    return any(sign in ",;:?!()." for sign in between)


def _cue_at(question: Question, place: int) -> bool:
    return any(place in cue.places for cue in question.cues)
