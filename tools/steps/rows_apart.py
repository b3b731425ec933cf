"""Rows apart: rows of a raw table that look like no rows of it: a total, a header further down."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from wideleaf.tools.privacy import Fact, Matter
from wideleaf.tools.sources.text.evidence import TOTAL
from wideleaf.tools.words import cell_text, cut

MAX_ROWS = 5_000
"""A longer table is not looked through: it is seldom one that was written for readers."""
MIN_ROWS = 4
SUMMED = 0.005
"""How far a total may be from the sum of the other rows, as a part of it."""
MIN_SUMS, MIN_HEADERS = 2, 2
"""Of so many columns a row is the sum, or the word over numbers, wherever it stands."""
MOSTLY = 0.8
MAX_TOLD = 3
_TOTAL = re.compile(TOTAL)
_NUMBER = re.compile(r"[-+−$€£(]*\d[\d.,\s]*[%)a-z]{0,3}", re.I)

Row = Mapping[str, Any]


def find_rows_apart(rows: Sequence[Row], *, cells: bool) -> list[Fact]:
    """Tell of rows that an aggregate over the whole table would count without being meant to.

    A total is known by its label or by its numbers: in two columns, or in one where it is the
    first or the last row or lacks a cell that the others have, it is the sum of all others.

    Args:
        rows: All rows of a raw table, or of some of its columns.
        cells: Whether they may be told; else only the place of a row is.

    Returns:
        None for a table of few or of very many rows.
    """
    if not MIN_ROWS <= len(rows) <= MAX_ROWS:
        return []
    facts = []
    if _is_header(rows):
        words = cut([cell_text(cell) for cell in rows[0].values()], 200)
        facts.append("Row 1 looks like a header" + f": {words}" * cells)
    for place in islice(_totals(rows), MAX_TOLD):
        label = next((cell for cell in rows[place].values() if isinstance(cell, str)), None)
        name = f" ({cell_text(label)})" if label and cells else ""
        facts.append(f"Row {place + 1}{name} looks like a total of the others")
    matter: Matter = "values" if cells else "names"
    return [Fact(text=text, matter=matter) for text in facts]


def _totals(rows: Sequence[Row]) -> Iterator[int]:
    summed = _find_sums(rows)
    for place, row in enumerate(rows):
        if any(isinstance(cell, str) and _TOTAL.match(cell.strip()) for cell in row.values()):
            yield place
        elif sums := summed.get(place):
            # Of one column nearly the sum may be chance: the largest city of a country.
            alone = any(sums) and (place in (0, len(rows) - 1) or _lacks(rows, place))
            if len(sums) >= MIN_SUMS or alone:
                yield place


def _find_sums(rows: Sequence[Row]) -> dict[int, list[bool]]:
    """Rows to the columns they are the sum of all other rows in, and whether exactly."""
    sums: dict[int, list[bool]] = {}
    for name in rows[0]:
        cells = [row[name] for row in rows]
        numbers = [c for c in cells if isinstance(c, int | float) and not isinstance(c, bool)]
        if len(numbers) < MIN_ROWS or min(numbers) < 0 or len(set(numbers)) < MIN_ROWS:
            continue
        whole = float(sum(numbers))
        high = max(numbers)
        if abs(2 * high - whole) <= SUMMED * whole and numbers.count(high) == 1:
            place = cells.index(high)
            sums.setdefault(place, []).append(math.isclose(2 * high, whole))
    return sums


def _lacks(rows: Sequence[Row], place: int) -> bool:
    """Whether a row has no cell in a column where all others have one."""
    empty = [name for name, cell in rows[place].items() if cell is None]
    return any(all(row[name] is not None for row in rows if row is not rows[place])
               for name in empty)  # fmt: skip


def _is_header(rows: Sequence[Row]) -> bool:
    """Whether the first row has words over numbers in several columns, and no number itself."""
    first, below = rows[0], rows[1:]
    if any(not isinstance(cell, str) or _NUMBER.fullmatch(cell) for cell in first.values()):
        return False
    over = 0
    for name in first:
        cells = [row[name] for row in below if row[name] is not None]
        numeric = sum(bool(_NUMBER.fullmatch(str(cell).strip())) for cell in cells)
        over += bool(cells) and numeric >= MOSTLY * len(cells)
    return over >= min(MIN_HEADERS, len(first))
