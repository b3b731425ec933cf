"""Topics: the nodes of a graph that a question names, with the relations around each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from wideleaf.agents.planner.paths.reading import Reading, Span
from wideleaf.agents.planner.recent import Recent
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.knowledge.fact_index import FactIndex, fold_name, index_facts

LONGEST_NAME = 14
MAX_TOPICS = 8
MAX_ALIKE = 4
"""Nodes of one folded name that are told apart."""
MIN_SHARE = 0.45
SMALL = 2000
"""In a graph of no more nodes a name may be said by less."""
SMALL_SHARE = 0.3
INITIALS = 0.6
COMMON_NOUN = 0.5
COMMON = 400
"""A word in more names than this finds no name by itself."""
MIN_LETTERS = 3
MIN_ROOT = 5
MIN_SPELLING = 88.0


class Topic(NamedTuple):
    """A node that some words may name.

    Attributes:
        node: The node.
        name: Its name.
        span: The words.
        score: How much of the name they say, 0 to 1.
        exact: Whether they are the whole name.
        cased: Whether they are written as the name is.
        telling: How many of the words tell something by themselves.
    """

    node: int
    name: str
    span: Span
    score: float
    exact: bool
    cased: bool
    telling: float


def find_topics(reading: Reading, index: FactIndex) -> list[Topic]:
    """The nodes that the words may name, likeliest first."""
    exact = _exact(reading, index)
    topics = [*exact, *_partial(reading, index, exact), *_initials(reading, index)]
    topics.sort(key=lambda one: -_strength(one))
    distinct: list[Topic] = []
    for one in topics:
        if not any(one.node == other.node for other in distinct):
            distinct.append(one)
    return distinct[:MAX_TOPICS] or _centre(reading, index)


def _initials(reading: Reading, index: FactIndex) -> Iterator[Topic]:
    """Nodes whose names begin with the letters of a short word, as a group of initials does."""
    for place, token in enumerate(reading.tokens):
        nodes = index.by_initials.get(token.text, ()) if token.weight == 1 else ()
        if 0 < len(nodes) <= MAX_ALIKE:
            for node in nodes:
                span = Span(place, place + 1)
                yield _topic(reading, index, node, span, INITIALS, exact=False, telling=1)


def _centre(reading: Reading, index: FactIndex) -> list[Topic]:
    """The node in the middle of a small graph, which a question that names none may be about."""
    proper = any(token.capital for token in reading.tokens[1:])
    if proper or not 0 < len(index.names) <= SMALL:
        return []
    counts = np.bincount(np.concatenate([index.heads, index.tails]))
    node = int(counts.argmax())
    return [_topic(reading, index, node, Span(0, 0), 0.0, exact=False, telling=0)]


def _strength(one: Topic) -> float:
    size = one.span.end - one.span.start
    return (one.score**2) * (0.3 * size + one.telling) + 0.3 * one.exact + 0.2 * one.cased


def _exact(reading: Reading, index: FactIndex) -> list[Topic]:
    texts = [token.text for token in reading.tokens]
    topics: list[Topic] = []
    for size in range(min(LONGEST_NAME, len(texts)), 0, -1):
        for start in range(len(texts) - size + 1):
            span = Span(start, start + size)
            inside = [t for t in topics if t.span.start <= start and span.end <= t.span.end]
            telling = sum(reading.tokens[p].weight == 1 for p in span.places)
            if not telling and (size == 1 or inside):
                continue
            nodes = index.by_name.get(" ".join(texts[start : start + size]), ())
            for node in nodes[:MAX_ALIKE]:
                topics.append(_topic(reading, index, node, span, 1.0, exact=True, telling=telling))
    return topics


def _partial(reading: Reading, index: FactIndex, exact: list[Topic]) -> Iterator[Topic]:
    """Nodes of whose names some words are said, in whatever order, beginnings of words included."""
    tokens = reading.tokens
    size = len(index.names)
    least = SMALL_SHARE if size <= SMALL else MIN_SHARE
    has_capitals = any(token.capital for token in tokens[1:])
    nodes = {one.node for one in exact}
    for node, matches in _match_words(reading, index, exact).items():
        if node in nodes:
            continue
        words = fold_name(index.names[node]).split()
        matches = _add_near(matches, words, reading)
        rare = {word: math.log(1 + size / len(index.by_word[word])) for word in words}
        share = sum(rare[word] for word in matches) / sum(rare.values())
        places = {*matches.values()}
        span = Span(min(places), max(places) + 1)
        gap = span.end - span.start - len(places)
        if has_capitals and not any(tokens[p].capital for p in places):
            share *= COMMON_NOUN  # where names are written with capitals, this is none
        if share >= least and gap <= 2:
            telling = sum(tokens[p].weight == 1 for p in places)
            score = share * 0.9**gap
            yield _topic(reading, index, node, span, score, exact=False, telling=telling)


def _match_words(
    reading: Reading, index: FactIndex, exact: list[Topic]
) -> dict[int, dict[str, int]]:
    """By node the words of its name that are said outside of whole names, each with its place."""
    sure = [one for one in exact if one.span.end - one.span.start > 1 or _is_proper(reading, one)]
    cover = {place for one in sure for place in one.span.places}
    hits: dict[int, dict[str, int]] = {}
    for place, token in enumerate(reading.tokens):
        if place in cover or token.weight < 1 or len(token.text) < MIN_LETTERS:
            continue
        for word in _forms(token.text, index):
            nodes = index.by_word[word]
            if len(nodes) <= COMMON:
                for node in nodes:
                    hits.setdefault(node, {}).setdefault(word, place)
    return hits


def _add_near(matches: Mapping[str, int], words: Sequence[str], reading: Reading) -> dict[str, int]:
    """Words of a name with their places, those included that are said in part beside the others."""
    places = dict(matches)
    for place, token in enumerate(reading.tokens):
        near = any(abs(place - other) <= 2 for other in places.values())
        for word in words if near else ():
            if word not in places and _same(word, token.text):
                places[word] = place
    return places


def _is_proper(reading: Reading, topic: Topic) -> bool:
    """Whether a name is written with a capital, as it stands in the graph."""
    return topic.cased and topic.span.start > 0 and reading.tokens[topic.span.start].capital


def _forms(text: str, index: FactIndex) -> list[str]:
    """The word itself where names hold it, else words of names that are spelled nearly so."""
    if text in index.by_word:
        return [text]
    if len(text) <= MIN_LETTERS:
        return []
    from rapidfuzz import fuzz, process

    root = text[: max(MIN_ROOT, len(text) - 2)]
    near = process.extract(
        text, index.by_word.keys(), scorer=fuzz.ratio, limit=4, score_cutoff=MIN_SPELLING - 15
    )
    return [
        word
        for word, score, _ in near
        if word[0] == text[0] and (score >= MIN_SPELLING or word.startswith(root))
    ]


def _same(word: str, text: str) -> bool:
    """Whether a word of a name is said: itself, its stem, its beginning or its first letter."""
    if word == text or stem(word) == stem(text):
        return True
    if min(len(text), len(word)) < MIN_LETTERS:
        return False
    return word.startswith(text) or text.startswith(word)


def _topic(
    reading: Reading,
    index: FactIndex,
    node: int,
    span: Span,
    score: float,
    *,
    exact: bool,
    telling: float,
) -> Topic:
    name = index.names[node]
    cased = span.end > span.start and reading.tokens[span.start].capital == name[:1].isupper()
    return Topic(node, name, span, score, exact, cased, telling)


if TYPE_CHECKING:
    from wideleaf.tools.tables.table import Table

NAMED = 3
"""Nodes of a question that are looked around."""
HELD = 2
MAX_FOLLOWED = 200
"""Nodes a hop away, of which more say little of what is asked."""


def relations_around(question: str, graph: Table) -> list[str]:
    """The relations that lead to or from what a question names, those a hop further behind.

    A name of a relation says little by itself; that it is there for what is asked says more.

    Args:
        question: The user's words.
        graph: The facts.

    Returns:
        Names of relations, each once, those of few facts of the named nodes first.
    """
    index = open_index(graph)
    topics = [one for one in find_topics(Reading(question), index) if one.telling][:NAMED]
    nodes = np.array(sorted({one.node for one in topics}), dtype=np.int64)
    if not len(nodes):
        return []
    near = _steps(index, nodes)
    ends = [index.follow(nodes, step) for step, _ in index.steps_from(nodes)]
    further = np.unique(np.concatenate(ends)) if ends else nodes[:0]
    beyond = _steps(index, further) if 0 < len(further) <= MAX_FOLLOWED else []
    return list(dict.fromkeys([*near, *beyond]))


def open_index(graph: Table) -> FactIndex:
    """The facts as arrays; those of the graphs that were asked last are held."""
    return _indexes.get((graph,), None, lambda: index_facts(graph))


def _steps(index: FactIndex, nodes: np.typing.NDArray[np.int64]) -> list[str]:
    counts = sorted(index.steps_from(nodes), key=lambda one: (one[1], one[0].relation))
    return list(dict.fromkeys(step.relation for step, _ in counts))


_indexes: Recent[FactIndex] = Recent(HELD)
