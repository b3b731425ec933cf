"""Candidates: a floating parser's beam over scopes, sets of rows and answers; then trial runs."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from wideleaf.agents.planner.coverage.remarks import Leftovers, find_leftovers
from wideleaf.agents.planner.features import Features, run_features, static, weigh
from wideleaf.agents.planner.links.lexicon import Question
from wideleaf.agents.planner.rules.pairs import intersect_tables
from wideleaf.agents.planner.rules.productions import grow
from wideleaf.agents.planner.rules.rows import filter_rows, start_of
from wideleaf.agents.planner.scopes.conditions import condition_sets
from wideleaf.agents.planner.scopes.database import Database
from wideleaf.agents.planner.scopes.derivation import Derivation, PlanProposal, finish_plan
from wideleaf.agents.planner.scopes.scopes import scopes, table_mentions
from wideleaf.tools.errors import ActionError
from wideleaf.tools.plain_data import texts_in
from wideleaf.tools.steps.trial import INPUTS, Trial, hold
from wideleaf.tools.tables.columns import resolve_columns
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call

SETS, ROWS, TRIED = 6, 30, 40
MAX_LEFT = 4
"""More phrases left over than these weigh no more."""
COSTLY = ("PCA", "Predict")
"""What is not tried on the side; whether it works shows when it is run."""
FEW = 8
WIDE = 200
"""Of a table with more columns only those that plans name take part in trials."""


class Candidate(NamedTuple):
    """A plan with what speaks for it.

    Attributes:
        plan: The plan.
        derivation: How it came about.
        features: Named numbers.
        rows: What it gives, at most `trial.MAX_ROWS` rows; None if it cannot be run.
        score: The weighed features.
        left: What it leaves over of the question.
        unseen: Whether it gives nothing of a sample, which does not tell what all rows give.
    """

    plan: PlanProposal
    derivation: Derivation
    features: Features
    rows: list[dict[str, Any]] | None
    score: float
    left: Leftovers = Leftovers()
    unseen: bool = False


def candidates(
    question: Question,
    database: Database,
    by: Mapping[str, float] | None = None,
    limit: int = TRIED,
) -> list[Candidate]:
    """The best plans for a question, run and ranked.

    Args:
        question: The question.
        database: The tables by the labels that plans are to name, and their keys.
        by: Weights in place of the fitted ones.
        limit: How many are run.
    """
    plans: dict[str, tuple[float, Features, Derivation, PlanProposal]] = {}
    for derivation in derivations(question, database, by):
        features = static(derivation)
        score = weigh(features, by)
        plan = _narrow_plan(finish_plan(derivation), database)
        key = json.dumps([step.model_dump() for step in plan.steps])
        if key not in plans or plans[key][0] < score:
            plans[key] = (score, features, derivation, plan)
    best = heapq.nlargest(limit, plans.values(), key=lambda one: one[0])
    if best and _costly(best[0][3]):
        best = best[:FEW]  # an analysis was asked for; other readings are far behind
    trial = narrow_trial(database, [plan for *_, plan in best])
    choices = []
    for _, features, derivation, plan in best:
        unseen = False
        if _costly(plan):
            rows: list[dict[str, Any]] | None = [{"not run": plan.reading}]
        else:
            rows = trial.rows(plan.steps)
            unseen = trial.unseen(plan.steps, rows)
            features = features | ({} if unseen else run_features(derivation, rows))
        leftovers = find_leftovers(derivation, rows)
        features = features | {
            "telling": float(min(len(leftovers.telling), MAX_LEFT)),
            "passed": float(bool(leftovers.slight)),
            "several": float(len(database.tables) > 1),
        }
        score = weigh(features, by)
        choices.append(Candidate(plan, derivation, features, rows, score, leftovers, unseen))
    return sorted(choices, key=lambda one: -one.score)


def _costly(plan: PlanProposal) -> bool:
    return any(step.name in COSTLY for step in plan.steps)


def _narrow_plan(plan: PlanProposal, database: Database) -> PlanProposal:
    """A plan that joins frames of one wide table takes the columns that matter first."""
    if len(database.tables) > 1 or not any(step.name == "Join" for step in plan.steps):
        return plan
    ((label, table),) = database.tables.items()
    if len(table.columns) <= WIDE:
        return plan
    texts = dict.fromkeys(
        text for step in plan.steps for text in texts_in(step.arguments, keys=False)
    )
    columns = [text for text in texts if _stands_for(text, table)]
    if not columns:
        return plan
    first = Call(name="Select", arguments={"table": label, "columns": [*columns]})
    steps = []
    for step in plan.steps:
        moved = dict(step.arguments)
        for name in INPUTS:
            place = str(moved.get(name, ""))
            if place.startswith("$"):
                moved[name] = f"${int(place[1:]) + 1}"
            elif place == label:
                moved[name] = "$0"
        steps.append(Call(name=step.name, arguments=moved))
    thoughts = ("Only the columns that take part.", *plan.thoughts)
    return plan.model_copy(update={"steps": (first, *steps), "thoughts": thoughts})


def _stands_for(text: str, table: Table) -> tuple[str, ...]:
    """The columns that a text of a plan stands for, if it is a column or a family."""
    if text in table.schema:
        return (text,)
    if "*" in text or "{" in text:
        with suppress(ActionError):
            return resolve_columns([text], table)
    return ()


def narrow_trial(database: Database, plans: Sequence[PlanProposal], samples: bool = True) -> Trial:
    """Where plans are tried: of one wide table on the columns that any of them names.

    Args:
        database: The tables.
        plans: What is tried.
        samples: Whether of large tables samples will do.
    """
    tables = list(database.tables.items())
    if len(tables) > 1 or len(tables[0][1].columns) <= WIDE:
        return database.trial.branch(samples=samples)
    ((label, table),) = tables
    texts = {
        text
        for plan in plans
        for step in plan.steps
        for text in texts_in(step.arguments, keys=False)
    }
    columns = {column for text in texts for column in _stands_for(text, table)}
    selection = [column for column in table.columns if column in columns] or table.columns[:1]
    # Each trial of its own would read the schema of thousands of columns once more.
    some = {label: hold(Table(table.frame.select(*selection)))}
    return Trial(some, database.profile, samples=samples)


def derivations(
    question: Question, database: Database, by: Mapping[str, float] | None
) -> Iterator[Derivation]:
    """Finished derivations over every scope, a beam of them at each stage."""
    for stage in scopes(question, database):
        rows: list[Derivation] = []
        if stage.label in database.tables and len(database.tables) > 1 and not stage.first:
            others = {n: t.columns for n, t in database.tables.items() if n != stage.label}
            spoken = {n: table_mentions(question, n) for n in others}
            yield from intersect_tables(start_of(stage), others, spoken)
        called = {p for m in table_mentions(question, stage.label) for p in m.places}
        sets = condition_sets(question, stage.index, stage.named, rows=called)
        for conditions in sets[:SETS]:
            start = start_of(replace(stage, conditions=conditions))
            subset = filter_rows(start, conditions.links)
            rows += [subset, *grow("kept rows", "rows", subset), *grow("all rows", "rows", start)]
            yield from grow("kept rows", "answer", subset)
            yield from grow("all rows", "answer", start)
        for derivation in heapq.nlargest(ROWS, rows, key=lambda d: weigh(static(d), by)):
            yield from grow("rows", "answer", derivation)
            if not derivation.ended:
                yield from grow("uncut rows", "answer", derivation)


def denotation(rows: Sequence[Mapping[str, Any]] | None) -> str:
    """A plan's answer in a form by which answers are the same, order and names of columns aside."""
    if rows is None:
        return ""
    return json.dumps(sorted(str([_plain(cell) for cell in row.values()]) for row in rows))


def _plain(cell: Any) -> str:
    if isinstance(cell, float | int) and not isinstance(cell, bool):
        return f"{float(cell):.9g}"
    return str(cell)
