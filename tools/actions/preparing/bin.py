"""Bin: a column of numbers cut into intervals."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Self

import narwhals as nw
from pydantic import Field

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.joining.keys import avoid_clashes, fresh_names
from wideleaf.tools.actions.preparing.edges import (
    Closed,
    Edge,
    Edges,
    equal_counts,
    equal_widths,
    interval_texts,
)
from wideleaf.tools.conditions.literals import float_cell
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import MIN_FOR_STATISTICS, Fact, caveat, caveats
from wideleaf.tools.tables.columns import Column, need_free, need_kind, resolve_column
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table, aggregate_by, count_where

MAX_BINS = 100
BINS_TOLD = 12
_DIGITS = 3
_ROWS = "__rows"


class Bin(Action):
    """Add the interval that a number is in, as text; outside the edges null."""

    purpose = "columns"
    keeps = frozenset(("order", "columns"))
    peeks = True
    phrases = (
        "bin", "bins", "binned", "binning", "bucket", "buckets", "brackets", "into intervals",
        "into ranges", "equal width", "age groups", "age group", "quartile groups",
        "into quartiles", "into quantiles", "each quartile", "by quartile", "decile", "deciles",
        "tercile", "terciles", "quintile", "quintiles", "cut into", "discretise", "discretize",
    )  # fmt: skip

    column: Column
    name: str | None = Field(default=None, min_length=1, description="Default: {column}_bin.")
    edges: Edges | None = Field(
        default=None, description="One of edges, count, quantiles. null at an end: open."
    )
    count: int | None = Field(default=None, ge=1, le=MAX_BINS, description="Of equal width.")
    quantiles: int | None = Field(
        default=None, ge=1, le=MAX_BINS, description="Parts of equally many rows."
    )
    labels: tuple[str, ...] | None = Field(default=None, description="Default: such as (0, 10].")
    closed: Closed = Field(
        default="right", description="Which edge is in a bin; the outer ones always are."
    )
    number: bool = Field(default=False, description="Also add {name}_number, 1 to k, to sort by.")

    def resolve(self, *tables: Table) -> Self:
        """Name the columns and look at the edges.

        Raises:
            ActionError: If the edges are not told in one way, do not ascend, or there are not as
                many labels as bins.
        """
        table = tables[0]
        column = resolve_column(self.column, table)
        need_kind(table, [column], "number", purpose="Bin")
        self._need_one_way()
        stem = f"{column}_bin"
        name = self.name or avoid_clashes(table.columns, [stem])[stem]
        need_free(name, table.columns, "bins")
        resolved = self.model_copy(update={"column": column, "name": name})
        if self.labels is not None:
            edges = resolved.find_edges(table)
            if edges and len(self.labels) != len(edges) - 1:
                count = self.count or self.quantiles
                merged = "" if count in (None, len(edges) - 1) else ", for equal edges are one"
                raise ActionError(
                    f"there are {len(edges) - 1} bins{merged} and {len(self.labels)} labels; give "
                    "one for each, or leave labels out",
                    kind="argument labels",
                )
        return resolved

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, and for the new ones the one that is cut."""
        cut = Need(frozenset({self.column}))
        return [need.past(headers[0], dict.fromkeys(self.new_names(headers[0] or ()), cut))]

    def run(self, *tables: Table) -> Table:
        """Add the bins, whose edges are found first where they hang on the cells."""
        table = tables[0]
        edges = self.find_edges(table)
        [hidden] = fresh_names("cell", 1, table)
        cell = nw.col(hidden)
        low, *between, high = edges or (None, None)
        inside = ~cell.is_null()
        if low is not None:
            inside &= cell >= low
        if high is not None:
            inside &= cell <= high
        tests = [cell <= edge if self.closed == "right" else cell < edge for edge in between]
        texts, numbers = [*map(nw.lit, self.texts(edges))], [*map(nw.lit, range(1, len(edges)))]
        kinds = ((texts, nw.String()), (numbers, nw.Int64()))
        columns = []
        for new, (results, dtype) in zip(self.new_names(table.columns), kinds, strict=False):
            # The first bin that ends behind the cell is its own; of no cell there is no bin.
            *firsts, last = [one.cast(dtype) for one in results or [nw.lit(None)]]
            parts = [nw.when(test).then(one) for test, one in zip(tests, firsts, strict=False)]
            label = nw.coalesce(*parts, last) if parts else last
            columns.append(nw.when(inside).then(label).alias(new))
        frame = table.frame.with_columns(float_cell(table, self.column).alias(hidden))
        return Table(frame.with_columns(*columns).drop(hidden))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell the edges that were found, how many rows are in each bin, and which are in none."""
        table, name = tables[0], str(self.name)
        edges, facts = self.find_edges(table), self._tell_names(table)
        texts = self.texts(edges)
        counts = aggregate_by(result.frame, [name], nw.len().cast(nw.Int64).alias(_ROWS)).collect()
        rows: dict[str | None, int] = dict(counts.select(name, _ROWS).rows())
        [unknown] = count_where(table.frame, float_cell(table, self.column).is_null())
        outside = rows.pop(None, 0) - unknown
        facts += caveats(
            (unknown, f"{unknown} rows with a null {self.column!r} are in no bin"),
            (outside, f"{outside} rows are outside the edges, so their bin is null"),
        )
        count = self.count or self.quantiles or 0
        if count and (fewer := count - len(texts)) and edges:
            why = "all cells are equal" if edges[0] == edges[-1] else f"{fewer} edges are equal"
            facts.append(caveat(f"{len(texts)} of {count} bins: {why}", "statistics"))
        if count and edges:
            edge_text = ", ".join(f"{edge:.{_DIGITS}g}" for edge in edges if edge is not None)
            text = f"The edges, found in the cells, are about {edge_text}"
            facts.append(Fact(text=text, matter="values"))
        if texts and len(texts) <= BINS_TOLD and len({*texts}) == len(texts):
            sizes = [rows.get(text, 0) for text in texts]
            large = all(size >= MIN_FOR_STATISTICS for size in sizes if size)
            text = f"Rows in each bin, in order: {', '.join(map(str, sizes))}"
            facts.append(Fact(text=text, matter="statistics" if large else "values"))
        if not self.number and [*texts] != sorted(texts):
            text = f"As text, {name!r} sorts in another order than by size; number adds one to sort"
            facts.append(Fact(text=f"{text} by"))
        return facts

    def find_edges(self, table: Table) -> tuple[Edge, ...]:
        """The edges, in order; none if they hang on cells and there are none.

        Args:
            table: The table, whose column is looked at unless the edges were given.
        """
        if self.edges is not None:
            return self.edges
        if self.count is not None:
            return equal_widths(table, self.column, self.count)
        return equal_counts(table, self.column, self.quantiles or 1)

    def texts(self, edges: Sequence[Edge]) -> tuple[str, ...]:
        """What each bin is called."""
        if self.labels is not None:
            return self.labels if edges else ()
        return interval_texts(edges, self.closed, exact=self.edges is not None)

    def new_names(self, header: Sequence[str]) -> tuple[str, ...]:
        """The names of what is added to these columns."""
        if not self.number:
            return (str(self.name),)
        stem = f"{self.name}_number"
        return str(self.name), avoid_clashes(header, [stem])[stem]

    def _tell_names(self, table: Table) -> list[Fact]:
        new = self.new_names(table.columns)
        defaults = (f"{self.column}_bin", f"{self.name}_number")
        if (new[0] != defaults[0] and defaults[0] in table.columns) or new[1:] not in (
            (),
            defaults[1:],
        ):
            return [Fact(text=f"The new columns are {', '.join(map(repr, new))}")]
        return []

    def _need_one_way(self) -> None:
        """Refuse edges told in no way or several, or that do not ascend.

        Raises:
            ActionError: Says which.
        """
        ways = {"edges": self.edges, "count": self.count, "quantiles": self.quantiles}
        choices = [name for name, value in ways.items() if value is not None]
        if len(choices) != 1:
            raise ActionError(
                f"{' and '.join(choices) or 'none of edges, count and quantiles'} given; Bin needs "
                "one of edges, count (equal width) and quantiles (equally many rows)",
                kind="argument edges",
            )
        if self.edges is None:
            return
        if not 2 <= len(self.edges) <= MAX_BINS + 1:
            raise ActionError(
                f"{len(self.edges)} edges; give 2 to {MAX_BINS + 1}, such as [0, 10, 20], or "
                "[null, 10, null] for what is below and above 10",
                kind="argument edges",
            )
        ends = [edge for edge in self.edges if edge is not None]
        if None in self.edges[1:-1] or any(low >= high for low, high in pairwise(ends)):
            edge_texts = ["null" if edge is None else f"{edge:g}" for edge in self.edges]
            raise ActionError(
                f"the edges {', '.join(edge_texts)} do not ascend; each must be larger than "
                "the one before it, and only the first and the last may be null",
                kind="argument edges",
            )
