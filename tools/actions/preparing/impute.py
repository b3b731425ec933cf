"""Impute: nulls filled with what is likely to stand there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import narwhals as nw
from pydantic import ConfigDict, Field, field_validator

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.preparing.fillings import (
    ALONG,
    MEASURED,
    OF_NUMBERS,
    SPELLINGS,
    Filling,
    Method,
    fill_along,
    fill_with_statistics,
    fill_with_value,
    is_measured,
)
from wideleaf.tools.actions.preparing.told import (
    count_nulls,
    tell_counts,
    tell_fractions,
    tell_lonely,
    tell_modes,
    tell_order,
)
from wideleaf.tools.conditions.literals import Scalar
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.columns import Columns, need_kind, resolve_columns
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.sort_keys import SortKeys, resolve_keys
from wideleaf.tools.tables.table import Kind, Table

if TYPE_CHECKING:
    import numpy as np
    import polars as pl


MOST_PAIRS = 100_000_000
"""So many pairs of a row with a null and any other are compared at most."""


def fill_by_neighbours(
    frame: pl.DataFrame, columns: Sequence[str], beside: Sequence[str], count: int
) -> pl.DataFrame:
    """Fill nulls of columns with the mean of the nearest rows that have a cell there.

    Rows are near by all these columns, each in units of its deviation, over those that both rows
    have. Rows are put in the order of their cells first, so that of several that are equally near
    the same are taken whatever order the engine lists them in.

    Args:
        frame: The rows.
        columns: What to fill.
        beside: Further columns that tell which rows are near.
        count: How many neighbours.

    Raises:
        ActionError: If there are too many rows to compare.
    """
    import numpy as np
    import polars as pl

    names = [*columns, *beside]
    cells = frame.select(pl.col(names).cast(pl.Float64)).to_numpy()  # a null becomes NaN
    cells = np.where(np.isfinite(cells), cells, np.nan)
    wanted = np.isnan(cells[:, : len(columns)])
    pairs = int(wanted.any(axis=1).sum()) * len(frame)
    if pairs > MOST_PAIRS:
        raise ActionError(
            f"{int(wanted.any(axis=1).sum())} rows with a null would be compared with "
            f"{len(frame)} each, more than {MOST_PAIRS} pairs; take 'median', or Sample first",
            kind="too large",
        )
    filled = _filled(cells, count)[:, : len(columns)]
    made = []
    for place, name in enumerate(columns):
        own = frame[name].cast(pl.Float64).fill_nan(None)
        found = pl.Series(name, filled[:, place], dtype=pl.Float64, nan_to_null=True)
        made.append(own.zip_with(own.is_not_null(), found).alias(name))
    return frame.with_columns(made)


def _filled(cells: np.ndarray[Any, Any], count: int) -> np.ndarray[Any, Any]:
    """The cells with their nulls filled; a column without a cell stays empty."""
    import numpy as np
    from sklearn.impute import KNNImputer  # type: ignore[import-untyped]

    made = cells.copy()
    some = ~np.isnan(cells).all(axis=0)
    if not len(cells) or not some.any():
        return made
    order = np.lexsort(cells.T[::-1])
    known = cells[order][:, some]
    middle, spread = np.nanmean(known, axis=0), np.nanstd(known, axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    found = KNNImputer(n_neighbors=count).fit_transform((known - middle) / spread)
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    made[:, some] = (found * spread + middle)[back]
    return made


_ANY: tuple[Kind, ...] = ("number", "text", "boolean", "date", "datetime")


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
    def _spelled(cls, method: object) -> object:
        text = " ".join(str(method).lower().replace("_", " ").split())
        return SPELLINGS.get(text, text)

    @property
    def lazy(self) -> bool:  # type: ignore[override]  # neighbours are looked for in memory
        """Whether the result stays a query."""
        return self.method != "neighbours"

    def resolve(self, *tables: Table) -> Self:
        """Name the columns, groups and order.

        Raises:
            ActionError: If the method does not fit the columns, lacks an argument or takes none
                such.
        """
        table, what = tables[0], f"Impute's {self.method}"
        columns = resolve_columns(self.columns, table)
        need_kind(table, columns, *(("number",) if self._numbers else _ANY), purpose=what)
        by = None if self.by is None else resolve_columns(self.by, table)
        need_kind(table, by or (), *_ANY, purpose="Impute's by")
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
        made = {"columns": columns, "by": by, "order": order, "with_": beside or None}
        resolved = self.model_copy(update=made)
        resolved._need_parts()
        if self.value is not None:
            fill_with_value(table, columns, self.value)
        return resolved

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, and for each that is filled its own, decided by the groups and the order."""
        beside = frozenset((*(self.by or ()), *(key.column for key in self.order)))
        near = frozenset((*self.columns, *(self.with_ or ()))) if not self.lazy else frozenset()
        made = {name: Need(near | {name}, beside) for name in self.columns}
        return [need.past(headers[0], made)]

    def run(self, *tables: Table) -> Table:
        """Fill the nulls.

        Raises:
            ActionError: If there are too many rows to look for neighbours.
        """
        table = tables[0]
        if not self.lazy:
            frame = table.collect(purpose="Impute")
            made = fill_by_neighbours(frame, self.columns, self.with_ or (), self.neighbours)
            return Table(nw.from_native(made.lazy()))
        filling = self._filling(table)
        cells = {name: cell.alias(name) for name, cell in filling.cells.items()}
        return Table(filling.frame.select(*(cells.get(n, nw.col(n)) for n in table.columns)))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell how many nulls each column had and has, and how the others were filled."""
        table, by = tables[0], self.by or ()
        before, after = count_nulls(table, self.columns), count_nulls(result, self.columns)
        facts = [*tell_counts(self.columns, before, after, table.count())]
        if left := sum(after):
            facts.append(Fact(text=f"{left} nulls are left: {self._why()}", caveat=True))
        if self._numbers:
            facts += tell_fractions(table, self.columns)
        if by and self.fallback and self.method in MEASURED:
            bare = self.model_copy(update={"fallback": False}).run(table)
            if borrowed := sum(count_nulls(bare, self.columns)) - left:
                text = f"{borrowed} nulls were filled with the {self.method} of all rows"
                facts.append(Fact(text=f"{text}: their group has none", caveat=True))
        if self.method == "mode":
            facts += tell_modes(table, self.columns, by)
        if self.method == "interpolate":
            measured = is_measured(table, self.order)
            how = f"by the distances in {self.order[0].column!r}" if measured else "by rows"
            facts.append(Fact(text=f"Interpolated {how}"))
        if self.method in ALONG:
            facts += tell_order(table, by, [key.column for key in self.order])
        if self.method == "neighbours":
            facts += tell_lonely(table, [*self.columns, *(self.with_ or ())])
        return facts

    @property
    def partition(self) -> tuple[str, ...]:
        """What groups rows of which none hangs on others; none if each may hang on all."""
        alone = self.method in ALONG or not self.fallback
        return self.by or () if alone else ()

    @property
    def _numbers(self) -> bool:
        return self.method in OF_NUMBERS

    def _filling(self, table: Table) -> Filling:
        by = self.by or ()
        if self.method == "value":
            assert self.value is not None
            return fill_with_value(table, self.columns, self.value)
        if self.method in ALONG:
            return fill_along(table, self.columns, self.method, by, self.order)
        scopes = [by, ()] if by and self.fallback else [by]
        return fill_with_statistics(table, self.columns, self.method, scopes)

    def _why(self) -> str:
        """Why nulls are left."""
        where = " in their group" if self.by else ""
        if self.method not in ALONG:
            return f"there is no cell to take it from{where if not self.fallback else ''}"
        sides = {"previous": "before", "next": "behind", "interpolate": "on one side of"}
        return f"there is no cell {sides[self.method]} them{where}"

    def _need_parts(self) -> None:
        """Refuse what the method lacks or does not take.

        Raises:
            ActionError: Says which.
        """
        what = repr(self.method)
        lacks = {
            "value": (self.method == "value" and self.value is None, "such as 0"),
            "order": (self.method in ALONG and not self.order, "such as a date"),
        }
        for name, (is_lacking, example) in lacks.items():
            if is_lacking:
                raise ActionError(f"{what} needs {name}, {example}", kind=f"argument {name}")
        if self.method == "neighbours" and len((*self.columns, *(self.with_ or ()))) < 2:
            raise ActionError(
                f"{what} needs two columns or more to tell which rows are near; give with, or take "
                "'median'",
                kind="argument with",
            )
        takes = {
            "value": (self.value is not None, self.method == "value"),
            "order": (self.order, self.method in ALONG),
            "by": (self.by, self.method not in ("value", "neighbours")),
            "with": (self.with_, self.method == "neighbours"),
        }
        for name, (given, fits) in takes.items():
            if given and not fits:
                raise ActionError(f"{what} takes no {name}; leave it out", kind=f"argument {name}")
