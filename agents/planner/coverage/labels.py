"""Labels: words left over that only say what a column, value or number is, or only ask."""

from __future__ import annotations

from wideleaf.agents.planner.coverage.clauses import FORMS
from wideleaf.agents.planner.coverage.idle_cues import TELLING
from wideleaf.agents.planner.coverage.row_nouns import RowNouns
from wideleaf.agents.planner.links.lexicon import cell_words, lexicon
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.stems import irregular_verbs, stem
from wideleaf.retrieval.words.units import UNITS
from wideleaf.tools.plain_data import texts_in

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
            if link.part or self.d.scope.kinds.get(link.column) in ("date", "datetime"):
                if not self._timely(link.column):
                    return False
            elif number and link.named is None and not self._timely(link.column):
                return False
        return True

    def _timely(self, column: str) -> bool:
        """Whether a column's name is one of time itself, such as ``Year`` or ``Release date``."""
        times = self.classes["axis"] | {"date", "time", "season"}
        return any(word in times for word in column.casefold().replace("_", " ").split())

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


OWN = 0.7
"""Before a column of a wide table that is named so well a word of the table tells nothing more."""
MIN_JOINED = 2
LABELLED = 0.7
"""Behind a column that is named so well a word may only say what that is."""
SQUARES = ("square", "cubic", "sq")


class Labels(Verbs):
    """Tells which words stand with what a plan uses and add nothing to it: a CV fold, in euros."""

    def _belongs(self, place: int) -> bool:
        """Whether a word is one with a column's name beside it: grain yield, night-time, soil data.

        It is joined to a covered word by a hyphen, says of a named column that it holds values, or
        stands before the one column that is called so and is a word of the table's own: where some
        column is of grain, and none of grain and yield, *grain yield* is the yield.
        """
        return self._hyphened(place) or self._says_of(place) or self._is_own_word(place)

    def _hyphened(self, place: int) -> bool:
        words = self.question.words
        for one, other in ((place - 1, place), (place, place + 1)):
            beside = one if one != place else other
            if one < 0 or other >= len(words) or beside not in self.covered:
                continue
            if self.question.text[words[one].end : words[other].start] == "-":
                first = self.words[one]
                return first not in ("non", "anti", "un", "no", "not") and len(first) > MIN_JOINED
        return False

    def _says_of(self, place: int) -> bool:
        """Whether a general noun stands behind a name: a waterlogging score, soil properties."""
        if self.words[place] not in self.classes["holding"] or not place:
            return False
        if place - 1 not in self.covered or self.has_break(place - 1, place):
            return False
        return self._sole(place, place - 1)

    def _is_own_word(self, place: int) -> bool:
        """Whether a word of the table's headers stands before a column that is well named."""
        after = place + 1
        if not self.wide or after >= len(self.words) or self.has_break(place, after):
            return False
        if place in self.known or not self.words[place].isalpha() or self.is_name(place):
            return False
        mentions = [u for u in self.uses if isinstance(u, Mention) and after in u.places]
        own = any(u.score >= OWN for u in mentions if u.column in self._spoken)
        names = self.d.scope.index.names
        return own and bool(names.naming(self.question.words[place])) and self._sole(place, after)

    def _sole(self, place: int, beside: int) -> bool:
        """Whether no column's name has both of two words, so that neither tells columns apart."""
        names, words = self.d.scope.index.names, self.question.words
        both = names.naming(words[place]) & names.naming(words[beside])
        return not both

    def _label(self, place: int) -> bool:
        """Whether a word stands with a column's name and only says what that is: a number."""
        before = self._head_of_code(place - 1)
        beside = self._well_named(before) and not self.has_break(place - 1, place)
        # Engine complaints are not all that engines have; a CV fold is a CV.
        if beside and (not self.wide or self._written(before)):
            return self.next_word(place) is not None or not self._predicate(place)
        after = self.next_word(place)
        of = self.words[place + 1 : place + 2] == ["of"]
        if of and self._kind_of_key(place, after):
            return True
        if self.words[place] not in self.classes["measure"]:
            return False
        return after is not None and after in self.covered and (self.names_column(after) or not of)

    def _head_of_code(self, place: int) -> int:
        """The last word of a code that a step uses, before small ones joined to it: 3_at."""
        words, start = self.question.words, place
        while start > 0 and start not in self.covered and (
            self.question.text[words[start - 1].end : words[start].start] == "_"
        ):  # fmt: skip
            start -= 1
        return start if start in self.covered else place

    def _kind_of_key(self, place: int, after: int | None) -> bool:
        """Whether a noun says what the texts that are grouped by are: per port of embarkation."""
        is_key = any(c.end in (place, place - 1) for c in self.question.cue("each", "by"))
        keys = {text for step in self.d.steps if step.name == "Group"
                for text in texts_in([step.arguments.get("keys")], keys=False)}  # fmt: skip
        return is_key and after is not None and any(
            isinstance(use, Mention) and after in use.places and use.column in keys
            and self.d.scope.kinds.get(use.column) == "text" for use in self.uses
        )  # fmt: skip

    def _well_named(self, place: int) -> bool:
        """Whether a word is of a column's name that the question has most of."""
        return any(
            isinstance(use, Mention) and use.column and place in use.places
            and use.score >= LABELLED for use in self.uses
        )  # fmt: skip

    def _written(self, place: int) -> bool:
        """Whether a word is of a header that is a code and is written as it stands: CV."""
        return any(
            isinstance(use, Mention) and place in use.places and not use.column.islower()
            and (self.question.span_text(use.start, use.end) == use.column or (
                use.score >= LABELLED and len(use.places) > 1
                and any(map(str.isdigit, self.question.span_text(use.start, use.end)))
            )) for use in self.uses
        )  # fmt: skip

    def _predicate(self, place: int) -> bool:
        """Whether a last word is said of a column, as in ``is the price unknown``."""
        for be in range(max(place - 4, 1), place):
            if self.words[be] in ("is", "are", "was", "were"):
                return not any(isinstance(u, ValueLink) and be - 1 in u.places for u in self.uses)
        return False

    def _sorts(self, place: int) -> bool:
        """Whether a noun right behind a value says that it is one of several: the ALL group."""
        if self.words[place] not in self.classes["sorts"] or self.has_break(place - 1, place):
            return False
        return any(isinstance(u, ValueLink) and u.end == place and isinstance(u.value, str)
                   for u in self.uses)  # fmt: skip

    def _unit(self, place: int) -> bool:
        """Whether a word is the unit of a number that is compared with a column of that name."""
        text, before = self.words[place], self.words[place - 1] if place else ""
        if self._other_unit(place):
            return False  # square metres of a column in square feet
        if text in SQUARES and self.words[place + 1 : place + 2]:
            return self.words[place + 1] in UNITS
        if text in UNITS and (before == "in" or before in SQUARES):
            return True
        links = [u for u in self.d.uses if isinstance(u, ValueLink) and place - 1 in u.places]
        conditions = [k for k in links if k.named or k.op == "==" or text in cell_words(k.column)]
        if text not in UNITS and text not in lexicon().axes | self.classes["currency"]:
            conditions = [k for k in conditions if self._is_told_of(place, k.column)]
        numbers = {number.place for number in self.question.numbers}
        ends = {k.end - 1 for k in conditions if k.places & numbers}
        return bool(conditions) and place - 1 in numbers | ends

    def _is_told_of(self, place: int, column: str) -> bool:
        """Whether a column's name or description has a word."""
        words = header_words(f"{column} {self.d.scope.index.table.about.get(column, '')}")
        return self.question.words[place].stem in map(stem, words)

    def _other_unit(self, place: int) -> bool:
        """Whether a column that a step speaks of is in another unit of the same dimension."""
        words = (
            self.words[place : place + 2] if self.words[place] in SQUARES else [self.words[place]]
        )
        unit = next((UNITS[word] for word in words if word in UNITS), None)
        if unit is None:
            return False
        about = self.d.scope.index.table.about
        units = {
            UNITS[word]
            for column in self._spoken
            for word in (*header_words(column), *header_words(about.get(column, "")))
            if word in UNITS and UNITS[word][0] == unit[0]
        }
        return bool(units) and unit not in units
