"""Growth: paths from the topics of a question, and the forms that its other words ask for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from wideleaf.agents.planner.paths.attachment import Attachment, attach
from wideleaf.agents.planner.paths.forms import (
    EVERY,
    Asked,
    Form,
    Moment,
    Pick,
    Rank,
    TimeKey,
    When,
)
from wideleaf.agents.planner.paths.reading import Reading, Span
from wideleaf.agents.planner.paths.relation_words import Hearing
from wideleaf.agents.planner.paths.topics import Topic
from wideleaf.tools.knowledge.fact_index import FactIndex, Step

LONGEST_PATH = 3
BEAM = 24
KEPT = 40
MAX_NODES = 3000
"""Of more nodes a sample tells which hops go on."""
GROWN_TOPICS = 4
LINKED = 14
"""The best paths that are tried with a second named node or a time."""
NEAR = 3
"""Words between a year and the word that says how it is meant."""

NOBODY = Topic(EVERY, "", Span(0, 0), 0.0, exact=False, cased=False, telling=0.0)
MAX_RANKS = 24
COUNTING = frozenset(["most", "fewest", "least", "number"])
"""Words of a superlative that may count facts; others compare numbers."""


def grow(reading: Reading, topics: list[Topic], index: FactIndex, hearing: Hearing) -> list[Form]:
    """The forms that may be meant, without an order."""
    forms: list[Form] = []
    grown = topics[:GROWN_TOPICS]
    ranks = sorted(_ranks(reading, index), key=lambda one: -_score_rank(one, hearing))[:MAX_RANKS]
    for rank in ranks:
        forms.append(Form(NOBODY, (rank.step._replace(back=not rank.step.back),), rank=rank))
    for topic in grown:
        cover = {*topic.span.places}
        paths = _paths(topic, cover, index, hearing)
        for path, _ in paths:
            forms += _plain(reading, topic, path, index)
        for path, _ in paths[:LINKED]:
            forms += _grow_link_forms(reading, topic, path, topics, index)
            forms += [Form(topic, path, rank=rank) for rank in ranks]
            if index.temporal:
                forms += _grow_time_forms(reading, topic, path, topics, index)
    return forms


def _paths(
    topic: Topic, cover: set[int], index: FactIndex, hearing: Hearing
) -> list[tuple[tuple[Step, ...], Attachment]]:
    """Paths of up to three hops, those that the words say best first."""
    dated = hearing.reading.dated if index.temporal else frozenset()
    cover = cover | dated
    paths: list[tuple[tuple[Step, ...], Attachment]] = []
    ways: list[tuple[tuple[Step, ...], np.ndarray]] = [((), np.array([topic.node]))]
    for _ in range(LONGEST_PATH):
        level: list[tuple[tuple[Step, ...], Attachment, np.ndarray]] = []
        for path, nodes in ways:
            for step, _count in index.steps_from(nodes[:MAX_NODES]):
                longer = (*path, step)
                level.append((longer, attach(longer, topic.span, cover, hearing), nodes))
        level.sort(key=lambda one: -one[1].gain)
        paths += [(path, attachment) for path, attachment, _ in level[:KEPT]]
        ways = [(path, index.follow(nodes, path[-1])) for path, _, nodes in level[:BEAM]]
    paths.sort(key=lambda one: -one[1].gain)
    return paths


def _plain(
    reading: Reading, topic: Topic, path: tuple[Step, ...], index: FactIndex
) -> Iterator[Form]:
    form = Form(topic, path)
    yield form
    if returns(path[-2:]) and path[-1].relation not in index.measured:
        yield replace(form, others=True)
    if reading.asks == "count":
        yield replace(form, asked="count")


def _ranks(reading: Reading, index: FactIndex) -> Iterator[Rank]:
    """By what nodes may be put in order, where the question speaks of the first of some."""
    for cue in reading.extremes:
        timely = cue.kind in ("old", "new", "late", "early")
        most = cue.kind in ("max", "new", "late")
        texts = {reading.tokens[place].text for place in cue.span.places}
        is_count = bool(texts & COUNTING)
        for name in index.relations:
            if name in index.measured and (not timely or name in index.dated):
                yield Rank(Step(name), most, counts=False, span=cue.span)
            elif is_count and name not in index.measured:
                for back in (False, True):
                    yield Rank(Step(name, back), most, counts=True, span=cue.span)


def _score_rank(rank: Rank, hearing: Hearing) -> float:
    return float(hearing.scores(rank.step.relation).max(initial=0.0)) + (not rank.counts)


def returns(path: tuple[Step, ...]) -> bool:
    """Whether a path goes back along a hop it came."""
    turned = [s._replace(back=not s.back) for s in path]
    return any(path[i + 1] == turned[i] for i in range(len(path) - 1))


def _grow_link_forms(
    reading: Reading, topic: Topic, path: tuple[Step, ...], topics: list[Topic], index: FactIndex
) -> Iterator[Form]:
    """Forms whose answers lead to a second named node, or whose way does."""
    nodes = np.array([topic.node])
    for place, step in enumerate(path, 1):
        nodes = index.follow(nodes, step)
        for second in topics:
            if second.node == topic.node or second.span.places & topic.span.places:
                continue
            if index.temporal and second.span.places <= reading.dated:
                continue
            for link, _count in index.steps_from(np.array([second.node])):
                reach = index.follow(np.array([second.node]), link)
                if np.isin(nodes, reach).any() and not (place > 1 and second.node == topic.node):
                    turned = link._replace(back=not link.back)
                    form = Form(topic, path, second, turned, place)
                    yield form
                    if reading.asks == "count":
                        yield replace(form, asked="count")


def _grow_time_forms(
    reading: Reading, topic: Topic, path: tuple[Step, ...], topics: list[Topic], index: FactIndex
) -> Iterator[Form]:
    """Forms that ask for a time, or whose facts have a time that the question tells."""
    form = Form(topic, path)
    bounds: tuple[Asked, ...] = ("start", "end")
    seconds: list[Topic] = []
    if len(path) == 1:
        values = set(index.follow(np.array([topic.node]), path[0]).tolist())
        seconds = [
            one for one in topics if one.node in values and not one.span.places & topic.span.places
        ]
    ends: tuple[Pick, ...] = ("first", "last")
    picks = [pick for pick in ends if reading.cue(pick)]
    if reading.asks in ("when", "none") or reading.cue("moment"):
        for one in bounds:
            for second in (None, *seconds):
                yield replace(form, asked=one, second=second)
                for pick in picks:
                    yield replace(form, asked=one, second=second, pick=pick)
    for moment in _moments(reading, topic, path, seconds, topics, index):
        yield replace(form, moment=moment)
        if reading.asks == "count":
            yield replace(form, moment=moment, asked="count")
        if len(path) > 1:  # which of the facts of many are meant, the actions cannot tell
            continue
        for pick in picks:
            yield replace(form, moment=moment, pick=pick)
        if moment.fact is not None:
            if moment.when == "before":
                yield replace(form, moment=moment, pick="last")
            elif moment.when == "after":
                yield replace(form, moment=moment, pick="first")
    for pick in picks:
        yield replace(form, pick=pick)


def _moments(
    reading: Reading,
    topic: Topic,
    path: tuple[Step, ...],
    seconds: list[Topic],
    topics: list[Topic],
    index: FactIndex,
) -> Iterator[Moment]:
    years = [(p, y) for p, y in reading.years if p not in topic.span.places]
    if years:
        low, high = min(y for _, y in years), max(y for _, y in years)
        span = Span(min(p for p, _ in years), max(p for p, _ in years) + 1)
        ways: tuple[When, ...] = ("in", "before", "after", "start", "end")
        for when in ways:
            yield Moment(when, low, high, span)
    if index.starts is None or index.ends is None:
        return
    for second in seconds:  # a fact of the same kind about another node
        same = (second.node, path[0]._replace(back=not path[0].back), topic.node)
        facts, others = index.facts_along(np.array([topic.node]), path[0])
        for fact in facts[others == second.node][:2]:
            yield from _around(second, same, int(fact), index)
    for second in topics:
        if second.node == topic.node or second in seconds or second.span.places & topic.span.places:
            continue
        for step, _count in index.steps_from(np.array([second.node])):
            facts, others = index.facts_along(np.array([second.node]), step)
            if not step.back and len(facts) == 1:
                fact = (second.node, step, int(others[0]))
                yield from _around(second, fact, int(facts[0]), index)


def _around(
    second: Topic, fact: tuple[int, Step, int], place: int, index: FactIndex
) -> Iterator[Moment]:
    assert index.starts is not None and index.ends is not None
    low, high = float(index.starts[place]), float(index.ends[place])
    if np.isnan(low) and np.isnan(high):
        return
    low_key: TimeKey = "end_time" if np.isnan(low) else "start_time"
    high_key: TimeKey = "start_time" if np.isnan(high) else "end_time"
    low, high = (high if np.isnan(low) else low), (low if np.isnan(high) else high)
    ways: tuple[When, ...] = ("before", "after", "in")
    for when in ways:
        yield Moment(when, low, high, second.span, fact, low_key, high_key)
