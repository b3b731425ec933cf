"""Sources: the tables of a run, read once into Parquet, and the catalog that opens them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import narwhals as nw
from pydantic import BaseModel

from wideleaf.tools.columns import nearest
from wideleaf.tools.engines import Engine, PolarsEngine
from wideleaf.tools.errors import ActionError, SettingsError
from wideleaf.tools.fingerprint import salted
from wideleaf.tools.inputs import Wish, list_wishes
from wideleaf.tools.normalise import normalise_file, normalise_frame
from wideleaf.tools.table import Table


class Source(BaseModel, frozen=True):
    """A table on disk.

    Attributes:
        name: What people and models call it.
        path: A Parquet file.
        fingerprint: Of its content.
        origin: What the user handed in.
        notes: Every repair and coercion, without cell values.
        caveats: Those of the notes that the reader of an answer should know.
        rows: Number of rows, if known.
        columns: Number of columns, if known.
        headers: Pairs of a column's name and the header it had, where they differ.
    """

    name: str
    path: Path
    fingerprint: str
    origin: str = ""
    notes: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
    rows: int | None = None
    columns: int | None = None
    headers: tuple[tuple[str, str], ...] = ()


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
        self.denied = frozenset(_folded(name) for name in denied)
        self._sources = {source.name.casefold(): source for source in sources}
        self._tables: dict[str, Table] = {}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the tables, in the order they were handed in."""
        return tuple(source.name for source in self._sources.values())

    def find(self, name: str) -> Source:
        """The source of a name, whatever its case.

        Its fingerprint tells which columns were denied, so that ids differ with them.

        Raises:
            ActionError: If there is none; names the nearest.
        """
        source = self._sources.get(name.strip().casefold())
        if source is None:
            near = ", ".join(repr(other) for other in nearest(name, self.names))
            raise ActionError(
                f"no table {name!r}; the nearest of {len(self.names)} are {near}",
                kind="unknown table",
            )
        return source.model_copy(
            update={"fingerprint": salted(source.fingerprint, *sorted(self.denied))}
        )

    @property
    def all(self) -> tuple[Source, ...]:
        """The sources, in the order they were given."""
        return tuple(self.find(name) for name in self.names)

    def table(self, name: str) -> Table:
        """Open a source as a query, without the denied columns.

        Raises:
            ActionError: If there is no such source.
        """
        source = self.find(name)
        if source.name not in self._tables:
            self._tables[source.name] = self._open(source)
        return self._tables[source.name]

    def _open(self, source: Source) -> Table:
        table = Table(self.engine.scan(source.path))
        hidden = denied_columns(table.columns, dict(source.headers), self.denied)
        if hidden:
            table = Table(table.frame.drop(*hidden))
        coded = [c for c, t in table.schema.items() if isinstance(t, (nw.Categorical, nw.Enum))]
        if coded:  # one kind of text for every action
            table = Table(table.frame.with_columns(nw.col(*coded).cast(nw.String)))
        return table


def read_sources(
    inputs: Any,
    folder: Path,
    denied: Sequence[str] = (),
    progress: Callable[[str], None] | None = None,
) -> tuple[Source, ...]:
    """Read whatever the user hands in.

    Parquet stays where it is; CSV, TSV and frames become ``folder/tables/<fingerprint>.parquet``
    once.

    Args:
        inputs: One of, or several of: a path (``name=path`` gives it a name; a folder stands for
            the table files in it), a pandas, Polars or Arrow frame, a mapping from names to these.
        folder: Where normalised tables are kept.
        denied: Columns that the notes must not name.
        progress: Told before something slow.

    Raises:
        SourceError: If something cannot be read, or two tables have one name.
    """
    wishes = list_wishes(inputs)
    return tuple(_read(wish, folder / "tables", denied, progress) for wish in wishes)


def _read(
    wish: Wish,
    folder: Path,
    denied: Sequence[str],
    progress: Callable[[str], None] | None,
) -> Source:
    if isinstance(wish.content, Path):
        normal = normalise_file(wish.content, folder, progress)
    else:
        normal = normalise_frame(wish.content, folder, f"{wish.name} ({wish.origin})")
    headers = {c: h for r in normal.repairs for c, h in zip(r.columns, r.headers, strict=False)}
    told = {column for repair in normal.repairs for column in repair.columns}
    hidden = denied_columns(told, headers, denied)
    sentences = [wish.note, *(repair.sentence(hidden) for repair in normal.repairs)]
    unusual = [repair.sentence(hidden) for repair in normal.repairs if not repair.ordinary]
    return Source(
        name=wish.name,
        path=normal.path,
        fingerprint=normal.fingerprint,
        origin=wish.origin,
        notes=tuple(sentence for sentence in sentences if sentence),
        caveats=tuple(sentence for sentence in unusual if sentence),
        rows=normal.rows,
        columns=normal.columns,
        headers=tuple(headers.items()),
    )


def need_denied(catalog: Catalog, denied: Sequence[str]) -> None:
    """Refuse a name to deny that no table has: a slip there would let the column out.

    Raises:
        SettingsError: Names the nearest columns.
    """
    if not denied:
        return
    tables = [(source, catalog.engine.scan(source.path)) for source in catalog.all]
    columns = {c: None for _, frame in tables for c in frame.collect_schema().names()}
    headers = {column: header for source, _ in tables for column, header in source.headers}
    for name in denied:
        if not denied_columns(columns, headers, [name]):
            raise SettingsError(
                f"no table has the denied column {name!r}; the nearest are "
                f"{', '.join(map(repr, nearest(name, list(columns))))}"
            )


def denied_columns(
    columns: Iterable[str], headers: Mapping[str, str], denied: Iterable[str]
) -> list[str]:
    """The columns that are denied by the name they have or by the header they had."""
    folded = {_folded(name) for name in denied}
    return [c for c in columns if {_folded(c), _folded(headers.get(c, c))} & folded]


def _folded(name: str) -> str:
    return name.strip().casefold()
