"""Facts in delimited text: one a line, with a header or without."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.graphs.roles import header_roles, roles_by_place
from wideleaf.tools.sources.text.dialect import find_dialect, read_sample
from wideleaf.tools.sources.text.disguises import find_disguise
from wideleaf.tools.sources.text.lines import survey_lines
from wideleaf.tools.sources.text.plain_text import as_plain_text
from wideleaf.tools.tables.relations import END, START

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

    if disguise := find_disguise(path):
        raise SourceError(f"{origin} is called {path.suffix} but is {disguise}")
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
