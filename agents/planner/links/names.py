"""Links from a question's words to columns: names word by word, abbreviations written out."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from wideleaf.agents.planner.links.lexicon import Question, Word, is_superlative, lexicon
from wideleaf.agents.planner.links.meant import MEANT, meant_mentions
from wideleaf.agents.planner.links.members import (
    family_mentions,
    member_mention,
    slot_places,
)
from wideleaf.agents.planner.links.mentions import (
    NO_NAMES,
    STOP_WEIGHT,
    WHOLE,
    Mention,
    NameWord,
    WordHit,
    clusters,
    in_apposition,
    lower_parts,
    measure,
)
from wideleaf.agents.planner.links.name_words import UNIT_WEIGHT, name_parts, split_description
from wideleaf.retrieval.cards.card_index import CardIndex, card_index
from wideleaf.retrieval.cards.cards import Card, about, make_cards
from wideleaf.retrieval.cards.spellings import Spellings
from wideleaf.retrieval.selection import FEW_COLUMNS
from wideleaf.retrieval.words.names import (
    codes_of,
    header_words,
    spell_out,
)
from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.units import UNITS
from wideleaf.tools.dictionary.synonyms import drop_beside, split_synonyms
from wideleaf.tools.tables.table import Table

PREFIX_WEIGHT = 0.1
LEAST_SCORE = 0.2
MOST_MENTIONS, MOST_DESCRIBED = 60, 10
QUALIFIER = 0.25
"""What a word of a description weighs behind its first comma or bracket."""
LEAST_ROOT = 3
QUESTIONS_KEPT = 8
UNQUALIFIED = frozenset(map(stem, ("total", "all", "both", "overall", "sexes", "combined")))
"""What says behind a comma that nothing is told apart: life expectancy, total."""
PREFIXED = 4
MOST_CODED, CODED = 4, 0.8
"""So many columns may share a code, and how sure each is then."""
LEAST_PIECE = 3
INFLECTED = 0.93
"""How sure a header is that the question has in another form of its words."""
SURE = 0.8
"""A first word that so many names share tells little."""
RARE = 0.3
"""How fast a word tells less with each name that has it."""


class Names:
    """The names of one table's columns and families, split into words once.

    Args:
        table: The table; only its schema is read.
        spelled: Columns that are to be read under another name.
        categories: Categories that indicator columns may be made into, to those columns.
    """

    def __init__(
        self,
        table: Table,
        spelled: Mapping[str, str] | None = None,
        categories: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        self.table = table
        self.spelled = spelled or {}
        self.categories = categories or {}
        self._found: dict[tuple[Question, bool], tuple[Mention, ...]] = {}

    @property
    def cards(self) -> tuple[Card, ...]:
        """The table's columns, those of a family as one."""
        return self._index.cards

    @cached_property
    def _index(self) -> CardIndex:
        return card_index(self.table.columns, about(self.table))

    @cached_property
    def parts(self) -> list[tuple[NameWord, ...]]:
        """The words of each card; what many names share or begin with weighs less."""
        return self._weighed(self.cards)

    @cached_property
    def category_cards(self) -> tuple[Card, ...]:
        """Categories, those that differ only in a number as one."""
        return make_cards(tuple(self.categories))

    def _read(self, cards: tuple[Card, ...]) -> list[tuple[NameWord, ...]]:
        names = [
            f"{c.family.stem} {c.family.tail}"
            if c.family
            else self.spelled.get(c.reference, c.reference)
            for c in cards
        ]
        return [name_parts(name) for name in names]

    @cached_property
    def _times(self) -> tuple[Counter[tuple[str, ...]], Counter[str]]:
        """How many cards begin with some words, and how many have a word; a category is one."""
        levels = {column for columns in self.categories.values() for column in columns}
        plain = tuple(card for card in self.cards if not levels.issuperset(card.columns))
        cards = (*plain, *self.category_cards)
        stems = [tuple(part.stem for part in parts) for parts in self._read(cards)]
        begun = Counter(s[:size] for s in stems for size in range(1, len(s)))
        return begun, Counter(stem for s in stems for stem in set(s))

    def _weighed(self, cards: tuple[Card, ...]) -> list[tuple[NameWord, ...]]:
        found = self._read(cards)
        stems = [tuple(part.stem for part in parts) for parts in found]
        begun, held = self._times
        return [
            tuple(
                part._replace(
                    weight=PREFIX_WEIGHT
                    if begun[s[: place + 1]] >= PREFIXED and place + 1 < _told_until(parts)
                    else part.weight / (1 + RARE * math.log(held[part.stem] or 1))
                )
                for place, part in enumerate(parts)
            )
            for s, parts in zip(stems, found, strict=True)
        ]

    @cached_property
    def _described(self) -> list[tuple[Card, tuple[NameWord, ...]]]:
        """Cards that the user described, with the words of each name that the description lists.

        What stands behind the first comma only tells columns apart whose descriptions begin alike,
        unless no other column is called so: then it is a name, too.
        """
        texts = {place: self._plain(card) for place, card in enumerate(self.cards) if card.about}
        pieces = {p: split_synonyms(text, lexicon().stopwords) for p, text in texts.items()}
        have: dict[str, set[int]] = defaultdict(set)
        for place, text in texts.items():
            for part in name_parts(text):
                have[part.stem].add(place)

        def names_one(piece: str) -> bool:
            own = [have[part.stem] for part in name_parts(piece)]
            return bool(own) and len(set[int].intersection(*own)) == 1

        named: list[tuple[Card, list[NameWord]]] = []
        for place, text in texts.items():
            before, own, after = split_description(text)
            whole = [
                part._replace(weight=part.weight * weight)
                for piece, weight in ((before, QUALIFIER), (own, 1.0), (after, QUALIFIER))
                for part in name_parts(piece)
                if weight == 1 or part.stem not in UNQUALIFIED
            ][:MOST_DESCRIBED]
            named.append((self.cards[place], whole))
            others = [one for one in pieces[place][1:] if names_one(one)]
            named += [(self.cards[place], [*name_parts(one)]) for one in others]
        named = [
            (card, [part for part in parts if part.weight > STOP_WEIGHT * QUALIFIER])
            for card, parts in named
        ]
        held = Counter(stem for _, parts in named for stem in {part.stem for part in parts})
        return [
            (card, tuple(p._replace(weight=p.weight / (1 + RARE * math.log(held[p.stem])))
                         for p in parts))
            for card, parts in named
            if parts
        ]  # fmt: skip

    def _plain(self, card: Card) -> str:
        """What is said of a card, without the measures that are defined in it."""
        text = card.about
        for one in reversed(self.table.measures):
            text = one.taken_from(text)
        return drop_beside(text)

    @cached_property
    def _category_parts(self) -> list[tuple[NameWord, ...]]:
        return self._weighed(self.category_cards)

    @cached_property
    def _holders(self) -> dict[str, list[tuple[int, int, str]]]:
        """Each stem to its cards, the word in each, and the long form it stands in, if any."""
        holders: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
        described = (parts for _, parts in self._described)
        every = [*self.parts, *described, *self._category_parts]
        for card, parts in enumerate(every):
            for place, part in enumerate(parts):
                holders[part.stem].append((card, place, ""))
                for long in part.long:
                    holders[long].append((card, place, long))
        return holders

    @cached_property
    def _domains(self) -> dict[str, frozenset[int]]:
        """The first words that many names share, to the cards of each."""
        places = {card.reference: place for place, card in enumerate(self.cards)}
        return {
            one.reference.rstrip("*_. "): frozenset(places[card.reference] for card in one.cards)
            for one in self._index.clusters
            if one.outer
        }

    def domain(self, word: str) -> frozenset[int]:
        """The cards of the domain that a word names, such as METADom or satellite (SatDom)."""
        for first, cards in self._domains.items():
            piece = (header_words(first) or ("",))[0]
            long = {stem(w) for _, text in spell_out([piece]) for w in text.split()}
            long -= {stem(w) for w in lexicon().stopwords}
            begun = len(piece) >= LEAST_PIECE and word.startswith(piece) and word.isalpha()
            if word == first.casefold() or begun or stem(word) in long:
                return cards
        return frozenset()

    def naming(self, word: Word) -> frozenset[int]:
        """The cards that have a word in their names, or in what an abbreviation there means."""
        found = {
            card
            for known, quality in self._alike((word,), 0)
            if quality >= SURE
            for card, _, _ in self._holders.get(known, ())
        }
        return frozenset(card for card in found if card < len(self.cards))

    def mentions(self, question: Question) -> tuple[Mention, ...]:
        """Find the columns that a question may name, best first; rules ask for them again."""
        key = (question, question.meanings is None)
        if key not in self._found:
            if len(self._found) == QUESTIONS_KEPT:
                self._found.pop(next(iter(self._found)))
            self._found[key] = self._find(question)
        return self._found[key]

    def _find(self, question: Question) -> tuple[Mention, ...]:
        hits: dict[int, list[WordHit]] = defaultdict(list)
        for place, word in enumerate(question.words):
            for known, quality in self._alike(question.words, place):
                for card, part, long in self._holders[known]:
                    if len(known) == 1 < len(word.text) and not self._in_family(card):
                        continue  # the d of d150 is a day, that of d_C is not
                    hits[card].append(WordHit(place, part, long, quality))
        spans = [slot for slot in question.heard.slots if slot.kind == "span"]
        years = [slot_places(question, slot) for slot in spans]
        for slot, places in zip(spans, years, strict=True):
            for card, part, long in self._holders.get(
                slot.school_code, ()
            ):  # the family is one of grades
                hits[card].append(WordHit(min(places), part, long, 1.0))
        found: list[Mention] = []
        entries = list(zip(range(len(self.cards)), self.cards, self.parts, strict=True))
        described = enumerate(self._described, start=len(self.cards))
        entries += [(place, card, parts) for place, (card, parts) in described if place in hits]
        after = len(self.cards) + len(self._described)
        for place, entry in enumerate(self.category_cards, start=after):
            entries.append((place, entry, self._category_parts[place - after]))
        for card, entry, parts in entries:
            if entry.family is not None:
                found += family_mentions(question, entry, parts, hits[card])
            elif card in hits:
                for cluster in clusters(hits[card], question):
                    found.append(measure(entry.reference, parts, cluster, question.words))
        coded = list(self._coded_mentions(question, found))
        exact = {m.column: m.places for m in coded}
        # What the letters and digits of a code mean by themselves does not count any more.
        found = [m for m in found if not any(m.places <= places for places in exact.values())]
        found += coded
        found += meant_mentions(question, self.cards, found)
        found = [one for m in found if m.score >= LEAST_SCORE for one in in_apposition(question, m)]
        found = [_less_inflected(question, m) for m in found]
        written = {m.places for m in found if m.score == 1.0 and not m.slot}
        found = [m for m in found if m.score != INFLECTED or m.places not in written]
        found = [_whole_years(m, years) for m in lower_parts(found)]
        if len(self.table.columns) > FEW_COLUMNS:
            found = [m for m in found if m.score >= WHOLE or not _hardly_said(question, m)]
        found.sort(key=lambda m: (-m.score, m.start))
        return tuple(found[:MOST_MENTIONS])

    def said_member(self, question: Question, column: str) -> Mention | None:
        """Where the question says at which occasion a column is meant, if it says that alone."""
        card = self._card_of.get(column)
        return member_mention(question, card, column) if card and card.family else None

    def place_in_family(self, column: str) -> float:
        """How late a column stands in its family, 0 to 1; 0 outside of one."""
        card = self._card_of.get(column)
        if card is None or card.family is None:
            return 0.0
        return card.family.columns.index(column) / len(card.family.columns)

    @cached_property
    def _card_of(self) -> dict[str, Card]:
        return {column: card for card in self.cards for column in card.columns}

    def _in_family(self, card: int) -> bool:
        return card < len(self.cards) and self.cards[card].family is not None

    def _coded_mentions(self, question: Question, found: Iterable[Mention]) -> Iterator[Mention]:
        """Columns that the question calls by a code within their names, such as ``X95735``.

        Of several with one code, those of whose names it has more words.
        """
        fuller: dict[str, Mention] = {}
        for mention in sorted(found, key=lambda m: m.score):
            fuller[mention.column] = mention
        for place, word in enumerate(question.words):
            if not codes_of(word.text):
                continue
            held = self._index.coded.get(word.text, ())
            columns = {column: self.cards[card].family for card, column in held}
            if len(columns) > MOST_CODED:
                continue
            more = [c for c in columns if c in fuller and {place} < fuller[c].places]
            for column in more or columns:
                score = 1.0 if len(more or columns) == 1 else CODED
                mention = Mention(column, place, place + 1, score, frozenset((place,)))
                if column in more:
                    mention = fuller[column]._replace(score=score)
                yield mention._replace(family=columns[column])

    def _alike(self, words: Sequence[Word], place: int) -> Iterator[tuple[str, float]]:
        """Header words a question's word may stand for, each with how sure that is."""
        word = words[place]
        yield from self._spellings.meet(words, place)
        if word.text in lexicon().axes and word.text[0] in self._holders:
            yield word.text[0], 0.9
        for meaning in lexicon().meanings.get(word.stem, ()):
            if meaning in self._holders and meaning != word.stem:
                yield meaning, MEANT
        for base in base_forms(word.text):
            meant = (stem(base), *lexicon().meanings.get(stem(base), ()))
            yield from ((own, MEANT) for own in meant if own in self._holders)
        if word.text not in lexicon().stopwords and word.text not in UNITS:
            yield from self._spellings.near(word)

    @cached_property
    def _spellings(self) -> Spellings:
        own = {part.stem: None for parts in self.parts for part in parts}
        told = {part.stem for _, parts in self._described for part in parts}
        return Spellings(self._holders, own, told, self._index.joined)


def base_forms(word: str) -> tuple[str, ...]:
    """What a superlative may be formed of: deadly and deadli of deadliest."""
    if not is_superlative(word):
        return ()
    root = word.removesuffix("est")
    forms = [f"{root[:-1]}y"] if root.endswith("i") else [root, f"{root}e"]
    if len(root) > LEAST_ROOT and root[-1] == root[-2]:
        forms.append(root[:-1])
    return tuple(forms)


def _less_inflected(question: Question, mention: Mention) -> Mention:
    """A mention, hardly less sure where the header has another form: engine beside engines."""
    if mention.score < 1.0 or mention.slot or mention.family is not None:
        return mention
    said = [question.words[p].text for p in sorted(mention.places)]
    same = said == [*header_words(mention.column)]
    return mention if same else mention._replace(score=INFLECTED)


def _whole_years(mention: Mention, years: Sequence[frozenset[int]]) -> Mention:
    """A mention with all words of a year that two calendar years write, where it has one."""
    for places in years:
        if places & mention.places:
            mention = mention._replace(places=mention.places | places)
    return mention


def _told_until(parts: tuple[NameWord, ...]) -> int:
    """One past the last word of a name that is no unit: of *Protein (g)* one past the first."""
    told = (place for place, part in enumerate(parts) if part.weight > UNIT_WEIGHT)
    return max(told, default=-1) + 1


def _hardly_said(question: Question, mention: Mention) -> bool:
    """Whether nothing but small words, and words for what is to be done, speak of a name."""
    own = mention.places - mention.slot
    asking = {p for cue in question.cue(*NO_NAMES, "by", "sum") for p in cue.places}
    small = lexicon().stopwords | lexicon().classes["generic"]
    if not own and mention.family and mention.family.axis == "category":
        return all(question.words[p].text.isdigit() for p in mention.slot)  # 5 is no name of one
    return bool(own) and all(p in asking or question.words[p].text in small for p in own)
