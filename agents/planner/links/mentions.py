"""Mentions: a name and the words of the question that cover it, and how well they do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from wideleaf.agents.planner.links.lexicon import Question, Word, lexicon
from wideleaf.tools.tables.families import Family

STOP_WEIGHT = 0.15
WHOLE = 0.9
BRACKETS = ("(", "'", '"')
NO_NAMES = (
    "wh",
    "count",
    "measure",
    "each",
    "mode",
    "compare",
    "share",
    "more",
)
LONGEST_NAME = 6
LONG_NAME = 3
GAP = 2
"""At most so many telling words stand between two words of a mention."""
TURNED = 0.85
"""How sure a name is whose words the question has in another order."""
SPELLED_OUT = 0.95
"""How sure an abbreviation is whose long form the question has, all of it."""
LETTERS_DIGITS = re.compile(r"[a-z]+|\d+")


class Mention(NamedTuple):
    """A column, or several of a family, that some words of the question may name.

    Attributes:
        column: The column; of several the notation that stands for them.
        start: The first word's place.
        end: One past the last word's place.
        score: How much of the column's name the words cover, 0 to 1.
        places: Places of the words themselves; others may stand between them.
        slot: Places of the words that say which member of a family is meant.
        family: The family that the column is a member of, if it has one.
        several: Whether a part of the family is meant, or all of it, and not one column.
        members: Of several the columns, in the order of the axis.
    """

    column: str
    start: int
    end: int
    score: float
    places: frozenset[int]
    slot: frozenset[int] = frozenset()
    family: Family | None = None
    several: bool = False
    members: tuple[str, ...] = ()


class WordHit(NamedTuple):
    """A word of the question that meets a word of a name, or one an abbreviation stands for."""

    place: int
    part: int
    long: str
    quality: float


class NameWord(NamedTuple):
    """A word of a name, how much it says, and the words it abbreviates."""

    stem: str
    weight: float
    long: tuple[str, ...] = ()


def clusters(hits: list[WordHit], question: Question) -> Iterator[list[WordHit]]:
    """Gather one name's hits into mentions, each around the word that comes most seldom."""
    rest = sorted(hits)
    while rest:
        times = Counter((hit.part, hit.long) for hit in rest)
        anchor = min(rest, key=lambda hit: (times[hit.part, hit.long], -hit.quality, hit.place))
        cluster = {(anchor.part, anchor.long): anchor}
        for hit in sorted(rest, key=lambda hit: (abs(hit.place - anchor.place), -hit.place)):
            places = [one.place for one in cluster.values()]
            first, last = min(places), max(places)
            apart = question.content(last + 1, hit.place) + question.content(hit.place + 1, first)
            if (hit.part, hit.long) not in cluster and apart <= GAP:
                cluster[hit.part, hit.long] = hit
        yield list(cluster.values())
        first = min(hit.place for hit in cluster.values())
        last = max(hit.place for hit in cluster.values())
        rest = [hit for hit in rest if not first <= hit.place <= last]


def measure(
    column: str,
    parts: tuple[NameWord, ...],
    cluster: list[WordHit],
    words: tuple[Word, ...],
    slot: frozenset[int] = frozenset(),
) -> Mention:
    """How well a cluster of hits covers a name, its slot counting as one more word."""
    total, coverage = float(bool(slot)), float(bool(slot))
    for place, part in enumerate(parts):
        total += part.weight
        coverage += part.weight * _measure_word(part, [hit for hit in cluster if hit.part == place])
    if parts and not slot and all(part.weight <= STOP_WEIGHT for part in parts):
        coverage *= 0.5
    places = sorted({hit.place for hit in cluster})
    places = [p for p in places if words[p].text not in lexicon().stopwords] or places
    spread = places[-1] - places[0] + 1 - len(places) if places else 0
    score = (coverage / total) * (1 - 0.05 * min(spread, 4)) if total else 0.0
    order = [hit.part for hit in sorted(cluster)]
    score *= 1.0 if order == sorted(order) else TURNED
    # The slot may stand anywhere; a mention is where its other words are.
    places = places or sorted(slot)
    return Mention(column, places[0], places[-1] + 1, score, frozenset(places) | slot, slot)


def _measure_word(part: NameWord, hits: list[WordHit]) -> float:
    """How well its hits cover a word of a name, outright or by what it abbreviates."""
    own = [hit.quality for hit in hits if not hit.long]
    long = {hit.long: hit.quality for hit in hits if hit.long}
    spelled = 0.0
    if long:
        share = min(1.0, (len(long) + 0.4) / min(len(part.long), 3))
        spelled = SPELLED_OUT * share * sum(long.values()) / len(long)
    return max([*own, spelled])


def in_apposition(question: Question, mention: Mention) -> list[Mention]:
    """A name in brackets stands for the words before it, too, as in ``cache memory (CACH)``.

    Returns:
        The mention; where it is in brackets, first with the words before it, a superlative at
        their front among them, and then without that.
    """
    words = question.words
    first = words[mention.start].start
    near = question.text[max(0, first - 1) : first]
    if mention.score < WHOLE or mention.slot or near not in BRACKETS:
        return [mention]
    before = question.text[: first - 1].rstrip("'\"( ")
    place = mention.start - 1
    if (
        place < 0
        or words[place].end != len(before)
        or "(" not in question.text[len(before) : first]
    ):
        return [mention]
    asking = {p for cue in question.cue(*NO_NAMES) for p in cue.places}
    asking |= {number.place for number in question.numbers}
    while mention.start - place <= LONGEST_NAME and place >= 0:
        if place in asking or words[place].text in lexicon().stopwords:
            break
        place -= 1
    ends = {p for cue in question.cue("extreme") for p in cue.places}
    mentions = []
    for start in dict.fromkeys((place + 1, place + 2) if place + 1 in ends else (place + 1,)):
        places = mention.places | frozenset(range(start, mention.start))
        mentions.append(mention._replace(start=min(start, mention.start), places=places))
    return mentions


def lower_parts(mentions: list[Mention]) -> list[Mention]:
    """Lower the mentions whose words are but a part of a better covered name.

    A word of a long name with its slot, such as ``land surface temperature on day 20``, does not
    speak of another column by itself.
    """
    strong = [m for m in mentions if m.score >= WHOLE]
    long = [m for m in mentions if m.slot and len(m.places - m.slot) >= LONG_NAME]
    return [
        m._replace(score=m.score * 0.6) if any(m.places < s.places for s in strong) else m
        for m in mentions
        if not any(m.places < s.places - s.slot for s in long)
    ]
