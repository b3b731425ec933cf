"""The selection: which columns are shown for a question, and the interface of those who choose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from pydantic import BaseModel

from wideleaf.tools.tables.table import Table
from wideleaf.tools.words import as_name

FEW_NAMED = 3
FEW_COLUMNS = 40
"""A table of at most this many columns is shown whole."""
ONE_HOT = "one a category"
"""How a line says that a family's columns are the categories of one; `FromOneHot` joins them."""
GRAPH_WORDS = "knowledge graph"
"""How a text of tables says that one is a graph, which `Get` asks."""
MIN_BLOCK = 80
"""Less room than this holds no table."""


class Pick(BaseModel, frozen=True):
    """A column or family that may matter to the question.

    Attributes:
        table: Name of its table.
        reference: What an action may write for it: a column name or a family's notation.
        columns: The columns meant; of a family the members that the question names, or all.
        kind: Kind of the columns.
        members: How many columns the reference stands for.
        score: How well it fits; 0 where nothing was scored.
        reason: Why it was picked.
        meaning: What the abbreviations in the name stand for.
        axis: Along what a family's members lie: a number, a date or a category.
        resolved: Whether the question means it, as far as names, meanings and cells tell; the
            others are shown beside it, in case.
    """

    table: str
    reference: str
    columns: tuple[str, ...]
    kind: str
    members: int = 1
    score: float = 0.0
    reason: str = ""
    meaning: str = ""
    axis: str = ""
    resolved: bool = False

    @property
    def line(self) -> str:
        """The pick as one line of a prompt."""
        kind = self.kind
        if self.members > 1:
            kind = f"{self.members} {kind} columns"
            if self.axis == "category":
                kind += f", {ONE_HOT}"
            if self.resolved and len(self.columns) < self.members:
                names = [as_name(column) for column in self.columns]
                many = f"{len(names)} of them, {names[0]} to {names[-1]}"
                which = many if len(names) > FEW_NAMED else " and ".join(names)
                kind += f"; the question seems to mean {which}"
        return f"{as_name(self.reference)} ({kind}) {self.meaning}".rstrip()


class Selection(BaseModel, frozen=True):
    """What a retriever chose.

    Attributes:
        picks: Best first within each table.
        aside: How many columns of each table were left aside.
        near: What nearly was picked, best first.
        joins: Lines that say how the tables found may be joined.
        tables: By table, how well the question fits it; empty where it was not weighed.
        graphs: Of tables that are knowledge graphs, how many facts they have; what is picked of
            them are relations.
    """

    picks: tuple[Pick, ...]
    aside: dict[str, int]
    near: tuple[Pick, ...] = ()
    joins: tuple[str, ...] = ()
    tables: dict[str, float] = {}
    graphs: dict[str, int] = {}

    def resolved(self) -> dict[str, tuple[str, ...]]:
        """By table, the columns that the question means, without those shown beside them."""
        by_table: dict[str, dict[str, None]] = {}
        for pick in self.picks:
            if pick.resolved:
                by_table.setdefault(pick.table, {}).update(dict.fromkeys(pick.columns))
        return {table: tuple(columns) for table, columns in by_table.items()}

    @property
    def focus(self) -> list[str]:
        """The columns that the question means, of all tables; of a large family some."""
        groups = (pick.columns[:FEW_NAMED] for pick in self.picks if pick.resolved)
        return list(dict.fromkeys(column for columns in groups for column in columns))

    def text(self, characters: int = 3000) -> str:
        """The selection as it stands in a prompt.

        Each table has an equal share of the room; what one does not need goes to the next.
        """
        blocks: list[str] = []
        for place, (table, aside) in enumerate(self.aside.items()):
            rest = len(self.aside) - place
            if characters < MIN_BLOCK and rest > 1:
                blocks.append(f"and {rest} more tables")
                break
            picks = [pick for pick in self.picks if pick.table == table]
            block = _block(table, picks, aside, characters // rest, self.graphs.get(table))
            characters -= len(block) + 1
            blocks.append(block)
        return "\n".join(blocks)


class Retriever(Protocol):
    """Who chooses columns."""

    def select(self, question: str, tables: Mapping[str, Table], limit: int = 24) -> Selection:
        """Choose the columns of these tables that may matter to a question.

        Args:
            question: The question as it was asked.
            tables: Tables by name; those of few columns are chosen whole.
            limit: Largest number of picks from the other tables.
        """


def _block(
    table: str, picks: list[Pick], aside: int, characters: int, facts: int | None = None
) -> str:
    count = len({column for pick in picks for column in pick.columns}) + aside
    what = f"{count} column{'s' * (count != 1)}"
    if facts is not None:
        many = f"{facts} fact{'s' * (facts != 1)}; {count} relation{'s' * (count != 1)}"
        what = f"{GRAPH_WORDS} of {many} (their tails)"
        what += "; FindColumns looks for those not shown" * bool(aside)
    lines = [f"{as_name(table)}: {what}"]
    room = characters - len(lines[0])
    for place, pick in enumerate(picks):
        line = f"  {pick.line}"
        last = f"  and {len(picks) - place} more"
        room -= len(line) + 1
        if room < (len(last) + 1 if place + 1 < len(picks) else 0):
            return "\n".join([*lines, last])
        lines.append(line)
    return "\n".join(lines)
