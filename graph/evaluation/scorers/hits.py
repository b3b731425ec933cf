"""Scorers of questions over graphs: Hit@1 as it is defined, and as two papers count it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wideleaf.graph.evaluation.item import Item
from wideleaf.graph.evaluation.scorers.cells import Prediction, same_span, span
from wideleaf.graph.evaluation.scorers.spans import gold_spans


def hit_at_1(item: Item, prediction: Prediction) -> bool:
    """Hit@1: the first answer is among the gold ones."""
    return _among(_answers(prediction)[:1], gold_spans(item))


def hit_at_1_trustuqa(item: Item, prediction: Prediction) -> bool:
    """What TrustUQA calls Hit@1 on WebQSP (Zhang et al. 2025): all gold is among the answers.

    It is recall; what else is among them does not matter.
    """
    answers, gold = _answers(prediction), gold_spans(item)
    return bool(gold) and all(_among([wanted], answers) for wanted in gold)


def hit_at_1_structgpt(item: Item, prediction: Prediction) -> bool:
    """What StructGPT calls Hit@1 (Jiang et al. 2023): some gold is a part of the answer's text."""
    text = ", ".join(_answers(prediction))
    return any(wanted and wanted in text for wanted in gold_spans(item))


def _answers(prediction: Prediction) -> list[str]:
    cells: Sequence[Any] = prediction.cells()
    return [span(cell) for cell in cells if cell is not None]


def _among(some: Sequence[str], others: Sequence[str]) -> bool:
    return any(same_span(one, other) for one in some for other in others)
