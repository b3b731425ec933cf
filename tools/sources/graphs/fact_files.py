"""Facts of files: lines of head, relation and tail, with times, and RDF by readable names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote

import polars as pl

from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.file_kinds import RDF_FORMS, TableFile
from wideleaf.tools.sources.files.typed_files import arrow_of
from wideleaf.tools.sources.fingerprint import (
    derive_fingerprint,
    file_fingerprint,
    frame_fingerprint,
)
from wideleaf.tools.sources.graphs.facts import (
    RULES,
    by_roles,
    find_roles,
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
from wideleaf.tools.sources.source import Progress
from wideleaf.tools.sources.text.lines import (
    LineSurvey,
    find_dialect,
    survey_lines,
)
from wideleaf.tools.sources.text.plain_text import as_plain_text, read_sample
from wideleaf.tools.tables.relations import FACT, TIMES

Read = tuple[pl.LazyFrame, list[Repair]]
LANGUAGES = ("en", "", None)
"""Languages of names, the one that is taken first; any other comes after them."""


def read_graph(content: Any, folder: Path, progress: Progress, origin: str) -> Normal:
    """Make one Parquet file of facts and list its relations; Parquet of facts stays as it is.

    Args:
        content: A path, or a frame whose columns are those of facts.
        folder: Where normalised tables are kept.
        progress: Told before something slow.
        origin: What was handed in, as text.

    Raises:
        SourceError: If it cannot be read as facts.
    """
    if isinstance(content, Path):
        return _read_file(TableFile.of(content), folder, progress)
    table, repairs = arrow_of(content)
    fingerprint = derive_fingerprint(frame_fingerprint(table), RULES)

    def read(_: Path) -> Read:
        frame = cast(pl.DataFrame, pl.from_arrow(table))
        return by_roles(frame.lazy(), "the frame"), repairs

    return _write(read, folder, fingerprint, origin)


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
        tell_reading(path, progress)
        if file.rdf_suffix:
            return read_rdf(file.unpack(scratch), suffix, origin)
        if file.is_text:
            return read_facts_text(file.unpack(scratch), scratch, origin)
        table = path if file.is_parquet else normalise(file, folder, progress).path
        return by_roles(_scan(table), origin), []

    return _write(read, folder, fingerprint, origin)


def _write(reader: Callable[[Path], Read], folder: Path, fingerprint: str, origin: str) -> Normal:
    """What is read, in the normal form of facts; from the last time where it is there, wholly."""
    target = folder / f"{fingerprint}.parquet"
    if not read_relations(relations_path(folder, fingerprint)) or not is_whole(target):
        with scratch_folder(folder) as scratch:
            facts, repairs = reader(scratch)
            write_facts(facts, repairs, target, scratch, origin)
    return read_normal(target, fingerprint)


def _is_normal(path: Path) -> bool:
    """Whether a Parquet file holds facts under their names, as text and times of one type.

    It may be larger than memory, so that it is neither sorted nor freed of what stands twice.
    """
    schema = dict(_scan(path).collect_schema())
    timed = [schema.get(name) for name in TIMES]
    times = timed in ([None, None], [pl.Int64, pl.Int64], [pl.Date, pl.Date])
    return times and {*schema} <= {*FACT, *TIMES} and all(schema.get(n) == pl.String for n in FACT)


def _scan(path: Path) -> pl.LazyFrame:
    return pl.scan_parquet(path, glob=False)


def read_facts_text(path: Path, scratch: Path, origin: str) -> Read:
    """Read facts as text under their roles.

    Args:
        path: The file, unpacked.
        scratch: A folder for what is half done.
        origin: What the file is called in messages.

    Raises:
        SourceError: If it is no text, or a line has another number of fields; names the line.
    """
    text = as_plain_text(path, scratch, origin)
    dialect = find_dialect(read_sample(text.path), path.suffix)
    start = next((place for place, row in enumerate(dialect.rows) if any(row)), None)
    if start is None:
        raise SourceError(f"{origin} has no fact; one of head, relation and tail was expected")
    width, first = len(dialect.rows[start]), dialect.lines[start]
    roles, has_header = find_roles(dialect.rows[start], origin)

    def survey_with(quotes: bool) -> LineSurvey:
        return survey_lines(
            text.path, dialect.delimiter, width, first, quotes=quotes, origin=origin
        )

    quotes = text.quotes > 0
    survey = survey_with(quotes)
    if quotes and (survey.bad_quote or survey.wide or survey.narrow):
        quotes = False  # names of things have quotes, too: they count where all are in pairs
        survey = survey_with(quotes)
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
            skip_rows=first - 1 + has_header,
            with_column_names=lambda _: columns,
            glob=False,
        ).sink_parquet(raw, compression="lz4", statistics=False)
    except pl.exceptions.PolarsError:  # its message may quote cells
        raise SourceError(
            f"{origin}: not readable as facts with delimiter {dialect.delimiter!r}; a fact is one "
            "line of head, relation and tail"
        ) from None
    cells = pl.scan_parquet(raw, glob=False)
    if survey.narrow:
        _need_fields(cells, columns, first + has_header, origin)
    facts = cells.select(pl.col(str(place)).alias(role) for role, place in roles.items())
    repairs = [*text.repairs, *dialect.repairs]
    if not has_header:
        repairs.append(Repair(text="Found no header; fields are head, relation, tail and times"))
    return facts, repairs


def _need_fields(cells: pl.LazyFrame, columns: list[str], line: int, origin: str) -> None:
    """Refuse a line that has too few fields; a blank one is none."""
    numbered = cells.with_row_index("line", offset=line)
    short = numbered.filter(pl.col(columns[-1]).is_null() & pl.col(columns[0]).is_not_null())
    lines = short.select("line").head(1).collect()["line"].to_list()
    if lines:
        raise SourceError(
            f"{origin}: about line {lines[0]} a fact has fewer than {len(columns)} fields; a fact "
            "is head, relation and tail, and where others have times, its own"
        )


def read_rdf(path: Path, suffix: str, origin: str) -> Read:
    """Read an RDF document as facts of text.

    An entity goes by its label (``rdfs:label`` or ``skos:prefLabel``), else by the last part of
    its address; where two would have one name, the address stands behind it.

    Args:
        path: The file, unpacked.
        suffix: Which form it has; one of `RDF_FORMS`.
        origin: What the file is called in messages.

    Raises:
        SourceError: If it cannot be parsed; names where.
    """
    import rdflib

    graph = rdflib.Graph()
    try:
        graph.parse(path, format=RDF_FORMS[suffix])
    except Exception as error:  # each of rdflib's parsers has errors of its own
        place = getattr(error, "lines", None) or getattr(error, "getLineNumber", lambda: None)()
        where = f" at line {place + 1 if isinstance(place, int) else place}" if place else ""
        raise SourceError(
            f"{origin} is not readable as {RDF_FORMS[suffix]}{where} ({type(error).__name__}); "
            "N-Triples are .nt, Turtle is .ttl, RDF/XML is .rdf"
        ) from None
    names, labels = _names(graph)
    cells = [
        (names.get(s) or str(s), names[p], names.get(o) or str(o))
        for s, p, o in graph
        if (s, p, o) not in labels
    ]
    facts = pl.DataFrame(cells, schema=dict.fromkeys(FACT, pl.String), orient="row")
    repairs = [Repair(text="Read addresses by their labels or last parts", ordinary=True)]
    return facts.lazy(), repairs


def _names(graph: Any) -> tuple[dict[Any, str], set[Any]]:
    """A name for each address, and the facts that name it so."""
    import rdflib

    best: dict[Any, tuple[int, str, Any]] = {}
    for predicate in (rdflib.RDFS.label, rdflib.SKOS.prefLabel):
        for subject, _, label in graph.triples((None, predicate, None)):
            language = getattr(label, "language", None)
            rank = LANGUAGES.index(language) if language in LANGUAGES else len(LANGUAGES)
            earlier = best.get(subject)
            if str(label).strip() and (earlier is None or (rank, str(label)) < earlier[:2]):
                best[subject] = (rank, str(label), (subject, predicate, label))
    nodes = {n for triple in graph for n in triple if isinstance(n, rdflib.URIRef | rdflib.BNode)}
    plain = {node: best[node][1] if node in best else _last_part(node) for node in nodes}
    counts = Counter(plain.values())
    names = {
        node: name if counts[name] == 1 else f"{name} <{node}>" for node, name in plain.items()
    }
    return names, {triple for _, _, triple in best.values()}


def _last_part(node: Any) -> str:
    """What stands behind the last mark of an address; of a blank node its own name."""
    import rdflib

    if isinstance(node, rdflib.BNode):
        return f"_:{node}"
    text = str(node).rstrip("/#")
    part = text[max(text.rfind(mark) for mark in "#/:") + 1 :]
    return unquote(part) or text
