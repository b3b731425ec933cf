"""Flags: columns that say yes or no, and what they hold for yes."""

from __future__ import annotations

from pydantic import JsonValue

from wideleaf.agents.planner.links.table_index import TableIndex

YES = ("yes", "y", "true")
ANSWERS = (*YES, "no", "n", "false")


def yes_of(index: TableIndex, column: str) -> JsonValue:
    """What a column of yes and no holds for yes; None if it is no such column.

    Args:
        index: What is known of the table.
        column: The column: a boolean, a number that is 0 or 1, or words of yes and no.
    """
    if index.kinds.get(column) == "text" and index.knows_cells(column):
        cells = index.distinct(column)
        texts = {str(cell).strip().casefold(): cell for cell in cells}
        plain = len(texts) == len(cells) and {*texts} <= {*ANSWERS}
        return next((str(texts[word]) for word in YES if word in texts), None) if plain else None
    if not index.flag(column):
        return None
    return True if index.kinds[column] == "boolean" else 1
