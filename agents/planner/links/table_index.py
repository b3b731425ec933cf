"""What the planner knows of a table: its names, categories, flags and codes over its cells."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property

from pydantic import JsonValue

from wideleaf.agents.planner.links.categories import (
    Category,
    CategoryLevel,
    find_categories,
    level_words,
)
from wideleaf.agents.planner.links.cells import MAX_TEXT_COLUMNS, MOSTLY
from wideleaf.agents.planner.links.codes import read_codes
from wideleaf.agents.planner.links.lexicon import cell_words, lexicon
from wideleaf.agents.planner.links.name_words import name_parts
from wideleaf.agents.planner.links.names import Names
from wideleaf.agents.planner.links.row_names import RowNames
from wideleaf.agents.planner.recent import Recent
from wideleaf.retrieval.selection import FEW_COLUMNS
from wideleaf.retrieval.words.places import place_names
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.cells.shapes import find_shapes
from wideleaf.tools.tables.families import Indicators, read_indicators
from wideleaf.tools.tables.table import Table

MAX_UNNAMED = 40
SMALL = ("Boolean", "Int8", "UInt8")
SAMPLED = 200
TABLES_KEPT = 8
_BEGINS = re.compile(r"[^\w(]{0,3}\d")
_LISTED = re.compile(r"\d\s*[,;/|&]\s+\d")
"""Several numbers in one cell."""
_LETTERED = re.compile(r"\W{0,3}[\d.,]+([A-Za-z])\b")
_CODES = re.compile(r"[=:(]|\b[A-Z0-9]+ [a-z]")
_BEFORE_CODES = re.compile(r"[:=(]")
_TIMED = re.compile(r"\D*\d+:\d\d(?:\.\d+)?\D*$")


class TableIndex(RowNames):
    """What the planner knows of one table; cells are read once, column by column, when needed.

    Args:
        table: The table.
        spelled: Columns that are to be read under another name, such as one that says whose it is.
    """

    def __init__(self, table: Table, spelled: Mapping[str, str] | None = None) -> None:
        super().__init__(table)
        self._categories: dict[str, Indicators] = {}
        self.names = Names(
            table, spelled, {n: c.columns for n, c in self.may_be_categories.items()}
        )
        self._lacks: dict[str, bool] = {}
        self._numeric: dict[str, bool] = {}

    @cached_property
    def may_be_categories(self) -> dict[str, Category]:
        """Columns that may be the levels of one category, by the category's name."""
        few = len(self.table.columns) <= FEW_COLUMNS
        small = [str(dtype) in SMALL for dtype in self.table.schema.values()]
        whole = [few and dtype.is_integer() for dtype in self.table.schema.values()]
        kinds = tuple(self.kinds.items())
        categories = {
            one.name: one
            for one in find_categories(kinds, tuple(map(any, zip(small, whole, strict=True))))
        }
        if any(whole):  # of wider whole numbers only what proves to be one is thought of
            types = self.table.schema
            wide = [n for n, c in categories.items() if str(types[c.columns[0]]) not in SMALL]
            for name in wide:
                self._categories[name] = read_indicators(self.table, categories[name].columns)
            categories = {
                n: c for n, c in categories.items() if n not in wide or self._categories[n].category
            }
        return categories

    def category(self, name: str) -> Category | None:
        """A category of that name whose columns' cells are those of one; looked at once."""
        if name not in self.may_be_categories:
            return None
        return self.may_be_categories[name] if self._indicators(name).category else None

    def _indicators(self, name: str) -> Indicators:
        if name not in self._categories:
            columns = self.may_be_categories[name].columns
            self._categories[name] = read_indicators(self.table, columns)
        return self._categories[name]

    @cached_property
    def category_of(self) -> dict[str, str]:
        """Each column that may be a level to the name of its category."""
        return {c: one.name for one in self.may_be_categories.values() for c in one.columns}

    @cached_property
    def levels(self) -> dict[tuple[str, ...], list[CategoryLevel]]:
        """Stems of runs of a level's words to the levels that have them."""
        return level_words(self.may_be_categories)

    def numeric(self, column: str) -> bool:
        """Whether a column holds numbers, or text that is mostly written with digits alone."""
        if column in self.may_be_categories:
            return False
        if self.kinds.get(column) != "text":
            return self.kinds.get(column, "number") == "number"
        if column not in self._numeric:
            cells = self.distinct(column)[:SAMPLED]
            plain = [c for c in cells if c[:1].isdigit() and not any(sign.isalpha() for sign in c)]
            self._numeric[column] = 2 * len(plain) > len(cells)
        return self._numeric[column]

    def says(self, word: str) -> bool:
        """Whether a word is a cell, or one of a header's."""
        words = cell_words(word)
        headers = (cell_words(column) for column in self.kinds)
        return bool(words) and (words in self.cells or any(words[0] in one for one in headers))

    def flag(self, column: str) -> bool:
        """Whether a column says yes or no: a boolean, or a number that is 0 or 1."""
        kind = self.kinds.get(column)
        if kind == "number" and column in self.category_of:
            return self._indicators(self.category_of[column]).plain
        return kind == "boolean" or (kind == "number" and self.numbers(column) == {0.0, 1.0})

    def lacks(self, column: str) -> bool:
        """Whether some rows have no value in a column."""
        if column in self.may_be_categories:
            return self._indicators(column).none > 0
        if column not in self._lacks:
            self._lacks[column] = self.table.has_nulls(column)
        return self._lacks[column]

    @cached_property
    def read_as_numbers(self) -> dict[str, str]:
        """Text columns whose cells begin with a number, to the name of what is read out of them."""
        names = {}
        self.read(self.of_kind("text", "date", "datetime")[:MAX_TEXT_COLUMNS])
        for column in self.of_kind("text")[:MAX_TEXT_COLUMNS]:
            cells = self.distinct(column)[:SAMPLED]
            begun = [cell for cell in cells if _BEGINS.match(cell) and not _LISTED.search(cell)]
            if len(cells) > 1 and len(begun) >= MOSTLY * len(cells) and not _are_marks(cells):
                names[column] = f"{column} as number"
        return names

    def as_number(self, column: str) -> str:
        """The name under which a text column is read as numbers; empty if it cannot be."""
        return self.read_as_numbers.get(column, "")

    def reading_number(self, column: str) -> dict[str, JsonValue]:
        """The expression, as Derive writes it, that reads a text column as numbers.

        A time such as ``2:05.1`` is read as seconds; of other text the first number counts.
        """
        cells = self.distinct(column)[:SAMPLED]
        timed = [cell for cell in cells if _TIMED.match(cell)]
        if 2 * len(timed) > len(cells):
            minutes = _extract_number(column, r"^\D*(\d+):")
            seconds = _extract_number(column, r":(\d+(?:\.\d+)?)")
            return {"op": "+", "args": [{"op": "*", "args": [minutes, 60]}, seconds]}
        return _extract_number(column, r"([-−+]?\d[\d,]*(?:\.\d+)?)")

    def order_columns(self, end: str) -> list[str]:
        """Columns that a superlative may order by without naming one."""
        timely = [*self.of_kind("date", "datetime"), *(c for c in self.kinds if self.yearly(c))]
        if end in ("late", "early", "old", "new"):
            return [c for c in dict.fromkeys(timely) if self.kinds[c] != "text"]
        numbers = self.of_kind("number")
        if len(numbers) > MAX_UNNAMED:
            return []  # of so many columns none is meant without a name
        plain = [c for c in numbers if c not in timely and not self.flag(c)]
        return [c for c in plain if not self.is_identifier(c)]

    @cached_property
    def coded(self) -> dict[tuple[str, ...], list[tuple[str, str | float]]]:
        """Words that a code stands for, as a description says (``1 = male``) or as ISO does."""
        meanings: dict[tuple[str, ...], list[tuple[str, str | float]]] = defaultdict(list)
        texts = {c: t for c, t in self.table.about.items() if c in self.kinds and _CODES.search(t)}
        self.read(texts)
        for column, text in texts.items():
            codes = [*read_codes(text, self.distinct(column))]
            called = {part.stem for part in name_parts(_BEFORE_CODES.split(text, maxsplit=1)[0])}
            called |= {stem(word) for word in self.row_nouns}
            for value, meaning in codes:
                whole = cell_words(meaning)
                away = lexicon().classes["preposition"]
                ends = (n for n, word in enumerate(whole) if word in away)
                own = whole[: next(ends, len(whole))]  # part of a state is no state
                alone = [w for w in own if stem(w) not in called]  # a station is of any type
                for words in {whole, *((w,) for w in alone)}:
                    meanings[tuple(map(stem, words))].append((column, value))
        for column in self.of_kind("text")[:MAX_TEXT_COLUMNS]:
            for code, names in place_names(self.distinct(column), column).items():
                for name in names:
                    words = cell_words(name)
                    if words not in self.cells:  # another column has the names themselves
                        meanings[tuple(map(stem, words))].append((column, code))
        return meanings


def _extract_number(column: str, pattern: str) -> dict[str, JsonValue]:
    text: JsonValue = {"op": "extract", "args": [column, {"value": pattern}]}
    plain: JsonValue = {"op": "replace", "args": [text, {"value": ","}, {"value": ""}]}
    return {"cast": "number", "of": plain}


_indexes: Recent[TableIndex] = Recent(TABLES_KEPT)


def index_table(table: Table) -> TableIndex:
    """The index of a table; those of the last few tables are kept."""
    return _indexes.get((table,), None, lambda: TableIndex(table))


def _are_marks(cells: list[str]) -> bool:
    """Whether cells that begin with a number are dates or marks, such as the forms 9A and 9B.

    A unit is one letter for all cells, as in 5m and 12m.
    """
    letters = [match[1] for cell in cells if (match := _LETTERED.match(cell))]
    lettered = 2 * len(letters) > len(cells) and len({*letters}) > 1
    return lettered or find_shapes(cells)[0] == "dates"


class JoinedIndex(TableIndex):
    """The index of some joined rows, as if all were there.

    Args:
        table: The rows.
        spelled: Columns that are to be read under another name.
        origins: The index of the table that each column is of, and its name there.
    """

    def __init__(
        self,
        table: Table,
        spelled: Mapping[str, str],
        origins: Mapping[str, tuple[TableIndex, str]],
    ) -> None:
        self._origins = origins
        super().__init__(table, spelled)

    @property
    def rows(self) -> int:
        """About how many rows all would be: as many as the longest table has."""
        return max(index.rows for index, _ in self._origins.values())

    def lacks(self, column: str) -> bool:
        """Whether some rows of the column's table have no value in it."""
        if column in self.may_be_categories or column not in self._origins:
            return super().lacks(column)
        index, name = self._origins[column]
        return index.lacks(name)

    def _read(self, columns: list[str]) -> None:
        for index in {id(one): one for one, _ in self._origins.values()}.values():
            index.read(self._origins[c][1] for c in columns if self._origins[c][0] is index)
        for column in columns:
            index, name = self._origins[column]
            self._distinct[column] = index.distinct(name)
