"""Losses: how many cells an expression turned into nulls or left out, counted in one query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import narwhals as nw

from wideleaf.tools.expressions.derivation import Builder
from wideleaf.tools.expressions.expression import Across, Apply, Cast, Expression, parts_within
from wideleaf.tools.expressions.formulas import split_args
from wideleaf.tools.expressions.functions import FUNCTIONS
from wideleaf.tools.expressions.number_functions import row_count
from wideleaf.tools.tables.table import Table

NULL_OF: dict[str, str] = {
    "/": "divisions by zero",
    "//": "divisions by zero",
    "%": "divisions by zero",
    "sqrt": "square roots of negative numbers",
    "log": "logarithms of numbers that are not positive",
    "log10": "logarithms of numbers that are not positive",
    "**": "powers that are no finite numbers",
    "exp": "powers that are no finite numbers",
    "date": "dates that no calendar has",
}
"""Functions that have no result for some of what they take, and what those are called."""
PARTIAL = ("sum", "mean")
"""Aggregates along the row that mean something else where some of its cells are missing."""


class Loss(NamedTuple):
    """What a part of an expression did to the cells it was given.

    Attributes:
        part: The part.
        given: In how many rows it was given all that it takes; along the row, some cells.
        lost: In how many of these it gave a null; along the row, lacked some cells.
    """

    part: Cast | Apply | Across
    given: int
    lost: int


def find_losses(expression: Expression, table: Table) -> list[Loss]:
    """What each part of a resolved expression lost; one query, or none where nothing can be."""
    parts = [
        part
        for part in parts_within(expression)
        if isinstance(part, Cast)
        or (isinstance(part, Apply) and part.op in NULL_OF)
        or (isinstance(part, Across) and part.row in PARTIAL)
    ]
    if not parts:
        return []
    made: dict[str, Expression] = {}
    for place, part in enumerate(parts):
        if not isinstance(part, Across):
            made[_name("after", place)] = part
            taken = enumerate(_taken(part))
            made |= {_name("before", place, number): one for number, one in taken}
    frame = Builder(table).columns(made) if made else table.frame
    totals = []
    for place, part in enumerate(parts):
        if isinstance(part, Across):
            count = _name("count", place)  # a column of its own: its expression is long
            told = row_count([nw.col(name) for name in part.columns])
            frame = frame.with_columns(told.alias(count))
            there, lost = nw.col(count) > 0, nw.col(count).is_between(1, len(part.columns) - 1)
        else:
            before = [_name("before", place, number) for number in range(len(_taken(part)))]
            there = nw.all_horizontal(
                *(~nw.col(one).is_null() for one in before), ignore_nulls=True
            )
            lost = there & nw.col(_name("after", place)).is_null()
        totals += [
            there.cast(nw.Int64).sum().alias(_name("given", place)),
            lost.cast(nw.Int64).sum().alias(_name("lost", place)),
        ]
    row = iter(frame.select(*totals).collect().row(0))
    return [Loss(part, int(next(row) or 0), int(next(row) or 0)) for part in parts]


def _taken(part: Cast | Apply) -> Sequence[Expression]:
    """The expressions a part is given, without its constants."""
    if isinstance(part, Cast):
        return [part.of]
    return split_args(part, FUNCTIONS[part.op])[0]


def _name(what: str, *places: int) -> str:
    return "_".join(["_", what, *map(str, places)])
