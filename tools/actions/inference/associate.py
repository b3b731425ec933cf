"""Associate: which of many columns go together with a condition or with another column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, Self

import narwhals as nw
from pydantic import Field, model_validator
from pydantic.json_schema import SkipJsonSchema

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.inference.associate_facts import tell_association
from wideleaf.tools.actions.inference.association import (
    KINDS,
    MOST_LEVELS,
    Effect,
    Sort,
    effect_of,
)
from wideleaf.tools.conditions.condition import AS_IN_FILTER, Condition, columns_of
from wideleaf.tools.conditions.literals import text_column
from wideleaf.tools.conditions.matching import Align, condition_expr, resolve_condition
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.columns import (
    Column,
    Columns,
    need_kind,
    resolve_column,
    resolve_columns,
)
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Kind, Table

CELLS_AT_ONCE = 8_000_000
"""Columns are read in chunks of so many cells."""
COLUMNS_AT_ONCE = 500
LEVEL = 0.05
SORTS: dict[Kind, Sort] = {"number": "number", "boolean": "yes/no", "text": "category"}
TARGET = "target"
SCHEMA: dict[str, Any] = {
    "column": nw.String, "effect_name": nw.String, "effect": nw.Float64, "inside": nw.Float64,
    "outside": nw.Float64, "difference": nw.Float64, "level": nw.String, "p_value": nw.Float64,
    "adjusted_p": nw.Float64, "significant": nw.Boolean, "rows": nw.Int64,
}  # fmt: skip


class Associate(Action):
    """Which columns go together with where (inside against outside) or column; strongest first."""

    purpose = "statistics"
    lazy = False
    phrases = (
        "associated with", "association with", "association between", "associations between",
        "go together with", "goes together with", "related to", "relate to", "contribute to",
        "contributes to", "drivers of", "what drives", "main factor", "factors affect",
        "factors influence", "linked to", "set apart", "what sets", "distinguish",
        "distinguishes", "characterise", "characterize", "have in common", "depend on",
        "depends on", "risk factors", "point biserial", "indicative of",
    )  # fmt: skip

    columns: Columns = Field(description="Candidates.")
    where: Annotated[Condition | None, AS_IN_FILTER] = None
    column: Column | None = Field(default=None, description="Instead of where.")
    # Columns named as candidates that are the target or of a kind that cannot be compared.
    aside: SkipJsonSchema[tuple[str, ...]] = ()

    @model_validator(mode="after")
    def _shaped(self) -> Self:
        if (self.where is None) == (self.column is None):
            raise ValueError("give where, whose rows are told from the others, or column, not both")
        return self

    def resolve(self, *tables: Table) -> Self:
        """Name the columns and fit the condition."""
        return self.resolve_with(None, *tables)

    def resolve_with(self, align: Align | None, *tables: Table) -> Self:
        """Name the columns and fit the condition; the target is no candidate.

        Raises:
            ActionError: If the target is of a kind that cannot be, or no candidate is left.
        """
        table = tables[0]
        where = None if self.where is None else resolve_condition(self.where, table, align)
        column = None if self.column is None else resolve_column(self.column, table)
        need_kind(table, [column] if column else (), *KINDS, purpose="Associate")
        own = {column} if where is None else columns_of(where)
        named = resolve_columns(self.columns, table)
        fit = [name for name in named if name not in own and table.kind(name) in KINDS]
        if not fit:
            raise ActionError(
                "no candidate is left beside the target; name columns of numbers, texts or true "
                "and false, of dates Derive a number first",
                kind="argument columns",
            )
        aside = self.aside or tuple(name for name in named if name not in fit)
        made = {"where": where, "column": column, "columns": tuple(fit), "aside": aside}
        return self.model_copy(update=made)

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns that the rows are about, and what decides."""
        decide = frozenset() if self.where is None else columns_of(self.where)
        own = frozenset({self.column} if self.column else ())
        return [Need(frozenset(self.columns) | own, decide)]

    def run(self, *tables: Table) -> Table:
        """Read the columns in chunks, the target with each of them.

        Raises:
            ActionError: If two columns are too large to hold in memory, or the target is one
                value in all rows or has too many.
        """
        table = tables[0]
        self._refuse_target(table)
        width = max(1, min(COLUMNS_AT_ONCE, CELLS_AT_ONCE // max(table.count(), 1) - 1))
        found: list[Effect] = []
        for first in range(0, len(self.columns), width):
            names = self.columns[first : first + width]
            # A name may be anything, so columns go by their places.
            cells = [plain_cells(table, name).alias(str(at)) for at, name in enumerate(names)]
            chunk = table.frame.select(self.target(table).alias(TARGET), *cells)
            read = Table(chunk).collect(purpose="Associate")
            target = read[TARGET]
            found += [effect_of(target, self.sort(table), read[str(n)]) for n in range(len(names))]
        return replace(_made(self.columns, found), found=sum(one.thin for one in found))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell what goes together, how well all tell the target, and what to beware of."""
        thin = result.found if isinstance(result.found, int) else self.run(*tables).found
        return tell_association(self, tables[0], result, int(thin))

    def sort(self, table: Table) -> Sort:
        """What the target is taken for."""
        return "yes/no" if self.column is None else SORTS[table.kind(self.column)]

    def target(self, table: Table) -> nw.Expr:
        """The target's cells."""
        if self.where is not None:
            return condition_expr(self.where, table)
        return plain_cells(table, str(self.column))

    def _refuse_target(self, table: Table) -> None:
        """Refuse a target of one value, or of more levels than rows share.

        Raises:
            ActionError: If it is so, of a table that has rows.
        """
        cell = nw.col(TARGET)
        counts = table.frame.select(self.target(table).alias(TARGET)).filter(~cell.is_null())
        levels = int(counts.select(cell.n_unique().cast(nw.Int64)).collect().item() or 0)
        if table.count() and levels < 2:
            what = f"{self.column!r}" if self.column else "the condition"
            raise ActionError(
                f"{what} is the same in all rows in which it is known; take another target or "
                "other rows",
                kind="one value",
            )
        if self.sort(table) == "category" and levels > MOST_LEVELS:
            raise ActionError(
                f"{self.column!r} has {levels} values, more than {MOST_LEVELS}; give where, such "
                "as one of them against the others, or Derive coarser ones",
                kind="argument column",
            )


def plain_cells(table: Table, name: str) -> nw.Expr:
    """A column's cells as floats, truth values or plain texts."""
    if table.kind(name) == "text":
        return text_column(table, name)
    if table.kind(name) == "boolean":
        return nw.col(name)
    return nw.col(name).cast(nw.Float64)


def _made(columns: Sequence[str], found: Sequence[Effect]) -> Table:
    """The rows, strongest first, with p-values adjusted for how many were tested."""
    from scipy import stats  # type: ignore[import-untyped]

    tested = [place for place, one in enumerate(found) if one.p_value is not None]
    adjusted: list[float | None] = [None] * len(found)
    if tested:
        made = stats.false_discovery_control([found[place].p_value for place in tested])
        for place, value in zip(tested, made, strict=True):
            adjusted[place] = float(value)
    order = sorted(range(len(found)), key=lambda place: -abs(found[place].size or 0.0))
    order.sort(key=lambda place: found[place].size is None)
    rows = [_row(columns[place], found[place], adjusted[place]) for place in order]
    cells = dict(zip(SCHEMA, map(list, zip(*rows, strict=True)), strict=True))
    return Table(nw.from_dict(cells, schema=SCHEMA, backend="polars").lazy("polars"))


def _row(column: str, one: Effect, adjusted: float | None) -> list[Any]:
    means = (one.inside, one.outside)
    apart = None if None in means else (one.inside or 0.0) - (one.outside or 0.0)
    sure = None if adjusted is None else adjusted < LEVEL
    return [column, one.name, one.size, *means, apart, one.level, one.p_value, adjusted, sure,
            one.rows]  # fmt: skip
