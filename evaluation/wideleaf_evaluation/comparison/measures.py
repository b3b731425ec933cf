"""Measures: what tables of comparisons tell of some rows, each under its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from wideleaf_evaluation.errors.judge import ErrorClass
from wideleaf_evaluation.outcomes import OUTCOMES, Outcome, outcome_of
from wideleaf_evaluation.rows import EvalRow


class Figure(NamedTuple):
    """One number of a table.

    Attributes:
        value: A share in percent, or a count or mean as it is.
        questions: Over how many questions; 0 where a publication does not say.
    """

    value: float
    questions: int = 0


def overall(sets: Iterable[tuple[int, float]]) -> float | None:
    """The mean of sets' shares, each weighted by its size (CRAFTQA, equation 15).

    Args:
        sets: Size and share of each.

    Returns:
        The mean; None where there is no question.
    """
    pairs = list(sets)
    total = sum(size for size, _ in pairs)
    return sum(size * share for size, share in pairs) / total if total else None


class Measure(NamedTuple):
    """Something that tables tell.

    Attributes:
        about: The rule, in a line.
        of: Reckons it.
    """

    about: str
    of: Callable[[Sequence[EvalRow]], Figure | None]


def _mean(rows: Sequence[EvalRow], share: Callable[[EvalRow], float]) -> Figure:
    return Figure(100 * sum(map(share, rows)) / len(rows), len(rows))


def _score(scorer: str) -> Callable[[Sequence[EvalRow]], Figure | None]:
    def of(rows: Sequence[EvalRow]) -> Figure | None:
        if any(scorer not in row.scores for row in rows):
            return None
        return _mean(rows, lambda row: row.scores[scorer])

    return of


def _calling(rows: Sequence[EvalRow]) -> Figure | None:
    called = [row for row in rows if "denotation" in row.calling]
    return _mean(called, lambda row: row.calling["denotation"]) if called else None


def _pass_at_1(rows: Sequence[EvalRow]) -> Figure | None:
    if not any(row.tries for row in rows):
        return None
    return _mean(rows, lambda row: row.right and row.tries == 1)


def _steps(reckon: Callable[[list[int]], float]) -> Callable[[Sequence[EvalRow]], Figure | None]:
    def of(rows: Sequence[EvalRow]) -> Figure | None:
        steps = [row.plan_steps for row in rows if row.plan_steps is not None]
        return Figure(reckon(steps), len(steps)) if steps else None

    return of


def _count(letter: Outcome) -> Callable[[Sequence[EvalRow]], Figure]:
    return lambda rows: Figure(sum(outcome_of(row) == letter for row in rows), len(rows))


def _share_of(one: ErrorClass) -> Callable[[Sequence[EvalRow]], Figure | None]:
    def of(rows: Sequence[EvalRow]) -> Figure | None:
        wrong = [row for row in rows if row.error_classes]
        return _mean(wrong, lambda row: one in row.error_classes) if wrong else None

    return of


MEASURES: dict[str, Measure] = {
    "DA": Measure("denotation accuracy, spans as a multiset (denotation)", _score("denotation")),
    "F1": Measure("F1 of spans as multisets (f1)", _score("f1")),
    "Hit@1": Measure("the first answer is among the gold ones (hit@1)", _score("hit@1")),
    "all gold": Measure(
        "all gold is among the answers, what TrustUQA calls Hit@1 (hit@1_trustuqa)",
        _score("hit@1_trustuqa"),
    ),
    "EM": Measure("rows under some order of columns (rows)", _score("rows")),
    "CDA": Measure(
        "denotation accuracy of the majority of the samples that called CRAFT, over the questions "
        "of which one did; without a vote, the run is its only sample",
        _calling,
    ),
    "pass@1": Measure("right by the set's headline with the first program", _pass_at_1),
    "average steps": Measure(
        "nodes of the answer's plan without its tables, mean over the answers",
        _steps(lambda steps: sum(steps) / len(steps)),
    ),
    "most steps": Measure("the same, the largest", _steps(max)),
    **{letter: Measure(f"how many: {about}", _count(letter)) for letter, about in OUTCOMES.items()},
    **{
        str(one): Measure("share of the wrong answers that are of this class", _share_of(one))
        for one in ErrorClass
    },
}
