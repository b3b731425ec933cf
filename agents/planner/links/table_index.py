"""What the planner knows of a table: names split into words, cells and numbers read when needed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from pydantic import JsonValue

from wideleaf.agents.planner.links.categories import (
    Category,
    CategoryLevel,
    find_categories,
    level_words,
)
from wideleaf.agents.planner.links.codes import read_codes
from wideleaf.agents.planner.links.lexicon import cell_words, fold, lexicon
from wideleaf.agents.planner.links.name_words import name_parts
from wideleaf.agents.planner.links.names import Names
from wideleaf.agents.planner.recent import Recent
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.tables.families import Indicators, read_indicators
from wideleaf.tools.tables.table import Table

MOST_TEXT_COLUMNS = 64
MOST_DISTINCT = 50_000
LONGEST_CELL, LONGEST_STEMMED = 30, 3
MOSTLY = 0.7
"""Such a share of a text column's cells begins with a number where it may be read as numbers."""
MOST_UNNAMED = 40
FEW_COLUMNS = 300
"""In wider tables only columns of small types are thought of as dummy columns."""
SMALL = ("Boolean", "Int8", "UInt8")
TABLES_KEPT = 8
READ_AT_ONCE = 200
SAMPLED = 200
IDENTIFYING = frozenset(
    ("id", "ids", "code", "codes", "key", "keys", "no", "nr", "uid", "uids", "serial", "serials")
)
NAMING = frozenset(("name", "title", "label"))
PERSONAL = frozenset(("first", "last", "fore", "sur", "given", "family", "middle"))
OFTEN = 0.5
"""A column that rows are called by has another value in such a share of them at least."""
AGAIN = 3
"""An item of lists stands in so many cells on the average."""
RECURRING = 0.2
"""A name that differs in a smaller share of the rows stands in several of them."""
LEAST_NOUN = 3
MOST_KEYS = 24
LEAST_IDS = 200
"""A number column whose name ends in id and that has so many values identifies."""
UNIQUE = 0.95
"""Such a share of the rows has a value of its own in a column that tells rows apart."""


_BEGINS = re.compile(r"[^\w(]{0,3}\d")
_LISTED = re.compile(r"\d\s*[,;/|&]\s+\d")
"""Several numbers in one cell."""
_REVERSED = re.compile(r"([^\W\d_][\w'-]+), ([^\W\d_][\w' .-]{1,30})")
"""A person's name as lists have it: the family name first."""
_FUSED = re.compile(r"([a-z]{4,})(?:id|num|no|nr|code|key)")
"""A noun and a word of identity that are written as one."""
_SEPARATOR = re.compile(r"\s*[,;|]\s*")
_CODES = re.compile(r"[=:(]|\b[A-Z0-9]+ [a-z]")
_BEFORE_CODES = re.compile(r"[:=(]")
_TIMED = re.compile(r"\D*\d+:\d\d(?:\.\d+)?\D*$")


class TableIndex:
    """What the planner knows of one table; cells are read once, column by column, when needed.

    Args:
        table: The table.
        spelled: Columns that are to be read under another name, such as one that says whose it is.
    """

    def __init__(self, table: Table, spelled: Mapping[str, str] | None = None) -> None:
        self.table = table
        self._categories: dict[str, Indicators] = {}
        self.names = Names(
            table, spelled, {n: c.columns for n, c in self.may_be_categories.items()}
        )
        self._lacks: dict[str, bool] = {}
        self._yearly: dict[str, bool] = {}
        self._lists: dict[str, dict[str, list[str]]] = {}
        self._numeric: dict[str, bool] = {}
        self._numbers: dict[str, frozenset[float]] = {}
        self._distinct: dict[str, list[Any]] = {}

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Each column's kind."""
        return {column: self.table.kind(column) for column in self.table.columns}

    @cached_property
    def may_be_categories(self) -> dict[str, Category]:
        """Columns that may be the levels of one category, by the category's name."""
        few = len(self.table.columns) <= FEW_COLUMNS
        small = [str(dtype) in SMALL for dtype in self.table.schema.values()]
        whole = [few and dtype.is_integer() for dtype in self.table.schema.values()]
        kinds = tuple(self.kinds.items())
        found = {
            one.name: one
            for one in find_categories(kinds, tuple(map(any, zip(small, whole, strict=True))))
        }
        if any(whole):  # of wider whole numbers only what proves to be one is thought of
            types = self.table.schema
            wide = [n for n, c in found.items() if str(types[c.columns[0]]) not in SMALL]
            for name in wide:
                self._categories[name] = read_indicators(self.table, found[name].columns)
            found = {
                n: c for n, c in found.items() if n not in wide or self._categories[n].category
            }
        return found

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

    def of_kind(self, *kinds: str) -> list[str]:
        """Columns of some kinds, in order."""
        return [column for column, kind in self.kinds.items() if kind in kinds]

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
            cells = self.table.frame.select(column).collect()[column]
            self._lacks[column] = bool(cells.is_null().any())
        return self._lacks[column]

    def is_identifier(self, column: str) -> bool:
        """Whether a column's name, or what is said of it, is one of what identifies rows."""
        if any(word in IDENTIFYING or word.startswith("identif") for word in self._said(column)):
            return True
        folded, kind = column.casefold(), self.kinds.get(column)
        if not folded.endswith("id") and not _FUSED.fullmatch(folded):
            return False
        if kind == "text":
            return _FUSED.fullmatch(folded) is not None
        return kind == "number" and len(self.numbers(column)) >= LEAST_IDS

    @cached_property
    def row_nouns(self) -> tuple[str, ...]:
        """What a row is called by the names of the table's keys.

        A key is a column with another value in each row whose name, or what is said of it, has a
        word of identity, such as *player_id* or *country name*.
        """
        little = lexicon().stopwords | IDENTIFYING | NAMING | {"identifi"}
        words = dict.fromkeys(word for column in self.keys for word in self._said(column))
        fused = [_FUSED.fullmatch(word) for word in words]  # the store of storenum
        words |= dict.fromkeys(found[1] for found in fused if found)
        plain = [w for w in words if w.isalpha() and len(w) >= LEAST_NOUN]
        return tuple(w for w in plain if not little & {w, stem(w)})

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Columns that tell rows apart by their name and cells; those that name things first."""
        keys = [
            c for c in self.kinds if self.is_identifier(c) or not NAMING.isdisjoint(self._said(c))
        ][:MOST_KEYS]
        self.read(keys)
        rows = self.table.count() if keys else 0
        keys = [c for c in keys if len(self.distinct(c)) >= UNIQUE * rows > 0]
        return tuple(sorted(keys, key=lambda c: not self.names_things(c)))

    @cached_property
    def row_name(self) -> str:
        """The text column by whose header each row is called, where a number tells how many.

        *State* in a table of murders with a row and a total for each. Empty where no text of a
        small table tells its rows apart, where one only names or numbers them, as a title or a
        code does, and where no column is called a total or count of what is not said.
        """
        texts = self.of_kind("text")
        counted = lexicon().classes["measure"] | lexicon().classes["total"]
        counts = any({*header_words(c)} <= counted for c in self.of_kind("number"))
        if len(self.kinds) > FEW_COLUMNS or not texts or not counts:
            return ""
        self.read(texts)
        rows = self.table.count()
        for column in texts:
            plain = not self.names_things(column) and not self.is_identifier(column)
            if plain and len(self.distinct(column)) >= UNIQUE * rows > 1:
                return column
        return ""

    @cached_property
    def naming(self) -> tuple[str, ...]:
        """The text columns by which people call a row of a small table: its name, else its model.

        A first and a last name are one; of texts that no header calls a name that which differs
        most from row to row, if it does in more than half of them.
        """
        texts = self.of_kind("text")
        if len(self.kinds) > FEW_COLUMNS or not texts:
            return ()
        self.read(texts)
        rows = max(self.table.count(), 1)
        told = {column: len(self.distinct(column)) / rows for column in texts}
        called = [c for c in texts if self.names_things(c) and told[c] >= OFTEN]
        parts = [c for c in called if not PERSONAL.isdisjoint(header_words(c))]
        if len(parts) == 2:
            return tuple(parts)
        if not called:
            called = sorted((c for c in texts if told[c] >= OFTEN), key=lambda c: -told[c])
            called = called or [c for c in texts if self.names_things(c)]
        return tuple(called[:1])

    @cached_property
    def recurring(self) -> bool:
        """Whether a small table has several rows of each thing that its rows are named by.

        Of hurricanes each stands there as often as it was observed; no number of rows is theirs.
        """
        texts = self.of_kind("text")
        names = [c for c in texts if self.names_things(c) and PERSONAL.isdisjoint(header_words(c))]
        times = lexicon().classes["axis"] | {"date", "time"}
        timed = any(not times.isdisjoint(header_words(c)) for c in self.kinds)
        if len(self.kinds) > FEW_COLUMNS or not names or not timed:
            return False
        rows = self.table.count()
        return all(0 < len(self.distinct(c)) < RECURRING * rows for c in names)

    @cached_property
    def daily(self) -> tuple[str, ...]:
        """The column of dates, where there is one and each row has a day of its own."""
        dates = self.of_kind("date", "datetime")
        own = [c for c in dates if len(self.distinct(c)) >= UNIQUE * self.table.count()]
        return tuple(own) if len(own) == len(dates) == 1 else ()

    @cached_property
    def of_persons(self) -> bool:
        """Whether a row is a person's: some column says what only persons have."""
        words = {word for column in self.kinds for word in self._said(column)}
        return not lexicon().classes["personal"].isdisjoint(words)

    def names_things(self, column: str) -> bool:
        """Whether a column is called a name or title."""
        return any(word in NAMING or word.endswith("name") for word in self._said(column))

    def _said(self, column: str) -> tuple[str, ...]:
        return (*header_words(column), *header_words(self.table.about.get(column, "")))

    def yearly(self, column: str) -> bool:
        """Whether a column's name, or what is said of it, says that it holds years."""
        if column not in self._yearly:
            self._yearly[column] = self._holds_years(column)
        return self._yearly[column]

    def _holds_years(self, column: str) -> bool:
        about = self.table.about.get(column, "")
        if "year" not in fold(f"{column} {about}"):  # of thousands few need a look at each word
            return False
        said = (*name_parts(column), *name_parts(about)[:2])
        if all(part.stem != "year" for part in said):
            return False
        number = self.kinds.get(column) == "number" and column in self.table.schema
        return not (number and self.numbers(column) <= {0.0, 1.0})  # a school all year round

    @cached_property
    def read_as_numbers(self) -> dict[str, str]:
        """Text columns whose cells begin with a number, to the name of what is read out of them."""
        found = {}
        self.read(self.of_kind("text", "date", "datetime")[:MOST_TEXT_COLUMNS])
        for column in self.of_kind("text")[:MOST_TEXT_COLUMNS]:
            cells = self.distinct(column)[:SAMPLED]
            begun = [cell for cell in cells if _BEGINS.match(cell) and not _LISTED.search(cell)]
            if len(cells) > 1 and len(begun) >= MOSTLY * len(cells):
                found[column] = f"{column} as number"
        return found

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
            minutes = _extracted(column, r"^\D*(\d+):")
            seconds = _extracted(column, r":(\d+(?:\.\d+)?)")
            return {"op": "+", "args": [{"op": "*", "args": [minutes, 60]}, seconds]}
        return _extracted(column, r"([-−+]?\d[\d,]*(?:\.\d+)?)")

    def order_columns(self, end: str) -> list[str]:
        """Columns that a superlative may order by without naming one."""
        timely = [*self.of_kind("date", "datetime"), *(c for c in self.kinds if self.yearly(c))]
        if end in ("late", "early", "old", "new"):
            return [c for c in dict.fromkeys(timely) if self.kinds[c] != "text"]
        numbers = self.of_kind("number")
        if len(numbers) > MOST_UNNAMED:
            return []  # of so many columns none is meant without a name
        plain = [c for c in numbers if c not in timely and not self.flag(c)]
        return [c for c in plain if not self.is_identifier(c)]

    @cached_property
    def cells(self) -> dict[tuple[str, ...], list[tuple[str, str]]]:
        """Folded words of a cell to the columns and cells that read so."""
        found: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
        columns = self.of_kind("text", "date", "datetime")[:MOST_TEXT_COLUMNS]
        self.read(columns)
        for column in columns:
            header = cell_words(column)
            for cell in self.distinct(column):
                for text in _spellings(cell):
                    words = cell_words(text)
                    if 0 < len(words) <= LONGEST_CELL and words != header:
                        found[words].append((column, str(cell)))
            for item in self._items_of(column).keys() - {*self.distinct(column)}:
                found[cell_words(item)].append((column, item))
        return found

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
        found: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
        for words, cells in self.cells.items():
            if len(words) <= LONGEST_STEMMED and any(word.isalpha() for word in words):
                found[tuple(map(stem, words))] += cells
        return found

    @cached_property
    def coded(self) -> dict[tuple[str, ...], list[tuple[str, str | float]]]:
        """Words that a description says a code stands for, as in ``1 = male``, to the code."""
        found: dict[tuple[str, ...], list[tuple[str, str | float]]] = defaultdict(list)
        told = {c: t for c, t in self.table.about.items() if c in self.kinds and _CODES.search(t)}
        self.read(told)
        for column, text in told.items():
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
                    found[tuple(map(stem, words))].append((column, value))
        return found

    @cached_property
    def whole(self) -> bool:
        """Whether the cells of every text column are known; very many are not read."""
        some = self.of_kind("text", "date", "datetime")
        return len(some) <= MOST_TEXT_COLUMNS and all(map(self.knows_cells, some))

    def knows_cells(self, column: str) -> bool:
        """Whether all of a text column's cells are known."""
        some = self.of_kind("text", "date", "datetime")[:MOST_TEXT_COLUMNS]
        return column in some and len(self.distinct(column)) > 0

    @cached_property
    def longest(self) -> int:
        """Number of words of the longest cell."""
        return max(map(len, self.cells), default=0)

    def numbers(self, column: str) -> frozenset[float]:
        """The distinct numbers of a column."""
        if column not in self._numbers:
            self._numbers[column] = frozenset(float(n) for n in self.distinct(column))
        return self._numbers[column]

    def in_cells(self, text: str) -> bool:
        """Whether some cell has these words side by side, such as ``50K`` in ">50K"."""
        words = cell_words(text)
        size = len(words)
        return any(
            words == cell[start : start + size]
            for cell in self.cells
            for start in range(len(cell) - size + 1)
        )

    def distinct(self, column: str) -> list[Any]:
        """A column's values, each once; none where they are very many."""
        if column not in self._distinct:
            self._distinct[column] = self._read_distinct(column)
        return self._distinct[column]

    def read(self, columns: Iterable[str]) -> None:
        """Read the values of columns that will be asked for, all in one pass.

        Each pass over a file of thousands of columns reads their names first, which takes longer
        than a column's cells.
        """
        some = [c for c in dict.fromkeys(columns) if c not in self._distinct and c in self.kinds]
        if len(some) < 2 or not self.table.frame.implementation.is_polars():
            return
        for start in range(0, len(some), READ_AT_ONCE):
            query = self.table.frame.select(some[start : start + READ_AT_ONCE])
            frame = query.head(MOST_DISTINCT + 1).collect()
            whole = len(frame) <= MOST_DISTINCT
            for column in frame.columns if whole else ():
                cells = frame[column].unique().drop_nulls().to_list()
                self._distinct[column] = sorted(cells)

    def _read_distinct(self, column: str) -> list[Any]:
        query = self.table.frame.select(column).unique().head(MOST_DISTINCT + 1)
        cells = query.collect()[column].drop_nulls().to_list()
        if len(cells) > MOST_DISTINCT:
            return []
        return sorted(cells)


def _items(cells: list[Any]) -> dict[str, list[str]]:
    """Cells that are an item of others, to those others; none where cells are no lists."""
    texts = [cell for cell in cells if isinstance(cell, str)]
    whole = {*texts}
    lists = {text: items for text in texts if len(items := _SEPARATOR.split(text)) > 1}
    items = [item for some in lists.values() for item in some]
    if not items or len({len(some) for some in lists.values()}) < 2:
        return {}  # a city and its state are no list
    alone = sum(item in whole for item in items)
    if alone < MOSTLY * len(items) and len(items) < AGAIN * len({*items}):
        return {}
    found: dict[str, list[str]] = defaultdict(list)
    for text, some in lists.items():
        for item in some:
            found[item].append(text)
    return found


def _extracted(column: str, pattern: str) -> dict[str, JsonValue]:
    text: JsonValue = {"op": "extract", "args": [column, {"value": pattern}]}
    plain: JsonValue = {"op": "replace", "args": [text, {"value": ","}, {"value": ""}]}
    return {"cast": "number", "of": plain}


_indexes: Recent[TableIndex] = Recent(TABLES_KEPT)


def index_table(table: Table) -> TableIndex:
    """The index of a table; those of the last few tables are kept."""
    return _indexes.get((table,), None, lambda: TableIndex(table))


def _spellings(cell: Any) -> list[str]:
    if isinstance(cell, str):
        name = _REVERSED.fullmatch(cell)
        return [cell, f"{name[2]} {name[1]}"] if name else [cell]
    month = cell.strftime("%B")
    day, year = cell.day, cell.year
    return [
        str(cell),
        f"{month} {day} {year}",
        f"{day} {month} {year}",
        f"{month[:3]} {day} {year}",
    ]
