"""Commands killed at random moments of their life, and the same command gone on with.

    python benchmarks/kills.py [--kills 200] [--chain 5] [--seed 1] [--jobs 2]

Batch, index, a saved answer and a chat are started as processes over small tables and killed
(SIGKILL) after a random time, at any moment from the start of the process to beyond its end. The
same command goes on in the same folder and is killed again, `--chain` times, and then left to its
end: told is how many starts ended by themselves with another exit code than 0, whether the last one
gives the answers of a run that nobody killed, and which files were torn after a kill. A torn file
is one of JSON, Parquet, SQLite or CSV that its own reader cannot read; parts under names of their
own count only if the last run leaves them there.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pyarrow.parquet as pq  # type: ignore[import-untyped]  # it ships no types

QUESTIONS = ("What is the mean yield?", "How many rows?", "Which site has the highest rain?")
SHELL = (sys.executable, "-m", "wideleaf")
BEYOND = 1.05
"""Moments are drawn up to this part of what an uncut run takes."""
LONGEST = 600
"""Seconds that a command may take to go on, on a busy machine."""


class Command(NamedTuple):
    """What is started: words for the shell, what is typed, and what answers it."""

    words: tuple[str, ...]
    typed: str
    told: Callable[[Path, str], object]


class Outcome(NamedTuple):
    """What came of a chain of kills."""

    command: str
    starts: int
    running: int
    failed: tuple[str, ...]
    same: bool
    torn: tuple[str, ...]
    left: tuple[str, ...]


def answers(here: Path, _: str) -> object:
    """The answers of the batch."""
    return pd.read_csv(here / "answers.csv")[["question", "answer"]].to_dict("records")


def saved(here: Path, _: str) -> object:
    """The value of the saved run."""
    return json.loads((here / "saved.json").read_text(encoding="utf-8"))["value"]


def last_lines(_: Path, out: str) -> object:
    """Whether the chat answered each question."""
    return [text in out for text in ("mean of yield: 2.9", "count: 60")]


COMMANDS = {
    "batch": Command(("batch", "q.txt", "sites.csv", "--out", "answers.csv"), "", answers),
    "index": Command(("index", "sites.csv", "wide.csv"), "", lambda *_: None),
    "save": Command(("ask", QUESTIONS[0], "sites.csv", "--save", "saved.json"), "", saved),
    "chat": Command(("chat", "sites.csv", "--thread", "t"), "\n".join(QUESTIONS[:2]), last_lines),
}


def make_tables(here: Path) -> None:
    """Write the tables and questions that the commands name."""
    rows = range(60)
    sites = {"site": [f"S{n % 7}" for n in rows], "yield": [n % 7 for n in range(63)][:60]}
    pd.DataFrame({**sites, "rain": [*rows]}).to_csv(here / "sites.csv", index=False)
    wide = pd.DataFrame({f"leaf_{n}_cm": [n, n + 1] for n in range(200)})
    wide.to_csv(here / "wide.csv", index=False)
    (here / "q.txt").write_text("\n".join(QUESTIONS), encoding="utf-8")


def start(command: Command, here: Path) -> subprocess.Popen[str]:
    """Start a command in its folder, in a session of its own."""
    (here / "typed.txt").write_text(f"{command.typed}\n", encoding="utf-8")
    with (here / "typed.txt").open(encoding="utf-8") as typed:
        return subprocess.Popen(
            [*SHELL, *command.words],
            cwd=here,
            stdin=typed,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )


def torn_files(here: Path) -> list[str]:
    """Files under their own names that their own readers cannot read."""
    return [str(path.relative_to(here)) for path in files_in(here) if not is_whole(path)]


def files_in(here: Path) -> list[Path]:
    """All files but parts, which have names of their own."""
    return [p for p in here.rglob("*") if p.is_file() and not is_part(p.relative_to(here))]


def is_part(path: Path) -> bool:
    """Whether a file is under way: a part, or in a folder that is read from nowhere else."""
    return any(word.endswith(".part") or word.startswith("reading-") for word in path.parts)


def is_whole(path: Path) -> bool:
    """Whether the reader of its kind reads a file."""
    try:
        if path.suffix == ".json":
            json.loads(path.read_text(encoding="utf-8"))
        elif path.suffix == ".parquet":
            pq.read_table(path)
        elif path.suffix in (".sqlite", ".sqlite3"):
            with closing(sqlite3.connect(path)) as connection:
                found: str = connection.execute("PRAGMA quick_check").fetchone()[0]
                return found == "ok"
        elif path.suffix in (".csv", ".txt"):
            return path.stat().st_size > 0
    except (ValueError, OSError, sqlite3.Error):
        return False
    return True


def kill_chain(name: str, moments: list[float], right: object) -> Outcome:
    """Kill a command at a moment of its life, go on, kill that, and let the last one end."""
    command = COMMANDS[name]
    running, failed, torn = 0, [], []
    with tempfile.TemporaryDirectory(prefix="kills-") as place:
        here = Path(place)
        make_tables(here)
        for moment in moments:
            with start(command, here) as child:
                try:
                    child.wait(moment)
                except subprocess.TimeoutExpired:
                    running += 1
                    os.killpg(child.pid, signal.SIGKILL)
                _, err = child.communicate()
                if child.returncode not in (0, -signal.SIGKILL):
                    failed.append(f"{child.returncode}: {err[-300:]}")
            torn += torn_files(here)
        with start(command, here) as child:
            out, err = child.communicate(timeout=LONGEST)
        if child.returncode:
            failed.append(f"{child.returncode}: {err[-300:]}")
        same = not child.returncode and command.told(here, out) == right
        inner = [path.relative_to(here) for path in here.rglob("*")]
        left = tuple(str(path) for path in inner if is_part(path))
        return Outcome(name, len(moments) + 1, running, tuple(failed), same, tuple(torn), left)


def uncut(name: str, here: Path) -> tuple[float, object]:
    """Seconds of a command that nobody kills, and what it tells."""
    make_tables(here)
    began = time.perf_counter()
    with start(COMMANDS[name], here) as child:
        out, err = child.communicate(timeout=LONGEST)
    if child.returncode:
        raise SystemExit(f"{name} ended with {child.returncode}: {err[-500:]}")
    return time.perf_counter() - began, COMMANDS[name].told(here, out)


def main() -> None:
    """Kill, go on and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--chain", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    at = random.Random(options.seed)
    known = {}
    for name in COMMANDS:
        with tempfile.TemporaryDirectory() as place:
            known[name] = uncut(name, Path(place))
        print(f"{name}: {known[name][0]:.1f} s uncut, {known[name][1]}", flush=True)
    chains = [[*COMMANDS][n % len(COMMANDS)] for n in range(options.kills // options.chain)]
    moments = [
        [at.uniform(0, known[name][0] * BEYOND) for _ in range(options.chain)] for name in chains
    ]
    found: list[Outcome] = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for one in pool.map(kill_chain, chains, moments, [known[name][1] for name in chains]):
            found.append(one)
            if one.failed or one.torn or one.left or not one.same:
                print(one, flush=True)
            print(f"{sum(one.running for one in found)} kills", flush=True)
    print("command  starts  killed  failed  same answers   torn files  parts left")
    for name in (*COMMANDS, "all"):
        of = [one for one in found if name in ("all", one.command)]
        figures = [sum(one.starts for one in of), sum(one.running for one in of)]
        figures += [sum(len(one.failed) for one in of), sum(one.same for one in of), len(of)]
        figures += [sum(len(one.torn) for one in of), sum(len(one.left) for one in of)]
        print("{:7s} {:7d} {:7d} {:7d} {:6d} of {:3d} {:12d} {:11d}".format(name, *figures))


if __name__ == "__main__":
    main()
