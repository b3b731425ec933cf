"""The text of a data dictionary: decoded, and read where it is lines of names and texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from wideleaf.tools.cells.code_pages import guess_encodings
from wideleaf.tools.errors import SettingsError

DICTIONARY_BYTES = 20 * 2**20
YAML_BYTES = 2 * 2**20
NAMES = (
    "column", "column name", "name", "field", "field name", "variable", "variable name",
    "header", "attribute", "feature",
)  # fmt: skip
TEXTS = (
    "description", "means", "meaning", "definition", "label", "text", "title", "details",
    "explanation",
)  # fmt: skip
_LINE = re.compile(
    r"^\s*(?:[-*•]\s+)?(?P<name>[^\s:=|](?:[^:=\t]{0,118}?[^\s:=])??)"
    r"(?:\s*\t\s*|\s*=\s+|\s+=\s*|\s*:(?=\s)\s*|\s+[-–—]+\s+|\s{2,})(?P<text>\S.*)$"
)
_TABLE = re.compile(
    r"^(?:\[(?P<one>[^\[\]]+)\]|#*\s*table(?:\s*:)?\s+[`\"']?(?P<two>[^\s`\"':]+)[`\"']?(?:\s*:)?)$",
    re.I,
)

_SAYS = re.compile(r"^(?!\s*#).*[^\W_]")
"""A line with a letter or digit that is no heading of Markdown and no comment."""


class DictionaryEntry(NamedTuple):
    """What a dictionary says of one column.

    Attributes:
        name: The column or family.
        text: What it means.
        table: The table it is of; empty where none is named.
    """

    name: str
    text: str
    table: str = ""


def read_text(path: Path) -> tuple[str, list[str]]:
    """What a file holds, as text, and what was odd about it.

    Raises:
        SettingsError: If it cannot be read, is too large or is no text.
    """
    try:
        size = path.stat().st_size
        most = YAML_BYTES if path.suffix.casefold() in (".yaml", ".yml") else DICTIONARY_BYTES
        if size > most:
            raise SettingsError(f"dictionary {str(path)!r} has {size} bytes; {most} are the most")
        data = path.read_bytes()
    except OSError:
        raise SettingsError(
            f"the dictionary {str(path)!r} cannot be read; name a CSV, JSON, YAML, Markdown or "
            "text file"
        ) from None
    notes: list[str] = []
    try:
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            text = data.decode("utf-16")
        else:
            text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        page, sure = guess_encodings([data])[0]
        text = data.decode(page, errors="replace")
        guess = "" if sure else ", which is a guess"
        notes.append(f"The data dictionary is not UTF-8; it was read as {page}{guess}.")
    if "\0" in text:
        raise SettingsError(
            f"the dictionary {str(path)!r} is no text; name a CSV, JSON, YAML or text file"
        )
    return text, notes


def heading(text: object) -> str:
    """A heading as it is compared: lower case, with single blanks."""
    return " ".join(str(text).replace("_", " ").replace("-", " ").split()).casefold()


def blocks(lines: list[str]) -> Iterator[DictionaryEntry]:
    """Two columns that were copied out of a document: a name, below it what it means."""
    at = 0
    while at + 1 < len(lines):
        if heading(lines[at]) in NAMES and heading(lines[at + 1]) in TEXTS:
            at += 2
            while at + 1 < len(lines) and lines[at].strip() and lines[at + 1].strip():
                yield DictionaryEntry(lines[at].strip(), lines[at + 1].strip())
                at += 2
        else:
            at += 1


class ReadLines(NamedTuple):
    """The entries of lines, and how many lines say nothing that was understood."""

    entries: list[DictionaryEntry]
    unread: int = 0


def plain_lines(lines: list[str]) -> ReadLines:
    """Lines of a name and a text; a line that is set in goes on with the one above it."""
    table, last = "", None
    entries: list[DictionaryEntry] = []
    unread = 0
    for line in lines:
        if title := _TABLE.match(line.strip()):
            table = (title["one"] or title["two"]).strip()
            continue
        pair = _LINE.match(line.rstrip())  # blanks at the end would be shared out
        goes_on = last and line[:1] in " \t" and line.strip() and not re.match(r"\s*[-*•]\s", line)
        if last and goes_on and (not pair or " " in pair["name"]):
            last = last._replace(text=f"{last.text} {line.strip()}")
            continue
        if last:
            entries.append(last)
        name = pair["name"].strip(" `\"'*") if pair else ""
        heads = pair and heading(name) in NAMES and heading(pair["text"]) in TEXTS
        last = (
            DictionaryEntry(name, pair["text"].strip(), table)
            if pair and name and not heads
            else None
        )
        unread += last is None and not heads and bool(_SAYS.search(line))
    if last:
        entries.append(last)
    return ReadLines(entries, unread)
