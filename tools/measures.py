"""Measures: named aggregates that mean the same on every engine, nulls left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import narwhals as nw
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from wideleaf.tools.columns import need_kind, resolve_columns
from wideleaf.tools.errors import ActionError
from wideleaf.tools.literals import number_column
from wideleaf.tools.table import Kind, Table

MeasureFunction = Literal[
    "count", "count distinct", "sum", "mean", "median", "min", "max", "std", "variance"
]
NUMERIC = ("sum", "mean", "median", "std", "variance")
_SPELLINGS = {
    "avg": "mean",
    "average": "mean",
    "stddev": "std",
    "var": "variance",
    "nunique": "count distinct",
    "size": "count",
}
_ORDERED: tuple[Kind, ...] = ("number", "text", "boolean", "date", "datetime")


class Measure(BaseModel):
    """An aggregate of a column; std and variance are those of a sample (n - 1)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    function: MeasureFunction
    column: str | None = Field(default=None, description="Name or family.")
    name: str | None = Field(default=None, min_length=1)

    @field_validator("function", mode="before")
    @classmethod
    def _spelled(cls, function: object) -> object:
        text = str(function).replace("_", " ").lower()
        return _SPELLINGS.get(text, text)

    @model_validator(mode="after")
    def _shaped(self) -> Measure:
        if self.column is None and self.function != "count":
            raise ValueError(f"{self.function!r} needs a column")
        return self


_AGGREGATES: dict[MeasureFunction, Callable[[nw.Expr], nw.Expr]] = {
    "count": nw.Expr.count,
    "count distinct": nw.Expr.n_unique,
    "sum": nw.Expr.sum,
    "mean": nw.Expr.mean,
    "median": nw.Expr.median,
    "min": nw.Expr.min,
    "max": nw.Expr.max,
    "std": nw.Expr.std,
    "variance": nw.Expr.var,
}

COUNT = Measure(function="count")


class Plan(NamedTuple):
    """Measures as expressions.

    Attributes:
        aggregates: Elementary aggregates under hidden names.
        results: The measures, made of those.
    """

    aggregates: list[nw.Expr]
    results: list[nw.Expr]


def resolve_measures(
    measures: Sequence[Measure], table: Table, taken: Sequence[str] = ()
) -> tuple[Measure, ...]:
    """One named measure for each column a measure stands for.

    Raises:
        ActionError: If a column is unknown or of the wrong kind, or two results share a name.
    """
    resolved = [one for measure in measures for one in _resolve_one(measure, table)]
    seen = set(taken)
    for measure in resolved:
        if measure.name in seen:
            raise ActionError(f"two results are called {measure.name!r}; give one another name")
        seen.add(str(measure.name))
    return tuple(resolved)


def plan_measures(measures: Sequence[Measure], table: Table) -> Plan:
    """Split resolved measures into elementary aggregates and what is made of them.

    Engines agree on the elementary ones only: a sum over nothing is 0 on some and null on others,
    and a null may count as a distinct value.
    """
    plan = Plan([], [])
    for place, measure in enumerate(measures):
        main, beside = f"__measure_{place}", f"__beside_{place}"
        value = nw.col(main)
        if measure.column is None:
            plan.aggregates.append(nw.len().alias(main))
            value = value.cast(nw.Int64)
        else:
            plan.aggregates.append(_aggregate(measure, table).alias(main))
            if measure.function == "sum":
                plan.aggregates.append(nw.col(measure.column).count().alias(beside))
                value = nw.when(nw.col(beside) > 0).then(_integral(measure, table, value))
            elif measure.function == "count distinct":
                nulls = nw.col(measure.column).is_null().any()
                plan.aggregates.append(nulls.cast(nw.Int64).alias(beside))
                value = value.cast(nw.Int64) - nw.col(beside).fill_null(0)
            elif measure.function == "count":
                value = value.cast(nw.Int64)
        plan.results.append(value.alias(str(measure.name)))
    return plan


def _resolve_one(measure: Measure, table: Table) -> list[Measure]:
    if measure.column is None:
        return [measure.model_copy(update={"name": measure.name or "count"})]
    columns = resolve_columns([measure.column], table)
    kinds: tuple[Kind, ...] = ("number", "boolean") if measure.function in NUMERIC else _ORDERED
    if not measure.function.startswith("count"):
        need_kind(table, columns, *kinds, purpose=repr(measure.function))
    stem = measure.name or measure.function.replace(" ", "_")
    if measure.name and len(columns) == 1:
        return [measure.model_copy(update={"column": columns[0]})]
    return [
        measure.model_copy(update={"column": column, "name": f"{stem}_{column}"})
        for column in columns
    ]


def _aggregate(measure: Measure, table: Table) -> nw.Expr:
    name = str(measure.column)
    column = number_column(table, name) if measure.function in NUMERIC else nw.col(name)
    return _AGGREGATES[measure.function](column)


def _integral(measure: Measure, table: Table, value: nw.Expr) -> nw.Expr:
    """Some engines give a sum of integers another type."""
    dtype = table.schema[str(measure.column)]
    return value.cast(nw.Int64) if dtype.is_integer() or dtype == nw.Boolean() else value
