"""A measure: one named aggregate of a column, as it is asked for and as it fits a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic.json_schema import SkipJsonSchema, WithJsonSchema

from wideleaf.tools.actions.measuring.spellings import read_function, with_both_ends
from wideleaf.tools.conditions.condition import AS_IN_FILTER, Condition
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.columns import need_kind, resolve_column, resolve_columns
from wideleaf.tools.tables.extents import Extent, Wide, find_extents, wide_for, wide_of, widest
from wideleaf.tools.tables.needs import Need
from wideleaf.tools.tables.sort_keys import SortKeys, resolve_keys
from wideleaf.tools.tables.table import Kind, Table

MeasureFunction = Literal[
    "count",
    "count distinct",
    "sum",
    "mean",
    "weighted mean",
    "median",
    "quantile",
    "min",
    "max",
    "range",
    "std",
    "variance",
    "skewness",
    "kurtosis",
    "standard error",
    "ci low",
    "ci high",
    "iqr",
    "mad",
    "geometric mean",
    "share",
    "mode",
    "first",
    "last",
    "list",
    "list distinct",
    "any",
    "all",
]
NUMERIC: frozenset[MeasureFunction] = frozenset(
    (
        "sum", "mean", "weighted mean", "median", "quantile", "range", "std", "variance",
        "skewness", "kurtosis", "standard error", "ci low", "ci high", "iqr", "mad",
        "geometric mean", "share",
    )
)  # fmt: skip
PICKING: frozenset[MeasureFunction] = frozenset(("mode", "first", "last"))
"""Measures that are a cell of the column; of several that would do, the smallest."""
LISTING: frozenset[MeasureFunction] = frozenset(("list", "list distinct"))
"""Measures that are cells as one text, in an order or else from the smallest."""
ENDS: frozenset[MeasureFunction] = frozenset(("first", "last"))
"""Measures that are of all rows: of some of them they would mean either of two things."""
OF_POPULATIONS: frozenset[MeasureFunction] = frozenset(("std", "variance", "skewness", "kurtosis"))
"""Measures of a sample, or of a population where that is asked for."""
BOTH_ENDS = BeforeValidator(with_both_ends)
"""For a list of measures, among which a confidence interval is its two ends."""
# All tools are sent together, so what one of them spells out is not spelled out again.
AS_IN_GROUP = WithJsonSchema(
    {
        "type": "array",
        "items": {"type": "object"},
        "description": "{function: mean, column, name, where}, as Group's.",
    }
)
_ORDERED: tuple[Kind, ...] = ("number", "text", "boolean", "date", "datetime")
_SUMS: tuple[MeasureFunction, ...] = ("sum", "share")
_NEEDS = {"q": ("quantile",), "weight": ("weighted mean",), "order": ("first", "last")}
_MAY = {"order": LISTING}


class Trait(BaseModel):
    """An aggregate of a column; std, variance, skewness and kurtosis are a sample's by default.

    Kurtosis is in excess of a normal one; ci is the 95 % interval of the mean, by Student's t.

    What its result is held in, where 64 bits do not do, is decided when it is resolved (`wide`).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    function: MeasureFunction = Field(
        description="share: the group's part of all rows, or of column's total; with where: of the "
        "group's own the part that meets it. ci: 95 %, of the mean; mad: of the median; kurtosis: "
        "excess."
    )
    column: str | None = Field(default=None, description="Name or family.")
    name: str | None = Field(
        default=None,
        min_length=1,
        description="Default: function_column, such as mean_price. Of a family: before _column.",
    )
    q: float | None = Field(default=None, ge=0, le=1, description="Of quantile.")
    weight: str | None = Field(default=None, description="Of weighted mean.")
    order: SortKeys = Field(
        default=(), description="Needed by first, last; list may have it; -name descends."
    )
    where: Annotated[Condition | None, AS_IN_FILTER] = None
    population: bool = Field(default=False, description="std ... kurtosis; default: a sample's.")
    wide: SkipJsonSchema[Wide | None] = None

    @model_validator(mode="before")
    @classmethod
    def _spelled(cls, measure: Any) -> Any:
        if not isinstance(measure, Mapping) or "function" not in measure:
            return measure
        function, population = read_function(str(measure["function"]))
        has_population = population is not None and function in OF_POPULATIONS
        return {**measure, "function": function} | (
            {"population": population} if has_population else {}
        )

    @model_validator(mode="after")
    def _shaped(self) -> Trait:
        if self.column is None and self.function not in ("count", "share"):
            raise ValueError(f"{self.function!r} needs a column")
        for field, functions in _NEEDS.items():
            has_field = getattr(self, field) not in (None, ())
            if has_field and self.function not in (*functions, *_MAY.get(field, ())):
                raise ValueError(f"{self.function!r} takes no {field}")
            if not has_field and self.function in functions:
                raise ValueError(f"{self.function!r} needs {field}{_HINTS[field]}")
        if self.population and self.function not in OF_POPULATIONS:
            raise ValueError(f"{self.function!r} takes no population")
        if self.where is not None and self.function in ENDS:
            raise ValueError(f"{self.function!r} takes no where; Filter the table first")
        return self


_HINTS = {
    "q": ", from 0 to 1, such as 0.9",
    "weight": ", a column of numbers",
    "order": ", the columns that say which row comes first",
}
COUNT = Trait(function="count")


def resolve_measures(
    measures: Sequence[Trait], table: Table, taken: Sequence[str] = ()
) -> tuple[Trait, ...]:
    """One named measure for each column a measure stands for.

    Raises:
        ActionError: If a column is unknown or of the wrong kind, or two results share a name.
    """
    resolved = [one for measure in measures for one in _resolve_one(measure, table)]
    resolved = _widen(resolved, table)
    names = set(taken)
    for measure in resolved:
        if measure.name in names:
            raise ActionError(f"two results are called {measure.name!r}; give one another name")
        names.add(str(measure.name))
    return tuple(resolved)


def measure_needs(need: Need, keys: Sequence[str], measures: Sequence[Trait]) -> Need:
    """What stands behind columns of resolved measures of groups, which the keys decide."""
    sources = {name: Need(frozenset({name})) for name in keys}
    for measure in measures:
        cells = frozenset(name for name in (measure.column, measure.weight) if name)
        sources[str(measure.name)] = Need(cells, frozenset(key.column for key in measure.order))
    return need.through(sources).plus((), keys)


def _resolve_one(measure: Trait, table: Table) -> list[Trait]:
    if measure.where is not None:
        raise ActionError(
            f"{measure_stem(measure)!r} takes a where in Group, Aggregate and Resample alone; "
            "here Filter first",
            kind="argument where",
        )
    if measure.column is None:
        return [measure.model_copy(update={"name": measure.name or measure.function})]
    columns = resolve_columns([measure.column], table)
    if not measure.function.startswith("count"):
        need_kind(table, columns, *_kinds(measure.function), purpose=repr(measure.function))
    measure = _beside(measure, table)
    if measure.name and len(columns) == 1:
        return [measure.model_copy(update={"column": columns[0]})]
    stem = measure.name or measure_stem(measure)
    return [
        measure.model_copy(update={"column": column, "name": f"{stem}_{column}"})
        for column in columns
    ]


def _widen(measures: Sequence[Trait], table: Table) -> list[Trait]:
    """The measures with what holds their results: a sum or range of whole numbers may be long."""
    functions = (*_SUMS, "range")
    names = [str(one.column) for one in measures if one.column and one.function in functions]
    extents = find_extents(table, names)
    return [
        measure.model_copy(update={"wide": widest((measure.wide, _wide(measure, extents, table)))})
        if measure.function in functions and measure.column in extents
        else measure
        for measure in measures
    ]


def _wide(measure: Trait, extents: Mapping[str, Extent], table: Table) -> Wide | None:
    extent, own = extents[str(measure.column)], wide_of(table.schema[str(measure.column)])
    size = extent.total if measure.function in _SUMS else extent.high - extent.low
    return widest((own, wide_for(0, size)))


def _kinds(function: MeasureFunction) -> tuple[Kind, ...]:
    if function in ("any", "all"):
        return ("boolean",)
    return ("number", "boolean") if function in NUMERIC else _ORDERED


def _beside(measure: Trait, table: Table) -> Trait:
    """The measure with the columns it needs beside its own named."""
    if measure.weight is not None:
        weight = resolve_column(measure.weight, table)
        need_kind(table, [weight], "number", "boolean", purpose="a weight")
        return measure.model_copy(update={"weight": weight})
    if measure.order:
        order = resolve_keys(measure.order, table, repr(measure.function))
        return measure.model_copy(update={"order": order})
    return measure


def measure_stem(measure: Trait) -> str:
    """What a measure that has no name is called before its column: ``mean`` of ``mean_price``."""
    if measure.q is not None:  # a dot in a header would be awkward to write in most languages
        return f"p{100 * measure.q:.10g}".replace(".", "_")
    words = measure.function.replace(" ", "_")
    return f"population_{words}" if measure.population else words
