"""The zygote: a warm process, started by exec, that forks one locked child for each call.

It holds no data and runs no program itself. Its children have an empty environment, the request
in a sealed memory file, one pipe for the answer, and the wall around them (`wall`). Two
are forked ahead, so that a call need not wait for it; each serves one call and ends.
"""

from __future__ import annotations

import gc
import json
import mmap
import os
import select
import signal
import socket
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple, NoReturn

CALLS, REQUEST = 3, 3
"""The descriptors of a child: where it is handed its call, then request and answer."""
STANDBYS = 2
QUIET_SECONDS = 0.02
"""So long nothing is asked for before a further child is forked beside one that is ready."""
MEBIBYTE = 1 << 20
GRACE_SECONDS = 2
NO_WALL, NO_MEMORY, BROKEN = 76, 77, 78
"""How a child ends that could not lock itself, or could not even say what was wrong."""
LOCKED = b"L"
"""Comes before the answer, so that a program cannot pretend that nothing was locked."""
MESSAGE_BYTES = 65_536


class Standby(NamedTuple):
    """A child that is forked and half locked, and waits for its one call.

    Attributes:
        pid: Its process.
        handle: A descriptor of the process.
        calls: Where it is handed the call.
    """

    pid: int
    handle: int
    calls: socket.socket


def serve(control: int, modules: Sequence[str] = ()) -> None:
    """Answer calls until the other end of the control socket is closed.

    Args:
        control: Descriptor of a packet socket. A call is a JSON object of limits with three
            descriptors: the request, the pipe for the answer, and a socket that gets a
            descriptor of the child's process and, once it has ended, its status.
        modules: Those of libraries that programs may import here.
    """
    from wideleaf.tools.sandbox.inside.wall import give_up_rights, pages_in_use
    from wideleaf.tools.sandbox.inside.warm import warm

    warm(modules)
    pages_in_use()  # loads what each child would load anew
    with suppress(OSError):  # each child must, this process may
        give_up_rights()
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
    ready: list[Standby] = []
    while True:
        wait = None if len(ready) >= STANDBYS else 0 if not ready else QUIET_SECONDS
        spoke, _, _ = select.select([control, wake_read], [], [], wait)
        if wake_read in spoke:
            os.read(wake_read, 4096)
            _reap(waiting, ready)
        if control in spoke:
            message, descriptors, _, _ = socket.recv_fds(calls, MESSAGE_BYTES, 3)
            if not message:
                break
            _hand_over(message, descriptors, ready, waiting)
        elif not spoke and len(ready) < STANDBYS:
            ready.append(_stand_by())
    for pid in (*waiting, *(one.pid for one in ready)):
        os.kill(pid, signal.SIGKILL)


def _hand_over(
    message: bytes, descriptors: list[int], ready: list[Standby], waiting: dict[int, socket.socket]
) -> None:
    """Give a call to a child that waits for one, or to a new one."""
    request, answer, status = descriptors
    while True:
        child = ready.pop(0) if ready else _stand_by()
        try:
            socket.send_fds(child.calls, [message], [request, answer])
        except OSError:  # it died while it waited
            _forget(child)
            continue
        break
    listener = waiting[child.pid] = socket.socket(fileno=status)
    try:
        socket.send_fds(listener, [b"p"], [child.handle])
    except OSError:  # nobody waits for it any more
        os.kill(child.pid, signal.SIGKILL)
    for one in (request, answer):
        os.close(one)
    _forget(child)


def _forget(child: Standby) -> None:
    child.calls.close()
    os.close(child.handle)


def _reap(waiting: dict[int, socket.socket], ready: list[Standby]) -> None:
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        for child in [one for one in ready if one.pid == pid]:
            ready.remove(child)
            _forget(child)
        if pid in waiting:
            listener = waiting.pop(pid)
            with suppress(OSError):
                listener.send(str(os.waitstatus_to_exitcode(status)).encode())
            listener.close()


def _stand_by() -> Standby:
    """Fork a child that waits for a call."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    pid = os.fork()
    if pid == 0:
        _child(theirs.detach())
    theirs.close()
    return Standby(pid, os.pidfd_open(pid), ours)


def _child(calls: int) -> NoReturn:
    code = BROKEN
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.dup2(calls, CALLS)
        os.closerange(CALLS + 1, 1 << 20)
        code = _serve_once(socket.socket(fileno=CALLS))
    except MemoryError:
        code = NO_MEMORY
    finally:
        os._exit(code)


def _serve_once(calls: socket.socket) -> int:
    from wideleaf.tools.sandbox.inside.child import LENGTH, answer_request, write_all
    from wideleaf.tools.sandbox.inside.wall import Lock, finish, prepare
    from wideleaf.tools.sandbox.inside.warm import rehearse

    space = -1
    with suppress(OSError, KeyError):
        space = prepare()
    rehearse()  # its own copies of what each program touches are made while nobody waits
    message, descriptors, _, _ = socket.recv_fds(calls, MESSAGE_BYTES, 2)
    calls.close()
    if not message:
        return 0
    if space < 0:
        return NO_WALL
    limits = json.loads(message)
    # By way of high numbers, for one may stand where the other is to go.
    high = [os.dup2(one, place) for place, one in enumerate(descriptors, 1000)]
    request, answers = (os.dup2(one, place) for place, one in enumerate(high, REQUEST))
    os.closerange(answers + 1, 1 << 20)
    size = os.fstat(request).st_size
    mapped = mmap.mmap(request, size, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ)
    os.close(request)
    memory = limits["memory_mb"] * MEBIBYTE + size
    try:
        finish(Lock(memory, limits["seconds"] + GRACE_SECONDS, (), (answers,)), space)
    except (OSError, KeyError):
        return NO_WALL
    os.write(answers, LOCKED)
    message, buffers = answer_request(memoryview(mapped))
    whole = LENGTH.size + len(message) + sum(map(len, buffers))
    write_all(answers, LENGTH.pack(whole), LENGTH.pack(len(message)), message, *buffers)
    return 0
