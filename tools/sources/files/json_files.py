"""JSON: lines, lists and objects become tables, read as a stream, nested objects as columns."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.files.json_rows import Found, find_tables, rows_of, tabulate_objects
from wideleaf.tools.sources.files.typed_files import FoundTables

if TYPE_CHECKING:
    pass

LINES = (".jsonl", ".ndjson")
BLOCK_CHARS = 2**22
MAX_INT = 20
"""Signs of a whole number that may fit 64 bits."""

_BLANK = re.compile(r"[ \t\r\n]*")
_CUT_WORD = 24
"""An error so near the end of what was read may only mean that more is to come."""


def read_json(path: Path, scratch: Path, origin: str) -> FoundTables:
    """Read a JSON file, or one of JSON lines, into the tables it holds.

    A list of objects, or objects one after another, is one table, read in bounded memory; an
    object is what pandas writes for a frame, or columns, or several lists of objects.

    Raises:
        SourceError: If it is no JSON, with the place, or holds no table.
    """
    try:
        with path.open("rb") as head:
            encoding = json.detect_encoding(head.read(4))
        with path.open(encoding=encoding) as file:
            yield from _tables(_Stream(file, origin), path.suffix.lower() in LINES, scratch, origin)
    except UnicodeError:
        raise SourceError(f"{origin}: not UTF-8 text; JSON is written in UTF-8") from None
    except RecursionError:
        raise SourceError(f"{origin}: nested too deeply to be a table") from None


def _tables(stream: _Stream, lines: bool, scratch: Path, origin: str) -> FoundTables:
    first = stream.peek()
    if not first:
        raise SourceError(f"{origin} is empty; a list of objects was expected")
    if first == "[" and not lines:
        tables: list[Found] = [("", stream.elements(), [])]
    else:
        value = stream.value()
        if lines or stream.peek():
            tables = [("", chain([value], stream.values()), [])]
        elif isinstance(value, dict):
            tables = find_tables(value)
        else:
            raise SourceError(f"{origin} holds a single value; a table is a list of objects")
    text = "Of keys that stand twice in one object, the last was taken"
    for place, (name, entries, repairs) in enumerate(tables):
        folder = scratch / f"rows_{place}"
        folder.mkdir()
        frame, changes = tabulate_objects(rows_of(entries, origin), folder, origin)
        twice = [Repair(text=text, columns=tuple(sorted(stream.twice)))] if stream.twice else []
        yield name, frame, [*repairs, *twice, *changes]


class _Stream:
    """JSON values one by one from a text file, of which one block at a time is held.

    Attributes:
        twice: Keys that an object had more than once.
    """

    def __init__(self, file: IO[str], origin: str) -> None:
        self.twice: set[str] = set()
        self._file = file
        self._origin = origin
        self._text = ""
        self._at = 0
        self._lines = 1
        self._decode: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder(
            object_pairs_hook=self._object, parse_int=_integer, parse_constant=_constant
        ).raw_decode

    def peek(self) -> str:
        """The next character that is no blank; empty at the end."""
        while True:
            self._at = _BLANK.match(self._text, self._at).end()  # type: ignore[union-attr]
            if self._at < len(self._text) or not self._more(BLOCK_CHARS):
                return self._text[self._at : self._at + 1]

    def values(self) -> Iterator[Any]:
        """The values that follow one another to the end."""
        while self.peek():
            yield self.value()

    def elements(self) -> Iterator[Any]:
        """The elements of the list that begins here and ends the file."""
        self._at += 1
        if self.peek() == "]":
            return
        mark = ","
        while mark == ",":
            self.peek()
            yield self.value()
            mark = self.peek()
            self._at += 1
        if mark != "]":
            missing = "a comma or the list's end is missing"
            self._fail(missing if mark else "the file ends within the list", self._at - 1)
        if self.peek():
            self._fail("there is more text after the list's end", self._at)

    def value(self) -> Any:
        """The value that begins here.

        Raises:
            SourceError: If it is none, with its place.
        """
        size = BLOCK_CHARS
        while True:
            try:
                value, end = self._decode(self._text, self._at)
            except json.JSONDecodeError as error:
                open_text = error.msg.startswith("Unterminated")
                near = open_text or error.pos > len(self._text) - _CUT_WORD
                if near and self._more(size):
                    size *= 2  # so that a long value is not begun again too often
                    continue
                ended = open_text or error.pos >= len(self._text.rstrip())
                what = "the file ends within a value" if ended else error.msg.partition(":")[0]
                self._fail(what, error.pos)
            else:
                if end < len(self._text) or not self._more(size):
                    self._at = end
                    return value

    def _more(self, size: int) -> bool:
        block = self._file.read(size)
        if block:
            self._lines += self._text.count("\n", 0, self._at)
            self._text = self._text[self._at :] + block
            self._at = 0
        return bool(block)

    def _fail(self, what: str, at: int) -> None:
        line = self._lines + self._text.count("\n", 0, at)
        column = at - self._text.rfind("\n", 0, at)
        raise SourceError(f"{self._origin}: no JSON at line {line}, column {column}: {what}")

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        mapping = dict(pairs)
        if len(mapping) < len(pairs):
            self.twice |= {key for key, times in Counter(k for k, _ in pairs).items() if times > 1}
        return mapping


def _integer(digits: str) -> int | str:
    """A whole number; beyond 64 bits its digits, which no number type would keep."""
    fits = len(digits) <= MAX_INT and -(2**63) <= int(digits) < 2**63
    return int(digits) if fits else digits


def _constant(word: str) -> float | None:
    return {"Infinity": float("inf"), "-Infinity": float("-inf")}.get(word)
