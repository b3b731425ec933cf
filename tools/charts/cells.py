"""Cells that are drawn: below each other, no more of them than a picture can show, as labels."""

from __future__ import annotations

import math
from datetime import time
from typing import TYPE_CHECKING

from wideleaf.tools.charts.layouts import Layout
from wideleaf.tools.errors import ActionError
from wideleaf.tools.words import as_name, visible

if TYPE_CHECKING:
    import polars as pl

MAX_POINTS, MAX_SLICES = 4_000, 8
TOLD_SHARE = 0.04
"""A smaller slice has no room for its share."""
SEED = 20
MAX_CHARACTERS, LOOKED_AT = 48, 2_000
EMPTY, BLANK = "null", "(blank)"


class Cells:
    """The cells of a layout, which are cut step by step.

    Attributes:
        table: Columns ``x``, ``y``, ``color`` and ``facet``, those that there are; each row a
            point that has a place along ``y``.
        notes: What was left out, cut or put together.
    """

    def __init__(self, layout: Layout) -> None:
        """Take the cells of a layout.

        Raises:
            ActionError: If none has a place along ``y``.
        """
        import polars as pl

        self.layout = layout
        self.notes: list[str] = []
        parts = []
        for number in layout.y:
            cells = {"y": number.cells.cast(pl.Float64) if layout.spread else number.cells}
            for place in ("x", "color", "facet"):
                if layout.spread == place:
                    cells[place] = pl.Series([number.name] * len(number.cells), dtype=pl.String)
                elif column := getattr(layout, place):
                    cells[place] = column.cells
            parts.append(pl.DataFrame(cells))
        self.table = pl.concat(parts)
        self.drop_unplaced("y")

    def drop_unplaced(self, place: str) -> None:
        """Leave out what has no place on an axis: nulls and endless numbers.

        Args:
            place: ``x`` or ``y``.

        Raises:
            ActionError: If nothing is left.
        """
        import polars as pl

        name = as_name(self.layout.measure if place == "y" else self.layout.header(place))
        if self.table[place].dtype.is_float():
            endless = self.table[place].is_infinite().fill_null(False)
            self._note_left_out(int(endless.sum()), "infinite value", f"of {name!r}")
            self.table = self.table.filter(~endless).with_columns(pl.col(place).fill_nan(None))
        self._note_left_out(self.table[place].null_count(), "row", f"without {name!r}")
        self.table = self.table.drop_nulls(place)
        if not self.table.height:
            raise ActionError(f"no row has a place along {name!r}; measure something else")

    def _note_left_out(self, count: int, noun: str, why: str) -> None:
        if count:
            s, are = ("s", "are") if count > 1 else ("", "is")
            self.notes.append(f"{count:,} {noun}{s} {why} {are} left out.")

    def keep_levels(
        self, place: str, most: int, *, first: bool = False, join: bool = False
    ) -> None:
        """Keep so many keys of a place: the first where they are sorted, else the weightiest.

        Args:
            place: ``x``, ``color`` or ``facet``.
            most: How many.
            first: Whether the first are kept however large they are.
            join: Whether the last that is kept stands for the sum of all smaller ones.
        """
        import polars as pl

        table, y = self.table, self.table["y"]
        if place not in table.columns:
            return
        sums = table.group_by(place, maintain_order=True).agg(pl.col("y").abs().sum().alias("sum"))
        if sums.height <= most:
            return
        name = self.layout.header(place)
        whole = f"Of {sums.height:,} values of {name!r}" if name else f"Of {sums.height:,} columns"
        alone = sums.height == table.height
        in_order = first or (alone and (y.is_sorted() or y.is_sorted(descending=True)))
        if join or not in_order:
            sums = sums.sort("sum", descending=True, maintain_order=True)
        is_top = pl.col(place).is_in(
            sums[place].head(most - 1 if join else most).implode(), nulls_equal=True
        )
        if not join:
            which = f"the {most} with the largest {self.layout.measure!r}"
            self.notes.append(f"{whole} {f'the first {most}' if in_order else which} are drawn.")
            self.table = table.filter(is_top)
            return
        others = sums.height - most + 1
        self.notes.append(f"{whole} the {others} smallest are drawn as one.")
        key = (
            pl.when(is_top)
            .then(pl.col(place).cast(pl.String))
            .otherwise(pl.lit(f"{others} others"))
        )
        keys = [column for column in table.columns if column != "y"]
        groups = table.with_columns(key.alias(place)).group_by(keys, maintain_order=True)
        self.table = groups.agg(pl.col("y").sum()).select(table.columns)

    def thin_out(self) -> None:
        """No more points than a picture can show: taken at random, of lines low and high ones."""
        import polars as pl

        count = self.table.height
        if count <= MAX_POINTS:
            return
        if not self.layout.lines:
            self.notes.append(f"{MAX_POINTS:,} of {count:,} points are drawn, taken at random.")
            rows = self.table.with_row_index("_row").sample(MAX_POINTS, seed=SEED)
            self.table = rows.sort("_row").drop("_row")
            return
        apart = [place for place in ("color", "facet") if place in self.table.columns]
        lines = self.table.select(apart).n_unique() if apart else 1
        spans = max(MAX_POINTS // (2 * lines), 1)
        self.notes.append(
            f"Of {count:,} points the lowest and highest of each of {spans:,} spans are drawn."
        )
        place, y = pl.int_range(pl.len()), pl.col("y")
        span = place * spans // pl.len()
        ends = (place == y.arg_min()) | (place == y.arg_max())
        table = self.table.sort("x", maintain_order=True)
        table = table.with_columns((span.over(apart) if apart else span).alias("_span"))
        self.table = table.filter(ends.over(*apart, "_span")).drop("_span")

    def write_labels(self, *places: str) -> None:
        """Texts in place of keys; what runs is in its order.

        Args:
            places: Of which, the first sorted first.
        """
        for place in places:
            if place in self.table.columns:
                column = getattr(self.layout, place)
                if column is not None and column.runs:
                    self.table = self.table.sort(place, maintain_order=True, nulls_last=True)
                self.table = self.table.with_columns(_labels(self.table[place]).alias(place))

    @property
    def levels(self) -> dict[str, list[str]]:
        """The labels of each place that has them, in their order."""
        import polars as pl

        texts = self.table.select(pl.col(pl.String).exclude("share"))
        return {cells.name: cells.unique(maintain_order=True).to_list() for cells in texts}

    def join_slices(self) -> None:
        """The largest slices, and the others as one, each with its ``share`` and its ``place``.

        Raises:
            ActionError: If there is nothing to share.
        """
        import polars as pl

        table = self.table
        total = float(table["y"].sum())
        if not 0 < total < float("inf"):
            raise ActionError(
                f"the sum of {self.layout.measure!r} is zero or without end, so there are no "
                "shares of it",
                private=f"It is {total:g}.",
            )
        if table.height > MAX_SLICES:
            ranks = table["y"].rank("ordinal", descending=True)
            top, others = table.filter(ranks < MAX_SLICES), table.filter(ranks >= MAX_SLICES)
            row = {"x": f"{others.height} others", "y": others["y"].sum()}
            union = pl.concat([top, pl.DataFrame([row])], how="diagonal_relaxed")
            table = union.select(top.columns)
            self.notes.append(f"The {others.height} smallest slices are drawn as one.")
        shares = [number / total for number in table["y"]]
        texts = [f"{share:.0%}" if share >= TOLD_SHARE else "" for share in shares]
        self.table = table.with_columns(pl.Series("share", texts)).with_row_index("place")


def _labels(cells: pl.Series) -> pl.Series:
    """Each cell as a text of bounded length; different cells have different texts."""
    if cells.dtype.is_float():
        cells = cells.fill_nan(math.nan)  # there are several, of which one is none of the others
    kinds = cells.unique(maintain_order=True)
    counts: dict[str, int] = {}
    labels = []
    for text in _texts(kinds):
        label = EMPTY if text is None else visible(text[:LOOKED_AT]) or BLANK
        label = label if len(label) <= MAX_CHARACTERS else f"{label[: MAX_CHARACTERS - 1]}…"
        counts[label] = counts.get(label, 0) + 1
        while counts[label] > 1:
            label = f"{label} ({counts[label]})"
            counts[label] = counts.get(label, 0) + 1
        labels.append(label)
    return cells.replace_strict(kinds, labels)


def _texts(cells: pl.Series) -> list[str | None]:
    """Whole numbers without a point, midnights without a time."""
    import polars as pl

    if cells.dtype.is_float():
        return [None if cell is None else f"{cell:.10g}" for cell in cells]
    if not isinstance(cells.dtype, pl.Datetime):
        return cells.cast(pl.String).to_list()
    days = bool((cells.drop_nulls().dt.time() == time(0)).all())
    return cells.dt.strftime("%Y-%m-%d" if days else "%Y-%m-%d %H:%M:%S").to_list()
