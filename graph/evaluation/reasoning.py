"""Reasoning steps: how many operations lie between a question's tables and its answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wideleaf.graph.evaluation.rows import EvalRow
    from wideleaf.graph.results.result import Result


def reasoning_steps(result: Result) -> int | None:
    """The nodes of the answer's plan without its leaves; None where there is no answer."""
    if result.status != "answered" or not result.label:
        return None
    return sum(bool(node.parents) for node in result.tree.plan(result.label))


def reasoning_of(rows: Sequence[EvalRow]) -> dict[str, Any]:
    """Mean and maximum over the questions answered (CRAFTQA, equations 18 and 19)."""
    steps = [row.plan_steps for row in rows if row.plan_steps is not None]
    if not steps:
        return {}
    return {"questions": len(steps), "mean": sum(steps) / len(steps), "max": max(steps)}
