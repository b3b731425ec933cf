"""Proposals: the best plans for a question over the tables at hand, ranked and calibrated."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from wideleaf.agents.candidates import Candidate, candidates, denotation
from wideleaf.agents.database import database_of
from wideleaf.agents.features import Features, explained_places, weigh, weights
from wideleaf.agents.lexicon import Question, lexicon
from wideleaf.agents.plans import Planned
from wideleaf.agents.values import ValueLink
from wideleaf.tools.parts import Link
from wideleaf.tools.profiles import Profile
from wideleaf.tools.table import Table

NAMED = 12
CLEARLY = 1.0
UNHEARD = 2
"""With so many telling words and none of them linked, the question is hardly of this table."""
KEPT = 0.3
"""A plan with less of the best one's confidence is not tried."""
SHOWN = ("gives ", "wide answer", "log rows", "echo")


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


def propose(
    question: str,
    tables: Mapping[str, Table],
    links: Sequence[Link] = (),
    limit: int = 8,
    profile: Profile = "standard",
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
    """
    asked = Question(question, exact=profile == "sql")
    ranked = nothing_first(candidates(asked, database_of(tables, links, profile)))
    best = ranked[0] if ranked else None
    return Proposals(
        plans=tuple(calibrated(ranked)[:limit]),
        understood=_understood(best),
        missing=_missing(asked, best),
    )


def nothing_first(ranked: list[Candidate]) -> list[Candidate]:
    """Put an empty answer first where the best one only gives rows by leaving a condition out.

    That no row fits is an answer, too; the weights, fitted on questions that have one, shun it.
    """
    if not ranked or ranked[0].rows is None:
        return ranked
    best = ranked[0]
    kept = conditions_of(best)
    for place, one in enumerate(ranked[1:], start=1):
        shunned = weigh({name: one.features.get(name, 0.0) for name in ("empty", "null")})
        gained = one.score - shunned - (best.score - weigh(_shown(best)))
        if shunned and conditions_of(one) > kept and gained > CLEARLY:
            return [one, *ranked[:place], *ranked[place + 1 :]]
    return ranked


def conditions_of(candidate: Candidate) -> int:
    """How many conditions a candidate explains."""
    return sum(isinstance(use, ValueLink) for use in candidate.derivation.uses)


def _shown(candidate: Candidate) -> Features:
    """The features that came of a run."""
    return {n: v for n, v in candidate.features.items() if n.startswith(SHOWN)}


def calibrated(ranked: Sequence[Candidate]) -> list[Planned]:
    """The plans with the confidence that their answer is right; one answer's plans add up."""
    ranked = [one for one in ranked if one.rows is not None]
    if not ranked:
        return []
    top = ranked[0].score
    mass = [math.exp(one.score - top) for one in ranked]
    answers = [denotation(one.rows) for one in ranked]
    plans, seen = [], set()
    for one, answer in zip(ranked, answers, strict=True):
        share = sum(m for m, a in zip(mass, answers, strict=True) if a == answer) / sum(mass)
        plans.append(
            one.plan.model_copy(
                update={
                    "score": round(one.score, 4),
                    "confidence": round(confidence(share, one), 3),
                    "same": answer in seen,
                    "empty": one.rows == [] and one.features["left"] <= 1,
                }
            )
        )
        seen.add(answer)
    least = KEPT * plans[0].confidence
    return [plans[0], *(plan for plan in plans[1:] if plan.confidence >= least)]


def confidence(share: float, candidate: Candidate) -> float:
    """How likely an answer is right, by a logistic curve fitted on questions not ranked by.

    Args:
        share: The part of the model's probability that plans with this answer have.
        candidate: One of them.
    """
    known = weights()
    x = known.get("calibrate base", 0.0)
    for name, value in signs(share, candidate).items():
        x += known.get(f"calibrate {name}", 0.0) * value
    sure = 1 / (1 + math.exp(-max(-30.0, min(30.0, x))))
    found = candidate.features
    unheard = not found["coverage"] and found["left"] >= UNHEARD
    return sure / 2 if unheard else sure


def signs(share: float, candidate: Candidate) -> dict[str, float]:
    """What tells whether an answer is right: probability, what is left unexplained, emptiness."""
    bounded = min(max(share, 1e-3), 1 - 1e-3)
    found = candidate.features
    ignored = sum(v for name, v in found.items() if name.startswith("ignored "))
    return {
        "share": math.log(bounded / (1 - bounded)),
        "score": candidate.score / 10,
        "coverage": found["coverage"],
        "strangers": min(found["strangers"], 3.0),
        "left": min(found["left"], 6.0),
        "ignored": min(ignored, 4.0),
        "asked": found["asked"],
        "unlinked": found["unlinked"],
        "dropped": found["dropped"],
        "empty": found.get("empty", 0.0),
    }


def _understood(best: Candidate | None) -> str:
    if best is None:
        return "no word of the question names a column or a value of the tables"
    d = best.derivation
    columns = dict.fromkeys(d.answers)
    columns.update(dict.fromkeys(link.column for link in d.scene.conditions.links))
    return f"the question was linked to {', '.join(columns) or 'no column'} of {d.scene.label}"


def _missing(question: Question, best: Candidate | None) -> str:
    explained = explained_places(question, best.derivation.uses) if best else set()
    left = [
        word.text
        for place, word in enumerate(question.words)
        if place not in explained
        and word.text not in lexicon().stopwords
        and not any(sign.isdigit() for sign in word.text)
    ]
    return ", ".join(left[:NAMED])
