"""The catalog: the sources of a run by name, opened by its engine, denied columns left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, cast

import narwhals as nw

from wideleaf.tools.engines.engine import Engine, PolarsEngine
from wideleaf.tools.errors import ActionError, SettingsError
from wideleaf.tools.latest import Latest
from wideleaf.tools.sources.databases.database_tables import DatabaseTable
from wideleaf.tools.sources.databases.duckdb_tables import is_view, open_table
from wideleaf.tools.sources.databases.spark_tables import SparkTable
from wideleaf.tools.sources.fingerprint import derive_fingerprint
from wideleaf.tools.sources.source import Link, Source, fold_name, match_denials
from wideleaf.tools.tables.columns import nearest_names
from wideleaf.tools.tables.measure import Measure
from wideleaf.tools.tables.relations import RELATION
from wideleaf.tools.tables.table import Table

OPENED = 8
"""So many opened tables are kept for later questions."""


class Catalog:
    """The sources of a run by name; a denied column is never seen beyond it.

    Args:
        sources: What there is.
        engine: Who opens it.
        denied: Columns to drop, by name (case and surrounding blanks do not matter).
    """

    def __init__(
        self,
        sources: Sequence[Source],
        engine: Engine | None = None,
        denied: Sequence[str] = (),
    ) -> None:
        self.engine = engine or PolarsEngine()
        self.denied = frozenset(fold_name(name) for name in denied)
        self._sources = {source.name.casefold(): source for source in sources}
        self._tables: dict[str, Table] = {}
        self._about: Mapping[str, Mapping[str, str]] = {}
        self._measures: Mapping[str, tuple[Measure, ...]] = {}
        self._told: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        self.engine.allow(
            source.path for source in sources if source.place in ("parquet", "duckdb")
        )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the tables, in the order they were handed in."""
        return tuple(source.name for source in self._sources.values())

    def find(self, name: str) -> Source:
        """The source of a name, whatever its case.

        Its fingerprint tells which columns were denied, so that ids differ with them; a key that
        has a denied column is left out.

        Raises:
            ActionError: If there is none; names the nearest.
        """
        source = self._sources.get(name.strip().casefold())
        if source is None:
            near = ", ".join(repr(other) for other in nearest_names(name, self.names))
            raise ActionError(
                f"no table {name!r}; the nearest of {len(self.names)} are {near}",
                kind="unknown table",
            )
        keyed = (c for key in source.foreign_keys for c in key.columns)
        hidden = match_denials((*source.primary_key, *keyed), {}, self.denied)
        caveats, notes = self._told
        return source.without(hidden).model_copy(
            update={
                "fingerprint": derive_fingerprint(source.fingerprint, *sorted(self.denied)),
                "caveats": (*source.caveats, *caveats),
                "notes": (*source.notes, *caveats, *notes),
            }
        )

    @property
    def all(self) -> tuple[Source, ...]:
        """The sources, in the order they were given."""
        return tuple(self.find(name) for name in self.names)

    @property
    def contents(self) -> dict[str, str]:
        """The fingerprint of each table's content by its name, whatever columns are denied."""
        return {source.name: source.fingerprint for source in self._sources.values()}

    def has_order(self, name: str) -> bool:
        """Whether a source gives its rows in one order; a view, or a server, does not."""
        source = self.find(name)
        engine = cast(Any, self.engine)
        if source.place == "database":
            return False
        return source.place != "duckdb" or not is_view(engine, source.path, source.table)

    def describe(
        self,
        about: Mapping[str, Mapping[str, str]],
        caveats: tuple[str, ...] = (),
        notes: tuple[str, ...] = (),
        measures: Mapping[str, tuple[Measure, ...]] | None = None,
    ) -> None:
        """Take what the user says columns mean, by table; opened tables carry it.

        Args:
            about: Meanings by table and column.
            caveats: What the reader of an answer should know of that.
            notes: What else is odd about it.
            measures: What the user calls figures worked out of a table's columns, by table.
        """
        self._about, self._measures = about, measures or {}
        self._told = (caveats, notes)
        self._tables.clear()

    def table(self, name: str) -> Table:
        """Open a source as a query, without the denied columns.

        Raises:
            ActionError: If there is no such source.
        """
        source = self.find(name)
        if source.name not in self._tables:
            self._tables[source.name] = self._open_cached(source)
        return self._tables[source.name]

    def header(self, name: str) -> Table:
        """A source as those see it who choose its columns: a graph's are its relations, no rows.

        What the user says of relations stays with them.

        Raises:
            ActionError: If there is no such source.
        """
        import polars as pl

        table = self.table(name)
        if not table.relations:
            return table
        types = {"number": pl.Float64, "date": pl.Date, "entity": pl.String, "text": pl.String}
        schema = {one.name: types[one.kind] for one in table.relations}
        return Table(nw.from_native(pl.LazyFrame(schema=schema)), table.about)

    @cached_property
    def foreign_keys(self) -> tuple[Link, ...]:
        """Declared foreign keys between the tables of the run, of columns that can be used."""
        by_table = {(s.database, s.table): s.name for s in reversed(self.all) if s.database}
        links = []
        for source in self.all:
            for key in source.foreign_keys:
                other = by_table.get((source.database, key.table))
                if other is None:
                    continue
                link = Link(source.name, key.columns, other, key.other_columns)
                mine, theirs = self.table(source.name).columns, self.table(other).columns
                if {*link.columns} <= {*mine} and {*link.other_columns} <= {*theirs}:
                    links.append(link)
        return tuple(links)

    def whole(self, source: Source) -> nw.LazyFrame[Any]:
        """A source as a query, with the columns that were read.

        Raises:
            SettingsError: If another engine than the catalog's holds it.
        """
        if source.place == "parquet":
            return self.engine.scan(source.path)
        if source.place == "database":
            table: DatabaseTable = source.native
            return table.open(source.withheld)
        if source.place == "lake":
            return self.engine.open(source.native.frame)
        if source.place != self.engine.name:
            raise SettingsError(
                f"table {source.name!r} is held by {source.place}, and the engine is "
                f"{self.engine.name!r}; set engine to {source.place!r}"
            )
        engine = cast(Any, self.engine)
        if source.place == "duckdb":
            return open_table(engine, source.path, source.table, source.withheld)
        return SparkTable(source.table, source.native).open(engine, source.withheld)

    def _open_cached(self, source: Source) -> Table:
        if self.engine.name != "polars" or source.place == "database":
            return self._open(source)  # a query of the run's own connection
        about, measures = self._read_meanings(source), self._measures.get(source.name, ())
        metadata = (frozenset(about.items()), repr(source.relations), repr(measures))
        key = (source.path, source.fingerprint, source.headers, metadata)
        return _tables.get(key) or _tables.keep(key, self._open(source))

    def _read_meanings(self, source: Source) -> dict[str, str]:
        """What columns mean: the user's word goes before the file's own."""
        hidden = match_denials([c for c, _ in source.about], dict(source.headers), self.denied)
        meanings = {column: text for column, text in source.about if column not in hidden}
        return meanings | dict(self._about.get(source.name, {}))

    def _open(self, source: Source) -> Table:
        table = Table(self.whole(source))
        hidden = match_denials(table.columns, dict(source.headers), self.denied)
        if hidden:
            table = Table(table.frame.drop(*hidden))
        coded = [c for c, t in table.schema.items() if isinstance(t, (nw.Categorical, nw.Enum))]
        if coded:  # one kind of text for every action
            table = Table(table.frame.with_columns(nw.col(*coded).cast(nw.String)))
        hidden = [one.name for one in source.relations if fold_name(one.name) in self.denied]
        if hidden:
            table = Table(table.frame.filter(~nw.col(RELATION).is_in(hidden)))
        relations = tuple(one for one in source.relations if one.name not in hidden)
        about, measures = self._read_meanings(source), self._measures.get(source.name, ())
        remote = source.place == "lake"
        return Table(table.frame, about, relations, measures, remote=remote)


_tables: Latest[Table] = Latest(OPENED)
"""A query of Polars over a file belongs to no run: whoever opens the same content at the same
place, with the same columns denied and the same said of them, finds what is known of it."""


def need_deniable(catalog: Catalog, denied: Sequence[str]) -> None:
    """Refuse a name to deny that no table has: a slip there would let the column out.

    Raises:
        SettingsError: Names the nearest columns.
    """
    if not denied:
        return
    sources = catalog.all
    columns = {c: None for s in sources for c in catalog.whole(s).collect_schema().names()}
    columns |= {c: None for source in sources for c in source.withheld}
    columns |= {one.name: None for source in sources for one in source.relations}
    headers = {column: header for source in sources for column, header in source.headers}
    for name in denied:
        if not match_denials(columns, headers, [name]):
            raise SettingsError(
                f"no table has the denied column {name!r}; the nearest are "
                f"{', '.join(map(repr, nearest_names(name, list(columns))))}"
            )
