"""The tables of a run and the keys between them: declared or inferred, joined on the side."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.agents.planner.links.table_index import JoinedIndex, TableIndex, index_table
from wideleaf.agents.planner.recent import Recent
from wideleaf.tools.actions.joining.discovery import find_keys
from wideleaf.tools.actions.joining.keys import avoid_clashes
from wideleaf.tools.errors import ActionError
from wideleaf.tools.sources.source import Link
from wideleaf.tools.steps.semantics import Profile
from wideleaf.tools.steps.trial import Trial
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call

MAX_JOINED = 4
KEPT = 4


class SideJoin(NamedTuple):
    """Tables joined on the side.

    Attributes:
        about: What is known of the joined rows.
        steps: The joins.
        owned: The columns of each table, by their names in the join.
    """

    about: TableIndex
    steps: tuple[Call, ...]
    owned: tuple[frozenset[str], ...]


class Database:
    """The tables of a run and the keys between them.

    Args:
        tables: The tables by their labels.
        links: Foreign keys that are declared; where there are none they are looked for.
        profile: What actions mean in trial runs.
    """

    def __init__(
        self,
        tables: Mapping[str, Table],
        links: Sequence[Link] = (),
        profile: Profile = "standard",
    ) -> None:
        self.tables = tables
        self._declared = links
        self._found: dict[frozenset[str], Link | None] = {}
        self._joined: dict[tuple[str, ...], SideJoin | None] = {}
        self.profile = profile
        self.trial = Trial(tables, profile, samples=True)

    def link(self, one: str, two: str) -> Link | None:
        """The key between two tables, declared or inferred from names and values."""
        for link in self._declared:
            if {link.table, link.other} == {one, two}:
                return link
        if any({one, two} & {link.table, link.other} for link in self._declared):
            return None
        pair = frozenset((one, two))
        if pair not in self._found:
            try:
                keys, _ = find_keys(self.tables[one], self.tables[two])
                sides = [key.left for key in keys], [key.right for key in keys]
                self._found[pair] = Link(one, tuple(sides[0]), two, tuple(sides[1]))
            except ActionError:
                self._found[pair] = None
        return self._found[pair]

    def path(self, start: str, end: str) -> tuple[str, ...]:
        """The tables on the shortest way from one table to another; empty if there is none."""
        queue: deque[tuple[str, ...]] = deque([(start,)])
        names = {start}
        while queue:
            way = queue.popleft()
            if way[-1] == end:
                return way
            if len(way) == MAX_JOINED:
                continue
            for other in self.tables:
                if other not in names and self.link(way[-1], other):
                    names.add(other)
                    queue.append((*way, other))
        return ()

    def join_tables(self, names: tuple[str, ...]) -> SideJoin | None:
        """Some tables joined in this order, each with one before it; None if that cannot be."""
        if names not in self._joined:
            self._joined[names] = self._join(names)
        return self._joined[names]

    def _join(self, names: tuple[str, ...]) -> SideJoin | None:
        first = self.tables[names[0]]
        # Where each table's columns are found in the joined rows.
        places = {names[0]: {column: column for column in first.columns}}
        columns = list(first.columns)
        steps: list[Call] = []
        for name in names[1:]:
            link, there = next(
                ((k, o) for o in places if (k := self.link(o, name)) is not None), (None, "")
            )
            if link is None:
                return None
            ours, theirs = link.columns, link.other_columns
            if link.table == name:
                ours, theirs = theirs, ours
            on: list[JsonValue] = [
                {"left": places[there][a], "right": b} for a, b in zip(ours, theirs, strict=True)
            ]
            left = f"${len(steps) - 1}" if steps else names[0]
            arguments: dict[str, JsonValue] = {"left": left, "right": name, "on": on}
            steps.append(Call(name="Join", arguments=arguments))
            keys = {b: places[there][a] for a, b in zip(ours, theirs, strict=True)}
            others = [c for c in self.tables[name].columns if c not in keys]
            new = avoid_clashes(columns, others)
            places[name] = {**keys, **new}
            columns += new.values()
        owned = tuple(frozenset(columns.values()) for columns in places.values())
        try:
            table = self.trial.run(steps)
        except ActionError:
            return None
        spelled = self._spelled(places)
        if not self.trial.of_sample(steps):
            return SideJoin(TableIndex(table, spelled), tuple(steps), owned)
        origins = {
            place: (index_table(self.tables[name]), column)
            for name, columns in reversed(places.items())
            for column, place in columns.items()
        }
        return SideJoin(JoinedIndex(table, spelled, origins), tuple(steps), owned)

    def _spelled(self, places: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
        """Columns that several tables have, by names that say whose they are."""
        counts: dict[str, int] = {}
        for columns in places.values():
            for column in columns:
                counts[column.casefold()] = counts.get(column.casefold(), 0) + 1
        spelled: dict[str, str] = {}
        for table, columns in places.items():
            for column, place in columns.items():
                if counts[column.casefold()] > 1 and place not in spelled:
                    spelled[place] = f"{table} {column}"
        return spelled


def database_of(
    tables: Mapping[str, Table], links: Sequence[Link] = (), profile: Profile = "standard"
) -> Database:
    """What is known of some tables together; kept for the last few sets of tables."""
    more = (profile, tuple(tables), tuple(links))
    make = partial(Database, dict(tables), links, profile)
    return _databases.get(tuple(tables.values()), more, make)


_databases: Recent[Database] = Recent(KEPT)
