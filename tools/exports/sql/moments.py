"""Measures of spread, shape and certainty as SQL, composed of what every dialect has."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from wideleaf.tools.actions.measuring.measures import Trait
from wideleaf.tools.actions.measuring.moments import student_coefficients
from wideleaf.tools.exports.sql.words import (
    QueryScope,
    Sql,
    binary,
    case,
    chain,
    divide,
    number,
    order_key,
    over,
)

_POWERS = {"skewness": 3, "kurtosis": 4}
_DEVIATIONS: dict[tuple[str, bool], type[Sql]] = {
    ("std", False): exp.StddevSamp,
    ("std", True): exp.StddevPop,
    ("variance", False): exp.Variance,
    ("variance", True): exp.VariancePop,
}


def composed_sql(measure: Trait, value: Sql, keys: Sequence[Sql], scope: QueryScope) -> Sql:
    """A measure of `COMPOSITIONS`.

    Args:
        measure: The resolved measure.
        value: Its column as numbers.
        keys: What is grouped by.
        scope: What the query knows.
    """
    cell = exp.cast(value.copy(), "double")
    match measure.function:
        case "skewness" | "kurtosis":
            return _shape(measure, cell, keys, scope)
        case "iqr":
            high, low = (quantile(value, q, keys, scope) for q in (0.75, 0.25))
            return binary(exp.Sub, high, low)
        case "mad":
            return _median_distance(value, keys, scope)
        case "geometric mean":
            return _geometric_mean(cell)
        case "standard error":
            return _standard_error(cell, keys, scope)
    width = binary(exp.Mul, _student(cell, keys, scope), _standard_error(cell, keys, scope))
    sign = exp.Sub if measure.function == "ci low" else exp.Add
    return binary(sign, exp.Avg(this=cell), width)


def quantile(value: Sql, q: float, keys: Sequence[Sql], scope: QueryScope) -> Sql:
    """Linear between the two cells around it; where there is no such function, by their places."""
    if scope.dialect == "duckdb":
        wide = exp.cast(value.copy(), "double")
        if q == 0.5:
            return exp.Median(this=wide)
        return exp.Anonymous(this="QUANTILE_CONT", expressions=[wide, number(q)])
    place = scope.stage(over(exp.RowNumber(), keys, [order_key(value)]))
    count = scope.stage(over(exp.Count(this=value.copy()), keys))
    at = binary(exp.Mul, binary(exp.Sub, count, number(1)), number(q, exact=not scope.lite))
    below = exp.cast(exp.Floor(this=at), "bigint")
    ends = []
    for step in (1, 2):
        here = binary(exp.EQ, place, binary(exp.Add, below, number(step)))
        ends.append(exp.Max(this=case([(here, exp.cast(value.copy(), "double"))])))
    low, high = ends
    between = exp.Max(this=binary(exp.Sub, at, exp.Floor(this=at.copy())))
    gap = exp.Paren(this=binary(exp.Sub, exp.Coalesce(this=high, expressions=[low.copy()]), low))
    return binary(exp.Add, low, binary(exp.Mul, gap, between))


def deviation(
    function: str, value: Sql, keys: Sequence[Sql], scope: QueryScope, *, population: bool = False
) -> Sql:
    """Standard deviation or variance; where a dialect has none, by distances from the mean."""
    if not scope.lite:
        return _DEVIATIONS[function, population](this=exp.cast(value.copy(), "double"))
    mean = scope.stage(over(exp.Avg(this=value.copy()), keys))
    apart = exp.Paren(this=binary(exp.Sub, value, mean))
    squares = exp.Sum(this=binary(exp.Mul, apart, apart))
    count: Sql = exp.Count(this=value.copy())
    variance = divide(squares, count if population else binary(exp.Sub, count, number(1)))
    return exp.Sqrt(this=variance) if function == "std" else variance


def _standard_error(cell: Sql, keys: Sequence[Sql], scope: QueryScope) -> Sql:
    root: Sql = exp.Sqrt(this=exp.cast(exp.Count(this=cell.copy()), "double"))
    return divide(deviation("std", cell, keys, scope), root)


def _student(cell: Sql, keys: Sequence[Sql], scope: QueryScope) -> Sql:
    """Student's t of a group's degrees of freedom, a polynomial of 2 / df - 1."""
    others = binary(exp.Sub, over(exp.Count(this=cell.copy()), keys), number(1))
    at = scope.stage(binary(exp.Sub, divide(number(2.0), others), number(1)))
    first, *rest = (number(one, exact=True) for one in student_coefficients())
    terms = [
        binary(exp.Mul, one, exp.Pow(this=at.copy(), expression=number(power)))
        for power, one in enumerate(rest, 1)
    ]
    made = chain(exp.Add, [first, *terms])
    return exp.Max(this=scope.stage(made))


def _shape(measure: Trait, cell: Sql, keys: Sequence[Sql], scope: QueryScope) -> Sql:
    """By powers of the distances from the mean, in parts of the largest of them."""
    away = cell
    for _ in range(2):  # what the first mean was rounded by
        away = scope.stage(binary(exp.Sub, away, over(exp.Avg(this=away.copy()), keys)))
    largest = over(exp.Max(this=exp.Abs(this=away.copy())), keys)
    part = scope.stage(divide(away, largest))
    count: Sql = exp.cast(exp.Count(this=cell.copy()), "double")
    second = exp.Avg(this=chain(exp.Mul, [part] * 2))
    power = exp.Avg(this=chain(exp.Mul, [part] * _POWERS[measure.function]))
    one, two, three = (binary(exp.Sub, count, number(less)) for less in (1, 2, 3))
    if measure.function == "skewness":
        made = divide(power, binary(exp.Mul, second, exp.Sqrt(this=second.copy())))
        adjusted = divide(binary(exp.Mul, made, exp.Sqrt(this=binary(exp.Mul, count, one))), two)
    else:
        made = binary(exp.Sub, divide(power, binary(exp.Mul, second, second)), number(3))
        more = binary(exp.Add, binary(exp.Mul, binary(exp.Add, count, number(1)), made), number(6))
        adjusted = divide(binary(exp.Mul, one, more), binary(exp.Mul, two, three))
    least = 1 if measure.population else _POWERS[measure.function] - 1
    varied = binary(exp.LT, exp.Min(this=cell.copy()), exp.Max(this=cell.copy()))
    whole = chain(exp.And, [binary(exp.GT, count, number(least)), varied])
    return case([(whole, made if measure.population else adjusted)])


def _median_distance(value: Sql, keys: Sequence[Sql], scope: QueryScope) -> Sql:
    """The median of the distances from the median."""
    median = quantile(value, 0.5, keys, scope)

    def in_each_row(node: Sql) -> Sql:
        return over(node.copy(), keys) if isinstance(node, exp.Max | exp.Median) else node

    centre = scope.stage(median.transform(in_each_row))
    away = scope.stage(exp.Abs(this=binary(exp.Sub, value, centre)))
    return quantile(away, 0.5, keys, scope)


def _geometric_mean(cell: Sql) -> Sql:
    """Of cells above zero; with a zero among them zero, with a negative one null."""
    low = exp.Min(this=cell.copy())
    logs = exp.Ln(this=case([(binary(exp.GT, cell, number(0)), cell)]))
    pairs = [
        (binary(exp.GT, low, number(0)), exp.Exp(this=exp.Avg(this=logs))),
        (binary(exp.EQ, low, number(0)), low),
    ]
    return case(pairs)
