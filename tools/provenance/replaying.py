"""The proof of a trace: the plan run once more on the traced rows alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import narwhals as nw

from wideleaf.tools.actions.craft import Craft
from wideleaf.tools.actions.load import Load
from wideleaf.tools.actions.pivot import Pivot
from wideleaf.tools.errors import ActionError
from wideleaf.tools.provenance.crafts import may_run, rerun
from wideleaf.tools.provenance.marks import alike, collect_rows, matching
from wideleaf.tools.provenance.rows import Lineage
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import polars as pl

MAX_CELLS = 20_000_000
"""Traced rows of more cells than this are not run once more."""


def leaf_rows(
    lineage: Lineage, label: str, rows: pl.Series, columns: Sequence[str] | None = None
) -> pl.DataFrame:
    """The rows of a leaf by their numbers, in the order of the leaf.

    Args:
        lineage: The plan.
        label: The leaf.
        rows: The numbers.
        columns: What to read; those that the plan looks at if not given.
    """
    carrier = lineage.frame_of(label) if columns is None else lineage.number_leaf(label, columns)
    (number,) = carrier.hidden
    names = carrier.shown
    matches = matching(carrier.table.frame, [number], rows.to_frame("0"), lineage.store.engine)
    return collect_rows(matches.select(*names, number)).sort(number).drop(number)


def reproduces(
    lineage: Lineage, behind: Mapping[str, pl.Series], cells: pl.DataFrame
) -> bool | None:
    """Whether the plan, run on these rows alone, makes a row with the traced cells.

    Args:
        lineage: The plan.
        behind: The numbers of each leaf's rows.
        cells: The cells of one row that must come out again.

    Returns:
        None where the rows are too many to be run once more, or a function may not be run.
    """
    crafted = [one for one in lineage.actions.values() if isinstance(one, Craft)]
    if any(may_run(lineage.store, one) for one in crafted):
        return None
    if sum(len(behind[one]) * len(lineage.read[one]) for one in behind) > MAX_CELLS:
        return None
    target = cells.row(0)
    try:
        table = replay_rows(lineage, behind)
        if {*cells.columns} - {*table.columns}:
            return False
        result = collect_rows(table.frame.select(*cells.columns))
    except ActionError:
        return False
    return any(all(map(alike, target, row)) for row in result.iter_rows())


def replay_rows(lineage: Lineage, behind: Mapping[str, pl.Series]) -> Table:
    """The frame that the plan makes of these rows alone, on Polars.

    Raises:
        ActionError: If an action cannot be run on so few rows.
    """
    frames: dict[str, Table] = {}
    for node in lineage.plan:
        action = lineage.actions[node.label]
        inputs = [frames[parent] for parent in node.parents]
        if isinstance(action, Load):
            rows = leaf_rows(lineage, node.label, behind[node.label])
            frames[node.label] = Table(nw.from_native(rows.lazy()))
        elif isinstance(action, Pivot):
            whole = lineage.tables[node.parents[0]]
            frames[node.label] = _spread_alike(action, inputs[0], whole, lineage.tables[node.label])
        elif isinstance(action, Craft):
            frames[node.label] = rerun(lineage.store, action, inputs)
        else:
            frames[node.label] = action.run(*inputs)
    return frames[lineage.label]


def _spread_alike(action: Pivot, few: Table, whole: Table, wide: Table) -> Table:
    """A pivot of few rows with the headers that it has of all: a value may be missing in few."""
    there = {label: header for header, label in action.spread_labels(few).items()}
    result = action.run(few)
    counts = (action.function or "").startswith("count") or action.value is None
    columns: list[Any] = [nw.col(name) for name in action.index or ()]
    for header, label in action.spread_labels(whole).items():
        if label in there:
            columns.append(nw.col(there[label]).alias(header))
        else:
            blank: Any = nw.lit(0 if counts and action.function != "share" else None)
            columns.append(blank.cast(wide.schema[header]).alias(header))
    return Table(result.frame.select(*columns))
