"""A process that is started for one program: what it is sent, its time, its output, its end."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING

from wideleaf.tools.errors import SandboxError
from wideleaf.tools.sandbox.answer import CallEnd
from wideleaf.tools.sandbox.inside.alone import READY
from wideleaf.tools.sandbox.inside.child import LENGTH

if TYPE_CHECKING:
    from wideleaf.tools.sandbox.program import Limits

SENT = ("alone", "cells", "child", "columns", "libraries", "values")
"""The modules that a process gets as text, for where it runs there may be no Wideleaf."""
PACKAGES = (
    "wideleaf",
    "wideleaf.tools",
    "wideleaf.tools.sandbox",
    "wideleaf.tools.sandbox.inside",
)
"""The packages around them, which are empty there."""
FLAGS = ("-s", "-P")
"""As -I, but that the environment counts: it is ours, and fixes the order of sets."""
BOOTSTRAP = """
import sys
if sys.version_info < (3, 11):
    sys.exit("VersionError: python %d.%d is older than 3.11" % sys.version_info[:2])
import importlib.machinery, json, struct
given = sys.stdin.buffer
(length,) = struct.unpack(">Q", given.read(8))
sources = json.loads(given.read(length))
class Sent:
    def find_spec(self, name, path=None, target=None):
        if name in sources:
            package = not sources[name]
            return importlib.machinery.ModuleSpec(name, self, is_package=package)
    def create_module(self, spec):
        return None
    def exec_module(self, module):
        exec(compile(sources[module.__name__], module.__name__, "exec"), vars(module))
sys.meta_path.insert(0, Sent())
from wideleaf.tools.sandbox.inside.alone import serve
serve(given)
"""
CHUNK = 1 << 16
ERRORS_KEPT = 4_000
GRACE = 1.0
"""Seconds beyond the program's own limit, for what is made of the result before it is sent."""
_ERROR = re.compile(r"\w*(Error|Exception): ")
ENDING = 5.0
"""Seconds that a process may take to end once it has sent its answer."""

_ROOM = threading.BoundedSemaphore(max(2, os.cpu_count() or 2))


def exchange(
    command: Sequence[str],
    request: bytes,
    *,
    startup: float,
    seconds: float,
    most: int,
    environment: Mapping[str, str],
    folder: str | None = None,
    ended: Callable[[], None] | None = None,
) -> CallEnd:
    """Start a process, send it a request and read its answer; nothing of it is left afterwards.

    As many run at a time as there are processors; others wait, which takes none of their time.

    Args:
        command: Program and arguments.
        request: All that it reads.
        startup: Seconds until it has to be ready.
        seconds: Seconds it may take from then on.
        most: Bytes that it may answer.
        environment: All of its environment.
        folder: Where it runs.
        ended: Called once the process is gone, however that came; ends what it had started.

    Raises:
        SandboxError: If it cannot be started.
    """
    with _ROOM:
        return _exchange(command, request, startup, seconds, most, environment, folder, ended)


def _exchange(
    command: Sequence[str],
    request: bytes,
    startup: float,
    seconds: float,
    most: int,
    environment: Mapping[str, str],
    folder: str | None,
    ended: Callable[[], None] | None,
) -> CallEnd:
    begun = time.monotonic()
    try:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environment),
            cwd=folder,
            bufsize=0,
            start_new_session=os.name == "posix",
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    except OSError as error:
        raise SandboxError(
            f"{command[0]!r} could not be started ({error.strerror or error})"
        ) from None
    assert process.stdin and process.stdout and process.stderr
    errors: list[bytes] = []
    chunks: queue.Queue[bytes] = queue.Queue(maxsize=64)
    stop = threading.Event()
    threads = [
        threading.Thread(target=_send, args=(process.stdin, request), daemon=True),
        threading.Thread(target=_receive, args=(process.stdout, chunks, stop), daemon=True),
        threading.Thread(target=_keep_beginning, args=(process.stderr, errors), daemon=True),
    ]
    for thread in threads:
        thread.start()
    try:
        end = _read(chunks, begun + startup, seconds, most)
        if not (end.late or end.flooded):
            _await_end(process)
    finally:
        stop.set()
        _kill(process)
        status = process.wait()
        if ended:
            ended()
        for thread in threads:
            thread.join(timeout=ENDING)
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()
    words = b"".join(errors).decode(errors="replace").strip()
    return end._replace(status=status, errors=words)


def _read(chunks: queue.Queue[bytes], until: float, seconds: float, most: int) -> CallEnd:
    """All that comes before the end of the stream; the sign of being ready has to come first."""
    parts: list[bytes] = []
    size, ready = 0, False
    while True:
        try:
            chunk = chunks.get(timeout=max(until - time.monotonic(), 0.001))
        except queue.Empty:
            return CallEnd(b"", None, late=True, ready=ready)
        if not chunk:
            return CallEnd(b"".join(parts) if ready else b"", None, ready=ready)
        parts.append(chunk)
        size += len(chunk)
        if not ready and size >= len(READY):
            whole = b"".join(parts)
            if not whole.startswith(READY):  # it is not ours that speaks
                return CallEnd(b"", None, flooded=True, ready=False)
            ready, until = True, time.monotonic() + seconds + GRACE
            parts = [whole[len(READY) :]]
            size = len(parts[0])
        if size > most:
            return CallEnd(b"", None, flooded=True, ready=ready)


def _send(stream: IO[bytes], request: bytes) -> None:
    try:
        view = memoryview(request)
        while view:
            view = view[stream.write(view) or 0 :]
        stream.close()
    except (OSError, ValueError):  # it ended before it had read all; its status tells why
        pass


def _receive(stream: IO[bytes], chunks: queue.Queue[bytes], stop: threading.Event) -> None:
    chunk = b"-"
    while chunk and not stop.is_set():
        try:
            chunk = stream.read(CHUNK)
        except (OSError, ValueError):
            chunk = b""
        while not stop.is_set():
            try:
                chunks.put(chunk, timeout=0.1)
                break
            except queue.Full:  # who reads is slower, or has given up
                continue


def _keep_beginning(stream: IO[bytes], chunks: list[bytes]) -> None:
    budget = ERRORS_KEPT
    try:
        while chunk := stream.read(CHUNK):
            chunks.append(chunk[:budget])
            budget = max(budget - len(chunk), 0)
    except (OSError, ValueError):
        pass


def _await_end(process: subprocess.Popen[bytes]) -> None:
    """Give a process that sent its answer the time to end by itself.

    Where that can be, without taking its status: as long as that is not taken, its number is
    nobody else's, and the group of that number can be killed.
    """
    until = time.monotonic() + ENDING
    while time.monotonic() < until:
        if sys.platform == "linux":
            how = os.WEXITED | os.WNOHANG | os.WNOWAIT
            if os.waitid(os.P_PID, process.pid, how) is not None:
                return
        elif process.poll() is not None:
            return
        time.sleep(0.005)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the process and, where there are groups, all of its group."""
    if os.name == "posix" and sys.platform != "win32" and process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def why_unready(end: CallEnd, startup: float) -> str:
    """Why a process never came to its program, in words that hold nothing of its request."""
    if end.late:
        return f"it was not ready within {startup:g} s"
    if end.flooded:
        return "it wrote something that is no answer"
    lines = [line.strip() for line in end.errors.splitlines() if line.strip()]
    errors = [line for line in lines if _ERROR.match(line)]
    words = (errors[-1:] or lines[:1] or ["it said nothing"])[0][:200]
    return f"it ended with {end.status} ({words})"


def bootstrap_command(program: str) -> list[str]:
    """The command by which a Python, or an image that starts one, runs what it is sent."""
    return [program, *FLAGS, "-c", BOOTSTRAP]


def whole_request(
    parts: Sequence[bytes | memoryview], limits: Limits, *, withheld: Collection[str] = ()
) -> bytes:
    """What a process reads that starts with `BOOTSTRAP`: modules, limits, and the request.

    Args:
        parts: The request.
        limits: What the program may take.
        withheld: Names that pandas is to call nothing by. Where there are some Python itself
            refuses what reaches out, as nothing else does there.
    """
    settings = json.dumps({**limits.model_dump(mode="json"), "withheld": sorted(withheld)}).encode()
    sources = _sources()
    heads = (LENGTH.pack(len(sources)), sources, LENGTH.pack(len(settings)), settings)
    return b"".join((*heads, *parts))


@cache
def _sources() -> bytes:
    folder = Path(__file__).parent / "inside"
    sources = {f"{PACKAGES[-1]}.{n}": (folder / f"{n}.py").read_text("utf-8") for n in SENT}
    return json.dumps({**dict.fromkeys(PACKAGES, ""), **sources}).encode()
