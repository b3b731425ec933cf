"""Checks of orders: letters for numbers and dates, ends of the alphabet, rows two away."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wideleaf.agents.critic.data_checks import aggregate_nodes, measures_of
from wideleaf.agents.critic.doubts import Doubt, Offer
from wideleaf.agents.critic.plan_words import directions
from wideleaf.agents.planner.links.lexicon import Question
from wideleaf.retrieval.words.names import header_words
from wideleaf.tools.conditions.literals import read_number
from wideleaf.tools.tables.table import Table

MOST_CELLS = 200
"""Cells that are looked at for whether they are numbers."""
MOSTLY = 0.8
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def check_text_order(case: Offer) -> Iterator[Doubt]:
    """Numbers that are kept as text are in the order of their letters: 9 after 18."""
    for node, _, column in directions(case):
        if node.action.name != "Sort" or not node.parents:
            continue
        table = case.table_of(node.parents[0])
        if column not in table.columns or table.kind(column) != "text":
            continue
        cells = [row[column] for row in Table(table.frame.select(column)).rows(MOST_CELLS)]
        filled = [str(cell) for cell in cells if cell]
        if "date" in header_words(column) and len({*filled}) > 1 and not all(map(_is_iso, filled)):
            text = f"{column} is text, so {node.label} orders its dates letter by letter"
            yield Doubt(text, objects=False)
            return
        numbers = {cell: n for cell in filled if (n := read_number(cell)) is not None}
        if sum(cell in numbers for cell in filled) < MOSTLY * len(filled):
            continue
        if sorted(numbers) != sorted(numbers, key=lambda cell: numbers[cell]):
            text = f"{column} is text, so {node.label} orders it letter by letter"
            yield Doubt(f"{text}: Derive a cast to number first")
            return


def check_text_ends(case: Offer) -> Iterator[Doubt]:
    """The largest of texts is the last of the alphabet."""
    if Question(case.question).cue("alphabetic"):
        return
    for node in aggregate_nodes(case):
        table = case.table_of(node.parents[0])
        for measure in measures_of(node):
            function, column = measure.get("function"), measure.get("column")
            if function not in ("max", "min") or column not in table.columns:
                continue
            several = (case.tree[node.parents[0]].rows or 0) > 1
            if several and table.kind(str(column)) == "text":
                end = "last" if function == "max" else "first"
                text = f"{node.label} takes the {end} {column} by the alphabet"
                yield Doubt(f"{text}, which the question does not say", False, reading=True)
                return


def check_rows_back(case: Offer) -> Iterator[Doubt]:
    """The one before is not the one two rows back."""
    said = {one.value for one in Question(case.question).numbers}
    for node in case.plan:
        given = node.action.arguments
        if node.action.name == "Window" and given.get("function") in ("lag", "lead"):
            away = given.get("n")
            if isinstance(away, int) and away > 1 and away not in said:
                text = f"{node.label} looks {away} rows away, which the question does not say"
                yield Doubt(text, reading=True)
                return


def _is_iso(cell: str) -> bool:
    return bool(_DATE.match(cell))
