"""Scorers that compare spans: denotation accuracy in its published variants, and F1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wideleaf.agents.answer.spans import count_shared, same_bag_of_spans, span, truth_as
from wideleaf_evaluation.item import Item
from wideleaf_evaluation.scorers.cells import Prediction
from wideleaf_evaluation.scorers.gold import gold_cells


def denotation_accuracy(item: Item, prediction: Prediction) -> bool:
    """Denotation accuracy: spans equal as a multiset."""
    gold = gold_spans(item)
    return same_bag_of_spans([span(c) for c in truth_as(prediction.cells(), gold)], gold)


def denotation_structgpt(item: Item, prediction: Prediction) -> bool:
    """Denotation accuracy as StructGPT's code has it (Jiang et al. 2023).

    The answer is one text, split at every comma with a blank; gold is a list and is not split,
    so that a gold cell with such a comma in it is never met. Duplicates count.
    """
    gold = gold_spans(item)
    return same_bag_of_spans(_split(truth_as(prediction.cells(), gold), ", "), gold)


def denotation_trustuqa(item: Item, prediction: Prediction) -> bool:
    """Denotation accuracy as TrustUQA's code has it (Zhang et al. 2025).

    Gold is a set, so that an answer must not say a duplicate; both sides are split at every
    comma, inside of 1,234 too, and blanks go.
    """
    gold = gold_spans(item)
    golds = _split(dict.fromkeys(map(str, gold_cells(item))), ",")
    spans = _split(truth_as(prediction.cells(), gold), ",")
    return same_bag_of_spans(
        [s.replace(" ", "") for s in spans], [g.replace(" ", "") for g in golds]
    )


def f1(item: Item, prediction: Prediction) -> float:
    """The harmonic mean of precision and recall of spans, as multisets."""
    gold = gold_spans(item)
    cells = truth_as(prediction.cells(), gold)
    if not cells or not gold:
        return float(not cells and not gold)
    return 2 * count_shared([span(c) for c in cells], gold) / (len(cells) + len(gold))


def set_f1(item: Item, prediction: Prediction) -> float:
    """The harmonic mean of precision and recall of spans, as sets."""
    gold = [*dict.fromkeys(gold_spans(item))]
    cells = [*dict.fromkeys(map(span, truth_as(prediction.cells(), gold)))]
    if not cells or not gold:
        return float(not cells and not gold)
    return 2 * count_shared(cells, gold) / (len(cells) + len(gold))


def gold_spans(item: Item) -> list[str]:
    """The gold answer as denotation spans."""
    return [span(cell) for cell in gold_cells(item)]


def _split(cells: Iterable[Any], mark: str) -> list[str]:
    """Cells written as texts and split at a mark, as if they had come as one text."""
    texts = ("none" if cell is None else str(cell) for cell in cells)
    return [span(part) for text in texts for part in text.split(mark)]
