"""JSON rows: the tables of a document, their rows, and the columns of objects with any keys."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import polars as pl

from wideleaf.tools.cells.repairs import Repair, repair_headers
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.common_types import describe_flattening

DEPTH = 5
"""Objects nested deeper than this are kept as JSON text."""
PART_CELLS = 1_000_000
MAX_COLUMNS = 50_000
EXACT = 2**53
"""Beyond it a float does not hold every whole number."""
LIST_DEPTH = 3
"""Lists of objects are looked for so deep."""
VALUE = "value"

FieldPath = str | tuple[str, ...]
"""A key of a row, or the keys that lead to a value nested in it."""
JSONRow = dict[Any, Any]
Found = tuple[str, Iterable[Any], list[Repair]]


def find_tables(document: dict[str, Any]) -> list[Found]:
    """The tables of an object: each one's name within it, its entries and what is to be told.

    In this order: a frame as pandas writes it (split, table), lists of objects, an object of
    columns, an object of rows; otherwise it is a row itself.
    """
    data = document.get("data")
    if isinstance(document.get("columns"), list) and _are(list, data) and len(document) <= 5:
        return [("", _split(document), [])]
    if isinstance(document.get("schema"), dict) and _are(dict, data):
        return [("", data or [], [])]
    if lists := dict(_lists(document, ())):
        roots = {keys[0] for keys in lists}
        aside = tuple(key for key in document if key not in roots)
        notes = [Repair(text="Other keys of the file were left aside", columns=aside)]
        names = ["_".join(keys) if len(lists) > 1 else "" for keys in lists]
        rows = lists.values()
        return [
            (name, some, notes if aside else []) for name, some in zip(names, rows, strict=True)
        ]
    if (columns := _columns(document)) is not None:
        return [("", columns, [])]
    values = list(document.values())
    if len(values) > 1 and _are(dict, values) and _alike(values):
        key = next(name for name in ("key", "row_key", "key_of_row") if name not in values[0])
        text = "Each key of the file's object became a row, named in"
        objects = ({key: name, **row} for name, row in document.items())
        return [("", objects, [Repair(text=text, columns=(key,))])]
    return [("", [document], [Repair(text="The file is one object, so one row")])]


def rows_of(entries: Iterable[Any], origin: str) -> Iterator[dict[str, Any]]:
    """The entries of a list as objects; lists have their header first, or none at all.

    Raises:
        SourceError: If entries of several sorts stand side by side.
    """
    entries = iter(entries)
    first = next((entry for entry in entries if entry is not None), None)
    if first is None:
        return
    sort, names = _sort(first), list[str]()
    if sort is list and first and all(isinstance(cell, str) for cell in first):
        names = repair_headers(first)[0]
    for place, entry in enumerate(entries if names else chain([first], entries), 1 + bool(names)):
        if entry is not None and _sort(entry) is not sort:
            words: dict[Any, str] = {dict: "objects", list: "lists", None: "single values"}
            raise SourceError(
                f"{origin}: entry {place} is of another sort than the first; a table is a list "
                f"of {words[sort]} throughout"
            )
        if entry is None or sort is dict:
            yield entry or {}
        elif sort is None:
            yield {VALUE: entry}
        else:
            while len(names) < len(entry):
                names.append(repair_headers([*names, f"column_{len(names) + 1}"])[0][-1])
            yield dict(zip(names, entry, strict=False))


def _sort(entry: Any) -> type | None:
    return type(entry) if isinstance(entry, (dict, list)) else None


def _are(kind: type, values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, kind) for value in values)


def _split(document: dict[str, Any]) -> Iterator[list[Any]]:
    """The rows of pandas' split form, the header first, the index only if it says something."""
    rows, index = document["data"], document.get("index")
    names = [
        " ".join(map(str, name)) if isinstance(name, list) else str(name)
        for name in document["columns"]
    ]
    if isinstance(index, list) and len(index) == len(rows) and index != [*range(len(rows))]:
        yield ["index", *names]
        yield from ([name, *row] for name, row in zip(index, rows, strict=True))
    else:
        yield names
        yield from rows


def _lists(value: dict[str, Any], keys: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The lists of objects, each with the keys that lead to it."""
    for key, inner in value.items():
        if inner and _are(dict, inner):
            yield (*keys, key), inner
        elif isinstance(inner, dict) and len(keys) + 1 < LIST_DEPTH:
            yield from _lists(inner, (*keys, key))


def _columns(document: dict[str, Any]) -> Iterator[dict[str, Any]] | None:
    """The rows of an object of columns: lists of one length, or objects keyed 0, 1, 2 ..."""
    values = list(document.values())
    if not values:
        return None
    if _are(list, values) and len({len(value) for value in values}) == 1 and values[0]:
        cells = values
    elif _are(dict, values) and values[0]:
        places = [str(place) for place in range(len(values[0]))]
        if any([*value] != places for value in values):
            return None
        cells = [list(value.values()) for value in values]
    else:
        return None
    return (dict(zip(document, row, strict=True)) for row in zip(*cells, strict=True))


def _alike(rows: list[dict[str, Any]]) -> bool:
    """Whether objects have most of their keys in common, as rows of a table do."""
    keys = {key for row in rows for key in row}
    return 0 < len(keys) * len(rows) <= 2 * sum(map(len, rows))


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
        SourceError: If there are more than `MAX_COLUMNS` keys.
    """
    kinds: dict[FieldPath, set[type]] = {}
    long: set[FieldPath] = set()
    part: list[JSONRow] = []
    parts = cells = 0
    for row in rows:
        flat = dict(_flat(row)) if dict in map(type, row.values()) else row
        for key in flat:
            if key not in kinds:
                kinds[key] = set()
        part.append(flat)
        cells += len(kinds)
        if len(kinds) > MAX_COLUMNS:
            raise SourceError(
                f"{origin}: its objects have more than {MAX_COLUMNS} different keys; make the "
                "keys that are data into values"
            )
        if cells >= PART_CELLS:
            _write(part, kinds, long, folder / f"{parts}.parquet")
            part, parts, cells = [], parts + 1, 0
    if part or not parts:
        _write(part, kinds, long, folder / f"{parts}.parquet")
        parts += 1
    headers = [key if isinstance(key, str) else ".".join(key) for key in kinds]
    names, renamed = repair_headers(headers)
    columns = dict(zip(kinds, names, strict=True))
    scans = [_type_part(folder / f"{place}.parquet", kinds, columns) for place in range(parts)]
    repairs = [*_told(kinds, long, columns), *renamed]
    return pl.concat(scans) if kinds else pl.LazyFrame(), repairs


def _flat(row: dict[str, Any], keys: tuple[str, ...] = ()) -> Iterator[tuple[FieldPath, Any]]:
    """The cells of a row, those of nested objects under the tuples of their keys."""
    for key, value in row.items():
        if type(value) is dict and len(keys) < DEPTH:
            yield from _flat(value, (*keys, key))
        else:
            yield ((*keys, key) if keys else key), value


def _write(
    rows: list[JSONRow], kinds: dict[FieldPath, set[type]], long: set[FieldPath], path: Path
) -> None:
    """Write a part; its columns are called by their place among all keys."""
    columns = []
    for place, (key, types) in enumerate(kinds.items()):
        cells = [row.get(key) for row in rows]
        here = set(map(type, cells)) - {type(None)}
        types |= here
        if int in here and any(type(cell) is int and abs(cell) > EXACT for cell in cells):
            long.add(key)
        dtype = _dtype(here)
        if dtype == pl.String and here != {str}:
            cells = [_text(cell) for cell in cells]
        columns.append(pl.Series(str(place), cells, dtype=dtype))
    columns.append(pl.Series("row", range(len(rows)), dtype=pl.UInt32))
    pl.DataFrame(columns).write_parquet(path, compression="lz4", statistics=False)


def _dtype(kinds: set[type]) -> type[pl.DataType]:
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


def _type_part(
    path: Path, kinds: dict[FieldPath, set[type]], columns: dict[FieldPath, str]
) -> pl.LazyFrame:
    """A part with all columns; those that came up only later are empty."""
    scan = pl.scan_parquet(path)
    there = set(scan.collect_schema().names())
    expressions = []
    for place, (key, name) in enumerate(columns.items()):
        column = pl.col(str(place)) if str(place) in there else pl.lit(None)
        expressions.append(column.cast(_dtype(kinds[key])).alias(name))
    return scan.select(pl.col("row").alias("\0"), *expressions).drop("\0")


def _told(
    kinds: dict[FieldPath, set[type]], long: set[FieldPath], columns: dict[FieldPath, str]
) -> list[Repair]:
    types = {name: kinds[key] for key, name in columns.items()}
    sorts = {
        "Lists are kept as JSON text": [n for n, k in types.items() if list in k and dict not in k],
        f"Objects nested deeper than {DEPTH} are kept as JSON text": [
            name for name, own_types in types.items() if dict in own_types
        ],
        "Cells of several kinds became text": [
            name
            for name, own_types in types.items()
            if len(own_types) > 1 and not own_types <= {int, float}
        ],
        "Rounded to about 15 digits": [
            name for key, name in columns.items() if types[name] == {int, float} and key in long
        ],
    }
    roots = {name: key[0] for key, name in columns.items() if not isinstance(key, str)}
    nested = [describe_flattening(roots)] if roots else []
    return nested + [Repair(text=text, columns=tuple(some)) for text, some in sorts.items() if some]
