"""Pivot: the values of one column become columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, NamedTuple, Self

import narwhals as nw
from pydantic import Field, ValidationError, field_validator
from pydantic.json_schema import SkipJsonSchema, WithJsonSchema

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.distinct import distinct_rows
from wideleaf.tools.actions.measuring.measures import (
    Trait,
    compute_measures,
    resolve_measures,
    tell_measures,
)
from wideleaf.tools.conditions.literals import text_column
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact, Policy
from wideleaf.tools.tables.columns import (
    Column,
    Columns,
    need_kind,
    resolve_column,
    resolve_columns,
)
from wideleaf.tools.tables.extents import Wide
from wideleaf.tools.tables.needs import PLACES, Header, Need
from wideleaf.tools.tables.table import Kind, Table, aggregate_by

MAX_NEW = 1_000
"""So many columns may be made."""
MEANINGS_SHOWN = 20
_KINDS: tuple[Kind, ...] = ("number", "text", "boolean", "date", "datetime")

CellFunction = Literal[
    "count",
    "count distinct",
    "sum",
    "mean",
    "median",
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
    "any",
    "all",
]
"""The measures that need no further argument."""
# All tools are sent together, so what Group spells out is not spelled out again.
_AS_IN_GROUP = WithJsonSchema({"type": "string"})
_KEY, _SHOWN, _CELL = "__key", "__shown", "__cell"


class PivotValue(NamedTuple):
    """A value that becomes a column.

    Attributes:
        key: What the engine compares with; None for the null.
        label: What it is called.
    """

    key: Any
    label: str


class Pivot(Action):
    """Turn the values of a column into columns: one row per index, a measure in each cell."""

    purpose = "reshape"
    peeks = True
    places = PLACES | {"value"}
    phrases = (
        "pivot", "pivoted", "crosstab", "cross tabulation", "cross tabulate", "contingency table",
        "wide form", "wide format", "long to wide", "rows into columns", "a column for each",
        "one column per", "spread over columns", "spread into columns",
    )  # fmt: skip

    columns: Column = Field(description="Its values become columns.")
    index: Columns | None = Field(default=None, description="Rows. Default: a single row.")
    value: Column | None = Field(default=None, description="Measured column.")
    function: Annotated[CellFunction | None, _AS_IN_GROUP] = Field(
        default=None, description="One of Group's. Default: sum, or count without a value."
    )
    headers: SkipJsonSchema[Literal["values", "numbers"] | None] = None
    wide: SkipJsonSchema[Wide | None] = None

    @field_validator("function", mode="before")
    @classmethod
    def _spelled(cls, function: object) -> object:
        try:
            trait = function and Trait.model_validate({"function": function, "column": "any"})
        except ValidationError:
            return function
        # A cell has no place for the word population, so it is not read as if it were not there.
        return function if not isinstance(trait, Trait) or trait.population else trait.function

    def within(self, policy: Policy) -> Self:
        """Number the new columns where a cell's value must not become a header."""
        headers = "values" if policy.allows("values") else "numbers"
        return self.model_copy(update={"headers": headers})

    def resolve(self, *tables: Table) -> Self:
        """Name the columns and count those to come.

        Raises:
            ActionError: If a column does not fit, or more than `MAX_NEW` would be made.
        """
        table = tables[0]
        columns = resolve_column(self.columns, table)
        index = None if self.index is None else resolve_columns(self.index, table)
        need_kind(table, [columns, *(index or ())], *_KINDS, purpose="Pivot")
        if columns in (index or ()):
            raise ActionError(f"{columns!r} is in the index, too; it can be one of the two")
        function = self.function or ("count" if self.value is None else "sum")
        if self.value is None and function not in ("count", "share"):
            raise ActionError(f"{function!r} needs a value column")
        value = None if self.value is None else resolve_column(self.value, table)
        cell = Trait(function=function, column=value, wide=self.wide)
        [measure] = resolve_measures([cell], table)
        fields = {"columns": columns, "index": index, "value": value, "function": function}
        resolved = self.model_copy(update=fields | {"wide": measure.wide})
        resolved._values(table)
        return resolved

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The index; for a cell the value, decided by the column that was spread."""
        rows = {name: Need(frozenset({name})) for name in self.index or ()}
        cell = Need(frozenset({self.value} if self.value else ()), frozenset({self.columns}))
        cells = {name: cell for name in need.all if name not in rows}
        return [need.through(rows | cells).plus((), self.index or ())]

    def run(self, *tables: Table) -> Table:
        """Measure each cell, then spread the cells over columns.

        Raises:
            ActionError: If there are too many values, or none and no index.
        """
        table, index = tables[0], self.index or ()
        values = self._values(table)
        needed = dict.fromkeys((*index, self.columns, *([self.value] if self.value else ())))
        keyed = table.frame.select(*needed).with_columns(_key(table, self.columns).alias(_KEY))
        measure = self._measure(_CELL)
        cells = compute_measures(keyed, (*index, _KEY), [measure], table)
        spread = []
        for place, value in enumerate(values):
            key = nw.col(_KEY)
            there = key.is_null() if value.key is None else key == value.key
            spread.append(nw.when(there).then(nw.col(_CELL)).max().alias(f"{_CELL}_{place}"))
        if index:
            wide = aggregate_by(cells, index, *spread).sort(*index, nulls_last=True)
        else:
            wide = cells.select(*spread)
        columns: list[nw.Expr] = [nw.col(name) for name in index]
        for place, header in enumerate(self._headers(values)):
            cell = nw.col(f"{_CELL}_{place}")
            # A count of no rows is 0; every other measure over none is null.
            counts = measure.function.startswith("count") or measure.column is None
            columns.append((cell.fill_null(0) if counts else cell).alias(header))
        return Table(wide.select(*columns))

    def new_headers(self, *tables: Table) -> dict[str, str]:
        """The value that each numbered column stands for; none where values are the headers."""
        if self.headers != "numbers":
            return {}
        values = self._values(tables[0])
        return dict(zip(self._headers(values), (value.label for value in values), strict=True))

    def spread_labels(self, table: Table) -> dict[str, str]:
        """What each new column stands for, by its header, in order."""
        values = self._values(table)
        return dict(zip(self._headers(values), (value.label for value in values), strict=True))

    def stands_in(self, headers: Sequence[str], table: Table) -> nw.Expr:
        """Whether a row of the table goes into one of these new columns."""
        key, values = _key(table, self.columns), self._values(table)
        of_header = dict(zip(self._headers(values), values, strict=True))
        picks = [of_header[header] for header in headers if header in of_header]
        tests = [key.is_null() if one.key is None else key == one.key for one in picks]
        return nw.any_horizontal(*tests, ignore_nulls=True) if tests else nw.lit(False)

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell how many columns came, and what they stand for where their names do not say."""
        values = self._values(tables[0])
        headers = self._headers(values)
        facts = [Fact(text=f"{len(values)} values of {self.columns!r} became columns")]
        if self.headers == "numbers":
            facts.append(Fact(text="The person sees the values as headers, in this order"))
        pairs = zip(headers, values, strict=True)
        meanings = [f"{name} is {value.label!r}" for name, value in pairs if name != value.label]
        if meanings:
            more = len(meanings) - MEANINGS_SHOWN
            text = ", ".join(meanings[:MEANINGS_SHOWN]) + (f" and {more} more" if more > 0 else "")
            facts.append(Fact(text=text, matter="values"))
        measure = self._measure(f"{self.function} of {self.value}")
        keys = (*(self.index or ()), self.columns)
        return facts + tell_measures(tables[0].frame, keys, [measure], tables[0])

    def _measure(self, name: str) -> Trait:
        function = self.function or "count"
        return Trait(function=function, column=self.value, name=name, wide=self.wide)

    def _headers(self, values: Sequence[PivotValue]) -> list[str]:
        """A name for each new column, all unlike each other and the index in any case."""
        stems = [_header(value.label) for value in values]
        if self.headers == "numbers":
            stem = self.value or self.columns
            stems = [f"{stem}_{place}" for place in range(1, len(values) + 1)]
        return unlike(stems, self.index or ())

    def _values(self, table: Table) -> list[PivotValue]:
        """The values in order, the null last; looks at the one column."""
        key = _key(table, self.columns)
        cell = nw.col(self.columns)
        if table.kind(self.columns) == "datetime":
            cell = cell.cast(_microseconds(table, self.columns))
        pairs = table.frame.select(key.alias(_KEY), cell.alias(_SHOWN))
        pairs = distinct_rows(pairs, (_KEY, _SHOWN))
        cells = dict(pairs.head(MAX_NEW + 1).collect().rows())
        if len(cells) > MAX_NEW:
            count = distinct_rows(pairs, (_KEY,)).select(nw.len()).collect().item()
            raise ActionError(
                f"{self.columns!r} has {count} values, and Pivot makes {MAX_NEW} columns at "
                f"most; Filter or Group first, or swap columns and index",
                kind="too large",
            )
        if not cells and not self.index:
            raise ActionError(
                f"{self.columns!r} has no values to make columns of; name an index, or take a "
                f"table with rows",
                kind="no values",
            )
        null = [PivotValue(None, "null")] if None in cells else []
        there = [(cell, key) for key, cell in cells.items() if key is not None]
        return [PivotValue(key, _label(cell)) for cell, key in sorted(there)] + null


def unlike(names: Iterable[str], others: Iterable[str] = ()) -> list[str]:
    """The names with ``_2`` and so on behind those that are there, in whatever case.

    Some engines take headers that differ only in case for the same.
    """
    keys = {name.casefold() for name in others}
    headers = []
    for name in names:
        new, number = name, 2
        while new.casefold() in keys:
            new, number = f"{name}_{number}", number + 1
        keys.add(new.casefold())
        headers.append(new)
    return headers


def _key(table: Table, name: str) -> nw.Expr:
    """The column as something whose cells compare with a literal alike on every engine."""
    kind, dtype = table.kind(name), table.schema[name]
    if kind == "text":
        return text_column(table, name)
    if kind == "date":
        return nw.col(name).cast(nw.String)
    if kind == "datetime":
        return nw.col(name).cast(_microseconds(table, name)).cast(nw.String)
    if kind == "number" and not dtype.is_integer():
        return nw.col(name).cast(nw.Float64)
    return nw.col(name)


def _microseconds(table: Table, name: str) -> nw.Datetime:
    return nw.Datetime("us", getattr(table.schema[name], "time_zone", None))


def _label(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    if isinstance(value, datetime) and value.tzinfo is not None:
        return str(value.astimezone(UTC))
    return str(value)


def _header(label: str) -> str:
    """A label as a header; a blank one or one with a null character would be none."""
    return label.replace("\0", "�") if label.strip() else "blank"
