"""What the planner knows of a table's cells, read once, column by column, when needed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from functools import cached_property
from typing import Any

from wideleaf.agents.planner.links.lexicon import cell_words
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.tables.profiling.distinct import distinct_values
from wideleaf.tools.tables.table import Table

MAX_TEXT_COLUMNS = 64
MAX_DISTINCT = 50_000
LONGEST_CELL, LONGEST_STEMMED = 30, 3
LONGEST_TEXT = 2_000
"""Characters; no question writes a longer cell, and no longer one is cut into words."""
MOSTLY = 0.7
"""Such a share of a text column's cells begins with a number where it may be read as numbers."""
READ_AT_ONCE = 200
AGAIN = 3
"""An item of lists stands in so many cells on the average."""
_REVERSED = re.compile(r"([^\W\d_][\w'-]+), ([^\W\d_][\w' .-]{1,30})")
"""A person's name as lists have it: the family name first."""
_SEPARATOR = re.compile(r"\s*[,;|]\s*")


class Cells:
    """The cells of one table by the words that write them.

    Args:
        table: The table.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self._distinct: dict[str, list[Any]] = {}
        self._numbers: dict[str, frozenset[float]] = {}
        self._lists: dict[str, dict[str, list[str]]] = {}

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self.table.count()

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Each column's kind."""
        return {column: self.table.kind(column) for column in self.table.columns}

    def of_kind(self, *kinds: str) -> list[str]:
        """Columns of some kinds, in order."""
        return [column for column, kind in self.kinds.items() if kind in kinds]

    @cached_property
    def cells(self) -> dict[tuple[str, ...], list[tuple[str, str]]]:
        """Folded words of a cell to the columns and cells that read so."""
        cells: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
        columns = self.of_kind("text", "date", "datetime")[:MAX_TEXT_COLUMNS]
        self.read(columns)
        for column in columns:
            header = cell_words(column)
            for cell in filter(_is_short, self.distinct(column)):
                for text in _spellings(cell):
                    words = cell_words(text)
                    if 0 < len(words) <= LONGEST_CELL and words != header:
                        cells[words].append((column, str(cell)))
            for item in self._items_of(column).keys() - {*self.distinct(column)}:
                cells[cell_words(item)].append((column, item))
        return cells

    def holding(self, column: str, cell: str) -> list[str]:
        """The cells of a column of lists that hold a cell as one of their items, itself first.

        Where cells are lists (*1, 5, 8*) whose items mostly are cells by themselves, a station on
        line 5 is one of them; of other columns the cell alone.
        """
        if self.kinds.get(column) != "text":
            return [cell]
        own = [cell] if cell in self.distinct(column) else []
        return [*own, *(o for o in self._items_of(column).get(cell, ()) if o != cell)]

    def _items_of(self, column: str) -> dict[str, list[str]]:
        if column not in self._lists:
            self._lists[column] = _items(self.distinct(column))
        return self._lists[column]

    @cached_property
    def stemmed(self) -> dict[tuple[str, ...], list[tuple[str, str]]]:
        """Short cells by the stems of their words, so that an inflected word meets them."""
        stems: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
        for words, cells in self.cells.items():
            if len(words) <= LONGEST_STEMMED and any(word.isalpha() for word in words):
                stems[tuple(map(stem, words))] += cells
        return stems

    @cached_property
    def whole(self) -> bool:
        """Whether the cells of every text column are known; very many are not read."""
        some = self.of_kind("text", "date", "datetime")
        return len(some) <= MAX_TEXT_COLUMNS and all(map(self.knows_cells, some))

    def knows_cells(self, column: str) -> bool:
        """Whether all of a text column's cells are known."""
        some = self.of_kind("text", "date", "datetime")[:MAX_TEXT_COLUMNS]
        return column in some and len(self.distinct(column)) > 0

    @cached_property
    def longest(self) -> int:
        """Number of words of the longest cell."""
        return max(map(len, self.cells), default=0)

    def in_cells(self, text: str) -> bool:
        """Whether some cell has these words side by side, such as ``50K`` in ">50K"."""
        words = cell_words(text)
        size = len(words)
        return any(
            words == cell[start : start + size]
            for cell in self.cells
            for start in range(len(cell) - size + 1)
        )

    def numbers(self, column: str) -> frozenset[float]:
        """The distinct numbers of a column."""
        if column not in self._numbers:
            self._numbers[column] = frozenset(float(n) for n in self.distinct(column))
        return self._numbers[column]

    def distinct(self, column: str) -> list[Any]:
        """A column's values, each once; none where they are very many."""
        if column not in self._distinct:
            self._read([column])
        return self._distinct[column]

    def read(self, columns: Iterable[str]) -> None:
        """Read the values of columns that will be asked for, all in one pass.

        Each pass over a file of thousands of columns reads their names first, which takes longer
        than a column's cells.
        """
        some = [c for c in dict.fromkeys(columns) if c not in self._distinct and c in self.kinds]
        for start in range(0, len(some), READ_AT_ONCE):
            self._read(some[start : start + READ_AT_ONCE])

    def _read(self, columns: list[str]) -> None:
        for column, cells in distinct_values(self.table, columns, MAX_DISTINCT).items():
            self._distinct[column] = sorted(cells) if len(cells) <= MAX_DISTINCT else []


def _items(cells: list[Any]) -> dict[str, list[str]]:
    """Cells that are an item of others, to those others; none where cells are no lists."""
    texts = [cell for cell in cells if isinstance(cell, str) and _is_short(cell)]
    whole = {*texts}
    lists = {text: items for text in texts if len(items := _SEPARATOR.split(text)) > 1}
    items = [item for some in lists.values() for item in some]
    if not items or len({len(some) for some in lists.values()}) < 2:
        return {}  # a city and its state are no list
    alone = sum(item in whole for item in items)
    if alone < MOSTLY * len(items) and len(items) < AGAIN * len({*items}):
        return {}
    holders: dict[str, list[str]] = defaultdict(list)
    for text, some in lists.items():
        for item in some:
            holders[item].append(text)
    return holders


def _is_short(cell: Any) -> bool:
    return not isinstance(cell, str) or len(cell) <= LONGEST_TEXT


def _spellings(cell: Any) -> list[str]:
    if isinstance(cell, str):
        name = _REVERSED.fullmatch(cell)
        return [cell, f"{name[2]} {name[1]}"] if name else [cell]
    if isinstance(cell, datetime):
        return [str(cell)]  # a day has many moments
    month = cell.strftime("%B")
    day, year = cell.day, cell.year
    return [
        str(cell),
        f"{month} {day} {year}",
        f"{day} {month} {year}",
        f"{month[:3]} {day} {year}",
    ]
