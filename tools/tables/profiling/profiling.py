"""Profiling: what each column of a table holds, in chunks of columns, on every engine."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import narwhals as nw

from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.columns import nearest_names
from wideleaf.tools.tables.profiling.column_profile import (
    CELLS_HELD,
    EXACT_CELLS,
    MAX_FREQUENT,
    MAX_VALUES,
    MIN_HELD,
    Chunk,
    ColumnProfile,
    ColumnReading,
)
from wideleaf.tools.tables.table import Kind, Table, is_polars

COLUMNS_HELD, COLUMNS_STREAMED = 2000, 400
"""Columns of a chunk at most: each chunk has the engine plan a query over the whole schema anew."""
_MOMENT = re.compile(r"(\S+) (\d\d:\d\d:\d\d)(?:\.(\d*?)0*)?(\+00(?::00)?)?")
"""How engines write a moment; one with a zone is in UTC."""


def profile_columns(
    table: Table,
    columns: Sequence[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, ColumnProfile]:
    """Profile columns: kind, nulls, distinct values, range, frequent values.

    The cells are read once; of a table beyond memory, those of columns with few values twice; of
    one in a database or a lake, or of too many cells on another engine, a sample. What comes of
    it holds cells: it stays on this machine. Of engines whose queries may not run side by side,
    the caller holds the turn.

    Args:
        table: The table.
        columns: Which; None for all.
        progress: Told after each chunk how many columns of how many are done.

    Returns:
        By column, in the order asked for.

    Raises:
        ActionError: If a column does not exist; names the nearest.
    """
    names = table.columns if columns is None else tuple(dict.fromkeys(columns))
    for name in names:
        if name not in table.schema:
            near = ", ".join(map(repr, nearest_names(name, table.columns)))
            raise ActionError(
                f"no column {name!r} to profile; the nearest are {near}", kind="unknown column"
            )
    if not names:
        return {}
    if table.remote or table.frame.implementation.is_ibis():
        return _of_sample(table, names, progress)
    profiles: dict[str, ColumnProfile] = {}
    for chunk in _chunks(table, names):
        if not (chunk.held or is_polars(table.frame)):
            profiles |= _of_sample(table, [*chunk.columns])
        else:
            for name, reading in _read(table, chunk).items():
                single = table.schema[name] == nw.Float32()
                profiles[name] = _profile(chunk.columns[name], chunk.rows, reading, single)
        if progress is not None:
            progress(len(profiles), len(names))
    return {name: profiles[name] for name in names}


def _of_sample(
    table: Table,
    names: Sequence[str],
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, ColumnProfile]:
    from wideleaf.tools.tables.profiling.sampled import sample_rows, scale_profile

    rows = sample_rows(table, names)
    profiles = profile_columns(Table(nw.from_native(rows.lazy())), names, progress)
    return {name: scale_profile(one, rows[name], table.count()) for name, one in profiles.items()}


def _read(table: Table, chunk: Chunk) -> dict[str, ColumnReading]:
    from wideleaf.tools.tables.profiling import polars as profiling_polars

    if not is_polars(table.frame):
        cells = nw.to_native(table.frame.select(*chunk.columns).collect("polars"))
        table = Table(nw.from_native(cells.lazy()))
    return profiling_polars.read(table, chunk)


def _chunks(table: Table, names: Sequence[str]) -> Iterator[Chunk]:
    rows = table.count()
    exact = rows * len(names) <= EXACT_CELLS
    groups: dict[str, dict[str, Kind]] = {"number": {}, "text": {}, "other": {}}
    for name in names:
        kind = table.kind(name)
        groups[kind if kind in groups else "number"][name] = kind
    for group, kinds in groups.items():
        fit = CELLS_HELD.get(group, 0) // max(rows, 1)
        in_memory = fit >= min(MIN_HELD, len(kinds))
        size = min(fit, COLUMNS_HELD) if in_memory else COLUMNS_STREAMED
        columns = list(kinds.items())
        for start in range(0, len(columns), max(size, 1)):
            yield Chunk(dict(columns[start : start + max(size, 1)]), rows, exact, in_memory)


def _profile(kind: Kind, rows: int, reading: ColumnReading, single: bool) -> ColumnProfile:
    counts: Counter[str] = Counter()
    for value, count in reading.counts:
        counts[spell_value(value, single)] += count
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    whole = len(reading.counts) <= MAX_VALUES
    distinct = reading.distinct
    if distinct is not None:
        distinct = max(min(distinct, reading.cells), min(reading.cells, 1))
        if counts and whole and not any(value.endswith("…") for value in counts):
            distinct = len(counts)
    if kind == "number" and len(ordered) > MAX_FREQUENT:
        ordered = []
    rest = ordered[MAX_FREQUENT:] if whole and kind == "text" else []
    return ColumnProfile(
        kind=kind,
        rows=rows,
        nulls=rows - reading.cells,
        distinct=distinct,
        low=_bound(reading.low),
        high=_bound(reading.high),
        frequent=tuple(ordered[:MAX_FREQUENT]),
        others=tuple(value for value, _ in rest),
    )


def spell_value(value: Any, single: bool = False) -> str:
    """A value as text, the same on every engine: ``1`` for 1.0, ``true``, text as it is.

    Args:
        value: A cell.
        single: Whether it is a number of single precision.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    number = float(value)
    if number.is_integer() and abs(number) < 2**53:
        return str(int(number))
    if single:
        import numpy as np

        return str(np.float32(number))
    return repr(number)


def _bound(value: Any) -> float | str | None:
    """A number, or a date as ISO text: ``2024-05-01T12:00:00.5``, with ``Z`` if it has a zone."""
    if value is None:
        return None
    if isinstance(value, str):
        match = _MOMENT.fullmatch(value)
        if match is None:
            return value
        day, clock, fraction, zone = match.groups()
        return f"{day}T{clock}{f'.{fraction}' if fraction else ''}{'Z' if zone else ''}"
    return float(value)
