"""Unpivot: columns become rows of a name and a value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any, Literal, Self

import narwhals as nw
from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.joining.partners import MAX_ROWS
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.columns import AnyColumns, Columns, need_kind, resolve_columns
from wideleaf.tools.tables.families import Family, find_families
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table, wider_type

_NAME, _VALUE = "__name", "__value"
_TYPES: dict[str, Any] = {
    "whole": nw.Int64,
    "number": nw.Float64,
    "date": nw.Date,
    "text": nw.String,
}
Parameter = int | float | str
MAX_KEPT = 8
"""So many columns an error lists."""
ALL = "*"
"""Every column that is not kept."""


class Unpivot(Action):
    """Turn columns into rows of (name, value); a family's number or date becomes the name."""

    purpose = "reshape"
    phrases = (
        "melt", "unpivot", "wide to long", "long form", "columns into rows", "columns as rows",
        "across the columns", "across the years", "over all columns",
    )  # fmt: skip

    columns: Annotated[Columns, Field(description="Names or families; * for all but keep.")]
    keep: AnyColumns | None = Field(default=None, description="Default: all others.")
    name: str = Field(default="name", min_length=1)
    value: str = Field(default="value", min_length=1)
    drop_nulls: bool = False
    # What stands in the name column for each column, and its type; filled in by resolve.
    parameters: SkipJsonSchema[tuple[Parameter, ...]] = ()
    axis: SkipJsonSchema[Literal["whole", "number", "date", "text"]] = "text"

    def resolve(self, *tables: Table) -> Self:
        """Name the columns and read what their names say.

        Raises:
            ActionError: If the columns are of several kinds, a name is taken, or there would be
                too many rows.
        """
        table = tables[0]
        columns = resolve_columns(self.columns, table)
        column_set = set(columns)
        keep = tuple(name for name in table.columns if name not in column_set)
        if self.keep is not None:
            keep = resolve_columns(self.keep, table)
        if self.columns == (ALL,) and self.keep is not None:
            columns = tuple(name for name in columns if name not in keep)
            if not columns:
                raise ActionError(
                    "keep takes every column, so '*' is none; keep fewer", kind="argument keep"
                )
        kinds = ("number", "text", "boolean", "date", "datetime")
        need_kind(table, columns, *kinds, purpose="Unpivot")
        odd = next((c for c in columns if table.kind(c) != table.kind(columns[0])), None)
        if odd is not None:
            raise ActionError(
                f"{columns[0]!r} is {table.kind(columns[0])} and {odd!r} is {table.kind(odd)}; "
                f"Unpivot needs columns of one kind{_hint(columns, table)}",
                kind="wrong type",
            )
        self._need_free(keep)
        if (rows := table.count() * len(columns)) > MAX_ROWS:
            raise ActionError(
                f"this would make {rows} rows, more than {MAX_ROWS}; Filter or Group first",
                kind="too large",
            )
        update: dict[str, Any] = {"columns": columns, "keep": keep}
        if len(self.parameters) != len(columns):
            update["axis"], update["parameters"] = _read_names(columns, table)
        return self.model_copy(update=update)

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns kept, and for the value all that were stacked."""
        return [need.past(self.keep or (), {self.value: Need(frozenset(self.columns))})]

    def run(self, *tables: Table) -> Table:
        """Stack the columns, nulls with them unless they are to be dropped."""
        table = tables[0]
        dtype = wider_type([table.schema[name] for name in self.columns])
        cells = [
            nw.col(n) if table.schema[n] == dtype else nw.col(n).cast(dtype) for n in self.columns
        ]
        aliases = {name: f"__kept_{place}" for place, name in enumerate(self.keep or ())}
        hidden = [nw.col(old).alias(new) for old, new in aliases.items()]
        if table.frame.implementation is nw.Implementation.DUCKDB:
            long = self._unnested(table.frame, hidden, cells)
        elif table.frame.implementation.is_ibis():
            # Not every database has lists to take apart.
            parts = [
                table.frame.select(*hidden, self._literal(p).alias(_NAME), cell.alias(_VALUE))
                for p, cell in zip(self.parameters, cells, strict=True)
            ]
            long = nw.concat(parts)
        else:
            # No dot, which Spark would take for a field of a structure.
            texts = [str(p).replace(".", "_") for p in self.parameters]
            if self.axis == "text":
                texts = [str(p) for p in self.parameters]
            wide = table.frame.select(
                *hidden, *(cell.alias(text) for cell, text in zip(cells, texts, strict=True))
            )
            long = wide.unpivot(
                on=texts, index=list(aliases.values()), variable_name=_NAME, value_name=_VALUE
            )
            long = long.with_columns(self._typed(nw.col(_NAME)))
        if self.drop_nulls:
            long = long.filter(~nw.col(_VALUE).is_null())
        return Table(
            long.select(
                *(nw.col(new).alias(old) for old, new in aliases.items()),
                nw.col(_NAME).alias(self.name),
                nw.col(_VALUE).alias(self.value),
            )
        )

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell what the names mean and what became of nulls."""
        facts = []
        if self.axis != "text":
            family = family_of(self.columns, tables[0])
            if family is not None:
                text = f"{self.name!r} is the {family.axis} in {family.notation}"
                facts.append(Fact(text=text))
        if self.drop_nulls:
            lost = tables[0].count() * len(self.columns) - result.count()
            return [*facts, Fact(text=f"{lost} null cells were left out")]
        return [*facts, Fact(text="Null cells are rows, too")]

    def _need_free(self, keep: Sequence[str]) -> None:
        headers = {name.casefold() for name in keep}
        for field, name in (("name", self.name), ("value", self.value)):
            if name.casefold() in headers:
                raise ActionError(
                    f"a kept column is called {name!r} already; give {field} another name",
                    kind="name taken",
                )
            headers.add(name.casefold())

    def _literal(self, parameter: Parameter) -> nw.Expr:
        if self.axis == "date":
            return nw.lit(date.fromisoformat(str(parameter)))
        return nw.lit(parameter).cast(_TYPES[self.axis])

    def _typed(self, text: nw.Expr) -> nw.Expr:
        if self.axis == "number":
            text = text.str.replace_all("_", ".", literal=True)
        if self.axis == "date":
            return text.str.to_date(format="%Y-%m-%d")
        return text if self.axis == "text" else text.cast(_TYPES[self.axis])

    def _unnested(
        self, frame: nw.LazyFrame[Any], hidden: Sequence[nw.Expr], cells: Sequence[nw.Expr]
    ) -> nw.LazyFrame[Any]:
        """DuckDB's own way: two lists of one length beside each other, taken apart in step."""
        from duckdb import ColumnExpression, ConstantExpression, FunctionExpression

        names = [f"__cell_{place}" for place in range(len(cells))]
        wide = frame.select(
            *hidden, *(cell.alias(name) for cell, name in zip(cells, names, strict=True))
        )
        lists = {
            _NAME: [ConstantExpression(p) for p in self.parameters],
            _VALUE: [ColumnExpression(name) for name in names],
        }
        columns = [ColumnExpression(name) for name in wide.collect_schema() if name not in names]
        for name, items in lists.items():
            unnested = FunctionExpression("unnest", FunctionExpression("list_value", *items))
            columns.append(unnested.alias(name))
        long: nw.LazyFrame[Any] = nw.from_native(nw.to_native(wide).select(*columns))
        return long.with_columns(nw.col(_NAME).cast(_TYPES[self.axis]))


def family_of(columns: Sequence[str], table: Table) -> Family | None:
    """The one family that all these columns are of; None if there is none."""
    members = set(columns)
    for names in (table.columns, tuple(columns)):
        for family in find_families(names):
            if members <= set(family.columns):
                return family
    return None


def _hint(columns: Sequence[str], table: Table) -> str:
    """Which columns could be kept instead, so that the others are of one kind."""
    kinds = Counter(table.kind(name) for name in columns)
    most, _ = kinds.most_common(1)[0]
    odd = [name for name in columns if table.kind(name) != most]
    return f"; the others are of one if keep has {odd}" if len(odd) <= MAX_KEPT else ""


def _read_names(
    columns: Sequence[str], table: Table
) -> tuple[Literal["whole", "number", "date", "text"], tuple[Parameter, ...]]:
    """What stands in the name column for each column: its place in a family, or its name."""
    family = family_of(columns, table)
    if family is None:
        return "text", tuple(columns)
    place_of = {column: value for value, column in family.members}
    values = [place_of[column] for column in columns]
    if len(set(values)) < len(values):  # "x_1" and "x_01" would be one
        return "text", tuple(columns)
    numbers = [value for value in values if isinstance(value, float)]
    if numbers:
        if all(number.is_integer() and abs(number) < 2**53 for number in numbers):
            return "whole", tuple(int(number) for number in numbers)
        plain = all("e" not in str(number) for number in numbers)
        return ("number", tuple(numbers)) if plain else ("text", tuple(columns))
    texts = [str(value) for value in values]
    if family.axis != "date":
        return "text", tuple(texts)
    dates = [_iso(text) for text in texts]
    days = [one for one in dates if one is not None]
    whole = len(days) == len(texts) == len(set(days))
    return ("date", tuple(days)) if whole else ("text", tuple(texts))


def _iso(text: str) -> str | None:
    digits = "".join(sign for sign in text if sign.isdigit())
    try:
        return date.fromisoformat(f"{digits[:4]}-{digits[4:6]}-{digits[6:]}").isoformat()
    except ValueError:
        return None
