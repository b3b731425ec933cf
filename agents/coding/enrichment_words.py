"""The words of a question beside the columns it names: what the steps of the enrichment read."""

from __future__ import annotations

import re
from functools import cached_property
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from wideleaf.retrieval.words.names import LONGEST_HEADER, tokenise
from wideleaf.retrieval.words.number_words import MONTHS as MONTH_NUMBERS
from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.word_classes import GRAMMAR, words_of_class
from wideleaf.tools.conditions.dates import WEEKDAYS
from wideleaf.tools.privacy import Policy
from wideleaf.tools.tables.profiling.column_profile import ColumnProfile

QUESTION_READ = 4_000
"""Characters of a question that are read for mentions; no longer part is ever shown."""
MAX_HEADERS = 2_000
"""Of a wider table the columns that were selected are looked for, and the first of the others."""

_WORD = re.compile(r"[^\W_]+")
_QUOTED = re.compile(r"\"[^\"]+\"|“[^”]+”|‘[^’]+’|`[^`]+`|(?<![^\W_])'[^']+'(?![^\W_])")

_FUNCTIONS_LIST = """average avg mean median mode sum total count number max maximum min minimum
rank ranking index size std deviation var variance range first last head tail shape value values
product quantile"""
FUNCTIONS = frozenset(_FUNCTIONS_LIST.split())
"""Words that name a function of a frame."""
COUNTS = ("count", "number", "size")
"""Those that are of rows, whatever is in them."""
_NUMBER_OPERATIONS = """average avg mean median sum total max maximum min minimum std deviation
var variance correlation highest lowest largest smallest amount quantile percentile"""
NUMBER_OPERATIONS = frozenset(_NUMBER_OPERATIONS.split())
"""Words that ask for something that only numbers have."""
FUNCTION_WORDS = words_of_class(
    *GRAMMAR, "distributive", "adverb", "relation", "quantity", "request"
) | {"missing", "null", "lowest", "highest", "smallest", "largest", "like", "know", "get"}
"""Words that are no part of a value written in small letters."""
MONTHS = frozenset(MONTH_NUMBERS) | {day.casefold() for day in WEEKDAYS}
"""Names of months and days of the week: a date is no text to be looked for as it stands."""
OPERATIONS = FUNCTIONS | NUMBER_OPERATIONS
NO_NAMES = FUNCTION_WORDS | OPERATIONS
"""Words that by themselves name no column and no value."""
NUMBERS = ("int", "float")

Span = tuple[int, int]
"""Characters of the question, or places of words: the first, and one past the last."""


class TableSketch(BaseModel):
    """One table as a program's prompt knows it.

    Attributes:
        name: The variable that holds it.
        types: By column, in order, its type in a short word.
        about: What the user says that columns and families mean.
        text: What the user says of the table as a whole.
        chosen: The columns that were selected for the question; of a narrow table all.
        profiles: What the cells of columns tell; the policy decides what of it is said.
    """

    model_config = ConfigDict(frozen=True)

    name: str = "df"
    types: dict[str, str]
    about: dict[str, str] = {}
    text: str = ""
    chosen: tuple[str, ...] = ()
    profiles: dict[str, ColumnProfile] = {}

    @property
    def looked_for(self) -> tuple[str, ...]:
        """The columns that a question may name, the selected ones first."""
        return tuple(dict.fromkeys((*self.chosen, *self.types)))[:MAX_HEADERS]


class PlainWord(NamedTuple):
    """A word of the question.

    Attributes:
        text: As it is written.
        flat: In small letters.
        start: Its first character.
        end: One past its last.
    """

    text: str
    flat: str
    start: int
    end: int


class ColumnMention(NamedTuple):
    """Where a question names a column by all of its words.

    Attributes:
        column: The column.
        sketch: Its table.
        first: Place of its first word.
        last: One past the place of its last word.
    """

    column: str
    sketch: TableSketch
    first: int
    last: int

    @property
    def type(self) -> str:
        """The column's type in a short word."""
        return self.sketch.types[self.column]


class QuestionReading(BaseModel):
    """A question read beside its tables.

    Attributes:
        question: The user's words.
        tables: The tables.
        policy: What may be told of cells.
        lower_case: Whether text is compared in small letters.
    """

    model_config = ConfigDict(frozen=True)

    question: str
    tables: tuple[TableSketch, ...]
    policy: Policy = Policy()
    lower_case: bool = False

    def as_compared(self, text: str) -> str:
        """A text as programs compare it: in small letters where they do."""
        return text.lower() if self.lower_case else text

    @cached_property
    def words(self) -> tuple[PlainWord, ...]:
        """The question's words in order."""
        text = self.question[:QUESTION_READ]
        hits = _WORD.finditer(text)
        return tuple(PlainWord(m[0], m[0].lower(), m.start(), m.end()) for m in hits)

    @cached_property
    def quoted(self) -> tuple[tuple[int, int], ...]:
        """What the user put in quotes, by characters."""
        return tuple(m.span() for m in _QUOTED.finditer(self.question[:QUESTION_READ]))

    @cached_property
    def columns(self) -> tuple[tuple[TableSketch, str], ...]:
        """The columns that were selected, each with its table."""
        return tuple((sketch, column) for sketch in self.tables for column in sketch.chosen)

    @cached_property
    def mentions(self) -> tuple[ColumnMention, ...]:
        """The columns named by all of their words, the longest name first where they overlap."""
        by_place = self._mention_by_place
        return tuple(
            by_place[place] for place in sorted(by_place) if by_place[place].first == place
        )

    def mention_at(self, place: int) -> ColumnMention | None:
        """The mention that a word belongs to."""
        return self._mention_by_place.get(place)

    @cached_property
    def named(self) -> frozenset[str]:
        """The columns that are mentioned."""
        return frozenset(one.column for one in self.mentions)

    @cached_property
    def column_stems(self) -> frozenset[str]:
        """The stems of all words of all headers."""
        return frozenset(word for header, _, _ in self._headers for word in header)

    def follows(self, place: int) -> bool:
        """Whether nothing but blanks, a hyphen or an apostrophe stands before a word."""
        if place == 0:
            return True
        between = self.question[self.words[place - 1].end : self.words[place].start]
        return not between.strip(" \t-'’.&_/") and between.strip() != "."

    @cached_property
    def _headers(self) -> list[tuple[list[str], str, TableSketch]]:
        headers = [
            ([stem(word) for word in tokenise(column[:LONGEST_HEADER])], column, sketch)
            for sketch in self.tables
            for column in sketch.looked_for
        ]
        return sorted((h for h in headers if h[0]), key=lambda header: -len(header[0]))

    @cached_property
    def _mention_by_place(self) -> dict[int, ColumnMention]:
        # The question's words are cut as headers are: each part with the place of its word.
        parts = [
            (stem(part), place)
            for place, word in enumerate(self.words)
            for part in tokenise(word.text) or (word.flat,)
        ]
        stems = [part for part, _ in parts]
        starts: dict[str, list[int]] = {}
        for start, part in enumerate(stems):
            starts.setdefault(part, []).append(start)
        by_place: dict[int, ColumnMention] = {}
        for header, column, sketch in self._headers:
            for start in starts.get(header[0], ()):
                end = start + len(header)
                if stems[start:end] == header:
                    places = range(parts[start][1], parts[end - 1][1] + 1)
                    if by_place.keys().isdisjoint(places):
                        one = ColumnMention(column, sketch, places.start, places.stop)
                        by_place.update(dict.fromkeys(places, one))
        return by_place
