"""Clauses: a question beside its plan: which words are covered, which tell, and what is next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from wideleaf.agents.planner.coverage.coverage import find_cover
from wideleaf.agents.planner.coverage.idle_cues import TELLING, find_idle_cues, find_idle_ors
from wideleaf.agents.planner.links.lexicon import cell_words, lexicon, parse_number
from wideleaf.agents.planner.links.literals import dates, quotation_places
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.agents.planner.scopes.derivation import Derivation, Use

FORMS = ("ed", "ing")
"""Endings of verbs; other forms are told by the lexicon or by a word such as ``did``."""
STOPS = ".?!,;:()"
MANY_COLUMNS = 300
"""Of more columns than these one may well hold what a noun says that none is called by."""


class Clauses:
    """A question as its plan reads it.

    Args:
        d: The plan's derivation.
        rows: What the plan gives.
    """

    def __init__(self, d: Derivation, rows: Sequence[Mapping[str, Any]] | None) -> None:
        self.d = d
        self.rows = rows
        self.question = d.scope.question
        self.words = [word.text for word in self.question.words]
        self.classes = lexicon().classes
        self.wide = len(d.scope.index.kinds) > MANY_COLUMNS
        self.covered = find_cover(d)
        self.ignored = find_idle_cues(d, self.covered)
        self.parted = find_idle_ors(d)
        self.quoted = quotation_places(self.question)
        self.dated = {p for date in dates(self.question) for p in date}
        self.cased = self._capitalizes_names()
        self.listed = all(rule.split()[0] in ("where", "list", "distinct") for rule in d.rules)
        self.single = self.listed and rows is not None and len(rows) <= 1
        self.counts = any(rule.startswith("count") for rule in d.rules)
        ended = [rule for rule in d.rules if rule.startswith("group end")]
        self.counted = any(" count" in rule for rule in ended)
        self.known = self._known()
        asides = {p for cue in self.question.cue("aside") for p in cue.places}
        idle = {p for cue in self.ignored for p in cue.places}
        again = {p for cue in self.question.cue(*TELLING) for p in cue.places}
        self.talk = asides | (again - idle - self.covered)
        self.asks = {p for cue in self.question.cue("wh") for p in cue.places}

    @cached_property
    def has_number(self) -> bool:
        """Whether some cell of what the plan gives is a number, or there is no cell."""
        cells = [cell for row in self.rows or () for cell in row.values() if cell is not None]
        return not cells or any(parse_number(str(cell)) is not None for cell in cells)

    def _capitalizes_names(self) -> bool:
        """Whether a capital within the question tells a name: most small words have none."""
        small = [p for p, text in enumerate(self.words) if p and text in lexicon().stopwords]
        common = [p for p in range(1, len(self.words)) if self.names_column(p) and self._upper(p)]
        return sum(not self._upper(p) for p in small) * 2 > len(small) and not common

    def _upper(self, place: int) -> bool:
        return self.question.text[self.question.words[place].start].isupper()

    def is_name(self, place: int) -> bool:
        """Whether a word is written as a name: with a capital though no sentence begins."""
        before = self.question.text[: self.question.words[place].start].rstrip(" \"'“‘(")
        return self.cased and self._upper(place) and bool(before) and before[-1] not in ".?!:"

    def says(self, place: int) -> bool:
        """Whether a word says something by itself or as part of a phrase that does."""
        text = self.words[place]
        if place in self.asks or place in self.talk:
            return False
        if place in self.parted:
            return True
        if any(place in cue.places for cue in self.ignored):
            return True
        if text not in lexicon().stopwords:
            return True
        if text == "i" or self._of_a_header(place):
            return False
        return place in self.quoted or self.is_name(place)

    def _of_a_header(self, place: int) -> bool:
        """Whether a small word belongs to the column's name beside it, as in ``To par``."""
        near = {place - 1, place + 1}
        mentions = [u for u in self.uses if isinstance(u, Mention) and u.places & near]
        return any(self.words[place] in cell_words(use.column) for use in mentions)

    @property
    def uses(self) -> list[Use]:
        """What the plan came from, the names beside its values included."""
        mentions = [u.named for u in self.d.uses if isinstance(u, ValueLink) and u.named]
        return [*self.d.uses, *mentions]

    def names_column(self, place: int) -> bool:
        """Whether a word is of a column's name."""
        return any(
            isinstance(use, Mention) and use.column and place in use.places for use in self.uses
        )

    def names_value(self, place: int) -> bool:
        """Whether a word is of a value, or of a verb that was passed over."""
        text = self.words[place]
        if place not in self.covered or text.endswith(FORMS) or text in lexicon().stopwords:
            return True
        return any(isinstance(u, ValueLink) and place in u.places for u in self.uses)

    def is_count(self, place: int) -> bool:
        """Whether a word is a number, which a noun before it would name the column of."""
        return place in {number.place for number in self.question.numbers}

    def next_word(self, place: int) -> int | None:
        """The next word that says something, within the clause."""
        for other in range(place + 1, len(self.words)):
            if self.has_break(other - 1, other):
                return None
            if other in self.covered or self.says(other):
                return other
        return None

    def has_break(self, one: int, other: int) -> bool:
        """Whether a mark stands between two neighbours."""
        if one < 0:
            return True
        between = self.question.text[
            self.question.words[one].end : self.question.words[other].start
        ]
        return any(sign in STOPS for sign in between)

    def _known(self) -> frozenset[int]:
        """Words that are a cell of the table, of which the plan makes nothing."""
        index, words = self.d.scope.index, self.question.words
        texts = cell_words(self.question.text)
        exact = {place for place, text in enumerate(texts) if (text,) in index.cells}
        little = lexicon().stopwords | lexicon().classes["generic"]
        inflected = {  # hurricanes, where a status is hurricane
            place for place, word in enumerate(words)
            if not self.wide and word.text not in little and word.text.isalpha()
            and word.text != word.stem and word.text.endswith("s")
            and (word.stem,) in index.stemmed
        }  # fmt: skip
        return frozenset(exact | inflected)
