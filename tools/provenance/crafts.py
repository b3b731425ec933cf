"""Whether a model-written function goes row by row over the rows at hand, tried in the sandbox.

Nothing is concluded from the code. A function passes where each row alone, the rows in reverse,
and parts drawn at random make the same cells as all rows together; else every row of its inputs
stands behind every row it makes.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import narwhals as nw

from wideleaf.tools.actions.craft import Craft
from wideleaf.tools.errors import ActionError, SandboxError
from wideleaf.tools.provenance.marks import alike
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import polars as pl

MAX_CELLS = 2_000_000
"""A larger input is not tried row by row."""
MAX_ALONE = 30
"""So many rows are tried alone; of more, some drawn at random."""
SECONDS = 10.0
"""Tries end after this long, and nothing is proved."""
NOT_RUN = "the function was not run once more"


def may_run(store: FrameStore, action: Craft) -> str:
    """Why a function cannot be run again here; empty where it can.

    Args:
        store: The frames, which know what was allowed and where code runs.
        action: The step.
    """
    if store.runner.off:
        return "model-written code is switched off"
    if not store.runner.allows(action.hash):
        return "its code was not allowed here"
    try:
        store.runner.sandbox()
    except SandboxError as error:
        return str(error)
    return ""


def rerun(store: FrameStore, action: Craft, tables: Sequence[Table]) -> Table:
    """Run a function on other rows than it was run on.

    Raises:
        ActionError: If it may not be run, or fails on them.
    """
    try:
        return store.runner.run(action, tables).table
    except SandboxError as error:
        raise ActionError(str(error), kind="no sandbox") from None


def row_by_row(store: FrameStore, action: Craft, rows: pl.DataFrame) -> pl.DataFrame | None:
    """The result over some rows where each row of it is made of one of them, in their order.

    Args:
        store: The frames.
        action: The step, which has one input.
        rows: All rows of that input.

    Returns:
        The result; None where that is not proved.
    """
    count = len(rows)
    if not count or count * len(rows.columns) > MAX_CELLS or may_run(store, action):
        return None
    ends = time.monotonic() + SECONDS

    def made_of(places: Sequence[int]) -> pl.DataFrame:
        if time.monotonic() > ends:
            raise ActionError("out of time", kind="code time")
        table = Table(nw.from_native(rows[list(places)].lazy()))
        result: pl.DataFrame = nw.to_native(rerun(store, action, [table]).frame.collect())
        return result

    try:
        whole = made_of(range(count))
        if len(whole) != count:
            return None
        return whole if _passes(made_of, whole) else None
    except ActionError:
        return None


def _passes(made_of: Callable[[Sequence[int]], pl.DataFrame], whole: pl.DataFrame) -> bool:
    count = len(whole)
    generator = random.Random(count)
    places = [*range(count)]
    tries = [places[::-1]]
    for _ in range(2):
        half = sorted(generator.sample(places, count // 2))
        tries += [half, sorted({*places} - {*half})] if half else []
    alone = places if count <= MAX_ALONE else sorted(generator.sample(places, MAX_ALONE))
    tries += [[place] for place in alone]
    return all(_same(made_of(some), whole[some]) for some in tries)


def _same(one: pl.DataFrame, other: pl.DataFrame) -> bool:
    if one.columns != other.columns or len(one) != len(other):
        return False
    pairs = zip(one.iter_rows(), other.iter_rows(), strict=True)
    return all(all(map(alike, mine, theirs)) for mine, theirs in pairs)
