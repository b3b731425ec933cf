"""What a profile costs beside a bare Polars pass over the same cells, each in a process of its own.

python benchmarks/profile_speed.py TABLE.parquet [--columns 2000]
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from pathlib import Path

WAYS = ("bare", "profile")
CHUNK = 300


def bare(path: Path, columns: int | None) -> int:
    """Nulls, estimates of distinct values, smallest and largest, streamed by chunks of columns."""
    import polars as pl
    import polars.selectors as cs

    frame = pl.scan_parquet(path)
    names = frame.collect_schema().names()[:columns]
    for start in range(0, len(names), CHUNK):
        some = frame.select(names[start : start + CHUNK])
        numbers = cs.numeric()
        some.select(
            pl.all().null_count().name.prefix("n "),
            pl.all().approx_n_unique().name.prefix("d "),
            numbers.min().name.prefix("l "),
            numbers.max().name.prefix("h "),
        ).collect(engine="streaming")
    return len(names)


def profile(path: Path, columns: int | None) -> int:
    """What the index keeps, frequent values with it."""
    from wideleaf.tools.engines.engine import PolarsEngine
    from wideleaf.tools.tables.profiling.profiling import profile_columns
    from wideleaf.tools.tables.table import Table

    table = Table(PolarsEngine().scan(path))
    return len(profile_columns(table, table.columns[:columns]))


def main() -> None:
    """Measure both ways, or one of them in this process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path)
    parser.add_argument("--columns", type=int, help="The first so many; default: all.")
    parser.add_argument("--way", choices=WAYS, help="This one alone, in this process.")
    given = parser.parse_args()
    if given.way is None:
        for way in WAYS:  # each with the file's pages as the one before left them
            subprocess.run([sys.executable, __file__, *sys.argv[1:], "--way", way], check=True)
        return
    start, spent = time.perf_counter(), time.process_time()
    count = (bare if given.way == "bare" else profile)(given.table, given.columns)
    wall, cpu = time.perf_counter() - start, time.process_time() - spent
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{given.way:>8}: {count} columns, {wall:.1f} s ({cpu:.1f} s of processor), "
        f"peak memory {peak:.0f} MB"
    )


if __name__ == "__main__":
    main()
