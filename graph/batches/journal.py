"""The journal of a batch: a row for each question as it is answered, under settings that hold."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from wideleaf.graph.batches.rows import BatchRow
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.writing import append_lines, need_folder, write_text

FORM = "wideleaf.batch/1"
BATCHES = "batches"
"""Where batches are kept, in a run's folder."""
ABOUT, ASKED, ROWS = "batch.json", "questions.json", "rows.jsonl"
RUNS, LOCK = "runs", "batch.lock"


class Journal:
    """What a folder keeps of a batch.

    Args:
        folder: Its folder, of its own.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def runs(self) -> Path:
        """Where the whole results are."""
        return self.folder / RUNS

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold it, so that no other process asks the same questions meanwhile.

        Raises:
            SettingsError: If another does, or it cannot be written.
        """
        from filelock import FileLock, Timeout

        need_folder(self.folder)
        try:
            with FileLock(self.folder / LOCK, timeout=0, thread_local=False):
                yield
        except Timeout:
            raise SettingsError(
                f"the batch in {str(self.folder)!r} is under way elsewhere; wait for it, or name "
                "another output"
            ) from None

    def begin(self, about: Mapping[str, Any], *, anew: bool = False) -> dict[str, BatchRow]:
        """Begin it, or go on with it.

        Args:
            about: What its answers depend on, as plain data.
            anew: Whether what it holds is thrown away.

        Returns:
            The rows that are there, by key.

        Raises:
            SettingsError: If it holds answers under other settings or of other tables.
        """
        if anew:
            for name in (ABOUT, ASKED, ROWS):
                (self.folder / name).unlink(missing_ok=True)
            shutil.rmtree(self.runs, ignore_errors=True)
        before = self.about()
        if before and (other := _differences(before, about)):
            raise SettingsError(
                f"the batch in {str(self.folder)!r} was begun with {'; '.join(other)}; ask as it "
                "was begun, name another output, or begin it anew (--anew, anew=True)"
            )
        if not before:
            text = json.dumps({"form": FORM, **about}, ensure_ascii=False, indent=1)
            write_text(self.folder / ABOUT, text, private=True)
        need_folder(self.runs)
        return self.rows()

    def about(self) -> dict[str, Any]:
        """What its answers depend on; empty where nothing is kept yet.

        Raises:
            SettingsError: If the file is none of ours, or of another version.
        """
        path = self.folder / ABOUT
        if not path.is_file():
            return {}
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            form = data.pop("form")
        except (ValueError, KeyError, AttributeError, TypeError):
            raise SettingsError(f"{str(path)!r} holds no batch ({FORM})") from None
        if form != FORM:
            raise SettingsError(
                f"{str(path)!r} is of form {form!r}; this version reads {FORM!r}: name another "
                "output, or begin it anew (--anew, anew=True)"
            )
        return dict(data)

    def keep_call(self, call: Mapping[str, Any]) -> None:
        """Keep how it was asked, as plain data, so that it goes on by its name alone."""
        write_text(self.folder / ASKED, json.dumps(call, ensure_ascii=False, default=str))

    def call(self) -> dict[str, Any]:
        """How it was asked: questions with what stood beside them, tables and output."""
        path = self.folder / ASKED
        try:
            return dict(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            raise SettingsError(
                f"{str(path)!r} does not tell how the batch was asked; ask it again as it was begun"
            ) from None

    def rows(self) -> dict[str, BatchRow]:
        """The rows by key, the latest of each; a line that a crash cut short is left out.

        Raises:
            SettingsError: If a line is no row of a batch.
        """
        path = self.folder / ROWS
        if not path.is_file():
            return {}
        rows: dict[str, BatchRow] = {}
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        for number, line in enumerate(lines, 1):
            try:
                row = BatchRow.model_validate_json(line) if line else None
            except ValidationError:
                if line.endswith("}"):
                    raise SettingsError(
                        f"line {number} of {str(path)!r} is no row of a batch; name another "
                        "output, or begin it anew (--anew, anew=True)"
                    ) from None
                continue  # cut short: that question is asked again
            if row is not None:
                rows[row.key] = row
        return rows

    def add(self, row: BatchRow) -> None:
        """Keep a row; when this returns it is on the disk.

        Raises:
            SettingsError: If it could not be written whole.
        """
        append_lines(self.folder / ROWS, row.model_dump_json())
        file = os.open(self.folder / ROWS, os.O_RDWR)
        try:
            os.fsync(file)
        finally:
            os.close(file)


def _differences(before: Mapping[str, Any], about: Mapping[str, Any]) -> list[str]:
    """What is otherwise, in words: settings by their values, tables by their names."""
    now = json.loads(json.dumps(about))
    tables, was = now.pop("tables", {}), before.get("tables", {})
    other = [
        f"{name}={before.get(name)!r}, and not {now[name]!r}"
        for name in now
        if name not in ("began",) and before.get(name) != now[name]
    ]
    if {*tables} != {*was}:
        return [*other, f"the tables {_list_names(was)}, and not {_list_names(tables)}"]
    names = [name for name in tables if tables[name] != was[name]]
    return [*other, *(f"other cells in the table {name!r}" for name in names)]


def _list_names(names: Mapping[str, Any]) -> str:
    return ", ".join(map(repr, names)) or "none"
