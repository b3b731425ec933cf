"""Hands a command over to the warm process (`warm.py`), where one runs beside a server."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import struct
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

OFF = "WIDELEAF_WARM"
"""With ``0`` the shell asks no warm process."""
FILES = 3
"""Standard input, output and error."""
LONGEST_PATH = 100
"""Bytes; the name of a Unix socket has room for some more."""


def socket_path() -> Path | None:
    """Where this user's warm process of this installation listens; None where there can be none."""
    home = os.environ.get("XDG_RUNTIME_DIR") or os.environ.get("XDG_STATE_HOME", "")
    folder = Path(home) if os.path.isabs(home) else Path.home() / ".local" / "state"
    # Of another interpreter or checkout the process would run other code.
    name = zlib.crc32(f"{sys.executable}:{__file__}".encode())
    path = folder / "wideleaf" / f"{name:08x}.sock"
    has_room = len(os.fsencode(path)) < LONGEST_PATH
    return path if has_room and hasattr(os, "fork") and hasattr(socket, "AF_UNIX") else None


def ask_warm(arguments: Sequence[str]) -> int | None:
    """Let the warm process carry a command out.

    Args:
        arguments: Of the shell.

    Returns:
        The exit code; None where no such process listens, or its settings are others.
    """
    path = socket_path()
    if path is None or os.environ.get(OFF) == "0" or not path.exists():
        return None
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(path))
            if peer_of(connection) != os.getuid():
                return None
            request = json.dumps(
                {"arguments": [*arguments], "folder": os.getcwd(), "environment": {**os.environ}}
            ).encode()
            head = struct.pack("!I", len(request))
            socket.send_fds(connection, [head], range(FILES))
            connection.sendall(request)
            fork = read_number(connection)
        except OSError:
            return None
        return _wait_for(connection, fork) if fork else None


def _wait_for(connection: socket.socket, fork: int) -> int:
    """Pass signals on to the fork until its exit code is there."""
    kinds = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGWINCH)

    def pass_on(kind: int, _: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(fork, kind)

    before = {kind: signal.signal(kind, pass_on) for kind in kinds}
    try:
        code = read_number(connection)
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)
    # The fork says its code last; one that was killed says none.
    return 128 + signal.SIGKILL if code is None else code


def peer_of(connection: socket.socket) -> int:
    """The user at the other end; -1 where the system does not tell."""
    if not hasattr(socket, "SO_PEERCRED"):
        return os.getuid()  # the folder is open to this user alone
    size = struct.calcsize("3i")
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
    return int(struct.unpack("3i", credentials)[1])


def read_bytes(connection: socket.socket, length: int) -> bytes:
    """So many bytes; fewer where the other end ended."""
    parts = b""
    while len(parts) < length and (part := connection.recv(length - len(parts))):
        parts += part
    return parts


def read_number(connection: socket.socket) -> int | None:
    """The next number that the other end says; None where it ended."""
    part = read_bytes(connection, 4)
    return struct.unpack("!i", part)[0] if len(part) == 4 else None


@contextmanager
def keep_warm() -> Iterator[None]:
    """Keep a warm process for as long as a server runs; without one where there can be none."""
    if socket_path() is None:
        yield
        return
    import subprocess

    command = [sys.executable, "-m", "wideleaf.graph.shell.warm"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
    try:
        yield
    finally:
        process.communicate()  # its input ends, and so does it
