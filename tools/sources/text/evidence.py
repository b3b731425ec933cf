"""Evidence of what a row is: cells that are numbers or dates, and whether it is as those below."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

from wideleaf.tools.cells.number_forms import NULL_WORDS
from wideleaf.tools.words import short_text

TextRow = Sequence[str]
"""Cells without blanks around them; empty where there is none."""

TOTAL = (
    r"(?i)^(?:(?:grand|overall|column)\s+)?(?:totals?|sums?|gesamt|gesamtsumme|summe|insgesamt|"
    r"somme|totale|suma|totaal|total général|total general|итого)\s*:?$"
)
SEARCHED_ROWS = 60
"""How far down a header is looked for."""
MOSTLY = 0.8

SURE = 0.1
"""So unlikely it must be that one of the rows below would look as the header does."""
MIN_ROWS = 8
"""Fewer rows say nothing of what is usual in them."""
WAYS = 5
"""In about so many ways that do not hang together can a cell stand out; of few cells in fewer."""
_DATE = re.compile(
    r"(?:\d{1,4}[-/]\d{1,2}[-/]\d{1,4}|\d{1,2}\.\d{1,2}\.\d{2,4}|\d{4}\.\d{1,2}\.\d{1,2})"
    r"(?:[T ]+\d{1,2}:\d\d.*)?|\d{1,2}:\d\d(?::\d\d.*)?"
)
_NUMBER = re.compile(
    r"[+\-−(]?\s*[€$£¥]?\s*[+-]?\.?\d[\d.,'’\s]*(?:e[+-]?\d+)?\s*(?:%|[€$£¥])?\)?-?|true|false",
    re.IGNORECASE,
)
_FEATURES: tuple[Callable[[str], bool], ...] = (
    lambda cell: any(sign.isdigit() for sign in cell),
    lambda cell: " " in cell,
    lambda cell: "_" in cell,
    lambda cell: cell[:1].isupper(),
    lambda cell: cell.isupper(),
    lambda cell: bool(re.search(r"[^\w\s]", cell)),
    str.isascii,
)


def is_date(cell: str) -> bool:
    """Whether a cell is a date or a time of day."""
    return bool(cell and _DATE.fullmatch(short_text(cell)))


def is_typed(cell: str) -> bool:
    """Whether a cell is a number, a date, a time or a truth value."""
    return is_date(cell) or bool(cell and _NUMBER.fullmatch(short_text(cell)))


def is_null(cell: str) -> bool:
    """Whether a cell holds a word for no value."""
    return bool(cell) and cell in NULL_WORDS


def is_column_typed(rows: Sequence[TextRow], column: int) -> bool:
    """Whether most cells of a column are typed."""
    valid = [cell for cell in column_cells(rows, column) if not is_null(cell)]
    return bool(valid) and sum(map(is_typed, valid)) >= MOSTLY * len(valid)


def column_cells(rows: Sequence[TextRow], column: int) -> list[str]:
    """The cells of a column's first rows, without blank ones."""
    return [row[column] for row in rows[:SEARCHED_ROWS] if column < len(row) and row[column]]


def is_data(names: TextRow, below: Sequence[TextRow]) -> bool:
    """Whether what would be the header is a row of data.

    Every column of numbers or dates must hold one in this row, too; a run of years or of steps
    such as 0, 8, 16 is a header all the same.
    """
    count = sum(map(is_typed, names))
    if not count or not below:
        return bool(count) and count == sum(map(bool, names))
    typed = [c for c in range(len(names)) if is_column_typed(below, c)]
    values = {c: names[c] for c in typed}
    if not all(is_typed(v) or is_null(v) or not v for v in values.values()):
        return False
    cells = {c: value for c, value in values.items() if is_typed(value)}
    texts = list(cells.values())
    if not texts or _are_years(texts, below, typed) or _are_steps(texts, below, typed):
        return False
    alike = sum(_is_alike(value, below, c) for c, value in cells.items())
    return alike >= MOSTLY * len(cells)


def _is_alike(text: str, below: Sequence[TextRow], column: int) -> bool:
    """Whether a cell is like those of its column: a date, or a number of their size."""
    cells = [cell for cell in column_cells(below, column) if not is_null(cell)]
    if is_date(text) != (sum(map(is_date, cells)) > len(cells) / 2):
        return False  # a date above numbers is what they are of
    number = _number(text)
    others = [size for cell in cells if (size := _number(cell)) is not None]
    if number is None or not others:
        return True
    decimals = sum(other % 1 != 0 for other in others)
    if number % 1 == 0 and decimals > len(others) / 2:
        return False
    low, high = min(others), max(others)
    room = (high - low) + abs(high + low) / 4 + 1
    return low - room <= number <= high + room


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None


def _are_years(texts: list[str], below: Sequence[TextRow], typed: list[int]) -> bool:
    if not all(_is_year(value) for value in texts) or len(set(texts)) < len(texts):
        return False
    return not all(
        _is_year(cell) for c in typed for cell in (row[c] for row in below if c < len(row)) if cell
    )


def _is_year(text: str) -> bool:
    return text.isascii() and text.isdigit() and 1800 <= int(text) <= 2100


def _are_steps(texts: list[str], below: Sequence[TextRow], typed: list[int]) -> bool:
    if len(texts) < 2 or not _even_steps(texts):
        return False
    if len(texts) == 2:
        return texts in (["0", "1"], ["1", "2"])
    return not all(_even_steps([row[c] for c in typed if c < len(row)]) for row in below[:5])


def _even_steps(texts: list[str]) -> bool:
    if not all(re.fullmatch(r"-?\d{1,9}", text) for text in texts):
        return False
    numbers = [int(text) for text in texts]
    steps = {after - before for before, after in pairwise(numbers)}
    return len(steps) == 1 and steps != {0}


def is_unlike(names: Sequence[str], below: Sequence[TextRow]) -> bool:
    """Whether a row is so unlike those below it that it is no row of data, even if all are text.

    Were it one of them, each row would be as likely as another to be the first. So for each column
    it is counted how many cells below are as this one is: share its features, or its length, or
    occur but once as it does. What that makes of all columns together must be small. (Of 545
    public tables with headers 1 is doubted; of 113 whose header was taken away, and whose first
    row of data then passed for one, 48.)

    Args:
        names: The cells of the row.
        below: The rows of data under it, without blank ones.
    """
    chance = 1.0
    if len(below) < MIN_ROWS:
        return True
    for place, name in enumerate(names):
        texts = [row[place] for row in below if place < len(row) and row[place]]
        if name and texts:
            chance *= _chance(name, texts)
    return chance <= SURE


def _chance(name: str, texts: Sequence[str]) -> float:
    """How likely a cell of a column stands out as this one does, in whichever way."""
    counts = Counter(texts)
    alike = [sum(has(text) == has(name) for text in texts) for has in _FEATURES]
    alike.append(sum(len(text) <= len(name) for text in texts))
    alike.append(sum(len(text) >= len(name) for text in texts))
    alike.append(len(texts) if name in counts else sum(n == 1 for n in counts.values()))
    ways = min(WAYS, len(texts) / 4)
    return min(1.0, (min(alike) + 1) / (len(texts) + 1) * ways)
