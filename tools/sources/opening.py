"""Sources: whatever the user hands in, read into Parquet or left where its engine holds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from wideleaf.tools.engines.engine import Engine, EngineName, EngineSetting
from wideleaf.tools.engines.process import memory_limit, need_own_process
from wideleaf.tools.engines.registry import open_engine
from wideleaf.tools.errors import SettingsError, SourceError
from wideleaf.tools.sources.catalog import Catalog as Catalog
from wideleaf.tools.sources.catalog import need_deniable
from wideleaf.tools.sources.databases.database_tables import Backend, DatabaseTable
from wideleaf.tools.sources.databases.duckdb_tables import DuckDBTable
from wideleaf.tools.sources.databases.spark_tables import SparkTable
from wideleaf.tools.sources.graphs.facts import read_relations, relations_path
from wideleaf.tools.sources.graphs.handle import KnowledgeGraph
from wideleaf.tools.sources.lakes import LakeTable
from wideleaf.tools.sources.normal import FRAMES, TABLES, Normal
from wideleaf.tools.sources.normalise import KeptFrame
from wideleaf.tools.sources.reading_errors import as_source_error
from wideleaf.tools.sources.source import (
    Facts,
    Progress,
    Storage,
    TableHandle,
    match_denials,
    read_facts,
)
from wideleaf.tools.sources.source import Source as Source
from wideleaf.tools.sources.tables import NamedTable, list_tables
from wideleaf.tools.tables.relations import Relation
from wideleaf.tools.writing import need_folder

SPILL = "spill"
"""Where an engine puts what does not fit in memory, in a run's folder."""
COLUMNS_ASKED, BYTES_OF_CELL = 12, 16
"""What a question holds of a wide table."""
MAX_COPIED = 20_000_000
"""Cells of a table of a server or a lake that are copied; of more, it is asked where it is."""


def choose_engine(setting: EngineSetting, tables: Sequence[NamedTable]) -> EngineName:
    """Choose where a run computes: where its data is, if it is all in one place, else Polars.

    What a server holds and is not copied, it computes itself, beside any engine.

    Raises:
        SettingsError: If a Spark table is to be read by another engine.
    """
    handles = [table.handle for table in tables]
    spark = [handle for handle in handles if isinstance(handle, SparkTable)]
    if spark and setting not in ("auto", "spark"):
        raise SettingsError(
            f"engine {setting!r} cannot read {spark[0].origin}; set engine to 'spark' or 'auto'"
        )
    if setting == "database":
        return "polars"
    if setting != "auto":
        return setting
    if spark:
        return "spark"
    in_duckdb = handles and all(isinstance(handle, DuckDBTable) for handle in handles)
    return "duckdb" if in_duckdb else "polars"


def is_beyond_memory(sources: Sequence[Source]) -> bool:
    """Whether a question's columns of all tables may be more than fits, so that DuckDB spills.

    Polars' joins hold their rows. Tables on a server are not counted, and beside one Polars stays.
    """
    limit = memory_limit()
    if limit is None or any(source.place != "parquet" for source in sources):
        return False
    cells = sum((s.rows or 0) * min(s.columns or 0, COLUMNS_ASKED) for s in sources)
    return cells * BYTES_OF_CELL > limit / 2


def leave_large(setting: EngineSetting, tables: Sequence[NamedTable]) -> list[NamedTable]:
    """Leave tables on their server where they are asked for there, or one of it is large.

    All of a database's tables stay together, on one connection, so that they can be joined there.
    """
    staying: dict[Any, Backend] = {}
    for handle in (table.handle for table in tables):
        if isinstance(handle, DatabaseTable):
            by_choice = handle.backend.kept or setting == "database"
            if by_choice or (setting == "auto" and handle.cells > MAX_COPIED):
                staying.setdefault(handle.backend.url, handle.backend).kept = True
    return [replace(table, handle=_stay(table.handle, staying)) for table in tables]


def _stay(handle: TableHandle, staying: Mapping[Any, Backend]) -> TableHandle:
    backend = staying.get(handle.backend.url) if isinstance(handle, DatabaseTable) else None
    if backend is None or not isinstance(handle, DatabaseTable):
        return handle
    if handle.backend is not backend:
        handle.backend.close()
    return handle.on(backend)


def open_catalog(
    inputs: Any,
    folder: Path,
    denied: Sequence[str] = (),
    engine: EngineSetting = "auto",
    progress: Progress = None,
) -> Catalog:
    """Read whatever the user hands in and open it with the engine that fits.

    Parquet stays where it is, and so do tables that the engine or their database holds itself;
    everything else becomes ``folder/tables/<fingerprint>.parquet``. A denied column of a database
    is not read.

    Args:
        inputs: One of, or several of: a path (``name=path`` gives it a name; a folder stands for
            the table files in it, as a pattern does for those that it finds, parts of one table
            together; a database for its tables, ``path::table`` for one of them, or for one sheet
            of a workbook), a server's URL, ``spark:table``, a pandas, Polars, Arrow or Spark
            frame, a series, a mapping from names to these.
        folder: Where the run keeps what it makes.
        denied: Columns that nobody is to see.
        engine: Who computes.
        progress: Told before something slow.

    Raises:
        SourceError: If something cannot be read.
        SettingsError: If the engine cannot be used, the folder cannot be written to, or a denied
            column is in no table.
    """
    need_own_process()
    need_folder(folder)
    tables = leave_large(engine, list_tables(inputs, folder / TABLES, progress))
    choice = open_engine(choose_engine(engine, tables), folder / SPILL)
    choice.allow(folders=[folder / FRAMES])
    sources = read_tables(tables, folder / TABLES, denied, progress, choice)
    if engine == "auto" and choice.name == "polars" and is_beyond_memory(sources):
        choice = open_engine("duckdb", folder / SPILL)
        choice.allow(folders=[folder / FRAMES])
    catalog = Catalog(sources, choice, denied)
    need_deniable(catalog, denied)
    return catalog


def read_tables(
    tables: Sequence[NamedTable],
    folder: Path,
    denied: Sequence[str],
    progress: Progress,
    engine: Engine,
) -> tuple[Source, ...]:
    """Read tables, or find what is known of those that stay where they are.

    Args:
        tables: What there is.
        folder: Where normalised tables are kept.
        denied: Columns that the notes must not name; those of a database are not read.
        progress: Told before something slow.
        engine: Who will open them.

    Raises:
        SourceError: If something cannot be read. A table that was not asked for by its name, but
            as one of its database's, is left out with a note.
    """
    sources: list[Source] = []
    left_out: dict[str, list[SourceError]] = {}
    try:
        for table in tables:
            try:
                with as_source_error(table.handle.origin):
                    sources.append(_read(table, folder, denied, progress, engine))
            except SourceError as error:
                together = sum(other.database == table.database for other in tables)
                lost = left_out.setdefault(table.database, [])
                lost.append(error)
                if not table.database or len(lost) == together:  # nothing of it can be read
                    raise lost[0] from None
                if progress:
                    progress(f"left out {error}")
    finally:
        for table in tables:
            table.handle.close()
    if left_out:
        notes = (f"Left out {error}." for errors in left_out.values() for error in errors)
        sources[0] = sources[0].model_copy(update={"notes": (*sources[0].notes, *notes)})
    return tuple(sources)


def _read(
    table: NamedTable,
    folder: Path,
    denied: Sequence[str],
    progress: Progress,
    engine: Engine,
) -> Source:
    handle, native = table.handle, None
    place: Storage = "parquet"
    if isinstance(handle, DuckDBTable) and engine.name == "duckdb":
        (normal, facts), place = handle.describe(denied), "duckdb"
    elif isinstance(handle, SparkTable) and engine.name == "spark":
        (normal, facts), place = handle.describe(cast(Any, engine), denied), "spark"
        native = handle.native
    elif isinstance(handle, DatabaseTable) and handle.backend.kept:
        (normal, facts), place, native = handle.describe(denied), "database", handle
    elif isinstance(handle, LakeTable) and engine.name == "polars" and handle.cells > MAX_COPIED:
        (normal, facts), place, native = (handle.describe(), Facts()), "lake", handle
    else:
        normal = handle.read(folder, denied, progress)
        inside = normal.path.is_file() and normal.path.parent == folder.resolve()
        facts = read_facts(normal.path) if inside else Facts()  # else it is the user's own Parquet
    relations: tuple[Relation, ...] = ()
    if isinstance(handle, KnowledgeGraph):
        relations = read_relations(relations_path(folder, normal.fingerprint))
    headers = {c: h for r in normal.repairs for c, h in zip(r.columns, r.headers, strict=False)}
    notes, caveats = _told(table, normal, headers, denied)
    return Source(
        name=table.name,
        path=normal.path,
        origin=handle.origin,
        notes=notes,
        caveats=caveats,
        rows=normal.rows if normal.rows >= 0 else None,
        columns=normal.columns,
        headers=tuple(headers.items()),
        place=place,
        about=tuple(pair for repair in normal.repairs for pair in repair.about),
        relations=relations,
        frame=handle.id if isinstance(handle, KeptFrame) else "",
        native=native,
        **dict(facts) | {"fingerprint": facts.fingerprint or normal.fingerprint},
    )


def _told(
    table: NamedTable, normal: Normal, headers: Mapping[str, str], denied: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is told of a table, and of that what the reader of an answer should know."""
    columns = {column for repair in normal.repairs for column in repair.columns}
    hidden = match_denials(columns, headers, denied)
    sentences = [(repair.sentence(hidden), repair.ordinary) for repair in normal.repairs]
    empty = f"The table {table.name!r} has no rows." if normal.rows == 0 else ""
    notes = (empty, table.note, *(sentence for sentence, _ in sentences))
    caveats = (empty, *(sentence for sentence, ordinary in sentences if not ordinary))
    return tuple(filter(None, notes)), tuple(filter(None, caveats))
