"""Suggestions: questions made of a table's columns, offered where its planner does answer them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest

from wideleaf.agents.planner.links.table_index import TableIndex, index_table
from wideleaf.agents.planner.proposals import Proposals
from wideleaf.tools.plain_data import texts_in
from wideleaf.tools.tables.families import find_families
from wideleaf.tools.tables.table import Table
from wideleaf.tools.words import as_name, cut

OFFERED, TRIED = 3, 8
"""So many questions are offered at most, of so many that are tried."""
SURE = 0.6
"""So sure a question must be read to be offered."""
CHOICES, LOOKED = 3, 24
"""So many tables, measures and groups are thought of; for these so many columns are looked at."""
MAX_LEVELS = 24
LONGEST = 40
"""Characters of a header that a person would type."""
FORMS = (
    "What is the mean {measure} for each {group}?",
    "What is the number of rows for each {group}?",
    "What is the highest {measure}?",
)
LISTED = 200
"""Characters of a line of columns."""
Named = tuple[str, tuple[str, ...]]
"""A question, and the columns that it names."""


def suggest_questions(
    tables: Mapping[str, Table], read: Callable[[str], Proposals], near: Sequence[str] = ()
) -> tuple[str, ...]:
    """Questions over some tables that are read surely, as they are meant, and give rows.

    No cell stands in them, so that they may be told wherever headers may.

    Args:
        tables: The tables by their labels.
        read: What the planner makes of a question; it has run the plans.
        near: Columns to take before others, the first before all.
    """
    plain = [table for table in tables.values() if not table.relations]
    plain.sort(key=lambda table: {*near}.isdisjoint(table.columns))
    series = [_make(index_table(one), near, place) for place, one in enumerate(plain[:CHOICES])]
    turns = dict.fromkeys(one for turn in zip_longest(*series) for one in turn if one)
    sure = (text for text, columns in islice(turns, TRIED) if _answers(read(text), columns))
    return tuple(islice(sure, OFFERED))


def list_columns(table: Table) -> str:
    """The columns of a table in a line: families in one word, of a graph its relations."""
    return cut(map(as_name, columns_told(table)), LISTED)


def columns_told(table: Table) -> list[str]:
    """The headers of a table, of each family its notation; of a graph its relations."""
    if table.relations:
        return [one.name for one in table.relations]
    noted = {c: family.notation for family in find_families(table.columns) for c in family.columns}
    return [*dict.fromkeys(noted.get(column, column) for column in table.columns)]


def _make(index: TableIndex, near: Sequence[str], first: int) -> Iterator[Named]:
    """Questions over one table, the forms by turns from one of them on."""
    typed = [c for c in index.kinds if len(c) <= LONGEST and c.isprintable()]
    rank = {column: place for place, column in enumerate(dict.fromkeys(near))}
    typed.sort(key=lambda column: rank.get(column, len(near)))
    measures = _choose(typed, lambda column: _measures(index, column), index, "number")
    groups = _choose(typed, lambda column: _groups(index, column), index, "text", "boolean")
    for turn in range(CHOICES):
        for place in range(len(FORMS)):
            form = FORMS[(first + place) % len(FORMS)]
            slots = {
                name: among[turn % len(among)]
                for name, among in (("measure", measures), ("group", groups))
                if f"{{{name}}}" in form and among
            }
            if len(slots) == form.count("{"):
                yield form.format(**slots), tuple(slots.values())


def _choose(
    columns: list[str], fits: Callable[[str], bool], index: TableIndex, *kinds: str
) -> list[str]:
    looked = [column for column in columns if index.kinds[column] in kinds][:LOOKED]
    index.read(looked)
    return [*islice(filter(fits, looked), CHOICES)]


def _measures(index: TableIndex, column: str) -> bool:
    """Whether a mean of some numbers says something: they are no keys, years, codes or flags."""
    key = index.is_identifier(column) or column in index.row_keys
    return not (key or column in index.category_of or index.yearly(column) or index.flag(column))


def _groups(index: TableIndex, column: str) -> bool:
    return 1 < len(index.distinct(column)) <= min(MAX_LEVELS, index.rows - 1)


def _answers(reading: Proposals, columns: tuple[str, ...]) -> bool:
    """Whether the best plan is sure, finds something, and is of the columns that were named."""
    if not reading.plans:
        return False
    best = reading.plans[0]
    columns_of_plan = {*texts_in([step.arguments for step in best.steps], keys=False)}
    return best.confidence >= SURE and not best.empty and columns_of_plan.issuperset(columns)
