"""Calling denotation accuracy: how often samples are right that wrote a function of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, field_validator

from wideleaf.graph.context import PROGRAMS
from wideleaf.graph.evaluation.item import Item
from wideleaf.graph.evaluation.registry import Prediction, score
from wideleaf.graph.evaluation.scorers.cells import clean, span

if TYPE_CHECKING:
    from wideleaf.graph.evaluation.rows import EvalRow
    from wideleaf.graph.results.result import Result


class Sample(BaseModel):
    """One of the answers that a vote is taken of; a run without a vote is its only sample.

    Attributes:
        cells: The rows of its answer; none where it gave none.
        crafted: Whether a function was written on its way.
        strategy: How it was found.
        status: As a result's.
    """

    model_config = ConfigDict(frozen=True, from_attributes=True)

    cells: tuple[tuple[Any, ...], ...] = ()
    crafted: bool = False
    strategy: str = ""
    status: str = ""

    @field_validator("cells", mode="before")
    @classmethod
    def _plain(cls, cells: Iterable[Any]) -> tuple[tuple[Any, ...], ...]:
        """A flat list is one column."""
        rows = (cell if isinstance(cell, (list, tuple)) else (cell,) for cell in cells)
        return tuple(tuple(map(clean, row)) for row in rows)


def samples_of(result: Result, prediction: Prediction, strategy: str) -> tuple[Sample, ...]:
    """The samples that a result was voted of, else the run itself as its only one."""
    if samples := getattr(result, "samples", ()):
        return tuple(Sample.model_validate(sample) for sample in samples)
    # Where the whole answer is one program, all runs would be calls.
    calls = any(node.action.name == "Craft" for node in result.tree.nodes)
    return (
        Sample(
            cells=tuple(map(tuple, prediction.table())),
            crafted=calls and strategy not in PROGRAMS,
            strategy=strategy,
            status=result.status,
        ),
    )


def majority(samples: Sequence[Sample]) -> Sample | None:
    """The first sample of the answer that most of them gave; one without an answer has no vote."""
    given = [(_said(sample), sample) for sample in samples if _said(sample)]
    if not given:
        return None
    (most, _), *_ = Counter(said for said, _ in given).most_common(1)
    return next(sample for said, sample in given if said == most)


def _said(sample: Sample) -> tuple[str, ...]:
    """An answer as its spans in order, so that the order of rows makes no other answer."""
    if sample.status != "answered":
        return ()
    return tuple(sorted(span(cell) for row in sample.cells for cell in row))


def calling_scores(item: Item, samples: Sequence[Sample]) -> dict[str, float]:
    """What the majority of the samples scores that called CRAFT (CRAFTQA, appendix A.2).

    Returns:
        The scores by every scorer of the set; none if no sample called it.
    """
    called = [sample for sample in samples if sample.crafted]
    if not called:
        return {}
    winner = majority(called)
    if winner is None:
        return score(item, Prediction())
    columns = [str(number) for number, _ in enumerate(winner.cells[0], 1)]
    return score(item, Prediction(columns, winner.cells))


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
