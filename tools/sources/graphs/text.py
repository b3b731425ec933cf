"""Facts in text: which field is the head, relation, tail, start and end, and how lines are read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.text.dialect import find_dialect, read_sample
from wideleaf.tools.sources.text.lines import LineSurvey, survey_lines
from wideleaf.tools.sources.text.plain_text import as_plain_text
from wideleaf.tools.tables.relations import END, FACT, HEAD, RELATION, START, TAIL, TIMES

if TYPE_CHECKING:
    import polars as pl

HEADERS: dict[str, frozenset[str]] = {
    HEAD: frozenset({"head", "subject", "source", "from", "s", "h", "subj", "entity1", "node1"}),
    RELATION: frozenset({"relation", "predicate", "property", "edge", "p", "r", "rel", "pred"}),
    TAIL: frozenset({"tail", "object", "target", "to", "o", "t", "obj", "entity2", "node2"}),
    START: frozenset({"start", "begin", "since", "start_time", "start_year", "valid_from"}),
    END: frozenset({"end", "until", "end_time", "end_year", "valid_to"}),
}  # fmt: skip
"""How the columns of facts are called, in small letters."""
WIDTHS = (3, 4, 5)
"""Fields of a fact: without times, with one time, with a start and an end."""


def find_roles(cells: Sequence[str], origin: str) -> tuple[dict[str, int], bool]:
    """The place of each role in a fact: by their names, else by their places.

    A row is a header if it names head, relation and tail; columns that it calls otherwise are
    none of a fact. Where there is one time, it is the start and the end.

    Args:
        cells: The first row.
        origin: What the source is called in messages.

    Returns:
        The places, and whether the row is a header.

    Raises:
        SourceError: If there is no header, and facts have another number of fields.
    """
    places: dict[str, int] = {}
    for place, cell in enumerate(cells):
        word = "_".join(cell.strip().casefold().split())
        role = next((role for role, words in HEADERS.items() if word in words), None)
        if role is not None:
            places.setdefault(role, place)
    named = places.keys() >= {*FACT}
    if not named:
        if len(cells) not in WIDTHS:
            raise SourceError(
                f"{origin} has {len(cells)} fields a line; a fact is head, relation, tail, and of "
                "a temporal graph start and end behind them"
            )
        places = dict(zip((*FACT, *TIMES), range(len(cells)), strict=False))
    if START in places:
        places.setdefault(END, places[START])
    return places, named


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
    roles, named = find_roles(dialect.rows[start], origin)

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
            skip_rows=first - 1 + named,
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
        _need_fields(cells, columns, first + named, origin)
    facts = cells.select(pl.col(str(place)).alias(role) for role, place in roles.items())
    told = [*text.repairs, *dialect.repairs]
    if not named:
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
