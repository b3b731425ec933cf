"""A knowledge graph that was handed in: a file or a frame of facts, read into its normal form."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.file_kinds import DELIMITED, PARQUET, stem_of, suffix_of, unpack
from wideleaf.tools.sources.files.frames import arrow_of
from wideleaf.tools.sources.files.parquet_footer import is_whole
from wideleaf.tools.sources.fingerprint import file_fingerprint, frame_fingerprint, salt
from wideleaf.tools.sources.graphs.facts import (
    RULES,
    read_relations,
    relations_path,
    write_facts,
    write_relations,
)
from wideleaf.tools.sources.graphs.rdf import RDF_FORMS, read_rdf
from wideleaf.tools.sources.graphs.roles import header_roles, roles_by_place
from wideleaf.tools.sources.graphs.text import read_facts_text
from wideleaf.tools.sources.normal import Normal, read_normal, scratch_folder, tell_reading
from wideleaf.tools.sources.normalise import normalise_file
from wideleaf.tools.sources.parts import Progress
from wideleaf.tools.tables.relations import END, FACT, GRAPH, START, TIMES

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class KnowledgeGraph:
    """A knowledge graph to ask questions of, not read yet: a `TableHandle`.

    Attributes:
        content: A path, or a frame whose columns are those of facts: head, relation, tail, and of
            a temporal graph start and end (CRAFTQA, section 3.1).
    """

    content: Any

    def __post_init__(self) -> None:
        """Take a path as a text, too."""
        if isinstance(self.content, str | os.PathLike):
            path = Path(os.fspath(self.content).removeprefix(GRAPH)).expanduser()
            object.__setattr__(self, "content", _existing(path))

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
        return stem_of(self.content) if isinstance(self.content, Path) else "graph"

    def read(self, folder: Path, denied: Sequence[str] = (), progress: Progress = None) -> Normal:
        """Make one Parquet file of facts and list its relations; Parquet of facts stays as it is.

        Raises:
            SourceError: If it cannot be read as facts.
        """
        if not isinstance(self.content, Path):
            table, repairs = arrow_of(self.content)
            fingerprint = salt(frame_fingerprint(table), RULES)
            if not _is_listed(folder, fingerprint):
                with scratch_folder(folder) as scratch:
                    facts, target = _of_arrow(table), folder / f"{fingerprint}.parquet"
                    write_facts(facts, repairs, target, scratch, self.origin)
            return read_normal(folder / f"{fingerprint}.parquet", fingerprint)
        return _read_file(self.content, folder, progress)

    def close(self) -> None:
        """Nothing was opened."""


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise SourceError(
            f"no file {str(path)!r} for a graph; write graph: and the path of a file of facts"
        )
    return path


def _read_file(path: Path, folder: Path, progress: Progress) -> Normal:
    origin, suffix = repr(str(path)), _suffix(path)
    if path.parent.resolve() == folder.resolve():  # read before, handed on by its path
        return read_normal(path, path.stem)
    if path.stat().st_size == 0:
        raise SourceError(f"{origin} is empty (0 bytes); one fact a line was expected")
    fingerprint = file_fingerprint(path, salt=f"{RULES} {suffix}")
    target = folder / f"{fingerprint}.parquet"
    if suffix in PARQUET and _is_normal(path):
        if not read_relations(relations_path(folder, fingerprint)):
            tell_reading(path, progress)
            folder.mkdir(parents=True, exist_ok=True)
            write_relations(_scan(path), relations_path(folder, fingerprint), origin)
        return read_normal(path, fingerprint)
    if _is_listed(folder, fingerprint):
        return read_normal(target, fingerprint)
    tell_reading(path, progress)
    repairs: Sequence[Repair] = ()
    with scratch_folder(folder) as scratch:
        if suffix in PARQUET:
            facts = _by_roles(_scan(path), origin)
        elif suffix in RDF_FORMS:
            facts, repairs = read_rdf(unpack(path, scratch), suffix, origin)
        elif suffix in DELIMITED:
            facts, repairs = read_facts_text(unpack(path, scratch), scratch, origin)
        else:
            facts = _by_roles(_scan(normalise_file(path, folder, progress).path), origin)
        write_facts(facts, repairs, target, scratch, origin)
    return read_normal(target, fingerprint)


def _is_listed(folder: Path, fingerprint: str) -> bool:
    """Whether facts were read before, wholly."""
    known = read_relations(relations_path(folder, fingerprint))
    return bool(known) and is_whole(folder / f"{fingerprint}.parquet")


def _is_normal(path: Path) -> bool:
    """Whether a Parquet file holds facts under their names, as text and times of one type.

    It may be larger than memory, so that it is neither sorted nor freed of what stands twice.
    """
    import polars as pl

    schema = dict(_scan(path).collect_schema())
    timed = [schema.get(name) for name in TIMES]
    times = timed in ([None, None], [pl.Int64, pl.Int64], [pl.Date, pl.Date])
    return times and {*schema} <= {*FACT, *TIMES} and all(schema.get(n) == pl.String for n in FACT)


def _suffix(path: Path) -> str:
    """A file's suffix without that of its packing, of RDF, too."""
    inner = Path(path.stem).suffix.lower()
    return inner if inner in RDF_FORMS else suffix_of(path)


def _of_arrow(table: Any) -> pl.LazyFrame:
    import polars as pl

    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame), "a table of Arrow is no series"
    return _by_roles(frame.lazy(), "the frame")


def _scan(path: Path) -> pl.LazyFrame:
    import polars as pl

    return pl.scan_parquet(path, glob=False)


def _by_roles(facts: pl.LazyFrame, origin: str) -> pl.LazyFrame:
    """Columns by their roles: by their names, else by their places."""
    import polars as pl

    names = facts.collect_schema().names()
    roles = header_roles(names) or roles_by_place(len(names), origin)
    if START in roles:
        roles.setdefault(END, roles[START])
    return facts.select(
        pl.col(names[roles[role]]).alias(role) for role in (*FACT, *TIMES) if role in roles
    )
