"""Roles of words that no step came from: what names the rows or repeats, and what tells."""

from __future__ import annotations

from collections.abc import Set
from functools import cached_property, lru_cache

from wideleaf.agents.planner.coverage.coverage import compared_places, means_another
from wideleaf.agents.planner.coverage.idle_cues import TELLING
from wideleaf.agents.planner.coverage.labels import AUXILIARIES, LABELLED, Labels
from wideleaf.agents.planner.features import HALF
from wideleaf.agents.planner.links.lexicon import COUNTED, Cue, cell_words, lexicon
from wideleaf.agents.planner.links.literals import DAYS, MONTHS
from wideleaf.agents.planner.links.members import slot_places
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.stems import stem

PARTICLES = frozenset(("out", "up", "off", "down", "away", "back", "along"))
LEAST_NAMED = 0.4
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

    def slight(self, place: int, slight: Set[int]) -> bool:
        """Whether a word only says again what was understood, or names the rows.

        Args:
            place: A word that the plan does not use.
            slight: Later words that were found to be such.
        """
        text, classes = self.words[place], self.classes
        if place in self.quoted or place in self.dated or place in self.parted:
            return False
        if text in classes["asking"] or self._pronoun(place):
            return True
        cue = next((cue for cue in self.ignored if place in cue.places), None)
        if cue:
            return self._trivial(cue)
        if self._sorts(place) or self._numbers_rows(place):
            return True
        if self._repeated(place):
            return True
        if self._asked_noun(place) or self._asked_verb(place):
            return False
        if self._belongs(place):
            return True
        if self._numbered(place) or self._of_another_dimension(place):
            return False
        if self._qualifies_rows(place) or self._counts_persons(place):
            return False
        if self._heads_another(place) or self._relates(place) or self._narrows(place):
            return False
        if self._names_flag(place):
            return False
        if self._dates(place):
            return True
        if self._certain(place) or self._measured(place):
            return False
        if self._member(place):
            return True
        known = self.covered | {*slight}
        after = self.next_word(place)
        complement = after in known if after is not None else False
        if self.asks_for_row(place) or self.names_unused(place):
            return False
        if self.is_measure(place) or self.counts_another(place):
            return False
        if text in classes["generic"] or self._unit(place) or self.names_rows(place):
            return True
        behind = self.words[place - 1] in classes["preposition"] or place - 1 in self.covered
        if text in classes["lines"] and place and behind:
            return True
        said = place + 1 == len(self.words) and self.words[place - 1] in ("the", "this")
        if said and text in classes["shell"]:
            return True  # what was said, as one noun: contribute to the condition
        if self.bare or self.shares_measure(place):
            return self.counted_alone(place)
        if self.near_used(place):
            return True
        if self.ranked(place):
            return True
        if self.exists(place) or (text in classes["neutral"] and complement):
            return True
        if text in PARTICLES and place - 1 in self.talk | self._verbs:
            return True  # came out, carried out
        if self._verb(place):
            if after is None:
                return self._inverted(place)
            return complement and (after in slight or self._complements(after))
        return self._label(place) or self._noun(place, after, complement)

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
        named = ("ordinal", "scale", "calendar", "quantity")
        return text in times or text in COUNTED or any(text in classes[name] for name in named)

    def _asked_noun(self, place: int) -> bool:
        """Whether a noun right behind *which* or *what* is asked for and no row is called so."""
        asked = place - 1 in self.asks and self.words[place - 1] in ("which", "what")
        plain = self.words[place] in self.classes["generic"] | self.classes["asking"]
        plain = plain or self.question.words[place].stem in lexicon().meanings  # which place
        return asked and not plain and not self._row_noun(place) and not self._verb(place)

    def _names_flag(self, place: int) -> bool:
        """Whether a noun names a column of yes and no that no step asks: how many seniors."""
        index = self.d.scene.index
        return not self.wide and any(
            place in m.places and m.column in index.kinds and m.column not in self._spoken
            and index.kinds[m.column] != "text" and index.flag(m.column)
            for m in self.d.scene.named if m.score >= HALF
        )  # fmt: skip

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
        named = [u for u in self.uses if isinstance(u, Mention) and u.column and u.end == place]
        if not named or max(u.score for u in named) >= LABELLED or self._row_noun(place):
            return False
        before = self.question.words[place - 1].stem
        spelled = any(before in map(stem, header_words(u.column)) for u in named)
        if not spelled or self._unit(place) or self.near_used(place):
            return False
        return all(not u.slot and u.family is None for u in named)

    def _counts_persons(self, place: int) -> bool:
        """Whether persons are counted by rows that are none: people killed, of storms."""
        if self.words[place] not in self.classes["persons"] or not self.counts:
            return False
        behind = any(cue.end == place for cue in self.question.cue("count"))
        return behind and not self.wide and not self.d.scene.index.of_persons

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

    def _dates(self, place: int) -> bool:
        """Whether a verb, or its particle, only asks when, of the one date that each row has."""
        asks = [cue for cue in self.question.cue("wh") if cue.end - cue.start == 1]
        dates = self.d.scene.index.of_kind("date", "datetime")
        if len(asks) != 1 or asks[0].value != "when" or dates != [*self.d.answers]:
            return False
        helped = {*self.words[asks[0].end : place]} & {*AUXILIARIES, "was", "were"}
        before = self.words[place - 1] in self.classes["preposition"]
        return bool(helped) and not before and not self._particular(place)

    def _particular(self, place: int) -> bool:
        """Whether a word is a name, a number or one that a column or cell has."""
        return (
            self.is_name(place)
            or any(s.isdigit() for s in self.words[place])
            or (place in self.known or any(place in m.places for m in self.d.scene.named))
        )

    def _numbered(self, place: int) -> bool:
        """Whether a noun stands right behind a number that a column is compared with.

        It says of what there are so many: who hit more than thirty homers has not as many hits.
        """
        text = self.words[place]
        if place - 1 not in compared_places(self.uses):
            return False
        own = [m for m in self.d.scene.named if place in m.places and m.score >= LEAST_NAMED]
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

    def _trivial(self, cue: Cue) -> bool:
        """Whether a cue changes nothing: an aggregate of one cell, or ``number of`` a number."""
        if self.single and cue.among(AGGREGATES):
            return True
        after = self.next_word(cue.end - 1)
        if cue.kind == "step":
            name = after is not None and after in self.covered and self.names_column(after)
            return name or any(rule.startswith("neighbour") for rule in self.d.rules)
        if cue.kind == "share":
            signs = ("%", *cell_words(self.question.span_text(cue.start, cue.end)))
            named = [u.column.casefold() for u in self.uses if isinstance(u, Mention)]
            return any(sign in column for column in named for sign in signs)
        return cue.kind == "count" and after is not None and self.names_column(after)

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
        known = {word.stem for word in telling if word.text not in lexicon().stopwords}
        said = own in known and not any(sign.isdigit() for sign in own)
        return said or (place > 0 and self.words[place - 1] in ("this", "these"))

    def _asked_for(self, place: int) -> bool:
        """Whether a noun is the very thing that is asked for, as in ``what is the bonus of``."""
        start = place - 1
        while start >= 0 and self.words[start] in SMALL | self.classes["determiner"]:
            start -= 1
        asks = any(cue.end == start + 1 for cue in self.question.cue("wh"))
        return asks and start + 1 < place

    def _noun(self, place: int, after: int | None, complement: bool) -> bool:
        """Whether a noun only names the rows: what is counted or asked, with more said of it."""
        if not self.covered - self.asks or self._asked_for(place):
            return False
        start = place
        while start and start - 1 in self.covered and not self.has_break(start - 1, start):
            start -= 1
        heads = [c for c in self.question.cue("count", "wh") if start <= c.end <= place]
        ends = [c for c in self.question.cue("extreme") if start <= c.end <= place]
        heads += ends if self.counted else []
        if heads:
            rest = self.covered - {p for cue in heads for p in cue.places}
            rest -= self.asks
            direct = after == place + 1 and not self.names_value(after)
            compound = after == place + 1 and after not in self.covered
            if compound and self.wide:
                return False  # which hydrogen car: of so many columns one may say hydrogen
            helped = self.words[place + 1 : place + 2]
            if heads[0].kind == "wh" and heads[0].value not in ASKED_ROWS:
                return False
            if self.wide and heads[0].kind == "count":
                return False  # how many suitcases: rows are called otherwise
            if heads[0].kind == "wh" and {*helped} & {*AUXILIARIES}:
                return False  # what bonus did Ann get asks for the bonus
            return bool(rest) and not direct
        if self.wide:
            return False  # one of so many columns may hold it: share of petrol cars, with damp
        before = self.words[place - 1] if place else ""
        kinds = ("determiner", "preposition", "auxiliary")
        opened = any(before in self.classes[kind] for kind in kinds) or before in ("and", "when")
        opened = opened or place - 1 in self.covered
        grouped = before in ("each", "every", "per", "by")
        modifies = after == place + 1 and (not self.names_value(after) or self.is_count(after))
        modifies = modifies or self._heads(after)
        return opened and complement and not modifies and not grouped
