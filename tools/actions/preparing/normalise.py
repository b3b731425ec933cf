"""Normalise: columns put on one scale, so that they can be compared."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Self

import narwhals as nw
from pydantic import Field, field_validator
from pydantic.json_schema import SkipJsonSchema

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.joining.keys import avoid_clashes, fresh_names
from wideleaf.tools.conditions.literals import finite_cell, float_cell
from wideleaf.tools.errors import ActionError, need_none
from wideleaf.tools.privacy import Fact, caveat
from wideleaf.tools.tables.columns import Columns, need_kind, resolve_columns, resolve_groups
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table, count_where

COLUMNS_TOLD = 3
Method = Literal["z-score", "min-max", "robust", "max-abs", "log", "log1p", "log10", "rank"]
Known = dict[str, Any]
"""The statistics of a column beside each of its cells, and the `ends` of the scale."""
Build = Callable[[nw.Expr, Known], nw.Expr]
STATISTICS: Mapping[str, Callable[[nw.Expr], nw.Expr]] = {
    "mean": nw.Expr.mean,
    "deviation": lambda cell: cell.std(ddof=1),
    "low": nw.Expr.min,
    "high": nw.Expr.max,
    "median": nw.Expr.median,
    "q1": lambda cell: cell.quantile(0.25, interpolation="linear"),
    "q3": lambda cell: cell.quantile(0.75, interpolation="linear"),
    "rank": lambda cell: cell.rank("average"),
    "count": lambda cell: cell.count().cast(nw.Int64),
}
"""Of the cells of a column, or of those of a group."""


class Scale(NamedTuple):
    """A way to put numbers on a scale.

    Attributes:
        stem: What a new column's name begins with.
        build: Makes the scaled cell.
        asks: The statistics that it needs; none if each cell is scaled by itself.
        spellings: Other words for it.
        still: Two of the statistics; where they are equal, the cells differ too little.
        instead: Makes the scaled cell there.
        then: What becomes of columns of one value, in words.
        undefined: Which cells have no place on it, in words.
    """

    stem: str
    build: Build
    asks: tuple[str, ...] = ()
    spellings: tuple[str, ...] = ()
    still: tuple[str, str] | None = None
    instead: Build | None = None
    then: str = ""
    undefined: str = ""


def _place_between(cell: nw.Expr, of: Known) -> nw.Expr:
    low, high = of["ends"]
    placed: nw.Expr = low + (cell - of["low"]) / (of["high"] - of["low"]) * (high - low)
    return placed


def _divide_by_largest(cell: nw.Expr, of: Known) -> nw.Expr:
    largest = nw.max_horizontal(of["high"], 0.0 - of["low"])
    return nw.when(largest > 0).then(cell / largest).otherwise(cell)


def _log(cell: nw.Expr, of: Known) -> nw.Expr:
    return nw.when(cell > 0).then(cell).log()


def _log1p(cell: nw.Expr, of: Known) -> nw.Expr:
    """The logarithm of 1 + x; of a small x the rounding of the sum is taken out again."""
    cell = nw.when(cell > -1).then(cell)
    more = 1.0 + cell
    return nw.when(more == 1.0).then(cell).otherwise(more.log() * (cell / (more - 1.0)))


def _rank(cell: nw.Expr, of: Known) -> nw.Expr:
    others = of["count"] - 1
    return nw.when(others > 0).then((of["rank"] - 1.0) / others).otherwise(cell * 0.0 + 0.5)


SCALES: Mapping[Method, Scale] = {
    # Whether all cells are equal their ends tell, however their mean was rounded.
    "z-score": Scale(
        "z", lambda x, of: (x - of["mean"]) / of["deviation"], ("mean", "deviation", "low", "high"),
        ("zscore", "z score", "z", "standard", "standardise", "standardize", "standard score"),
        ("low", "high"), lambda x, of: x * 0.0, "{where}; such cells are 0",
    ),
    "min-max": Scale(
        "scaled", _place_between, ("low", "high"), ("minmax", "min max"),
        ("low", "high"), lambda x, of: x * 0.0 + of["ends"][0], "{where}; such cells are {low:g}",
    ),
    "robust": Scale(
        "robust", lambda x, of: (x - of["median"]) / (of["q3"] - of["q1"]), ("median", "q1", "q3"),
        ("iqr",), ("q1", "q3"), lambda x, of: x - of["median"],
        " in half of their rows{where}; they are only centred, for their quartiles are equal",
    ),
    "max-abs": Scale("scaled", _divide_by_largest, ("low", "high"), ("maxabs", "max abs")),
    "log": Scale("log", _log, spellings=("ln", "natural log"), undefined="0 or less"),
    "log1p": Scale("log1p", _log1p, spellings=("log 1p",), undefined="-1 or less"),
    "log10": Scale(
        "log10", lambda x, of: _log(x, of) / math.log(10), spellings=("log 10",),
        undefined="0 or less",
    ),
    "rank": Scale(
        "rank", _rank, ("rank", "count"), ("percentile", "percent rank", "quantile")
    ),
}  # fmt: skip


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
    def _read_method(cls, method: object) -> object:
        text = " ".join(str(method).lower().replace("_", " ").split())
        return next((name for name, scale in SCALES.items() if text in scale.spellings), text)

    def resolve(self, *tables: Table) -> Self:
        """Name the columns and those to come.

        Raises:
            ActionError: If one is no number, or the method takes no such argument.
        """
        table = tables[0]
        columns = resolve_columns(self.columns, table)
        need_kind(table, columns, "number", "boolean", purpose="Normalise")
        by = resolve_groups(self.by, table, "Normalise's")
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
        scale, (frame, columns) = self.scale, self._measure(tables[0])
        cells = []
        for name, (cell, of) in zip(self.names, columns, strict=True):
            scaled = scale.build(cell, of)
            if scale.still and scale.instead:
                alike = of[scale.still[0]] == of[scale.still[1]]
                scaled = nw.when(alike).then(scale.instead(cell, of)).otherwise(scaled)
            cells.append(nw.when(scaled.is_finite()).then(scaled).alias(name))
        new = [name for name in self.names if name not in tables[0].columns]
        return Table(frame.with_columns(*cells).select(*tables[0].columns, *new))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell what the new columns are, which cells are not on the scale, and what is constant."""
        table, facts = tables[0], []
        if not self.replace and [*self.names] != self._stems(self.columns):
            headers = ", ".join(map(repr, self.names[:COLUMNS_TOLD]))
            facts.append(Fact(text=f"The new columns are {headers}"))
        nulls = [
            sum(count_where(one.frame, *(float_cell(one, name).is_null() for name in names)))
            for one, names in ((table, self.columns), (result, self.names))
        ]
        if lost := nulls[1] - nulls[0]:
            what = f"infinite, or {self.scale.undefined}" if self.scale.undefined else "infinite"
            facts.append(caveat(f"{lost} cells became null: {what}"))
        if still := self._find_still(table):
            where = " in some group" if self.by else ""
            then = self.scale.then.format(where=where, low=self.low)
            facts.append(caveat(f"{len(still)} columns hold one value{then}"))
            headers = ", ".join(map(repr, still[:COLUMNS_TOLD]))
            facts.append(caveat(f"Of one value{where}: {headers}", "statistics"))
        return facts

    @property
    def scale(self) -> Scale:
        """The scale of the method."""
        return SCALES[self.method]

    @property
    def partition(self) -> tuple[str, ...]:
        """What groups rows of which none hangs on others; none if each may hang on all."""
        return self.by or ()

    def _stems(self, columns: Sequence[str]) -> list[str]:
        return [f"{self.scale.stem}_{name}" for name in columns]

    def _measure(self, table: Table) -> tuple[nw.LazyFrame[Any], list[tuple[nw.Expr, Known]]]:
        """The rows with hidden columns, and for each column its cell and what is known of it."""
        asks = self.scale.asks
        names = iter(fresh_names("scale", 1 + (1 + len(asks)) * len(self.columns), table))
        everything = next(names)
        statistics = {**STATISTICS}
        if self.population:
            statistics["deviation"] = lambda cell: cell.std(ddof=0)
        cells, measures, columns = [nw.lit(1).cast(nw.Int64).alias(everything)], [], []
        for column in self.columns:
            own, of = next(names), Known({"ends": (self.low, self.high)})
            cells.append(finite_cell(table, column).alias(own))
            for ask in asks:
                statistic = statistics[ask](nw.col(own)).over(*(self.by or (everything,)))
                measures.append(statistic.alias(name := next(names)))
                of[ask] = nw.col(name)
            columns.append((nw.col(own), of))
        frame = table.frame.with_columns(*cells)
        return frame.with_columns(*measures) if measures else frame, columns

    def _find_still(self, table: Table) -> list[str]:
        """Columns whose cells, all of them or those of a group, differ too little to be scaled."""
        if self.scale.still is None:
            return []
        (one, other), (frame, columns) = self.scale.still, self._measure(table)
        tests = [(of[one] == of[other]) & ~cell.is_null() for cell, of in columns]
        counts = count_where(frame, *tests)
        return [name for name, count in zip(self.columns, counts, strict=True) if count]

    def _need_fitting(self) -> None:
        """Refuse arguments that the method does not take.

        Raises:
            ActionError: Says which.
        """
        odd = {
            "population": self.population and self.method != "z-score",
            "by": self.by and not self.scale.asks,
            "low and high": (self.low, self.high) != (0.0, 1.0) and self.method != "min-max",
        }
        need_none(repr(self.method), odd)
        if not self.low < self.high:
            raise ActionError(
                f"low {self.low:g} is not below high {self.high:g}; give a range such as 0 to 1",
                kind="argument low",
            )
