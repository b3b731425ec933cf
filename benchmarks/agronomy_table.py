"""Writes the agronomy twin, a made-up table as wide and long as the one of TSO, appendix A.2."""

from __future__ import annotations

import argparse
import resource
import sys
import time
from pathlib import Path

from agronomy.table import make_agronomy_table

WIDTH = 30


def show(done: int, total: int) -> None:
    """Draw how far it is, on one line of a terminal."""
    if not sys.stderr.isatty():
        return
    full = WIDTH * done // total
    bar = "#" * full + "." * (WIDTH - full)
    sys.stderr.write(f"\r[{bar}] {100 * done // total:3d} %  {done} of {total} column chunks")
    sys.stderr.flush()


def main() -> None:
    """Write the table that the arguments ask for, and say what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="the Parquet file to write")
    parser.add_argument("--rows", type=int, default=2_000)
    parser.add_argument("--columns", type=int, default=8_058)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    started = time.perf_counter()
    make_agronomy_table(given.out, given.rows, given.columns, given.seed, progress=show)
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    size = given.out.stat().st_size / 1e6
    print(
        f"\n{given.out}: {given.rows} rows x {given.columns} columns, {size:.1f} MB, "
        f"{seconds:.1f} s, peak memory {peak:.0f} MB"
    )


if __name__ == "__main__":
    main()
