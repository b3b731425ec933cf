"""Files that are parts of one table: read together, a union by the names of columns."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import narwhals as nw

from wideleaf.tools.cells.coerce import find_forms
from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.engines.engine import part_paths
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.file_kinds import DELIMITED, PARQUET, stem_of, suffix_of, unpack
from wideleaf.tools.sources.files.parquet_files import one_schema
from wideleaf.tools.sources.files.parquet_footer import is_whole
from wideleaf.tools.sources.fingerprint import derive_fingerprint, file_fingerprint
from wideleaf.tools.sources.normal import (
    SHARED_RULES,
    Normal,
    read_normal,
    scratch_folder,
    write_normal_form,
)
from wideleaf.tools.sources.normalise import normalise_file
from wideleaf.tools.sources.part_names import partitions_of, shared_start
from wideleaf.tools.sources.parts import Progress, TableHandle
from wideleaf.tools.sources.text.delimited import RULES, TextPart, write_delimited
from wideleaf.tools.tables.table import kind_of, wider_type

if TYPE_CHECKING:
    import polars as pl

FILE = "file"
"""The column that says which file a row is from."""


@dataclass(frozen=True)
class PartFiles(TableHandle):
    """Files of one kind and one header.

    Attributes:
        paths: The files, at least two.
        header: The names of their columns.
    """

    paths: tuple[Path, ...]
    header: tuple[str, ...]

    @property
    def origin(self) -> str:
        """The first and the last file, and how many there are."""
        return f"{self.paths[0]} to {self._ends[1]} ({len(self.paths)} files)"

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
        stems = [stem_of(path) for path in self.paths]
        named = suffix_of(self.paths[0]) not in PARQUET and len({*stems}) == len(stems)
        taken = {name.casefold() for name in self.header}
        made: list[dict[str, str | None]] = []
        for keys, stem in zip(partitions_of(self.paths), stems, strict=True):
            cells = keys | ({FILE: stem} if named else {})
            made.append({name: c for name, c in cells.items() if name.casefold() not in taken})
        return made

    def read(self, folder: Path, denied: Sequence[str] = (), progress: Progress = None) -> Normal:
        """One Parquet file of all; Parquet of one schema stays where it is, behind a pattern.

        Raises:
            SourceError: If a file cannot be read, or columns of one name go together in no type.
        """
        text = suffix_of(self.paths[0]) in DELIMITED
        normals = [] if text else [normalise_file(path, folder, progress) for path in self.paths]
        prints = [normal.fingerprint for normal in normals] or [*map(file_fingerprint, self.paths)]
        if normals and (pattern := self._pattern(normals)):
            rows, columns = sum(normal.rows for normal in normals), normals[0].columns
            return Normal(pattern, self._fingerprint(prints), rows, columns, tuple(self._told))
        fingerprint = self._fingerprint(prints, *(() if text else (SHARED_RULES,)), RULES)
        target = folder / f"{fingerprint}.parquet"
        if not is_whole(target):
            if progress:
                size = sum(path.stat().st_size for path in self.paths) / 1e6
                progress(f"reading {len(self.paths)} files as one table ({size:,.1f} MB)")
            with scratch_folder(folder) as scratch:
                if text:
                    self._write_text(target, scratch)
                else:
                    self._write_typed(normals, target, scratch)
        return read_normal(target, fingerprint)

    @property
    def _told(self) -> list[Repair]:
        (first, last), extra = self._ends, self.beside[0]
        text = f"Read {len(self.paths)} files of one header as one table: {first} to {last}"
        if FILE in extra:
            text += f"; the column {FILE!r} names the file of each row"
        keys = tuple(name for name in extra if name != FILE)
        named = [Repair(text="Names of folders became columns", columns=keys)] if keys else []
        return [Repair(text=text), *named]

    def _fingerprint(self, contents: Sequence[str], *rules: str) -> str:
        """Of the parts' contents, their names, and what these and their folders tell."""
        prints = [f"{one.name} {print_}" for one, print_ in zip(self.paths, contents, strict=True)]
        beside = [str(sorted(cells.items(), key=str)) for cells in self.beside]
        return derive_fingerprint("", suffix_of(self.paths[0]), *rules, *prints, *beside)

    def _write_text(self, target: Path, scratch: Path) -> None:
        parts = []
        for place, (path, cells) in enumerate(zip(self.paths, self.beside, strict=True)):
            own = scratch / str(place)
            own.mkdir()
            parts.append(TextPart(unpack(path, own), repr(str(path)), cells))
        write_delimited(parts, target, self._told)

    def _write_typed(self, normals: Sequence[Normal], target: Path, scratch: Path) -> None:
        """The union, with the columns beside typed by what their cells allow."""
        import polars as pl

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
        told = [*self._told, *before.values(), *changes]
        write_normal_form(union, told, target, scratch, forms=False)

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


def widen(places: Sequence[Path], files: Sequence[Path]) -> tuple[list[pl.LazyFrame], list[Repair]]:
    """Open Parquet files with one type for each name: numbers the wider, dates and times a time.

    A column without a value takes any type.

    Args:
        places: Parquet files of shared types.
        files: What each was made of, for messages.

    Returns:
        The frames, and what was changed.

    Raises:
        SourceError: If the cells of two files go together in no type; names both.
    """
    import polars as pl

    frames = [nw.from_native(pl.scan_parquet(place, glob=False)) for place in places]
    schemas = [dict(frame.collect_schema()) for frame in frames]
    types: dict[str, nw.dtypes.DType] = {}
    for name in dict.fromkeys(name for schema in schemas for name in schema):
        there = [place for place, schema in enumerate(schemas) if name in schema]
        if len({str(schemas[place][name]) for place in there}) == 1:
            continue
        filled = [
            p for p in there if frames[p].select(~nw.col(name).is_null().all()).collect().item()
        ]
        kinds = {kind_of(schemas[place][name]): place for place in reversed(filled or there)}
        if len(kinds) > 1 and not {*kinds} <= {"date", "datetime"}:
            (other, second), *_, (one, first) = kinds.items()
            raise SourceError(
                f"column {name!r} holds a {one} in {files[first].name!r} and a {other} in "
                f"{files[second].name!r}, so that they are no parts of one table; write it alike "
                "in both, or name the files one by one"
            )
        types[name] = wider_type([schemas[place][name] for place in filled or there])
    made = [
        frame.with_columns(nw.col(n).cast(t) for n, t in types.items() if n in schema)
        for frame, schema in zip(frames, schemas, strict=True)
    ]
    text = "Given the widest of the types that the files have there"
    repairs = [Repair(text=text, columns=tuple(types), ordinary=True)] if types else []
    return [nw.to_native(frame) for frame in made], repairs
