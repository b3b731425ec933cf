"""Scorers that compare values cell by cell: Hit@1, WikiSQL and WikiTableQuestions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from wideleaf.agents.answer.spans import close, number_of, same_span, span, truth_as
from wideleaf_evaluation.item import Item
from wideleaf_evaluation.scorers.cells import Prediction, days_of, normalise
from wideleaf_evaluation.scorers.spans import gold_spans


def hit_at_1(item: Item, prediction: Prediction) -> bool:
    """Hit@1: the first answer is among the gold ones."""
    return _among(_answers(prediction)[:1], gold_spans(item))


def hit_at_1_trustuqa(item: Item, prediction: Prediction) -> bool:
    """What TrustUQA calls Hit@1 on WebQSP (Zhang et al. 2025): all gold is among the answers.

    It is recall; what else is among them does not matter.
    """
    answers, gold = _answers(prediction), gold_spans(item)
    return bool(gold) and all(_among([target], answers) for target in gold)


def hit_at_1_structgpt(item: Item, prediction: Prediction) -> bool:
    """What StructGPT calls Hit@1 (Jiang et al. 2023): some gold is a part of the answer's text."""
    text = ", ".join(_answers(prediction))
    return any(target and target in text for target in gold_spans(item))


def _answers(prediction: Prediction) -> list[str]:
    cells: Sequence[Any] = prediction.cells()
    return [span(cell) for cell in cells if cell is not None]


def _among(some: Sequence[str], others: Sequence[str]) -> bool:
    return any(same_span(one, other) for one in some for other in others)


def execution(item: Item, prediction: Prediction) -> bool:
    """WikiSQL execution accuracy (Zhong et al. 2017): the list of cells, order and all."""
    cells, gold = prediction.cells(), list(item.gold)
    return len(cells) == len(gold) and all(map(_same_value, cells, gold))


def execution_by_type(item: Item, prediction: Prediction) -> bool:
    """Execution accuracy where a typed cell equals the text it was read from."""
    cells, gold = prediction.cells(), list(item.gold)
    return len(cells) == len(gold) and all(
        _same_value(c, g) or _same_typed(c, g) for c, g in zip(cells, gold, strict=True)
    )


def _same_value(cell: Any, gold: Any) -> bool:
    one, two = number_of(cell), number_of(gold)
    if one is not None and two is not None:
        return close(one, two)
    return str(cell).strip().lower() == str(gold).strip().lower()


def _same_typed(cell: Any, gold: Any) -> bool:
    one, two = number_of(cell, marks=True), number_of(gold, marks=True)
    if one is not None and two is not None:
        # A share is kept as 0.12 or as 12, as its column's reading was.
        return close(one, two) or ("%" in str(gold) and close(one * 100, two))
    return not days_of(cell).isdisjoint(days_of(gold))


def official(item: Item, prediction: Prediction) -> bool:
    """The WikiTableQuestions evaluator, with gold texts that are numbers or dates read as such.

    The original takes that reading from a file beside the gold answers; here a text is read if
    all of it is a number, with marks for thousands, or a date.
    """
    return _official(item, prediction, read=True)


def official_text(item: Item, prediction: Prediction) -> bool:
    """The same with gold taken as text only."""
    return _official(item, prediction, read=False)


class _Value(NamedTuple):
    """A value of the evaluator; a number and a day are looked at beside the text."""

    text: str
    number: float | None
    day: tuple[int, int, int] | None


def _official(item: Item, prediction: Prediction, *, read: bool) -> bool:
    cells = [cell for cell in prediction.cells() if cell is not None]
    golds = [_value(gold, read) for gold in dict.fromkeys(map(str, item.gold))]
    predicted = [_value(cell, False) for cell in truth_as(cells, item.gold)]
    # Sets of values: what the original counts as equal is counted once.
    golds, predicted = _distinct(golds), _distinct(predicted)
    return len(golds) == len(predicted) and all(
        any(_matches(gold, other) for other in predicted) for gold in golds
    )


def _distinct(values: list[_Value]) -> list[_Value]:
    keyed = {v.number if v.number is not None else v.day or v.text: v for v in values}
    return list(keyed.values())


def _value(cell: Any, marks: bool) -> _Value:
    text = str(cell)
    number = number_of(cell, marks=marks)
    if number is not None and abs(number - round(number)) < 1e-6:
        number = float(round(number))
    days = days_of(text) if marks or re.fullmatch(r"\d{4}-\d{1,2}-\d{1,2}", text) else set()
    return _Value(normalise(text), number, days.pop() if len(days) == 1 else None)


def _matches(gold: _Value, other: _Value) -> bool:
    if gold.text == other.text:
        return True
    if gold.number is not None and other.number is not None:
        return abs(gold.number - other.number) < 1e-6
    return gold.day is not None and gold.day == other.day
