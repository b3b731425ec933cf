"""Scales as SQL: a number by the statistics of its column or group, in few subqueries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sqlglot import exp

from wideleaf.tools.actions.preparing.normalise import Normalise
from wideleaf.tools.exports.sql.rules import StepInput
from wideleaf.tools.exports.sql.words import (
    QueryScope,
    Sql,
    binary,
    call,
    case,
    divide,
    is_null,
    number,
    order_key,
    over,
    quote_identifier,
    with_alias,
)

NO_QUARTILES = "it has no median or quartiles over a window"


class Layers:
    """Hidden columns computed beforehand: many beside each other, few subqueries deep.

    Args:
        scope: What the query knows.
    """

    def __init__(self, scope: QueryScope) -> None:
        self.scope = scope
        self._made: dict[int, list[tuple[str, Sql]]] = {}

    def add(self, depth: int, made: Sql) -> Sql:
        """Have something computed at a depth, of the table's columns and those of lesser depths."""
        name = f"__stage_{depth}_{len(self._made.setdefault(depth, []))}"
        self._made[depth].append((name, made))
        return exp.column(quote_identifier(name))

    def below(self, given: StepInput) -> Sql:
        """The table with the hidden columns, as something to select from."""
        source: Sql = given.source
        for depth, made in sorted(self._made.items()):
            columns = [with_alias(one, name) for name, one in made]
            source = exp.select(exp.Star(), *columns).from_(source).subquery(f"stage_{depth}")
        return source


def _away(value: Sql, middle: Sql) -> Sql:
    return exp.Paren(this=binary(exp.Sub, value, middle))


def _still(value: Sql, by: Sequence[Sql]) -> Sql:
    """Whether the cells do not differ."""
    low, high = (over(kind(this=value.copy()), by) for kind in (exp.Min, exp.Max))
    return binary(exp.EQ, low, high)


def _z_score(value: Sql, by: Sequence[Sql], action: Normalise, layers: Layers) -> Sql:
    mean = over(exp.Avg(this=value.copy()), by)
    if layers.scope.lite:  # it has no deviation
        mean = layers.add(1, mean)
        away = _away(value, mean)
        squares = layers.add(2, binary(exp.Mul, away, away))
        count = over(exp.Count(this=value.copy()), by)
        others = count if action.population else exp.Paren(this=binary(exp.Sub, count, number(1)))
        spread: Sql = exp.Sqrt(this=divide(over(exp.Sum(this=squares), by), others))
    else:
        kind = exp.StddevPop if action.population else exp.StddevSamp
        spread = over(kind(this=value.copy()), by)
    scaled = divide(_away(value, mean), spread)
    return case([(is_null(value), exp.Null()), (_still(value, by), number(0.0))], scaled)


def _min_max(value: Sql, by: Sequence[Sql], action: Normalise, layers: Layers) -> Sql:
    low, high = (over(kind(this=value.copy()), by) for kind in (exp.Min, exp.Max))
    start, width = number(action.low), number(action.high - action.low)
    share = divide(_away(value, low), _away(high, low))
    scaled = binary(exp.Add, start, binary(exp.Mul, share, width))
    return case([(is_null(value), exp.Null()), (_still(value, by), start)], scaled)


def _robust(value: Sql, by: Sequence[Sql], action: Normalise, layers: Layers) -> Sql:
    if layers.scope.dialect != "duckdb":
        layers.scope.refuse(NO_QUARTILES)
    away = _away(value, over(exp.Median(this=value.copy()), by))
    low, high = (over(call("QUANTILE_CONT", value, number(q)), by) for q in (0.25, 0.75))
    return case([(binary(exp.EQ, low, high), away)], divide(away, _away(high, low)))


def _max_abs(value: Sql, by: Sequence[Sql], action: Normalise, layers: Layers) -> Sql:
    largest = over(exp.Max(this=exp.Abs(this=value.copy())), by)
    return case([(binary(exp.GT, largest, number(0)), divide(value, largest))], value)


def _log(more: float = 0.0, base: float | None = None) -> Callable[..., Sql]:
    """The logarithm of what is so much more than a cell; null where that is not positive."""

    def log(value: Sql, by: Sequence[Sql], action: Normalise, layers: Layers) -> Sql:
        raised = exp.Paren(this=binary(exp.Add, value, number(more))) if more else value
        natural: Sql = exp.Ln(this=raised.copy())
        if base:
            natural = divide(natural, exp.Ln(this=number(base, exact=True)))
        return case([(binary(exp.GT, value, number(-more)), natural)])

    return log


def _rank(value: Sql, by: Sequence[Sql], action: Normalise, layers: Layers) -> Sql:
    before = _away(over(call("RANK"), by, [order_key(value)]), number(1))
    equal = _away(over(exp.Count(this=exp.Star()), [*by, value]), number(1))
    place = binary(exp.Add, before, divide(equal, number(2)))
    others = _away(over(exp.Count(this=value.copy()), by), number(1))
    share = divide(exp.Paren(this=place), others)
    alone = binary(exp.LT, others, number(1))
    return case([(is_null(value), exp.Null()), (alone, number(0.5))], share)


SCALES: Mapping[str, Callable[..., Sql]] = {
    "z-score": _z_score,
    "min-max": _min_max,
    "robust": _robust,
    "max-abs": _max_abs,
    "log": _log(),
    "log1p": _log(1.0),
    "log10": _log(base=10.0),
    "rank": _rank,
}
