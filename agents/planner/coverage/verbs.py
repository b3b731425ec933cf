"""Verbs of a question that no step came from: which only ask, and which say something more."""

from __future__ import annotations

from functools import cached_property

from wideleaf.agents.planner.coverage.clauses import FORMS
from wideleaf.agents.planner.coverage.idle_cues import TELLING
from wideleaf.agents.planner.coverage.row_nouns import RowNouns
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.retrieval.words.stems import irregular_verbs

ASKED = ("what", "who", "where", "when", "much")
AUXILIARIES = ("do", "does", "did", "can", "could", "will", "would")


class Verbs(RowNouns):
    """Tells which verbs that a plan does not use only say that something is, or is asked."""

    def _verb(self, place: int) -> bool:
        text, classes = self.words[place], self.classes
        before = self.words[place - 1] if place else ""
        if before in classes["determiner"] - classes["relative"]:
            return False
        if before in classes["preposition"] - classes["auxiliary"]:
            return False
        if text.endswith(FORMS) or text in irregular_verbs():
            return True
        if before in ("which", "what") and place - 1 in self.asks:
            return False
        if before in classes["relative"] | classes["pronoun"] or before in classes["auxiliary"]:
            return before not in ("is", "are", "was", "were", "been", "be")
        cues = {p for cue in self.question.cue(*TELLING) for p in cue.places}
        helped = any(word in AUXILIARIES for word in self.words[: max(place - 1, 0)])
        return helped and place - 1 in self.covered - cues and not self.names_column(place - 1)

    @cached_property
    def _verbs(self) -> frozenset[int]:
        """Places of verbs that say that something takes place, or is done."""
        return frozenset(p for p in range(len(self.words)) if self.exists(p))

    def _inverted(self, place: int) -> bool:
        """Whether a last verb closes a question for a thing: ``which college did X attend``."""
        if self._subject(place) or self._passive(place):
            return True
        asks = [cue for cue in self.question.cue("wh") if cue.value in ASKED and cue.end <= place]
        if not asks or self.counts or not self.listed:
            return False
        between = self.words[asks[-1].end : place]
        helped = any(word in self.classes["auxiliary"] for word in between)
        return helped and not any(word in self.classes["relative"] for word in between)

    def _passive(self, place: int) -> bool:
        """Whether a last verb only says that what is counted was: *how many crates were picked*."""
        helped = self.words[place - 1 : place] in (["were"], ["was"], ["are"], ["been"])
        return helped and not self.bare and bool(self.question.cue("count"))

    def _subject(self, place: int) -> bool:
        """Whether a value that is compared is the verb's subject, as in ``that Ann earned``."""
        links = [u for u in self.d.uses if isinstance(u, ValueLink) and u.end == place]
        before = [self.words[link.start - 1] for link in links if link.start]
        return any(word in ("that", "which", "did", "does", "has", "had") for word in before)

    def _complements(self, place: int) -> bool:
        """Whether what follows a verb tells by itself which column is meant.

        A bare number does not, and neither does a time if the column's name is a verb's: who was
        hired in 2020 need not have left in it.
        """
        links = [u for u in self.uses if isinstance(u, ValueLink) and place in u.places]
        if not links and not self.names_column(place):
            return self.words[place - 1] not in self.classes["preposition"]
        for link in links:
            texts = link.value if isinstance(link.value, list) else [link.value]
            number = not isinstance(texts[0], str) and not link.flags
            if link.part or self.d.scene.kinds.get(link.column) in ("date", "datetime"):
                if not self._timely(link.column):
                    return False
            elif number and link.named is None and not self._timely(link.column):
                return False
        return True

    def _timely(self, column: str) -> bool:
        """Whether a column's name is one of time itself, such as ``Year`` or ``Release date``."""
        known = self.classes["axis"] | {"date", "time", "season"}
        return any(word in known for word in column.casefold().replace("_", " ").split())

    def _relates(self, place: int) -> bool:
        """Whether a verb stands right between two values of two columns: Ann beat Bob."""
        links = [u for u in self.uses if isinstance(u, ValueLink) and isinstance(u.value, str)]
        before = {u.column for u in links if u.end == place}
        after = {u.column for u in links if u.start == place + 1}
        return bool(before and after) and before != after

    def _asked_verb(self, place: int) -> bool:
        """Whether a verb behind *who* says who is asked for: who coached Ann is no team."""
        if place != 1 or self.words[0] != "who" or place + 1 == len(self.words):
            return False
        ends = self.question.cue("extreme", "mode", "compare", "missing")
        return not ends and self._verb(place) and not self.exists(place)
