"""Candidates: the forms of a question over a graph, carried out, weighed and sorted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from wideleaf.agents.planner.paths.attachment import Attachment, attach
from wideleaf.agents.planner.paths.features import Features, describe, used_places, weights
from wideleaf.agents.planner.paths.forms import EVERY, Form, Outcome, carry_out
from wideleaf.agents.planner.paths.growth import grow
from wideleaf.agents.planner.paths.reading import Reading
from wideleaf.agents.planner.paths.relation_words import Hearing, RelationWords, speak
from wideleaf.agents.planner.paths.topics import Topic, find_topics
from wideleaf.tools.knowledge.fact_index import FactIndex

MOST_COMPARED = 90
"""Forms whose reading as a whole is held against the question."""


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
    texts = list(dict.fromkeys(say_path(form) for form, _ in kept))[:MOST_COMPARED]
    masked = {form.topic.span: _mask(reading, form) for form, _ in kept}
    near = {}
    for span, text in masked.items():
        near.update({(span, t): float(n) for t, n in zip(texts, hearing.whole(texts, text), strict=True)} if texts else {})
    found = []
    for form, attachment in kept:
        outcome = carry_out(form, index)
        if not outcome.values and not len(outcome.nodes):
            continue
        if form.asked in ("start", "end") and not outcome.values:
            continue
        like = near.get((form.topic.span, say_path(form)), 0.0)
        features = describe(form, reading, topics, index, hearing, attachment, outcome, like)
        score = sum(known.get(name, 0.0) * value for name, value in features.items())
        found.append(Candidate(form, outcome, attachment, features, score))
    found.sort(key=lambda one: -one.score)
    return found, topics


def say_path(form: Form) -> str:
    """A path in words, the last hop first."""
    said = [f"{speak(s.relation)}{' of' if not s.back else ''}" for s in reversed(form.path)]
    return " ".join(said)


def _mask(reading: Reading, form: Form) -> str:
    span = form.topic.span
    before = [t.text for t in reading.tokens[: span.start]]
    return " ".join([*before, "it", *(t.text for t in reading.tokens[span.end :])])
