"""The names of parts: which files their names put together, and what the table is called."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from urllib.parse import unquote

from wideleaf.tools.sources.file_kinds import stem_of

NO_VALUE = "__HIVE_DEFAULT_PARTITION__"
"""What Hive, Spark and others write in a folder's name for null."""
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}"
_COUNTED = re.compile(rf"{_UUID}|\d+", re.IGNORECASE)
_KEY = re.compile(r"([^=]+)=([^=]*)")
_SEPARATORS = " -_.,()[]#"
_PIECE = re.compile(r"[-_. ](?:part|chunk|shard|split|batch|block|file|no|nr)$", re.IGNORECASE)

# part-00000-<uuid>.snappy.parquet, part.0.parquet, data_0.parquet, 0001.parquet,
# train-00000-of-00003.parquet; but not sales_2020.parquet, where the name says what is in it.
_PART = re.compile(
    r"(?:part|chunk|shard|split|batch|block|rows?)[-_. ]?\d.*"
    r"|(?:(?:file|data)[-_. ]?)?(?:\d{1,3}|0\d+)"
    rf"|(?:{_UUID})(?:\W.*)?"
    r"|.*[-_.]\d+[-_]of[-_]\d+.*",
    re.IGNORECASE,
)


def is_part_name(stem: str) -> bool:
    """Whether a name says no more than that the file is a piece of something."""
    return _PART.fullmatch(stem) is not None


def name_pattern(path: Path) -> str:
    """What is the same in the places of all parts of a table: all but numbers and folders' values.

    So ``sales_01.csv`` and ``sales_02.csv`` may be parts of one table, ``orders.csv`` and
    ``returns.csv`` are not, whatever their headers.
    """
    folder = base_folder(path)
    keys = "/".join(f"{key}=" for key in partition_of(path))
    return f"{folder}/{keys}/{_COUNTED.sub('#', path.name)}"


def base_folder(path: Path) -> Path:
    """The folder of a file, above those that are named ``key=value``."""
    folder = path.parent
    while _KEY.fullmatch(folder.name):
        folder = folder.parent
    return folder


def partition_of(path: Path) -> dict[str, str | None]:
    """What the folders of a file say of all its rows, where they are named ``key=value``."""
    inner = path.parent.relative_to(base_folder(path)).parts
    pairs = [part.partition("=") for part in inner]
    return {unquote(k): None if v == NO_VALUE else unquote(v) for k, _, v in pairs}


def partitions_of(paths: Sequence[Path]) -> list[dict[str, str | None]]:
    """What `partition_of` says of each file; a key of whole numbers without zeros before them."""
    partitions = [partition_of(path) for path in paths]
    for key in partitions[0]:
        cells = [one.get(key) for one in partitions]
        if all(cell is None or cell.isdecimal() for cell in cells):
            for one, cell in zip(partitions, cells, strict=True):
                one[key] = None if cell is None else str(int(cell))
    return partitions


def common_name(paths: Sequence[Path]) -> str:
    """What parts are called together: their common beginning or end, else their folder.

    Of the two it is the one with more letters, so that ``q1 results`` and the like are no ``q``.
    """
    stems = [stem_of(path) for path in paths]
    if not all(map(is_part_name, stems)) and len({*stems}) > 1:
        mirrored = [stem[::-1] for stem in stems]
        ends = (_common_start(stems), _common_start(mirrored)[::-1])
        name = max((_PIECE.sub("", end.strip(_SEPARATORS)) for end in ends), key=_letters)
        if _letters(name):
            return name
    folders = [str(base_folder(path).absolute()) for path in paths]
    return Path(os.path.commonpath(folders)).name


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))


def shared_start(texts: Sequence[str]) -> str:
    """The signs that all texts begin with."""
    same = takewhile(lambda signs: len({*signs}) == 1, zip(*texts, strict=False))
    return "".join(signs[0] for signs in same)


def _common_start(stems: Sequence[str]) -> str:
    """The common beginning, without a number that goes on differently."""
    start = shared_start(stems)
    goes_on = any(stem[len(start) : len(start) + 1].isdigit() for stem in stems)
    return start.rstrip("0123456789") if goes_on else start
