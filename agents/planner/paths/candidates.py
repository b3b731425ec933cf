"""Candidates: the forms of a question over a graph, carried out, weighed and sorted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from wideleaf.agents.planner.paths.attachment import Attachment, attach
from wideleaf.agents.planner.paths.features import Features, describe, used_places, weights
from wideleaf.agents.planner.paths.forms import EVERY, Form, Outcome, carry_out
from wideleaf.agents.planner.paths.growth import grow
from wideleaf.agents.planner.paths.reading import Reading, Span
from wideleaf.agents.planner.paths.relation_words import Hearing, RelationWords
from wideleaf.agents.planner.paths.topics import Topic, find_topics
from wideleaf.tools.knowledge.fact_index import FactIndex


class Candidate(NamedTuple):
    """A form with what it gives and what speaks for it.

    Attributes:
        form: What is asked.
        outcome: What it gives.
        told: How the words go with its hops.
        features: What speaks for and against it.
        score: The weighed sum of those.
    """

    form: Form
    outcome: Outcome
    told: Attachment
    features: Features
    score: float


def candidates(
    reading: Reading,
    index: FactIndex,
    words: RelationWords,
    by: Mapping[str, float] | None = None,
) -> tuple[list[Candidate], list[Topic]]:
    """The candidates, best first, and the topics that the question names."""
    topics = find_topics(reading, index)
    hearing = Hearing(reading, words)
    forms = grow(reading, topics, index, hearing)
    known = weights() if by is None else by
    told = {}
    kept = []
    for form in forms:
        used = frozenset(used_places(form, reading))
        way = form.path if form.rank is None else (*form.path, form.rank.step)
        if form.rank is not None and form.topic.node == EVERY:
            way = way[1:]
        key = (way, form.topic.span, used)
        if key not in told:
            told[key] = attach(way, form.topic.span, used, hearing)
        kept.append((form, told[key]))
    kept.sort(key=lambda one: -one[1].gain)
    found = []
    for form, attachment in kept:
        outcome = carry_out(form, index)
        if not outcome.values and not len(outcome.nodes):
            continue
        if form.asked in ("start", "end") and not outcome.values:
            continue
        near = hearing.whole(form.path, _mask(reading, form.topic.span))
        features = describe(form, reading, topics, index, hearing, attachment, outcome, near)
        score = sum(known.get(name, 0.0) * value for name, value in features.items())
        found.append(Candidate(form, outcome, attachment, features, score))
    found.sort(key=lambda one: -one.score)
    return found, topics


def _mask(reading: Reading, span: Span) -> str:
    """The question with another word for its topic."""
    before = [t.text for t in reading.tokens[: span.start]]
    return " ".join([*before, "it", *(t.text for t in reading.tokens[span.end :])])
