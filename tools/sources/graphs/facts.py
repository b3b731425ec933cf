"""Normal form of facts: text, times of one type, each fact once, and what relations there are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from wideleaf.tools.cells.repairs import METADATA_KEY, Repair, write_repairs
from wideleaf.tools.conditions.literals import NUMBER
from wideleaf.tools.errors import SourceError
from wideleaf.tools.tables.relations import (
    END,
    FACT,
    HEAD,
    RELATION,
    START,
    TAIL,
    TIMES,
    Relation,
    RelationKind,
)
from wideleaf.tools.writing import put_in_place, write_text

RULES = "facts 1"
"""Changes when the same facts would be read otherwise, so that they are read again."""
ROWS_AT_ONCE = 2**16
"""Facts of a Parquet row group; those of a relation stand together, so most groups are skipped."""
LONG_TEXT = 80
"""Tails of more characters are texts rather than names of things."""
NEARLY_ALL = 0.99
"""A share of tails by which they are numbers or days; the others are left out where that counts."""
MAX_RELATIONS = 100_000
_DAY = r"^[+-]?\d{4,6}(-\d\d(-\d\d)?)?([T ].*)?$"
_YEAR = r"^[+-]?\d{1,6}$"
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
    has_header = places.keys() >= {*FACT}
    if not has_header:
        if len(cells) not in WIDTHS:
            raise SourceError(
                f"{origin} has {len(cells)} fields a line; a fact is head, relation, tail, and of "
                "a temporal graph start and end behind them"
            )
        places = dict(zip((*FACT, *TIMES), range(len(cells)), strict=False))
    if START in places:
        places.setdefault(END, places[START])
    return places, has_header


def by_roles(facts: pl.LazyFrame, origin: str) -> pl.LazyFrame:
    """Columns of facts under their roles, found by `find_roles`."""
    names = facts.collect_schema().names()
    roles, _ = find_roles(names, origin)
    return facts.select(
        pl.col(names[roles[role]]).alias(role) for role in (*FACT, *TIMES) if role in roles
    )


def write_facts(
    raw: pl.LazyFrame, repairs: Sequence[Repair], target: Path, scratch: Path, origin: str
) -> None:
    """Write facts in their normal form, and list their relations.

    Args:
        raw: Columns by their roles; scanned several times, so best a columnar file.
        repairs: What was changed so far.
        target: The Parquet file to write; sorted by relation and head.
        scratch: A folder for what is half done.
        origin: What the source is called in messages.

    Raises:
        SourceError: If a time is none, or no fact is left.
    """
    log = list(repairs)
    schema = raw.collect_schema()
    times = TIMES if START in schema else ()
    text = raw.select(
        _text(name, schema[name]).str.strip_chars().replace("", None) for name in (*FACT, *times)
    )
    bare = pl.any_horizontal(pl.col(FACT).is_null())
    if count := int(text.select(bare.sum()).collect(engine="streaming").item()):
        log.append(Repair(text=f"Left out facts without a head, relation or tail ({count})"))
        text = text.filter(~bare)
    if times:
        text, changes = _with_times(text, origin)
        log += changes
    part = scratch / "facts.parquet"
    query = text.unique().sort(RELATION, HEAD, TAIL, *times)
    query.sink_parquet(part, compression="zstd", row_group_size=ROWS_AT_ONCE)
    before = int(text.select(pl.len()).collect(engine="streaming").item())
    rows = int(pl.scan_parquet(part, glob=False).select(pl.len()).collect().item())
    if rows == 0:
        raise SourceError(f"{origin} has no fact; one of head, relation and tail was expected")
    if before > rows:
        log.append(Repair(text=f"Left out facts that stand twice ({before - rows})"))
    whole = scratch / "whole.parquet"
    facts = pl.scan_parquet(part, glob=False)
    metadata = {METADATA_KEY: write_repairs(log)}
    facts.sink_parquet(whole, compression="zstd", row_group_size=ROWS_AT_ONCE, metadata=metadata)
    write_relations(facts, relations_path(target.parent, target.stem), origin)
    put_in_place(whole, target)


def write_relations(facts: pl.LazyFrame, listing: Path, origin: str) -> None:
    """Count the facts of each relation, see what its tails are, and write that down.

    Args:
        facts: Facts in their normal form.
        listing: The file to write.
        origin: What the source is called in messages.

    Raises:
        SourceError: If there are more relations than a list of names can be.
    """
    tail = pl.col(TAIL)
    number = tail.str.contains(NUMBER) & tail.str.contains(r"\d")
    counts = (
        facts.group_by(RELATION)
        .agg(
            pl.len().alias("facts"),
            number.mean().alias("number"),
            tail.str.contains(r"^\d{4}-\d\d-\d\d$").mean().alias("date"),
            tail.str.len_chars().mean().alias("length"),
        )
        .sort(RELATION)
        .collect(engine="streaming")
    )
    if len(counts) > MAX_RELATIONS:
        raise SourceError(
            f"{origin} has {len(counts)} relations, more than {MAX_RELATIONS}; the second field "
            "of a fact is to be its relation"
        )
    entries = [[row[RELATION], _kind(row), row["facts"]] for row in counts.iter_rows(named=True)]
    write_text(listing, json.dumps(entries, ensure_ascii=False))


def read_relations(listing: Path) -> tuple[Relation, ...]:
    """The relations that a file lists; none where it is missing or was cut short."""
    try:
        entries = json.loads(listing.read_text(encoding="utf-8"))
        return tuple(Relation(str(name), kind, int(facts)) for name, kind, facts in entries)
    except (OSError, ValueError, TypeError):
        return ()


def relations_path(folder: Path, fingerprint: str) -> Path:
    """Where the relations of the facts of a fingerprint are listed."""
    return folder / f"{fingerprint}.relations.json"


def _text(name: str, dtype: pl.DataType) -> pl.Expr:
    """A column as text; whole numbers as such, for a gap makes them floats in some frames."""
    cell = pl.col(name)
    if not dtype.is_float():
        return cell.cast(pl.String)
    whole = cell.cast(pl.Int64, strict=False)
    same = whole.cast(pl.Float64) == cell
    text = pl.when(same).then(whole.cast(pl.String)).otherwise(cell.cast(pl.String))
    return pl.when(cell.is_nan()).then(None).otherwise(text).alias(name)


def _kind(row: dict[str, Any]) -> RelationKind:
    for kind in ("number", "date"):
        if row[kind] >= NEARLY_ALL:
            return kind
    return "text" if row["length"] > LONG_TEXT else "entity"


def _with_times(text: pl.LazyFrame, origin: str) -> tuple[pl.LazyFrame, list[Repair]]:
    """Times as years where all are, else as days; a year alone then is all of its days."""
    both = pl.col(TIMES)
    years = text.select((both.is_null() | both.str.contains(_YEAR)).all())
    if all(years.collect(engine="streaming").row(0)):
        timed = text.with_columns(both.cast(pl.Int64))
    else:
        odd = ~pl.all_horizontal(
            pl.col(name).is_null() | pl.col(name).str.contains(f"{_YEAR}|{_DAY}") for name in TIMES
        )
        first = text.with_row_index("fact", offset=1).filter(odd).head(1).collect()
        if len(first):
            raise SourceError(
                f"{origin}: fact {first['fact'][0]} has a time that is none; write a year, as in "
                "1999, or a day, as in 1999-12-31"
            )
        timed = text.with_columns(_day(START, "-01", "-01"), _day(END, "-12", "-31"))
    swapped = pl.col(END) < pl.col(START)
    count = int(timed.select(swapped.sum()).collect(engine="streaming").item())
    if not count:
        return timed, []
    ordered = timed.with_columns(
        pl.min_horizontal(TIMES).alias(START), pl.max_horizontal(TIMES).alias(END)
    )
    sentence = f"Read times the other way round where ends came first ({count})"
    return ordered, [Repair(text=sentence)]


def _day(name: str, month: str, day: str) -> pl.Expr:
    """A column of days; what a shorter time leaves open is its first or last day."""
    cell = pl.col(name).str.replace("[T ].*$", "")
    parts = cell.str.count_matches("-", literal=True)
    first = pl.when(parts == 0).then(cell + month + day).when(parts == 1).then(cell + "-01")
    whole = first.otherwise(cell)
    date = whole.str.to_date("%Y-%m-%d", strict=False)
    ends_month = (parts == 1) & (name == END)
    return pl.when(ends_month).then(date.dt.month_end()).otherwise(date).alias(name)
