"""JSON shapes: which tables a JSON document holds, and what the rows of a list are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from wideleaf.tools.cells.repairs import Repair, repair_headers
from wideleaf.tools.errors import SourceError

LIST_DEPTH = 3
"""Lists of objects are looked for so deep."""
VALUE = "value"
Found = tuple[str, Iterable[Any], list[Repair]]


def find_tables(document: dict[str, Any]) -> list[Found]:
    """The tables of an object: each one's name within it, its entries and what is to be told.

    In this order: a frame as pandas writes it (split, table), lists of objects, an object of
    columns, an object of rows; otherwise it is a row itself.
    """
    names, data = document.get("columns"), document.get("data")
    if isinstance(names, list) and _are(list, data) and len(document) <= 5:
        return [("", _split(document), [])]
    if isinstance(document.get("schema"), dict) and _are(dict, data):
        return [("", data or [], [])]
    lists = dict(_lists(document, ()))
    if lists:
        roots = {keys[0] for keys in lists}
        aside = tuple(key for key in document if key not in roots)
        told = [Repair(text="Other keys of the file were left aside", columns=aside)]
        repairs = told if aside else []
        if len(lists) == 1:
            return [("", rows, repairs) for rows in lists.values()]
        return [("_".join(keys), rows, repairs) for keys, rows in lists.items()]
    columns = _columns(document)
    if columns is not None:
        return [("", columns, [])]
    values = list(document.values())
    if len(values) > 1 and _are(dict, values) and _alike(values):
        key = next(name for name in ("key", "row_key", "key_of_row") if name not in values[0])
        text = "Each key of the file's object became a row, named in"
        rows = ({key: name, **row} for name, row in document.items())
        return [("", rows, [Repair(text=text, columns=(key,))])]
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
    sort = type(first) if isinstance(first, (dict, list)) else None
    rest: Iterable[Any] = entries
    names: list[str] = []
    if sort is list and first and all(isinstance(cell, str) for cell in first):
        names = repair_headers(first)[0]
    else:
        rest = chain([first], entries)
    for place, entry in enumerate(rest, start=2 if names else 1):
        if entry is None:
            yield {}
        elif (type(entry) if isinstance(entry, (dict, list)) else None) is not sort:
            words: dict[Any, str] = {dict: "objects", list: "lists", None: "single values"}
            raise SourceError(
                f"{origin}: entry {place} is of another sort than the first; a table is a list "
                f"of {words[sort]} throughout"
            )
        elif sort is dict:
            yield entry
        elif sort is list:
            while len(names) < len(entry):
                names.append(repair_headers([*names, f"column_{len(names) + 1}"])[0][-1])
            yield dict(zip(names, entry, strict=False))
        else:
            yield {VALUE: entry}


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
