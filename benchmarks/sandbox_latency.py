"""What the sandbox costs: warm and cold calls, many at once, and a steady stream of them.

Run as ``python -m benchmarks.sandbox_latency [--minutes 10]``. The same program runs in this
process and in the sandbox, in turns, so that both see the same machine; the figure is their
difference and ratio.
"""

from __future__ import annotations

import argparse
import os
import statistics
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl

from wideleaf.tools.sandbox.program import Limits, Program
from wideleaf.tools.sandbox.registry import WallSandbox

ROWS, COLUMNS = 100_000, 10
TURNS = 40
AT_ONCE = 50
A_SECOND = 8
PROGRAMS = {
    "mean of each column": "result = df.mean()",
    "group by and sort": "result = df.groupby(df['c0'].round(1))['c1'].mean().sort_values()",
    "all of the frame back": "result = df",
}


def make_frame(rows: int = ROWS) -> pl.DataFrame:
    """A frame of random numbers."""
    chance = np.random.default_rng(0)
    return pl.DataFrame({f"c{n}": chance.random(rows) for n in range(COLUMNS)})


def here(code: str, frame: pl.DataFrame) -> Callable[[], object]:
    """The same program in this process: from the frame that a step has to pandas and its result."""
    compiled = compile(code, "<program>", "exec")

    def run() -> object:
        scope: dict[str, object] = {"pd": pd, "np": np, "df": frame.to_pandas()}
        exec(compiled, scope)
        made = scope["result"]
        return pl.from_pandas(made) if isinstance(made, pd.DataFrame) else made

    return run


def seconds(run: Callable[[], object]) -> float:
    """How long one call takes."""
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def warm(wall: WallSandbox) -> None:
    """Calls of a warm sandbox beside the same in this process."""
    frame = make_frame()
    print(f"warm, {ROWS} x {COLUMNS}, median of {TURNS} turns, ms (here, sandbox, more, ratio)")
    for name, code in PROGRAMS.items():
        program = Program(code=code)
        local = here(code, frame)
        both = [
            (seconds(local), seconds(lambda p=program: wall.run(p, [frame])))  # type: ignore[misc]
            for _ in range(TURNS)
        ]
        inside, outside = (statistics.median(side) * 1000 for side in zip(*both, strict=True))
        more = statistics.median((o - i) * 1000 for i, o in both)
        print(f"  {name:24} {inside:7.1f} {outside:7.1f} {more:+7.1f} {outside / inside:6.2f}")
    small = pl.DataFrame({"a": [1, 2, 3]})
    took = [seconds(lambda: wall.run(Program(code="result = 1"), [small])) for _ in range(TURNS)]
    print(f"  nothing, of three cells: {statistics.median(took) * 1000:.1f} ms")


def cold() -> None:
    """From no process at all to the first answer."""
    took = []
    for _ in range(3):
        wall = WallSandbox()
        frame = pl.DataFrame({"a": [1]})
        took.append(seconds(lambda w=wall, f=frame: w.run(Program(code="result = 1"), [f])))  # type: ignore[misc]
        wall.zygote.stop()
    print(f"cold: {', '.join(f'{one:.2f}' for one in took)} s")


def at_once(wall: WallSandbox) -> None:
    """Many calls of as many threads."""
    frame = make_frame()
    took: list[float] = []

    def call() -> None:
        took.append(
            seconds(lambda: wall.run(Program(code=PROGRAMS["mean of each column"]), [frame]))
        )

    threads = [threading.Thread(target=call) for _ in range(AT_ONCE)]
    whole = seconds(lambda: [*(t.start() for t in threads), *(t.join() for t in threads)])
    slowest = max(took)
    print(f"{AT_ONCE} at once: {whole:.2f} s, {len(took)} answers, the slowest {slowest:.2f} s")


def stream(wall: WallSandbox, minutes: float) -> None:
    """So many calls a second for a while; memory before and after."""
    frame = make_frame(1_000)
    wall.run(Program(code="result = 1"), [frame])
    before, took, late = memory(wall), [], 0
    started = time.perf_counter()
    count = int(minutes * 60 * A_SECOND)
    for number in range(count):
        wait = started + number / A_SECOND - time.perf_counter()
        if wait > 0:
            time.sleep(wait)
        elif wait < -1:
            late += 1
        code = f"result = df['c0'].sum() + {number}"
        took.append(seconds(lambda c=code: wall.run(Program(code=c), [frame])))  # type: ignore[misc]
    after = memory(wall)
    print(
        f"{A_SECOND} a second for {minutes:g} minutes: {count} calls, median "
        f"{statistics.median(took) * 1000:.1f} ms, slowest {max(took) * 1000:.0f} ms, {late} late; "
        f"this process {before[0]} -> {after[0]} MB, descriptors {before[2]} -> {after[2]}; "
        f"the zygote {before[1]} -> {after[1]} MB, descriptors {before[3]} -> {after[3]}"
    )


def memory(wall: WallSandbox) -> tuple[int, int, int, int]:
    """Resident MB of this process and of the zygote, and how many descriptors each has open."""
    process = wall.zygote._process
    ids = (os.getpid(), process.pid if process else os.getpid())
    resident = [_resident(one) for one in ids]
    return (*resident, *(len(list(Path(f"/proc/{one}/fd").iterdir())) for one in ids))  # type: ignore[return-value]


def _resident(process: int) -> int:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) // 1024


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=10)
    minutes = options.parse_args().minutes
    cold()
    wall = WallSandbox()
    wall.run(Program(code="result = 1"), [make_frame(10)], Limits())
    warm(wall)
    at_once(wall)
    if minutes:
        stream(wall, minutes)
    wall.zygote.stop()


if __name__ == "__main__":
    main()
