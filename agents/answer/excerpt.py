"""An excerpt of plain data: as much of it as may stand in a message or a checkpoint."""

from __future__ import annotations

from typing import Any, NamedTuple


class Size(NamedTuple):
    """How much an excerpt may hold.

    Attributes:
        cells: Of all rows together.
        characters: Likewise, names of columns included.
        cell: Characters of one cell.
    """

    cells: int = 1_000
    characters: int = 50_000
    cell: int = 5_000


class Excerpt(NamedTuple):
    """What is kept of plain data.

    Attributes:
        kept: Of the same form as the whole.
        whole: Whether nothing was left out or cut short.
    """

    kept: Any
    whole: bool


def excerpt(value: Any, size: Size | None = None) -> Excerpt:
    """Cut a cell, a row (a dict or list of cells) or a list of either to size.

    Of many rows the first ones are kept; of a row that is too wide by itself, its first cells.
    """
    size = size or Size()
    if isinstance(value, str):
        short = shorten(value, size.cell)
        return Excerpt(short, short == value)
    if not isinstance(value, list | dict):
        return Excerpt(value, True)
    items = value.items() if isinstance(value, dict) else enumerate(value)
    parts: dict[Any, Any] = {}
    whole, cells, characters = True, size.cells, size.characters
    for name, item in items:
        part = excerpt(item, size)
        cells -= _cells(part.kept)
        characters -= _characters(part.kept) + (len(name) if isinstance(name, str) else 0)
        if parts and (cells < 0 or characters < 0):
            whole = False
            break
        parts[name] = part.kept
        whole = whole and part.whole
    return Excerpt(parts if isinstance(value, dict) else [*parts.values()], whole)


def shorten(text: str, most: int) -> str:
    """A text, cut where it is longer than that."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def _cells(value: Any) -> int:
    if isinstance(value, dict):
        return sum(map(_cells, value.values()))
    return sum(map(_cells, value)) if isinstance(value, list) else 1


def _characters(value: Any) -> int:
    if isinstance(value, dict):
        return sum(len(name) + _characters(cell) for name, cell in value.items())
    return sum(map(_characters, value)) if isinstance(value, list) else len(str(value))
