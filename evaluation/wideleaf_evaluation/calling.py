"""Calling denotation accuracy: how often samples are right that called for a function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from wideleaf.agents.answer.spans import group_alike, span, truth_as
from wideleaf.graph.options.strategies import PROGRAMS
from wideleaf_evaluation.item import Item
from wideleaf_evaluation.registry import prediction_of, score
from wideleaf_evaluation.scorers.cells import Prediction

if TYPE_CHECKING:
    from wideleaf.graph.results.result import Result
    from wideleaf_evaluation.rows import EvalRow


class Sample(NamedTuple):
    """One of the answers that a vote is taken of; a run without a vote is its only sample.

    Attributes:
        called: Whether it called for a function, whatever became of that.
        prediction: Its answer, if it gave one.
    """

    called: bool
    prediction: Prediction


def samples_of(result: Result, strategy: str) -> tuple[Sample, ...]:
    """The samples that a result was voted of, else the run itself as its only one.

    Args:
        result: The result.
        strategy: How it was found, if it does not say so itself.
    """
    return tuple(
        Sample(
            # Where the whole answer is one program, all runs would be calls.
            (one.strategy or strategy) not in PROGRAMS
            and any(node.action.name == "Craft" for node in one.tree.nodes),
            prediction_of(one),
        )
        for one in result.samples or (result,)
    )


def majority(predictions: Sequence[Prediction]) -> Prediction:
    """The answer that most gave, of as many votes the first; none has no vote.

    As in a vote, answers are one if they hold the same spans in any order.
    """
    votes = [
        (spans, prediction)
        for prediction in predictions
        if (spans := [span(cell) for cell in truth_as(prediction.cells(), ("yes", "no"))])
    ]
    groups = group_alike(votes, lambda vote: vote[0])
    return max(groups, key=len, default=[([], Prediction())])[0][1]


def calling_scores(item: Item, samples: Sequence[Sample]) -> dict[str, float]:
    """What the majority of the samples scores that called CRAFT (CRAFTQA, appendix A.2).

    Returns:
        The scores by every scorer of the set; none if no sample called it.
    """
    called = [sample.prediction for sample in samples if sample.called]
    return score(item, majority(called)) if called else {}


def calling_of(rows: Sequence[EvalRow]) -> dict[str, Any]:
    """CDA of a set by each of its scorers (CRAFTQA, equations 16 and 17); empty without a call."""
    called = [row for row in rows if row.calling]
    if not called:
        return {}
    names = called[0].calling
    return {
        "questions": len(called),
        "samples": max(len(row.samples) or 1 for row in called),
        "cda": {
            name: sum(row.calling.get(name, 0.0) for row in called) / len(called) for name in names
        },
    }
