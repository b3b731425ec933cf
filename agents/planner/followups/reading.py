"""A message of a conversation: its words, and those by which it goes on from an earlier answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import pairwise

from wideleaf.agents.planner.links.lexicon import (
    Cue,
    Question,
    find_phrases,
    lexicon,
    read_phrases,
    read_words,
)
from wideleaf.agents.planner.links.limits import find_limits

POINTERS = frozenset(("those", "these", "them", "they", "their", "its", "it"))
FORMS = ("is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "can", "will")


@lru_cache(maxsize=1)
def _phrases() -> Mapping[tuple[str, ...], tuple[str, str]]:
    text = files("wideleaf.agents.planner.followups").joinpath("cues.txt").read_text("utf-8")
    meanings: dict[tuple[str, ...], tuple[str, str]] = {}
    for kind, value, phrases in read_phrases(text):
        for phrase in phrases:
            words = tuple(word.text for word in read_words(phrase))
            meanings.setdefault(words, (f"on {kind}", value))
    return meanings


HANGING = frozenset(("those", "these", "them"))
"""Words that point at an answer where no noun follows."""


@dataclass(frozen=True)
class Message:
    """A message, read once.

    Attributes:
        question: It as the planner reads a question.
    """

    question: Question

    @cached_property
    def cues(self) -> tuple[Cue, ...]:
        """Phrases by which it goes on, the longest first, none over another."""
        meanings = _phrases()
        cues = find_phrases(self.question.words, meanings)
        end = len(self.question.words)
        # How many of those are tall asks of the rows; how many of those, how many there are.
        over = [c for c in cues if c.kind == "on count" and self.question.content(c.end, end)]
        if not over:
            return cues
        fewer = {words: one for words, one in meanings.items() if one[0] != "on count"}
        return find_phrases(self.question.words, fewer)

    def cue(self, kind: str, *values: str) -> tuple[Cue, ...]:
        """Those of a kind and, if given, of some values, in order."""
        cues = [cue for cue in self.cues if cue.kind == f"on {kind}"]
        return tuple(cue for cue in cues if not values or cue.value in values)

    @cached_property
    def points(self) -> bool:
        """Whether it asks of what was answered: those, them, its, that in the end."""
        words = self.question.words
        for cue in self.cue("points", "rows", "one"):
            relative = words[cue.start].text == "that" and cue.end - cue.start == 1
            if not relative or cue.end == len(words):
                return True
        return any(
            {*texts} & POINTERS
            for cue in self.cue("which")
            if (texts := [word.text for word in words[cue.start : cue.end]])
        )

    @cached_property
    def hangs(self) -> bool:
        """Whether it is nothing without an earlier answer: ``of those?``, ``and in 2015?``."""
        words, text = self.question.words, self.question.text
        texts = [word.text for word in words]
        little = lexicon().stopwords
        marks = [text[a.end : b.start].strip() for a, b in pairwise(words)]
        alone = (
            (one in HANGING or (one == "one" and texts[place - 1 : place] in (["that"], ["this"])))
            and (place + 1 == len(texts) or texts[place + 1] in little or bool(marks[place]))
            for place, one in enumerate(texts)
        )
        return any(alone) or (self.opens and self.fragment)

    @cached_property
    def counts_back(self) -> bool:
        """Whether it speaks of the very rows of the answer: these three, each of those."""
        question, each = self.question, [cue.end for cue in self.question.cue("each")]
        limits = [limit for limit in find_limits(question) if limit.points and limit.value > 1]
        pointed = [cue for cue in self.cue("points", "rows") if cue.start in each]
        return bool(limits or pointed)

    @cached_property
    def orders(self) -> bool:
        """Whether it asks for an end of the answer's rows, or for their order."""
        limits = [limit for limit in find_limits(self.question) if not limit.points]
        if self.cue("split") or self.cue("by") or self.question.cue("each"):
            return False
        return bool(limits or self.cue("way") or self.cue("flip"))

    @cached_property
    def says(self) -> bool:
        """Whether its words alone tell that it goes on."""
        many = any(cue.end - cue.start > 1 for cue in self.cue("which"))
        kinds = ("split", "total", "count", "way", "shift")
        cues = [cue for kind in kinds for cue in self.cue(kind)]
        texts = {word.text for word in self.question.words}
        return bool(self.opens or self.turns or self.points or many or cues or texts & POINTERS)

    @cached_property
    def opens(self) -> bool:
        """Whether it begins with words that go on, such as ``what about`` or ``and only``."""
        return any(
            cue.start == 0
            and cue.value in ("open", "swap", "add", "narrow", "leave", "by", "order")
            for cue in self.cues
        )

    @cached_property
    def turns(self) -> bool:
        """Whether it says that something is to be otherwise: ``instead``, ``the other way``."""
        return bool(self.cue("go", "swap", "of") or self.cue("flip") or self.cue("all"))

    @cached_property
    def fragment(self) -> bool:
        """Whether it is no sentence: it neither asks by a word nor has a verb of its own."""
        texts = {word.text for word in self.question.words}
        asks = self.question.cue("wh", "count") or self.question.whether
        return not asks and not texts & {*FORMS, *lexicon().verbs}
