"""Why-provenance: the rows and columns of the sources behind one cell of an answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from wideleaf.tools.actions.craft import Craft
from wideleaf.tools.errors import ActionError
from wideleaf.tools.provenance.crafts import NOT_RUN, may_run
from wideleaf.tools.provenance.marks import collect_rows, row_at
from wideleaf.tools.provenance.replaying import reproduces
from wideleaf.tools.provenance.rows import Lineage
from wideleaf.tools.provenance.traces import LISTED, LeafRows, Trace
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.tree import FrameTree
from wideleaf.tools.words import cut

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

__all__ = ["LISTED", "LeafRows", "Trace", "trace_cell"]


def trace_cell(
    tree: FrameTree,
    label: str,
    store: FrameStore,
    row: int = 0,
    column: str | None = None,
    view: pd.DataFrame | None = None,
) -> Trace:
    """Find the source rows behind a cell of a node's frame.

    The rows are *sufficient*: the plan run on them alone makes the cell again, and that is tried
    before they are told. Where it fails, because two branches of a plan look at one table in ways
    that hinder each other, whole partitions are taken, then all rows, and the trace says so.

    Args:
        tree: The tree.
        label: The node whose frame holds the cell.
        store: Its frames.
        row: The cell's row, from 0.
        column: Its column, by the header people see or its name in the tree; None for the row
            as a whole.
        view: The frame as the person sees it; without it the frame is read again, and an engine
            may then have put rows that no Sort has ordered in another order.

    Raises:
        ActionError: If there is no such node, row or column, or the engine does not number rows.
    """
    if label not in tree.by_label or tree[label].outcome != "ok":
        there = ", ".join(node.label for node in tree.nodes if node.outcome == "ok")
        raise ActionError(f"no frame {label!r} to trace; the frames are {there or 'none'}")
    with store.reading("the trace"):
        table = store.get(tree[label].id)
        headers = dict(zip(table.columns, store.with_labels(tree[label].id).columns, strict=True))
        names = {header: name for name, header in headers.items()}
        selection = None if column is None else names.get(column, column)
        if selection is not None and selection not in headers:
            raise ActionError(f"{label} has no column {column!r}; it has {cut(names, 300)}")
        cells = _cells(table, row) if view is None else _cells_seen(table, row, view)
        if not len(cells):
            raise ActionError(
                f"{label} has no row {row}; it has {table.count()} rows, counted from 0",
                kind="unknown row",
            )
        columns = list(table.columns) if selection is None else [selection]
        lineage, behind, reproduced, note = _sufficient(tree, label, store, row, cells, columns)
        whole = {headers[name]: cell for name, cell in cells.row(0, named=True).items()}
        return Trace.of_rows(
            lineage,
            behind,
            label=label,
            row=row,
            column="" if selection is None else headers[selection],
            value=whole if selection is None else whole[headers[selection]],
            reproduced=reproduced,
            note=note,
        )


def _note_crafts(lineage: Lineage) -> Iterator[str]:
    """What the reader should know of rows behind a function that a model wrote."""
    for node in lineage.plan:
        action = lineage.actions[node.label]
        if not isinstance(action, Craft) or node.label in lineage.by_rows:
            continue
        why = may_run(lineage.store, action)
        remark = f"; {NOT_RUN}: {why}" if why else ""
        of = " and ".join(node.parents)
        yield (
            f"{node.label} was made by a function that the model wrote, of all rows of {of}, so "
            f"all of them are listed{remark}."
        )


def _cells(table: Table, row: int) -> pl.DataFrame:
    return row_at(table, row) if row >= 0 else row_at(table, 0).head(0)


def _cells_seen(table: Table, row: int, view: pd.DataFrame) -> pl.DataFrame:
    """A row of a pandas frame, whose headers may be others, as one of the table."""
    import polars as pl

    if not 0 <= row < len(view):
        return row_at(table, 0).head(0)
    cells = pl.from_pandas(view.iloc[[row]].reset_index(drop=True), nan_to_null=True)
    return cells.rename(dict(zip(cells.columns, table.columns, strict=True)))


def _sufficient(
    tree: FrameTree,
    label: str,
    store: FrameStore,
    row: int,
    cells: pl.DataFrame,
    columns: list[str],
) -> tuple[Lineage, dict[str, pl.Series], bool | None, str]:
    """The fewest rows of three choices of which the plan makes the cell again."""
    target = cells.select(columns)
    for narrow, wide in ((True, False), (False, False), (False, True)):
        lineage = Lineage(tree, label, store, columns, wide=wide, narrow=narrow)
        behind = lineage.behind(row, cells)
        reproduced = reproduces(lineage, behind, target)
        if reproduced is not False:
            note = "Whole partitions were taken, since fewer rows would not do." if wide else ""
            return (
                lineage,
                behind,
                reproduced,
                " ".join(filter(None, [note, *_note_crafts(lineage)])),
            )
    for leaf in behind:
        carrier = lineage.frame_of(leaf)
        behind[leaf] = collect_rows(carrier.table.frame.select(*carrier.hidden)).to_series().sort()
    note = "All rows are listed: on fewer, branches of the plan that share a table would differ."
    return lineage, behind, reproduces(lineage, behind, target), note
