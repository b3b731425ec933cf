"""Sources: whatever the user hands in, read into Parquet or left where its engine holds it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from wideleaf.tools.engines.engine import Engine, EngineName, EngineSetting
from wideleaf.tools.engines.forks import need_own_process
from wideleaf.tools.engines.memory import memory_limit
from wideleaf.tools.engines.registry import open_engine
from wideleaf.tools.errors import SettingsError, SourceError
from wideleaf.tools.sources.catalog import FRAMES, TABLES, need_deniable
from wideleaf.tools.sources.catalog import Catalog as Catalog
from wideleaf.tools.sources.databases.duckdb_tables import DuckDBTable
from wideleaf.tools.sources.databases.server import Server
from wideleaf.tools.sources.databases.server_tables import ServerTable
from wideleaf.tools.sources.databases.spark_tables import SparkTable, frame_table, is_spark_frame
from wideleaf.tools.sources.graphs.facts import read_relations, relations_path
from wideleaf.tools.sources.graphs.handle import KnowledgeGraph
from wideleaf.tools.sources.inputs import list_wishes
from wideleaf.tools.sources.kept_frame import KeptFrame
from wideleaf.tools.sources.normal import Normal
from wideleaf.tools.sources.normalise import normalise_file, normalise_frame
from wideleaf.tools.sources.parts import Facts, Progress, TableHandle, read_facts
from wideleaf.tools.sources.reading_errors import as_source_error
from wideleaf.tools.sources.source import Source as Source
from wideleaf.tools.sources.source import Storage, match_denials
from wideleaf.tools.sources.wishes import TableWish
from wideleaf.tools.tables.relations import Relation
from wideleaf.tools.writing import need_folder

SPILL = "spill"
"""Where an engine puts what does not fit in memory, in a run's folder."""
COLUMNS_ASKED, BYTES_OF_CELL = 12, 16
"""What a question holds of a wide table."""
MOST_COPIED = 20_000_000
"""Cells of a server's table that are copied; one of more is asked where it stands."""


def choose_engine(setting: EngineSetting, wishes: Sequence[TableWish]) -> EngineName:
    """Choose where a run computes: where its data is, if it is all in one place, else Polars.

    What a server holds and is not copied, it computes itself, beside any engine.

    Raises:
        SettingsError: If a Spark table is to be read by another engine.
    """
    contents = [wish.content for wish in wishes]
    spark = [w for w in wishes if is_spark_frame(w.content) or isinstance(w.content, SparkTable)]
    if spark and setting not in ("auto", "spark"):
        raise SettingsError(
            f"engine {setting!r} cannot read {spark[0].origin}; set engine to 'spark' or 'auto'"
        )
    if setting == "server":
        return "polars"
    if setting != "auto":
        return setting
    if spark:
        return "spark"
    in_duckdb = contents and all(isinstance(content, DuckDBTable) for content in contents)
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


def leave_large(setting: EngineSetting, wishes: Sequence[TableWish]) -> list[TableWish]:
    """Leave tables on their server where they are asked for there, or one of it is large.

    All of a database's tables stay together, on one connection, so that they can be joined there.
    """
    tables = [one.content for one in wishes if isinstance(one.content, ServerTable)]
    staying: dict[Any, Server] = {}
    for table in tables:
        asked = table.server.kept or setting == "server"
        if asked or (setting == "auto" and table.cells > MOST_COPIED):
            staying.setdefault(table.server.url, table.server).kept = True
    left = []
    for wish in wishes:
        table = wish.content
        if isinstance(table, ServerTable) and (server := staying.get(table.server.url)):
            if table.server is not server:
                table.server.close()
            wish = wish._replace(content=table.on(server))
        left.append(wish)
    return left


def open_catalog(
    inputs: Any,
    folder: Path,
    denied: Sequence[str] = (),
    engine: EngineSetting = "auto",
    progress: Progress = None,
) -> Catalog:
    """Read whatever the user hands in and open it with the engine that fits.

    Raises:
        SourceError: If something cannot be read.
        SettingsError: If the engine cannot be used, the folder cannot be written to, or a denied
            column is in no table.
    """
    need_own_process()
    need_folder(folder)
    wishes = leave_large(engine, list_wishes(inputs, folder / TABLES, progress))
    chosen = open_engine(choose_engine(engine, wishes), folder / SPILL)
    chosen.allow(folders=[folder / FRAMES])
    sources = read_sources(wishes, folder, denied, progress, chosen)
    if engine == "auto" and chosen.name == "polars" and is_beyond_memory(sources):
        chosen = open_engine("duckdb", folder / SPILL)
        chosen.allow(folders=[folder / FRAMES])
    catalog = Catalog(sources, chosen, denied)
    need_deniable(catalog, denied)
    return catalog


def read_sources(
    inputs: Any,
    folder: Path,
    denied: Sequence[str] = (),
    progress: Progress = None,
    engine: Engine | None = None,
) -> tuple[Source, ...]:
    """Read whatever the user hands in.

    Parquet stays where it is, and so do tables that the engine holds itself; everything else
    becomes ``folder/tables/<fingerprint>.parquet``. A denied column of a database is not read.

    Args:
        inputs: One of, or several of: a path (``name=path`` gives it a name; a folder stands for
            the table files in it, as a pattern does for those that it finds, parts of one table
            together; a database for its tables, ``path::table`` for one of them, or for one sheet
            of a workbook), a server's URL, ``spark:table``, a pandas, Polars, Arrow or Spark
            frame, a series, a mapping from names to these.
        folder: Where normalised tables are kept.
        denied: Columns that the notes must not name.
        progress: Told before something slow.
        engine: Who will open them; Polars if not given.

    Raises:
        SourceError: If something cannot be read, or two tables have one name. A table that was
            not asked for by its name, but as one of its database's, is left out with a note.
    """
    wishes = list_wishes(inputs, folder / TABLES, progress)
    sources: list[Source] = []
    left_out: dict[str, list[SourceError]] = {}
    try:
        for wish in wishes:
            try:
                with as_source_error(wish.origin):
                    sources.append(_read(wish, folder / TABLES, denied, progress, engine))
            except SourceError as error:
                together = sum(other.database == wish.database for other in wishes)
                lost = left_out.setdefault(wish.database, [])
                lost.append(error)
                if not wish.database or len(lost) == together:  # nothing of it can be read
                    raise lost[0] from None
                if progress:
                    progress(f"left out {error}")
    finally:
        for wish in wishes:
            if isinstance(wish.content, TableHandle):
                wish.content.close()
    if left_out:
        notes = (f"Left out {error}." for errors in left_out.values() for error in errors)
        sources[0] = sources[0].model_copy(update={"notes": (*sources[0].notes, *notes)})
    return tuple(sources)


def _read(
    wish: TableWish, folder: Path, denied: Sequence[str], progress: Progress, engine: Engine | None
) -> Source:
    content: Any = wish.content
    place: Storage = "parquet"
    if is_spark_frame(content):
        content = frame_table(content)
    name = engine.name if engine else "polars"
    if isinstance(content, DuckDBTable) and name == "duckdb":
        normal, facts = content.describe(denied)
        place = "duckdb"
    elif isinstance(content, SparkTable) and name == "spark":
        normal, facts = content.describe(cast(Any, engine), denied)
        place = "spark"
    elif isinstance(content, ServerTable) and content.server.kept:
        normal, facts = content.describe(denied)
        place = "server"
    else:
        if isinstance(content, TableHandle):
            normal = content.read(folder, denied, progress)
        elif isinstance(content, Path):
            normal = normalise_file(content, folder, progress)
        else:
            normal = normalise_frame(content, folder, f"{wish.name} ({wish.origin})")
        inside = (
            normal.path.is_file() and normal.path.parent == folder.resolve()
        )  # else it is the user's own Parquet
        facts = read_facts(normal.path) if inside else Facts()
    relations: tuple[Relation, ...] = ()
    if isinstance(content, KnowledgeGraph):
        relations = read_relations(relations_path(folder, normal.fingerprint))
    return _source(wish, normal, facts, denied, place).model_copy(
        update={
            "native": _native(content, place),
            "relations": relations,
            "frame": content.id if isinstance(content, KeptFrame) else "",
        }
    )


def _native(content: Any, place: Storage) -> Any:
    if place == "server":
        return content
    return content.native if isinstance(content, SparkTable) else None


def _source(
    wish: TableWish, normal: Normal, facts: Facts, denied: Sequence[str], place: Storage
) -> Source:
    headers = {c: h for r in normal.repairs for c, h in zip(r.columns, r.headers, strict=False)}
    told = {column for repair in normal.repairs for column in repair.columns}
    hidden = match_denials(told, headers, denied)
    sentences = [wish.note, *(repair.sentence(hidden) for repair in normal.repairs)]
    unusual = [repair.sentence(hidden) for repair in normal.repairs if not repair.ordinary]
    if normal.rows == 0:
        unusual.insert(0, f"The table {wish.name!r} has no rows.")
        sentences.insert(0, unusual[0])
    return Source(
        name=wish.name,
        path=normal.path,
        fingerprint=facts.fingerprint or normal.fingerprint,
        origin=wish.origin,
        notes=tuple(sentence for sentence in sentences if sentence),
        caveats=tuple(sentence for sentence in unusual if sentence),
        rows=normal.rows if normal.rows >= 0 else None,
        columns=normal.columns,
        headers=tuple(headers.items()),
        about=tuple(pair for repair in normal.repairs for pair in repair.about),
        place=place,
        database=facts.database,
        table=facts.table,
        primary_key=facts.primary_key,
        foreign_keys=facts.foreign_keys,
        withheld=facts.withheld,
    )
