"""Files that are parts of one table: found by names and headers, and read together by columns."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import polars as pl

from wideleaf.tools.cells.coerce import find_forms
from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.engines.engine import part_paths
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.file_kinds import TableFile
from wideleaf.tools.sources.files.parquet_files import one_schema, widen
from wideleaf.tools.sources.fingerprint import derive_fingerprint, file_fingerprint
from wideleaf.tools.sources.naming import (
    name_pattern,
    partition_of,
    partitions_of,
    shared_start,
)
from wideleaf.tools.sources.normal import (
    SHARED_RULES,
    TEXT_RULES,
    Normal,
    keep_normal,
    read_footer,
    write_normal_form,
)
from wideleaf.tools.sources.normalise import file_tables, normalise
from wideleaf.tools.sources.source import Progress, TableHandle

FILE = "file"
"""The column that says which file a row is from."""
COLUMNS_NAMED = 3


@dataclass(frozen=True)
class PartFiles(TableHandle):
    """Files of one kind and one header.

    Attributes:
        files: At least two.
        header: The names of their columns.
    """

    files: tuple[TableFile, ...]
    header: tuple[str, ...]

    @property
    def paths(self) -> tuple[Path, ...]:
        """Where they are."""
        return tuple(file.path for file in self.files)

    @property
    def origin(self) -> str:
        """The first and the last file, and how many there are."""
        return f"{self.paths[0]} to {self._ends[1]} ({len(self.files)} files)"

    @property
    def _ends(self) -> tuple[str, str]:
        """The first and the last file, from the folder that all are in."""
        folder = os.path.commonpath([path.parent for path in self.paths])
        return os.path.relpath(self.paths[0], folder), os.path.relpath(self.paths[-1], folder)

    @cached_property
    def beside(self) -> list[dict[str, str | None]]:
        """The columns that folders and names give, by file, with their one cell in each.

        Parquet has no column of the file, for it stays where it is; nor have others whose header
        has such a column, or whose names are all the same.
        """
        stems = [file.stem for file in self.files]
        has_names = not self.files[0].is_parquet and len({*stems}) == len(stems)
        headers = {name.casefold() for name in self.header}
        columns: list[dict[str, str | None]] = []
        for keys, stem in zip(partitions_of(self.paths), stems, strict=True):
            cells = keys | ({FILE: stem} if has_names else {})
            columns.append({name: c for name, c in cells.items() if name.casefold() not in headers})
        return columns

    def read(self, folder: Path, denied: Sequence[str] = (), progress: Progress = None) -> Normal:
        """One Parquet file of all; Parquet of one schema stays where it is, behind a pattern.

        Raises:
            SourceError: If a file cannot be read, or columns of one name go together in no type.
        """
        text = self.files[0].is_text
        normals = [] if text else [normalise(file, folder, progress) for file in self.files]
        prints = [normal.fingerprint for normal in normals] or [*map(file_fingerprint, self.paths)]
        if normals and (pattern := self._pattern(normals)):
            rows, columns = sum(normal.rows for normal in normals), normals[0].columns
            return Normal(pattern, self._fingerprint(prints), rows, columns, tuple(self._told))

        def write(target: Path, scratch: Path) -> None:
            if progress:
                size = sum(path.stat().st_size for path in self.paths) / 1e6
                progress(f"reading {len(self.files)} files as one table ({size:,.1f} MB)")
            if text:
                self._write_text(target, scratch)
            else:
                self._write_typed(normals, target, scratch)

        fingerprint = self._fingerprint(prints, *(() if text else (SHARED_RULES,)), TEXT_RULES)
        return keep_normal(folder, fingerprint, self.origin, write)

    @property
    def _told(self) -> list[Repair]:
        (first, last), extra = self._ends, self.beside[0]
        text = f"Read {len(self.files)} files of one header as one table: {first} to {last}"
        if FILE in extra:
            text += f"; the column {FILE!r} names the file of each row"
        keys = tuple(name for name in extra if name != FILE)
        folder_repairs = (
            [Repair(text="Names of folders became columns", columns=keys)] if keys else []
        )
        return [Repair(text=text), *folder_repairs]

    def _fingerprint(self, contents: Sequence[str], *rules: str) -> str:
        """Of the parts' contents, their names, and what these and their folders tell."""
        prints = [f"{one.name} {print_}" for one, print_ in zip(self.paths, contents, strict=True)]
        beside = [str(sorted(cells.items(), key=str)) for cells in self.beside]
        return derive_fingerprint("", self.files[0].suffix, *rules, *prints, *beside)

    def _write_text(self, target: Path, scratch: Path) -> None:
        from wideleaf.tools.sources.text.delimited import TextPart, write_delimited

        parts = []
        for place, (file, cells) in enumerate(zip(self.files, self.beside, strict=True)):
            own = scratch / str(place)
            own.mkdir()
            parts.append(TextPart(file.unpack(own), file.origin, cells))
        write_delimited(parts, target, self._told)

    def _write_typed(self, normals: Sequence[Normal], target: Path, scratch: Path) -> None:
        """The union, with the columns beside typed by what their cells allow."""
        frames, changes = widen([normal.path for normal in normals], self.paths)
        before = {one.model_dump_json(): one for normal in normals for one in normal.repairs}
        cells = [
            frame.with_columns(pl.lit(cell, pl.String).alias(name) for name, cell in extra.items())
            for frame, extra in zip(frames, self.beside, strict=True)
        ]
        union = pl.concat(cells, how="diagonal")
        if first := self.beside[0]:
            schema = dict.fromkeys(first, pl.String)
            keys = pl.LazyFrame([{**extra} for extra in self.beside], schema=schema)
            union = union.with_columns(find_forms(keys)[0])
        repairs = [*self._told, *before.values(), *changes]
        write_normal_form(union, repairs, target, scratch, forms=False)

    def _pattern(self, normals: Sequence[Normal]) -> Path | None:
        """The pattern that finds these files and no others, if engines can open them in place."""
        places = [path.resolve() for path in self.paths]
        folders = {path.parent for path in places}
        if any(self.beside) or len(folders) > 1 or [n.path for n in normals] != places:
            return None
        if not one_schema(places):
            return None
        stems = [path.stem for path in places]
        start = shared_start(stems)
        least = min(map(len, stems)) - len(start)  # the ends may not overlap the beginnings
        end = shared_start([stem[::-1] for stem in stems])[: max(least, 0)][::-1]
        name = f"{glob.escape(start)}*{glob.escape(end)}{places[0].suffix}"
        pattern = Path(glob.escape(str(folders.pop()))) / name
        return pattern if part_paths(pattern) == sorted(places) else None


def group_files(
    files: Sequence[TableFile], folder: Path, progress: Progress
) -> list[TableFile | PartFiles]:
    """The files, those that are parts of one table together, in the place of the first of them.

    Parts have one kind, one header, whatever its order, and names that differ in numbers alone
    or stand in folders ``key=value``.

    Args:
        files: Those of unknown kinds stay alone.
        folder: Where tables are kept that are read out of files.
        progress: Told before something slow.
    """
    alike: dict[str, list[TableFile]] = {}
    for file in dict.fromkeys(files):
        if file.kind:
            alike.setdefault(name_pattern(file.path), []).append(file)
    several = [group for group in alike.values() if len(group) > 1]
    parts = [one for group in several for one in _of_one_header(group, folder, progress)]
    first = {one.files[0]: one for one in parts}
    others = {file for one in parts for file in one.files[1:]}
    return [first.get(file, file) for file in files if file not in others]


def one_table(files: Sequence[TableFile], name: str, folder: Path, progress: Progress) -> PartFiles:
    """Files that the user gave one name, whatever their own names are.

    Raises:
        SourceError: If they are of several kinds or headers; says where two differ.
    """
    first = files[0]
    header = _header_of(first, folder, progress)
    for file in files[1:]:
        if file.suffix != first.suffix:
            difference = f"{file.path.name!r} is of another kind than {first.path.name!r}"
        elif partition_of(file.path).keys() != partition_of(first.path).keys():
            difference = f"{file.origin} and {first.origin} are in folders of several keys"
        else:
            theirs = _header_of(file, folder, progress)
            difference = _difference(first.path.name, header, file.path.name, theirs)
        if difference:
            raise SourceError(
                f"{name!r} is to be {len(files)} files, and {difference}; one name needs one file, "
                "or files of one header; without a name each file is a table"
            )
    return PartFiles(tuple(files), header)


def _header_of(file: TableFile, folder: Path, progress: Progress) -> tuple[str, ...]:
    """The names of a file's columns; none where it holds several tables or cannot be read."""
    if file.is_text:
        from wideleaf.tools.sources.text.delimited import read_heading

        return read_heading(file)
    try:
        tables = file_tables(file, folder, progress) if file.holds_tables else []
        if len(tables) == 1 or file.is_parquet:
            place = tables[0].path if tables else file.path
            return tuple(read_footer(place).schema.to_arrow_schema().names)
    except SourceError:  # told where it is read by itself
        pass
    return ()


def _of_one_header(group: list[TableFile], folder: Path, progress: Progress) -> Iterator[PartFiles]:
    by_header: dict[frozenset[str], list[tuple[TableFile, tuple[str, ...]]]] = {}
    for file in group:
        header = _header_of(file, folder, progress)
        if header and len({*header}) == len(header):
            by_header.setdefault(frozenset(header), []).append((file, header))
    for members in by_header.values():
        parts = PartFiles(tuple(file for file, _ in members), members[0][1])
        if len(members) > 1 and _go_together(parts, folder, progress):
            yield parts


def _go_together(parts: PartFiles, folder: Path, progress: Progress) -> bool:
    """Whether types can be widened; text is typed when it is read, so that it always can."""
    first = parts.files[0]
    if first.is_text or (first.is_parquet and one_schema(parts.paths)):
        return True
    try:
        widen([normalise(file, folder, progress).path for file in parts.files], parts.paths)
    except SourceError:  # a file of its own is told of when it is read
        return False
    return True


def _difference(one: str, ours: Iterable[str], other: str, theirs: Iterable[str]) -> str:
    """Where two headers differ, in words; empty if they do not."""
    lacks = sorted({*ours} - {*theirs})
    if not lacks:
        lacks, one, other = sorted({*theirs} - {*ours}), other, one
    listing = ", ".join(map(repr, lacks[:COLUMNS_NAMED]))
    return f"{other!r} has no column {listing}, which {one!r} has" if lacks else ""
