"""Candidates: a floating parser's beam over scenes, sets of rows and answers; then trial runs."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from wideleaf.agents.conditions import condition_sets
from wideleaf.agents.database import Database
from wideleaf.agents.derivation import Derivation
from wideleaf.agents.features import Features, shown, static, weigh
from wideleaf.agents.groups import each_share, grouped
from wideleaf.agents.lexicon import Question
from wideleaf.agents.outcomes import outcomes
from wideleaf.agents.pairs import pairs, shared
from wideleaf.agents.plans import Planned, planned
from wideleaf.agents.relations import correlations, neighbours, ranges, shares, whether
from wideleaf.agents.rows import row_sets, start_of
from wideleaf.agents.scenes import named_table, scenes

SETS, ROWS, TRIED = 6, 30, 40


class Candidate(NamedTuple):
    """A plan with what speaks for it.

    Attributes:
        plan: The plan.
        derivation: How it came about.
        features: Named numbers.
        rows: What it gives, at most `trial.MOST_ROWS` rows; None if it cannot be run.
        score: The weighed features.
    """

    plan: Planned
    derivation: Derivation
    features: Features
    rows: list[dict[str, Any]] | None
    score: float


def candidates(
    question: Question,
    database: Database,
    by: Mapping[str, float] | None = None,
    tried: int = TRIED,
) -> list[Candidate]:
    """The best plans for a question, run and ranked.

    Args:
        question: The question.
        database: The tables by the labels that plans are to name, and their keys.
        by: Weights in place of the fitted ones.
        tried: How many are run.
    """
    found: dict[str, tuple[float, Features, Derivation, Planned]] = {}
    for derivation in derivations(question, database, by):
        features = static(derivation)
        score = weigh(features, by)
        plan = planned(derivation)
        key = json.dumps([step.model_dump() for step in plan.steps])
        if key not in found or found[key][0] < score:
            found[key] = (score, features, derivation, plan)
    best = heapq.nlargest(tried, found.values(), key=lambda one: one[0])
    trial = database.trial.branch()
    made = []
    for _, features, derivation, plan in best:
        rows = trial.rows(plan.steps)
        features = features | shown(derivation, rows)
        score = weigh(features, by)
        made.append(Candidate(plan, derivation, features, rows, score))
    return sorted(made, key=lambda one: -one.score)


def derivations(
    question: Question, database: Database, by: Mapping[str, float] | None
) -> Iterator[Derivation]:
    """Finished derivations over every scene, a beam of them at each stage."""
    for stage in scenes(question, database):
        rows: list[Derivation] = []
        if stage.label in database.tables and len(database.tables) > 1 and not stage.first:
            others = {n: t.columns for n, t in database.tables.items() if n != stage.label}
            called = {n: named_table(question, n) for n in others}
            yield from shared(start_of(stage), others, called)
        for conditions in condition_sets(question, stage.index, stage.named)[:SETS]:
            scene = replace(stage, conditions=conditions)
            rows += row_sets(scene)
            yield from shares(start_of(scene))
            yield from each_share(start_of(scene))
            yield from neighbours(start_of(scene))
            yield from pairs(start_of(scene))
        kept = heapq.nlargest(ROWS, rows, key=lambda d: weigh(static(d), by))
        for derivation in kept:
            yield from outcomes(derivation)
            yield from ranges(derivation)
            if not any(rule.startswith("top") for rule in derivation.rules):
                yield from whether(derivation)
                yield from correlations(derivation)
            yield from grouped(derivation)


def denotation(rows: Sequence[Mapping[str, Any]] | None) -> str:
    """A plan's answer in a form by which answers are the same, order and names of columns aside."""
    if rows is None:
        return ""
    return json.dumps(sorted(str([_plain(cell) for cell in row.values()]) for row in rows))


def _plain(cell: Any) -> str:
    if isinstance(cell, float | int) and not isinstance(cell, bool):
        return f"{float(cell):.9g}"
    return str(cell)
