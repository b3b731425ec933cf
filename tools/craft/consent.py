"""Consent: which model-written code was run or approved in a folder, by its hash."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Literal

from wideleaf.tools.seal import seal, verify_seal

ConsentKind = Literal["run", "approved", "replay"]
"""Written in a run of this folder, approved by a person, or allowed for a replay."""
FILE = "consents.jsonl"
MAX_BYTES = 50_000_000
"""A file of more is not this one: a line has about 200 bytes."""
_HERE: dict[Path, set[str]] = {}
"""What this process knows of each file."""
_HASH = re.compile(r"[0-9a-f]{64}")


class Consents:
    """The consents of a folder, in one file that only ever grows.

    A folder may come from a stranger, who could have put any line into it. So a line counts only
    with the user's own seal. Where no key can be kept, consents last as long as the process.

    Args:
        folder: The folder of a run; the file is made on first use, readable by the user alone.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self._known = _HERE.setdefault(self.path.resolve(), set())
        self._read_to = 0
        self._lock = Lock()

    def holds(self, code: str) -> bool:
        """Whether code of this hash was run or approved here, by this process or another."""
        with self._lock:
            if code not in self._known:
                self._read_on()
            return code in self._known

    def add(self, code: str, how: ConsentKind) -> None:
        """Note that code of this hash may run.

        Raises:
            ValueError: If it is no sha256 in hexadecimal digits.
        """
        if not _HASH.fullmatch(code):
            raise ValueError(f"{code!r} is no sha256; give its 64 hexadecimal digits")
        if self.holds(code):
            return
        with self._lock:
            self._known.add(code)
            if not (sealed := seal("consent", code)):
                return
            at = datetime.now(UTC).isoformat(timespec="seconds")
            line = json.dumps({"hash": code, "how": how, "at": at, "seal": sealed})
            with suppress(OSError):  # a folder that may only be read: for this process, then
                self.path.parent.mkdir(parents=True, exist_ok=True)
                # One write that begins with a line end: one cut short by a crash spoils no other.
                _append(self.path, f"\n{line}\n".encode())

    def _read_on(self) -> None:
        """Take what was added meanwhile; whatever is no whole sealed line is passed over."""
        with suppress(OSError):
            size = self.path.stat().st_size
            if size == self._read_to or size > MAX_BYTES or not self.path.is_file():
                return
            self._known.update(filter(None, map(_read, self.path.read_bytes().split(b"\n"))))
            self._read_to = size


def _read(line: bytes) -> str:
    """The hash of a line; empty if the line is not one of this user's."""
    try:
        record = json.loads(line)
        code, signature = record["hash"], record["seal"]
        right = _HASH.fullmatch(code) and verify_seal("consent", code, signature)
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""
    return str(code) if right else ""


def _append(path: Path, text: bytes) -> None:
    # A stranger's folder may hold a link in place of the file.
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    file = os.open(path, flags, 0o600)
    try:
        os.write(file, text)
    finally:
        os.close(file)
