"""Rows to draw: of a question that wants a chart, the columns it names for each row of a table.

A chart of "the births and deaths for each period" draws cells as they stand, a mark a row. Read
as a question it would count or measure; here the row's key, the numbers that are named, what is
asked of the rows and how many of them are found by the words of headers and cells alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.agents.planner.links.lexicon import lexicon
from wideleaf.agents.planner.links.table_index import TableIndex, index_table
from wideleaf.agents.planner.scopes.derivation import PlanProposal
from wideleaf.retrieval.words.number_words import CARDINALS
from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.value_words import header_stems
from wideleaf.tools.actions.filter import Filter
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call

MAX_COLUMNS = 60
"""Of wider tables a chart of named columns is left to those who choose columns."""
MAX_MEASURES = 8
SURE, LEAST = 0.55, 0.3
"""How sure such a reading is where it accounts for every word, and the least that is tried."""
OWN = 0.5
"""A header is named by words that so much of its telling words are, or by one of its alone."""
MIN_CELL = 3
_WORD = re.compile(r"[^\W_]+")
_YEARS = re.compile(
    r"\b(1[5-9]\d\d|20\d\d)\b(?:\s*(?:to|and|-|–|until|through)\s*(1[5-9]\d\d|20\d\d)\b)?"
)
_YEAR = re.compile(r"(?:1[5-9]\d\d|20\d\d)(?!\d)")
_TOP = re.compile(r"\b(?:top|first|best|leading)\s+(\d+|[a-z]+)\b", re.I)
_TALK = frozenset(
    map(
        stem,
        ("relationship", "relation", "correlation", "trend", "proportion", "share", "distribution",
         "number", "amount", "value", "total", "percentage", "level", "change", "comparison",
         "different", "various", "each", "over", "during", "time"),
    )
)  # fmt: skip
"""Words that say how something is drawn, or that it is several, and name no column."""
_RANKS = frozenset(("rank", "position", "pos", "place", "no", "ranking"))


class Listing(NamedTuple):
    """What of one table is drawn.

    Attributes:
        label: The table.
        key: Column that says what a row is of.
        measures: Columns of numbers.
        conditions: What is asked of the rows, as Filter writes it.
        first: So many rows, by which column; 0 for all.
        by: That column.
        share: How much of the question's words it accounts for.
        read: Those of the measures that are text, each with the expression that reads its numbers.
    """

    label: str
    key: str
    measures: tuple[str, ...]
    conditions: tuple[dict[str, JsonValue], ...]
    first: int
    by: str
    share: float
    read: tuple[tuple[str, dict[str, JsonValue]], ...] = ()


def list_rows(question: str, tables: Mapping[str, Table]) -> PlanProposal | None:
    """A plan that lists what a chart is to draw of each row; None where no numbers are named.

    Args:
        question: What is to be drawn, without the words that want a chart.
        tables: The tables by the labels that steps are to name.
    """
    listings = [_read(question, label, index_table(table)) for label, table in tables.items()]
    best = max((one for one in listings if one), key=lambda one: one.share, default=None)
    if best is None or best.share * SURE < LEAST:
        return None
    return _plan(best)


def _read(question: str, label: str, index: TableIndex) -> Listing | None:
    if len(index.table.columns) > MAX_COLUMNS:
        return None
    words = [word.casefold() for word in _WORD.findall(question)]
    stems = {stem(word) for word in words if word not in lexicon().stopwords}
    conditions, cover, keys = _conditions(question, words, index)
    headers = _match_headers(stems, index)
    numbers = _numbers(index)
    measures = [name for name in numbers if name in headers]
    if not measures and keys and not _spread(index, conditions):
        measures = [name for name in numbers if not _ranks(name)]  # one row: all that it says
        cover |= stems.difference(map(stem, CARDINALS))
    if not 0 < len(measures) <= MAX_MEASURES:
        return None
    key = _key(index, headers, measures, keys)
    if not key:
        return None
    cover |= {one for name in (*measures, key) for one in header_stems(name)} & stems
    first, by = _first(question, index, measures)
    if first:
        cover.update(map(stem, ("top", "first", "best", "leading", str(first))))
    telling = stems - _TALK
    share = len(telling & cover) / len(telling) if telling else 0.0
    texts = tuple((n, index.reading_number(n)) for n in measures if index.kinds[n] == "text")
    return Listing(label, key, tuple(measures), tuple(conditions), first, by, share, texts)


def _numbers(index: TableIndex) -> list[str]:
    """Columns of numbers, also as text; years are none, nor is 1950-1955."""
    return [
        name
        for name, kind in index.kinds.items()
        if name not in index.category_of
        and (kind == "number" or (index.numeric(name) and index.as_number(name)))
        and not ((kind != "number" or index.yearly(name)) and _begin_with_years(index, name))
    ]


def _match_headers(stems: set[str], index: TableIndex) -> set[str]:
    """The headers that the words name: by most of their telling words, or by one that is theirs."""
    parts = {
        name: header_stems(name) - {stem(w) for w in lexicon().stopwords} for name in index.kinds
    }
    counts = Counter(one for own in parts.values() for one in own)
    headers = set()
    for name, own in parts.items():
        hits = own & stems
        if hits and (len(hits) > OWN * len(own) or any(counts[one] == 1 for one in hits - _TALK)):
            headers.add(name)
    # "Goal difference" means that column, not the goals as well; a year is what rows are of.
    return {
        name
        for name in headers
        if _holds_years(index, name)
        or not any(parts[name] & stems < parts[other] & stems for other in headers)
    }


def _conditions(
    question: str, words: Sequence[str], index: TableIndex
) -> tuple[list[dict[str, JsonValue]], set[str], list[str]]:
    """Cells that the question names and years that it bounds; their words, and their columns."""
    conditions: list[dict[str, JsonValue]] = []
    cover: set[str] = set()
    keys: list[str] = []
    spoken = f" {' '.join(words)} "
    yearly = [name for name in index.kinds if _holds_years(index, name)]
    for name in index.of_kind("text"):
        if name in yearly:
            continue
        cells = [cell for cell in index.distinct(name) if isinstance(cell, str)]
        for cell in cells:
            flat = " ".join(_WORD.findall(cell.casefold()))
            if len(flat) >= MIN_CELL and f" {flat} " in spoken and flat not in _RANKS:
                conditions.append({"column": name, "op": "==", "value": cell})
                cover |= {stem(word) for word in flat.split()}
                keys.append(name)
                break
    years = _YEARS.search(question)
    if years and yearly:
        first, last = years.group(1), years.group(2) or years.group(1)
        bounded = [
            cell
            for cell in index.distinct(yearly[0])
            if _YEAR.match(str(cell)) and int(first) <= int(str(cell)[:4]) <= int(last)
        ]
        conditions.append({"column": yearly[0], "op": "in", "value": bounded})
        cover |= {stem(one) for one in (first, last, "year")}
        keys += [yearly[0]] if first == last else []
    return conditions, cover, keys


def _holds_years(index: TableIndex, name: str) -> bool:
    """Whether a column is of years, by its header and its cells: births per year are none."""
    return index.yearly(name) and _begin_with_years(index, name)


def _begin_with_years(index: TableIndex, name: str) -> bool:
    cells = [str(cell) for cell in index.distinct(name) if cell is not None]
    return bool(cells) and 2 * sum(bool(_YEAR.match(cell)) for cell in cells) > len(cells)


def _spread(index: TableIndex, conditions: Sequence[dict[str, JsonValue]]) -> bool:
    """Whether the conditions leave more than one row, or none."""
    step = Filter.model_validate({"where": [*conditions]})
    return step.resolve(index.table).run(index.table).count() != 1


def _key(index: TableIndex, headers: set[str], measures: Sequence[str], keys: Sequence[str]) -> str:
    """The column that says what a row is of: the one that is named, else the first that tells."""
    rows = index.rows
    candidates = [n for n, kind in index.kinds.items() if n not in measures and (
        kind in ("text", "date", "datetime") or _holds_years(index, n))]  # fmt: skip
    telling = [
        name for name in candidates if len(index.distinct(name)) >= min(rows, max(rows - 1, 2))
    ]
    matches = [name for name in telling if name in headers and name not in keys]
    return next(iter([*matches, *telling, *keys]), "")


def _first(question: str, index: TableIndex, measures: Sequence[str]) -> tuple[int, str]:
    """How many rows are wanted, by which column: the table's own rank, else the measure."""
    match = _TOP.search(question)
    if not match:
        return 0, ""
    word = match.group(1).casefold()
    count = int(word) if word.isdigit() else CARDINALS.get(word, 0)
    ranks = [name for name in index.of_kind("number") if _ranks(name)]
    return (count, ranks[0] if ranks else f"-{measures[0]}") if count else (0, "")


def _ranks(name: str) -> bool:
    return {word.casefold() for word in _WORD.findall(name)} <= _RANKS


def _plan(listing: Listing) -> PlanProposal:
    at: JsonValue = listing.label
    steps: list[Call] = []
    thoughts = []
    what = ", ".join(listing.measures)
    if listing.conditions:
        where: JsonValue = [*listing.conditions]
        steps.append(Call(name="Filter", arguments={"table": at, "where": where}))
        thoughts.append("The rows that are asked for.")
        at = "$0"
    if listing.first:
        by: JsonValue = {
            "column": listing.by.removeprefix("-"),
            "descending": listing.by[:1] == "-",
        }
        arguments: dict[str, JsonValue] = {"table": at, "by": [by], "limit": listing.first}
        steps.append(Call(name="Sort", arguments=arguments))
        thoughts.append(f"The first {listing.first}.")
        at = f"${len(steps) - 1}"
    readings = dict(listing.read)
    for name, expression in listing.read:
        derived: dict[str, JsonValue] = {"table": at, "name": f"{name} as number"}
        steps.append(Call(name="Derive", arguments={**derived, "expression": expression}))
        thoughts.append(f"{name} is text; its numbers are read.")
        at = f"${len(steps) - 1}"
    measures = [f"{name} as number" if name in readings else name for name in listing.measures]
    columns: JsonValue = [listing.key, *measures]
    steps.append(Call(name="Select", arguments={"table": at, "columns": columns}))
    thoughts.append(f"What is drawn is {what}, by {listing.key}.")
    return PlanProposal(
        steps=tuple(steps),
        thoughts=tuple(thoughts),
        confidence=round(SURE * listing.share, 3),
        reading=f"{what} of {listing.label} for each {listing.key}",
    )
