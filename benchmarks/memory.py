"""Peak memory of large work: a group-by over a CSV of gigabytes, a join of millions of rows."""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

BATCH = 1_000_000


def make_csv(path: Path, gigabytes: float) -> int:
    """Write a CSV of about this size, in batches; returns its number of rows."""
    import numpy as np
    import polars as pl

    random, rows = np.random.default_rng(0), 0
    with path.open("wb") as file:
        while file.tell() < gigabytes * 1e9:
            frame = pl.DataFrame(
                {
                    "plot": np.arange(rows, rows + BATCH),
                    "site": random.integers(0, 1_000, BATCH),
                    "crop": random.choice(["wheat", "barley", "rye", "oats"], BATCH),
                    "height": random.normal(100, 20, BATCH).round(3),
                    "weight": random.normal(40, 5, BATCH).round(3),
                    "note": random.choice(["", "lodged", "late sown, replanted"], BATCH),
                }
            )
            frame.write_csv(file, include_header=rows == 0)
            rows += BATCH
    return rows


def make_join(folder: Path, left: int, right: int) -> list[Path]:
    """Write two Parquet files, the left in parts of a batch."""
    import numpy as np
    import polars as pl

    random = np.random.default_rng(0)
    parts = folder / "plots"
    parts.mkdir()
    for start in range(0, left, BATCH):
        size = min(BATCH, left - start)
        pl.DataFrame(
            {
                "plot": np.arange(start, start + size),
                "site": random.integers(0, right, size),
                "height": random.normal(100, 20, size),
            }
        ).write_parquet(parts / f"part-{start // BATCH:05}.parquet")
    sites = folder / "sites.parquet"
    pl.DataFrame({"site": np.arange(right), "rain": random.normal(600, 90, right)}).write_parquet(
        sites
    )
    return [parts, sites]


def steps(task: str) -> list[tuple[str, dict[str, Any], list[str]]]:
    """What is done: name, arguments and inputs of each action."""
    means = [{"function": "mean", "column": "height"}, {"function": "count"}]
    if task == "group":
        return [("Group", {"keys": ["site", "crop"], "measures": means}, ["plots"])]
    top = {"by": "-mean_rain", "limit": 10}
    rain = [{"function": "mean", "column": "rain"}, *means]
    return [
        ("Join", {"on": "site"}, ["plots", "sites"]),
        ("Group", {"keys": "site", "measures": rain}, ["T1"]),
        ("Sort", top, ["T2"]),
    ]


def work(task: str, engine: str, folder: Path, paths: list[Path]) -> None:
    """Read the sources and do the steps, each looked at as in a run; prints what it took."""
    from wideleaf.tools.engines.registry import open_engine
    from wideleaf.tools.privacy import Policy
    from wideleaf.tools.sources.opening import Catalog, open_catalog
    from wideleaf.tools.steps.step import Wish, perform
    from wideleaf.tools.steps.store import FrameStore
    from wideleaf.tools.tree.call import Call

    started = time.perf_counter()
    sources = open_catalog({p.stem: p for p in paths}, folder).all
    read, peak = time.perf_counter() - started, peak_gigabytes()
    print(f"  read: {read:.1f} s, peak {peak:.2f} GB", flush=True)
    store = FrameStore(folder, Catalog(sources, open_engine(engine)))
    ids = {}
    for name in (path.stem for path in paths):
        node = perform(Wish(Call(name="Load", arguments={"source": name}), name), store, Policy())
        ids[name] = node.id
    for number, (name, arguments, inputs) in enumerate(steps(task), start=1):
        parents = [(label, ids[label]) for label in inputs]
        began = time.perf_counter()
        wish = Wish(Call(name=name, arguments=arguments), f"T{number}", parents)
        node = perform(wish, store, Policy())
        ids[node.label] = node.id
        print(
            f"  {name}: {time.perf_counter() - began:.1f} s, {node.rows} rows, "
            f"peak {peak_gigabytes():.2f} GB, {node.outcome} {node.error or ''}",
            flush=True,
        )


def peak_gigabytes() -> float:
    """The most memory this process held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def main() -> None:
    """Make the data, then do each task on each engine in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gigabytes", type=float, default=2.0)
    parser.add_argument("--left", type=int, default=20_000_000)
    parser.add_argument("--right", type=int, default=1_000_000)
    parser.add_argument("--engines", default="polars,duckdb")
    parser.add_argument("--memory", type=float, help="gigabytes a task may take, as a hard limit")
    parser.add_argument("--worker", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        task, engine, folder, *paths = options.worker
        work(task, engine, Path(folder), [Path(path) for path in paths])
        return
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        csv = folder / "plots.csv"
        rows = make_csv(csv, options.gigabytes)
        print(f"plots.csv: {csv.stat().st_size / 1e9:.2f} GB, {rows} rows")
        tasks = {"group": [csv], "join": make_join(folder, options.left, options.right)}
        for task, paths in tasks.items():
            for engine in options.engines.split(","):
                print(f"{task} on {engine}", flush=True)
                command = [sys.executable, __file__, "--worker", task, engine]
                command += [str(folder / f"{task}-{engine}"), *map(str, paths)]
                done = subprocess.run(command, preexec_fn=lambda: limit(options.memory))
                if done.returncode:
                    print(f"  ended with {done.returncode}")


def limit(gigabytes: float | None) -> None:
    """Refuse the process more memory than this."""
    if gigabytes is not None:
        most = int(gigabytes * 1e9)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    os.environ.setdefault("POLARS_MAX_THREADS", "2")
    main()
