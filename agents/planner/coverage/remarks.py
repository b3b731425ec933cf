"""Remarks: what an answer begins with where its plan leaves words out or nothing fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from wideleaf.agents.planner.coverage.leftovers import MOST_SAID, Leftovers
from wideleaf.agents.planner.links.lexicon import Question, cell_words, parse_number
from wideleaf.agents.planner.links.literals import DAYS, MONTHS, quotation_places
from wideleaf.agents.planner.links.table_index import TableIndex, index_table
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.agents.planner.rules.rows import filter_rows, start_of
from wideleaf.agents.planner.rules.where import SPOKEN, literal
from wideleaf.agents.planner.scenes.database import Database
from wideleaf.agents.planner.scenes.derivation import Derivation
from wideleaf.tools.steps.trial import Trial

LEAST_LETTERS = 2
MOST_LOOKED = 300
"""In a wider table no value is said to be nowhere: not every column is looked into."""


def remarks_of(
    d: Derivation,
    rows: Sequence[Mapping[str, Any]] | None,
    leftovers: Leftovers,
    database: Database,
    trial: Callable[[], Trial],
) -> tuple[str, ...]:
    """What is to be said before the answer of a plan.

    Args:
        d: The plan's derivation.
        rows: What the plan gives.
        leftovers: What it leaves over of the question.
        database: The tables.
        trial: Gives where the plan's conditions can be tried.
    """
    found = []
    if leftovers.telling:
        found.append(f"Not used: {_listed(leftovers.telling)}.")
        found += _nowhere(d.scene.question, leftovers.telling, database)
    if rows is not None and nothing(rows):
        found += _unmatched(d, trial())
    return tuple(found)


def nothing(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a plan gives no row, nothing but missing cells, or a count of none."""
    return all(cell is None or cell == 0 for row in rows for cell in row.values())


def _listed(phrases: Sequence[str]) -> str:
    shown = ", ".join(f"'{' '.join(phrase.split())}'" for phrase in phrases[:MOST_SAID])
    more = len(phrases) - MOST_SAID
    return f"{shown} and {more} more" if more > 0 else shown


def _nowhere(question: Question, phrases: Sequence[str], database: Database) -> Iterator[str]:
    """Names, numbers and quoted texts among some phrases that no cell and no header holds."""
    indexes = [index_table(table) for table in database.tables.values()]
    if any(len(index.kinds) > MOST_LOOKED for index in indexes):
        return
    quoted = quotation_places(question)
    said = {question.words[place].text for place in quoted}
    times = MONTHS | DAYS
    for phrase in phrases[:MOST_SAID]:
        words = cell_words(phrase)
        name = phrase[:1].isupper() or said.issuperset(words)
        number = parse_number(phrase)
        if times.intersection(words) or len(phrase) < LEAST_LETTERS:
            continue
        if (name or number is not None) and not any(_holds(i, words, number) for i in indexes):
            yield f"'{phrase}' is nowhere in the tables."


def _holds(index: TableIndex, words: tuple[str, ...], number: float | None) -> bool:
    """Whether a table has some words in a cell or a header, or may have them unread."""
    if number is not None and any(number in index.numbers(c) for c in index.of_kind("number")):
        return True
    size = len(words)
    headers = [cell_words(column) for column in index.kinds]
    return not index.whole or any(
        text[start : start + size] == words
        for text in (*headers, *index.cells)
        for start in range(len(text) - size + 1)
    )


def _unmatched(d: Derivation, trial: Trial) -> Iterator[str]:
    """Which conditions of a plan no row fulfils, each by itself or all together."""
    start = start_of(d.scene)
    links = [use for use in d.uses if isinstance(use, ValueLink)]
    alone = []
    for link in dict.fromkeys(map(repr, links)):
        one = next(k for k in links if repr(k) == link)
        if trial.rows(filter_rows(start, (one,)).steps, 1) == []:
            alone.append(f"No {_subject(one)} {SPOKEN[one.op]} {literal(one.value)}.")
    yield from alone
    if links and not alone and trial.rows(filter_rows(start, tuple(links)).steps, 1) == []:
        yield "No row fits all conditions."


def _subject(link: ValueLink) -> str:
    return f"{link.part} of {link.column}" if link.part else link.column
