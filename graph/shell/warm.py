"""A warm process beside `wideleaf serve`, which has imported what questions need, and forks.

Python takes longer to import what a question needs than the question takes. While a server runs,
the shell (`hand_over.py`) hands its arguments, folder, environment and open files to this process,
which forks; the fork carries the command out as the shell would have. The process itself opens no
table, so that no thread of an engine is lost in a fork of it.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import struct
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path

from wideleaf.graph.shell.hand_over import FILES, peer_of, read_bytes, socket_path

READ_AT_START = ("LANG", "LC_", "LD_", "MALLOC", "OMP_", "OPENBLAS", "POLARS_", "PYTHON", "TZ")
"""How variables begin that a process reads once; where they differ, the shell goes alone."""
LONGEST = 1 << 20
BACKLOG = 16
REHEARSAL = ("What is the mean b?", "How much was paid?")
"""A question that names a column, and one that does not, over a table of two columns."""


def learn_modules() -> list[str]:
    """What questions import: a fork asks some, and tells the names; it opens tables, not we."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        try:
            os.close(reading)
            with tempfile.TemporaryDirectory() as folder:
                _rehearse(Path(folder))
            os.write(writing, "\n".join(sys.modules).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:
        return pipe.read().decode().split()


def _rehearse(folder: Path) -> None:
    from wideleaf.graph.shell.shell import main

    with open(os.devnull, "w", encoding="utf-8") as nothing:
        for number in range(FILES):
            os.dup2(nothing.fileno(), number)
        (folder / "rehearsal.csv").write_text("a,b\n1,2\n", "utf-8")
        for question in REHEARSAL:
            place = ["--folder", str(folder / "w")]
            main(["ask", question, str(folder / "rehearsal.csv"), *place])


def import_all(names: list[str]) -> None:
    """Import what others did; what cannot be imported alone is left to whoever needs it."""
    for name in names:
        if name not in sys.modules and not name.startswith("__"):
            with contextlib.suppress(Exception):
                import_module(name)


def listen(run: Callable[[], int], path: Path) -> None:
    """Fork for each command that comes, until standard input ends.

    Args:
        run: Carries out the command of `sys.argv`; gives the exit code.
        path: Where to listen.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if path.parent.stat().st_uid != os.getuid() or path.parent.stat().st_mode & 0o077:
        return  # somebody else's folder, or open to others
    path.unlink(missing_ok=True)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for a fork but its shell
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(path))
        path.chmod(0o600)
        door.listen(BACKLOG)
        own = path.stat().st_ino
        try:
            while sys.stdin not in select.select([door, sys.stdin], [], [])[0]:
                connection, _ = door.accept()
                with connection:
                    if peer_of(connection) == os.getuid() and os.fork() == 0:
                        door.close()
                        _carry_out(run, connection)
        finally:
            with contextlib.suppress(OSError):
                if path.stat().st_ino == own:  # not another server's
                    path.unlink()


def _carry_out(run: Callable[[], int], connection: socket.socket) -> None:
    """In the fork: become the shell that asked, run its command and end."""
    code: int | None = None
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        head, files, _, _ = socket.recv_fds(connection, 4, FILES)
        length = struct.unpack("!I", head)[0]
        request = json.loads(read_bytes(connection, min(length, LONGEST)))
        if not _alike(request["environment"], os.environ):
            connection.sendall(struct.pack("!i", 0))
            return
        connection.sendall(struct.pack("!i", os.getpid()))
        _take_files(files)
        os.environ.clear()
        os.environ.update(request["environment"])
        os.chdir(request["folder"])
        sys.argv = ["wideleaf", *request["arguments"]]
        code = run()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(bool(end.code))
    except BaseException:  # as Python ends a process that nobody catches it in
        traceback.print_exc()
        code = 1
    finally:
        if code is not None:
            with contextlib.suppress(BaseException):
                sys.stdout.flush()
                sys.stderr.flush()
            with contextlib.suppress(OSError):
                connection.sendall(struct.pack("!i", code))
        os._exit(0 if code is None else code)


def _take_files(files: list[int]) -> None:
    """Make files of another process the standard ones."""
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    for stream, number in ((sys.stdout, 1), (sys.stderr, 2)):
        assert isinstance(stream, TextIOWrapper)
        stream.reconfigure(line_buffering=number == 2 or os.isatty(number))


def _alike(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Whether two environments agree in what a process reads as it starts."""
    names = {name for name in (*one, *other) if name.startswith(READ_AT_START)}
    return all(one.get(name) == other.get(name) for name in names)


def main() -> None:
    """Import what questions need, and listen."""
    from wideleaf.graph.app import ask_graph
    from wideleaf.graph.shell.shell import main as carry_out

    import_all(learn_modules())
    ask_graph()
    if (path := socket_path()) is not None:
        listen(carry_out, path)


if __name__ == "__main__":
    main()
