"""Line survey: the fields of every line counted and every quote checked before a file is read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wideleaf.tools.errors import SourceError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]
    Places = NDArray[np.int64]

BLOCK_BYTES = 2**21
MOST_LINE_BYTES = 2**28
_FEED, _RETURN, _QUOTE = b'\n\r"'


class LineSurvey(NamedTuple):
    """What the lines of a file have.

    Attributes:
        lines: How many have something in them.
        narrow: How many have fewer fields than expected.
        wide: How many have more.
        widest: The most fields of a line.
        wide_line: Number of the first line with more, from 1.
        wide_fields: How many it has.
        bad_quote: Number of the line whose quotes are not as they should be; 0 if all are.
    """

    lines: int = 0
    narrow: int = 0
    wide: int = 0
    widest: int = 0
    wide_line: int = 0
    wide_fields: int = 0
    bad_quote: int = 0


def survey_lines(
    path: Path, delimiter: str, width: int, first_line: int, *, quotes: bool, origin: str
) -> LineSurvey:
    """Count the fields of the lines from `first_line` on, and check their quotes.

    Quotes are as they should be if each field that begins with one ends with one, and those
    within are doubled. A line with a line break in quotes counts as one.

    Raises:
        SourceError: If a line is longer than memory allows.
    """
    import numpy as np

    mark = ord(delimiter)
    lines = narrow = wide = widest = wide_line = wide_fields = 0
    number = first_line
    for data in line_blocks(path, first_line, origin, quotes=quotes):
        every = feeds = np.flatnonzero(data == _FEED)
        marks = np.flatnonzero(data == mark)
        if quotes and _QUOTE in data:
            places = np.flatnonzero(data == _QUOTE)
            feeds, marks = feeds[_outside(feeds, places)], marks[_outside(marks, places)]
            bad = _bad_quote(data, places, mark)
            if bad is None and len(places) % 2:
                bad = len(data)
            if bad is not None:
                before = feeds[: np.searchsorted(feeds, bad)][-1:]
                return LineSurvey(bad_quote=number + int(np.searchsorted(every, before + 1).sum()))
        fields = np.diff(np.searchsorted(marks, feeds), prepend=0) + 1
        starts = np.concatenate(([0], feeds[:-1] + 1))
        lengths = feeds - starts
        blank = (lengths == 0) | ((lengths == 1) & (data[starts] == _RETURN))
        fields, starts = fields[~blank], starts[~blank]
        more = np.flatnonzero(fields > width)
        if len(more) and not wide:
            wide_line = number + int(np.searchsorted(every, starts[more[0]]))
            wide_fields = int(fields[more[0]])
        lines += len(fields)
        narrow += int(np.count_nonzero(fields < width))
        wide += len(more)
        widest = max(widest, int(fields.max(initial=0)))
        number += len(every)
    return LineSurvey(lines, narrow, wide, widest, wide_line, wide_fields)


def line_blocks(
    path: Path, first_line: int, origin: str, *, quotes: bool = False
) -> Iterator[Bytes]:
    """Blocks of whole lines from `first_line` on; the byte order mark is left out.

    Args:
        path: A UTF-8 file.
        first_line: From 1.
        origin: What the file is called in messages.
        quotes: Whether lines go on where a quote is open; if one never closes, the last block
            has it.

    Raises:
        SourceError: If a line is longer than memory allows.
    """
    import numpy as np

    with path.open("rb") as file:
        if file.read(3) != b"\xef\xbb\xbf":
            file.seek(0)
        for _ in range(first_line - 1):
            file.readline()
        rest: list[bytes] = []
        size, inside = 0, False
        while block := file.read(BLOCK_BYTES):
            cut, inside = _line_end(block, inside) if quotes else (block.rfind(b"\n") + 1, False)
            if cut:
                yield np.frombuffer(b"".join([*rest, block[:cut]]), np.uint8)
                rest, size = [], 0
            rest.append(block[cut:])
            size += len(block) - cut
            if size > MOST_LINE_BYTES and not inside:
                raise SourceError(
                    f"{origin}: a line is longer than {MOST_LINE_BYTES // 2**20} MB; is it a table?"
                )
            if size > MOST_LINE_BYTES:
                break
        if size:
            yield np.frombuffer(b"".join([*rest, b"\n"]), np.uint8)


def _line_end(block: bytes, inside: bool) -> tuple[int, bool]:
    """Behind the last line feed outside of quotes, and whether a quote is open after the block."""
    import numpy as np

    data = np.frombuffer(block, np.uint8)
    feeds, places = np.flatnonzero(data == _FEED), np.flatnonzero(data == _QUOTE)
    ends = feeds[_outside(feeds, places, inside)]
    return int(ends[-1]) + 1 if len(ends) else 0, inside != (len(places) % 2 == 1)


def _outside(places: Places, quotes: Places, inside: bool = False) -> NDArray[np.bool_]:
    """Which places no quotes are around; `inside` says whether one is open from the start."""
    import numpy as np

    outside: NDArray[np.bool_] = (np.searchsorted(quotes, places) + inside) % 2 == 0
    return outside


def _bad_quote(data: Bytes, quotes: Places, mark: int) -> int | None:
    """Where the first quote is that neither begins nor ends a field nor is doubled."""
    import numpy as np

    opens, closes = quotes[::2], quotes[1::2]
    ends = (mark, _FEED, _RETURN, _QUOTE)
    good = (opens == 0) | np.isin(data[np.maximum(opens - 1, 0)], ends)
    bad = np.concatenate((opens[~good], closes[~np.isin(data[closes + 1], ends)]))
    return int(bad.min()) if len(bad) else None
