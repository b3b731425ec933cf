"""Proposals over a graph: the likeliest forms as plans, with how sure each is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from wideleaf.agents.planner.paths.attachment import Attachment, attach
from wideleaf.agents.planner.paths.features import (
    Features,
    describe,
    left_places,
    used_places,
    weights,
)
from wideleaf.agents.planner.paths.forms import EVERY, Form, Outcome, carry_out
from wideleaf.agents.planner.paths.growth import grow
from wideleaf.agents.planner.paths.reading import Reading, Span
from wideleaf.agents.planner.paths.relation_words import Hearing, RelationWords, speak
from wideleaf.agents.planner.paths.steps import plan_form
from wideleaf.agents.planner.paths.topics import Topic, find_topics
from wideleaf.agents.planner.proposals import KEPT, PARTLY, Proposals
from wideleaf.agents.planner.recent import Recent
from wideleaf.agents.planner.scopes.derivation import PlanProposal
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.knowledge.fact_index import FactIndex, index_facts


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
    factors = weights() if by is None else by
    attachments = {}
    pairs = []
    for form in forms:
        cover = frozenset(used_places(form, reading))
        way = form.path if form.rank is None else (*form.path, form.rank.step)
        if form.rank is not None and form.topic.node == EVERY:
            way = way[1:]
        key = (way, form.topic.span, cover)
        if key not in attachments:
            attachments[key] = attach(way, form.topic.span, cover, hearing)
        pairs.append((form, attachments[key]))
    pairs.sort(key=lambda one: -one[1].gain)
    ranking = []
    for form, attachment in pairs:
        outcome = carry_out(form, index)
        if not outcome.values and not len(outcome.nodes):
            continue
        if form.asked in ("start", "end") and not outcome.values:
            continue
        near = hearing.whole(form.path, _mask(reading, form.topic.span))
        features = describe(form, reading, topics, index, hearing, attachment, outcome, near)
        score = sum(factors.get(name, 0.0) * value for name, value in features.items())
        ranking.append(Candidate(form, outcome, attachment, features, score))
    ranking.sort(key=lambda one: -one.score)
    return ranking, topics


def _mask(reading: Reading, span: Span) -> str:
    """The question with another word for its topic."""
    before = [t.text for t in reading.tokens[: span.start]]
    return " ".join([*before, "it", *(t.text for t in reading.tokens[span.end :])])


if TYPE_CHECKING:
    from wideleaf.retrieval.vectors.embedder import Embedder
    from wideleaf.tools.tables.table import Table

HELD = 4
"""Graphs whose arrays are held in memory."""
LIMIT = 6


def propose_paths(
    question: str, graphs: Mapping[str, Table], embedder: Embedder | None = None
) -> Proposals:
    """Read a question as plans over one of some graphs; deterministic, no model.

    Args:
        question: The user's words.
        graphs: The facts of each, by the label that steps are to name.
        embedder: Turns texts into vectors; without one words alone are compared.
    """
    reading = Reading(question)
    pool = [_propose(reading, label, _words_of(table, embedder)) for label, table in graphs.items()]
    return max(pool, key=lambda one: one.plans[0].confidence if one.plans else -1.0)


def _words_of(table: Table, embedder: Embedder | None) -> RelationWords:
    name = "" if embedder is None else embedder.name
    return _graphs.get((table,), name, lambda: _open(table, embedder))


def _open(table: Table, embedder: Embedder | None) -> RelationWords:
    index = index_facts(table)
    try:
        return RelationWords(index, embedder)
    except (SettingsError, ImportError):  # without its weights words alone are compared
        return RelationWords(index, None)


def _propose(reading: Reading, label: str, words: RelationWords) -> Proposals:
    ranked, topics = candidates(reading, words.index, words)
    names = ", ".join(dict.fromkeys(f"'{one.name}'" for one in topics if one.telling))
    understood = f"the question names {names}" if names else "the question names no node of it"
    plans = _calibrate(reading, ranked, label, words.index)
    if ranked:
        rest = left_places(ranked[0].told, ranked[0].form, reading)
    else:
        cover = {p for one in topics for p in one.span.places}
        rest = tuple(p for p, t in enumerate(reading.tokens) if t.weight == 1 and p not in cover)
    return Proposals(plans=plans, understood=understood, missing=_quote_words(reading, rest))


def _calibrate(
    reading: Reading, ranked: Sequence[Candidate], label: str, index: FactIndex
) -> tuple[PlanProposal, ...]:
    """The best plans, one an answer first, with the confidence that the answer is right."""
    if not ranked:
        return ()
    shares = answer_shares(ranked, index)
    plans: list[PlanProposal] = []
    answers: set[tuple[str, ...]] = set()
    for one, share in zip(ranked, shares, strict=True):
        answer = tuple(sorted(set(one.outcome.answers(index))))
        if answer in answers:
            continue
        answers.add(answer)
        rest = left_places(one.told, one.form, reading)
        sure = confidence(share, one.features)
        plan = plan_form(one.form, label, index)
        plans.append(
            PlanProposal(
                steps=tuple(plan.steps),
                thoughts=tuple(plan.thoughts),
                score=round(one.score, 4),
                confidence=round(min(sure, PARTLY) if rest else sure, 3),
                reading=say_form(one.form, index),
                remarks=(f"Not used: {_quote_words(reading, rest)}.",) if rest else (),
                unused=tuple(reading.tokens[p].text for p in rest),
            )
        )
        if len(plans) == LIMIT:
            break
    least = KEPT * plans[0].confidence
    return (plans[0], *(plan for plan in plans[1:] if plan.confidence >= least))


def answer_shares(ranked: Sequence[Candidate], index: FactIndex) -> list[float]:
    """For each candidate the part of the model's probability that goes to its answer."""
    top = ranked[0].score
    mass = [math.exp(one.score - top) for one in ranked]
    answers = [frozenset(one.outcome.answers(index)) for one in ranked]
    whole: dict[frozenset[str], float] = {}
    for answer, part in zip(answers, mass, strict=True):
        whole[answer] = whole.get(answer, 0.0) + part
    total = sum(mass)
    return [whole[answer] / total for answer in answers]


def confidence(share: float, features: Features) -> float:
    """How likely an answer is right, by a logistic curve fitted on questions not ranked by.

    Args:
        share: The part of the model's probability that forms with this answer have.
        features: What speaks for and against one of them.
    """
    factors = weights()
    x = factors.get("calibrate base", 0.0)
    for name, value in confidence_signs(share, features).items():
        x += factors.get(f"calibrate {name}", 0.0) * value
    sure = 1 / (1 + math.exp(-max(-30.0, min(30.0, x))))
    return sure / 2 if features["gain"] < 0 else sure  # no word speaks for the path


def confidence_signs(share: float, features: Features) -> dict[str, float]:
    """What tells whether an answer is right: probability, what is left, how well it is said."""
    bounded = min(max(share, 1e-3), 1 - 1e-3)
    return {
        "share": math.log(bounded / (1 - bounded)),
        "left": min(features["left"], 4.0),
        "least said": features["least said"],
        "named": features["named"],
        "near": features["near"],
        "topic": features["topic"] * features["topic exact"],
    }


def say_form(form: Form, index: FactIndex) -> str:
    """A form in words."""
    phrase = "" if form.topic.node == EVERY else form.topic.name
    for step in form.path if phrase else ():
        phrase = f"{speak(step.relation)}{' backwards' if step.back else ''} of {phrase}"
    if form.second is not None:
        via = f"{speak(form.link.relation)} " if form.link else ""
        phrase += f", with {via}{form.second.name}"
    if form.moment is not None:
        years = f"{form.moment.low:g}"
        if form.moment.high != form.moment.low:
            years += f" to {form.moment.high:g}"
        phrase += f", {form.moment.when} {years}"
    if form.pick:
        phrase += f", the {form.pick}"
    if form.rank is not None:
        most = "most" if form.rank.most else "least"
        phrase = f"{most} {speak(form.rank.step.relation)}{' of ' if phrase else ''}{phrase}"
    if form.others:
        phrase += f", without {form.topic.name}"
    prefix = {"start": "start of ", "end": "end of ", "count": "number of "}.get(form.asked, "")
    return f"{prefix}{phrase}"


def _quote_words(reading: Reading, places: Sequence[int]) -> str:
    return ", ".join(f"'{reading.tokens[p].text}'" for p in places)


_graphs: Recent[RelationWords] = Recent(HELD)
