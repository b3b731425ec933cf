"""Heading: the names of a text file's columns, from its first lines alone."""

from __future__ import annotations

import tempfile
from pathlib import Path

from wideleaf.tools.cells.repairs import tidy_headers
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.file_kinds import read_head, suffix_of
from wideleaf.tools.sources.text.dialect import find_dialect, read_sample
from wideleaf.tools.sources.text.layout import find_table
from wideleaf.tools.sources.text.plain_text import as_plain_text

HEAD_BYTES = 2**20


def read_heading(path: Path) -> tuple[str, ...]:
    """The names of the columns as reading the whole file would most likely give them.

    Returns:
        The names; none if the file has no header, or cannot be read.
    """
    try:
        head = read_head(path, HEAD_BYTES)
        if len(head) == HEAD_BYTES and b"\0" not in head:  # not UTF-16: whole lines
            head = head[: head.rfind(b"\n") + 1] or head
        with tempfile.TemporaryDirectory(prefix="reading-") as scratch:
            start = Path(scratch) / f"head{suffix_of(path)}"
            start.write_bytes(head)
            plain = as_plain_text(start, Path(scratch), repr(str(path)))
            rows = find_dialect(read_sample(plain.path), start.suffix).rows
    except (SourceError, OSError, UnicodeError):  # told where the file is read whole
        return ()
    layout = find_table(rows)
    return () if layout.header is None else tuple(tidy_headers(layout.names)[0])
