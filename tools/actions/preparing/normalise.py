"""Normalise: columns put on one scale, so that they can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import narwhals as nw
from pydantic import Field, field_validator
from pydantic.json_schema import SkipJsonSchema

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.joining.keys import avoid_clashes, fresh_names
from wideleaf.tools.actions.preparing.scales import (
    SCALES,
    SPELLINGS,
    STATISTICS,
    Method,
    Scale,
    ScaleColumn,
)
from wideleaf.tools.conditions.literals import finite_cell, float_cell
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.columns import Columns, need_kind, resolve_columns
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table

COLUMNS_TOLD = 3
_KINDS = ("number", "text", "boolean", "date", "datetime")


class Normalise(Action):
    """Put numbers on one scale, in new columns: z_height, scaled_, robust_, log_, rank_."""

    purpose = "columns"
    keeps = frozenset(("order",))
    phrases = (
        "normalise", "normalised", "normalize", "normalized", "standardise", "standardised",
        "standardize", "standardized", "z-score", "z-scores", "z score", "z scores", "zscore",
        "zscores", "min-max", "rescale", "rescaled", "rescaling", "same scale", "one scale",
        "common scale", "log transform", "log transformed", "unit variance", "scaled to",
    )  # fmt: skip

    columns: Columns
    method: Method = Field(
        default="z-score", description="robust: median and quartiles; rank: 0 to 1."
    )
    by: Columns | None = Field(default=None, description="Groups.")
    population: bool = Field(
        default=False,
        description="z-score: by n, as scipy and scikit-learn, not n - 1.",
    )
    low: float = Field(default=0.0, allow_inf_nan=False, description="Of min-max.")
    high: float = Field(default=1.0, allow_inf_nan=False)
    replace: bool = Field(default=False, description="Under the columns' own names.")
    # What the scaled columns are called; filled in by resolve.
    names: SkipJsonSchema[tuple[str, ...]] = ()

    @field_validator("method", mode="before")
    @classmethod
    def _spelled(cls, method: object) -> object:
        text = " ".join(str(method).lower().replace("_", " ").split())
        return SPELLINGS.get(text, text)

    def resolve(self, *tables: Table) -> Self:
        """Name the columns and those to come.

        Raises:
            ActionError: If one is no number, or the method takes no such argument.
        """
        table = tables[0]
        columns = resolve_columns(self.columns, table)
        need_kind(table, columns, "number", "boolean", purpose="Normalise")
        by = None if self.by is None else resolve_columns(self.by, table)
        need_kind(table, by or (), *_KINDS, purpose="Normalise's by")
        self._need_fitting()
        if both := [name for name in by or () if name in columns]:
            raise ActionError(
                f"by names {both[0]!r}, which is to be scaled; it can be one of the two",
                kind="argument by",
            )
        names = self.names
        if len(names) != len(columns):
            new = avoid_clashes(table.columns, self._stems(columns))
            names = columns if self.replace else tuple(new.values())
        return self.model_copy(update={"columns": columns, "by": by, "names": names})

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, and for each scaled one its own, decided by the groups."""
        by = frozenset(self.by or ())
        pairs = zip(self.columns, self.names, strict=True)
        return [need.past(headers[0], {new: Need(frozenset({old}), by) for old, new in pairs})]

    def run(self, *tables: Table) -> Table:
        """Scale each cell, by the statistics of its column or of its group where it needs some."""
        frame, columns, hidden = self._measured(tables[0])
        made = []
        for name, one in zip(self.names, columns, strict=True):
            scaled = self.scale.build(one)
            made.append(nw.when(scaled.is_finite()).then(scaled).alias(name))
        return Table(frame.with_columns(*made).drop(*hidden))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell what the new columns are, which cells are not on the scale, and what is constant."""
        table, facts = tables[0], []
        if not self.replace and [*self.names] != self._stems(self.columns):
            shown = ", ".join(map(repr, self.names[:COLUMNS_TOLD]))
            facts.append(Fact(text=f"The new columns are {shown}"))
        if lost := _known(table, self.columns) - _known(result, self.names):
            what = f"infinite, or {_NO_LOGARITHM[self.method]}" if self._logs else "infinite"
            facts.append(Fact(text=f"{lost} cells became null: {what}", caveat=True))
        if still := self._still(table):
            where = " in some group" if self.by else ""
            text = f"{len(still)} columns hold one value{where}; such cells"
            if self.method == "robust":
                text = f"{len(still)} columns hold one value in half of their rows{where}; they"
            facts.append(Fact(text=f"{text} {self.scale.then.format(low=self.low)}", caveat=True))
            shown = ", ".join(map(repr, still[:COLUMNS_TOLD]))
            text = f"Of one value{where}: {shown}"
            facts.append(Fact(text=text, matter="statistics", caveat=True))
        return facts

    @property
    def scale(self) -> Scale:
        """The scale of the method."""
        scale = SCALES[self.method]
        if not self.population:
            return scale
        asks = ("deviation" if one == "sample deviation" else one for one in scale.asks)
        return scale._replace(asks=(*asks,))

    @property
    def partition(self) -> tuple[str, ...]:
        """What groups rows of which none hangs on others; none if each may hang on all."""
        return self.by or ()

    @property
    def _logs(self) -> bool:
        return self.method in _NO_LOGARITHM

    def _stems(self, columns: Sequence[str]) -> list[str]:
        return [f"{self.scale.stem}_{name}" for name in columns]

    def _measured(self, table: Table) -> tuple[nw.LazyFrame[Any], list[ScaleColumn], list[str]]:
        """The rows with hidden columns, what is in these, and their names."""
        asks = self.scale.asks
        width = 1 + len(asks)
        everything, *hidden = fresh_names("scale", 1 + width * len(self.columns), table)
        cells, measures, columns = [], [], []
        for place, name in enumerate(self.columns):
            cell, *others = hidden[place * width : (place + 1) * width]
            cells.append(finite_cell(table, name).alias(cell))
            of = dict(zip(asks, others, strict=True))
            for ask, other in of.items():
                made = STATISTICS[ask](nw.col(cell)).over(*(self.by or (everything,)))
                measures.append(made.alias(other))
            known = {ask: nw.col(other) for ask, other in of.items()}
            columns.append(ScaleColumn(nw.col(cell), known, self.low, self.high))
        frame = table.frame.with_columns(nw.lit(1).cast(nw.Int64).alias(everything), *cells)
        return frame.with_columns(*measures) if measures else frame, columns, [everything, *hidden]

    def _still(self, table: Table) -> list[str]:
        """Columns whose cells, all of them or those of a group, differ too little to be scaled."""
        if self.scale.still is None:
            return []
        frame, columns, _ = self._measured(table)
        tests = [
            (self.scale.still(one) & ~one.cell.is_null()).cast(nw.Int64).max().alias(f"{place}")
            for place, one in enumerate(columns)
        ]
        found = frame.select(*tests).collect().row(0)
        return [name for name, one in zip(self.columns, found, strict=True) if one]

    def _need_fitting(self) -> None:
        """Refuse arguments that the method does not take.

        Raises:
            ActionError: Says which.
        """
        odd = {
            "population": self.population and self.method != "z-score",
            "by": self.by and self._logs,
        }
        span = (self.low, self.high) != (0.0, 1.0)
        odd["low and high"] = span and self.method != "min-max"
        if wrong := next((name for name, given in odd.items() if given), None):
            raise ActionError(
                f"{self.method!r} takes no {wrong}; leave it out", kind=f"argument {wrong}"
            )
        if not self.low < self.high:
            raise ActionError(
                f"low {self.low:g} is not below high {self.high:g}; give a range such as 0 to 1",
                kind="argument low",
            )


_NO_LOGARITHM = {"log": "0 or less", "log10": "0 or less", "log1p": "-1 or less"}


def _known(table: Table, names: Sequence[str]) -> int:
    """How many cells of these columns hold a number."""
    there = [
        (~float_cell(table, n).is_null()).cast(nw.Int64).sum().alias(f"{place}")
        for place, n in enumerate(names)
    ]
    return sum(int(one or 0) for one in table.frame.select(*there).collect().row(0))
