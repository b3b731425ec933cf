"""Kinds of runs: how each is found, renamed and removed; a further kind is one line of `KINDS`."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from langgraph.checkpoint.base import CheckpointTuple

from wideleaf.graph.batches.journal import BATCHES, RUNS, Journal
from wideleaf.graph.batches.questions import key_of
from wideleaf.graph.checkpoints.place import Place
from wideleaf.graph.checkpoints.shelf import Shelf, frames_in, frames_of, open_shelf
from wideleaf.graph.conversation.record import Record
from wideleaf.graph.results.run_file import read_run
from wideleaf.graph.runs.run import Run
from wideleaf.graph.threads import read_settings
from wideleaf.tools.errors import SettingsError

INTERRUPT = "__interrupt__"
SHAPE_ERRORS = (AttributeError, KeyError, IndexError, TypeError, ValueError)
"""What comes of data that can be read and is of another shape, for its file may be a stranger's."""


class Keeper(NamedTuple):
    """Where runs are: a folder, and its threads, none where none was ever kept."""

    folder: Path
    shelf: Shelf | None


class Kind(NamedTuple):
    """How runs of a kind are kept.

    Attributes:
        names: The names of all.
        find: The run of a name, None where there is none.
        remove: Deletes one; refuses where somebody is at work on it.
        rename: Gives one another name, which is free.
    """

    names: Callable[[Keeper], list[str]]
    find: Callable[[Keeper, str], Run | None]
    remove: Callable[[Keeper, str], None]
    rename: Callable[[Keeper, str, str], None]


@contextmanager
def open_keeper(place: Place) -> Iterator[Keeper]:
    """Open what is kept; nothing is made where nothing is.

    Raises:
        SettingsError: If the place of the threads cannot be used.
    """
    if not place.is_kept:
        yield Keeper(place.folder, None)
        return
    with open_shelf(place) as shelf:
        yield Keeper(place.folder, shelf)


def _thread_names(keeper: Keeper) -> list[str]:
    return keeper.shelf.names() if keeper.shelf else []


def _find_thread(keeper: Keeper, name: str) -> Run | None:
    if keeper.shelf is None:
        return None
    run = keeper.shelf.find(name, partial(_read_thread, name))
    if isinstance(run, Exception):
        note = f"this version cannot read it ({type(run).__name__}); it is left as it is"
        now = datetime.now(UTC)
        run = Run(name=name, kind="question", status="unreadable", changed=now, note=note)
    return run and run.model_copy(update={"bytes": keeper.shelf.size(name)})


def _remove_thread(keeper: Keeper, name: str) -> None:
    if keeper.shelf:
        keeper.shelf.remove(name)


def _rename_thread(keeper: Keeper, old: str, new: str) -> None:
    if keeper.shelf:
        keeper.shelf.rename(old, new)


def _read_thread(name: str, latest: CheckpointTuple) -> Run:
    """What a thread's last checkpoint tells of its run."""
    values, how = latest.checkpoint["channel_values"], read_settings(latest.metadata)
    record = Record.of(values.get("conversation"))
    talks = "message" in values
    about = (values.get("tree") or {}).get("about") or record.about
    tables = tuple(about.get("tables", ())) if isinstance(about, Mapping) else ()
    paused = any(channel == INTERRUPT for _, channel, _ in latest.pending_writes or ())
    return Run(
        name=name,
        kind="conversation" if talks else "question",
        status="paused" if paused else values.get("status") or "unfinished",
        question=str(values.get("message" if talks else "question") or ""),
        answer=str(values.get("answer") or ""),
        asked=len(record.exchanges) if talks else 1,
        sources=tuple(how.get("sources") or tables),
        settings=how.get("settings") or {},
        live=str(how.get("live") or ""),
        changed=datetime.fromisoformat(latest.checkpoint["ts"]),
        note="" if how else "how it was asked is not known: an earlier version kept it",
        ids=frames_of(latest),
    )


def _file_names(keeper: Keeper) -> list[str]:
    """The saved runs of a folder; no file is read for that."""
    return sorted(path.name for path in keeper.folder.glob("*.json") if path.is_file())


def _find_file(keeper: Keeper, name: str) -> Run | None:
    if name not in _file_names(keeper):
        return None
    path = keeper.folder / name
    about = {"name": name, "kind": "saved", **_measure([path])}
    try:
        data, _ = read_run(path)
        about |= {key: str(data.get(key) or "") for key in ("question", "answer")}
        about["sources"] = tuple(map(str, data.get("sources") or ()))
        return Run(status=str(data["status"]), ids=frames_in(data), **about)
    except (SettingsError, *SHAPE_ERRORS) as error:
        note = str(error) if isinstance(error, SettingsError) else "it holds no saved run"
        return Run(status="unreadable", note=note, **about)


def _remove_file(keeper: Keeper, name: str) -> None:
    (keeper.folder / name).unlink(missing_ok=True)


def _rename_file(keeper: Keeper, old: str, new: str) -> None:
    if Path(new).name != new or Path(new).suffix != ".json":
        raise SettingsError(
            f"{new!r} is no name of a saved run; right would be {Path(old).stem}.json"
        )
    (keeper.folder / old).rename(keeper.folder / new)


def _batch_names(keeper: Keeper) -> list[str]:
    return sorted(path.name for path in (keeper.folder / BATCHES).glob("*") if path.is_dir())


def _find_batch(keeper: Keeper, name: str) -> Run | None:
    if name not in _batch_names(keeper):
        return None
    journal = Journal(keeper.folder / BATCHES / name)
    files = [one for one in journal.folder.rglob("*") if one.is_file()]
    about = {"name": name, "kind": "batch", **_measure(files)}
    try:
        call, rows = journal.call(), journal.rows()
        questions = [str(one.get(call["column"]) or "") for one in call["questions"]]
        rest = sum(bool(text) and key_of(text) not in rows for text in questions)
        about |= {"sources": tuple(call["sources"]), "asked": len(questions)}
        about |= {"question": questions[0], "live": "model" if call["live"] else ""}
        about["settings"] = journal.about().get("settings", {})
    except (SettingsError, *SHAPE_ERRORS) as error:
        note = str(error) if isinstance(error, SettingsError) else "it holds no batch"
        return Run(status="unreadable", note=note, **about)
    frames: frozenset[str] = frozenset()
    for path in (journal.folder / RUNS).glob("*.json"):
        with suppress(SettingsError):
            frames |= frames_in(read_run(path)[0])
    return Run(status="unfinished" if rest else "answered", ids=frames, **about)


def _remove_batch(keeper: Keeper, name: str) -> None:
    journal = Journal(keeper.folder / BATCHES / name)
    with journal.held():  # nobody asks it
        pass
    shutil.rmtree(journal.folder, ignore_errors=True)


def _rename_batch(keeper: Keeper, old: str, new: str) -> None:
    raise SettingsError(
        f"the batch {old!r} has its name from its output, and cannot be {new!r}; ask it again with "
        "another output"
    )


def _measure(files: list[Path]) -> dict[str, Any]:
    """When files were last written to, and their bytes."""
    marks = [path.stat() for path in files]
    changed = max((one.st_mtime for one in marks), default=time.time())
    return {
        "changed": datetime.fromtimestamp(changed, UTC),
        "bytes": sum(one.st_size for one in marks),
    }


KINDS: dict[str, Kind] = {
    "thread": Kind(_thread_names, _find_thread, _remove_thread, _rename_thread),
    "batch": Kind(_batch_names, _find_batch, _remove_batch, _rename_batch),
    "saved": Kind(_file_names, _find_file, _remove_file, _rename_file),
}
"""By what they are kept as; a name that two kinds have is told ``KIND:NAME``."""
