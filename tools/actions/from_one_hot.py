"""FromOneHot: indicator columns become the one category column they were made of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Self

import narwhals as nw
from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.unpivot import family_of
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact, caveat
from wideleaf.tools.tables.columns import Columns, need_kind, resolve_columns
from wideleaf.tools.tables.families import slot_text
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table, count_where

NAMES_SHOWN = 5
AT_ONCE = 32
"""So many alternatives stand side by side; a plan that nests a thousand deep breaks planners, and
one that holds a thousand columns at once needs their memory."""
_FIRST, _LAST = "__first", "__last"


class FromOneHot(Action):
    """Turn indicator columns (1/0) into one category column; the indicators are dropped."""

    purpose = "columns"
    keeps = frozenset(("rows", "order"))
    phrases = (
        "one-hot", "dummy variables", "dummy columns", "dummies", "indicator columns",
        "indicator variables",
    )  # fmt: skip

    columns: Columns
    name: str = Field(min_length=1, description="Of the category column.")
    # The level each indicator stands for; filled in by resolve.
    levels: SkipJsonSchema[tuple[str, ...]] = ()

    def resolve(self, *tables: Table) -> Self:
        """Name the indicators, check their cells and read the levels in their names.

        Raises:
            ActionError: If there are fewer than two, the name is taken, or one of them holds
                something else.
        """
        table = tables[0]
        columns = resolve_columns(self.columns, table)
        if len(columns) < 2:
            raise ActionError(
                f"{columns[0]!r} is one column; name two indicators or more, or a family"
            )
        others = {name.casefold() for name in table.columns if name not in set(columns)}
        if self.name.casefold() in others:
            raise ActionError(
                f"there is a column {self.name!r} already; give the category another name",
                kind="name taken",
            )
        need_kind(table, columns, "number", "boolean", purpose="FromOneHot")
        _need_indicators(table, columns)
        levels = self.levels if len(self.levels) == len(columns) else _levels(columns, table)
        return self.model_copy(update={"columns": columns, "levels": levels})

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, and for the category its indicators."""
        return [need.past(headers[0], {self.name: Need(frozenset(self.columns))})]

    def run(self, *tables: Table) -> Table:
        """Take the level of the one indicator that is set, null where none or several are."""
        table, indicators = tables[0], self.columns
        first, last = self._ends(table)
        # Columns are added and dropped: a select of thousands by name is slow to plan.
        ends = table.frame.with_columns(first.alias(_FIRST), last.alias(_LAST)).drop(*indicators)
        level = nw.when(nw.col(_FIRST) == nw.col(_LAST)).then(nw.col(_FIRST))
        return Table(ends.with_columns(level.alias(self.name)).drop(_FIRST, _LAST))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell of rows with no indicator set, or several."""
        first, last = self._ends(tables[0])
        ends = tables[0].frame.select(first.alias(_FIRST), last.alias(_LAST))
        several = nw.col(_FIRST) != nw.col(_LAST)
        unset, doubled = count_where(ends, nw.col(_FIRST).is_null(), several)
        facts = [Fact(text=f"{len(self.columns)} indicators became {self.name!r}")]
        if unset:
            facts.append(Fact(text=f"{unset} rows have no indicator set: null"))
        if doubled:
            text = f"{doubled} rows have several indicators set and became null"
            facts.append(caveat(text))
        return facts

    def _ends(self, table: Table) -> tuple[nw.Expr, nw.Expr]:
        """The first and the last level that is set; they are the same where only one is."""
        cells: list[nw.Expr] = []
        for column, level in zip(self.columns, self.levels, strict=True):
            cell = nw.col(column)
            is_set = cell if table.kind(column) == "boolean" else cell == 1
            cells.append(nw.when(is_set).then(nw.lit(level)))
        return _first_of(cells), _first_of(cells[::-1])


def _first_of(cells: list[nw.Expr]) -> nw.Expr:
    """The first cell of a row that is not null, by a flat tree of coalesces."""
    while len(cells) > 1:
        chunks = [cells[start : start + AT_ONCE] for start in range(0, len(cells), AT_ONCE)]
        cells = [nw.coalesce(*chunk) if len(chunk) > 1 else chunk[0] for chunk in chunks]
    return cells[0]


def _need_indicators(table: Table, columns: Sequence[str]) -> None:
    """Look at all cells; a few columns at a time are tested as one, which is faster to plan."""
    numbers = [name for name in columns if table.kind(name) == "number"]
    chunks = [numbers[start : start + AT_ONCE] for start in range(0, len(numbers), AT_ONCE)]
    suspects = [name for chunk in _with_others(table, chunks) for name in chunk]
    odd = [repr(name) for (name,) in _with_others(table, [[name] for name in suspects])]
    if odd:
        more = f" and {len(odd) - NAMES_SHOWN} more" if len(odd) > NAMES_SHOWN else ""
        raise ActionError(
            f"{', '.join(odd[:NAMES_SHOWN])}{more}: cells other than 0, 1, true, false and null; "
            f"name indicator columns only",
            kind="no indicator",
        )


def _with_others(table: Table, groups: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """The groups of columns that hold anything but 0, 1 and null."""
    if not groups:
        return []
    tests = []
    for place, group in enumerate(groups):
        others = [(nw.col(name) != 0) & (nw.col(name) != 1) for name in group]
        test = nw.any_horizontal(*others, ignore_nulls=True)
        tests.append(test.cast(nw.Int64).max().alias(str(place)))
    flags = table.frame.select(*tests).collect().row(0)
    return [group for group, other in zip(groups, flags, strict=True) if other]


def _levels(columns: Sequence[str], table: Table) -> tuple[str, ...]:
    """The level each indicator's name tells; the whole name where levels would not be unlike."""
    family = family_of(columns, table)
    if family is not None:
        slots = {column: slot_text(value) for value, column in family.members}
        levels = tuple(slots[column] for column in columns)
    else:
        start = _common_start(columns)
        levels = tuple(name[start:] for name in columns)
    unlike = len(set(levels)) == len(levels) and all(level.strip() for level in levels)
    return levels if unlike else tuple(columns)


def _common_start(names: Sequence[str]) -> int:
    """How long the prefix is that all names share, up to where a word ends."""
    low, high = min(names), max(names)
    unlike = (place for place, sign in enumerate(low) if sign != high[place : place + 1])
    prefix = low[: next(unlike, len(low))]
    ends = [match.end() for match in re.finditer(r"[\W_]+|(?<=[a-z0-9])(?=[A-Z])", prefix)]
    capital = all(name[len(prefix) : len(prefix) + 1].isupper() for name in names)
    if capital and prefix[-1:].islower():
        ends.append(len(prefix))
    return max(ends, default=0)
