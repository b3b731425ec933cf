"""Groups of files: which of them are parts of one table, by their names and their headers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.file_kinds import (
    DELIMITED,
    PARQUET,
    READABLE,
    holds_tables,
    suffix_of,
)
from wideleaf.tools.sources.files.parquet_files import one_schema
from wideleaf.tools.sources.files.parquet_footer import read_footer
from wideleaf.tools.sources.normalise import file_tables, normalise_file
from wideleaf.tools.sources.part_files import PartFiles, widen
from wideleaf.tools.sources.part_names import name_pattern, partition_of
from wideleaf.tools.sources.parts import Progress
from wideleaf.tools.sources.text.delimited import read_heading

COLUMNS_NAMED = 3


def group_files(paths: Sequence[Path], folder: Path, progress: Progress) -> list[Path | PartFiles]:
    """The files, those that are parts of one table together, in the place of the first of them.

    Parts have one kind, one header, whatever its order, and names that differ in numbers alone
    or stand in folders ``key=value``.

    Args:
        paths: Files; those of unknown kinds stay alone.
        folder: Where tables are kept that are read out of files.
        progress: Told before something slow.
    """
    alike: dict[str, list[Path]] = {}
    for path in dict.fromkeys(paths):
        if suffix_of(path) in READABLE:
            alike.setdefault(name_pattern(path), []).append(path)
    several = [group for group in alike.values() if len(group) > 1]
    parts = [one for group in several for one in _of_one_header(group, folder, progress)]
    first = {one.paths[0]: one for one in parts}
    others = {path for one in parts for path in one.paths[1:]}
    return [first.get(path, path) for path in paths if path not in others]


def one_table(paths: Sequence[Path], name: str, folder: Path, progress: Progress) -> PartFiles:
    """Files that the user gave one name, whatever their own names are.

    Raises:
        SourceError: If they are of several kinds or headers; says where two differ.
    """
    first = paths[0]
    header = header_of(first, folder, progress)
    for path in paths[1:]:
        if suffix_of(path) != suffix_of(first):
            difference = f"{path.name!r} is of another kind than {first.name!r}"
        elif partition_of(path).keys() != partition_of(first).keys():
            difference = f"{str(path)!r} and {str(first)!r} are in folders of several keys"
        else:
            difference = _difference(first, header, path, header_of(path, folder, progress))
        if difference:
            raise SourceError(
                f"{name!r} is to be {len(paths)} files, and {difference}; one name needs one file, "
                "or files of one header; without a name each file is a table"
            )
    return PartFiles(tuple(paths), header)


def header_of(path: Path, folder: Path, progress: Progress) -> tuple[str, ...]:
    """The names of a file's columns; none where it holds several tables or cannot be read."""
    if suffix_of(path) in DELIMITED:
        return read_heading(path)
    try:
        tables = file_tables(path, folder, progress) if holds_tables(path) else []
        if len(tables) == 1 or suffix_of(path) in PARQUET:
            place = tables[0].path if tables else path
            return tuple(read_footer(place).schema.to_arrow_schema().names)
    except SourceError:  # told where it is read by itself
        pass
    return ()


def _of_one_header(group: list[Path], folder: Path, progress: Progress) -> Iterator[PartFiles]:
    by_header: dict[frozenset[str], list[tuple[Path, tuple[str, ...]]]] = {}
    for path in group:
        header = header_of(path, folder, progress)
        if header and len({*header}) == len(header):
            by_header.setdefault(frozenset(header), []).append((path, header))
    for found in by_header.values():
        parts = PartFiles(tuple(path for path, _ in found), found[0][1])
        if len(found) > 1 and _go_together(parts, folder, progress):
            yield parts


def _go_together(parts: PartFiles, folder: Path, progress: Progress) -> bool:
    """Whether types can be widened; text is typed when it is read, so that it always can."""
    suffix = suffix_of(parts.paths[0])
    if suffix in DELIMITED or (suffix in PARQUET and one_schema(parts.paths)):
        return True
    try:
        places = [normalise_file(path, folder, progress).path for path in parts.paths]
        widen(places, parts.paths)
    except SourceError:  # a file of its own is told of when it is read
        return False
    return True


def _difference(one: Path, ours: Iterable[str], other: Path, theirs: Iterable[str]) -> str:
    """Where two headers differ, in words; empty if they do not."""
    lacks, against = sorted({*ours} - {*theirs}), one
    if not lacks:
        lacks, against, other = sorted({*theirs} - {*ours}), other, one
    named = ", ".join(map(repr, lacks[:COLUMNS_NAMED]))
    return f"{other.name!r} has no column {named}, which {against.name!r} has" if lacks else ""
