"""Impute: nulls filled with what is likely to stand there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import narwhals as nw
from pydantic import ConfigDict, Field, field_validator

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.measuring.measures import Trait, resolve_measures, tell_measures
from wideleaf.tools.actions.preparing.fillings import (
    IMPUTATIONS,
    Imputation,
    Method,
    is_measured,
    known_cell,
)
from wideleaf.tools.actions.windowing.order import ANY, tell_ties
from wideleaf.tools.conditions.literals import Scalar
from wideleaf.tools.errors import ActionError, need_none
from wideleaf.tools.privacy import Fact, caveat, caveats
from wideleaf.tools.tables.columns import Columns, need_kind, resolve_columns, resolve_groups
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.sort_keys import SortKeys, resolve_keys
from wideleaf.tools.tables.table import Table, count_where

COLUMNS_TOLD = 8


class Impute(Action):
    """Fill the nulls of columns, under their names."""

    purpose = "columns"
    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)
    keeps = frozenset(("order",))
    phrases = (
        "impute", "imputed", "imputation", "imputing", "fill missing", "fill in missing",
        "filling missing", "fill nulls", "fill gaps", "fill the blanks", "fill empty",
        "missing filled", "replace missing", "replace nulls", "missing replaced", "forward fill",
        "forward filled", "back fill", "backfill", "carry forward", "carried forward",
        "interpolate", "interpolated", "interpolation", "nearest neighbours", "nearest neighbors",
    )  # fmt: skip

    columns: Columns
    method: Method
    value: Scalar | None = None
    by: Columns | None = Field(default=None, description="Groups.")
    fallback: bool = Field(
        default=True, description="A group without cells takes that of all rows."
    )
    order: SortKeys = Field(default=(), description="Of previous, next, interpolate.")
    neighbours: int = Field(default=5, ge=1, le=1000)
    with_: Columns | None = Field(
        default=None, alias="with", description="Of neighbours: near in these, too."
    )

    @field_validator("method", mode="before")
    @classmethod
    def _read_method(cls, method: object) -> object:
        text = " ".join(str(method).lower().replace("_", " ").split())
        return next((name for name, way in IMPUTATIONS.items() if text in way.spellings), text)

    @property
    def lazy(self) -> bool:  # type: ignore[override]  # neighbours are looked for in memory
        """Whether the result stays a query."""
        return self.method != "neighbours"

    @property
    def imputation(self) -> Imputation:
        """The way of the method."""
        return IMPUTATIONS[self.method]

    def resolve(self, *tables: Table) -> Self:
        """Name the columns, groups and order.

        Raises:
            ActionError: If the method does not fit the columns, lacks an argument or takes none
                such.
        """
        table, what = tables[0], f"Impute's {self.method}"
        columns = resolve_columns(self.columns, table)
        kinds = ("number",) if self.imputation.numeric else ANY
        need_kind(table, columns, *kinds, purpose=what)
        by = resolve_groups(self.by, table, "Impute's")
        order = resolve_keys(self.order, table, "Impute's order")
        beside = None if self.with_ is None else resolve_columns(self.with_, table)
        need_kind(table, beside or (), "number", purpose="Impute's with")
        for place, names in (("by", by), ("order", [key.column for key in order])):
            if both := [name for name in names or () if name in columns]:
                raise ActionError(
                    f"{place} names {both[0]!r}, which is to be filled; it can be one of the two",
                    kind=f"argument {place}",
                )
        beside = beside and tuple(name for name in beside if name not in columns)
        fields = {"columns": columns, "by": by, "order": order, "with_": beside or None}
        resolved = self.model_copy(update=fields)
        resolved._need_parts()
        if self.value is not None:
            resolved.imputation.fill(table, resolved)  # which reads the value
        return resolved

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, and for each that is filled its own, decided by the groups and the order."""
        beside = frozenset((*(self.by or ()), *(key.column for key in self.order)))
        near = frozenset((*self.columns, *(self.with_ or ()))) if not self.lazy else frozenset()
        sources = {name: Need(near | {name}, beside) for name in self.columns}
        return [need.past(headers[0], sources)]

    def run(self, *tables: Table) -> Table:
        """Fill the nulls.

        Raises:
            ActionError: If there are too many rows to look for neighbours.
        """
        table = tables[0]
        frame, filled = self.imputation.fill(table, self)
        cells = {name: cell.alias(name) for name, cell in filled.items()}
        return Table(frame.select(*(cells.get(name, nw.col(name)) for name in table.columns)))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell how many nulls each column had and has, and how the others were filled."""
        table, by, imputation = tables[0], self.by or (), self.imputation
        before, after = _count_nulls(table, self.columns), _count_nulls(result, self.columns)
        rest, width = sum(after), len(self.columns)
        text = f"{sum(before) - rest} nulls were filled, in {width} columns of {table.count()} rows"
        facts = [caveat(text)]
        counts = zip(self.columns, before, after, strict=True)
        if changes := [f"{name!r} had {had} and has {has}" for name, had, has in counts if had]:
            more = (
                f", and {len(changes) - COLUMNS_TOLD} more" if len(changes) > COLUMNS_TOLD else ""
            )
            facts.append(Fact(text=f"Nulls: {', '.join(changes[:COLUMNS_TOLD])}{more}"))
        facts += caveats((rest, f"{rest} nulls are left: {self._explain_nulls()}"))
        whole = [repr(name) for name in self.columns if table.schema[name].is_integer()]
        if imputation.numeric and whole:
            text = f"No longer whole numbers: {', '.join(whole[:COLUMNS_TOLD])}"
            facts.append(Fact(text=text))
        if by and self.fallback and not imputation.side:
            bare = self.model_copy(update={"fallback": False}).run(table)
            borrowed = sum(_count_nulls(bare, self.columns)) - rest
            text = f"{borrowed} nulls were filled with the {self.method} of all rows: their group "
            facts += caveats((borrowed, f"{text}has none"))
        return facts + self._tell_source(table)

    def _tell_source(self, table: Table) -> list[Fact]:
        """What the cells that are filled with hang on."""
        by, facts = self.by or (), list[Fact]()
        if self.method == "mode":
            modes = [Trait(function="mode", column=name) for name in self.columns]
            return tell_measures(table.frame, by, resolve_measures(modes, table), table)
        if self.method == "neighbours":
            near = (*self.columns, *(self.with_ or ()))
            unknown = [known_cell(table, name).is_null() for name in near]
            [alone] = count_where(table.frame, nw.all_horizontal(*unknown, ignore_nulls=True))
            text = "Rows are near by numbers in units of their columns' deviations"
            lonely = f"{alone} rows have no number in these columns and took the means"
            return [Fact(text=text), *caveats((alone, lonely))]
        if self.order:
            first = self.order[0].column
            if self.method == "interpolate":
                how = f"by the distances in {first!r}" if is_measured(table, self) else "by rows"
                facts.append(Fact(text=f"Interpolated {how}"))
            facts += tell_ties(table.frame, [*by, *(key.column for key in self.order)])
            [unplaced] = _count_nulls(table, [first])
            facts += caveats((unplaced, f"{unplaced} rows with a null {first!r} come last"))
        return facts

    @property
    def partition(self) -> tuple[str, ...]:
        """What groups rows of which none hangs on others; none if each may hang on all."""
        alone = self.imputation.side or not self.fallback
        return self.by or () if alone else ()

    def _explain_nulls(self) -> str:
        """Why nulls are left."""
        where = " in their group" if self.by else ""
        if side := self.imputation.side:
            return f"there is no cell {side} them{where}"
        return f"there is no cell to take it from{where if not self.fallback else ''}"

    def _need_parts(self) -> None:
        """Refuse what the method lacks or does not take.

        Raises:
            ActionError: Says which.
        """
        what, imputation = repr(self.method), self.imputation
        arguments = {
            "value": self.value is not None,
            "order": bool(self.order),
            "by": bool(self.by),
            "with": bool(self.with_),
        }
        if (lacks := imputation.needs) and not arguments[lacks]:
            example = {"value": "0", "order": "a date"}[lacks]
            raise ActionError(f"{what} needs {lacks}, such as {example}", kind=f"argument {lacks}")
        if self.method == "neighbours" and len((*self.columns, *(self.with_ or ()))) < 2:
            raise ActionError(
                f"{what} needs two columns or more to tell which rows are near; give with, or take "
                "'median'",
                kind="argument with",
            )
        others = {name: one for name, one in arguments.items() if name not in imputation.takes}
        need_none(what, others)


def _count_nulls(table: Table, names: Sequence[str]) -> list[int]:
    """How many nulls each of some columns has; a not-a-number is one."""
    return count_where(table.frame, *(known_cell(table, name).is_null() for name in names))
