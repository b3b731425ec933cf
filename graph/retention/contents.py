"""What stands in a run's folder: its parts, their size, and which files are the folder's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from wideleaf.graph.checkpoints.place import SPACE, THREADS
from wideleaf.tools.sources.normal import FRAMES, TABLES
from wideleaf.tools.steps.recipes import RECIPES
from wideleaf.tools.steps.sweeps import SWEPT
from wideleaf.tools.verdicts.shelf import VERDICTS


class Part(NamedTuple):
    """A part of a folder.

    Attributes:
        name: What it is called.
        patterns: Its files and folders.
        what: What is in it.
    """

    name: str
    patterns: tuple[str, ...]
    what: str


PARTS = (
    Part("threads", (f"{THREADS}*", "thread-*.lock", SPACE), "questions and conversations by name"),
    Part("batches", ("batches",), "answers of batches, each with its steps"),
    Part("frames", (FRAMES, RECIPES), "frames of answers and how each is made"),
    Part(
        "tables",
        (TABLES, "spill"),
        "copies of tables that are no Parquet files, sizes of those that are",
    ),
    Part("index", ("index",), "names, profiles and vectors of wide tables"),
    Part("replies", ("replies",), "replies of models"),
    Part("verdicts", (VERDICTS,), "what a model said of texts"),
    Part("attachments", ("attachments",), "tables that came with messages"),
    Part("saved runs", ("last.json",), "answers with their steps"),
    Part("answers", ("asked",), "plans of answers that other agents asked for"),
    Part(
        "notes",
        (
            "memory.sqlite*",
            "corrections.jsonl",
            "descriptions.jsonl",
            "consents.jsonl",
            "chat_history",
        ),
        "what was said of columns, solved questions, code that may run, what was typed",
    ),
    Part("bug reports", ("bugs",), "traces"),
    Part("demo", ("homes.parquet", "districts.parquet"), "the demo's tables"),
    Part("marks", ("running", SWEPT, "*.part"), "who uses the folder"),
)


class PartSize(NamedTuple):
    """How large a part is: its name, what is in it, how many files and bytes."""

    name: str
    what: str
    files: int
    bytes: int


def measure_parts(folder: Path) -> list[PartSize]:
    """The parts that a folder has, in the order of `PARTS`."""
    sizes = []
    for part in PARTS:
        files = [one.stat().st_size for one in files_of(folder, part)]
        if files:
            sizes.append(PartSize(part.name, part.what, len(files), sum(files)))
    return sizes


def files_of(folder: Path, part: Part) -> Iterator[Path]:
    """The files of a part; a link is one itself, and is not followed."""
    for place in paths_of(folder, part):
        if place.is_dir() and not place.is_symlink():
            yield from (one for one in place.rglob("*") if one.is_symlink() or one.is_file())
        else:
            yield place


def paths_of(folder: Path, part: Part) -> list[Path]:
    """The files and folders of a part that are there."""
    return sorted(one for pattern in part.patterns for one in folder.glob(pattern))


def frame_files(folder: Path) -> dict[str, Path]:
    """The frames that are written down, by id."""
    return {path.stem: path for path in (folder / FRAMES).glob("*.parquet")}
