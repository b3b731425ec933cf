"""A part of a table for whoever looks through it: some rows and columns, sorted if one wishes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import narwhals as nw

from wideleaf.tools.tables.table import Table, is_polars

if TYPE_CHECKING:
    import polars as pl


class Part(NamedTuple):
    """Some rows and columns.

    Attributes:
        rows: The cells.
        numbers: Of each row its number in the table as it stands, from 0; None where a table is
            sorted on an engine that numbers no rows.
    """

    rows: pl.DataFrame
    numbers: list[int] | None


def read_part(
    table: Table, columns: tuple[int, int], rows: tuple[int, int], sort: str = ""
) -> Part:
    """Read a part of a table.

    Args:
        table: The table.
        columns: How many to pass over, and how many to give at most.
        rows: Likewise.
        sort: The header of a column to sort by, the smallest first; after ``-`` the largest. Where
            there is no such column, rows stay as they are.
    """
    names = table.columns[columns[0] : sum(columns)]
    frame, header = table.frame, sort.removeprefix("-")
    is_sorted, is_numbered = header in table.columns, is_polars(table.frame)
    number = "row" + "_" * max(map(len, table.columns))  # longer than any header
    kept = (*names, number) if is_sorted and is_numbered else names
    if is_sorted and is_numbered:
        frame = nw.from_native(nw.to_native(frame).with_row_index(number))
    if is_sorted:
        frame = frame.sort(header, descending=sort != header, nulls_last=True)
    first = rows[0]
    part: pl.DataFrame = nw.to_native(frame.select(*kept).head(sum(rows)).collect("polars"))[first:]
    if not is_sorted:
        return Part(part, [*range(first, first + len(part))])
    return Part(part.select(names), part[number].to_list() if is_numbered else None)
