"""JSON rows: objects with whatever keys become columns, a part of the rows at a time."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wideleaf.tools.cells.repairs import Repair, repair_headers
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.common_types import describe_flattening

if TYPE_CHECKING:
    import polars as pl

DEPTH = 5
"""Objects nested deeper than this are kept as JSON text."""
PART_CELLS = 1_000_000
MOST_COLUMNS = 50_000
EXACT = 2**53
"""Beyond it a float does not hold every whole number."""

FieldPath = str | tuple[str, ...]
"""A key of a row, or the keys that lead to a value nested in it."""
JSONRow = dict[Any, Any]


def tabulate_objects(
    rows: Iterable[dict[str, Any]], folder: Path, origin: str
) -> tuple[pl.LazyFrame, list[Repair]]:
    """Make a table of objects; the columns are all keys that any of them has.

    Args:
        rows: The objects, read once.
        folder: An empty folder for the parts.
        origin: What the file is called in messages.

    Returns:
        The table and what was changed.

    Raises:
        SourceError: If there are more than `MOST_COLUMNS` keys.
    """
    import polars as pl

    kinds: dict[FieldPath, set[type]] = {}
    long: set[FieldPath] = set()
    part: list[JSONRow] = []
    parts = 0
    cells = 0
    for row in rows:
        flat = _flat(row)
        for key in flat:
            if key not in kinds:
                kinds[key] = set()
        part.append(flat)
        cells += len(kinds)
        if len(kinds) > MOST_COLUMNS:
            raise SourceError(
                f"{origin}: its objects have more than {MOST_COLUMNS} different keys; make the "
                "keys that are data into values"
            )
        if cells >= PART_CELLS:
            _write(part, kinds, long, folder / f"{parts}.parquet")
            part, parts, cells = [], parts + 1, 0
    if part or not parts:
        _write(part, kinds, long, folder / f"{parts}.parquet")
        parts += 1
    names, renamed = repair_headers([_joined(key) for key in kinds])
    columns = dict(zip(kinds, names, strict=True))
    scans = [_typed(folder / f"{place}.parquet", kinds, columns) for place in range(parts)]
    repairs = [*_told(kinds, long, columns), *renamed]
    return pl.concat(scans) if kinds else pl.LazyFrame(), repairs


def _flat(row: dict[str, Any]) -> JSONRow:
    """A row whose nested objects are spread out under the tuples of their keys."""
    if dict not in map(type, row.values()):
        return row
    made: JSONRow = {}
    pending: list[tuple[tuple[str, ...], Any]] = [((k,), v) for k, v in reversed(row.items())]
    while pending:
        keys, value = pending.pop()
        if type(value) is dict and len(keys) <= DEPTH:
            pending += [((*keys, k), v) for k, v in reversed(value.items())]
        else:
            made[keys if len(keys) > 1 else keys[0]] = value
    return made


def _joined(key: FieldPath) -> str:
    return key if isinstance(key, str) else ".".join(key)


def _write(
    rows: list[JSONRow], kinds: dict[FieldPath, set[type]], long: set[FieldPath], path: Path
) -> None:
    """Write a part; its columns are called by their place among all keys."""
    import polars as pl

    columns = []
    for place, (key, seen) in enumerate(kinds.items()):
        cells = [row.get(key) for row in rows]
        here = set(map(type, cells)) - {type(None)}
        seen |= here
        if int in here and any(type(cell) is int and abs(cell) > EXACT for cell in cells):
            long.add(key)
        dtype = _dtype(here)
        if dtype == pl.String and here != {str}:
            cells = [_text(cell) for cell in cells]
        columns.append(pl.Series(str(place), cells, dtype=dtype))
    columns.append(pl.Series("row", range(len(rows)), dtype=pl.UInt32))
    pl.DataFrame(columns).write_parquet(path, compression="lz4", statistics=False)


def _dtype(kinds: set[type]) -> type[pl.DataType]:
    import polars as pl

    if not kinds:
        return pl.Null
    if kinds == {bool}:
        return pl.Boolean
    if kinds == {int}:
        return pl.Int64
    return pl.Float64 if kinds <= {int, float} else pl.String


def _text(cell: Any) -> str | None:
    if cell is None or isinstance(cell, str):
        return cell
    return json.dumps(cell, ensure_ascii=False)


def _typed(
    path: Path, kinds: dict[FieldPath, set[type]], columns: dict[FieldPath, str]
) -> pl.LazyFrame:
    """A part with all columns; those that came up only later are empty."""
    import polars as pl

    scan = pl.scan_parquet(path)
    there = set(scan.collect_schema().names())
    made = []
    for place, (key, name) in enumerate(columns.items()):
        dtype = _dtype(kinds[key])
        column = pl.col(str(place)) if str(place) in there else pl.lit(None)
        made.append(column.cast(dtype).alias(name))
    return scan.select(pl.col("row").alias("\0"), *made).drop("\0")


def _told(
    kinds: dict[FieldPath, set[type]], long: set[FieldPath], columns: dict[FieldPath, str]
) -> list[Repair]:
    mixed, lists, deep = [], [], []
    roots = {}
    for key, name in columns.items():
        seen = kinds[key]
        if dict in seen:
            deep.append(name)
        elif list in seen:
            lists.append(name)
        if len(seen) > 1 and not seen <= {int, float}:
            mixed.append(name)
        if not isinstance(key, str):
            roots[name] = key[0]
    rounded = [name for key, name in columns.items() if kinds[key] == {int, float} and key in long]
    sorts = [
        ("Lists are kept as JSON text", lists),
        (f"Objects nested deeper than {DEPTH} are kept as JSON text", deep),
        ("Cells of several kinds became text", mixed),
        ("Rounded to about 15 digits", rounded),
    ]
    repairs = [Repair(text=text, columns=tuple(names)) for text, names in sorts if names]
    return [describe_flattening(roots), *repairs] if roots else repairs
