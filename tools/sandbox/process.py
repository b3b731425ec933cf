"""The parent's side of the wall: the zygote's process, and calls of it from any thread."""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import BoundedSemaphore, Lock

from wideleaf.tools.errors import SandboxError
from wideleaf.tools.sandbox.answer import CallEnd
from wideleaf.tools.sandbox.inside.child import LENGTH
from wideleaf.tools.sandbox.inside.zygote import LOCKED, NO_WALL

START_SECONDS = 60.0
LIBRARY_SECONDS = 120.0
"""To start with libraries, which are some 2,500 files on a disk that may be slow."""
STATUS_SECONDS = 1.0
GRACE_SECONDS = 0.25
"""Beyond its time a program has so long to be forked and to write its answer."""
CHUNK = 1 << 20
HEAD = len(LOCKED) + LENGTH.size
SEAL_ALL = 0xF  # seal, shrink, grow, write
ADD_SEALS, SET_PIPE_SIZE = 1033, 1031
ENVIRONMENT = {
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "PYTHONHASHSEED": "0",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "JOBLIB_MULTIPROCESSING": "0",  # n_jobs=-1 is one job then, and no error
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    # One heap, of large pages where there are: each new page of a child costs a fault.
    "GLIBC_TUNABLES": "glibc.malloc.mmap_threshold=1073741824:"
    "glibc.malloc.trim_threshold=1073741824:glibc.malloc.top_pad=16777216:"
    "glibc.malloc.hugetlb=1",
}
"""All that the process knows of the world: sets have one order, threads are one."""
BOOTSTRAP = """
import sys, types
name = ""
for part in ("wideleaf", "tools", "sandbox", "inside"):
    name = f"{name}.{part}".lstrip(".")
    sys.modules[name] = module = types.ModuleType(name)
    module.__path__ = [sys.argv[1]] if part == "inside" else []
"""
"""Modules of the sandbox are loaded alone, without the package around them."""
SERVE = """
from wideleaf.tools.sandbox.inside.zygote import serve
serve(int(sys.argv[2]), sys.argv[3:])
"""


class Zygote:
    """A warm process that runs programs behind the wall; started at the first call.

    Calls of several threads run side by side, as many as there are processors; others wait. It
    ends with this process, and is started anew in a fork of it, or if it dies.

    Args:
        modules: Those of libraries that it imports, by dotted names.
        beside: Another one, whose calls are counted with the calls of this one.
        seconds: How long it may take to start.
    """

    def __init__(
        self,
        modules: Sequence[str] = (),
        beside: Zygote | None = None,
        seconds: float = START_SECONDS,
    ) -> None:
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._owner = 0
        self._modules = tuple(modules)
        self._seconds = seconds
        room = beside._room if beside else BoundedSemaphore(max(2, os.cpu_count() or 2))
        self._room: BoundedSemaphore = room

    def call(
        self, parts: Sequence[bytes | memoryview], seconds: float, memory_mb: int, most: int
    ) -> CallEnd:
        """Run one request.

        Args:
            parts: The request, in pieces.
            seconds: Time on the wall's clock, from the fork on.
            memory_mb: MiB beyond what the request takes.
            most: Bytes of an answer.

        Raises:
            SandboxError: If the process cannot be started, or died.
        """
        with self._room:
            request = _seal_file(parts)
            try:
                try:
                    ended = self._call(request, seconds, memory_mb, most + HEAD)
                except ConnectionError:  # it died or stands still; another has one try
                    ended = self._call(request, seconds, memory_mb, most + HEAD)
            except OSError as error:
                self.stop()
                raise SandboxError(f"the sandbox broke down: {error}; try again") from None
            finally:
                os.close(request)
        if ended.status == NO_WALL and not ended.answer:
            raise SandboxError(
                "the process could not lock itself, so nothing was run; see `wideleaf doctor`"
            )
        return ended._replace(answer=ended.answer[HEAD:])

    def start(self) -> None:
        """Start the process if it is not running; waits until it has imported what it needs.

        Raises:
            SandboxError: If it does not come up.
        """
        with self._lock:
            self._start()

    def stop(self) -> None:
        """End the process, if it is this one's; the next call starts another."""
        with self._lock:
            self._stop()

    def _start(self) -> socket.socket:
        mine = self._owner == os.getpid()
        if self._control is not None and mine and self._process and self._process.poll() is None:
            return self._control
        self._stop()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            folder = str(Path(__file__).resolve().parent / "inside")
            command = (sys.executable, "-s", "-P", "-c")
            self._process = subprocess.Popen(
                [*command, BOOTSTRAP + SERVE, folder, str(theirs.fileno()), *self._modules],
                env=ENVIRONMENT,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C is for the run, not for it
            )
        ours.settimeout(self._seconds)
        try:
            up = ours.recv(16) == b"ready"
        except OSError:
            up = False
        if not up:
            ours.close()
            self._process.kill()
            self._process.wait()
            raise SandboxError(
                f"the sandbox's process did not start with {sys.executable}; pandas, numpy and "
                "pyarrow must be installed there"
            )
        self._control, self._owner = ours, os.getpid()
        atexit.register(self.stop)
        return ours

    def _stop(self) -> None:
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None and self._owner == os.getpid():
            self._process.kill()
            self._process.wait()
        self._process = None
        atexit.unregister(self.stop)

    def _call(self, request: int, seconds: float, memory_mb: int, most: int) -> CallEnd:
        import fcntl  # not on every platform

        reads, writes = os.pipe()
        with suppress(OSError):  # a user may have as much in pipes as the system lets
            fcntl.fcntl(writes, SET_PIPE_SIZE, CHUNK)
        status, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        handle, process = -1, self._process
        try:
            limits = json.dumps({"seconds": int(seconds) + 1, "memory_mb": memory_mb}).encode()
            with self._lock:
                control = self._start()
                process = self._process
                socket.send_fds(control, [limits], [request, writes, theirs.fileno()])
            os.close(writes)
            writes = -1
            theirs.close()
            handle = _handle(status, process.pid if process else 0)
            ended = _listen(reads, time.monotonic() + seconds + GRACE_SECONDS, most)
            if ended.late or ended.flooded or ended.status == 0:
                return ended
            ended = ended._replace(status=_status(status, handle))
            if not ended.answer and ended.status != NO_WALL:
                raise ConnectionError("its child died before it ran anything")
            return ended
        except ConnectionError:
            with self._lock:
                if self._process is process:  # else another call has stopped it already
                    self._stop()
            raise
        finally:
            if handle >= 0:
                _kill(handle)
                os.close(handle)
            if writes >= 0:
                os.close(writes)
            os.close(reads)
            status.close()
            theirs.close()


def _seal_file(parts: Sequence[bytes | memoryview]) -> int:
    """A memory file that nobody can change any more."""
    import fcntl  # not on every platform

    descriptor = os.memfd_create("request", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    for part in parts:
        rest = memoryview(part)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
    fcntl.fcntl(descriptor, ADD_SEALS, SEAL_ALL)
    return descriptor


def _listen(reads: int, deadline: float, most: int) -> CallEnd:
    """Read an answer until it is whole, of which the child says the length, or breaks off."""
    whole = 0
    poll = select.poll()
    poll.register(reads, select.POLLIN | select.POLLHUP)
    parts: list[bytes] = []
    size = 0
    while True:
        rest = deadline - time.monotonic()
        if rest <= 0 or not poll.poll(rest * 1000):
            return CallEnd(b"".join(parts), None, late=True)
        part = os.read(reads, CHUNK)
        if not part:  # an answer that is shorter than it says is none
            return CallEnd(b"".join(parts)[: HEAD if whole else None], None)
        size += len(part)
        if size > most:
            return CallEnd(b"", None, flooded=True)
        parts.append(part)
        if not whole and size >= HEAD:
            parts = [b"".join(parts)]
            (length,) = LENGTH.unpack(parts[0][len(LOCKED) : HEAD])
            whole = min(HEAD + length, most + 1)
        if whole and size >= whole:
            return CallEnd(b"".join(parts)[:whole], 0)


def _handle(status: socket.socket, process: int) -> int:
    """The descriptor of the child that got the call.

    Raises:
        ConnectionError: If the process that should hand it over ended, or was stopped by somebody.
    """
    deadline = time.monotonic() + START_SECONDS
    status.settimeout(STATUS_SECONDS)
    while True:
        try:
            word, descriptors, _, _ = socket.recv_fds(status, 16, 1)
        except TimeoutError:
            if _is_stopped(process) or time.monotonic() > deadline:
                raise ConnectionError("its process stands still") from None
            continue
        if word != b"p" or not descriptors:
            raise ConnectionError("its process ended")
        return descriptors[0]


def _is_stopped(process: int) -> bool:
    """Whether a process was stopped by a signal or a debugger, and so will never answer."""
    try:
        line = Path(f"/proc/{process}/stat").read_text("utf-8", "replace")
    except OSError:
        return False
    return line.rpartition(")")[2].split()[:1] in (["T"], ["t"])


def _status(status: socket.socket, handle: int) -> int | None:
    """How a child ended that wrote its last; one that closed the pipe and stays is killed.

    Raises:
        ConnectionError: If the process that should tell ended, and its children with it.
    """
    status.settimeout(STATUS_SECONDS)
    try:
        word = status.recv(16)
        if not word:
            raise ConnectionError("its process ended")
        return int(word)
    except TimeoutError:
        _kill(handle)
        return None


def _kill(handle: int) -> None:
    with suppress(ProcessLookupError):  # it has ended
        signal.pidfd_send_signal(handle, signal.SIGKILL)
