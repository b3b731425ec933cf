"""The zygote: a warm process, started by exec, that forks one locked child for each call.

It holds no data and runs no program itself. Its children have an empty environment, the request
in a sealed memory file, one pipe for the answer, and the wall around them (`sandbox_wall`).
"""

from __future__ import annotations

import gc
import json
import mmap
import os
import select
import signal
import socket
from contextlib import suppress
from typing import NoReturn

REQUEST, ANSWER = 3, 4
"""The descriptors of a child."""
MEBIBYTE = 1 << 20
GRACE_SECONDS = 2
NO_WALL, NO_MEMORY, BROKEN = 76, 77, 78
"""How a child ends that could not lock itself, or could not even say what was wrong."""
LOCKED = b"L"
"""Comes before the answer, so that a program cannot pretend that nothing was locked."""
MESSAGE_BYTES = 65_536


def serve(control: int) -> None:
    """Answer calls until the other end of the control socket is closed.

    Args:
        control: Descriptor of a packet socket. A call is a JSON object of limits with three
            descriptors: the request, the pipe for the answer, and a socket that gets a
            descriptor of the child's process and, once it has ended, its status.
    """
    from wideleaf.tools.sandbox_child import warm
    from wideleaf.tools.sandbox_wall import pages_in_use

    warm()
    pages_in_use()  # loads what each child would load anew
    gc.collect()
    gc.freeze()  # what is shared with children is not touched by their collector
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    os.set_blocking(wake_read, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    calls = socket.socket(fileno=control)
    calls.send(b"ready")
    waiting: dict[int, socket.socket] = {}
    while True:
        ready, _, _ = select.select([control, wake_read], [], [])
        if wake_read in ready:
            os.read(wake_read, 4096)
            _reap(waiting)
        if control not in ready:
            continue
        said, given, _, _ = socket.recv_fds(calls, MESSAGE_BYTES, 3)
        if not said:
            break
        request, answer, status = given
        pid = os.fork()
        if pid == 0:
            _child(request, answer, json.loads(said))
        os.close(request)
        os.close(answer)
        waiting[pid] = socket.socket(fileno=status)
        handle = os.pidfd_open(pid)
        try:
            socket.send_fds(waiting[pid], [b"p"], [handle])
        except OSError:  # nobody waits for it any more
            os.kill(pid, signal.SIGKILL)
        os.close(handle)
    for pid in waiting:
        os.kill(pid, signal.SIGKILL)


def _reap(waiting: dict[int, socket.socket]) -> None:
    while waiting:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        listener = waiting.pop(pid)
        with suppress(OSError):
            listener.send(str(os.waitstatus_to_exitcode(status)).encode())
        listener.close()


def _child(request: int, answer: int, limits: dict[str, int]) -> NoReturn:
    code = BROKEN
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _keep_only(request, answer)
        code = _compute(limits)
    except MemoryError:
        code = NO_MEMORY
    finally:
        os._exit(code)


def _keep_only(request: int, answer: int) -> None:
    # By way of high numbers, for one may stand where the other is to go.
    high = [os.dup2(request, 1000), os.dup2(answer, 1001)]
    os.dup2(high[0], REQUEST)
    os.dup2(high[1], ANSWER)
    os.closerange(ANSWER + 1, 1 << 20)


def _compute(limits: dict[str, int]) -> int:
    from wideleaf.tools.sandbox_child import LENGTH, answer
    from wideleaf.tools.sandbox_wall import Lock, lock_down

    size = os.fstat(REQUEST).st_size
    given = mmap.mmap(REQUEST, size, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ)
    os.close(REQUEST)
    memory = limits["memory_mb"] * MEBIBYTE + size
    try:
        lock_down(Lock(memory, limits["seconds"] + GRACE_SECONDS, (), (ANSWER,)))
    except (OSError, KeyError):
        return NO_WALL
    os.write(ANSWER, LOCKED)
    said, buffers = answer(memoryview(given))
    for part in (LENGTH.pack(len(said)), said, *buffers):
        left = memoryview(part)
        while left:
            left = left[os.write(ANSWER, left) :]
    return 0
