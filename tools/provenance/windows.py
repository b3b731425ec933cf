"""The rows that a window or a place in the table looks at for one row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import narwhals as nw

from wideleaf.tools.actions.position import Position
from wideleaf.tools.actions.window import Window
from wideleaf.tools.actions.windowing.order import ALL, PLACE, number_rows
from wideleaf.tools.engines.engine import Engine
from wideleaf.tools.provenance.marks import LineageFrame, collect_rows, matching

if TYPE_CHECKING:
    import polars as pl


def up_to(
    action: Position, marked: LineageFrame, keys: pl.DataFrame, engine: Engine
) -> nw.LazyFrame[Any]:
    """The rows up to those wanted: a place is counted from them.

    Args:
        action: What numbers the rows.
        marked: Its input.
        keys: The hidden cells of the rows wanted.
        engine: Who holds them.
    """
    numbered = marked.run(action).table.frame
    own = collect_rows(matching(numbered, marked.hidden, keys, engine))
    last = max(own[action.name].to_list(), default=0)
    return numbered.filter(nw.col(action.name) <= last)


def find_window_rows(
    action: Window, marked: LineageFrame, keys: pl.DataFrame, engine: Engine, *, narrow: bool
) -> nw.LazyFrame[Any]:
    """The rows a window looks at for the rows wanted.

    Args:
        action: The window.
        marked: Its input.
        keys: The hidden cells of the rows wanted.
        engine: Who holds them.
        narrow: Whether it is one row, so that its own reach will do; else whole partitions.
    """
    import polars as pl

    by = list(action.by or ())
    if not narrow or not action.order:
        rows = matching(marked.table.frame, marked.hidden, keys, engine)
        wanted = collect_rows(rows.select(*by).unique()) if by else None
        frame = marked.table.frame
        return frame if wanted is None else matching(frame, by, wanted, engine)
    order = number_rows(marked.table, action.column, False, by, action.order, action.n)
    own = collect_rows(matching(order.frame, marked.hidden, keys, engine).select(*by, PLACE))
    place = int(own[PLACE][0])
    low, high = _span(action, place)
    wanted = own.select(by) if by else pl.DataFrame({ALL: [1]})
    frame = matching(order.frame, by or [ALL], wanted, engine)
    if low is not None:
        frame = frame.filter(nw.col(PLACE) >= low)
    return frame if high is None else frame.filter(nw.col(PLACE) <= high)


def _span(action: Window, place: int) -> tuple[int | None, int | None]:
    """The places in its partition of which a row's window speaks; the whole of it by default."""
    function = action.function
    if function in ("lag", "difference", "percent change"):
        return place - action.n, place
    if function == "lead":
        return place, place + action.n
    if function.startswith("rolling"):
        return place - action.n + 1, place
    if function.startswith("cumulative") or function in ("row number", "rank", "dense rank"):
        return None, place
    return None, None
