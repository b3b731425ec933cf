"""Proposals: the best plans for a question over the tables at hand, ranked and calibrated."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial

from pydantic import BaseModel

from wideleaf.agents.planner.candidates import Candidate, candidates, denotation, narrow_trial
from wideleaf.agents.planner.coverage.remarks import (
    MAX_SAID,
    Leftovers,
    find_unmatched,
    nearest_names,
    remarks_of,
)
from wideleaf.agents.planner.features import weights
from wideleaf.agents.planner.links.lexicon import Question, lexicon
from wideleaf.agents.planner.links.meanings import Meanings
from wideleaf.agents.planner.links.table_index import index_table
from wideleaf.agents.planner.preference import absences_of, conditions_of, prefer
from wideleaf.agents.planner.scopes.database import Database, database_of
from wideleaf.agents.planner.scopes.derivation import PlanProposal
from wideleaf.tools.sources.source import Link
from wideleaf.tools.steps.semantics import Profile
from wideleaf.tools.steps.trial import nothing
from wideleaf.tools.tables.table import Table
from wideleaf.tools.words import as_name

NAMED = 12
COMPARED = 3
"""For so many phrases that nothing explains the nearest names are looked for."""
PARTLY = 0.24
"""So sure an answer is at most that does not use every word of the question that tells: it is
refused, unless the user asks for less sure ones."""
GUESSED = 0.3
"""Below this an answer is a guess: on folds by table one in eight was right."""
VAGUE = 0.55
"""So sure one is at most that takes a column which the question hardly names, or beside which
another answer is as likely."""
TIED = 0.9
"""Another answer with so much of the probability is as likely."""
NOTHING = 0.05
"""So sure one is at most that uses no word of it at all."""
UNLINKED = "no word of the question names a column or a value of the tables"
KEPT = 0.3
"""A plan with less of the best one's confidence is not tried."""


class Proposals(BaseModel, frozen=True):
    """What the planner makes of a question.

    Attributes:
        plans: The best first; none where nothing fits.
        understood: What could be linked, in a sentence.
        missing: The words that could not be linked.
        nearest: Of those words the columns nearest to each; none where none is near.
    """

    plans: tuple[PlanProposal, ...] = ()
    understood: str = ""
    missing: str = ""
    nearest: dict[str, tuple[str, ...]] = {}


def propose(
    question: str,
    tables: Mapping[str, Table],
    links: Sequence[Link] = (),
    limit: int = 8,
    profile: Profile = "standard",
    meanings: Meanings | None = None,
) -> Proposals:
    """Read a question as typed plans over tables; deterministic, no model.

    A floating parser in the manner of Pasupat and Liang (2015): links propose derivations, a
    log-linear model ranks them, the best are run on the side.

    Args:
        question: The user's words.
        tables: The tables by the labels that steps are to name.
        links: Foreign keys between them, where they are declared.
        limit: At most so many plans.
        profile: What actions mean; under ``sql`` text compares letter by letter.
        meanings: Compares words that nothing else explains.
    """
    query = Question(question, profile == "sql", meanings)
    database = database_of(tables, links, profile)
    ranked = prefer(candidates(query, database))
    best = ranked[0] if ranked else None
    plans = calibrate(ranked, database, limit)
    refused = best if plans and plans[0].unused else None
    near = _near(query, refused, database) if refused else {}
    return Proposals(
        plans=tuple(plans),
        understood="" if best else UNLINKED,
        missing=_missing(query, best, near),
        nearest=_nearest(query, refused, near, tables) if refused else {},
    )


def calibrate(ranked: Sequence[Candidate], database: Database, limit: int) -> list[PlanProposal]:
    """The plans with the confidence that their answer is right; one answer's plans add up.

    A plan that does not use all that the question says is no answer.

    Args:
        ranked: The candidates, best first.
        database: The tables.
        limit: At most so many plans.
    """
    ranked = [one for one in ranked if one.rows is not None]
    if not ranked:
        return []
    top = ranked[0].score
    mass = [math.exp(one.score - top) for one in ranked]
    # What gives nothing of a sample has an answer of its own, whatever that is.
    answers = [str(n) if one.unseen else denotation(one.rows) for n, one in enumerate(ranked)]
    shares: dict[str, float] = defaultdict(float)
    for part, answer in zip(mass, answers, strict=True):
        shares[answer] += part / sum(mass)
    plans: list[PlanProposal] = []
    past: set[str] = set()
    for one, answer in zip(ranked, answers, strict=True):
        leftovers = one.left
        sure = confidence(shares[answer], one)
        if not one.derivation.uses:
            sure = min(sure, NOTHING)  # hello there: no word of it made the plan
        elif leftovers.telling or sure < GUESSED:
            sure = min(sure, PARTLY)
        elif leftovers.vague or _ties(answer, shares):
            sure = min(sure, VAGUE)
        if not plans or sure >= KEPT * plans[0].confidence:
            plans.append(_make_proposal(one, leftovers, sure, answer in past, database, not plans))
        past.add(answer)
        if len(plans) == limit:
            break
    return plans


def _ties(answer: str, shares: Mapping[str, float]) -> bool:
    """Whether another answer is as likely as one."""
    return any(part >= TIED * shares[answer] for one, part in shares.items() if one != answer)


def _make_proposal(
    one: Candidate, leftovers: Leftovers, sure: float, same: bool, database: Database, best: bool
) -> PlanProposal:
    """A candidate as it is handed on; of the best, all rows are asked for what a sample lacks."""
    rows = None if one.unseen and (one.derivation.scope.first or not best) else one.rows
    trial = partial(narrow_trial, database, [one.plan], samples=False)
    unmatched = find_unmatched(one.derivation, rows, trial)
    return one.plan.model_copy(
        update={
            "score": round(one.score, 4),
            "confidence": round(sure, 3),
            "reading": one.plan.reading + _passing(leftovers),
            "same": same,
            "empty": _finds_nothing(one, leftovers) and not (one.unseen and not unmatched),
            "remarks": (*remarks_of(one.derivation, leftovers, database), *unmatched),
            "unused": leftovers.telling,
            "dropped": bool(one.features["dropped"] or one.features["unlinked"]),
        }
    )


def confidence(share: float, candidate: Candidate) -> float:
    """How likely an answer is right, by a logistic curve fitted on questions not ranked by.

    Args:
        share: The part of the model's probability that plans with this answer have.
        candidate: One of them.
    """
    factors = weights()
    x = factors.get("calibrate base", 0.0)
    for name, value in confidence_signs(share, candidate).items():
        x += factors.get(f"calibrate {name}", 0.0) * value
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, x))))


def confidence_signs(share: float, candidate: Candidate) -> dict[str, float]:
    """What tells whether an answer is right: probability, what is left unexplained, emptiness.

    Over several tables a word that is passed over weighs most: it may be of any of them.
    """
    bounded = min(max(share, 1e-3), 1 - 1e-3)
    features = candidate.features
    ignored = sum(v for name, v in features.items() if name.startswith("ignored "))
    return {
        "share": math.log(bounded / (1 - bounded)),
        "score": candidate.score / 10,
        "coverage": features["coverage"],
        "strangers": min(features["strangers"], 3.0),
        "meant": min(features["meant"], 2.0),
        "ignored": min(ignored, 4.0),
        "asked": features["asked"],
        "dropped": features["dropped"],
        "empty": features.get("empty", 0.0),
        "several": features["several"],
        "passed over several": float(features["passed"] and features["several"]),
    }


def _finds_nothing(candidate: Candidate, leftovers: Leftovers) -> bool:
    """Whether that no row fits is the answer, for the plan uses all that the question says."""
    if leftovers.slight:
        return False
    if absences_of(candidate):
        return True
    if candidate.rows == [] and candidate.features["left"] <= 1 and not leftovers.telling:
        return True
    has_where = conditions_of(candidate) or "where" in candidate.derivation.rules
    complete = has_where and not leftovers.telling
    return bool(complete and candidate.rows is not None and nothing(candidate.rows))


def _passing(leftovers: Leftovers) -> str:
    """What the reading says of words that only repeat what was understood."""
    slight = ", ".join(repr(phrase) for phrase in leftovers.slight[:MAX_SAID])
    return f", passing over {slight}" if slight else ""


def _near(question: Question, best: Candidate, database: Database) -> dict[str, tuple[str, ...]]:
    """The first phrases that nothing explains, with what is nearest to each in any table."""
    own = best.derivation.scope.index
    indexes = [own, *map(index_table, database.tables.values())]
    return {
        phrase: next(
            filter(None, (nearest_names(phrase, i, question.meanings) for i in indexes)), ()
        )
        for phrase in _list_leftovers(best.left)[:COMPARED]
        if phrase in best.left.telling
    }


def _nearest(
    question: Question,
    best: Candidate,
    near: Mapping[str, tuple[str, ...]],
    tables: Mapping[str, Table],
) -> dict[str, tuple[str, ...]]:
    """Of each phrase the columns among what is near to it; where none is, those least far off."""
    headers = {column for table in tables.values() for column in table.columns}
    own, nearest = best.derivation.scope.index, {}
    for phrase, names in near.items():
        names = names or nearest_names(phrase, own, question.meanings, least=-1.0)
        nearest[phrase] = tuple(name for name in names if name in headers)
    return nearest


def _list_leftovers(leftovers: Leftovers) -> list[str]:
    """Phrases that are left over: words, or where there are none, numbers."""
    phrases = (*leftovers.telling, *leftovers.slight)
    words = [one for one in phrases if not any(sign.isdigit() for sign in one)]
    return [*(words or phrases)[:NAMED]]


def _missing(question: Question, best: Candidate | None, near: Mapping[str, Sequence[str]]) -> str:
    if best and (best.left.telling or best.left.slight or best.derivation.uses):
        return ", ".join(
            repr(phrase)
            + (f" (nearest: {', '.join(map(as_name, near[phrase]))})" if near.get(phrase) else "")
            for phrase in _list_leftovers(best.left)
        )
    texts = [word.text for word in question.words]
    texts = [text for text in texts if text.isalpha()]
    words = [text for text in texts if text not in lexicon().stopwords] or texts
    return ", ".join(map(repr, words[:NAMED]))
