"""Why an answer was wrong: one cause each, the first that fits."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from wideleaf.agents.answer.spans import number_of, truth_as
from wideleaf_evaluation.item import Item
from wideleaf_evaluation.scorers.cells import Prediction
from wideleaf_evaluation.scorers.gold import gold_cells
from wideleaf_evaluation.scorers.parts import MAX_TIMES
from wideleaf_evaluation.scorers.rows import same_bag


class Cause(NamedTuple):
    """One class of failures.

    Attributes:
        name: What reports call it.
        about: What belongs to it.
        fits: Whether a wrong answer does.
    """

    name: str
    about: str
    fits: Callable[[str, Item, Prediction], bool]


def classify_error(status: str, item: Item, prediction: Prediction) -> str:
    """The first cause that fits an answer that was not right."""
    return next(cause.name for cause in CAUSES if cause.fits(status, item, prediction))


def _empty(status: str, item: Item, prediction: Prediction) -> bool:
    return all(cell is None for cell in prediction.cells())


def _order(status: str, item: Item, prediction: Prediction) -> bool:
    gold, cells = _cells(item, prediction)
    return same_bag(gold, cells)


def _over_long(status: str, item: Item, prediction: Prediction) -> bool:
    gold, cells = _cells(item, prediction)
    return len(cells) > MAX_TIMES * len(gold) and same_bag(gold, cells, within=True)


def _more(status: str, item: Item, prediction: Prediction) -> bool:
    gold, cells = _cells(item, prediction)
    return len(cells) > len(gold) and same_bag(gold, cells, within=True)


def _fewer(status: str, item: Item, prediction: Prediction) -> bool:
    gold, cells = _cells(item, prediction)
    return len(cells) < len(gold) and same_bag(cells, gold, within=True)


def _shape(status: str, item: Item, prediction: Prediction) -> bool:
    gold, cells = _cells(item, prediction)
    return len(cells) != len(gold)


def _unit(status: str, item: Item, prediction: Prediction) -> bool:
    """All cells that differ are numbers that differ by a sign, a power of ten or a rounding."""
    gold, cells = _cells(item, prediction)
    pairs = [(_number(c), _number(g)) for c, g in zip(cells, gold, strict=True) if c != g]
    return bool(pairs) and all(c is not None and g is not None and _near(c, g) for c, g in pairs)


def _near(number: float, gold: float) -> bool:
    if not number or not gold:
        return abs(number - gold) < 0.01
    ratio = abs(number / gold)
    power = round(math.log10(ratio))
    return abs(power) <= 9 and abs(ratio / 10.0**power - 1) < 0.01


def _number(cell: Any) -> float | None:
    return number_of(cell, marks=True)


def _cells(item: Item, prediction: Prediction) -> tuple[list[Any], list[Any]]:
    gold = [_parse_cell(cell) for cell in gold_cells(item)]
    return gold, [_parse_cell(cell) for cell in truth_as(prediction.cells(), gold)]


def _parse_cell(cell: Any) -> Any:
    number = _number(cell)
    return str(cell).strip().lower() if number is None and cell is not None else number


CAUSES: tuple[Cause, ...] = (
    Cause(
        "refused",
        "it was said that nobody knew how (status unanswered)",
        lambda s, *_: s == "unanswered",
    ),
    Cause(
        "ended early",
        "a budget of steps, seconds, tokens or cost ended it",
        lambda s, *_: s == "partial",
    ),
    Cause("error", "an error ended it", lambda s, *_: s != "answered"),
    Cause("empty result", "the answer has no rows or only missing cells", _empty),
    Cause("order or layout", "the gold's cells, in another order, layout or writing", _order),
    Cause("over-long", "the gold is in it, among more than three times as many cells", _over_long),
    Cause("more than asked", "the gold is in it, among up to three times as many cells", _more),
    Cause("less than asked", "some of the gold's cells and no others", _fewer),
    Cause("wrong shape", "another number of cells, and not the gold's", _shape),
    Cause("unit or rounding", "numbers off by a sign, a power of ten or at most 1 %", _unit),
    Cause("wrong value", "as many cells as the gold, and others", lambda *_: True),
)
