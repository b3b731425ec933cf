"""Cutting: no more keys, points and slices than a picture can show, and words for the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wideleaf.tools.charts.layouts import Layout
from wideleaf.tools.errors import ActionError

if TYPE_CHECKING:
    import polars as pl

MOST_POINTS = 4_000
MOST_SLICES = 8
TOLD_SHARE = 0.04
"""A smaller slice has no room for its share."""
SEED = 20


def keep_levels(
    table: pl.DataFrame,
    layout: Layout,
    place: str,
    most: int,
    notes: list[str],
    *,
    first: bool = False,
    join: bool = False,
) -> pl.DataFrame:
    """Keep so many keys of a place: the first where they are sorted, else those of most weight.

    Args:
        table: The points.
        layout: Which column goes where.
        place: ``x``, ``color`` or ``facet``.
        most: How many.
        notes: Where it is said what was cut.
        first: Whether the first are kept however large they are.
        join: Whether the last that is kept stands for the sum of all smaller ones.
    """
    import polars as pl

    if place not in table.columns:
        return table
    sums = table.group_by(place, maintain_order=True).agg(pl.col("y").abs().sum().alias("sum"))
    if sums.height <= most:
        return table
    name = layout.header(place)
    whole = f"Of {sums.height:,} values of {name!r}" if name else f"Of {sums.height:,} columns"
    largest = sums.sort("sum", descending=True, maintain_order=True)[place]
    if join:
        others = sums.height - most + 1
        notes.append(f"{whole} the {others} smallest are drawn as one.")
        kept = pl.col(place).is_in(largest.head(most - 1).implode(), nulls_equal=True)
        key = (
            pl.when(kept).then(pl.col(place).cast(pl.String)).otherwise(pl.lit(f"{others} others"))
        )
        keys = [column for column in table.columns if column != "y"]
        named = table.with_columns(key.alias(place)).group_by(keys, maintain_order=True)
        return named.agg(pl.col("y").sum()).select(table.columns)
    alone = sums.height == table.height
    y = table["y"]
    if first or (alone and (y.is_sorted() or y.is_sorted(descending=True))):
        largest, which = sums[place], f"the first {most}"
    else:
        which = f"the {most} with the largest {layout.measure!r}"
    notes.append(f"{whole} {which} are drawn.")
    return table.filter(table[place].is_in(largest.head(most).implode(), nulls_equal=True))


def thin_out(table: pl.DataFrame, notes: list[str], *, lines: bool) -> pl.DataFrame:
    """No more points than a picture can show: taken at random, of lines low and high ones.

    Args:
        table: The points.
        notes: Where it is said what was cut.
        lines: Whether they are joined by lines.
    """
    import polars as pl

    count = table.height
    if count <= MOST_POINTS:
        return table
    if not lines:
        notes.append(f"{MOST_POINTS:,} of {count:,} points are drawn, taken at random.")
        rows = table.with_row_index("_row").sample(MOST_POINTS, seed=SEED)
        return rows.sort("_row").drop("_row")
    apart = [place for place in ("color", "facet") if place in table.columns]
    spans = max(MOST_POINTS // (2 * (table.select(apart).n_unique() if apart else 1)), 1)
    notes.append(
        f"Of {count:,} points the lowest and highest of each of {spans:,} spans are drawn."
    )
    place, y = pl.int_range(pl.len()), pl.col("y")
    span = place * spans // pl.len()
    ends = (place == y.arg_min()) | (place == y.arg_max())
    table = table.sort("x", maintain_order=True)
    table = table.with_columns((span.over(apart) if apart else span).alias("_span"))
    return table.filter(ends.over(*apart, "_span")).drop("_span")


def join_slices(table: pl.DataFrame, name: str, notes: list[str]) -> pl.DataFrame:
    """The largest slices, and the others as one, each with its ``share`` and its ``place``.

    Args:
        table: The points.
        name: The measure's header.
        notes: Where it is said what was cut.

    Raises:
        ActionError: If there is nothing to share.
    """
    import polars as pl

    total = float(table["y"].sum())
    if not 0 < total < float("inf"):
        raise ActionError(
            f"the sum of {name!r} is zero or without end, so there are no shares of it",
            private=f"It is {total:g}.",
        )
    if table.height > MOST_SLICES:
        ranks = table["y"].rank("ordinal", descending=True)
        kept, others = table.filter(ranks < MOST_SLICES), table.filter(ranks >= MOST_SLICES)
        row = {"x": f"{others.height} others", "y": others["y"].sum()}
        table = pl.concat([kept, pl.DataFrame([row])], how="diagonal_relaxed").select(kept.columns)
        notes.append(f"The {others.height} smallest slices are drawn as one.")
    shares = [number / total for number in table["y"]]
    texts = [f"{share:.0%}" if share >= TOLD_SHARE else "" for share in shares]
    return table.with_columns(pl.Series("share", texts)).with_row_index("place")
