"""Files that are parts of one table: read together, a union by the names of columns."""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wideleaf.tools.cells.coerce import find_forms
from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.engines.part_paths import part_paths
from wideleaf.tools.sources.file_kinds import DELIMITED, PARQUET, stem_of, suffix_of, unpack
from wideleaf.tools.sources.files.parquet_files import one_schema
from wideleaf.tools.sources.files.parquet_footer import is_whole
from wideleaf.tools.sources.fingerprint import file_fingerprint, salt
from wideleaf.tools.sources.normal import (
    SHARED_RULES,
    Normal,
    read_normal,
    scratch_folder,
    write_normal_form,
)
from wideleaf.tools.sources.normalise import normalise_file
from wideleaf.tools.sources.part_names import partitions_of, shared_start
from wideleaf.tools.sources.parts import Progress
from wideleaf.tools.sources.text.delimited import RULES, TextPart, write_delimited
from wideleaf.tools.sources.widening import widen

if TYPE_CHECKING:
    import polars as pl

FILE = "file"
"""The column that says which file a row is from."""


class PartFiles(NamedTuple):
    """Files of one kind and one header: a `TableHandle`.

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

    @property
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
        if suffix_of(self.paths[0]) in DELIMITED:
            return self._read_text(folder, progress)
        return self._read_typed(folder, progress)

    def close(self) -> None:
        """Nothing was opened."""

    def _told(self, extra: Mapping[str, str | None]) -> list[Repair]:
        (first, last), many = self._ends, len(self.paths)
        text = f"Read {many} files of one header as one table: {first} to {last}"
        if FILE in extra:
            text += f"; the column {FILE!r} names the file of each row"
        keys = tuple(name for name in extra if name != FILE)
        named = [Repair(text="Names of folders became columns", columns=keys)] if keys else []
        return [Repair(text=text), *named]

    def _fingerprint(self, contents: Sequence[str], *rules: str) -> str:
        """Of the parts' contents, their names, and what these and their folders tell."""
        prints = [f"{one.name} {print_}" for one, print_ in zip(self.paths, contents, strict=True)]
        beside = [str(sorted(cells.items(), key=str)) for cells in self.beside]
        return salt("", suffix_of(self.paths[0]), *rules, *prints, *beside)

    def _tell(self, progress: Progress) -> None:
        if progress:
            size = sum(path.stat().st_size for path in self.paths) / 1e6
            progress(f"reading {len(self.paths)} files as one table ({size:,.1f} MB)")

    def _read_text(self, folder: Path, progress: Progress) -> Normal:
        fingerprint = self._fingerprint([*map(file_fingerprint, self.paths)], RULES)
        target = folder / f"{fingerprint}.parquet"
        if not is_whole(target):
            self._tell(progress)
            with scratch_folder(folder) as scratch:
                parts = []
                for place, (path, cells) in enumerate(zip(self.paths, self.beside, strict=True)):
                    own = scratch / str(place)
                    own.mkdir()
                    parts.append(TextPart(unpack(path, own), repr(str(path)), cells))
                write_delimited(parts, target, self._told(self.beside[0]))
        return read_normal(target, fingerprint)

    def _read_typed(self, folder: Path, progress: Progress) -> Normal:
        normals = [normalise_file(path, folder, progress) for path in self.paths]
        contents = [normal.fingerprint for normal in normals]
        if pattern := self._pattern(normals):
            rows = sum(normal.rows for normal in normals)
            return Normal(
                pattern,
                self._fingerprint(contents),
                rows,
                normals[0].columns,
                tuple(self._told({})),
            )
        fingerprint = self._fingerprint(contents, SHARED_RULES, RULES)
        target = folder / f"{fingerprint}.parquet"
        if not is_whole(target):
            self._tell(progress)
            frames, repairs = widen([normal.path for normal in normals], self.paths)
            before = dict.fromkeys(one for normal in normals for one in map(_key, normal.repairs))
            told = [*self._told(self.beside[0]), *(repair for _, repair in before), *repairs]
            with scratch_folder(folder) as scratch:
                frame = _with_cells(frames, self.beside)
                write_normal_form(frame, told, target, scratch, forms=False)
        return read_normal(target, fingerprint)

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


def _key(repair: Repair) -> tuple[str, Repair]:
    return repair.model_dump_json(), repair


def _with_cells(
    frames: Sequence[pl.LazyFrame], beside: Sequence[Mapping[str, str | None]]
) -> pl.LazyFrame:
    """The union of frames, with the columns beside each typed by what their cells allow."""
    import polars as pl

    cells = [
        frame.with_columns(pl.lit(cell, pl.String).alias(name) for name, cell in extra.items())
        for frame, extra in zip(frames, beside, strict=True)
    ]
    union = pl.concat(cells, how="diagonal")
    keys = pl.LazyFrame([{**extra} for extra in beside], schema=dict.fromkeys(beside[0], pl.String))
    return union.with_columns(find_forms(keys)[0]) if beside[0] else union
