"""The process of an unwalled call as a fork: of a Python that has imported what each one would."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from wideleaf.tools.sandbox.call_process import BOOTSTRAP, FLAGS
from wideleaf.tools.sandbox.process import ENVIRONMENT

FORKS = """
import os, signal, socket, sys
for name in ("numpy", "pandas", "pyarrow.compute", *sys.argv[3:]):
    __import__(name)
bootstrap = compile(sys.argv[2], "<string>", "exec")
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen()
sys.stdout.write("up\\n")
sys.stdout.flush()
forks = set()
while True:
    caller, _ = listener.accept()
    while forks and (ended := os.waitpid(-1, os.WNOHANG)[0]):
        forks.remove(ended)
    folder, given, _, _ = socket.recv_fds(caller, 4096, 3)
    if not given:
        break
    fork = os.fork()
    if fork == 0:
        os.setsid()
        os.chdir(folder)
        for place, one in enumerate(given):
            os.dup2(one, place)
            os.close(one)
        caller.detach()  # closed as this ends, which its caller awaits
        listener.close()
        sys.argv = ["-c"]
        exec(bootstrap, {"__name__": "__main__"})
        os._exit(1)
    forks.add(fork)
    for one in given:
        os.close(one)
    caller.close()
for one in forks:  # none is reaped, so each number is its own
    os.kill(one, signal.SIGKILL)
    os.waitpid(one, 0)
"""
CALLER = """
import _socket, os, sys
caller = _socket.socket(_socket.AF_UNIX)
caller.connect(sys.argv[1])
three = b"".join(place.to_bytes(4, sys.byteorder) for place in (0, 1, 2))
caller.sendmsg([os.getcwd().encode()], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, three)])
for place in (0, 1, 2):
    os.close(place)
caller.recv(1)
"""
"""Hands over its standard streams and its folder, and ends when the fork does."""


@contextmanager
def unwalled_forks(folder: Path, modules: Sequence[str] = ()) -> Iterator[list[str]]:
    """A process that is forked for each call.

    Args:
        folder: Where its socket lies; its path has to be short.
        modules: What it imports beside what each call needs.

    Yields:
        The command that stands for `bootstrap_command`.
    """
    import socket

    place = str(folder / "forks")
    with subprocess.Popen(
        [sys.executable, *FLAGS, "-c", FORKS, place, BOOTSTRAP, *modules],
        env=ENVIRONMENT,
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout and process.stdout.readline() == b"up\n"
        try:
            yield [sys.executable, "-S", "-s", "-P", "-c", CALLER, place]
        finally:
            with socket.socket(socket.AF_UNIX) as last:
                last.connect(place)
            process.wait(30)
            os.unlink(place)
