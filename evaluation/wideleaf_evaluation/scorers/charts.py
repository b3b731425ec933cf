"""Scorers of charts: the values that a chart's spec draws, compared as TableBench compares them."""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from wideleaf_evaluation.item import Item
from wideleaf_evaluation.scorers.cells import Prediction

GOLD = "y_references"
"""What a gold answer assigns its list of values to."""
DECIMALS = 2


def y_values(item: Item, prediction: Prediction) -> bool:
    """TableBench's Pass@1 of charts: all values that are drawn, in any order, to two decimals.

    Of a pie the shares are compared; of bars that all reach 100 % the cells or how high each part
    is drawn. A value that is not there has no mark in a spec, so gold
    values that are no number are left out, where the original counts them.
    """
    gold = gold_values(str(item.gold))
    pairs = _alternatives(prediction.chart, gold)
    return bool(gold) and any(
        _round_numbers(values) == _round_numbers(target) for values, target in pairs
    )


def y_within(item: Item, prediction: Prediction) -> bool:
    """The same to one part in a hundred, for golds that were rounded otherwise."""
    gold = gold_values(str(item.gold))
    return bool(gold) and any(_near(*pair) for pair in _alternatives(prediction.chart, gold))


def _near(values: Sequence[float], gold: Sequence[float]) -> bool:
    pairs = zip(sorted(values), sorted(gold), strict=False)
    alike = (math.isclose(one, two, rel_tol=0.01, abs_tol=0.005) for one, two in pairs)
    return len(values) == len(gold) and all(alike)


def _alternatives(
    chart: Mapping[str, Any], gold: list[float]
) -> Iterator[tuple[list[float], list[float]]]:
    """What a chart draws beside the gold: of a pie shares, of full bars the cells or these."""
    values = chart_values(chart)
    if chart.get("form") == "pie":
        yield _shares(values), _shares(gold)
        return
    yield values, gold
    if chart.get("form") == "percent stacked bar":
        yield percentages(chart), gold


def percentages(chart: Mapping[str, Any]) -> list[float]:
    """How high each part of bars that all reach 100 % is, in per cent."""
    points = [one for one in chart["spec"]["data"]["values"] if one.get("y") is not None]
    sums: Counter[Any] = Counter()
    for point in points:
        sums[point.get("x")] += point["y"]
    return [100 * one["y"] / sums[one.get("x")] for one in points if sums[one.get("x")]]


def chart_values(chart: Mapping[str, Any]) -> list[float]:
    """What a chart measures: the ``y`` of each of its points; none of no chart.

    Args:
        chart: As `graph.results.chart_parts.chart_artifact` makes it.
    """
    points = chart.get("spec", {}).get("data", {}).get("values", [])
    return [float(point["y"]) for point in points if point.get("y") is not None]


def gold_values(gold: str) -> list[float]:
    """The numbers of a gold answer, which is a line of Python: ``y_references = [[1, 2]]``.

    Raises:
        ValueError: If it is no such line.
    """
    try:
        line = ast.parse(gold.strip()).body[0]
    except (SyntaxError, IndexError):
        raise ValueError(f"{gold[:60]!r} is no line that assigns {GOLD}") from None
    if not isinstance(line, ast.Assign):
        raise ValueError(f"{gold[:60]!r} assigns nothing to {GOLD}")
    return [number for number in _numbers(line.value) if math.isfinite(number)]


def _numbers(node: ast.expr) -> Iterator[float]:
    if isinstance(node, (ast.List, ast.Tuple)):
        for one in node.elts:
            yield from _numbers(one)
    elif isinstance(node, (ast.Constant, ast.UnaryOp)):
        yield float(ast.literal_eval(node))
    else:  # np.nan
        yield math.nan


def _shares(numbers: Iterable[float]) -> list[float]:
    values = [*numbers]
    total = sum(values)
    return [number / total for number in values] if total else []


def _round_numbers(numbers: Iterable[float]) -> list[float]:
    return sorted(round(number, DECIMALS) for number in numbers)
