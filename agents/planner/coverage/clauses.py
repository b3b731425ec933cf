"""Clauses: a question beside its plan: which words are covered, which tell, and what is next."""

from __future__ import annotations

from functools import cached_property

from wideleaf.agents.planner.coverage.coverage import find_cover
from wideleaf.agents.planner.coverage.idle_cues import TELLING, find_idle_cues, find_idle_ors
from wideleaf.agents.planner.links.lexicon import cell_words, lexicon
from wideleaf.agents.planner.links.literals import dates, quotation_places
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.agents.planner.scenes.derivation import Derivation, Use
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.plain_data import texts_in

STOPS = ".?!,;:()"
LEAST_BEGUN = 3
LEAST_SHORT = 4
"""Letters of a header's word that may be short for the noun of rows."""
MANY_COLUMNS = 300
"""Of more columns than these one may well hold what a noun says that none is called by."""


class Clauses:
    """A question as its plan reads it.

    Args:
        d: The plan's derivation.
    """

    def __init__(self, d: Derivation) -> None:
        self.d = d
        self.question = d.scene.question
        self.words = [word.text for word in self.question.words]
        self.classes = lexicon().classes
        self.wide = len(d.scene.index.kinds) > MANY_COLUMNS
        self.covered = find_cover(d)
        self.ignored = find_idle_cues(d, self.covered)
        self.parted = find_idle_ors(d)
        self.quoted = quotation_places(self.question)
        self.dated = {p for date in dates(self.question) for p in date}
        self.cased = self._cased()
        counts = any(rule.startswith("count") for rule in d.rules)
        self.bare = counts and [step.name for step in d.steps] == ["Aggregate"]
        self.known = self._known()
        asides = {p for cue in self.question.cue("aside") for p in cue.places}
        idle = {p for cue in self.ignored for p in cue.places}
        again = {p for cue in self.question.cue(*TELLING) for p in cue.places}
        self.talk = asides | (again - idle - self.covered)
        self.asks = {p for cue in self.question.cue("wh") for p in cue.places}

    def _cased(self) -> bool:
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
        if text not in lexicon().stopwords | self.classes["plain"]:
            return True
        if text == "i" or self._of_a_header(place):
            return False
        return place in self.quoted or self.is_name(place)

    def _of_a_header(self, place: int) -> bool:
        """Whether a small word belongs to the column's name beside it, as in ``To par``."""
        near = {place - 1, place + 1}
        named = [u for u in self.uses if isinstance(u, Mention) and u.places & near]
        return any(self.words[place] in cell_words(use.column) for use in named)

    @cached_property
    def spoken(self) -> frozenset[str]:
        """The columns that the plan's steps speak of."""
        said = {text for step in self.d.steps for text in texts_in([step.arguments], keys=False)}
        return frozenset(said & self.d.scene.index.kinds.keys())

    @cached_property
    def said(self) -> frozenset[str]:
        """Stems of the words that the plan came from or that ask."""
        words = [self.question.words[place] for place in self.covered | self.asks]
        return frozenset(word.stem for word in words if word.text not in lexicon().stopwords)

    @cached_property
    def nouns(self) -> tuple[str, ...]:
        """What a row is called: words of the table's name and of the names of its keys."""
        index = self.d.scene.index
        called = header_words(index.row_name or self.d.scene.label)
        daily = ("day", "date") if index.daily else ()
        own = [word for word in called if word.isalpha() and len(word) >= LEAST_BEGUN]
        return (*own, *index.row_nouns, *daily)

    def calls_rows(self, place: int) -> bool:
        """Whether a noun is what a row is called, to the letter: sailors are no ships."""
        said, nouns = self.question.words[place].stem, {*map(stem, self.nouns)}
        short = (noun for noun in nouns if len(noun) >= LEAST_SHORT)
        return said in nouns or any(map(said.startswith, short))  # dist_name

    def exists(self, place: int) -> bool:
        """Whether a verb only says that something is or takes place."""
        verbs = self.classes["existence"]
        return self.words[place] in verbs or (
            self.words[place] == "place" and self.words[place - 1] in verbs
        )

    def says_or_covers(self, place: int) -> bool:
        """Whether a word is one that tells, used or not."""
        return place in self.covered or self.says(place)

    @cached_property
    def uses(self) -> list[Use]:
        """What the plan came from, the names beside its values included."""
        named = [u.named for u in self.d.uses if isinstance(u, ValueLink) and u.named]
        return [*self.d.uses, *named]

    def names_column(self, place: int) -> bool:
        """Whether a word is of a column's name."""
        return any(
            isinstance(use, Mention) and use.column and place in use.places for use in self.uses
        )

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
        index, words = self.d.scene.index, self.question.words
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
