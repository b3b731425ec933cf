"""Told: what is to be said of columns whose nulls were filled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import narwhals as nw

from wideleaf.tools.actions.measuring.measures import Trait, resolve_measures, tell_measures
from wideleaf.tools.actions.preparing.fillings import known_cell
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.table import Table, aggregate_by

COLUMNS_TOLD = 8
_ROWS = "__rows"


def count_nulls(table: Table, names: Sequence[str]) -> list[int]:
    """How many nulls each of some columns has; a not-a-number is one."""
    counts = [
        known_cell(table, name).is_null().cast(nw.Int64).sum().alias(f"{place}")
        for place, name in enumerate(names)
    ]
    return [int(one or 0) for one in table.frame.select(*counts).collect().row(0)]


def tell_counts(
    names: Sequence[str], before: Sequence[int], after: Sequence[int], rows: int
) -> Iterator[Fact]:
    """How many nulls there were, and how many each column had and has.

    Args:
        names: The columns.
        before: How many nulls each had.
        after: How many each has.
        rows: How many rows there are.
    """
    filled = sum(before) - sum(after)
    text = f"{filled} nulls were filled, in {len(names)} columns of {rows} rows"
    yield Fact(text=text, caveat=True)
    counts = zip(names, before, after, strict=True)
    shown = [f"{name!r} had {had} and has {has}" for name, had, has in counts if had]
    if shown:
        more = f", and {len(shown) - COLUMNS_TOLD} more" if len(shown) > COLUMNS_TOLD else ""
        yield Fact(text=f"Nulls: {', '.join(shown[:COLUMNS_TOLD])}{more}")


def tell_fractions(table: Table, names: Sequence[str]) -> Iterator[Fact]:
    """Columns of whole numbers that may hold fractions now."""
    whole = [repr(name) for name in names if table.schema[name].is_integer()]
    if whole:
        yield Fact(text=f"No longer whole numbers: {', '.join(whole[:COLUMNS_TOLD])}")


def tell_modes(table: Table, names: Sequence[str], by: Sequence[str]) -> list[Fact]:
    """Columns that have several most frequent cells."""
    modes = [Trait(function="mode", column=name) for name in names]
    return tell_measures(table.frame, by, resolve_measures(modes, table), table)


def tell_order(table: Table, by: Sequence[str], order: Sequence[str]) -> Iterator[Fact]:
    """Rows that an order does not tell apart, or that have no place in it.

    Args:
        table: The table.
        by: What groups the rows.
        order: What orders them, at least one column.
    """
    keys = list(dict.fromkeys([*by, *order]))
    sizes = aggregate_by(table.frame, keys, nw.len().cast(nw.Int64).alias(_ROWS))
    tied = sizes.filter(nw.col(_ROWS) > 1).select(nw.col(_ROWS).sum())
    if count := int(tied.collect().item() or 0):
        text = f"{count} rows have the same {', '.join(map(repr, keys))} as another row"
        yield Fact(text=f"{text}: other columns decide their order", caveat=True)
    [unknown] = count_nulls(table, order[:1])
    if unknown:
        yield Fact(text=f"{unknown} rows with a null {order[0]!r} come last", caveat=True)


def tell_lonely(table: Table, names: Sequence[str]) -> Iterator[Fact]:
    """Rows that nothing is known of by which they could be near another."""
    unknown = [known_cell(table, name).is_null() for name in names]
    alone = nw.all_horizontal(*unknown, ignore_nulls=True).cast(nw.Int64)
    count = int(
        table.frame.select(alone.alias(_ROWS)).select(nw.col(_ROWS).sum()).collect().item() or 0
    )
    yield Fact(text="Rows are near by numbers in units of their columns' deviations")
    if count:
        text = f"{count} rows have no number in these columns and took the means"
        yield Fact(text=text, caveat=True)
