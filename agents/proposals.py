"""Proposals: the best plans for a question over the tables at hand, tried out and ranked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import BaseModel

from wideleaf.agents.index import index_table
from wideleaf.agents.joins import Joined, joined_tables
from wideleaf.agents.lexicon import Question, lexicon
from wideleaf.agents.plans import Planned, write_plan
from wideleaf.agents.ranking import explained_places, features, trial, weigh
from wideleaf.agents.readings import readings
from wideleaf.agents.scene import Reading
from wideleaf.tools.table import Table

TRIALS = 12
LEAST_SCORE = 2.5
"""Below this a plan explains so little that it would be a guess."""
MARGIN = 2.5
"""A plan so far below the best leaves out what the question says."""
NAMED = 12


class Proposals(BaseModel, frozen=True):
    """What the planner makes of a question.

    Attributes:
        plans: The best first; none where nothing fits.
        understood: What could be linked, in a sentence.
        missing: The words that could not be linked.
    """

    plans: tuple[Planned, ...] = ()
    understood: str = ""
    missing: str = ""


def propose(question: str, tables: Mapping[str, Table], limit: int = 8) -> Proposals:
    """Read a question as typed plans over tables; deterministic, no model.

    A floating parser in the manner of Pasupat and Liang (2015): links propose readings, a
    log-linear model ranks them, the best are run on the side.

    Args:
        question: The user's words.
        tables: The tables by the labels that steps are to name.
        limit: At most so many plans.
    """
    asked = Question(question)
    ranked = sorted(_candidates(asked, tables), key=lambda pair: -pair[0])
    tried: dict[str, Planned] = {}
    for score, (reading, join) in ranked:
        if len(tried) >= TRIALS:
            break
        plan = write_plan(asked, reading, join.steps if join else ())
        key = str(plan.steps)
        if key not in tried:
            total = score + weigh(trial(asked, plan, tables))
            tried[key] = plan.model_copy(update={"score": round(total, 4)})
    plans = sorted(tried.values(), key=lambda plan: -plan.score)
    least = max(LEAST_SCORE, plans[0].score - MARGIN) if plans else LEAST_SCORE
    plans = [plan for plan in plans if plan.score >= least]
    best = ranked[0][1][0] if ranked else None
    return Proposals(
        plans=tuple(plans[:limit]),
        understood=_understood(asked, best),
        missing=_missing(asked, best),
    )


def _candidates(
    question: Question, tables: Mapping[str, Table]
) -> Iterator[tuple[float, tuple[Reading, Joined | None]]]:
    for label, table in tables.items():
        for reading in readings(question, index_table(table), label):
            yield weigh(features(question, reading)), (reading, None)
    for join in joined_tables(question, tables):
        for reading in readings(question, index_table(join.table), join.label):
            yield weigh({**features(question, reading), "joined": 1.0}), (reading, join)


def _understood(question: Question, reading: Reading | None) -> str:
    if reading is None:
        return "no word of the question names a column or a value of the tables"
    columns = dict.fromkeys([*reading.targets, *([reading.measure] if reading.measure else [])])
    columns.update(dict.fromkeys(link.column for link in reading.conditions.links))
    named = ", ".join(columns) or "no column"
    return f"the question was linked to {named} of {reading.table}"


def _missing(question: Question, reading: Reading | None) -> str:
    explained = explained_places(question, reading) if reading else set()
    left = [
        word.text
        for place, word in enumerate(question.words)
        if place not in explained and word.text not in lexicon().stopwords
    ]
    return ", ".join(left[:NAMED])
