"""Groups of rows on every engine, whatever the headers of their keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals as nw

from wideleaf.tools.engines import is_polars


def grouped(
    frame: nw.LazyFrame[Any], keys: Sequence[str], *aggregates: nw.Expr
) -> nw.LazyFrame[Any]:
    """Aggregates for each combination of keys, in no order; a null is a key like others.

    DuckDB takes a key with a point, given as a text, for a column of a table; such keys go by
    other names while rows are grouped.

    Args:
        frame: The rows.
        keys: Columns to group by, at least one.
        aggregates: What to compute, under its names.
    """
    if is_polars(frame) or not any("." in key for key in keys):
        return frame.group_by(*keys).agg(*aggregates)
    stem = "__group"
    while any(name.startswith(stem) for name in frame.collect_schema().names()):
        stem = f"_{stem}"
    names = {key: f"{stem}_{place}" for place, key in enumerate(keys)}
    made = frame.with_columns(*(nw.col(key).alias(name) for key, name in names.items()))
    made = made.group_by(*names.values()).agg(*aggregates)
    others = [name for name in made.collect_schema().names() if name not in {*names.values()}]
    return made.select(*(nw.col(name).alias(key) for key, name in names.items()), *others)
