"""Links from a question's words to columns: names word by word, abbreviations and slots resolved."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from wideleaf.agents.lexicon import Question, Word, lexicon, split_words, stem
from wideleaf.retrieval import bm25
from wideleaf.retrieval.cards import Card, make_cards
from wideleaf.retrieval.names import spell_out
from wideleaf.retrieval.names import split_words as name_words
from wideleaf.retrieval.slots import MANY_MEMBERS, find_mentions, meant_members
from wideleaf.tools.families import Family, slot_text
from wideleaf.tools.table import Table

UNIT_WEIGHT, STOP_WEIGHT, LETTER_WEIGHT, OTHER_WEIGHT, PREFIX_WEIGHT = 0.25, 0.15, 0.35, 0.5, 0.1
LEAST_SCORE = 0.2
MEANT = 0.55
"""How sure a word of like meaning is, such as who for a driver."""
WHOLE = 0.9
MOST_MENTIONS = 60
GAP = 2
"""At most so many telling words stand between two words of a mention."""
PREFIXED = 4
"""A first word that so many names share tells little."""
TURNED = 0.85
"""How sure a name is whose words the question has in another order."""
RARE = 0.3
"""How fast a word tells less with each name that has it."""
SPELLED_OUT = 0.95
"""How sure an abbreviation is whose long form the question has, all of it."""

SIGNS = {"#": "number", "№": "number", "%": "percentage"}

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PARENTHESIS = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_LETTERS_DIGITS = re.compile(r"[a-z]+|\d+")


class Mention(NamedTuple):
    """A column, or several of a family, that some words of the question may name.

    Attributes:
        column: The column; of several the notation that stands for them.
        start: The first word's place.
        end: One past the last word's place.
        score: How much of the column's name the words cover, 0 to 1.
        places: Places of the words themselves; others may stand between them.
        slot: Places of the words that say which member of a family is meant.
        family: The family that the column is a member of, if it has one.
        several: Whether a part of the family is meant, or all of it, and not one column.
    """

    column: str
    start: int
    end: int
    score: float
    places: frozenset[int]
    slot: frozenset[int] = frozenset()
    family: Family | None = None
    several: bool = False


class Hit(NamedTuple):
    """A word of the question that meets a word of a name, or one an abbreviation stands for."""

    place: int
    part: int
    long: str
    quality: float


class Part(NamedTuple):
    """A word of a name, how much it says, and the words it abbreviates."""

    stem: str
    weight: float
    long: tuple[str, ...] = ()


class Slot(NamedTuple):
    """Members of a family that a question means, and the places of the words that say so."""

    columns: tuple[str, ...]
    places: frozenset[int]


class Names:
    """The names of one table's columns and families, split into words once.

    Args:
        table: The table; only its schema is read.
    """

    def __init__(self, table: Table) -> None:
        self.table = table

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The table's columns, those of a family as one."""
        return make_cards(self.table.columns)

    @cached_property
    def parts(self) -> list[tuple[Part, ...]]:
        """The words of each card; what many names share or begin with weighs less."""
        names = [f"{c.family.stem} {c.family.tail}" if c.family else c.reference for c in self.cards]
        found = [name_parts(name) for name in names]
        stems = [tuple(part.stem for part in parts) for parts in found]
        begun = Counter(s[:size] for s in stems for size in range(1, len(s)))
        held = Counter(stem for s in stems for stem in set(s))
        return [
            tuple(
                part._replace(
                    weight=PREFIX_WEIGHT
                    if begun[s[: place + 1]] >= PREFIXED
                    else part.weight / (1 + RARE * math.log(held[part.stem]))
                )
                for place, part in enumerate(parts)
            )
            for s, parts in zip(stems, found, strict=True)
        ]

    @cached_property
    def _holders(self) -> dict[str, list[tuple[int, int, str]]]:
        """Each stem to the card, its word, and the long form's word if it is not the word itself."""
        holders: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
        for card, parts in enumerate(self.parts):
            for place, part in enumerate(parts):
                holders[part.stem].append((card, place, ""))
                for long in part.long:
                    holders[long].append((card, place, long))
        return holders

    def mentions(self, question: Question) -> tuple[Mention, ...]:
        """Find the columns that a question may name, best first."""
        hits: dict[int, list[Hit]] = defaultdict(list)
        for place, word in enumerate(question.words):
            for known, quality in self._alike(word):
                for card, part, long in self._holders[known]:
                    hits[card].append(Hit(place, part, long, quality))
        found: list[Mention] = []
        for card, (entry, parts) in enumerate(zip(self.cards, self.parts, strict=True)):
            if entry.family is not None:
                found += _members(question, entry, parts, hits[card])
            elif card in hits:
                for cluster in _clusters(hits[card], question):
                    found.append(_measure(entry.reference, parts, cluster, question.words))
        found = _longest([m for m in found if m.score >= LEAST_SCORE])
        found.sort(key=lambda m: (-m.score, m.start))
        return tuple(found[:MOST_MENTIONS])

    def _alike(self, word: Word) -> Iterable[tuple[str, float]]:
        """Header words a question's word may stand for, each with how sure that is."""
        if word.stem in self._holders:
            yield word.stem, 1.0
        elif word.text in self._holders:
            yield word.text, 1.0
        pieces = _LETTERS_DIGITS.findall(word.text)
        if len(pieces) == 2 and "".join(pieces) == word.text and pieces[1].isdigit():
            known = [stem(piece) for piece in pieces]
            if known[0] in self._holders:
                yield from ((piece, 1.0) for piece in known if piece in self._holders)
        if word.text in lexicon().axes and word.text[0] in self._holders:
            yield word.text[0], 0.9
        for meaning in lexicon().meanings.get(word.stem, ()):
            if meaning in self._holders and meaning != word.stem:
                yield meaning, MEANT
        if word.text in lexicon().stopwords or len(word.stem) < 3 or word.stem.isdigit():
            return
        yield from self._near(word.stem)

    def _near(self, word: str) -> Iterable[tuple[str, float]]:
        """Abbreviations (``env`` for environment) and small slips of spelling."""
        from rapidfuzz import fuzz

        if len(word) < 4:
            return
        ends = self._by_letter.get(word[-1:] + "$", ())
        for known in (*self._by_letter.get(word[0], ()), *ends):
            if known == word:
                continue
            short, long = sorted((known, word), key=len)
            if (len(short) >= 4 or known == short) and long.startswith(short):
                yield known, 0.8 if len(short) >= 4 else 0.7
            elif len(known) >= len(word) + 3 and known.endswith(word):
                yield known, 0.6
            elif len(short) >= 5 and fuzz.ratio(known, word) >= 84:
                yield known, 0.75

    @cached_property
    def _by_letter(self) -> dict[str, list[str]]:
        grouped: dict[str, list[str]] = defaultdict(list)
        for known in dict.fromkeys(part.stem for parts in self.parts for part in parts):
            if len(known) >= 3 and known.isalpha():
                grouped[known[0]].append(known)
                if len(known) >= 7:
                    grouped[known[-1] + "$"].append(known)
        return grouped


@lru_cache(maxsize=65536)
def name_parts(name: str) -> tuple[Part, ...]:
    """Split a name into its words, units and small words weighing less."""
    texts, parts = [], []
    aside = [(m.start(), m.end()) for m in _PARENTHESIS.finditer(name)]
    for place, word in enumerate(split_words(_CAMEL.sub("_", name))):
        # The camel's hump adds one character a cut, which moves nothing that matters here.
        other = "/" in name[: word.start] and place > 0
        inside = any(start <= word.start < end for start, end in aside)
        pieces = _LETTERS_DIGITS.findall(word.text)
        weight = OTHER_WEIGHT if other else 1.0
        if word.text in lexicon().stopwords:
            weight = STOP_WEIGHT
        elif (inside or word.text in lexicon().units) and place:
            weight = UNIT_WEIGHT
        elif len(pieces) == 2 and pieces[1].isdigit() and len(pieces[0]) == 1 < len(pieces[1]):
            # A code such as d150 is a letter with a number.
            texts += pieces
            parts += [Part(pieces[0], LETTER_WEIGHT), Part(stem(pieces[1]), 1.0)]
            continue
        texts.append(word.text)
        parts.append(Part(word.stem, weight))
    for short, long in spell_out(texts):
        first, *rest = short.split()
        place = texts.index(first)
        meant = [w for w in long.split() if w not in lexicon().stopwords]
        parts[place] = parts[place]._replace(long=tuple(dict.fromkeys(map(stem, meant))))
        if rest:
            parts[place] = parts[place]._replace(weight=parts[place].weight + parts[place + 1].weight)
            del texts[place + 1], parts[place + 1]
    parts += [Part(stem(said), UNIT_WEIGHT) for sign, said in SIGNS.items() if sign in name]
    return tuple(parts)


def _members(
    question: Question, card: Card, parts: tuple[Part, ...], hits: list[Hit]
) -> Iterator[Mention]:
    """Mentions of a family: of the members the question means, else of each and of all."""
    family = card.family
    if family is None or (parts and not hits):
        return
    slots = _slots(question, card, family, hits)
    for cluster in list(_clusters(hits, question)) or [[]] if parts or slots else []:
        for columns, places in slots:
            told = {hit.part for hit in cluster}
            if told and len(told) < len(parts) and all(hit.place in places for hit in cluster):
                continue  # nothing but a word for the axis, such as day
            mention = _measure(columns[0], parts, cluster, question.words, places)
            mention = mention._replace(family=family)
            if len(columns) == 1:
                yield mention
            elif family.axis != "category":
                yield _several(mention, family, columns)
        if not slots:
            mention = _measure("", (*parts, Part("", 1.0)), cluster, question.words)
            mention = mention._replace(family=family)
            if family.axis != "category" and not _placed(question):
                yield _several(mention, family, family.columns)
            if len(family.members) <= MANY_MEMBERS:
                for column in family.columns:
                    yield mention._replace(column=column)


def _placed(question: Question) -> bool:
    """Whether the question speaks of a place along some axis, such as a day."""
    axes = {bm25.stem(axis) for axis in lexicon().axes}
    return any(mention.unit in axes for mention in find_mentions(question.text))


def _several(mention: Mention, family: Family, columns: Sequence[str]) -> Mention:
    values = {column: value for value, column in family.members}
    first, last = slot_text(values[columns[0]]), slot_text(values[columns[-1]])
    reference = f"{family.stem}{{{first}..{last}}}{family.tail}"
    if len(columns) == len(family.members):
        reference = family.pattern
    return mention._replace(column=reference, several=True)


def _slots(question: Question, card: Card, family: Family, hits: list[Hit]) -> list[Slot]:
    """The members of a family that a question means, by its slots or by a number said outright."""
    stems = {bm25.stem(word) for word in (*card.words, *card.expanded)}
    asked = [bm25.stem(word) for word in name_words(question.text)]
    meant = meant_members(family, stems, question.text, asked)
    if family.axis == "category":
        values = {column: name_words(str(value)) for value, column in family.members}
        return [Slot((c,), _said(question, set(map(bm25.stem, values[c])))) for c in meant]
    found = []
    claimed: frozenset[int] = frozenset()
    if meant and len(meant) < len(family.members):
        claimed = _slot_places(question, family, meant)
        found.append(Slot(meant, claimed))
    if family.axis == "number":
        near = {hit.place for hit in hits}
        members = {value: column for value, column in family.members}
        for place, value in _numbers(question):
            beside = place in near or place - 1 in near or not card.words
            if value in members and place not in claimed and members[value] not in meant and beside:
                found.append(Slot((members[value],), frozenset([place])))
    return found


def _numbers(question: Question) -> Iterator[tuple[int, float]]:
    """The numbers that may be a member's own, in a code such as d150 as well."""
    for number in question.numbers:
        if not number.ordinal:
            yield number.place, number.value
    for place, word in enumerate(question.words):
        pieces = _LETTERS_DIGITS.findall(word.text)
        if len(pieces) > 1 and pieces[-1].isdigit():
            yield place, float(pieces[-1])


def _said(question: Question, stems: set[str]) -> frozenset[int]:
    return frozenset(
        p for p, word in enumerate(question.words)
        if stems.intersection(map(bm25.stem, name_words(word.text)))
    )


def _slot_places(question: Question, family: Family, meant: Sequence[str]) -> frozenset[int]:
    """Places of the numbers that mean these members, and of the slot words beside them."""
    values = [value for value, column in family.members if column in meant]
    ends: set[float] = set()
    for mention in find_mentions(question.text):
        if all(isinstance(v, float) and mention.low <= v <= mention.high for v in values):
            ends |= {abs(mention.low), abs(mention.high)}
    if family.axis == "date":
        ends = {float(digits) for value in values for digits in re.findall(r"\d+", str(value))}
    places = {n.place for n in question.numbers if abs(n.value) in ends}
    words = [word.text for word in question.words]
    places = places or {p for p, word in enumerate(words) if word in lexicon().axes}
    for step in (1, -1):
        for place in sorted(places)[::step]:
            while 0 <= place + step < len(words) and words[place + step] in lexicon().slots:
                place += step
                places.add(place)
    telling = [place for place in places if words[place] not in lexicon().stopwords]
    return frozenset(p for p in places if min(telling) <= p <= max(telling))


def _clusters(hits: list[Hit], question: Question) -> Iterator[list[Hit]]:
    """Gather one name's hits into mentions, each around the word that comes most seldom."""
    left = sorted(hits)
    while left:
        times = Counter((hit.part, hit.long) for hit in left)
        anchor = min(left, key=lambda hit: (times[hit.part, hit.long], -hit.quality, hit.place))
        cluster = {(anchor.part, anchor.long): anchor}
        for hit in sorted(left, key=lambda hit: (abs(hit.place - anchor.place), -hit.place)):
            places = [one.place for one in cluster.values()]
            first, last = min(places), max(places)
            apart = question.content(last + 1, hit.place) + question.content(hit.place + 1, first)
            if (hit.part, hit.long) not in cluster and apart <= GAP:
                cluster[hit.part, hit.long] = hit
        yield list(cluster.values())
        first = min(hit.place for hit in cluster.values())
        last = max(hit.place for hit in cluster.values())
        left = [hit for hit in left if not first <= hit.place <= last]


def _measure(
    column: str,
    parts: tuple[Part, ...],
    cluster: list[Hit],
    words: tuple[Word, ...],
    slot: frozenset[int] = frozenset(),
) -> Mention:
    """How well a cluster of hits covers a name, its slot counting as one more word."""
    total, covered = float(bool(slot)), float(bool(slot))
    for place, part in enumerate(parts):
        own = [hit.quality for hit in cluster if hit.part == place and not hit.long]
        long = {hit.long: hit.quality for hit in cluster if hit.part == place and hit.long}
        spelled = 0.0
        if long:
            share = min(1.0, (len(long) + 0.4) / min(len(part.long), 3))
            spelled = SPELLED_OUT * share * sum(long.values()) / len(long)
        total += part.weight
        covered += part.weight * max([*own, spelled])
    if parts and not slot and all(part.weight <= STOP_WEIGHT for part in parts):
        covered *= 0.5
    places = sorted({hit.place for hit in cluster})
    places = [p for p in places if words[p].text not in lexicon().stopwords] or places
    spread = places[-1] - places[0] + 1 - len(places) if places else 0
    score = (covered / total) * (1 - 0.05 * min(spread, 4)) if total else 0.0
    order = [hit.part for hit in sorted(cluster)]
    score *= 1.0 if order == sorted(order) else TURNED
    # The slot may stand anywhere; a mention is where its other words are.
    places = places or sorted(slot)
    return Mention(column, places[0], places[-1] + 1, score, frozenset(places) | slot, slot)


def _longest(found: list[Mention]) -> list[Mention]:
    """Lower the mentions whose words are but a part of a better covered name."""
    strong = [m for m in found if m.score >= WHOLE]
    return [
        m._replace(score=m.score * 0.6) if any(m.places < s.places for s in strong) else m
        for m in found
    ]
