"""What our actions cost beside the same thing in bare Polars, side by side in one process."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
import polars as pl

from wideleaf.tools import action_named
from wideleaf.tools.action import Action
from wideleaf.tools.observation import observe
from wideleaf.tools.privacy import Policy
from wideleaf.tools.table import Table

REPEATS = 5


class Case(NamedTuple):
    """An action beside its bare form.

    Attributes:
        name: The action's name.
        arguments: Its arguments.
        bare: The same in bare Polars: same rows, columns, null and tie rules.
        inputs: Its input frames.
    """

    name: str
    arguments: dict[str, Any]
    bare: Callable[..., pl.LazyFrame]
    inputs: list[pl.LazyFrame]


def frames(rows: int, keys: int) -> tuple[pl.LazyFrame, pl.LazyFrame]:
    """A table of plots and one of sites, in memory; one cell in twenty is null."""
    random = np.random.default_rng(0)
    plots = pl.DataFrame(
        {
            "site": random.integers(0, keys, rows),
            "crop": random.choice(["wheat", "barley", "rye", "oats"], rows),
            "height": random.normal(100, 20, rows),
            "weight": random.normal(40, 5, rows),
        }
    ).with_columns(pl.when(pl.col("height") % 1 > 0.05).then(pl.col("height")))
    sites = pl.DataFrame({"site": np.arange(keys), "rain": random.normal(600, 90, keys)})
    return plots.lazy(), sites.lazy()


def cases(plots: pl.LazyFrame, sites: pl.LazyFrame) -> list[Case]:
    """What is measured."""
    height, weight = pl.col("height"), pl.col("weight")
    tall = {"column": "height", "op": ">", "value": 120}
    wheat = {"column": "crop", "op": "==", "value": "wheat"}
    means = [{"function": "mean", "column": "height"}, {"function": "sum", "column": "weight"}]
    total = pl.when(weight.count() > 0).then(weight.sum()).alias("sum_weight")
    mean = height.mean().alias("mean_height")
    return [
        Case(
            "Filter",
            {"where": [tall, wheat]},
            lambda t: t.filter((pl.col("height") > 120) & (pl.col("crop") == "wheat")),
            [plots],
        ),
        Case(
            "Derive",
            {"name": "ratio", "expression": {"op": "/", "args": ["weight", "height"]}},
            lambda t: t.with_columns(ratio=pl.when(height != 0).then(weight / height)),
            [plots],
        ),
        Case(
            "Sort",
            {"by": "-height", "limit": 10},
            lambda t: t.filter(height >= height.top_k(10).min()).sort(height, descending=True),
            [plots],
        ),
        Case(
            "Group",
            {"keys": "crop", "measures": means},
            lambda t: t.group_by("crop").agg(mean, total).sort("crop", nulls_last=True),
            [plots],
        ),
        Case(
            "Group",
            {"keys": "site", "measures": means},
            lambda t: t.group_by("site").agg(mean, total).sort("site", nulls_last=True),
            [plots],
        ),
        Case("Aggregate", {"measures": means}, lambda t: t.select(mean, total), [plots]),
        Case("Join", {"on": "site"}, lambda t, u: t.join(u, on="site"), [plots, sites]),
    ]


def seconds(work: Callable[[], object]) -> float:
    """Time one call."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def measure(case: Case) -> tuple[float, float, float, float]:
    """Medians of interleaved repeats: bare, run, resolve and observe, in seconds."""

    def tables() -> list[Table]:
        return [Table(nw.from_native(frame)) for frame in case.inputs]

    asked: Action = action_named(case.name).model_validate(case.arguments)
    resolved = asked.resolve(*tables())
    times: list[tuple[float, float, float, float]] = []
    for _ in range(REPEATS + 1):
        inputs = tables()
        bare = seconds(lambda: case.bare(*case.inputs).collect())
        run = seconds(lambda inputs=inputs: resolved.run(*inputs).frame.collect())
        resolve = seconds(lambda inputs=inputs: asked.resolve(*inputs))
        result = resolved.run(*inputs)
        look = seconds(lambda inputs=inputs, r=result: observe(resolved, inputs, r, Policy()))
        times.append((bare, run, resolve, look))
    bare, run, resolve, look = (statistics.median(one) for one in zip(*times[1:], strict=True))
    return bare, run, resolve, look


def main() -> None:
    """Print a table of times and ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--keys", type=int, default=100_000, help="rows of the table joined with")
    options = parser.parse_args()
    print(f"{options.rows} rows, median of {REPEATS} interleaved repeats")
    print(
        f"{'action':24}{'bare ms':>9}{'run ms':>9}{'ratio':>7}{'resolve ms':>12}{'observe ms':>12}"
    )
    for case in cases(*frames(options.rows, options.keys)):
        bare, run, resolve, look = measure(case)
        named = f"{case.name} {case.arguments.get('keys', '')}"
        print(
            f"{named:24}{bare * 1e3:9.1f}{run * 1e3:9.1f}{run / bare:7.2f}"
            f"{resolve * 1e3:12.1f}{look * 1e3:12.1f}"
        )


if __name__ == "__main__":
    main()
