"""Aggregates along the row over many columns, nulls left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import narwhals as nw

Stage = Callable[[nw.Expr], nw.Expr]
"""Has an expression computed beforehand, so that many others may use it at no cost."""


AT_ONCE = 16
"""Cells added up at once; engines nest one sum in the other, and not without end."""


def row_sum(cells: Sequence[nw.Expr]) -> nw.Expr:
    """Sum over the cells of a row, nulls left out; null if all are."""
    return nw.when(~nw.coalesce(*cells).is_null()).then(_total(cells))


def row_mean(cells: Sequence[nw.Expr]) -> nw.Expr:
    """Mean over the cells of a row, nulls left out; null if all are."""
    count = row_count(cells)
    return _total(cells) / nw.when(count > 0).then(count)


def row_count(cells: Sequence[nw.Expr]) -> nw.Expr:
    """How many cells of a row are not null."""
    return row_hits([~cell.is_null() for cell in cells])


def row_hits(hits: Sequence[nw.Expr]) -> nw.Expr:
    """How many conditions are true."""
    return _total([hit.cast(nw.Int32) for hit in hits]).cast(nw.Int64)


def _total(cells: Sequence[nw.Expr]) -> nw.Expr:
    """Sum over cells, 0 if all are null."""
    while len(cells) > AT_ONCE:
        starts = range(0, len(cells), AT_ONCE)
        cells = [nw.sum_horizontal(*cells[start : start + AT_ONCE]) for start in starts]
    return nw.sum_horizontal(*cells)


def row_std(cells: Sequence[nw.Expr], stage: Stage) -> nw.Expr:
    """Standard deviation of a sample (n - 1); null under two cells."""
    mean, count = stage(row_mean(cells)), stage(row_count(cells))
    squares = _total([(cell - mean) * (cell - mean) for cell in cells])
    return (nw.when(count > 1).then(squares) / (count - 1)).sqrt()


def row_which(
    cells: Sequence[nw.Expr], names: Sequence[str], best: nw.Expr, stage: Stage
) -> nw.Expr:
    """The name of the first column that holds the best cell; null if all are null."""
    value = stage(best)
    return nw.coalesce(
        *(
            nw.when(cell == value).then(nw.lit(name))
            for cell, name in zip(cells, names, strict=True)
        )
    )


def row_aggregate(
    row: str, cells: Sequence[nw.Expr], names: Sequence[str], stage: Stage
) -> nw.Expr:
    """An aggregate along the row.

    Args:
        row: Its name.
        cells: Columns of one kind.
        names: Their names.
        stage: Computes something beforehand.
    """
    match row:
        case "sum":
            return row_sum(cells)
        case "mean":
            return row_mean(cells)
        case "count":
            return row_count(cells)
        case "std":
            return row_std(cells, stage)
        case "min":
            return nw.min_horizontal(*cells)
        case "max":
            return nw.max_horizontal(*cells)
        case "which min":
            return row_which(cells, names, nw.min_horizontal(*cells), stage)
        case "which max":
            return row_which(cells, names, nw.max_horizontal(*cells), stage)
        case "first":
            return nw.coalesce(*cells)
        case _:
            return nw.coalesce(*reversed(cells))
