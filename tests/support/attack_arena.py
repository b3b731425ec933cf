"""The arena of the attacks: bait outside the sandbox, and who looks whether it was taken."""

from __future__ import annotations

import ctypes
import json
import os
import platform
import secrets
import select
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from threading import Timer
from typing import NamedTuple

import polars as pl
from attack_cases import Attack
from work import comes_true

from wideleaf.tools.errors import ActionError, SandboxError
from wideleaf.tools.sandbox.answer import RunOutcome
from wideleaf.tools.sandbox.inside.zygote import STANDBYS
from wideleaf.tools.sandbox.program import Limits, Program, Sandbox

GOT = "GOT-IT"
MAX_GROWTH = 200 << 20
"""Bytes that our own process may grow by while it reads an answer of at most `OUTPUT_MB`."""
OUTPUT_MB = 16
PROBE = Program(code="result = [float(df['a'].sum()), len(df), str(df['t'].iloc[0])]")
PROBED = [6.0, 3, "to_csv"]


class Ending(NamedTuple):
    """How one attack ended in one mode.

    Attributes:
        kind: ``ok``, or the kind of its error.
        evidence: What it got at, in words; empty if it was refused or contained.
        text: What a model would read of an error.
    """

    kind: str
    evidence: str
    text: str = ""


class Arena:
    """Bait in a folder of its own: a secret in files, in the environment, in memory; listeners."""

    def __init__(self, folder: Path) -> None:
        self.bait, self.out = folder / "bait", folder / "out"
        token = secrets.token_hex(8)
        self.secrets = {
            where: f"CANARY-{where.upper()}-{token}" for where in ("file", "environ", "memory")
        }
        self.cell = f"CANARY-CELL-{token}"
        self.abstract = f"wideleaf-{token}"
        self.frame = pl.DataFrame(
            {"a": [1, 2, 3], "b": [0.5, 1.5, None], "t": ["to_csv", "two", self.cell]}
        )
        self.buffer = ctypes.create_string_buffer(self.secrets["memory"].encode(), 64)
        self._lay_bait()
        os.environ["WIDELEAF_CANARY"] = self.secrets["environ"]
        self.listeners = [socket.socket(), socket.socket(type=socket.SOCK_DGRAM)]
        for one in self.listeners:
            one.bind(("127.0.0.1", 0))
        if sys.platform == "linux":
            self.listeners.append(socket.socket(socket.AF_UNIX))
            self.listeners[-1].bind("\0" + self.abstract)
        for one in self.listeners:
            one.setblocking(False)
            if one.type == socket.SOCK_STREAM:
                one.listen()

    def _lay_bait(self) -> None:
        self.bait.mkdir(parents=True)
        self.out.mkdir()
        (self.out / "there").write_text("there")
        secret = self.secrets["file"]
        (self.bait / "secret.txt").write_text(f"word\n{secret}\n")
        (self.bait / "secret.json").write_text(json.dumps([{"word": secret}]))
        (self.bait / "secret.xml").write_text(f"<r><row><word>{secret}</word></row></r>")
        page = f"<table><tr><th>word</th></tr><tr><td>{secret}</td></tr></table>"
        (self.bait / "secret.html").write_text(page)
        (self.bait / "link").symlink_to(self.bait / "secret.txt")
        frame = pl.DataFrame({"word": [secret]})
        self.given, self.spill = self.bait / "given.parquet", self.bait.parent / "spill"
        self.spill.mkdir()
        pl.DataFrame({"a": [1]}).write_parquet(self.given)
        frame.write_parquet(self.bait / "secret.parquet")
        frame.write_ipc(self.bait / "secret.feather", compat_level=pl.CompatLevel.oldest())
        command = f"(S'touch {self.out}/pickle'"
        (self.bait / "secret.pickle").write_bytes(f"cos\nsystem\n{command}\ntR.".encode())
        with sqlite3.connect(self.bait / "secret.db") as connection:
            connection.execute("create table t (word text)")
            connection.execute("insert into t values (?)", [secret])
        connection.close()

    def close(self) -> None:
        """Take the bait away."""
        for one in self.listeners:
            one.close()
        os.environ.pop("WIDELEAF_CANARY", None)

    @cached_property
    def words(self) -> dict[str, str]:
        """What the words in an attack's code stand for."""
        tcp, udp = (one.getsockname()[1] for one in self.listeners[:2])
        return {
            "SECRET_FILE": f"{self.bait}/secret.txt",
            "SECRET_LINK": f"{self.bait}/link",
            "SECRET_JSON": f"{self.bait}/secret.json",
            "SECRET_HTML": f"{self.bait}/secret.html",
            "SECRET_XML": f"{self.bait}/secret.xml",
            "SECRET_PARQUET": f"{self.bait}/secret.parquet",
            "SECRET_FEATHER": f"{self.bait}/secret.feather",
            "SECRET_PICKLE": f"{self.bait}/secret.pickle",
            "SECRET_DB": f"{self.bait}/secret.db",
            "OUT_FOLDER": str(self.out),
            "PORT_NUMBER": str(tcp),
            "UDP_NUMBER": str(udp),
            "ABSTRACT_NAME": self.abstract,
            "PARENT_PID": str(os.getpid()),
            "PARENT_ADDRESS": str(ctypes.addressof(self.buffer)),
            "GOT": '"-".join(["GOT", "IT"])',
        }

    def code(self, text: str) -> str:
        """An attack's code with the bait in it."""
        for word, meant in self.words.items():
            text = text.replace(word, meant)
        return text

    def code_of_sql(self, text: str) -> str:
        """An attack's SQL with the bait in it."""
        for word, meant in self.words.items():
            text = text if word == "GOT" else text.replace(word, meant)
        return text

    def listing(self) -> dict[str, tuple[int, int, int]]:
        """Every file and folder outside, with what would show a change."""
        found = {}
        for one in sorted((*self.bait.rglob("*"), *self.out.rglob("*"))):
            about = one.lstat()
            found[str(one)] = (about.st_size, about.st_mtime_ns, about.st_mode)
        return found

    def clear(self) -> None:
        """Take away what an attack without a wall has left."""
        for one in self.out.iterdir():
            with suppress(OSError):
                one.unlink() if one.is_symlink() or not one.is_dir() else one.rmdir()
        (self.out / "there").write_text("there")
        for one in self.listeners:
            with suppress(BlockingIOError):
                while True:
                    one.accept()[0].close() if one.type == socket.SOCK_STREAM else one.recv(9)

    def taken(self, before: dict[str, tuple[int, int, int]], said: str) -> str:
        """What of the bait was taken, in words; empty if none was."""
        for where, secret in self.secrets.items():
            if secret in said:
                return f"the secret of the {where} came out"
        if GOT in said:
            return "it says that it got through"
        after = self.listing()
        if after != before:
            names = {*before.items()} ^ {*after.items()}
            return f"files changed: {sorted({name for name, _ in names})[:3]}"
        for one in self.listeners:
            try:
                one.accept()[0].close() if one.type == socket.SOCK_STREAM else one.recv(9)
            except BlockingIOError:
                continue
            return "a listener was reached"
        if self.buffer.value != self.secrets["memory"].encode():
            return "memory of this process was changed"
        return ""


def attack(arena: Arena, sandbox: Sandbox, one: Attack, *, checked: bool) -> Ending:
    """Run an attack in the sandbox, then a harmless program, and look at everything outside."""
    limits = Limits(seconds=one.seconds, memory_mb=one.memory_mb, output_mb=OUTPUT_MB)
    before, there = arena.listing(), relatives()
    size = _memory("VmRSS")
    _forget_peak()
    kind, said, text = call_in(arena, sandbox, one.code, limits, checked)
    growth = _memory("VmHWM") - size
    if one.then:
        said += call_in(arena, sandbox, one.then, limits, checked)[1]
    evidence = arena.taken(before, said)
    if arena.cell in text:
        evidence = evidence or "a cell stands in the text that a model reads"
    if growth > MAX_GROWTH:
        evidence = evidence or f"this process grew by {growth >> 20} MiB"
    evidence = evidence or _probe(arena, sandbox) or _left_running(there)
    return Ending(kind, evidence, text)


def call_in(
    arena: Arena, sandbox: Sandbox, code: str, limits: Limits, checked: bool
) -> tuple[str, str, str]:
    """The kind of end, all that came out, and the part of it that a model would read."""
    try:
        program = Program(code=arena.code(code))
        outcome = sandbox.run(program, [arena.frame], limits, checked=checked)
    except ActionError as error:
        return error.kind, f"{error.text}\n{error.private}", error.text
    except SandboxError as error:
        return "sandbox", str(error), str(error)
    return "ok", _whole(outcome), ""


def _whole(outcome: RunOutcome) -> str:
    """All of an outcome as text; it can be written down, whatever made it."""
    parts = [outcome.shape, json.dumps(outcome.value, allow_nan=False), *outcome.index]
    head = outcome.frame.head(50)
    parts += [outcome.printed, *head.columns, json.dumps(head.rows(), default=str)]
    float(outcome.seconds)
    whole = "\n".join(parts)
    whole.encode()  # half a pair of code units would break every file it gets into
    return whole


def _probe(arena: Arena, sandbox: Sandbox) -> str:
    outcome = sandbox.run(PROBE, [arena.frame], Limits(seconds=20), checked=False)
    return "" if outcome.value == PROBED else f"the next call gave {outcome.value}"


def attack_on_duckdb(arena: Arena, one: Attack, *, checked: bool) -> Ending:
    """Run SQL on DuckDB as the project opens it: as one of its queries, or past its check."""
    import duckdb

    from wideleaf.tools.engines.duckdb_engine import DuckDBEngine
    from wideleaf.tools.engines.duckdb_lock import ConnectionGuard

    engine = DuckDBEngine(arena.spill, memory="300MB")
    engine.allow([arena.given], [])
    raw = engine.connection._raw
    SECRETS_OF_OURS = arena.frame  # noqa: F841 - what a query must not find
    before = arena.listing()
    timer = Timer(0.5, raw.interrupt)  # as `LockedConnection.select` does, in a minute
    timer.start()
    kind, said = "ok", ""
    try:
        if checked:
            said = str(ConnectionGuard(raw, seconds=0.5).select(arena.code_of_sql(one.code)))
        else:
            said = str(raw.execute(arena.code_of_sql(one.code)).fetchall())
    except ActionError as error:
        kind, said = error.kind, f"{error.text} {error.private}"
    except (duckdb.Error, MemoryError) as error:
        kind, said = type(error).__name__, "" if "GOT" in str(error) else str(error)
    finally:
        timer.cancel()
        timer.join()
    evidence = arena.taken(before, said) or ("cells of ours came out" if arena.cell in said else "")
    if not evidence:
        rows = raw.execute("SELECT a FROM read_parquet(?)", [str(arena.given)]).fetchall()
        evidence = "" if rows == [(1,)] else "the next query gave something else"
    engine.connection.close()
    return Ending(kind, evidence)


def relatives() -> set[int]:
    """All processes that descend from this one."""
    found: set[int] = set()
    above = [os.getpid()]
    while above:
        tasks = Path(f"/proc/{above.pop()}/task")
        with suppress(OSError):
            for task in tasks.iterdir():
                below = {int(pid) for pid in (task / "children").read_text().split()} - found
                found |= below
                above += below
    return found


def strays() -> set[int]:
    """Processes of a sandbox that nobody owns any more."""
    found = set()
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):
            state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            command = (entry / "cmdline").read_bytes()
            if parent == "1" and state != "Z" and b"sandbox_zygote" in command:
                found.add(int(entry.name))
    return found


def _left_running(before: set[int]) -> str:
    """Processes that ran a program, or more than the warm one with those that wait for a call."""

    def left() -> set[int]:
        after = relatives()
        ran = {pid for pid in after - before if _is_locked(pid)}
        return ran or (after - before if len(after) > max(len(before), 1) + STANDBYS else set())

    return "" if comes_true(lambda: not left()) else f"processes were left: {sorted(left())}"


def _is_locked(process: int) -> bool:
    """Whether a process has passed the last lock, as one does just before it runs a program."""
    with suppress(OSError):
        return "Seccomp:\t2" in Path(f"/proc/{process}/status").read_text()
    return False


def _memory(field: str) -> int:
    with open("/proc/self/status", encoding="ascii") as file:
        line = next(line for line in file if line.startswith(field))
    return int(line.split()[1]) * 1024


def _forget_peak() -> None:
    with suppress(OSError), open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")


BARE = """
import collections, datetime, functools, itertools, json, math, os, re, resource, statistics, sys
import io, contextlib, signal
import numpy as np, pandas as pd
import scipy.stats, sklearn.linear_model, statsmodels.api  # else each attack would wait for them
pd.DataFrame({"a": [1]}).to_string()
nothing = os.open(os.devnull, os.O_RDWR)
for line in sys.stdin:
    asked = json.loads(line)
    reads, writes = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.setsid()
        for fd in (0, 1, 2):
            os.dup2(nothing, fd)
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
        signal.alarm(5)
        printed = io.StringIO()
        scope = {n: globals()[n] for n in asked["given"]}
        scope["df"] = pd.DataFrame(asked["frame"])
        said = ""
        try:
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
                exec(asked["code"], scope)
            said = str(scope.get("result", ""))
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        os.write(writes, json.dumps(said[:50_000] + printed.getvalue()[:5_000]).encode())
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads, "rb") as file:
        said = file.read() or b'""'
    os.waitpid(pid, 0)
    sys.stdout.write(said.decode() + "\\n")
    sys.stdout.flush()
"""
GIVEN = (
    "pd",
    "np",
    "math",
    "datetime",
    "re",
    "statistics",
    "collections",
    "itertools",
    "functools",
)


class Bare:
    """Programs without any wall, in a process that is thrown away: shows that an attack is one."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", BARE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd="/",
        )

    def run(self, arena: Arena, one: Attack) -> str:
        """What an attack took; empty if even here it got nothing."""
        assert self.process.stdin and self.process.stdout
        before = arena.listing()
        asked = {
            "code": arena.code(one.code),
            "given": GIVEN,
            "frame": arena.frame.to_dict(as_series=False),
        }
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        assert select.select([self.process.stdout], [], [], 30)[0], "no word from the process"
        said = json.loads(self.process.stdout.readline())
        taken = arena.taken(before, said)
        self.said = said
        arena.clear()
        return taken

    def close(self) -> None:
        """End it."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


@contextmanager
def arena_in(folder: Path) -> Iterator[Arena]:
    """An arena, taken down at the end."""
    arena = Arena(folder)
    try:
        yield arena
    finally:
        arena.close()


def written_for(one: Attack) -> bool:
    """Whether an attack is written for this machine."""
    return one.machine in ("", platform.machine())
