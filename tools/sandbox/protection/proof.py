"""The proof of the wall: a process that locks itself in, then tries all it may not, and tells."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from wideleaf.tools.sandbox.process import BOOTSTRAP

SECONDS = 20.0
ATTEMPTS = {
    "open a file": "open(__import__('sys').executable, 'rb')",
    "list a folder": "os.listdir('/')",
    "open a file to write": "open('/dev/null', 'wb')",
    "read a file that is open": "os.read(left_open, 1)",
    "open a socket": "socket.socket(socket.AF_INET, socket.SOCK_STREAM)",
    "open a socket of this machine": "socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)",
    "fork": "os.fork() or os._exit(0)",
    "start a thread": "threading.Thread(target=int).start()",
    "run a program": "os.execv(sys.executable, [sys.executable, '-V'])",
    "signal its parent": "os.kill(os.getppid(), 0)",
    "make memory executable": "mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)",
    "take more memory than it may": "bytearray(256 << 20)",
}
"""What is tried, in words and in Python; each has to raise."""
_LOCKED = """
import json, mmap, os, socket, threading
attempts = json.loads(sys.argv[2])
from wideleaf.tools.sandbox.inside.wall import Lock, lock_down
left_open = os.open(sys.executable, os.O_RDONLY)
told = {}
try:
    lock_down(Lock(memory=64 << 20, cpu_seconds=10, reads=(0,), writes=(1,)))
except BaseException as error:
    told["lock"] = f"{type(error).__name__}: {error}"
    attempts = {}
for what, code in attempts.items():
    try:
        eval(code)
        told[what] = ""
    except BaseException as error:
        told[what] = getattr(error, "strerror", None) or str(error) or type(error).__name__
os.write(1, json.dumps(told).encode())
os._exit(0)
"""


class Attempt(NamedTuple):
    """One thing that the locked process tried.

    Attributes:
        what: In words.
        refusal: The error that it got; empty if it succeeded, and so the wall has a hole.
    """

    what: str
    refusal: str


@lru_cache(maxsize=1)
def attempts() -> tuple[Attempt, ...]:
    """What a process that locked itself in tried, and what it was told.

    Returns:
        One for each of `ATTEMPTS`.

    Raises:
        OSError: If the process could not be started, could not lock itself in, or did not tell.
    """
    if not sys.executable:
        raise OSError("this Python does not know its own program (sys.executable)")
    command = [sys.executable, "-I", "-S", "-c", BOOTSTRAP + _LOCKED]
    command += [str(Path(__file__).parent.parent / "inside"), json.dumps(ATTEMPTS)]
    try:
        process = subprocess.run(
            command, capture_output=True, stdin=subprocess.DEVNULL, timeout=SECONDS, env={}, cwd="/"
        )
    except subprocess.TimeoutExpired:
        raise OSError(f"the process of the proof did not end within {SECONDS:g} s") from None
    try:
        reports = json.loads(process.stdout)
    except ValueError:
        raise OSError(
            f"the process of the proof ended with {process.returncode} and told nothing"
        ) from None
    if "lock" in reports:
        raise OSError(f"a process could not lock itself in ({reports['lock']})")
    return tuple(Attempt(what, reports[what]) for what in ATTEMPTS)


def prove_wall() -> str:
    """Why the wall does not hold; empty if it does."""
    try:
        holes = [attempt.what for attempt in attempts() if not attempt.refusal]
    except OSError as error:
        return str(error)
    return f"a process that locked itself in could still {', '.join(holes)}" if holes else ""
