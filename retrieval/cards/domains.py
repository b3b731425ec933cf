"""Domains: whole clusters that a question means, such as all soil properties or METADom."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from wideleaf.retrieval.cards.clusters import Cluster
from wideleaf.retrieval.words.names import expand, header_words
from wideleaf.retrieval.words.query import Query
from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.word_classes import is_generic

if TYPE_CHECKING:
    from wideleaf.retrieval.vectors.search import Near

REACH = 3
"""The generic word stands at most so many words behind: "phenotypic and environmental data"."""
MIN_LETTERS = 3
MIN_NEAR = 0.6
"""Cosine from which on a phrase such as "weather data" means a cluster."""


class Domain(NamedTuple):
    """A cluster that is meant as a whole, and the words that say so."""

    cluster: Cluster
    places: frozenset[int]
    written: bool


def domains(
    query: Query,
    clusters: Iterable[Cluster],
    rest: Collection[int],
    names: Collection[str] = (),
) -> list[Domain]:
    """The clusters by prefix that a question means as a whole, the widest that fits each word.

    Args:
        query: The question.
        clusters: The clusters of a table.
        rest: Places of telling words that no column explains.
        names: Column names; a word that is one of them means no cluster.
    """
    best: dict[int, Domain] = {}
    for cluster in clusters:
        if cluster.kind != "prefix":
            continue
        for domain in (*_written(query, cluster, names), *_spoken(query, cluster, rest)):
            for place in domain.places:
                rival = best.get(place)
                if rival is None or _rank(domain) > _rank(rival):
                    best[place] = domain
    return list({id(one.cluster): one for one in best.values()}.values())


def domains_near(
    query: Query,
    spans: Sequence[tuple[int, int]],
    near: Sequence[Sequence[Near]],
    clusters: Iterable[Cluster],
) -> list[Domain]:
    """The clusters by prefix whose meaning a span has, with a generic word behind it.

    Args:
        query: The question.
        spans: Pairs of a first place and one past the last, longest first.
        near: For each span the nearest cluster.
        clusters: The clusters of a table.
    """
    by_reference = {cluster.reference: cluster for cluster in clusters if cluster.kind == "prefix"}
    matches: list[Domain] = []
    earlier: set[int] = set()
    for (first, last), hits in zip(spans, near, strict=True):
        behind = query.words[last : last + 1]
        generic = any(is_generic(w.text) and w.clause == query.words[first].clause for w in behind)
        places = frozenset(range(first, last))
        for hit in hits[:1] if generic and not places & earlier else ():
            if hit.score >= MIN_NEAR and hit.reference in by_reference:
                matches.append(Domain(by_reference[hit.reference], places, False))
                earlier |= places
    return matches


def _rank(one: Domain) -> tuple[bool, int]:
    return one.written, len(one.cluster.cards)


def _written(query: Query, cluster: Cluster, names: Collection[str]) -> Iterable[Domain]:
    prefix = cluster.reference.rstrip("*_. ")
    for token, first, last in query.tokens:
        if token in names:
            continue
        text = token.rstrip("*_. ")
        exact = text == prefix and text != text.lower() and first > 0
        if exact or (text.casefold() == prefix.casefold() and query.words[first].literal):
            yield Domain(cluster, frozenset(range(first, last)), True)


def _spoken(query: Query, cluster: Cluster, rest: Collection[int]) -> Iterable[Domain]:
    """By the last piece of its prefix: soil of ``METADom_Soil_``, with a generic word behind."""
    words = header_words(cluster.reference)
    outer = header_words(cluster.reference.rstrip("*_. ").rpartition("_")[0])
    own = [word for word in words if word not in outer] or list(words)
    stems = {stem(word) for word in (*own, *expand(own))}
    for place in rest:
        word = query.words[place]
        cut = [o for o in own if len(o) >= MIN_LETTERS and word.text.startswith(o)]
        behind = query.words[place + 1 : place + 1 + REACH]
        generic = any(is_generic(one.text) and one.clause == word.clause for one in behind)
        if generic and (word.stem in stems or cut):
            yield Domain(cluster, frozenset([place]), False)
