"""A batch that is killed at random moments and gone on with, and what a batch costs.

    python benchmarks/batch_crashes.py [--questions 300] [--kills 30] [--seed 1] [--no-cost]

Questions of the demo's table, whose answers pandas knows, are asked in a batch whose process is
killed (SIGKILL) after a random time, again and again, and then left to its end. Told is how many
answers are right, lost or asked twice, and whether they equal those of a batch that nobody killed.
Then the same questions are asked one by one (`wl.ask` in a loop, one process), and in batches of
one and two workers: seconds from the start of the process to its end, and the most memory that it
and its workers held together, each beside asking one by one.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd

from wideleaf.graph.batches.journal import ROWS
from wideleaf.graph.demo_table import make_demo_tables

CALL = """
import sys
import wideleaf as wl
questions, table, folder, out, workers = sys.argv[1:]
if workers == "0":
    for question in open(questions).read().splitlines():
        wl.ask(question, table, folder=folder)
else:
    wl.batch(questions, table, folder=folder, out=out, workers=int(workers))
"""
OPENING = 0.3
"""So many of the kills come within `LONGEST` seconds: while the tables are opened."""
LONGEST = 4.0
A_QUESTION = 0.3
"""Seconds, about."""
EVERY = 0.2
KIB = 1024


def questions_of(homes: pd.DataFrame, count: int) -> dict[str, float]:
    """Questions whose answer is one number, with it."""
    made: dict[str, float] = {}
    heating, districts = sorted(homes["heating"].unique()), sorted(homes["district"].unique())
    for day in range(1, 366):
        column = homes[f"electricity_kwh_day_{day}"]
        made[f"What is the mean electricity on day {day}?"] = column.mean()
        warm, place = heating[day % len(heating)], districts[day % len(districts)]
        water = homes.loc[homes["district"] == place, f"water_litres_day_{day}"]
        made[f"What is the maximum water on day {day} in {place}?"] = water.max()
        peak = homes.loc[homes["heating"] == warm, f"peak_kw_day_{day}"]
        made[f"What is the mean peak on day {day} of homes with {warm} heating?"] = peak.mean()
    return dict(list(made.items())[:count])


def memory_of(process: int) -> int:
    """KiB that a process and those below it hold, what they share counted once."""
    held = 0
    for found in (process, *children_of(process)):
        try:
            lines = Path(f"/proc/{found}/smaps_rollup").read_text().splitlines()
        except OSError:  # it has ended meanwhile
            continue
        held += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return held


def children_of(process: int) -> list[int]:
    """The processes below one."""
    found = []
    for listed in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            below = [int(word) for word in listed.read_text().split()]
        except OSError:
            continue
        for one in below:
            found += [one, *children_of(one)]
    return found


def run(call: list[str]) -> tuple[float, float]:
    """Run to the end: seconds, and the most MiB held."""
    began, most = time.perf_counter(), 0
    with subprocess.Popen(call) as child:
        while child.poll() is None:
            most = max(most, memory_of(child.pid))
            time.sleep(EVERY)
    if child.returncode:
        raise SystemExit(f"it ended with {child.returncode}")
    return time.perf_counter() - began, most / KIB


def lines_in(folder: Path) -> list[str]:
    """The whole lines of a batch's journal."""
    found = [*folder.glob(f"batches/*/{ROWS}")]
    lines = found[0].read_text(encoding="utf-8").splitlines() if found else []
    return [line for line in lines if line.endswith("}")]


def wait_a_while(
    child: subprocess.Popen[bytes], folder: Path, at: random.Random, many: int
) -> None:
    """Wait for a random moment: while it opens its tables, or after some answers and a bit."""
    if at.random() < OPENING:
        time.sleep(at.uniform(0, LONGEST))
        return
    wanted = len(lines_in(folder)) + at.randint(1, max(2 * many - 2, 1))
    while child.poll() is None and len(lines_in(folder)) < wanted:
        time.sleep(0.01)
    time.sleep(at.uniform(0, A_QUESTION))


def main() -> None:
    """Kill, go on and compare; print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-cost", action="store_true", help="kill only")
    options = parser.parse_args()
    at = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as place:
        here = Path(place)
        table, _ = make_demo_tables(here)
        gold = questions_of(pd.read_parquet(table), options.questions)
        (here / "questions.txt").write_text("\n".join(gold), encoding="utf-8")

        def call(name: str, workers: int) -> list[str]:
            asked, out = str(here / "questions.txt"), str(here / f"{name}.parquet")
            told = (asked, str(table), str(here / name), out, str(workers))
            return [sys.executable, "-W", "ignore", "-c", CALL, *told]

        kept: list[int] = []
        missed = 0
        for _ in range(options.kills):
            workers = at.choice((1, 2))
            with subprocess.Popen(call("killed", workers), start_new_session=True) as child:
                wait_a_while(child, here / "killed", at, len(gold) // options.kills)
                missed += child.poll() is not None
                child.kill()
            kept.append(len(lines_in(here / "killed")))
        print(f"answers kept after each kill: {' '.join(map(str, kept))}")
        run(call("killed", 1))
        whole, peak = run(call("whole", 1))
        killed = pd.read_parquet(here / "killed.parquet")
        unbroken = pd.read_parquet(here / "whole.parquet")
        keys = [json.loads(line)["key"] for line in lines_in(here / "killed")]
        right = sum(
            value == value and abs(float(value) - wanted) < 1e-6 * max(1, abs(wanted))
            for value, wanted in zip(killed["value"], gold.values(), strict=True)
        )
        told = ["question", "status", "answer", "value", "plan", "caveats"]
        same = killed[told].equals(unbroken[told])
        print(
            f"{options.kills - missed} kills, {len(gold)} questions: "
            f"{len(killed)} rows, {right} right, "
            f"{len({*gold} - {*killed['question']})} lost, {len(keys) - len({*keys})} kept twice, "
            f"equal to a batch that nobody killed: {same}"
        )
        for name in told:
            for place in (killed[name] != unbroken[name])[lambda other: other].index[:3]:
                print(f"  {name} of {place}: {killed[name][place]!r}, {unbroken[name][place]!r}")
        if options.no_cost:
            return
        alone, most = run(call("alone", 0))
        two, both = run(call("two", 2))
        print("way                  seconds  beside  MiB at most  beside")
        rows = [("one by one", alone, most), ("batch, 1 worker", whole, peak)]
        for name, seconds, held in (*rows, ("batch, 2 workers", two, both)):
            print(
                f"{name:20} {seconds:7.1f} {seconds / alone:7.2f} {held:12.0f} {held / most:7.2f}"
            )


if __name__ == "__main__":
    main()
