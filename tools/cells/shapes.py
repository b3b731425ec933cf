"""Shapes: how a column of text writes its dates or numbers, told without a cell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from wideleaf.tools.cells import date_forms, number_forms
from wideleaf.tools.cells.number_forms import NULL_WORDS, Form

SHAPED_ROWS = 200
"""So many rows of a column are looked at."""
MOSTLY = 0.8
MIN_ALIKE, SHARE_ALIKE, SHAPES_TOLD = 3, 0.2, 2
"""A shape is told that so many cells, and such a share of them, have; of those so many."""
LONGEST, SHORT_WORD = 32, 4
"""So long a cell is tried; a unit, *pm* or a day of the week has no more letters than so many."""
_WORD, _DIGIT_FIRST = re.compile(r"[^\W\d_]+"), re.compile(r"\W*\d")


def find_shapes(cells: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """What most cells of a text column read as, and the shapes in which they write it.

    A shape has digits as ``9`` and letters as ``a``. Only of cells that are dates or numbers is
    one told, and only one that several cells share.

    Args:
        cells: Of the column, as many as are to be looked at.

    Returns:
        ``dates`` or ``numbers`` with shapes such as ``99/99/9999``; empty values of other text.
    """
    valid = [cell for cell in map(str.strip, cells) if cell not in NULL_WORDS]
    digits = [*filter(_is_likely, valid)]
    least = max(MIN_ALIKE, MOSTLY * len(valid))
    if len(digits) < least:
        return "", ()
    dates = _have(digits, (*date_forms.PLAIN, *date_forms.OTHER))
    numbers = [] if len(dates) >= least else _numbers(digits)
    if len(alike := dates if len(dates) >= least else numbers) < least:
        return "", ()
    shapes = Counter(map(_date_shape if alike is dates else _number_shape, alike))
    ranking = shapes.most_common(SHAPES_TOLD)
    fewest = max(MIN_ALIKE, SHARE_ALIKE * len(alike))
    read_as = "dates" if alike is dates else "numbers"
    return read_as, tuple(shape for shape, count in ranking if count >= fewest)


def _is_likely(cell: str) -> bool:
    """Whether it is worth a try: digits or a currency first or a month, no other long word."""
    words = [word.casefold() for word in _WORD.findall(cell)]
    is_plain = len(cell) <= LONGEST and all(
        word in date_forms.MONTHS or len(word) <= SHORT_WORD for word in words
    )
    money = cell.startswith(tuple(number_forms.CURRENCIES))
    months = {*words} & date_forms.MONTHS.keys()
    return is_plain and bool(money or months or _DIGIT_FIRST.match(cell))


def _numbers(cells: Sequence[str]) -> list[str]:
    """The cells that are numbers; none of a column of codes, which text keeps whole."""
    mark = number_forms.find_mark(cells)
    own = number_forms.forms_with_mark(mark) if mark else ()
    numbers = _have(cells, (*number_forms.PLAIN, *number_forms.OTHER, *own))
    return numbers if {*_have(cells, (number_forms.CODE,))} <= {*numbers} else []


def _have(cells: Sequence[str], forms: Sequence[Form]) -> list[str]:
    """The cells that have one of some forms."""
    import polars as pl

    cell = pl.col("value")
    fits = pl.any_horizontal(form.parse(cell).is_not_null() for form in forms)
    return pl.DataFrame({"value": cells}).filter(fits)["value"].to_list()


def _date_shape(cell: str) -> str:
    """Days of one digit are as those of two, and longer names of months all alike."""
    text = _WORD.sub(lambda word: "a" * min(len(word[0]), 4), cell)
    return re.sub(r"\d+", lambda digits: "9" * max(len(digits[0]), 2), text)


def _number_shape(cell: str) -> str:
    """How many digits are before the first mark does not show."""
    return re.sub(r"\d", "9", re.sub(r"\d+", "9", _WORD.sub("a", cell), count=1))
