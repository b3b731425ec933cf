"""The question as the index reads it: words in their places, with how much each tells."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from wideleaf.retrieval.words.names import codes_of, header_words, tokenise
from wideleaf.retrieval.words.slots import Slot, find_slots, school_year
from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.word_classes import is_function_word, is_light_word, is_operation

LONGEST = 4_000
"""Characters of a question that are read: the first and the last half of them."""
LIGHT, SLOT, NUMBER, YEAR = 0.25, 0.08, 0.15, 0.5
"""What a word weighs that names an operation; that says which member of a family; a number; a
number that may be a year."""
_RANGE = re.compile(r"(\d+)[-–](\d+)$")
LONGEST_SPAN, MAX_SPANS = 8, 16
MAX_RUNS, MAX_BETWEEN = 3, 1
"""So many runs make one phrase, with so many small words between two of them."""
_PIECE = re.compile(r"[^\s,;:?!()\"]+")
_CLAUSE = re.compile(r"[,;:?!()\"]|\.(?=\s|$)|\s-\s")
YEAR_NUMBER = re.compile(r"(?:19|20)\d\d$")
_NUMBER = re.compile(r"[-−]?\d+(?:\.\d+)?$")
_AUXILIARIES = frozenset(["was", "were", "is", "are", "be", "been", "being", "has", "have", "had"])


class QueryTerm(NamedTuple):
    """A word of a question.

    Attributes:
        text: The word, lower case.
        stem: Its stem.
        weight: How much it tells, 0 to 1.
        clause: Which part of the sentence it stands in.
        literal: Whether it is written as a code or a name would be: capitals inside, digits.
        start: Where it begins in the question, by characters.
        end: One past its last character.
    """

    text: str
    stem: str
    weight: float
    clause: int = 0
    literal: bool = False
    start: int = 0
    end: int = 0

    @property
    def tells(self) -> bool:
        """Whether it may name a column by itself."""
        return self.weight > LIGHT


class Query(NamedTuple):
    """A question, read.

    Attributes:
        text: The question itself.
        words: Its words in order.
        tokens: Its pieces between blanks and punctuation, as they are written, with the places
            of their first and last words.
        slots: Where along axes it speaks of, such as days.
    """

    text: str
    words: tuple[QueryTerm, ...]
    tokens: tuple[tuple[str, int, int], ...]
    slots: tuple[Slot, ...] = ()

    @property
    def stems(self) -> frozenset[str]:
        """Stems of its words that tell anything."""
        return frozenset(word.stem for word in self.words if word.weight)

    @property
    def telling(self) -> frozenset[int]:
        """Places of its words that may name a column."""
        return frozenset(place for place, word in enumerate(self.words) if word.tells)

    def of_table(self, name: Collection[str]) -> Query:
        """The question as asked of one table: words of the table's name tell little of columns.

        Args:
            name: Stems of the table's name.
        """
        words = tuple(
            word._replace(weight=min(word.weight, LIGHT)) if word.stem in name else word
            for word in self.words
        )
        return self._replace(words=words)

    def spans(self, open_places: frozenset[int]) -> list[tuple[int, int]]:
        """Runs of words around those that nothing explains yet, to be compared by meaning.

        Args:
            open_places: Places of the words that no name explains.

        Returns:
            Pairs of a first place and one past the last, longest first within each run.
        """
        pairs: dict[tuple[int, int], None] = {}
        runs = [run for run in (self._trim(*run) for run in self._runs()) if run[0] < run[1]]
        for first, last in (*runs, *self._together(runs)):
            inside = [p for p in range(first, last) if p in open_places]
            if not inside:
                continue
            pairs[first, last] = None
            if (first, last) not in runs:
                continue
            size = last - first
            for length in range(min(size - 1, LONGEST_SPAN), 0, -1):
                for start in range(first, last - length + 1):
                    if any(start <= p < start + length for p in inside):
                        pairs[start, start + length] = None
        return sorted(pairs, key=lambda span: span[0] - span[1])[:MAX_SPANS]

    def _together(self, runs: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Phrases of several runs: "water loss from crop and soil"."""
        for start in range(len(runs)):
            for end in range(start + 1, min(start + MAX_RUNS, len(runs))):
                first, last = runs[start][0], runs[end][1]
                clause = self.words[first].clause
                between = [w for w in self.words[first:last] if w.clause != clause]
                gap = runs[end][0] - runs[end - 1][1]
                if between or gap > MAX_BETWEEN or last - first > LONGEST_SPAN:
                    break
                yield first, last

    def text_between(self, first: int, last: int) -> str:
        """The words of a span as text."""
        return " ".join(word.text for word in self.words[first:last])

    def _runs(self) -> Iterator[tuple[int, int]]:
        """Noun phrases, roughly: runs of telling words, light ones between them kept."""
        start: int | None = None
        for place, word in enumerate(self.words):
            broken = start is not None and word.clause != self.words[place - 1].clause
            boundary = word.weight <= SLOT or is_operation(word.text)
            if start is not None and (boundary or broken):
                yield start, place
                start = None
            if start is None and not boundary:
                start = place
        if start is not None:
            yield start, len(self.words)

    def _trim(self, first: int, last: int) -> tuple[int, int]:
        """A run without the light words at its ends."""
        while first < last and not self.words[first].tells:
            first += 1
        while first < last and not self.words[last - 1].tells:
            last -= 1
        return first, last


@lru_cache(maxsize=1024)
def name_stems(name: str) -> frozenset[str]:
    """Stems of the words of a table's name."""
    return frozenset(stem(word) for word in header_words(name) if word.isalpha() and len(word) > 2)


def read_question(question: str) -> Query:
    """Read a question: split it into words, and weigh them."""
    if len(question) > LONGEST:
        question = f"{question[: LONGEST // 2]} {question[-LONGEST // 2 :]}"
    words: list[QueryTerm] = []
    tokens: list[tuple[str, int, int]] = []
    clause, end = 0, 0
    for piece in _PIECE.finditer(question):
        clause += bool(_CLAUSE.search(question[end : piece.start()]))
        end = piece.end()
        text = piece[0].strip(".'’`*")
        start = piece.start() + piece[0].find(text)
        first = len(words)
        literal = bool(re.search(r"\d", text)) or text[1:] != text[1:].lower()
        number = text.replace("−", "-")
        if year := school_year(number):
            pieces: tuple[str, ...] = (year,)
        elif ends := _RANGE.match(number):
            pieces = (ends[1], "to", ends[2])
        else:
            pieces = (number,) if _NUMBER.match(number) else tokenise(text)
        for word, begins, ends_at in _spans(pieces, text.lower(), start):
            weight = _weight(word)
            whole = len(pieces) == 1 and codes_of(text)  # the number of X95735
            if literal and len(text) > 1 and (word.isalpha() or whole):
                weight = 1.0  # a letter of a code
            elif word.endswith("ed") and words and words[-1].text in _AUXILIARIES:
                weight = min(weight, LIGHT)  # "were planted"
            words.append(QueryTerm(word, stem(word), weight, clause, literal, begins, ends_at))
        if len(words) > first:
            tokens.append((text, first, len(words)))
        clause += piece[0].endswith(".")
    slots = tuple(find_slots([word.text for word in words]))
    inside = {
        place
        for slot in slots
        if slot.kind not in ("year", "named")  # which may be a column, too
        for place in range(slot.first, slot.last)
    }
    for place in inside:  # where along an axis; says nothing of which columns
        words[place] = words[place]._replace(weight=min(words[place].weight, SLOT))
    return Query(question, tuple(words), tuple(tokens), slots)


def _spans(pieces: Sequence[str], text: str, start: int) -> Iterator[tuple[str, int, int]]:
    """The words of a piece of text, with the characters each is written in; else all of them."""
    at = 0
    for word in pieces:
        place = text.find(word, at)
        if place < 0:
            yield word, start, start + len(text)
        else:
            at = place + len(word)
            yield word, start + place, start + at


def _weight(word: str) -> float:
    if is_function_word(word):
        return 0.0
    if len(word) == 1 and not _NUMBER.match(word):
        return NUMBER
    if _NUMBER.match(word):
        return YEAR if YEAR_NUMBER.match(word) else NUMBER
    return LIGHT if is_light_word(word) or is_operation(word) else 1.0
