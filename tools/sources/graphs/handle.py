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
from wideleaf.tools.sources.normal import Normal, read_normal, scratch_folder, tell_reading
from wideleaf.tools.sources.normalise import normalise_file
from wideleaf.tools.sources.parts import Progress, TableHandle
from wideleaf.tools.sources.text.dialect import find_dialect, read_sample
from wideleaf.tools.sources.text.lines import survey_lines
from wideleaf.tools.sources.text.plain_text import as_plain_text
from wideleaf.tools.tables.relations import END, FACT, GRAPH, START, TIMES

if TYPE_CHECKING:
    import polars as pl


def read_facts_text(path: Path, scratch: Path, origin: str) -> tuple[pl.LazyFrame, list[Repair]]:
    """Read facts as text under their roles.

    Args:
        path: The file, unpacked.
        scratch: A folder for what is half done.
        origin: What the file is called in messages.

    Raises:
        SourceError: If it is no text, or a line has another number of fields; names the line.
    """
    import polars as pl

    text = as_plain_text(path, scratch, origin)
    dialect = find_dialect(read_sample(text.path), path.suffix)
    start = next((place for place, row in enumerate(dialect.rows) if any(row)), None)
    if start is None:
        raise SourceError(f"{origin} has no fact; one of head, relation and tail was expected")
    width, first = len(dialect.rows[start]), dialect.lines[start]
    named = header_roles(dialect.rows[start])
    roles = named or roles_by_place(width, origin)
    if named and START in roles and END not in roles:
        roles[END] = roles[START]
    survey, quotes = None, text.quotes > 0
    if quotes:  # names of things have quotes, too: they count only where all of them are in pairs
        survey = survey_lines(
            text.path, dialect.delimiter, width, first, quotes=True, origin=origin
        )
        quotes = not survey.bad_quote and not survey.wide and not survey.narrow
    if not quotes:
        survey = survey_lines(
            text.path, dialect.delimiter, width, first, quotes=False, origin=origin
        )
        if survey.wide:
            raise SourceError(
                f"{origin}: line {survey.wide_line} has {survey.wide_fields} fields and the first "
                f"has {width}; a fact is one line of {width} fields here"
            )
    raw = scratch / "facts-text.parquet"
    columns = [str(place) for place in range(width)]
    try:
        pl.scan_csv(
            text.path,
            separator=dialect.delimiter,
            quote_char='"' if quotes else None,
            infer_schema=False,
            has_header=False,
            skip_rows=first - 1 + bool(named),
            with_column_names=lambda _: columns,
            glob=False,
        ).sink_parquet(raw, compression="lz4", statistics=False)
    except pl.exceptions.PolarsError:  # its message may quote cells
        raise SourceError(
            f"{origin}: not readable as facts with delimiter {dialect.delimiter!r}; a fact is one "
            "line of head, relation and tail"
        ) from None
    cells = pl.scan_parquet(raw, glob=False)
    if survey is not None and survey.narrow:
        _need_fields(cells, columns, first + bool(named), origin)
    facts = cells.select(pl.col(str(place)).alias(role) for role, place in roles.items())
    told = [*text.repairs, *dialect.repairs]
    if named is None:
        told.append(Repair(text="Found no header; fields are head, relation, tail and times"))
    return facts, told


def _need_fields(cells: pl.LazyFrame, columns: list[str], line: int, origin: str) -> None:
    """Refuse a line that has too few fields; a blank one is none."""
    import polars as pl

    numbered = cells.with_row_index("line", offset=line)
    short = numbered.filter(pl.col(columns[-1]).is_null() & pl.col(columns[0]).is_not_null())
    lines = short.select("line").head(1).collect()["line"].to_list()
    if lines:
        raise SourceError(
            f"{origin}: about line {lines[0]} a fact has fewer than {len(columns)} fields; a fact "
            "is head, relation and tail, and where others have times, its own"
        )


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
