"""Cutting: no more keys, points and slices than a picture can show, and words for the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wideleaf.tools.errors import ActionError

if TYPE_CHECKING:
    import polars as pl

MOST_POINTS = 4_000
MOST_SLICES = 8
TOLD_SHARE = 0.04
"""A smaller slice has no room for its share."""
SEED = 20


def keep_levels(
    table: pl.DataFrame, place: str, most: int, name: str, by: str
) -> tuple[pl.DataFrame, list[str]]:
    """Keep so many keys of a place: the first where they are sorted, else those of most weight.

    Args:
        table: The points.
        place: ``x``, ``color`` or ``facet``.
        most: How many.
        name: The header behind it.
        by: The measure's header.

    Returns:
        The points in the same order, and what was cut.
    """
    import polars as pl

    if place not in table.columns:
        return table, []
    sums = table.group_by(place, maintain_order=True).agg(pl.col("y").abs().sum().alias("sum"))
    if sums.height <= most:
        return table, []
    alone = sums.height == table.height
    as_sorted = alone and (table["y"].is_sorted() or table["y"].is_sorted(descending=True))
    if as_sorted or not by:
        kept, which = sums[place].head(most), f"the first {most}"
    else:
        kept = sums.sort("sum", descending=True, maintain_order=True)[place].head(most)
        which = f"the {most} with the largest {by!r}"
    told = f"Of {sums.height:,} values of {name!r} {which} are drawn." if name else (
        f"Of {sums.height:,} columns {which} are drawn."
    )  # fmt: skip
    return table.filter(table[place].is_in(kept.implode(), nulls_equal=True)), [told]


def join_levels(
    table: pl.DataFrame, place: str, most: int, name: str
) -> tuple[pl.DataFrame, list[str]]:
    """Keep so many keys of a place, the last of which stands for all smaller ones.

    Args:
        table: The points.
        place: ``color``.
        most: How many.
        name: The header behind it.

    Returns:
        The points, those of the smaller keys added up, and what was joined.
    """
    import polars as pl

    if place not in table.columns:
        return table, []
    sums = table.group_by(place, maintain_order=True).agg(pl.col("y").abs().sum().alias("sum"))
    if sums.height <= most:
        return table, []
    kept = sums.sort("sum", descending=True, maintain_order=True)[place].head(most - 1)
    rest = f"{sums.height - most + 1} others"
    is_kept = pl.col(place).is_in(kept.implode(), nulls_equal=True)
    named = table.with_columns(
        pl.when(is_kept).then(pl.col(place).cast(pl.String)).otherwise(pl.lit(rest)).alias(place)
    )
    keys = [column for column in table.columns if column != "y"]
    joined = named.group_by(keys, maintain_order=True).agg(pl.col("y").sum())
    smallest = f"the {sums.height - most + 1} smallest are drawn as one"
    told = f"Of {sums.height:,} values of {name!r} {smallest}."
    return joined.select(table.columns), [told]


def thin_out(table: pl.DataFrame, *, lines: bool) -> tuple[pl.DataFrame, list[str]]:
    """No more points than a picture can show: taken at random, of lines low and high ones.

    Args:
        table: The points.
        lines: Whether they are joined by lines.

    Returns:
        The points, and what was cut.
    """
    import polars as pl

    if table.height <= MOST_POINTS:
        return table, []
    if not lines:
        kept = table.with_row_index("_row").sample(MOST_POINTS, seed=SEED).sort("_row").drop("_row")
        return kept, [f"{MOST_POINTS:,} of {table.height:,} points are drawn, taken at random."]
    apart = [place for place in ("color", "facet") if place in table.columns]
    series = table.select(apart).n_unique() if apart else 1
    spans = max(MOST_POINTS // (2 * series), 1)
    table = table.sort("x", maintain_order=True).with_row_index("_row")
    place = pl.int_range(pl.len()) * spans // pl.len()
    table = table.with_columns((place.over(apart) if apart else place).alias("_span"))
    groups = table.group_by(*apart, "_span", maintain_order=True)
    ends = groups.agg(
        pl.col("_row").get(pl.col("y").arg_min()).alias("low"),
        pl.col("_row").get(pl.col("y").arg_max()).alias("high"),
    )
    rows = pl.concat([ends["low"], ends["high"]]).unique()
    kept = table.filter(table["_row"].is_in(rows.implode()))
    told = (
        f"Of {table.height:,} points the lowest and highest of each of {spans:,} spans are drawn."
    )
    return kept.drop("_row", "_span"), [told]


def join_slices(table: pl.DataFrame, name: str) -> tuple[pl.DataFrame, list[str]]:
    """The largest slices, and the others as one, each with its ``share`` and its ``place``.

    Args:
        table: The points.
        name: The measure's header.

    Returns:
        The slices, and what was cut.

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
    told = []
    if table.height > MOST_SLICES:
        ranks = table["y"].rank("ordinal", descending=True)
        kept, others = table.filter(ranks < MOST_SLICES), table.filter(ranks >= MOST_SLICES)
        row = {"y": [others["y"].sum()], "x": [f"{others.height} others"]}
        table = pl.concat([kept, pl.DataFrame(row, schema=kept.schema)])
        told = [f"The {others.height} smallest slices are drawn as one."]
    shares = [number / total for number in table["y"]]
    texts = [f"{share:.0%}" if share >= TOLD_SHARE else "" for share in shares]
    return table.with_columns(pl.Series("share", texts)).with_row_index("place"), told
