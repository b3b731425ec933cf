"""Rows against rows: bags of rows that are equal under some order of the columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

from wideleaf.agents.answer.spans import TRUTHS, close, number_of
from wideleaf_evaluation.scorers.cells import days_of

Rows = Sequence[Sequence[Any]]
MAX_TRIES = 20_000
MAX_ALIKE = 200
"""Two tables with more columns that may stand for each other, or more tries, count as different."""


def same_rows(gold: Rows, rows: Rows, *, ordered: bool = False, within: bool = False) -> bool:
    """Whether two tables hold the same rows under some order of the columns.

    Cells are equal as numbers within 1e-6 relative (whole numbers exactly; text that is a number
    counts as one, truth values as 1 and 0), as days, else as texts apart from blanks at the ends.

    Args:
        gold: What is right.
        rows: What was answered.
        ordered: Whether the order of the rows counts.
        within: Whether it is enough that the answer holds the gold: more rows, more columns.
    """
    if not gold:
        return not rows or within
    if not rows or len(rows) < len(gold) or (len(rows) != len(gold) and not within):
        return False
    if len(rows[0]) < len(gold[0]) or (len(rows[0]) != len(gold[0]) and not within):
        return False
    gold_keys, keys = canonical_cells(gold, rows)
    gold_columns = list(zip(*gold_keys, strict=True))
    columns = list(zip(*keys, strict=True))
    bags = [Counter(column) for column in columns]
    fits = [
        [n for n, bag in enumerate(bags) if _fits(Counter(column), bag, within)]
        for column in gold_columns
    ]
    order: dict[int, int] = {}
    for place, fit in enumerate(fits):
        if not fit:
            return False
        if len(fit) == 1:
            order[place] = fit[0]
    if len(set(order.values())) < len(order):
        return False
    # The column with the fewest candidates first.
    places = sorted((n for n in range(len(fits)) if n not in order), key=lambda n: len(fits[n]))
    tries = 0

    def assign(depth: int, assignment: dict[int, int], indices: frozenset[int]) -> bool:
        nonlocal tries
        tries += 1
        if depth == len(places):
            return _same(
                gold_keys, keys, [assignment[n] for n in range(len(gold_columns))], ordered, within
            )
        for n in fits[places[depth]]:
            if tries > MAX_TRIES:
                return False
            more = {**assignment, places[depth]: n}
            if n not in indices and assign(depth + 1, more, indices | {n}):
                return True
        return False

    return len(places) <= MAX_ALIKE and assign(0, order, frozenset(order.values()))


def _fits(gold: Counter[Hashable], bag: Counter[Hashable], within: bool) -> bool:
    return gold <= bag if within else gold == bag


def _same(gold: Rows, rows: Rows, order: list[int], ordered: bool, within: bool) -> bool:
    gold_rows = [tuple(row) for row in gold]
    placed = [tuple(row[n] for n in order) for row in rows]
    if not ordered:
        return _fits(Counter(gold_rows), Counter(placed), within)
    if not within:
        return gold_rows == placed
    rest = iter(placed)
    return all(any(row == other for other in rest) for row in gold_rows)


def canonical_cells(*tables: Rows) -> list[list[list[Hashable]]]:
    """Tables with cells that are equal if and only if they count as the same."""
    readings = [[[_reading(cell) for cell in row] for row in table] for table in tables]
    numbers = sorted(
        {c for table in readings for row in table for c in row if isinstance(c, float)}
    )
    same: dict[float, float] = {}
    for before, number in zip([None, *numbers], numbers, strict=False):
        near = before is not None and close(before, number)
        same[number] = same[before] if near and before is not None else number
    return [
        [[same[c] if isinstance(c, float) else c for c in row] for row in table]
        for table in readings
    ]


def _reading(cell: Any) -> Hashable:
    if isinstance(cell, bool):
        return float(cell)
    number = number_of(cell)
    if number is not None:
        return number
    if cell is None:
        return None
    text = str(cell).strip()
    if re.fullmatch(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*", text):
        text = text.replace("T", " ").removesuffix(" 00:00:00")
    days = days_of(text) if re.fullmatch(r"\d{4}-\d\d-\d\d", text) else ()
    if len(days) == 1:
        return next(iter(days))
    truth = TRUTHS.get(text) if text in ("True", "False") else None
    return text if truth is None else float(truth)


def same_bag(gold: Sequence[Any], cells: Sequence[Any], *, within: bool = False) -> bool:
    """Whether two lists hold the same cells, in any order."""
    gold_keys, keys = canonical_cells([gold], [cells])
    return _fits(Counter(gold_keys[0]), Counter(keys[0]), within)
