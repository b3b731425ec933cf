"""Links from a question's words to columns: names word by word, abbreviations written out."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from wideleaf.agents.planner.links.lexicon import Question, Word, is_superlative, lexicon
from wideleaf.agents.planner.links.meant import MEANT, meant_mentions
from wideleaf.agents.planner.links.members import family_mentions, member_mention, slot_places
from wideleaf.agents.planner.links.mentions import (
    NO_NAMES,
    WHOLE,
    Mention,
    WordHit,
    clusters,
    in_apposition,
    lower_parts,
    measure,
)
from wideleaf.agents.planner.links.named_cards import NamedCards
from wideleaf.retrieval.selection import FEW_COLUMNS
from wideleaf.retrieval.words.names import codes_of, header_words
from wideleaf.retrieval.words.slots import Slot
from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.units import UNITS
from wideleaf.tools.tables.table import Table

MIN_SCORE = 0.2
MAX_MENTIONS = 60
MIN_ROOT = 3
QUESTIONS_KEPT = 8
MAX_CODED, CODED = 4, 0.8
"""So many columns may share a code, and how sure each is then."""
_UNDERSCORED = re.compile(r"[^\W_]+(?:_[^\W_]+)+")
INFLECTED = 0.93
"""How sure a header is that the question has in another form of its words."""
SURE = 0.8
"""A first word that so many names share tells little."""


class Names(NamedCards):
    """Finds the columns that a question may name.

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
        super().__init__(table, spelled, categories)
        self._found: dict[tuple[Question, bool], tuple[Mention, ...]] = {}

    def naming(self, word: Word) -> frozenset[int]:
        """The cards that have a word in their names, or in what an abbreviation there means."""
        cards = {
            card
            for spelling, quality in self._alike((word,), 0)
            if quality >= SURE
            for card, _, _ in self._holders.get(spelling, ())
        }
        return frozenset(card for card in cards if card < len(self.cards))

    def mentions(self, question: Question) -> tuple[Mention, ...]:
        """Find the columns that a question may name, best first; rules ask for them again."""
        key = (question, question.meanings is None)
        if key not in self._found:
            if len(self._found) == QUESTIONS_KEPT:
                self._found.pop(next(iter(self._found)))
            self._found[key] = self._find(question)
        return self._found[key]

    def _find(self, question: Question) -> tuple[Mention, ...]:
        spans = [slot for slot in question.heard.slots if slot.kind == "span"]
        years = [slot_places(question, slot) for slot in spans]
        hits = self._find_hits(question, zip(spans, years, strict=True))
        names = self._drop_parts(question, [*self._measure_names(question, hits)])
        names += meant_mentions(question, self.cards, names)
        names = [one for m in names if m.score >= MIN_SCORE for one in in_apposition(question, m)]
        names = [_less_inflected(question, m) for m in names]
        exact = {m.places for m in names if m.score == 1.0 and not m.slot}
        names = [m for m in names if m.score != INFLECTED or m.places not in exact]
        names = [_whole_years(m, years) for m in lower_parts(names)]
        if len(self.table.columns) > FEW_COLUMNS:
            names = [m for m in names if m.score >= WHOLE or not _hardly_said(question, m)]
        names.sort(key=lambda m: (-m.score, m.start))
        return tuple(names[:MAX_MENTIONS])

    def _find_hits(
        self, question: Question, years: Iterable[tuple[Slot, frozenset[int]]]
    ) -> dict[int, list[WordHit]]:
        """The words of a question that meet a word of a name, by card; school years do, too."""
        hits: dict[int, list[WordHit]] = defaultdict(list)
        for place, word in enumerate(question.words):
            for spelling, quality in self._alike(question.words, place):
                for card, part, long in self._holders[spelling]:
                    if len(spelling) == 1 < len(word.text) and not self._in_family(card):
                        continue  # the d of d150 is a day, that of d_C is not
                    hits[card].append(WordHit(place, part, long, quality))
        for slot, places in years:  # the family is one of grades
            for card, part, long in self._holders.get(slot.school_code, ()):
                hits[card].append(WordHit(min(places), part, long, 1.0))
        return hits

    def _measure_names(
        self, question: Question, hits: Mapping[int, list[WordHit]]
    ) -> Iterator[Mention]:
        """Mentions of the names that words of the question cover."""
        described = range(len(self.cards), len(self.cards) + len(self._described))
        for card, (entry, parts) in enumerate(self._entries):
            if entry.family is not None and (card in hits or card not in described):
                yield from family_mentions(question, entry, parts, hits.get(card, []))
            elif entry.family is None and card in hits:
                for cluster in clusters(hits[card], question):
                    yield measure(entry.reference, parts, cluster, question.words)

    def _drop_parts(self, question: Question, names: list[Mention]) -> list[Mention]:
        """Mentions with those by a code, without what its parts or those of a header mean."""
        coded = list(self._coded_mentions(question, names))
        exact = {m.column: m.places for m in coded}
        # What the letters and digits of a code mean by themselves does not count any more.
        names = [m for m in names if not any(m.places <= places for places in exact.values())]
        names += coded
        for places, cards in self._written(question):
            names = [m for m in names if not m.places & places or self._is_of(m, cards)]
        return names

    def said_member(self, question: Question, column: str) -> Mention | None:
        """Where the question says at which occasion a column is meant, if it says that alone."""
        card = self._card_of.get(column)
        return member_mention(question, card, column) if card and card.family else None

    def _written(self, question: Question) -> Iterator[tuple[frozenset[int], frozenset[int]]]:
        """Words that are written as headers with underscores are, with the cards they are of."""
        for match in _UNDERSCORED.finditer(question.text):
            folded = match.group().casefold()
            cards = {card for card, _ in self._index.folded.get(folded, ())}
            cards = cards or self._index.beginning(folded)
            places = (p for p, word in enumerate(question.words)
                      if match.start() <= word.start and word.end <= match.end())  # fmt: skip
            if cards:
                yield frozenset(places), frozenset(cards)

    def _is_of(self, mention: Mention, cards: frozenset[int]) -> bool:
        return any(
            mention.column in self.cards[card].columns
            or (mention.family is not None and mention.family is self.cards[card].family)
            for card in cards
        )

    def _coded_mentions(self, question: Question, names: Iterable[Mention]) -> Iterator[Mention]:
        """Columns that the question calls by a code within their names, such as ``X95735``.

        Of several with one code, those of whose names it has more words.
        """
        fuller: dict[str, Mention] = {}
        for mention in sorted(names, key=lambda m: m.score):
            fuller[mention.column] = mention
        for place, word in enumerate(question.words):
            if not codes_of(word.text):
                continue
            entries = self._index.coded.get(word.text, ())
            columns = {column: self.cards[card].family for card, column in entries}
            if len(columns) > MAX_CODED:
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
        if word.stem not in self._holders:
            yield from self._spellings.written_out(word)
        if word.text in lexicon().axes and word.text[0] in self._holders:
            yield word.text[0], 0.9
        for meaning in lexicon().meanings.get(word.stem, ()):
            if meaning in self._holders and meaning != word.stem:
                yield meaning, MEANT
        for base in base_forms(word.text):
            meanings = (stem(base), *lexicon().meanings.get(stem(base), ()))
            yield from ((own, MEANT) for own in meanings if own in self._holders)
        if word.text not in lexicon().stopwords and word.text not in UNITS:
            yield from self._spellings.near(word)


def base_forms(word: str) -> tuple[str, ...]:
    """What a superlative may be formed of: deadly and deadli of deadliest."""
    if not is_superlative(word):
        return ()
    root = word.removesuffix("est")
    forms = [f"{root[:-1]}y"] if root.endswith("i") else [root, f"{root}e"]
    if len(root) > MIN_ROOT and root[-1] == root[-2]:
        forms.append(root[:-1])
    return tuple(forms)


def _less_inflected(question: Question, mention: Mention) -> Mention:
    """A mention, hardly less sure where the header has another form: engine beside engines."""
    if mention.score < 1.0 or mention.slot or mention.family is not None:
        return mention
    texts = [question.words[p].text for p in sorted(mention.places)]
    same = texts == [*header_words(mention.column)]
    return mention if same else mention._replace(score=INFLECTED)


def _whole_years(mention: Mention, years: Sequence[frozenset[int]]) -> Mention:
    """A mention with all words of a year that two calendar years write, where it has one."""
    for places in years:
        if places & mention.places:
            mention = mention._replace(places=mention.places | places)
    return mention


def _hardly_said(question: Question, mention: Mention) -> bool:
    """Whether nothing but small words, and words for what is to be done, speak of a name."""
    own = mention.places - mention.slot
    asking = {p for cue in question.cue(*NO_NAMES, "by") for p in cue.places}
    small = lexicon().stopwords | lexicon().classes["generic"]
    if not own and mention.family and mention.family.axis == "category":
        return all(question.words[p].text.isdigit() for p in mention.slot)  # 5 is no name of one
    return bool(own) and all(p in asking or question.words[p].text in small for p in own)
