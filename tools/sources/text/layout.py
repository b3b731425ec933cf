"""Layout: where in rows of text the table is: its header, a row of units, what stands above it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.sources.text.cell_shapes import (
    MOSTLY,
    SEARCHED_ROWS,
    TextRow,
    column_cells,
    is_column_typed,
    is_date,
    is_null,
    is_typed,
)
from wideleaf.tools.sources.text.header_evidence import is_unlike
from wideleaf.tools.sources.text.header_rows import TOOK, join_rows, read_header_rows

GUESSED = (
    "The first row was taken as the header, though it looks like those below; "
    "if it is data, write a header above it"
)


class TextLayout(NamedTuple):
    """Where the table is in the rows.

    Attributes:
        header: Index of the header row; none if the table has no header.
        first: Index of the first row of data.
        names: The headers as they are written; blank where there is none.
        short: Whether every row has one field more than the header, as R writes row names.
        repairs: What was left out or put together.
        meanings: What rows below the header say of each column; none where there are none.
    """

    header: int | None
    first: int
    names: list[str]
    short: bool = False
    repairs: tuple[Repair, ...] = ()
    meanings: tuple[str, ...] = ()

    def told(self, columns: Sequence[str]) -> list[Repair]:
        """What is to be told, with what the columns mean by the names they have in the end."""
        said = zip(columns, self.meanings, strict=False)
        about = tuple((column, text) for column, text in said if text)
        return [
            repair.model_copy(update={"about": about}) if repair.text.startswith(TOOK) else repair
            for repair in self.repairs
        ]


def find_table(rows: Sequence[TextRow]) -> TextLayout:
    """Find the table in rows of text, as they stand in a file or on a sheet.

    The first row is the header unless there is clear evidence against it: rows above the table
    are narrower than it, and a first row is data only if it holds numbers or dates where the
    rows below do.

    Args:
        rows: The first rows, blank ones too; cells are blank, or text as it is written.
    """
    filled = [_filled(row) for row in rows]
    there = [place for place, cells in enumerate(filled) if cells]
    if not there:
        return TextLayout(None, len(rows), [])
    width = _usual_width(rows, filled)
    start, comments = _first_candidate(rows, filled, there, width)
    header = _better_header(rows, filled, start, width)
    repairs = []
    if above := sum(place < header for place in there) - comments:
        repairs.append(Repair(text=f"Left out lines above the header ({above})"))
    if comments:
        repairs.append(Repair(text=f"Left out comment lines above the header ({comments})"))
    names = [cell or "" for cell in rows[header]]
    below = [row for row, cells in zip(rows[header + 1 :], filled[header + 1 :], strict=True)]
    below = [row for row in below if _filled(row)]
    if _is_data(names, below):
        return TextLayout(None, header, [""] * max(width, len(names)), False, tuple(repairs))
    if marked := names[0].lstrip().startswith("#") and len(filled[header]) > 1:
        names[0] = names[0].lstrip().lstrip("#")
    if marked and not names[0].strip():
        names = names[1:]  # "# a b": the mark stood as a field of its own
    if joined := _joined(rows, filled, header):
        names = joined
        repairs = [r for r in repairs if "above" not in r.text or above > 1]
        repairs.append(Repair(text="Joined the two rows of headers"))
    described = read_header_rows(names, below)
    names, below = described.names, below[described.height :]
    repairs += described.repairs
    under = [header, *(place for place in there if place > header)]
    first = under[described.height] + 1
    if below and header == 0 and not (marked or joined or first > header + 1):
        shifted = [row[len(row) > len(names) :] for row in below]
        typed = any(is_column_typed(shifted, c) for c, n in enumerate(names) if not is_typed(n))
        if not typed and not is_unlike(names, shifted):
            repairs.append(Repair(text=GUESSED))
    short = bool(below) and all(len(row) == len(names) + 1 for row in below)
    return TextLayout(header, first, names, short, tuple(repairs), described.meanings)


def _filled(row: TextRow) -> list[int]:
    return [place for place, cell in enumerate(row) if cell and cell.strip()]


def _usual_width(rows: Sequence[TextRow], filled: list[list[int]]) -> int:
    """How many fields most rows have; of rows that a sheet made equally long, up to the last."""
    wide = [place for place, cells in enumerate(filled) if len(cells) > 1]
    padded = len({len(rows[place]) for place in wide}) == 1
    widths = Counter(filled[place][-1] + 1 if padded else len(rows[place]) for place in wide)
    if not widths:
        return max(len(row) for row in rows)
    return max(widths) if padded else max(widths, key=lambda width: (widths[width], width))


def _first_candidate(
    rows: Sequence[TextRow], filled: list[list[int]], there: list[int], width: int
) -> tuple[int, int]:
    """The first row with more than one cell, and how many comment lines were passed on the way."""
    first, second = rows[there[0]], rows[there[1]] if len(there) > 1 else []
    if len(first) == 1 and width == len(second) == 2 and _is_data(_texts(second), [second]):
        return there[0], 0  # the header of one column beside row names
    comments: list[int] = []
    for place in there[:SEARCHED_ROWS]:
        if (rows[place][filled[place][0]] or "").lstrip().startswith("#"):
            comments.append(place)
        elif len(filled[place]) >= min(2, width):
            break
    else:
        if not comments:
            return there[0], 0
        place = comments[-1]
    # "#chrom pos": the last line with a mark is the header if it has as many fields as the rows.
    last = comments[-1] if comments else None
    if last is not None and width > 1 and len(rows[last]) in (width, width + 1):
        below = [rows[p] for p in there if p > last and p not in comments]
        if len(filled[last]) > 1 and (last == place or _is_data(_texts(rows[place]), below)):
            return last, len(comments) - 1
        if len(filled[last]) > 1 and below and not _typed_below(rows, filled, place):
            return last, len(comments) - 1
    return place, len(comments) - (last == place)


def _texts(row: TextRow) -> list[str]:
    return [cell or "" for cell in row]


def _better_header(rows: Sequence[TextRow], filled: list[list[int]], start: int, width: int) -> int:
    """A row further down if the first is no row of the table and that one is surely its header.

    The first is narrower than the table, or a wider line of a logger's own data.
    """
    if len(filled[start]) >= width:
        under = next((p for p in range(start + 1, len(rows)) if filled[p]), start)
        wider = len(filled[start]) > width == len(filled[under]) and not _heads(rows, start)
        heads = wider and _heads(rows, under) and _typed_below(rows, filled, under)
        return under if heads else start
    unnamed = filled[start] == list(range(1, width))  # a table's index often has no header
    for place in range(start + 1, min(len(rows), start + SEARCHED_ROWS)):
        cells = filled[place]
        if len(cells) > len(filled[start]) and len(cells) >= width * MOSTLY:
            again = len({rows[place][c] for c in cells}) < len(cells)
            if unnamed and not again:
                return start
            heads = _heads(rows, place) and _typed_below(rows, filled, place)
            return place if heads else start
    return start


def _heads(rows: Sequence[TextRow], place: int) -> bool:
    return not any(is_typed(cell) or is_null(cell) for cell in rows[place] if cell)


def _typed_below(rows: Sequence[TextRow], filled: list[list[int]], place: int) -> bool:
    """Whether some column under a row holds numbers or dates."""
    below = [
        row for row, cells in zip(rows[place + 1 :], filled[place + 1 :], strict=True) if cells
    ]
    return any(is_column_typed(below, column) for column in filled[place])


def _is_data(names: list[str], below: list[TextRow]) -> bool:
    """Whether what would be the header is a row of data.

    Every column of numbers or dates must hold one in this row, too; a run of years or of steps
    such as 0, 8, 16 is a header all the same.
    """
    written = sum(map(is_typed, names))
    if not written or not below:
        return bool(written) and written == sum(bool(name.strip()) for name in names)
    typed = [c for c in range(len(names)) if is_column_typed(below, c)]
    values = {c: names[c].strip() for c in typed}
    if not all(is_typed(v) or is_null(v) or not v for v in values.values()):
        return False
    given = {c: value for c, value in values.items() if is_typed(value)}
    texts = list(given.values())
    if not texts or _are_years(texts, below, typed) or _are_steps(texts, below, typed):
        return False
    alike = sum(_is_alike(value, below, c) for c, value in given.items())
    return alike >= MOSTLY * len(given)


def _is_alike(text: str, below: list[TextRow], column: int) -> bool:
    """Whether a cell is like those of its column: a date, or a number of their size."""
    cells = [cell for cell in column_cells(below, column) if not is_null(cell)]
    if is_date(text) != (sum(map(is_date, cells)) > len(cells) / 2):
        return False  # a date above numbers is what they are of
    number = _number(text)
    others = [found for cell in cells if (found := _number(cell)) is not None]
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
        return float(text.strip().replace(",", "."))
    except ValueError:
        return None


def _are_years(given: list[str], below: list[TextRow], typed: list[int]) -> bool:
    if not all(_is_year(value) for value in given) or len(set(given)) < len(given):
        return False
    cells = [row[c] for row in below for c in typed if c < len(row) and row[c]]
    return not all(_is_year(cell or "") for cell in cells)


def _is_year(text: str) -> bool:
    return text.strip().isascii() and text.strip().isdigit() and 1800 <= int(text) <= 2100


def _are_steps(given: list[str], below: list[TextRow], typed: list[int]) -> bool:
    if len(given) < 2 or not _even_steps(given):
        return False
    if len(given) == 2:
        return given in (["0", "1"], ["1", "2"])
    return not all(_even_steps([row[c] or "" for c in typed if c < len(row)]) for row in below[:5])


def _even_steps(texts: list[str]) -> bool:
    if not all(re.fullmatch(r"-?\d{1,9}", text.strip()) for text in texts):
        return False
    numbers = [int(text) for text in texts]
    steps = {after - before for before, after in pairwise(numbers)}
    return len(steps) == 1 and steps != {0}


def _joined(rows: Sequence[TextRow], filled: list[list[int]], header: int) -> list[str] | None:
    """Two rows of headers as one: a row above spans columns whose headers repeat."""
    if header == 0 or len(filled[header - 1]) < 2:
        return None
    above, names = _texts(rows[header - 1]), _texts(rows[header])
    written = [name.strip() for name in names if name.strip()]
    if len(set(written)) == len(written) or len(above) > len(names) + 1:
        return None
    return join_rows(above, names)
