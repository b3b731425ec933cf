"""Removal: what was removed is gone from the disk, and nothing goes that another run needs."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from wideleaf.graph.retention.contents import PARTS, files_of, frame_files, paths_of
from wideleaf.graph.retention.marks import count_runs
from wideleaf.graph.runs.kinds import Keeper
from wideleaf.tools.steps.recipes import RECIPES, RecipeBook
from wideleaf.tools.steps.sweeps import SWEPT, tell_sweep

AGED = ("frames", "tables", "replies", "attachments", "answers", "bug reports")
"""Parts of which single files go by their age."""


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


def free_frames(folder: Path, ids: Collection[str], needed: Collection[str]) -> list[int]:
    """Take away frames that nobody needs, and how they are made.

    Args:
        folder: Of the frames.
        ids: The frames that are not needed any more for their own sake.
        needed: Those that other runs stand on.

    Returns:
        The bytes of each file that went.
    """
    book = RecipeBook(folder / RECIPES)
    parents = book.parents()
    surplus = {*ids} - {*needed}
    # What any other frame is made of stays, although nobody may know any more who asked for it.
    while used := surplus & {one for key in parents.keys() - surplus for one in parents[key]}:
        surplus -= used
    files = frame_files(folder)
    if surplus:
        tell_sweep(folder)
    sizes = _unlink([files[one] for one in surplus if one in files])
    if surplus & {*parents} and not count_runs(folder):
        book.forget(surplus)
    return sizes


def purge_folder(keeper: Keeper) -> Removed:
    """Delete all that a folder keeps, and its threads where they are.

    What is no part of a run's folder stays: a folder may have been named by mistake.
    """
    folder, runs, left = keeper.folder, 0, []
    if keeper.shelf is not None:
        for name in keeper.shelf.names():
            keeper.shelf.remove(name)
            runs += 1
        left.append(keeper.shelf.saver.compact())
    sizes = [path.lstat().st_size for part in PARTS for path in files_of(folder, part)]
    tell_sweep(folder)
    for path in (path for part in PARTS for path in paths_of(folder, part)):
        with suppress(FileNotFoundError):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            elif path.name != SWEPT:
                path.unlink()
    if others := sorted(path.name for path in folder.iterdir() if path.name != SWEPT):
        left.append(f"{', '.join(map(repr, others[:8]))} stay, which are not the folder's own")
    return Removed(runs, len(sizes), sum(sizes), "; ".join(filter(None, left)))


def take_away(keeper: Keeper, before: float, needed: Collection[str]) -> list[int]:
    """Delete the files of a folder that were not changed since a moment and that no run needs.

    Args:
        keeper: Of the folder.
        before: Seconds since 1970.
        needed: The frames that runs stand on, and the paths of their tables.

    Returns:
        The bytes of each file that went.
    """
    old = {
        path
        for part in PARTS
        if part.name in AGED
        for path in files_of(keeper.folder, part)
        if path.name != RECIPES
        and path.lstat().st_mtime < before
        and not any(path.name in one for one in needed)
    }
    frames = {path for path in frame_files(keeper.folder).values() if path in old}
    sizes = free_frames(keeper.folder, {path.stem for path in frames}, needed)
    if old:
        tell_sweep(keeper.folder)
    return sizes + _unlink(old - frames)


def _unlink(paths: Collection[Path]) -> list[int]:
    """Take files away, and tell the bytes of each."""
    sizes = [path.lstat().st_size for path in paths]
    for path in paths:
        path.unlink(missing_ok=True)
    return sizes
