"""Kinds of runs: how each is found, renamed and removed; a further kind is one line of `KINDS`."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from wideleaf.graph.batches.journal import BATCHES, RUNS, Journal
from wideleaf.graph.batches.questions import key_of
from wideleaf.graph.checkpoints.place import Place
from wideleaf.graph.checkpoints.settings import read_settings
from wideleaf.graph.checkpoints.shelf import Entry, Shelf, frames_in, open_shelf
from wideleaf.graph.conversation.record import Record
from wideleaf.graph.results.run_file import read_run
from wideleaf.graph.runs.run import Run
from wideleaf.graph.threads import needs_postgresql, thread_saver
from wideleaf.tools.errors import SettingsError

INTERRUPT = "__interrupt__"


class Keeper(NamedTuple):
    """Where runs are: a folder, and the place of its threads, open."""

    folder: Path
    place: Place
    shelf: Shelf | None


class Found(NamedTuple):
    """A run and the ids of the frames that it stands on."""

    run: Run
    frames: frozenset[str] = frozenset()


class Kind(NamedTuple):
    """How runs of a kind are kept.

    Attributes:
        names: The names of all.
        find: The run of a name, None where there is none.
        remove: Deletes the runs of some names; nobody is at work on them.
        rename: Gives one another name, which is free.
    """

    names: Callable[[Keeper], list[str]]
    find: Callable[[Keeper, str], Found | None]
    remove: Callable[[Keeper, list[str]], None]
    rename: Callable[[Keeper, str, str], None]


@contextmanager
def open_keeper(place: Place) -> Iterator[Keeper]:
    """Open what is kept; nothing is made where nothing is.

    Raises:
        SettingsError: If the place of the threads cannot be used.
    """
    with needs_postgresql(), open_shelf(place) as shelf:
        yield Keeper(place.folder, place, shelf)


def _thread_names(keeper: Keeper) -> list[str]:
    return keeper.shelf.names() if keeper.shelf else []


def _find_thread(keeper: Keeper, name: str) -> Found | None:
    entry = keeper.shelf.find(name) if keeper.shelf else None
    if entry is None:
        return None
    try:
        return Found(_run_of(entry), entry.frames)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        # A checkpoint can be read and still have any shape, for its file may be a stranger's.
        unread = entry._replace(latest=None, problem=type(error).__name__)
        return Found(_run_of(unread), frozenset())


def _remove_threads(keeper: Keeper, names: list[str]) -> None:
    if keeper.shelf is None:
        return
    for name in names:
        with thread_saver(keeper.place, name):  # nobody runs it
            keeper.shelf.remove([name])


def _rename_thread(keeper: Keeper, old: str, new: str) -> None:
    with thread_saver(keeper.place, old), thread_saver(keeper.place, new):
        if keeper.shelf is not None:
            keeper.shelf.rename(old, new)


def _run_of(entry: Entry) -> Run:
    if entry.latest is None:
        return Run(
            name=entry.thread,
            kind="question",
            status="unreadable",
            changed=datetime.now(UTC),
            bytes=entry.bytes,
            note=f"this version cannot read it ({entry.problem}); it is left as it is",
        )
    values, how = entry.values, read_settings(entry.latest.metadata)
    record = Record.of(values.get("conversation"))
    talks = "message" in values
    about = (values.get("tree") or {}).get("about") or record.about
    tables = tuple(about.get("tables", ())) if isinstance(about, Mapping) else ()
    paused = any(channel == INTERRUPT for _, channel, _ in entry.latest.pending_writes or ())
    return Run(
        name=entry.thread,
        kind="conversation" if talks else "question",
        status="paused" if paused else values.get("status") or "unfinished",
        question=str(values.get("message" if talks else "question") or ""),
        answer=str(values.get("answer") or ""),
        asked=len(record.exchanges) if talks else 1,
        sources=tuple(how.get("sources") or tables),
        settings=how.get("settings") or {},
        live=str(how.get("live") or ""),
        changed=datetime.fromisoformat(entry.latest.checkpoint["ts"]),
        bytes=entry.bytes,
        note="" if how else "how it was asked is not known: an earlier version kept it",
    )


def _file_names(keeper: Keeper) -> list[str]:
    """The saved runs of a folder, by the beginning of each file: it is not read for that."""
    return sorted(path.name for path in keeper.folder.glob("*.json") if path.is_file())


def _find_file(keeper: Keeper, name: str) -> Found | None:
    path = keeper.folder / name
    if path.parent != keeper.folder or path.suffix != ".json" or not path.is_file():
        return None
    status = path.stat()
    about: dict[str, Any] = {
        "name": name,
        "kind": "saved",
        "changed": datetime.fromtimestamp(status.st_mtime, UTC),
        "bytes": status.st_size,
    }
    try:
        data, _ = read_run(path)
        about |= {key: str(data.get(key) or "") for key in ("question", "answer")}
        about["sources"] = tuple(map(str, data.get("sources") or ()))
        run = Run(status=str(data["status"]), **about)
    except (SettingsError, KeyError, json.JSONDecodeError) as error:
        note = str(error) if isinstance(error, SettingsError) else "it holds no saved run"
        return Found(Run(status="unreadable", note=note, **about))
    return Found(run, frames_in(data))


def _remove_files(keeper: Keeper, names: list[str]) -> None:
    for name in names:
        (keeper.folder / name).unlink(missing_ok=True)


def _rename_file(keeper: Keeper, old: str, new: str) -> None:
    if Path(new).name != new or Path(new).suffix != ".json":
        raise SettingsError(
            f"{new!r} is no name of a saved run; right would be {Path(old).stem}.json"
        )
    (keeper.folder / old).rename(keeper.folder / new)


def _batch_names(keeper: Keeper) -> list[str]:
    return sorted(path.name for path in (keeper.folder / BATCHES).glob("*") if path.is_dir())


def _find_batch(keeper: Keeper, name: str) -> Found | None:
    journal = Journal(keeper.folder / BATCHES / name)
    if Path(name).name != name or not journal.folder.is_dir():
        return None
    files = [one for one in journal.folder.rglob("*") if one.is_file()]
    about: dict[str, Any] = {
        "name": name,
        "kind": "batch",
        "changed": datetime.fromtimestamp(max(one.stat().st_mtime for one in files), UTC)
        if files
        else datetime.now(UTC),
        "bytes": sum(one.stat().st_size for one in files),
    }
    try:
        call, rows = journal.call(), journal.rows()
        questions = [str(one.get(call["column"]) or "") for one in call["questions"]]
        rest = sum(bool(text) and key_of(text) not in rows for text in questions)
        about |= {"sources": tuple(call["sources"]), "asked": len(questions)}
        about |= {"question": questions[0], "live": "model" if call["live"] else ""}
        about["settings"] = journal.about().get("settings", {})
    except (SettingsError, KeyError, IndexError, TypeError) as error:
        note = str(error) if isinstance(error, SettingsError) else "it holds no batch"
        return Found(Run(status="unreadable", note=note, **about))
    frames: frozenset[str] = frozenset()
    for path in (journal.folder / RUNS).glob("*.json"):
        with suppress(SettingsError):
            frames |= frames_in(read_run(path)[0])
    return Found(Run(status="unfinished" if rest else "answered", **about), frames)


def _remove_batches(keeper: Keeper, names: list[str]) -> None:
    for name in names:
        journal = Journal(keeper.folder / BATCHES / name)
        with journal.held():  # nobody asks it
            pass
        shutil.rmtree(journal.folder, ignore_errors=True)


def _rename_batch(keeper: Keeper, old: str, new: str) -> None:
    raise SettingsError(
        f"the batch {old!r} has its name from its output, and cannot be {new!r}; ask it again with "
        "another output"
    )


KINDS: dict[str, Kind] = {
    "thread": Kind(_thread_names, _find_thread, _remove_threads, _rename_thread),
    "batch": Kind(_batch_names, _find_batch, _remove_batches, _rename_batch),
    "saved": Kind(_file_names, _find_file, _remove_files, _rename_file),
}
"""By what they are kept as; a name that two kinds have is told ``KIND:NAME``."""
