"""Files that a message names: "use the file trials.csv", "the mean yield in trials.csv"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from wideleaf.graph.attachments.keeping import SUFFIXES
from wideleaf.tools.sources.file_kinds import PACKED, TableFile
from wideleaf.tools.sources.naming import table_name
from wideleaf.tools.sources.spec import CHOOSES

MAX_FILES = 8
MAX_CHARACTERS = 4_000
"""A longer message is not searched."""
_END = rf"(?:{'|'.join(map(re.escape, SUFFIXES))})(?:{'|'.join(map(re.escape, PACKED))})?"
_SIGN = r"[\w~./\\:+-]"
_QUOTED = rf"[`\"'“‘][^`\"'“”‘’\n]{{1,200}}?{_END}[`\"'”’]"
_FILE = rf"(?:{_QUOTED}|(?<!{_SIGN})[\w~./\\]{_SIGN}*?{_END}(?![\w/\\]))"
_NOUN = (
    r"(?:(?:only|just|also)\s+)?(?:(?:the|this|my|a)\s+)?(?:attached\s+)?"
    r"(?:(?:files?|tables?|data(?:\s?set)?|sheet|workbook)\s+)?(?:(?:called|named)\s+)?"
)
_LEAD = re.compile(
    r"(?:(?:please|now|ok|okay|and|then|next)[\s,]+)*(?P<also>also\s+)?"
    r"(?P<verb>use|take|open|load|read|add|switch\s+to|change\s+to|work\s+with|look\s+at|go\s+to)\s+"
    rf"{_NOUN}{_FILE}(?:\s*(?:,\s*and\b|,|\band\b)\s*{_NOUN}{_FILE})*"
    r"(?P<too>\s*,?\s*(?:too|as\s+well)\b)?(?:\s*,?\s*(?:now|instead|please)\b)*"
    r"(?:\s*[.:;,!?]+\s*|\s+and\s+(?:then\s+)?|\s+then\s+|\s*$)",
    re.IGNORECASE,
)
_MENTION = re.compile(
    rf"(?:\s*,?\s*\b(?:in|of|from|for|with|using|by|on)\s+)?{_NOUN}(?P<file>{_FILE})", re.IGNORECASE
)
_EACH = re.compile(_FILE, re.IGNORECASE)


class Mention(NamedTuple):
    """What a message says of files.

    Attributes:
        files: Those it names, as it spells them.
        asked: Whether it asks for them, and not only speaks of them.
        adds: Whether they stand beside the tables there were.
        rest: The message without that.
    """

    files: tuple[str, ...]
    asked: bool
    adds: bool
    rest: str


def find_files(text: str) -> Mention | None:
    """The files that a message names; None if it names none.

    Args:
        text: The person's words.
    """
    text = text.strip()
    if len(text) > MAX_CHARACTERS or not any(suffix in text.lower() for suffix in SUFFIXES):
        return None
    if match := _LEAD.match(text):
        adds = bool(match["also"] or match["too"]) or match["verb"].casefold() == "add"
        return Mention(_spelt(_EACH.findall(match[0])), True, adds, text[match.end() :].strip())
    matches = list(_MENTION.finditer(text))
    files = _spelt(match["file"] for match in matches)
    if not files or len(files) > MAX_FILES:
        return None
    if len(matches) == 1 and (rest := _without(text, matches[0])):
        return Mention(files, False, False, rest)
    for match in reversed(matches):  # what it says of several it says of tables
        name = table_name(TableFile.of(Path(_unquote(match["file"]))).stem)
        text = text[: match.start("file")] + name + text[match.end("file") :]
    return Mention(files, False, False, text)


def match_source(file: str, sources: Sequence[str], may_open: Callable[[str], bool]) -> str | None:
    """The source that a person means by a file's name.

    Args:
        file: As they spell it.
        sources: The sources of the thread and of the settings.
        may_open: Whether a source may be opened that a message names by its path.

    Returns:
        One of those known, by its path, its file's name or the name it was given; else the path
        itself, where it may be opened; None where it may not.
    """
    folded = file.casefold()
    for source in sources:
        name, _, place = source.rpartition("=")
        path = place.partition(CHOOSES)[0]
        if folded in (source.casefold(), path.casefold(), Path(path).name.casefold()):
            return source
        if name and table_name(TableFile.of(Path(file)).stem).casefold() == name.casefold():
            return source
    return file if may_open(file) else None


def _spelt(files: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(_unquote, files)))


def _unquote(file: str) -> str:
    return file.strip("`\"'“”‘’")


def _without(text: str, match: re.Match[str]) -> str:
    """A message without the one file it names, where that stands at its beginning or end."""
    before, after = text[: match.start()].strip(), text[match.end() :].strip()
    if after.strip(" .?!,:;"):
        return "" if before else after.lstrip(" ,:;")
    return f"{before}{after}"
