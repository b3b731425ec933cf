"""A knowledge graph that was handed in: a file or a frame of facts, read into its normal form."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.file_kinds import TableFile
from wideleaf.tools.sources.fingerprint import (
    derive_fingerprint,
    file_fingerprint,
    frame_fingerprint,
)
from wideleaf.tools.sources.graphs.facts import (
    RULES,
    read_relations,
    relations_path,
    write_facts,
    write_relations,
)
from wideleaf.tools.sources.normal import (
    Normal,
    is_whole,
    read_normal,
    scratch_folder,
    tell_reading,
)
from wideleaf.tools.sources.normalise import normalise
from wideleaf.tools.sources.source import Progress, TableHandle
from wideleaf.tools.tables.relations import FACT, GRAPH, TIMES

if TYPE_CHECKING:
    import polars as pl

Read = tuple["pl.LazyFrame", list[Repair]]


@dataclass(frozen=True)
class KnowledgeGraph(TableHandle):
    """A knowledge graph to ask questions of, not read yet.

    Attributes:
        content: A path, or a frame whose columns are those of facts: head, relation, tail, and of
            a temporal graph start and end (CRAFTQA, section 3.1).
    """

    content: Any

    def __post_init__(self) -> None:
        """Take a path as a text, too."""
        if isinstance(self.content, str | os.PathLike):
            path = Path(os.fspath(self.content).removeprefix(GRAPH)).expanduser()
            if not path.is_file():
                raise SourceError(
                    f"no file {str(path)!r} for a graph; write graph: and the path of a file of "
                    "facts"
                )
            object.__setattr__(self, "content", path)

    @property
    def origin(self) -> str:
        """What the user handed in, as text."""
        if isinstance(self.content, Path):
            return f"{GRAPH}{self.content}"
        kind = type(self.content)
        return f"{kind.__module__.partition('.')[0]} {kind.__name__} of facts"

    @property
    def stem(self) -> str:
        """What it is called where it is given no name."""
        return TableFile.of(self.content).stem if isinstance(self.content, Path) else "graph"

    def read(self, folder: Path, denied: Sequence[str] = (), progress: Progress = None) -> Normal:
        """Make one Parquet file of facts and list its relations; Parquet of facts stays as it is.

        Raises:
            SourceError: If it cannot be read as facts.
        """
        if isinstance(self.content, Path):
            return _read_file(TableFile.of(self.content), folder, progress)
        from wideleaf.tools.sources.files.typed_files import arrow_of

        table, repairs = arrow_of(self.content)

        def read(_: Path) -> Read:
            import polars as pl

            frame = cast("pl.DataFrame", pl.from_arrow(table))
            return _by_roles(frame.lazy(), "the frame"), repairs

        return _write(
            read, folder, derive_fingerprint(frame_fingerprint(table), RULES), self.origin
        )


def _read_file(file: TableFile, folder: Path, progress: Progress) -> Normal:
    path, origin = file.path, file.origin
    suffix = file.rdf_suffix or file.suffix
    if path.parent.resolve() == folder.resolve():  # read before, handed on by its path
        return read_normal(path, path.stem)
    if path.stat().st_size == 0:
        raise SourceError(f"{origin} is empty (0 bytes); one fact a line was expected")
    fingerprint = file_fingerprint(path, salt=f"{RULES} {suffix}")
    if file.is_parquet and _is_normal(path):
        listing = relations_path(folder, fingerprint)
        if not read_relations(listing):
            tell_reading(path, progress)
            folder.mkdir(parents=True, exist_ok=True)
            write_relations(_scan(path), listing, origin)
        return read_normal(path, fingerprint)

    def read(scratch: Path) -> Read:
        from wideleaf.tools.sources.graphs.fact_files import read_facts_text, read_rdf

        tell_reading(path, progress)
        if file.rdf_suffix:
            return read_rdf(file.unpack(scratch), suffix, origin)
        if file.is_text:
            return read_facts_text(file.unpack(scratch), scratch, origin)
        table = path if file.is_parquet else normalise(file, folder, progress).path
        return _by_roles(_scan(table), origin), []

    return _write(read, folder, fingerprint, origin)


def _write(read: Callable[[Path], Read], folder: Path, fingerprint: str, origin: str) -> Normal:
    """What is read, in the normal form of facts; from the last time where it is there, wholly."""
    target = folder / f"{fingerprint}.parquet"
    if not read_relations(relations_path(folder, fingerprint)) or not is_whole(target):
        with scratch_folder(folder) as scratch:
            facts, repairs = read(scratch)
            write_facts(facts, repairs, target, scratch, origin)
    return read_normal(target, fingerprint)


def _is_normal(path: Path) -> bool:
    """Whether a Parquet file holds facts under their names, as text and times of one type.

    It may be larger than memory, so that it is neither sorted nor freed of what stands twice.
    """
    import polars as pl

    schema = dict(_scan(path).collect_schema())
    timed = [schema.get(name) for name in TIMES]
    times = timed in ([None, None], [pl.Int64, pl.Int64], [pl.Date, pl.Date])
    return times and {*schema} <= {*FACT, *TIMES} and all(schema.get(n) == pl.String for n in FACT)


def _scan(path: Path) -> pl.LazyFrame:
    import polars as pl

    return pl.scan_parquet(path, glob=False)


def _by_roles(facts: pl.LazyFrame, origin: str) -> pl.LazyFrame:
    """Columns by their roles: by their names, else by their places."""
    import polars as pl

    from wideleaf.tools.sources.graphs.fact_files import find_roles

    names = facts.collect_schema().names()
    roles, _ = find_roles(names, origin)
    return facts.select(
        pl.col(names[roles[role]]).alias(role) for role in (*FACT, *TIMES) if role in roles
    )
