"""What the planner knows of a table: names split into words, cells and numbers read when needed."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from functools import cached_property
from typing import Any

from wideleaf.agents.lexicon import cell_words
from wideleaf.agents.links import Names, name_parts
from wideleaf.tools.table import Table

MOST_TEXT_COLUMNS = 64
MOST_DISTINCT = 50_000
LONGEST_CELL = 30
TABLES_KEPT = 8
SAMPLED = 200


class TableIndex:
    """What the planner knows of one table; cells are read once, column by column, when needed.

    Args:
        table: The table.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.names = Names(table)
        self._numbers: dict[str, frozenset[float]] = {}

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Each column's kind."""
        return {column: self.table.kind(column) for column in self.table.columns}

    def of_kind(self, *kinds: str) -> list[str]:
        """Columns of some kinds, in order."""
        return [column for column, kind in self.kinds.items() if kind in kinds]

    def numeric(self, column: str) -> bool:
        """Whether a column holds numbers, or text that is mostly written with digits alone."""
        if self.kinds.get(column) != "text":
            return self.kinds.get(column, "number") == "number"
        cells = self._distinct(column)[:SAMPLED]
        plain = [c for c in cells if c[:1].isdigit() and not any(sign.isalpha() for sign in c)]
        return 2 * len(plain) > len(cells)

    def flag(self, column: str) -> bool:
        """Whether a column says yes or no: a boolean, or a number that is 0 or 1."""
        kind = self.kinds.get(column)
        return kind == "boolean" or (kind == "number" and self.numbers(column) == {0.0, 1.0})

    def yearly(self, column: str) -> bool:
        """Whether a column's name says that it holds years."""
        return any(part.stem == "year" for part in name_parts(column))

    @cached_property
    def cells(self) -> dict[tuple[str, ...], list[tuple[str, str]]]:
        """Folded words of a cell to the columns and cells that read so."""
        found: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
        headers = {column: cell_words(column) for column in self.kinds}
        for column in self.of_kind("text", "date", "datetime")[:MOST_TEXT_COLUMNS]:
            for cell in self._distinct(column):
                for text in _spellings(cell):
                    words = cell_words(text)
                    if 0 < len(words) <= LONGEST_CELL and words != headers[column]:
                        found[words].append((column, str(cell)))
        return found

    @cached_property
    def longest(self) -> int:
        """Number of words of the longest cell."""
        return max(map(len, self.cells), default=0)

    def numbers(self, column: str) -> frozenset[float]:
        """The distinct numbers of a column."""
        if column not in self._numbers:
            self._numbers[column] = frozenset(float(n) for n in self._distinct(column))
        return self._numbers[column]

    def _distinct(self, column: str) -> list[Any]:
        query = self.table.frame.select(column).unique().head(MOST_DISTINCT + 1)
        cells = query.collect()[column].drop_nulls().to_list()
        if len(cells) > MOST_DISTINCT:
            return []
        return sorted(cells)


_indexes: OrderedDict[int, TableIndex] = OrderedDict()


def index_table(table: Table) -> TableIndex:
    """The index of a table; those of the last few tables are kept."""
    key = id(table)
    if key not in _indexes or _indexes[key].table is not table:
        _indexes[key] = TableIndex(table)
    _indexes.move_to_end(key)
    while len(_indexes) > TABLES_KEPT:
        _indexes.popitem(last=False)
    return _indexes[key]


def _spellings(cell: Any) -> list[str]:
    if isinstance(cell, str):
        return [cell]
    month = cell.strftime("%B")
    day, year = cell.day, cell.year
    return [
        str(cell),
        f"{month} {day} {year}",
        f"{day} {month} {year}",
        f"{month[:3]} {day} {year}",
    ]
