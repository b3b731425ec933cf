"""Members of a family that a question says outright: its categories, its dates."""

from __future__ import annotations

from wideleaf.retrieval.words.dates import date_key, date_ranges, said_dates
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.query import Query
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.tables.families import Family


def find_members(asked: Query, family: Family) -> tuple[str, ...]:
    """The columns of a family along categories or dates that a question says.

    Args:
        asked: The question.
        family: The family; where along numbers is said by slots (`axis.members_at`).

    Returns:
        Columns in the order of the axis; none where the question says none.
    """
    return _dates(asked, family) if family.axis == "date" else _levels(asked, family)


def _dates(asked: Query, family: Family) -> tuple[str, ...]:
    """Members of a date, or within a longer time, or of a stretch from one to another."""
    ranges = date_ranges(asked.text)
    ends = [(one.key, other.key) for one, other in ranges]
    taken = {one for pair in ranges for one in pair}
    ends += [(one.key, one.key) for one in said_dates(asked.text) if one not in taken]
    found = []
    for value, column in family.members:
        key = date_key(str(value))
        if any(low <= key[: len(low)] and key[: len(high)] <= high for low, high in ends):
            found.append(column)
    return tuple(found)


def _levels(asked: Query, family: Family) -> tuple[str, ...]:
    """Levels all of whose words the question has; of two, the one that says more."""
    said = {word.stem for word in asked.words if word.weight or word.text == "all"}
    levels = {
        column: frozenset(map(stem, header_words(str(value)))) for value, column in family.members
    }
    there = {column: level for column, level in levels.items() if level and level <= said}
    if there and "all" in said:  # all Early Conventional are Early Conventional Main, too
        return tuple(
            column
            for column, level in levels.items()
            if any(one <= level for one in there.values())
        )
    return tuple(
        column
        for column, level in there.items()
        if not any(level < other for other in there.values())
    )
