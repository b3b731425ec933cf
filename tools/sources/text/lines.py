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
    inside, held, number, opened = False, 0, 1, 1
    for data in line_blocks(path, origin):
        feeds = np.flatnonzero(data == _FEED)
        if number < first_line:
            skipped = min(first_line - number, len(feeds))
            number += skipped
            data = data[int(feeds[skipped - 1]) + 1 :] if skipped else data
            feeds = np.flatnonzero(data == _FEED)
            opened = number
            if not len(data):
                continue
        every = feeds
        marks = np.flatnonzero(data == mark)
        if quotes and (inside or _QUOTE in data):
            places = np.flatnonzero(data == _QUOTE)
            bad = _bad_quote(data, places, mark, inside)
            if bad is not None:
                before = feeds[: int(np.searchsorted(feeds, bad))]
                outer = before[_outside(before, places, inside)]
                line = number + (int(np.searchsorted(every, outer[-1])) + 1 if len(outer) else 0)
                return LineSurvey(bad_quote=line if len(outer) else opened)
            feeds = feeds[_outside(feeds, places, inside)]
            marks = marks[_outside(marks, places, inside)]
            inside = bool((len(places) + inside) % 2)
        if len(feeds):
            counts = np.diff(np.searchsorted(marks, feeds), prepend=-held)
            starts = np.concatenate(([0], feeds[:-1] + 1))
            lengths = feeds - starts
            blank = (lengths == 0) | ((lengths == 1) & (data[starts] == _RETURN))
            if held or opened != number:
                blank[0] = False
            fields = counts[~blank] + 1
            lines += len(fields)
            narrow += int(np.count_nonzero(fields < width))
            more = int(np.count_nonzero(fields > width))
            if more and not wide:
                place = int(np.flatnonzero((counts + 1 > width) & ~blank)[0])
                wide_line = number + int(np.searchsorted(every, starts[place]))
                wide_line = opened if place == 0 else wide_line
                wide_fields = int(counts[place]) + 1
            wide += more
            widest = max(widest, int(fields.max(initial=0)))
            held = int(len(marks) - np.searchsorted(marks, feeds[-1]))
            opened = number + int(np.searchsorted(every, feeds[-1])) + 1
        else:
            held += len(marks)
        number += len(every)
    if inside:
        return LineSurvey(bad_quote=opened)
    return LineSurvey(lines, narrow, wide, widest, wide_line, wide_fields)


def is_even(path: Path, delimiter: str, width: int, first_line: int, origin: str) -> bool:
    """Whether the lines of a file without quotes surely have one number of fields.

    It is if none has more, which the reader refuses: then their delimiters add up.
    """
    import numpy as np

    marks = lines = 0
    number = 1
    for data in line_blocks(path, origin):
        feeds = np.flatnonzero(data == _FEED)
        if number < first_line:
            skipped = min(first_line - number, len(feeds))
            cut = int(feeds[skipped - 1]) + 1
            number += skipped
            data, feeds = data[cut:], feeds[skipped:] - cut
        lengths = np.diff(feeds, prepend=-1)
        blank = (lengths == 1) | ((lengths == 2) & (data[np.maximum(feeds - 1, 0)] == _RETURN))
        lines += len(feeds) - int(np.count_nonzero(blank))
        marks += data.tobytes().count(delimiter.encode())
        number += len(feeds)
    return marks == lines * (width - 1)


def line_blocks(path: Path, origin: str) -> Iterator[Bytes]:
    """Blocks of bytes that each end with a line; the byte order mark is left out.

    Raises:
        SourceError: If a line is longer than memory allows.
    """
    import numpy as np

    with path.open("rb") as file:
        if file.read(3) != b"\xef\xbb\xbf":
            file.seek(0)
        rest: list[bytes] = []
        size = 0
        while block := file.read(BLOCK_BYTES):
            cut = block.rfind(b"\n") + 1
            if cut:
                yield np.frombuffer(b"".join([*rest, block[:cut]]), np.uint8)
                rest, size = [block[cut:]], len(block) - cut
                continue
            rest.append(block)
            size += len(block)
            if size > MOST_LINE_BYTES:
                raise SourceError(
                    f"{origin}: a line is longer than {MOST_LINE_BYTES // 2**20} MB; is it a table?"
                )
        if size:
            yield np.frombuffer(b"".join([*rest, b"\n"]), np.uint8)


def _outside(places: Places, quotes: Places, inside: bool) -> NDArray[np.bool_]:
    import numpy as np

    outside: NDArray[np.bool_] = (np.searchsorted(quotes, places) + inside) % 2 == 0
    return outside


def _bad_quote(data: Bytes, quotes: Places, mark: int, inside: bool) -> int | None:
    """Where the first quote is that neither begins nor ends a field nor is doubled."""
    import numpy as np

    closing = (np.arange(len(quotes)) + inside) % 2 == 1
    opens, closes = quotes[~closing], quotes[closing]
    before = data[np.maximum(opens - 1, 0)]
    good = (opens == 0) | (before == mark) | (before == _FEED) | (before == _RETURN)
    good |= before == _QUOTE
    after = data[np.minimum(closes + 1, len(data) - 1)]
    good_after = (after == mark) | (after == _FEED) | (after == _RETURN) | (after == _QUOTE)
    bad = np.concatenate((opens[~good], closes[~good_after]))
    return int(bad.min()) if len(bad) else None
