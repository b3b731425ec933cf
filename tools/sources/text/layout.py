"""Layout: where in rows of text the table is: its header, a row of units, what stands above it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.sources.text.evidence import (
    MOSTLY,
    SEARCHED_ROWS,
    TextRow,
    is_column_typed,
    is_data,
    is_null,
    is_typed,
    is_unlike,
)
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
        repairs: What was left out or put together.
        meanings: What rows below the header say of each column; none where there are none.
    """

    header: int | None
    first: int
    names: list[str]
    repairs: tuple[Repair, ...] = ()
    meanings: tuple[str, ...] = ()

    def told(self, columns: Sequence[str]) -> list[Repair]:
        """What is to be told, with what the columns mean by the names they have in the end."""
        pairs = zip(columns, self.meanings, strict=False)
        about = tuple((column, text) for column, text in pairs if text)
        return [
            repair.model_copy(update={"about": about}) if repair.text.startswith(TOOK) else repair
            for repair in self.repairs
        ]


class _Row(NamedTuple):
    """A row with something in it: its place, its cells, and which of them are not blank."""

    place: int
    cells: list[str]
    filled: list[int]


def find_table(rows: Sequence[Sequence[str | None]]) -> TextLayout:
    """Find the table in rows of text, as they stand in a file or on a sheet.

    The first row is the header unless there is clear evidence against it: rows above the table
    are narrower than it, and a first row is data only if it holds numbers or dates where the
    rows below do.

    Args:
        rows: The first rows, blank ones too; cells are blank, or text as it is written.
    """
    there = [*_there(rows)]
    if not there:
        return TextLayout(None, len(rows), [])
    width = _usual_width(there)
    start, comments = _first_candidate(there, width)
    header = _better_header(there, start, width)
    place, cells, filled = there[header]
    repairs = []
    if above := header - comments:
        repairs.append(Repair(text=f"Left out lines above the header ({above})"))
    if comments:
        repairs.append(Repair(text=f"Left out comment lines above the header ({comments})"))
    below = _cells(there[header + 1 :])
    if is_data(cells, below):
        return TextLayout(None, place, [""] * max(width, len(cells)), tuple(repairs))
    names = [cell or "" for cell in rows[place]]
    if has_mark := cells[0].startswith("#") and len(filled) > 1:
        names[0] = names[0].lstrip().lstrip("#")
    if has_mark and not names[0].strip():
        names = names[1:]  # "# a b": the mark stood as a field of its own
    if full_names := _joined(there, header, names):
        names = full_names
        repairs = [r for r in repairs if "above" not in r.text or above > 1]
        repairs.append(Repair(text="Joined the two rows of headers"))
    described = read_header_rows(names, below)
    names, below = described.names, below[described.height :]
    repairs += described.repairs
    first = there[header + described.height].place + 1
    if place == 0 and not (has_mark or full_names or first > 1) and _is_guess(names, below):
        repairs.append(Repair(text=GUESSED))
    return TextLayout(place, first, names, tuple(repairs), described.meanings)


def _is_guess(names: Sequence[str], below: Sequence[TextRow]) -> bool:
    """Whether nothing speaks for a header above these rows."""
    shifted = [row[len(row) > len(names) :] for row in below]
    heads = [name.strip() for name in names]
    typed = any(is_column_typed(shifted, c) for c, n in enumerate(heads) if not is_typed(n))
    return bool(below) and not typed and not is_unlike(heads, shifted)


def _there(rows: Sequence[Sequence[str | None]]) -> Iterator[_Row]:
    for place, row in enumerate(rows):
        cells = [(cell or "").strip() for cell in row]
        if filled := [column for column, cell in enumerate(cells) if cell]:
            yield _Row(place, cells, filled)


def _cells(rows: Sequence[_Row]) -> list[list[str]]:
    return [row.cells for row in rows]


def _usual_width(rows: Sequence[_Row]) -> int:
    """How many fields most rows have; of rows that a sheet made equally long, up to the last."""
    wide = [row for row in rows if len(row.filled) > 1]
    padded = len({len(row.cells) for row in wide}) == 1
    widths = Counter(row.filled[-1] + 1 if padded else len(row.cells) for row in wide)
    if not widths:
        return max(len(row.cells) for row in rows)
    return max(widths) if padded else max(widths, key=lambda width: (widths[width], width))


def _first_candidate(rows: Sequence[_Row], width: int) -> tuple[int, int]:
    """The first row with more than one cell, and how many comment lines were passed on the way."""
    first, second = rows[0].cells, rows[1].cells if len(rows) > 1 else []
    if len(first) == 1 and width == len(second) == 2 and is_data(second, [second]):
        return 0, 0  # the header of one column beside row names
    comments: list[int] = []
    for place, row in enumerate(rows[:SEARCHED_ROWS]):
        if row.cells[row.filled[0]].startswith("#"):
            comments.append(place)
        elif len(row.filled) >= min(2, width):
            break
    else:
        place = comments[-1] if comments else 0
    if not comments:
        return place, 0
    # "#chrom pos": the last line with a mark is the header if it has as many fields as the rows.
    last = comments[-1]
    fits = width > 1 and len(rows[last].cells) in (width, width + 1) and len(rows[last].filled) > 1
    below = _cells([row for p, row in enumerate(rows) if p > last])
    if fits and (
        last == place
        or is_data(rows[place].cells, below)
        or (below and not _heads_typed(rows, place))
    ):
        return last, len(comments) - 1
    return place, len(comments) - (last == place)


def _better_header(rows: Sequence[_Row], start: int, width: int) -> int:
    """A row further down if the first is no row of the table and that one is surely its header.

    The first is narrower than the table, or a wider line of a logger's own data.
    """
    filled = rows[start].filled
    if len(filled) >= width:
        under = rows[start + 1] if start + 1 < len(rows) else rows[start]
        wider = len(filled) > width == len(under.filled) and not _is_words(rows[start])
        return start + 1 if wider and _is_header(rows, start + 1) else start
    unnamed = filled == list(range(1, width))  # a table's index often has no header
    for place, row in enumerate(rows[start + 1 : start + SEARCHED_ROWS], start=start + 1):
        if len(row.filled) > len(filled) and len(row.filled) >= width * MOSTLY:
            again = len({row.cells[c] for c in row.filled}) < len(row.filled)
            return place if (again or not unnamed) and _is_header(rows, place) else start
    return start


def _is_header(rows: Sequence[_Row], place: int) -> bool:
    """Whether a row is words alone, and some column under it holds numbers or dates."""
    return _is_words(rows[place]) and _heads_typed(rows, place)


def _is_words(row: _Row) -> bool:
    return not any(is_typed(row.cells[c]) or is_null(row.cells[c]) for c in row.filled)


def _heads_typed(rows: Sequence[_Row], place: int) -> bool:
    below = _cells(rows[place + 1 :])
    return any(is_column_typed(below, column) for column in rows[place].filled)


def _joined(rows: Sequence[_Row], header: int, names: list[str]) -> list[str] | None:
    """Two rows of headers as one: a row above spans columns whose headers repeat."""
    above, here = rows[header - 1], rows[header]
    if header == 0 or above.place < here.place - 1 or len(above.filled) < 2:
        return None
    headers = [name.strip() for name in names if name.strip()]
    if len(set(headers)) == len(headers) or len(above.cells) > len(names) + 1:
        return None
    return join_rows(above.cells, names)
