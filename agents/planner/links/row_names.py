"""What the rows of a table are called: the columns that name, number or date them."""

from __future__ import annotations

import re
from functools import cached_property

from wideleaf.agents.planner.links.cells import Cells
from wideleaf.agents.planner.links.lexicon import fold, lexicon
from wideleaf.agents.planner.links.name_words import name_parts
from wideleaf.retrieval.selection import FEW_COLUMNS
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.tables.table import Table

IDENTIFYING = frozenset(
    ("id", "ids", "code", "codes", "key", "keys", "no", "nr", "uid", "uids", "serial", "serials")
)
NAMING = frozenset(("name", "title", "label"))
PERSONAL = frozenset(("first", "last", "fore", "sur", "given", "family", "middle"))
OFTEN = 0.5
"""A column that rows are called by has another value in such a share of them at least."""
RECURRING = 0.2
"""A name that differs in a smaller share of the rows stands in several of them."""
MIN_NOUN = 3
MAX_KEYS = 24
MIN_IDS = 200
"""A number column whose name ends in id and that has so many values identifies."""
UNIQUE = 0.95
"""Such a share of the rows has a value of its own in a column that tells rows apart."""
_FUSED = re.compile(r"([a-z]{4,})(?:id|num|no|nr|code|key)")
"""A noun and a word of identity that are written as one."""


class RowNames(Cells):
    """Which columns tell rows apart, and what people call a row.

    Args:
        table: The table.
    """

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._yearly: dict[str, bool] = {}

    def is_identifier(self, column: str) -> bool:
        """Whether a column's name, or what is said of it, is one of what identifies rows."""
        if any(word in IDENTIFYING or word.startswith("identif") for word in self._said(column)):
            return True
        folded, kind = column.casefold(), self.kinds.get(column)
        if not folded.endswith("id") and not _FUSED.fullmatch(folded):
            return False
        if kind == "text":
            return _FUSED.fullmatch(folded) is not None
        return kind == "number" and len(self.numbers(column)) >= MIN_IDS

    @cached_property
    def row_nouns(self) -> tuple[str, ...]:
        """What a row is called by the names of the table's keys.

        A key is a column with another value in each row whose name, or what is said of it, has a
        word of identity, such as *player_id* or *country name*, or that numbers the rows.
        """
        little = lexicon().stopwords | IDENTIFYING | NAMING | {"identifi"}
        words = dict.fromkeys(word for column in self.row_keys for word in self._said(column))
        fused = [_FUSED.fullmatch(word) for word in words]  # the store of storenum
        words |= dict.fromkeys(match[1] for match in fused if match)
        plain = [w for w in words if w.isalpha() and len(w) >= MIN_NOUN]
        return tuple(w for w in plain if not little & {w, stem(w)})

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Columns that tell rows apart by their name and cells; those that name things first."""
        keys = [
            c for c in self.kinds if self.is_identifier(c) or not NAMING.isdisjoint(self._said(c))
        ][:MAX_KEYS]
        self.read(keys)
        rows = self.rows if keys else 0
        keys = [c for c in keys if len(self.distinct(c)) >= UNIQUE * rows > 0]
        return tuple(sorted(keys, key=lambda c: not self.names_things(c)))

    @cached_property
    def row_keys(self) -> tuple[str, ...]:
        """The keys, and the first column if it numbers the rows."""
        return tuple(dict.fromkeys((*self.keys, *self.leading)))

    @cached_property
    def leading(self) -> tuple[str, ...]:
        """The first column where it has a plain name and numbers the rows: *patient*, 1 to 72."""
        first = next(iter(self.kinds), "")
        if self.kinds.get(first) != "number" or len(header_words(first)) != 1:
            return ()
        numbers, rows = self.numbers(first), self.rows
        whole = len(numbers) == rows > 1 and all(float(one).is_integer() for one in numbers)
        return (first,) if whole and max(numbers) - min(numbers) == rows - 1 else ()

    @cached_property
    def row_name(self) -> str:
        """The text column by whose header each row is called, where a number tells how many.

        *State* in a table of murders with a row and a total for each. Empty where no text of a
        small table tells its rows apart, where one only names or numbers them, as a title or a
        code does, and where no column is called a total or count of what is not said.
        """
        texts = self.of_kind("text")
        words = lexicon().classes["measure"] | lexicon().classes["total"]
        counts = any({*header_words(c)} <= words for c in self.of_kind("number"))
        if len(self.kinds) > FEW_COLUMNS or not texts or not counts:
            return ""
        self.read(texts)
        rows = self.rows
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
        rows = max(self.rows, 1)
        shares = {column: len(self.distinct(column)) / rows for column in texts}
        called = [c for c in texts if self.names_things(c) and shares[c] >= OFTEN]
        parts = [c for c in called if not PERSONAL.isdisjoint(header_words(c))]
        if len(parts) == 2:
            return tuple(parts)
        if not called:
            called = sorted((c for c in texts if shares[c] >= OFTEN), key=lambda c: -shares[c])
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
        rows = self.rows
        return all(0 < len(self.distinct(c)) < RECURRING * rows for c in names)

    @cached_property
    def daily(self) -> tuple[str, ...]:
        """The column of dates, where there is one and each row has a day of its own."""
        dates = self.of_kind("date", "datetime")
        own = [c for c in dates if len(self.distinct(c)) >= UNIQUE * self.rows]
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
        parts = (*name_parts(column), *name_parts(about)[:2])
        if all(part.stem != "year" for part in parts):
            return False
        number = self.kinds.get(column) == "number" and column in self.table.schema
        return not (number and self.numbers(column) <= {0.0, 1.0})  # a school all year round
