"""Links from a question's words to columns: names word by word, stemmed or near."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from wideleaf.agents.lexicon import Question, Word, lexicon, split_words, stem
from wideleaf.tools.table import Table

UNIT_WEIGHT, STOP_WEIGHT, LETTER_WEIGHT, OTHER_WEIGHT = 0.25, 0.15, 0.35, 0.5
LEAST_SCORE = 0.2
MEANT = 0.55
"""How sure a word of like meaning is, such as who for a driver."""
WHOLE = 0.9
MOST_MENTIONS = 60
GAP = 2
"""At most so many telling words stand between two words of a mention."""

SIGNS = {"#": "number", "№": "number", "%": "percentage"}

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PARENTHESIS = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_LETTERS_DIGITS = re.compile(r"[a-z]+|\d+")


class Mention(NamedTuple):
    """A column that some words of the question may name.

    Attributes:
        column: The column.
        start: The first word's place.
        end: One past the last word's place.
        score: How much of the column's name the words cover, 0 to 1.
        places: Places of the words themselves; others may stand between them.
    """

    column: str
    start: int
    end: int
    score: float
    places: frozenset[int]


class Hit(NamedTuple):
    """A word of the question that meets a word of a column's name."""

    place: int
    part: int
    quality: float


class Part(NamedTuple):
    """A word of a column's name and how much it says."""

    stem: str
    weight: float


class Names:
    """The column names of one table, split into words once.

    Args:
        table: The table; only its schema is read.
    """

    def __init__(self, table: Table) -> None:
        self.table = table

    @cached_property
    def parts(self) -> dict[str, tuple[Part, ...]]:
        """Each column's words, units and small words weighing less."""
        return {column: tuple(_parts(column)) for column in self.table.columns}

    @cached_property
    def _holders(self) -> dict[str, list[tuple[str, int]]]:
        holders: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for column, parts in self.parts.items():
            for place, part in enumerate(parts):
                holders[part.stem].append((column, place))
        return holders

    def mentions(self, question: Question) -> tuple[Mention, ...]:
        """Find the columns that a question may name, best first."""
        hits: dict[str, list[Hit]] = defaultdict(list)
        for place, word in enumerate(question.words):
            for known, quality in self._alike(word):
                for column, part in self._holders[known]:
                    hits[column].append(Hit(place, part, quality))
        found: list[Mention] = []
        for column, places in hits.items():
            parts = self.parts[column]
            for cluster in _clusters(places, question):
                mention = _measure(column, parts, cluster, question.words)
                if mention.score >= LEAST_SCORE:
                    found.append(mention)
        found = _longest(found)
        found.sort(key=lambda m: (-m.score, m.start))
        return tuple(found[:MOST_MENTIONS])

    def _alike(self, word: Word) -> Iterable[tuple[str, float]]:
        """Header words a question's word may stand for, each with how sure that is."""
        if word.stem in self._holders:
            yield word.stem, 1.0
        elif word.text in self._holders:
            yield word.text, 1.0
        pieces = _LETTERS_DIGITS.findall(word.text)
        if len(pieces) == 2 and "".join(pieces) == word.text and pieces[1].isdigit():
            known = [stem(piece) for piece in pieces]
            if all(piece in self._holders for piece in known):
                yield from ((piece, 1.0) for piece in known)
        if word.text in lexicon().axes and word.text[0] in self._holders:
            yield word.text[0], 0.9
        for meaning in lexicon().meanings.get(word.stem, ()):
            if meaning in self._holders and meaning != word.stem:
                yield meaning, MEANT
        if word.text in lexicon().stopwords or len(word.stem) < 3 or word.stem.isdigit():
            return
        yield from self._near(word.stem)

    def _near(self, word: str) -> Iterable[tuple[str, float]]:
        """Abbreviations (``env`` for environment) and small slips of spelling."""
        from rapidfuzz import fuzz

        if len(word) < 4:
            return
        ends = self._by_letter.get(word[-1:] + "$", ())
        for known in (*self._by_letter.get(word[0], ()), *ends):
            if known == word:
                continue
            short, long = sorted((known, word), key=len)
            if (len(short) >= 4 or known == short) and long.startswith(short):
                yield known, 0.8 if len(short) >= 4 else 0.7
            elif len(known) >= len(word) + 3 and known.endswith(word):
                yield known, 0.6
            elif len(short) >= 5 and fuzz.ratio(known, word) >= 84:
                yield known, 0.75

    @cached_property
    def _by_letter(self) -> dict[str, list[str]]:
        grouped: dict[str, list[str]] = defaultdict(list)
        for known in self._holders:
            if len(known) >= 3 and known.isalpha():
                grouped[known[0]].append(known)
                if len(known) >= 7:
                    grouped[known[-1] + "$"].append(known)
        return grouped


def _parts(column: str) -> Iterable[Part]:
    aside = [(m.start(), m.end()) for m in _PARENTHESIS.finditer(column)]
    for place, word in enumerate(split_words(_CAMEL.sub("_", column))):
        # The camel's hump adds one character a cut, which moves nothing that matters here.
        other = "/" in column[: word.start] and place > 0
        inside = any(start <= word.start < end for start, end in aside)
        if word.text in lexicon().stopwords:
            yield Part(word.stem, STOP_WEIGHT)
        elif (inside or word.text in lexicon().units) and place:
            yield Part(word.stem, UNIT_WEIGHT)
        elif word.text.isalnum() and not word.text.isalpha() and not word.text.isdigit():
            yield from _coded(word.text)
        else:
            yield Part(word.stem, OTHER_WEIGHT if other else 1.0)
    for sign, said in SIGNS.items():
        if sign in column:
            yield Part(stem(said), UNIT_WEIGHT)


def _coded(text: str) -> Iterable[Part]:
    """A code such as ``d150`` is itself, and also a letter with a number."""
    pieces = _LETTERS_DIGITS.findall(text)
    if len(pieces) == 2 and pieces[1].isdigit() and len(pieces[0]) == 1 and len(pieces[1]) > 1:
        yield Part(pieces[0], LETTER_WEIGHT)
        yield Part(stem(pieces[1]), 1.0)
    else:
        yield Part(text, 1.0)


def _clusters(hits: list[Hit], question: Question) -> Iterator[list[Hit]]:
    """Gather one column's hits into mentions, each around the word that comes most seldom."""
    left = sorted(hits)
    while left:
        times = Counter(hit.part for hit in left)
        anchor = min(left, key=lambda hit: (times[hit.part], -hit.quality, hit.place))
        cluster = {anchor.part: anchor}
        for hit in sorted(left, key=lambda hit: (abs(hit.place - anchor.place), -hit.place)):
            places = [one.place for one in cluster.values()]
            first, last = min(places), max(places)
            apart = question.content(last + 1, hit.place) + question.content(hit.place + 1, first)
            if hit.part not in cluster and apart <= GAP:
                cluster[hit.part] = hit
        yield list(cluster.values())
        first = min(hit.place for hit in cluster.values())
        last = max(hit.place for hit in cluster.values())
        left = [hit for hit in left if not first <= hit.place <= last]


def _measure(
    column: str, parts: tuple[Part, ...], cluster: list[Hit], words: tuple[Word, ...]
) -> Mention:
    total = sum(part.weight for part in parts)
    covered = sum(parts[hit.part].weight * hit.quality for hit in cluster)
    if all(part.weight <= STOP_WEIGHT for part in parts):
        covered *= 0.5
    places = sorted({hit.place for hit in cluster})
    places = [p for p in places if words[p].text not in lexicon().stopwords] or places
    spread = places[-1] - places[0] + 1 - len(places)
    score = (covered / total) * (1 - 0.05 * min(spread, 4)) if total else 0.0
    return Mention(column, places[0], places[-1] + 1, score, frozenset(places))


def _longest(found: list[Mention]) -> list[Mention]:
    """Lower the mentions whose words are but a part of a better covered name."""
    strong = [m for m in found if m.score >= WHOLE]
    return [
        m._replace(score=m.score * 0.6) if any(m.places < s.places for s in strong) else m
        for m in found
    ]
