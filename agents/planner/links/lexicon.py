"""The planner's lexicon: a question as stemmed words, with the cues and numbers found in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

from wideleaf.agents.planner.links.meanings import Meanings
from wideleaf.retrieval.words.number_words import CARDINALS, HUNDRED
from wideleaf.retrieval.words.query import Query, read_question
from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.word_classes import GRAMMAR, words_of_class

_WORD = re.compile(r"\d+(?:[.,]\d+)+(?![^\W_])|[^\W_]+(?:'[^\W_]+)?")
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_MARKS = str.maketrans("’" + "¹²³⁰⁴⁵⁶⁷⁸⁹†‡", "'" + " " * 12)
"""Apostrophes are written in one way; marks of footnotes are no part of a word."""
_NEGATED = re.compile(
    r"(are|is|was|were|have|has|had|do|does|did|could|should|would|must|need|wo|ca)n'?t"
)
_WHOLE = {"wo": "will", "ca": "can"}
_CLOCK = re.compile(r"(?<![\d:])(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?![\d:])")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
MIN_SUPERLATIVE = 6
MIN_COMPARATIVE = 5
ABSENT = 6
"""So far at most stands ``given`` behind ``no``, as in ``no drag value given``."""
FILLER = "filler"
"""The kind of cue of a word that a rule takes along without making anything of it."""
COUNTED = {**CARDINALS, "hundred": HUNDRED}
"""Words that are a number by themselves."""


class Word(NamedTuple):
    """A word of a text: folded, stemmed, and where it stands in the text."""

    text: str
    stem: str
    start: int
    end: int


class Cue(NamedTuple):
    """A phrase of the lexicon found in a question; places count words, the end is outside."""

    kind: str
    value: str
    start: int
    end: int

    @property
    def places(self) -> frozenset[int]:
        """Places of its words."""
        return frozenset(range(self.start, self.end))

    def among(self, kinds: Collection[str]) -> bool:
        """Whether it is of one of some kinds; ``measure`` stands for every measure there is."""
        return self.kind in kinds or ("measure" in kinds and self.kind in lexicon().measures)


class Number(NamedTuple):
    """A number the question gives, at one word."""

    place: int
    value: float
    ordinal: bool


@lru_cache(maxsize=65_536)
def fold(text: str) -> str:
    """Fold case and compatible forms; nothing else is changed."""
    return unicodedata.normalize("NFKC", text).casefold()


def read_words(text: str) -> tuple[Word, ...]:
    """The words of a text with their places; a number with points or commas is one word.

    A verb with its *not*, such as *haven't*, also as people type it (*havent*), is both words.
    """
    words = []
    for match in _WORD.finditer(text.translate(_MARKS)):
        folded, start = fold(match.group()), match.start()
        if negated := _NEGATED.fullmatch(folded):
            verb, start = negated[1], match.start() + negated.end(1)
            verb = _WHOLE.get(verb, verb)
            words.append(Word(verb, stem(verb), match.start(), start))
            folded = "not"
        words.append(Word(folded, stem(folded), start, match.end()))
    return tuple(words)


def cell_words(text: str) -> tuple[str, ...]:
    """The words by which a cell and its mention are compared; a possessive ending is left out."""
    return tuple(word.text.removesuffix("'s") for word in read_words(text))


def parse_number(text: str) -> float | None:
    """Read a plain number, thousands separated by commas or not."""
    return float(text.replace(",", "")) if _NUMBER.fullmatch(text) else None


class Lexicon(NamedTuple):
    """What the phrase file says.

    Attributes:
        cues: Phrases, as folded words, to the kind and value of their cue.
        measures: Kinds of cues that are functions of a column, as Aggregate calls them.
        meanings: Stems of question words to the header stems they may stand for.
        stopwords: Words that say nothing by themselves.
        units: Words that are units of measurement in a header.
        axes: Words whose first letter stands for them before a number, as in ``D150``.
        verbs: Words that a question begins with where it wants yes or no.
        alike: Words to another that a cell may say in their place.
        degrees: Words of degree without a number, by what they mean.
        having: Words after which a word of degree speaks of rows.
        classes: Every list of words by its name, such as ``determiner`` or ``calendar``.
    """

    cues: dict[tuple[str, ...], tuple[str, str]]
    measures: frozenset[str]
    meanings: dict[str, tuple[str, ...]]
    stopwords: frozenset[str]
    units: frozenset[str]
    axes: frozenset[str]
    verbs: frozenset[str]
    alike: dict[str, str]
    degrees: dict[str, frozenset[str]]
    having: frozenset[str]
    classes: dict[str, frozenset[str]]


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """Read the phrase file, once."""
    cues: dict[tuple[str, ...], tuple[str, str]] = {}
    meanings: dict[str, set[str]] = {}
    words: dict[str, frozenset[str]] = {}
    alike: dict[str, str] = {}
    measures: set[str] = set()
    for kind, value, phrases in _entries():
        if kind == "words":
            words[value] = frozenset(phrases)
        elif kind == "alike":
            alike |= {word: value for word in phrases}
        elif kind == "means":
            for word in phrases:
                headers = {stem(header) for header in value.split()}
                meanings.setdefault(stem(word), set()).update(headers)
        else:
            if kind == "measure":
                kind = value
                measures.add(kind)
            for phrase in phrases:
                cues[tuple(word.text for word in read_words(phrase))] = (kind, value)
    for name in ("determiner", "preposition", "pronoun", "auxiliary"):
        words[name] = words_of_class(name)
    words["determiner"] |= words_of_class("article") | {"each", "every"}
    words["auxiliary"] |= {"to"}  # before a verb
    request = words_of_class("request") - {" ".join(words) for words in cues}
    words["stop"] |= words_of_class(*GRAMMAR, "adverb", "row", "talk") | request
    frozen = {word: tuple(sorted(stems)) for word, stems in meanings.items()}
    return Lexicon(
        cues,
        frozenset(measures),
        frozen,
        words["stop"],
        words["unit"],
        words["axis"],
        words["verb"],
        alike,
        {degree: words[degree] for degree in ("high", "low")},
        words["having"],
        words,
    )


def _entries() -> Iterator[tuple[str, str, list[str]]]:
    path = files("wideleaf.agents.planner.links").joinpath("phrases.txt")
    return read_phrases(path.read_text("utf-8"))


def read_phrases(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """The lines of a file of phrases: kind, value, phrases."""
    for line in text.splitlines():
        if line and not line.startswith("#"):
            head, _, tail = line.partition(":")
            kind, _, value = head.partition(" ")
            yield kind, value, [phrase.strip() for phrase in tail.split("|")]


def find_phrases(
    words: Sequence[Word], meanings: Mapping[tuple[str, ...], tuple[str, str]]
) -> tuple[Cue, ...]:
    """Known phrases among some words, longest first, none over another."""
    longest = max(map(len, meanings))
    texts = [word.text for word in words]
    cues = []
    place = 0
    while place < len(texts):
        for size in range(min(longest, len(texts) - place), 0, -1):
            if meaning := meanings.get(tuple(texts[place : place + size])):
                cues.append(Cue(*meaning, place, place + size))
                place += size - 1
                break
        place += 1
    return tuple(cues)


def group_phrases(words: Sequence[Word], phrases: tuple[Cue, ...]) -> tuple[Cue, ...]:
    """Cues with those of groups that no list holds: ``year by year``, ``one figure for each``.

    Args:
        words: The words.
        phrases: Phrases among them.
    """
    groups = [*_find_groups(words, phrases), *_find_absences(words), *_find_orders(words, phrases)]
    groups += _find_degrees(words, {place for cue in phrases for place in cue.places})
    places = {place for cue in groups for place in cue.places}
    rest = [cue for cue in phrases if not cue.places & places]
    return tuple(sorted([*rest, *groups], key=lambda cue: cue.start))


def _find_groups(words: Sequence[Word], phrases: tuple[Cue, ...]) -> Iterator[Cue]:
    """``year by year``, and ``one figure for each`` with its first two words."""
    for place in range(len(words) - 2):
        first, middle, last = words[place : place + 3]
        if middle.text == "by" and first.stem == last.stem and first.text.isalpha():
            yield Cue("each", "group", place, place + 2)
    for cue in phrases:
        if cue.kind == "each" and cue.start > 1:
            one, figure = (word.text for word in words[cue.start - 2 : cue.start])
            if one in ("one", "a", "single") and figure in lexicon().classes["figure"]:
                yield cue._replace(start=cue.start - 2)


def _find_degrees(words: Sequence[Word], cued: Collection[int]) -> Iterator[Cue]:
    """Superlatives and comparatives that no list holds: ``deadliest``, ``deadlier than``."""
    for place, word in enumerate(words):
        if place not in cued and is_superlative(word.text):
            yield Cue("extreme", "max", place, place + 1)
    for place, (word, after) in enumerate(pairwise(words)):
        than = after.text == "than" and place not in cued
        if than and word.text.endswith("er") and len(word.text) >= MIN_COMPARATIVE:
            yield Cue("compare", ">", place, place + 2)


def _find_orders(words: Sequence[Word], phrases: tuple[Cue, ...]) -> Iterator[Cue]:
    """``heaviest first`` and the like at an end: in which order rows are told."""
    ends = {cue.start: cue.value for cue in phrases if cue.kind == "extreme"}
    for place in range(len(words) - 1):
        text, value = words[place].text, ends.get(place, "")
        formed = value in ("max", "min") or (not value and is_superlative(text))
        if formed and words[place + 1].text == "first" and place + 2 == len(words):
            yield Cue("order", "up" if value == "min" else "down", place, place + 2)


def _find_absences(words: Sequence[Word]) -> Iterator[Cue]:
    """``no ... given`` and the like: a value is missing."""
    record_words = lexicon().classes["known"]
    for place, word in enumerate(words):
        later = [p for p in range(place + 2, min(place + ABSENT, len(words)))
                 if words[p].text in record_words]  # fmt: skip
        if word.text == "no" and later:
            yield Cue("missing", "null", place, place + 1)
            particle = [w.text for w in words[later[0] + 1 : later[0] + 2]] in (["down"], ["in"])
            yield Cue("aside", "talk", later[0], later[0] + 1 + particle)


def _before_number(cue: Cue, words: Sequence[Word], numbers: Collection[int]) -> Cue | None:
    """A cue; of *and above 8* what is said of the 8, where no number stands before it."""
    has_joint = words[cue.start].text in ("and", "or")
    if cue.kind != "after" or not has_joint or cue.start - 1 in numbers or cue.end not in numbers:
        return cue
    texts = tuple(word.text for word in words[cue.start + 1 : cue.end])
    meaning = lexicon().cues.get(texts)
    return Cue(*meaning, cue.start + 1, cue.end) if meaning else None


def is_superlative(text: str) -> bool:
    """Whether a word is formed as a superlative, such as ``deadliest``."""
    formed = text.endswith("est") and len(text) >= MIN_SUPERLATIVE and text.isalpha()
    return formed and text not in lexicon().classes["est"]


@dataclass(frozen=True)
class Question:
    """A question, read once.

    Attributes:
        text: The user's words.
        exact: Whether text compares letter by letter, so that literals are spelled as cells are.
        meanings: Compares meanings of words, where an embedder is at hand.
    """

    text: str
    exact: bool = False
    meanings: Meanings | None = field(default=None, compare=False, repr=False)

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """The words in order."""
        return read_words(self.text)

    @cached_property
    def cues(self) -> tuple[Cue, ...]:
        """Phrases of the lexicon, longest first, none over another."""
        phrases = find_phrases(self.words, lexicon().cues)
        numbers = {number.place for number in self.numbers}
        bounds = (_before_number(cue, self.words, numbers) for cue in phrases)
        return group_phrases(self.words, tuple(cue for cue in bounds if cue is not None))

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """Numbers in digits, as ordinals or as small number words; a minus before one counts.

        The hour and the minutes of a time of day, such as 22:00, are no numbers of their own.
        """
        numbers = []
        clocks = [match.span() for match in _CLOCK.finditer(self.text)]
        for place, word in enumerate(self.words):
            if any(start <= word.start < end for start, end in clocks):
                continue
            ordinal = _ORDINAL.fullmatch(word.text)
            value = parse_number(ordinal[1] if ordinal else word.text)
            if value is None and word.text in COUNTED:
                value = float(COUNTED[word.text])
            if value is not None:
                before = self.text[max(0, word.start - 2) : word.start]
                negative = before.endswith(("-", "−")) and not before[:-1].strip()
                numbers.append(Number(place, -value if negative else value, bool(ordinal)))
        return tuple(numbers)

    @cached_property
    def heard(self) -> Query:
        """The question as the index reads it, with the slots that it speaks of."""
        return read_question(self.text)

    def span_text(self, start: int, end: int) -> str:
        """The user's own text of some words."""
        return self.text[self.words[start].start : self.words[end - 1].end]

    @cached_property
    def whether(self) -> Cue | None:
        """The verb that a question begins with where it wants yes or no."""
        first = self.words[0].text if self.words else ""
        return Cue("whether", first, 0, 1) if first in lexicon().verbs else None

    def cue(self, *kinds: str) -> tuple[Cue, ...]:
        """Cues of some kinds, in order."""
        return tuple(cue for cue in self.cues if cue.among(kinds))

    def content(self, start: int, end: int) -> int:
        """How many words between two places say something."""
        return sum(word.text not in lexicon().stopwords for word in self.words[start:end])

    def gap(self, start: int, end: int) -> int:
        """How many words between two places say something and are no cue."""
        inside = [cue for cue in self.cues if start <= cue.start and cue.end <= end]
        return max(0, self.content(start, end) - len(inside))
