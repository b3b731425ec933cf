"""Evidence beyond names: by the cells of columns, by descriptions, and by nearness in meaning."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from wideleaf.retrieval.cards.card_index import CardIndex
from wideleaf.retrieval.evidence.by_name import LEVEL_COVERED, Evidence
from wideleaf.retrieval.index.profile_store import load_profiles
from wideleaf.retrieval.words.names import tokenise
from wideleaf.retrieval.words.query import Query
from wideleaf.retrieval.words.values import find_values
from wideleaf.tools.latest import Latest
from wideleaf.tools.tables.profiling.column_profile import ColumnProfile
from wideleaf.tools.tables.profiling.profiling import profile_columns
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    from wideleaf.retrieval.vectors.search import Near


FAR, SAME = 0.35, 0.85
"""Cosine at which a text means nothing for a card, and at which it says the same."""
MEANT = 0.9
"""How surely a text that says the same means a card; a name that has the words means it more."""
NEIGHBOURS = 12


def by_meaning(
    query: Query,
    spans: Sequence[tuple[int, int]],
    near: Sequence[Sequence[Near]],
    places: Mapping[str, int],
    rest: Collection[int],
) -> dict[int, Evidence]:
    """What spans of a question say of the cards whose texts are near to them.

    Args:
        query: The question.
        spans: Pairs of a first place and one past the last.
        near: For each span its nearest cards, best first.
        places: Reference of a card to its place.
        rest: Places of the words that no name explains.
    """
    evidence: dict[int, Evidence] = {}
    for (first, last), hits in zip(spans, near, strict=True):
        for hit in hits:
            card = places.get(hit.reference)
            sure = MEANT * min(max((hit.score - FAR) / (SAME - FAR), 0.0), 1.0)
            if card is None or not sure:
                continue
            words = {
                place: sure
                for place in range(first, last)
                if place in rest and query.words[place].weight
            }
            entry = evidence.get(card)
            if entry is None or sum(words.values()) > sum(entry.words.values()):
                evidence[card] = Evidence(card, words, sure, how="meaning")
    return evidence


def merge_evidence(
    name: Mapping[int, Evidence], *others: Mapping[int, Evidence]
) -> dict[int, Evidence]:
    """Evidence of several ways as one: of each word the surest."""
    merged = dict(name)
    for other in others:
        for card, more in other.items():
            entry = merged.get(card)
            if entry is None:
                merged[card] = more
                continue
            words = dict(entry.words)
            for place, sure in more.words.items():
                words[place] = max(sure, words.get(place, 0.0))
            better = more if more.covered > entry.covered else entry
            merged[card] = better._replace(
                words=words,
                bonus=max(entry.bonus, more.bonus),
                columns=entry.columns or more.columns,
                named=entry.named | more.named,
            )
    return merged


SAID = 1.0
"""How surely a column is meant that has what the question says as a cell."""
MAX_READ = 200
"""So many columns of words are read where the table has no kept profile."""


TABLES_KEPT = 8
_read_lately: Latest[dict[str, ColumnProfile]] = Latest(TABLES_KEPT)
"""By content and columns, so that the next question of a process reads no cells anew."""


class CellProfiles:
    """The profiles of tables' columns of words, kept ones or read when first asked for.

    Args:
        folder: Where the index is kept.
        fingerprints: Content fingerprint of each table by name.
    """

    def __init__(self, folder: Path, fingerprints: Mapping[str, str]) -> None:
        self._folder, self._fingerprints = folder, fingerprints
        self._read: dict[tuple[str, tuple[str, ...]], dict[str, ColumnProfile]] = {}

    def profiles(self, name: str, table: Table) -> Mapping[str, ColumnProfile]:
        """By column, the profiles of what is not a number, and of numbers of few values."""
        key = (self._fingerprints.get(name, name), table.columns)
        if key not in self._read:
            profiles = load_profiles(self._folder, self._fingerprints.get(name, ""))
            if profiles is None:
                words = [c for c in table.columns if table.kind(c) in ("text", "boolean")]
                # Elsewhere than on Polars a query may have to wait for its turn, or cost money.
                here = table.frame.implementation.is_polars()
                cacheable = here and bool(self._fingerprints.get(name))  # else by its name alone
                profiles = _read_lately.get(key) if cacheable else None
                if profiles is None:
                    profiles = profile_columns(table, words[:MAX_READ]) if words and here else {}
                    profiles = _read_lately.keep(key, profiles) if cacheable else profiles
            there = {c: profiles[c] for c in table.columns if c in profiles and profiles[c].values}
            self._read[key] = there
        return self._read[key]


def by_cells(
    query: Query, profiles: Mapping[str, ColumnProfile], places: Mapping[str, int]
) -> dict[int, Evidence]:
    """What the question says that is a value of a column.

    Args:
        query: The question.
        profiles: Profiles by column.
        places: Column to the place of its card.
    """
    evidence: dict[int, Evidence] = {}
    for column, values in find_values(query.text, profiles).items():
        card = places.get(column)
        if card is None:
            continue
        words = {
            place: SAID
            for value in values
            for start, end in _where(query, value)
            for place in range(start, end)
        }
        if words:
            entry = evidence.get(card)
            columns = (*(entry.columns if entry else ()), column)
            spoken = frozenset(words)
            evidence[card] = Evidence(
                card, words, LEVEL_COVERED, 0.0, "cells", columns if entry else (column,), spoken
            )
    return evidence


def _where(query: Query, value: str) -> Iterable[tuple[int, int]]:
    parts = [part.lower() for part in tokenise(value)] or [value.casefold()]
    texts: Sequence[str] = [word.text for word in query.words]
    for start in range(len(texts) - len(parts) + 1):
        if texts[start : start + len(parts)] == parts:
            yield start, start + len(parts)


MEANING = 2.0
"""What a cosine counts beside the share of the best score by words."""
CANDIDATES, TAKEN = 200, 8
SURE = 0.9
OWN = 0.5
"""Where names and cells explain so much of a question, descriptions need not be searched."""


def name_coverage(query: Query, cards: CardIndex, evidence: Collection[Evidence]) -> float:
    """Share of what the question tells that names, codes and cells explain, without descriptions.

    Args:
        query: The question.
        cards: The cards.
        evidence: What speaks for each card.
    """
    weights = {place: cards.weigh(query.words[place]) for place in query.telling}
    own = {
        place
        for one in evidence
        if one.how in ("written", "cells", "level") or not cards.cards[one.card].about
        for place in one.named & query.telling
        if one.covered >= OWN
    }
    whole = sum(weights.values())
    return sum(weights[place] for place in own) / whole if whole else 1.0


def core(query: Query, rest: Collection[int]) -> str:
    """The telling words of a question, in order, as a text to compare with descriptions."""
    return " ".join(w.text for place, w in enumerate(query.words) if place in rest)


def by_description(
    query: Query,
    cards: CardIndex,
    rest: Collection[int],
    near: Sequence[Near],
    places: Mapping[str, int],
) -> dict[int, Evidence]:
    """The described cards that a question is about, by words (BM25) and meaning fused.

    Measured on 200 paraphrases of descriptions of 7,129 probes, the right one came first for 56 %
    by words, 60 % by meaning, 63 % by both (`benchmarks/column_retrieval.py`, set d).

    Args:
        query: The question.
        cards: The cards.
        rest: Places of the words that are compared.
        near: The nearest cards by meaning, best first; empty where none was asked for.
        places: Reference of a card to its place.
    """
    words: defaultdict[int, float] = defaultdict(float)
    for word in {query.words[place].stem for place in rest}:
        for card, gain in cards.bm25.gains(word):
            words[card] += gain
    most = max(words.values(), default=1.0) or 1.0
    cosines = {places[hit.reference]: hit.score for hit in near if hit.reference in places}
    least = min(cosines.values(), default=0.0)
    fused = {
        card: words.get(card, 0.0) / most + MEANING * cosines.get(card, least)
        for card in {*words, *cosines}
    }
    best = sorted(fused, key=lambda card: (-fused[card], card))[:TAKEN]
    evidence = {}
    for card in best:
        sure = SURE * fused[card] / fused[best[0]]
        spoken = dict.fromkeys(rest, sure)
        evidence[card] = Evidence(card, spoken, sure, how="description")
    return evidence
