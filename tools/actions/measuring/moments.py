"""Measures of shape and certainty, composed of elementary aggregates that engines agree on.

Engines have functions of their own for some of these, which lose digits far from zero, differ in
what they are of few rows and are not all there; so they are made of counts, means and deviations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple

import narwhals as nw

from wideleaf.tools.actions.joining.keys import fresh_names
from wideleaf.tools.actions.measuring.measure import MeasureFunction, Trait
from wideleaf.tools.conditions.literals import number_column
from wideleaf.tools.tables.table import Table

CONFIDENCE = 0.95
DEGREE = 14
"""Of the polynomial that a quantile of Student's t is read from."""
Parts = Mapping[str, nw.Expr]
Cells = Literal["cell", "mean", "median"]
"""What an aggregate is of: cells, or their distances from the mean or median of their group."""
_STUDENT = "student"
"""A part that is made of a count, once for both ends of an interval."""


class Part(NamedTuple):
    """An elementary aggregate of a column."""

    of: Cells
    build: Callable[[nw.Expr], nw.Expr]


class Composition(NamedTuple):
    """How a measure is composed: of which of `PARTS`, and how if it is a population's or not."""

    parts: tuple[str, ...]
    build: Callable[[Parts, bool], nw.Expr]


PARTS: dict[str, Part] = {
    "count": Part("cell", lambda cell: cell.count().cast(nw.Float64)),
    "mean": Part("cell", nw.Expr.mean),
    "std": Part("cell", nw.Expr.std),
    "low": Part("cell", nw.Expr.min),
    "q1": Part("cell", lambda cell: cell.quantile(0.25, interpolation="linear")),
    "q3": Part("cell", lambda cell: cell.quantile(0.75, interpolation="linear")),
    "log": Part("cell", lambda cell: nw.when(cell > 0).then(cell).log().mean()),
    "first": Part("mean", nw.Expr.mean),
    "second": Part("mean", lambda away: (away * away).mean()),
    "third": Part("mean", lambda away: (away * away * away).mean()),
    "fourth": Part("mean", lambda away: (away * away * away * away).mean()),
    "middle": Part("median", lambda away: away.abs().median()),
}


def _central(parts: Parts) -> tuple[nw.Expr, nw.Expr]:
    """Mean and second moment, the mean of the distances being zero but for rounding."""
    first = parts["first"]
    return first, parts["second"] - first * first


def _skewness(parts: Parts, population: bool) -> nw.Expr:
    """Fisher and Pearson's coefficient, of a sample adjusted for its size."""
    first, second = _central(parts)
    third = parts["third"] - 3 * first * parts["second"] + 2 * first * first * first
    skewness = third / (second * second.sqrt())
    count = parts["count"]
    if population:
        return nw.when((count > 1) & (second > 0)).then(skewness)
    factor = (count * (count - 1)).sqrt() / (count - 2)
    return nw.when((count > 2) & (second > 0)).then(factor * skewness)


def _kurtosis(parts: Parts, population: bool) -> nw.Expr:
    """In excess of a normal distribution's, of a sample adjusted for its size."""
    first, second = _central(parts)
    square = first * first
    fourth = parts["fourth"] - 4 * first * parts["third"] + 6 * square * parts["second"]
    kurtosis = (fourth - 3 * square * square) / (second * second) - 3
    count = parts["count"]
    if population:
        return nw.when((count > 1) & (second > 0)).then(kurtosis)
    factor = (count - 1) / ((count - 2) * (count - 3))
    return nw.when((count > 3) & (second > 0)).then(factor * ((count + 1) * kurtosis + 6))


def _standard_error(parts: Parts, population: bool = False) -> nw.Expr:
    count = parts["count"]
    return nw.when(count > 1).then(parts["std"] / count.sqrt())


def _end(sign: int) -> Callable[[Parts, bool], nw.Expr]:
    def build(parts: Parts, population: bool) -> nw.Expr:
        width = parts[_STUDENT] * _standard_error(parts)
        return parts["mean"] + width if sign > 0 else parts["mean"] - width

    return build


def _geometric_mean(parts: Parts, population: bool) -> nw.Expr:
    """Of cells above zero; with a zero among them zero, with a negative one null."""
    low = parts["low"]
    return nw.when(low > 0).then(parts["log"].exp()).otherwise(nw.when(low == 0).then(low))


COMPOSITIONS: dict[MeasureFunction, Composition] = {
    "skewness": Composition(("count", "first", "second", "third"), _skewness),
    "kurtosis": Composition(("count", "first", "second", "third", "fourth"), _kurtosis),
    "standard error": Composition(("count", "std"), _standard_error),
    "ci low": Composition(("count", "mean", "std", _STUDENT), _end(-1)),
    "ci high": Composition(("count", "mean", "std", _STUDENT), _end(1)),
    "iqr": Composition(("q1", "q3"), lambda parts, _: parts["q3"] - parts["q1"]),
    "mad": Composition(("middle",), lambda parts, _: parts["middle"]),
    "geometric mean": Composition(("low", "log"), _geometric_mean),
}


class Composed(NamedTuple):
    """Composed measures as expressions, each stage of which is made of the one before.

    Attributes:
        aggregates: Of each group, under hidden names.
        between: Further hidden columns.
        results: The measures, by name; they may be no finite number.
    """

    aggregates: list[nw.Expr]
    between: list[nw.Expr]
    results: dict[str, nw.Expr]


def compose(measures: Sequence[Trait], table: Table) -> Composed:
    """The composed ones among measures.

    Args:
        measures: Resolved measures; others are left out.
        table: Tells the types of their columns.
    """
    parts = _parts(measures)
    names = dict(zip(parts, fresh_names("part", len(parts), table), strict=True))
    hidden = _distances(parts, table)
    plan = Composed([], [], {})
    for column, part in parts:
        name = names[column, part]
        if part == _STUDENT:
            plan.between.append(_student(nw.col(names[column, "count"])).alias(name))
            continue
        of, build = PARTS[part]
        cell = _cell(column, table) if of == "cell" else nw.col(hidden[column, of])
        plan.aggregates.append(build(cell).alias(name))
    for one in measures:
        if composition := COMPOSITIONS.get(one.function):
            own = {part: nw.col(names[str(one.column), part]) for part in composition.parts}
            plan.results[str(one.name)] = composition.build(own, one.population)
    return plan


def with_distances(
    frame: nw.LazyFrame[Any], keys: Sequence[str], measures: Sequence[Trait], table: Table
) -> nw.LazyFrame[Any]:
    """The frame with each cell's distance from the centre of its group, where a measure needs it.

    From a mean it is counted in standard deviations, so that no power of it runs over.
    """

    def within(aggregate: nw.Expr) -> nw.Expr:
        return aggregate.over(*keys) if keys else aggregate

    distances = []
    for (column, centre), name in _distances(_parts(measures), table).items():
        cell = _cell(column, table)
        if centre == "median":
            away = cell - within(cell.median())
        else:
            spread = within(cell.std())
            # The mean of equal cells may be rounded, and what is left has no shape.
            varied = (within(cell.min()) < within(cell.max())) & (spread > 0)
            away = nw.when(varied).then((cell - within(cell.mean())) / spread)
        distances.append(away.alias(name))
    return frame.with_columns(*distances) if distances else frame


@cache
def student_coefficients() -> tuple[float, ...]:
    """Of powers of 2 / df - 1, what sums up to Student's t at the upper end of the interval.

    The quantile hangs on the count, which an engine alone knows, and engines have no such function;
    but it is smooth in 1 / df, so that a polynomial through scipy's values has nine digits of it
    for every whole number of degrees of freedom.
    """
    from numpy.polynomial import Chebyshev, Polynomial
    from scipy.stats import t  # type: ignore[import-untyped]

    upper = (1 + CONFIDENCE) / 2
    fit = Chebyshev.interpolate(lambda at: t.ppf(upper, 2 / (at + 1)), DEGREE, domain=[-1, 1])
    return tuple(map(float, fit.convert(kind=Polynomial).coef))


def _student(count: nw.Expr) -> nw.Expr:
    at = 2 / (count - 1) - 1
    polynomial: nw.Expr | float = 0.0
    for coefficient in reversed(student_coefficients()):
        polynomial = polynomial * at + coefficient
    return nw.when(count > 1).then(polynomial)


def _cell(column: str, table: Table) -> nw.Expr:
    return number_column(table, column).cast(nw.Float64)


def _parts(measures: Iterable[Trait]) -> list[tuple[str, str]]:
    """Columns with the parts that measures of them are composed of, each once."""
    composed = [one for one in measures if one.function in COMPOSITIONS]
    pairs = ((str(o.column), part) for o in composed for part in COMPOSITIONS[o.function].parts)
    return [*dict.fromkeys(pairs)]


def _distances(parts: Iterable[tuple[str, str]], table: Table) -> dict[tuple[str, Cells], str]:
    """A hidden column for each column and centre from which distances are wanted."""
    pairs = ((column, PARTS[part].of) for column, part in parts if part in PARTS)
    centres = [pair for pair in dict.fromkeys(pairs) if pair[1] != "cell"]
    return dict(zip(centres, fresh_names("distance", len(centres), table), strict=True))
