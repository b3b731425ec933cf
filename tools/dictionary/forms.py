"""The forms of a data dictionary: tables of text, JSON, YAML, Markdown and plain lines."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from wideleaf.tools.dictionary.text import (
    NAMES,
    TEXTS,
    DictionaryEntry,
    ReadLines,
    blocks,
    heading,
    plain_lines,
)

TABLES = ("table", "table name", "dataset", "sheet")
BESIDE = (
    ("unit", ("unit", "units", "unit of measure")),
    ("type", ("type", "data type", "dtype")),
    ("values", ("values", "codes", "levels", "categories")),
)
"""What is told behind a description, with the words of its heading."""
_UNITS = BESIDE[0][1]
_HOLDERS = ("columns", "fields", "variables", "schema", "features")
_LISTS = ("tables", "models", "resources", "sources", "datasets", "sheets")
_ASIDE = (
    "comment", "notes", "note", "source", "example", "examples", "format", "required", "tests",
    "constraints", "range", "min", "max", "missing", "nullable", "role", "class",
)  # fmt: skip
DEEPEST = 12
_RULE = re.compile(r"^\s*(?:\|\s*)?:?-{2,}:?(?:\s*\|\s*:?-{2,}:?)*(?:\s*\|)?\s*$")


def entries_of(text: str, ending: str) -> ReadLines:
    """Read the entries of a dictionary, in order, whichever form it has.

    Args:
        text: What the file holds.
        ending: The file's ending, such as ``.yaml``; what the text looks like counts more.

    Returns:
        The entries, none where no form fits, and how many lines or rows are none.

    Raises:
        ValueError: If it is broken JSON or YAML, or has aliases; says so in words.
    """
    if text.lstrip()[:1] in ("{", "[") and ending not in (".yaml", ".yml", ".txt", ".md"):
        return ReadLines(list(_walk(_json(text))))
    if ending in (".yaml", ".yml"):
        return ReadLines([entry for document in _yaml(text) for entry in _walk(document)])
    lines = text.splitlines()
    if any(map(_RULE.match, lines)) and "|" in text:
        return ReadLines(list(_markdown(lines)))
    table = _read_delimited(text)
    if table.entries:
        return table
    pairs = list(blocks(lines))
    return ReadLines(pairs) if pairs else plain_lines(lines)


class _Pairs(NamedTuple):
    """An object's pairs as they were written, so that a key written twice is seen."""

    pairs: tuple[tuple[str, Any], ...]

    def folded(self) -> dict[str, Any]:
        return {heading(key): value for key, value in self.pairs}


def _json(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=lambda pairs: _Pairs(tuple(pairs)))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"is no whole JSON ({type(error).__name__})") from None


def _yaml(text: str) -> Iterator[Any]:
    """Read YAML with every scalar as text: no tag makes an object, and no alias is followed."""
    import yaml  # type: ignore[import-untyped]

    base = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    depth = 0
    try:
        # Seen as events first, for these are read without recursion.
        for event in yaml.parse(text, Loader=base):
            if isinstance(event, yaml.AliasEvent):
                raise ValueError(f"has an alias (*{event.anchor}); write it out instead")
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > DEEPEST:
                raise ValueError(f"is nested deeper than {DEEPEST} levels")
        for document in yaml.compose_all(text, Loader=base):
            yield _of_node(document)
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(f"is no whole YAML ({type(error).__name__})") from None


def _of_node(node: Any) -> Any:
    import yaml

    if isinstance(node, yaml.MappingNode):
        return _Pairs(tuple((str(key.value), _of_node(value)) for key, value in node.value))
    if isinstance(node, yaml.SequenceNode):
        return [_of_node(one) for one in node.value]
    return "" if node is None or node.value in ("~", "null") else str(node.value)


def _walk(data: Any, table: str = "", depth: int = 0) -> Iterator[DictionaryEntry]:
    """The entries of nested data: names with texts, lists of rows, tables that hold either."""
    if depth > DEEPEST:
        raise ValueError(f"is nested deeper than {DEEPEST} levels")
    if isinstance(data, list):
        for row in data:
            if not isinstance(row, _Pairs):
                continue
            keys = row.folded()
            content = next(
                (keys[k] for k in _HOLDERS if isinstance(keys.get(k), _Pairs | list)), None
            )
            title = str(next((keys[k] for k in (*NAMES, *TABLES) if keys.get(k)), ""))
            if content is not None:
                yield from _walk(content, title, depth + 1)
            else:
                yield from _of_rows([keys], table)
    elif isinstance(data, _Pairs):
        for name, value in data.pairs:
            key = heading(name)
            if isinstance(value, str):
                yield DictionaryEntry(name, value, table)
            elif isinstance(value, _Pairs) and _describes(value):
                yield from _of_rows([{"column": name, **value.folded()}], table)
            elif isinstance(value, list) and all(isinstance(one, str) for one in value):
                yield DictionaryEntry(name, "; ".join(value), table)
            elif isinstance(value, _Pairs | list):
                holds = key in _HOLDERS or key in _LISTS
                yield from _walk(value, table if holds else name, depth + 1)


def _describes(value: _Pairs) -> bool:
    """Whether an object is what is said of one column, and no table of columns."""
    keys = value.folded()
    vocabulary = {*TEXTS, *_ASIDE, *(word for _, words in BESIDE for word in words)}
    heads = [key for key in keys if key in (*TEXTS, *_UNITS)]
    return bool(heads) and vocabulary.issuperset(keys) and isinstance(keys[heads[0]], str)


def _of_rows(rows: Iterable[Mapping[str, Any]], table: str = "") -> Iterator[DictionaryEntry]:
    for row in rows:
        cells = {key: _text(value) for key, value in row.items()}
        name = next((cells[one] for one in NAMES if cells.get(one)), "")
        text = next((cells[one] for one in TEXTS if cells.get(one)), "")
        of = next((cells[one] for one in TABLES if cells.get(one)), table)
        beside = [
            f"{word} {value}"
            for word, keys in BESIDE
            if (value := next((cells[key] for key in keys if cells.get(key)), ""))
        ]
        unit = any(cells.get(key) for key in _UNITS)
        if name and (text or unit):
            yield DictionaryEntry(name, "; ".join([text, *beside] if text else beside), of)


def _text(value: Any) -> str:
    if isinstance(value, _Pairs):
        return ", ".join(f"{k} = {_text(v)}" for k, v in value.pairs)
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return "" if value is None else str(value).strip()


def _read_delimited(text: str) -> ReadLines:
    first = text.lstrip("\r\n").partition("\n")[0]
    delimiter = max(",;\t|", key=first.count)
    if delimiter not in first:
        return ReadLines([])
    try:
        lines = csv.reader(io.StringIO(text.lstrip("\r\n"), newline=""), delimiter=delimiter)
        header = [heading(cell) for cell in next(lines)]
        rows = [dict(zip(header, line, strict=False)) for line in lines]
    except csv.Error:
        return ReadLines([])
    if not _is_heading(header):
        return ReadLines([])
    entries = list(_of_rows(rows))
    nameless = (row for row in rows if not any(_text(row.get(key)) for key in NAMES))
    return ReadLines(entries, sum(any(_text(row.get(k)) for k in TEXTS) for row in nameless))


def _is_heading(cells: Iterable[str]) -> bool:
    there = set(cells)
    return bool(there.intersection(NAMES) and there.intersection((*TEXTS, *_UNITS)))


def _markdown(lines: list[str]) -> Iterator[DictionaryEntry]:
    """The tables of a page; the heading above one may name its table."""
    table, header = "", [""]
    for place, line in enumerate(lines):
        if "|" not in line:
            header = [""]
            match = re.match(r"^#+(?!#)\s*(?:table:?\s+)?`?([^\s`]+)`?\s*$", line, re.I)
            table = match[1] if match else "" if line.startswith("#") else table
        elif place + 1 < len(lines) and _RULE.match(lines[place + 1]):
            header = [heading(cell) for cell in _cells(line)]
        elif _is_heading(header) and not _RULE.match(line):
            yield from _of_rows([dict(zip(header, _cells(line), strict=False))], table)


def _cells(line: str) -> list[str]:
    cells = re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))
    return [cell.replace("\\|", "|").strip().strip("`*").strip() for cell in cells]
