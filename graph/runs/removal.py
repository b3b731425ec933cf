"""Removal: what was removed is gone from the disk, and nothing goes that another run needs."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Self

from wideleaf.graph.retention.contents import (
    CLIENTS,
    PARTS,
    files_of,
    frame_files,
    paths_of,
    strangers_in,
)
from wideleaf.graph.retention.marks import RUNNING, count_runs
from wideleaf.graph.runs.kinds import Keeper
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.steps.recipes import RECIPES, RecipeBook
from wideleaf.tools.steps.sweeps import SWEPT, tell_sweep

AGED = ("frames", "tables", "replies", "attachments", "answers", "bug reports")
"""Parts of which single files go by their age."""
STAYS = (RECIPES, SWEPT, RUNNING)


class Removed(NamedTuple):
    """What went.

    Attributes:
        runs: How many runs.
        files: How many files.
        bytes: How many bytes of files.
        left: What could not be taken away and why; empty if all could.
    """

    runs: int = 0
    files: int = 0
    bytes: int = 0
    left: str = ""

    def beside(self, other: Self) -> Removed:
        """This and another together."""
        rest = "; ".join(filter(None, (self.left, other.left)))
        sums = (self.runs + other.runs, self.files + other.files, self.bytes + other.bytes)
        return Removed(*sums, rest)


def need_rest(folder: Path) -> None:
    """Refuse while a run is under way in a folder: it would write again what was removed.

    Raises:
        SettingsError: If one is.
    """
    if count_runs(folder):
        raise SettingsError(
            f"a run is under way in {str(folder)!r}; nothing was removed: end it, or wait"
        )


def free_frames(folder: Path, ids: Collection[str], needed: Collection[str]) -> tuple[int, int]:
    """Take away frames that nobody needs, and how they are made.

    Args:
        folder: Of the frames.
        ids: The frames that are not needed any more for their own sake.
        needed: Those that other runs stand on.

    Returns:
        How many files went, and their bytes.
    """
    book = RecipeBook(folder / RECIPES)
    parents = book.parents()
    surplus = {*ids} - _with_parents(needed, parents)
    # What a frame beside is made of stays, although nobody knows any more who asked for it.
    surplus -= _with_parents([key for key in parents if key not in surplus], parents)
    files = frame_files(folder)
    there = [files[one] for one in surplus if one in files]
    size = sum(path.stat().st_size for path in there)
    if surplus:
        tell_sweep(folder)
    for path in there:
        path.unlink(missing_ok=True)
    if surplus & {*parents} and not count_runs(folder):
        book.forget(surplus)
    return len(there), size


def _with_parents(ids: Collection[str], parents: dict[str, list[str]]) -> set[str]:
    """Frames and all that they are made of."""
    todo, closure = [*ids], {*ids}
    while todo:
        fresh = [one for one in parents.get(todo.pop(), ()) if one not in closure]
        closure.update(fresh)
        todo += fresh
    return closure


def purge_folder(keeper: Keeper) -> Removed:
    """Delete all that a folder keeps, and its threads where they are.

    What is no part of a run's folder stays: a folder may have been named by mistake.
    """
    runs, rest = 0, ""
    if keeper.shelf is not None:
        names = keeper.shelf.names()
        keeper.shelf.remove(names)
        runs, rest = len(names), keeper.shelf.compact()
    files = [path for part in PARTS for path in files_of(keeper.folder, part)]
    size = sum(path.lstat().st_size for path in files)
    tell_sweep(keeper.folder)
    for part in PARTS:
        for path in paths_of(keeper.folder, part):
            if path.name != SWEPT:
                _delete(path)
    strangers = [path.name for path in strangers_in(keeper.folder)]
    if CLIENTS in strangers:
        rest = (
            f"{rest}; the folders of the server's users stay"
            if rest
            else ("the folders of the server's users stay")
        )
    if others := [name for name in strangers if name != CLIENTS]:
        listing = ", ".join(map(repr, others[:8]))
        rest = "; ".join(filter(None, (rest, f"{listing} stay, which Wideleaf did not write")))
    return Removed(runs, len(files), size, rest)


def take_away(keeper: Keeper, before: float, needed: Collection[str]) -> Removed:
    """Delete the files of a folder that were not changed since a moment and that no run needs.

    Args:
        keeper: Of the folder.
        before: Seconds since 1970.
        needed: The frames that runs stand on, and the paths of their tables.
    """
    old = [
        path
        for part in PARTS
        if part.name in AGED
        for path in files_of(keeper.folder, part)
        if path.name not in STAYS
        and path.lstat().st_mtime < before
        and not any(path.name in one for one in needed)
    ]
    frames = frame_files(keeper.folder)
    mine = {path.stem for path in old if frames.get(path.stem) == path}
    files, size = free_frames(keeper.folder, mine, needed)
    others = [path for path in old if frames.get(path.stem) != path]
    if others:
        tell_sweep(keeper.folder)
    for path in others:
        files, size = files + 1, size + path.lstat().st_size
        path.unlink(missing_ok=True)
    return Removed(0, files, size)


def _delete(path: Path) -> None:
    with suppress(FileNotFoundError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
