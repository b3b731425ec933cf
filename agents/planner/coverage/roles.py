"""Roles of words that no step came from: what names the rows or repeats, and what tells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from wideleaf.agents.planner.coverage.coverage import compared_places, means_another
from wideleaf.agents.planner.coverage.idle_cues import TELLING
from wideleaf.agents.planner.coverage.labels import AUXILIARIES, LABELLED, Labels
from wideleaf.agents.planner.links.lexicon import COUNTED, Cue, cell_words, lexicon
from wideleaf.agents.planner.links.literals import DAYS, MONTHS
from wideleaf.agents.planner.links.members import slot_places
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.stems import stem

MIN_NAMED = 0.4
"""A word behind a number that names another column so well is no unit of this one."""
AGGREGATES = ("extreme", "measure", "count", "mode")
ASKED_ROWS = ("what", "show")
RATES = frozenset(("rate", "rates", "ratio", "ratios"))
SMALL = frozenset(("is", "are", "was", "were", "me", "us"))


@lru_cache(maxsize=1)
def _cue_stems() -> frozenset[str]:
    """Stems of words that are cues by themselves, so that ``differences`` is one, too."""
    cues = [words for words, one in lexicon().cues.items() if Cue(*one, 0, 0).among(TELLING)]
    return frozenset(stem(words[0]) for words in cues if len(words) == 1)


class WordRoles(Labels):
    """Tells by rule of place and form what a word does that the plan does not use."""

    def slight(self, place: int) -> bool:
        """Whether a word only says again what was understood, or names the rows.

        The first of `ROLES` that it has tells. Words are judged from the last to the first, for a
        noun is judged by the verb behind it.

        Args:
            place: A word that the plan does not use.
        """
        role = next((role for role in ROLES if role.is_of(self, place)), None)
        if role is None or not role.slight:
            return False
        self.passed.add(place)
        if role.guess:
            self.guessed.add(place)
        return True

    @cached_property
    def passed(self) -> set[int]:
        """Words that were found to be slight so far."""
        return set()

    @cached_property
    def guessed(self) -> set[int]:
        """Those of them that are slight by their place alone, so that they may well tell."""
        return set()

    def _literal(self, place: int) -> bool:
        return place in self.quoted or place in self.dated or place in self.parted

    def _asking(self, place: int) -> bool:
        return self.words[place] in self.classes["asking"] or self._pronoun(place)

    def _trivial(self, place: int) -> bool:
        """Whether a word is a cue that changes nothing: a mean of one cell, count of a number."""
        cue = self._ignored(place)
        if cue is None:
            return False
        if self.single and cue.among(AGGREGATES):  # of a region's name there is no mean
            return self.has_number or not cue.among(("measure", "count"))
        after = self.next_word(cue.end - 1)
        has_column = after is not None and self.names_column(after)
        if cue.kind == "step":
            in_cover = has_column and after in self.covered
            return in_cover or any(rule.startswith("neighbour") for rule in self.d.rules)
        if cue.kind == "share":
            signs = ("%", *cell_words(self.question.span_text(cue.start, cue.end)))
            headers = [u.column.casefold() for u in self.uses if isinstance(u, Mention)]
            return any(sign in column for column in headers for sign in signs)
        return cue.kind == "count" and has_column

    def _operates(self, place: int) -> bool:
        """Whether a word is a cue of which the plan makes nothing."""
        return self._ignored(place) is not None

    def _ignored(self, place: int) -> Cue | None:
        return next((cue for cue in self.ignored if place in cue.places), None)

    def _general(self, place: int) -> bool:
        """Whether a word is for any thing or person, and stands for no column."""
        return self.words[place] in self.classes["generic"]

    def _line(self, place: int) -> bool:
        """Whether a word for a row of a table stands behind what the plan takes: of the rows."""
        behind = self.words[place - 1] in self.classes["preposition"] or place - 1 in self.covered
        return self.words[place] in self.classes["lines"] and place > 0 and behind

    def _shell(self, place: int) -> bool:
        """Whether a last noun stands for what was said: contribute to the condition."""
        is_last = place + 1 == len(self.words) and self.words[place - 1] in ("the", "this")
        return is_last and self.words[place] in self.classes["shell"]

    def _alone(self, place: int) -> bool:
        """Whether a plan tells of all rows, so that a word which says which is left out."""
        return self.bare or self.shares_measure(place)

    def _counted(self, place: int) -> bool:
        return self._alone(place) and self.counted_alone(place)

    def _neutral(self, place: int) -> bool:
        return self.words[place] in self.classes["neutral"] and self._complement(place)

    def _complement(self, place: int) -> bool:
        """Whether what follows in the clause was understood, or is slight."""
        return self.next_word(place) in self.covered | self.passed

    def _complemented(self, place: int) -> bool:
        """Whether a verb's complement tells by itself what is meant, or no word follows it."""
        if not self._verb(place):
            return False
        after = self.next_word(place)
        if after is None:
            return self._inverted(place)
        return self._complement(place) and (after in self.passed or self._complements(after))

    def _certain(self, place: int) -> bool:
        """Whether a word tells whatever its place: a name, a number, a word of time or order."""
        text, classes = self.words[place], self.classes
        numbers = {number.place for number in self.question.numbers}
        if self.is_name(place) or place in numbers or any(sign.isdigit() for sign in text):
            return True
        if text in MONTHS or text in DAYS or text.rstrip("s") in DAYS:
            return True
        if text in classes["lines"] and place not in self._slotted:
            return False
        if text in lexicon().alike or any(text in degree for degree in lexicon().degrees.values()):
            return True
        if place in self.known or place in self._slotted or text in RATES:
            return True
        if self.question.words[place].stem in _cue_stems() and text not in classes["measure"]:
            return True
        times = lexicon().classes["axis"]
        if text in times and (self._unit(place) or self._row_noun(place)):
            return False
        kinds = ("ordinal", "scale", "calendar", "quantity")
        return text in times or text in COUNTED or any(text in classes[name] for name in kinds)

    def _asked_noun(self, place: int) -> bool:
        """Whether a noun right behind *which* or *what* is asked for and no row is called so."""
        behind_wh = place - 1 in self.asks and self.words[place - 1] in ("which", "what")
        plain = self.words[place] in self.classes["generic"] | self.classes["asking"]
        plain = plain or self.question.words[place].stem in lexicon().meanings  # which place
        return behind_wh and not plain and not self._row_noun(place) and not self._verb(place)

    def _narrows(self, place: int) -> bool:
        """Whether a word before a value that is a common noun says which: canadian banks."""
        after = place + 1
        if after >= len(self.words) or self.has_break(place, after) or self._verb(place):
            return False
        if self.words[place] in self.classes["generic"] or self.names_rows(place):
            return False
        links = [u for u in self.uses if isinstance(u, ValueLink) and u.start == after
                 and isinstance(u.value, str) and u.named is None]  # fmt: skip
        first = self.question.text[self.question.words[after].start]
        plain = self.words[after].isalpha() and self.words[after].endswith("s")
        return bool(links) and plain and first.islower() and not self.wide

    def _heads_another(self, place: int) -> bool:
        """Whether a noun behind a part of a column's name makes another thing of it.

        A credit score is no limit of credit; the cases per day may be those of the new cases.
        """
        if not place or self.has_break(place - 1, place) or self._verb(place):
            return False
        if self.words[place] in self.classes["generic"] | self.classes["measure"]:
            return False
        mentions = [u for u in self.uses if isinstance(u, Mention) and u.column and u.end == place]
        if not mentions or max(u.score for u in mentions) >= LABELLED or self._row_noun(place):
            return False
        before = self.question.words[place - 1].stem
        spelled = any(before in map(stem, header_words(u.column)) for u in mentions)
        if not spelled or self._unit(place) or self.near_used(place):
            return False
        return all(not u.slot and u.family is None for u in mentions)

    def _counts_persons(self, place: int) -> bool:
        """Whether persons are counted by rows that are none: people killed, of storms."""
        if self.words[place] not in self.classes["persons"] or not self.counts:
            return False
        behind = any(cue.end == place for cue in self.question.cue("count"))
        return behind and not self.wide and not self.d.scope.index.of_persons

    def _qualifies_rows(self, place: int) -> bool:
        """Whether a word stands before what a row is called and says which rows: bald eagles."""
        slight = self.classes["generic"] | self.classes["neutral"] | self.classes["asking"]
        if self.words[place] in slight or self._row_noun(place):
            return False
        for after in range(place + 1, len(self.words)):
            if self.has_break(after - 1, after):
                return False
            if any(isinstance(u, ValueLink) and after in u.places for u in self.uses):
                continue  # female SS hawks
            if after in self.covered:
                return any(isinstance(u, Mention) and not u.column and after in u.places
                           and not self.is_count(after) for u in self.uses)  # fmt: skip
            return self.says(after) and self.names_rows(after)
        return False

    def _numbered(self, place: int) -> bool:
        """Whether a noun stands right behind a number that a column is compared with.

        It says of what there are so many: who hit more than thirty homers has not as many hits.
        """
        text = self.words[place]
        if place - 1 not in compared_places(self.uses):
            return False
        own = [m for m in self.d.scope.named if place in m.places and m.score >= MIN_NAMED]
        if own and not any(m.column in self._spoken for m in own):
            return True
        if self._unit(place):
            return False
        numbers = {number.place for number in self.question.numbers}
        plain = text in self.classes["generic"] | self.classes["scale"] or self.exists(place)
        return place - 1 in numbers and not plain and not self.has_break(place - 1, place)

    def _of_another_dimension(self, place: int) -> bool:
        """Whether an adjective such as *old* or *tall* means no column that a step speaks of."""
        word = self.question.words[place]
        if word.text not in self.classes["dimension"]:
            return False
        return all(means_another(self.d, word.stem, column) for column in self._spoken)

    @cached_property
    def _slotted(self) -> frozenset[int]:
        """Places of words that say at which occasion, such as *baseline*; no bounds."""
        places = [slot_places(self.question, slot) for slot in self.question.heard.slots]
        bounds = compared_places(self.uses)
        return frozenset(p for some in places if not some & bounds for p in some)

    def _measured(self, place: int) -> bool:
        """Whether a word says of what a mean or sum is asked, as in ``the average rainfall of``."""
        start = place
        while start and self.words[start - 1] in self.classes["determiner"]:
            start -= 1
        return any(cue.end == start for cue in self.question.cue("mean", "sum", "median"))

    def _member(self, place: int) -> bool:
        """Whether a noun names the rows that ``all``, or a value, picks: ``all players``."""
        if not place or not self.words[place].endswith("s") or self._verb(place):
            return False
        after, before = self.next_word(place), self.words[place - 1]
        if after == place + 1 and not self.has_break(place, after):
            return False
        valued = any(isinstance(u, ValueLink) and u.end == place for u in self.uses)
        return valued or before == "all" or self.words[place - 2 : place] == ["all", "the"]

    def _heads(self, place: int | None) -> bool:
        """Whether a value stands before a noun, so that what is before it is said of that, too."""
        ends = [u.end for u in self.uses if isinstance(u, ValueLink) and place in u.places]
        return any(
            self.says(end) and end not in self.covered and not self.has_break(end - 1, end)
            for end in ends
            if end < len(self.words)
        )

    def _pronoun(self, place: int) -> bool:
        """Whether ``one`` stands for a noun, as in ``the last one``."""
        after = self.next_word(place)
        if self.words[place + 1 : place + 2] == ["or"] and self.is_count(place + 2):
            return False  # one or two years
        return self.words[place] == "one" and (after is None or after > place + 1)

    def _repeated(self, place: int) -> bool:
        """Whether a word was understood elsewhere, or points to the table, as in ``this list``."""
        own = self.question.words[place].stem
        words = self.question.words
        telling = [words[p] for p in self.covered | self.asks]
        stems = {word.stem for word in telling if word.text not in lexicon().stopwords}
        is_repeat = own in stems and not any(sign.isdigit() for sign in own)
        return is_repeat or (place > 0 and self.words[place - 1] in ("this", "these"))

    def _asked_for(self, place: int) -> bool:
        """Whether a noun is the very thing that is asked for, as in ``what is the bonus of``."""
        start = place - 1
        while start >= 0 and self.words[start] in SMALL | self.classes["determiner"]:
            start -= 1
        asks = any(cue.end == start + 1 for cue in self.question.cue("wh"))
        return asks and start + 1 < place

    def _noun(self, place: int) -> bool:
        """Whether a noun only names the rows: what is counted or asked, with more said of it."""
        if not self.covered - self.asks or self._asked_for(place):
            return False
        start = place
        while start and start - 1 in self.covered and not self.has_break(start - 1, start):
            start -= 1
        heads = [c for c in self.question.cue("count", "wh") if start <= c.end <= place]
        ends = [c for c in self.question.cue("extreme") if start <= c.end <= place]
        heads += ends if self.counted else []
        return self._head_noun(place, heads) if heads else self._plain_noun(place)

    def _head_noun(self, place: int, heads: Sequence[Cue]) -> bool:
        """Whether what is counted or asked for only names the rows."""
        after, head = self.next_word(place), heads[0]
        rest = self.covered - self.asks - {p for cue in heads for p in cue.places}
        direct = after == place + 1 and not self.names_value(after)
        compound = after == place + 1 and after not in self.covered
        if self.wide and (compound or head.kind == "count"):
            return False  # which hydrogen car: of so many columns one may say hydrogen
        if head.kind == "wh":
            # What bonus did Ann get asks for the bonus.
            helped = {*self.words[place + 1 : place + 2]} & {*AUXILIARIES}
            if helped or head.value not in ASKED_ROWS:
                return False
        return bool(rest) and not direct

    def _plain_noun(self, place: int) -> bool:
        """Whether a noun behind a small word, or what was understood, adds nothing to it."""
        if self.wide:
            return False  # one of so many columns may hold it: share of petrol cars, with damp
        after, before = self.next_word(place), self.words[place - 1] if place else ""
        kinds = ("determiner", "preposition", "auxiliary")
        opens = any(before in self.classes[kind] for kind in kinds) or before in ("and", "when")
        opens = opens or place - 1 in self.covered
        is_key = before in ("each", "every", "per", "by")
        modifies = after == place + 1 and (not self.names_value(after) or self.is_count(after))
        modifies = modifies or self._heads(after)
        return opens and self._complement(place) and not modifies and not is_key


class Role(NamedTuple):
    """What a word may be that a plan does not use.

    Attributes:
        slight: Whether it adds nothing then; else it tells, and the question is refused.
        is_of: Whether a word is of that role.
        guess: Whether its place says so and not the word itself. Of such words that answers to
            opened sets pass over 61 % stood in a right one (75 of 123), of the others 85 %.
    """

    slight: bool
    is_of: Callable[[WordRoles, int], bool]
    guess: bool = False


ROLES = (
    Role(False, WordRoles._literal),
    Role(True, WordRoles._asking),
    Role(True, WordRoles._trivial, guess=True),
    Role(False, WordRoles._operates),
    Role(True, WordRoles._sorts),
    Role(True, WordRoles._repeated),
    Role(False, WordRoles._asked_noun),
    Role(False, WordRoles._asked_verb),
    Role(True, WordRoles._belongs),
    Role(False, WordRoles._numbered),
    Role(False, WordRoles._of_another_dimension),
    Role(False, WordRoles._qualifies_rows),
    Role(False, WordRoles._counts_persons),
    Role(False, WordRoles._heads_another),
    Role(False, WordRoles._relates),
    Role(False, WordRoles._narrows),
    Role(False, WordRoles._certain),
    Role(False, WordRoles._measured),
    Role(True, WordRoles._member, guess=True),
    Role(False, WordRoles.names_unused),
    Role(False, WordRoles.counts_another),
    Role(True, WordRoles._general),
    Role(True, WordRoles._unit),
    Role(True, WordRoles.names_rows),
    Role(True, WordRoles._line),
    Role(True, WordRoles._shell),
    Role(True, WordRoles._counted, guess=True),
    Role(False, WordRoles._alone),
    Role(True, WordRoles.near_used, guess=True),
    Role(True, WordRoles.ranked, guess=True),
    Role(True, WordRoles.exists),
    Role(True, WordRoles._neutral, guess=True),
    Role(True, WordRoles._complemented, guess=True),
    Role(False, WordRoles._verb),
    Role(True, WordRoles._label, guess=True),
    Role(True, WordRoles._noun, guess=True),
)
"""In the order in which they are asked; a word of none of them tells."""
