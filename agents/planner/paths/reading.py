"""A question about facts, read once: its words, what it asks for, its times and its cues."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import NamedTuple

from wideleaf.agents.planner.links.lexicon import lexicon
from wideleaf.agents.planner.links.literals import MONTHS
from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.word_classes import GRAMMAR, in_class, words_of_class
from wideleaf.tools.knowledge.fact_index import YEARS, fold_name

LONGEST_RUN = 3
"""Words of the longest phrase that is compared with a relation as a whole."""
FAINT = 0.25
ASKING, ASKED = ("who", "whom", "where", "when"), 0.8
"""Words that ask for a kind of thing, which may be all that is said of a relation."""
_PIECE = re.compile(r"[^\W_]+")


class Token(NamedTuple):
    """A word of the question.

    Attributes:
        text: Folded.
        stem: Its stem.
        weight: How much it tells, 0 to 1.
        capital: Whether it is written with a capital.
        after: What stands between it and the word before.
    """

    text: str
    stem: str
    weight: float
    capital: bool
    after: str


class Span(NamedTuple):
    """Words from one place to another, the end outside."""

    start: int
    end: int

    @property
    def places(self) -> frozenset[int]:
        """Places of its words."""
        return frozenset(range(self.start, self.end))


class Cue(NamedTuple):
    """A phrase of ``cues.txt`` in a question."""

    kind: str
    span: Span


@dataclass(frozen=True)
class Reading:
    """A question, read once.

    Attributes:
        text: The user's words.
    """

    text: str

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The words in order; of several pieces that folding makes of one, the first is capital."""
        return tuple(self._read())

    def _read(self) -> Iterator[Token]:
        end = 0
        for match in _PIECE.finditer(self.text):
            before, end = self.text[end : match.start()], match.end()
            for text in fold_name(match[0]).split():
                yield Token(text, stem(text), _weight(text), match[0][0].isupper(), before)
                before = ""

    @cached_property
    def cues(self) -> tuple[Cue, ...]:
        """Phrases with a meaning of their own; one phrase may have several."""
        texts = [token.text for token in self.tokens]
        cues = []
        for start in range(len(texts)):
            for size in range(1, min(LONGEST_RUN, len(texts) - start) + 1):
                for kind in _cues().get(tuple(texts[start : start + size]), ()):
                    cues.append(Cue(kind, Span(start, start + size)))
        return tuple(cues)

    def cue(self, *kinds: str) -> tuple[Cue, ...]:
        """Cues of some kinds."""
        return tuple(cue for cue in self.cues if cue.kind in kinds)

    @cached_property
    def extremes(self) -> tuple[Cue, ...]:
        """Superlatives, by the phrases that the planner over tables knows."""
        texts = [token.text for token in self.tokens]
        phrases = {
            phrase: value for phrase, (kind, value) in lexicon().cues.items() if kind == "extreme"
        }
        cues: list[Cue] = []
        for size in range(LONGEST_RUN + 1, 0, -1):
            for start in range(len(texts) - size + 1):
                value = phrases.get(tuple(texts[start : start + size]))
                free = not any(c.span.start < start + size and start < c.span.end for c in cues)
                if value is not None and free:
                    cues.append(Cue(value, Span(start, start + size)))
        return tuple(cues)

    @cached_property
    def asks(self) -> str:
        """What kind of answer the question asks for: when, who, where, count, what or none."""
        texts = [token.text for token in self.tokens]
        if self.cue("count") and (counts := self.cue("count"))[0].span.start <= 2:
            return "count" if counts else "what"
        moments = {cue.span.start for cue in self.cue("moment")}
        wh = ("who", "whom", "whose", "where", "when", "what", "which", "whats")
        for place, text in enumerate(texts):
            if text not in wh:
                continue
            near = [p for p in range(place + 1, min(place + 8, len(texts))) if p in moments]
            between = self.tokens[place + 1 : near[0]] if near else ()
            if text in ("what", "which", "whats") and near and not _noun_between(between):
                return "when"
            if text == "when" and place > 0 and any(t in wh for t in texts[:place]):
                continue
            return {"whom": "who", "whose": "who", "whats": "what", "which": "what"}.get(text, text)
        if texts and texts[-1] in ("year", "time", "date"):
            return "when"
        return "none"

    @cached_property
    def years(self) -> tuple[tuple[int, int], ...]:
        """Years with the places of their words."""
        return tuple(
            (place, int(token.text))
            for place, token in enumerate(self.tokens)
            if token.text.isdigit() and len(token.text) == 4 and int(token.text) in YEARS
        )

    @cached_property
    def dated(self) -> frozenset[int]:
        """Places of words that are part of a date: a year, and days and months beside it."""
        places = {place for place, _ in self.years}
        for year in tuple(places):
            for way in (-1, 1):
                place = year + way
                while 0 <= place < len(self.tokens) and abs(place - year) <= 5:
                    text = self.tokens[place].text
                    day = re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)?|st|nd|rd|th|of|the", text)
                    if not (day or text in MONTHS):
                        break
                    if not in_class(text, *GRAMMAR):
                        places.add(place)
                    place += way
        return frozenset(places)

    def orders(self, topic: Span) -> tuple[tuple[int, ...], ...]:
        """Orders in which the words may be attached to a topic, what is nearest to it first."""
        right = list(range(topic.end, len(self.tokens)))
        left = list(range(topic.start - 1, -1, -1))
        size = 0
        for place in right:
            token = self.tokens[place]
            if "," in token.after or in_class(token.text, "auxiliary", "question"):
                break
            size += 1
        near = next((n for n, p in enumerate(right[:size], 1) if self.tokens[p].weight == 1), 0)
        orders = (
            (*right[:size], *left, *right[size:]),
            (*right[:near], *left, *right[near:]),
            (*left, *right),
            (*right, *left),
        )
        return tuple(dict.fromkeys(orders))


def _noun_between(tokens: tuple[Token, ...]) -> bool:
    return any(t.weight == 1 and t.text not in ("start", "end", "name") for t in tokens)


def _weight(text: str) -> float:
    if text in ASKING:
        return ASKED
    if text in words_of_class("question", "article", "auxiliary", "pronoun", "determiner"):
        return 0.0
    if text in ("s", "t"):
        return 0.0
    if text in words_of_class("preposition", "conjunction", "adverb", "request", "relation"):
        return FAINT
    return 1.0


@cache
def _cues() -> dict[tuple[str, ...], tuple[str, ...]]:
    text = files("wideleaf.agents.planner.paths").joinpath("cues.txt").read_text("utf-8")
    meanings: dict[tuple[str, ...], list[str]] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            kind, _, phrases = line.partition(":")
            for phrase in phrases.split("|"):
                meanings.setdefault(tuple(phrase.split()), []).append(kind)
    return {phrase: tuple(kinds) for phrase, kinds in meanings.items()}
