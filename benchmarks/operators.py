"""What our actions cost beside the same thing in the bare engine, side by side in one process."""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
import polars as pl

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.engines.duckdb_engine import DuckDBEngine
from wideleaf.tools.privacy import Policy
from wideleaf.tools.steps.observation import observe
from wideleaf.tools.tables.table import Table

REPEATS = 5
height, weight = pl.col("height"), pl.col("weight")
TOTAL = pl.when(weight.count() > 0).then(weight.sum()).alias("sum_weight")
MEAN = height.mean().alias("mean_height")
MEANS = [{"function": "mean", "column": "height"}, {"function": "sum", "column": "weight"}]


class Case(NamedTuple):
    """An action beside its bare forms: same rows, columns, null and tie rules.

    Attributes:
        name: The action's name.
        arguments: Its arguments.
        bare: The same in bare Polars.
        sql: The same in bare DuckDB.
        inputs: Names of its input frames.
    """

    name: str
    arguments: dict[str, Any]
    bare: Callable[..., pl.LazyFrame]
    sql: str
    inputs: tuple[str, ...] = ("plots",)


CASES = (
    Case(
        "Filter",
        {
            "where": [
                {"column": "height", "op": ">", "value": 120},
                {"column": "crop", "op": "==", "value": "wheat"},
            ]
        },
        lambda t: t.filter((height > 120) & (pl.col("crop") == "wheat")),
        "SELECT * FROM plots WHERE height > 120 AND crop = 'wheat'",
    ),
    Case(
        "Derive",
        {"name": "ratio", "expression": {"op": "/", "args": ["weight", "height"]}},
        lambda t: t.with_columns(ratio=pl.when(height != 0).then(weight / height)),
        "SELECT *, CASE WHEN height <> 0 THEN weight / height END AS ratio FROM plots",
    ),
    Case(
        "Sort",
        {"by": "-height", "limit": 10},
        lambda t: t.filter(height >= height.top_k(10).min()).sort(height, descending=True),
        "SELECT * FROM plots WHERE height >= (SELECT min(h) FROM (SELECT height AS h FROM plots "
        "ORDER BY height DESC NULLS LAST LIMIT 10)) ORDER BY height DESC NULLS LAST",
    ),
    Case(
        "Distinct",
        {"columns": ["site", "crop"]},
        lambda t: t.select("site", "crop").unique(),
        "SELECT DISTINCT site, crop FROM plots",
    ),
    Case(
        "Group",
        {"keys": "crop", "measures": MEANS},
        lambda t: t.group_by("crop").agg(MEAN, TOTAL).sort("crop", nulls_last=True),
        "SELECT crop, avg(height) AS mean_height, sum(weight) AS sum_weight FROM plots "
        "GROUP BY crop ORDER BY crop NULLS LAST",
    ),
    Case(
        "Group",
        {"keys": "site", "measures": MEANS},
        lambda t: t.group_by("site").agg(MEAN, TOTAL).sort("site", nulls_last=True),
        "SELECT site, avg(height) AS mean_height, sum(weight) AS sum_weight FROM plots "
        "GROUP BY site ORDER BY site NULLS LAST",
    ),
    Case(
        "Aggregate",
        {"measures": MEANS},
        lambda t: t.select(MEAN, TOTAL),
        "SELECT avg(height) AS mean_height, sum(weight) AS sum_weight FROM plots",
    ),
    Case(
        "Join",
        {"on": "site"},
        lambda t, u: t.join(u, on="site"),
        "SELECT plots.*, rain FROM plots JOIN sites USING (site)",
        ("plots", "sites"),
    ),
    Case(
        "Union",
        {},
        lambda t, u: pl.concat([t, u]),
        "SELECT * FROM plots UNION ALL SELECT * FROM plots",
        ("plots", "plots"),
    ),
    Case(
        "Pivot",
        {"index": "site", "columns": "crop", "value": "weight", "function": "sum"},
        lambda t: (
            t.group_by("site")
            .agg(
                weight.filter(pl.col("crop") == crop).sum().alias(crop)
                for crop in ("barley", "oats", "rye", "wheat")
            )
            .sort("site", nulls_last=True)
        ),
        "SELECT site, "
        + ", ".join(
            f"sum(weight) FILTER (crop = '{crop}') AS {crop}"
            for crop in ("barley", "oats", "rye", "wheat")
        )
        + " FROM plots GROUP BY site ORDER BY site NULLS LAST",
    ),
    Case(
        "Window",
        {"function": "rank", "by": "crop", "order": "-weight", "name": "place"},
        lambda t: t.with_columns(place=weight.rank("min", descending=True).over("crop")),
        "SELECT *, rank() OVER (PARTITION BY crop ORDER BY weight DESC) AS place FROM plots",
    ),
    Case(
        "Unpivot",
        {"columns": ["height", "weight"], "keep": ["site"]},
        lambda t: t.unpivot(["height", "weight"], index="site", variable_name="name"),
        "SELECT site, 'height' AS name, height AS value FROM plots "
        "UNION ALL SELECT site, 'weight', weight FROM plots",
    ),
)


def make(folder: Path, rows: int, keys: int) -> dict[str, Path]:
    """A table of plots and one of sites; one height in twenty is null."""
    random = np.random.default_rng(0)
    plots = pl.DataFrame(
        {
            "site": random.integers(0, keys, rows),
            "crop": random.choice(["wheat", "barley", "rye", "oats"], rows),
            "height": random.normal(100, 20, rows),
            "weight": random.normal(40, 5, rows),
        }
    ).with_columns(pl.when(height % 1 > 0.05).then(height))
    sites = pl.DataFrame({"site": np.arange(keys), "rain": random.normal(600, 90, keys)})
    paths = {name: folder / f"{name}.parquet" for name in ("plots", "sites")}
    plots.write_parquet(paths["plots"])
    sites.write_parquet(paths["sites"])
    return paths


class Side(NamedTuple):
    """One engine: its tables, and how a bare query runs on it."""

    tables: dict[str, nw.LazyFrame[Any]]
    bare: Callable[[Case], object]


def polars_side(paths: dict[str, Path]) -> Side:
    """Frames in memory."""
    frames = {name: pl.read_parquet(path).lazy() for name, path in paths.items()}
    return Side(
        {name: nw.from_native(frame) for name, frame in frames.items()},
        lambda case: case.bare(*(frames[name] for name in case.inputs)).collect(),
    )


def duckdb_side(paths: dict[str, Path]) -> Side:
    """Tables of a database in memory; a result is fetched as Arrow."""
    engine = DuckDBEngine()
    engine.allow(paths.values())
    for name, path in paths.items():
        engine.connection.read_parquet([path]).create(name)
    return Side(
        {name: nw.from_native(engine.connection.table(name)) for name in paths},
        lambda case: engine.connection.sql(case.sql).to_arrow_table(),
    )


def seconds(work: Callable[[], object]) -> float:
    """Time one call."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def measure(case: Case, side: Side) -> tuple[float, ...]:
    """Medians of interleaved repeats: bare, run, resolve and observe, in seconds."""

    def tables() -> list[Table]:
        return [Table(side.tables[name]) for name in case.inputs]

    asked: Action = find_action(case.name).model_validate(case.arguments)
    resolved = asked.resolve(*tables())
    times = []
    for _ in range(REPEATS + 1):
        inputs = tables()
        bare = seconds(lambda: side.bare(case))
        run = seconds(lambda inputs=inputs: resolved.run(*inputs).frame.collect())
        resolve = seconds(lambda inputs=inputs: asked.resolve(*inputs))
        result = resolved.run(*inputs)
        look = seconds(lambda inputs=inputs, r=result: observe(resolved, inputs, r, Policy()))
        times.append((bare, run, resolve, look))
    return tuple(statistics.median(one) for one in zip(*times[1:], strict=True))


def main() -> None:
    """Print a table of times and ratios for each engine."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--keys", type=int, default=100_000, help="rows of the table joined with")
    options = parser.parse_args()
    print(f"{options.rows} rows, median of {REPEATS} interleaved repeats")
    with tempfile.TemporaryDirectory() as folder:
        paths = make(Path(folder), options.rows, options.keys)
        for engine, side in (("polars", polars_side(paths)), ("duckdb", duckdb_side(paths))):
            print(
                f"{engine:20}{'bare ms':>9}{'run ms':>9}{'ratio':>7}{'resolve ms':>12}"
                f"{'observe ms':>12}"
            )
            for case in CASES:
                bare, run, resolve, look = measure(case, side)
                named = f"{case.name} {case.arguments.get('keys', '')}"
                print(
                    f"{named:20}{bare * 1e3:9.1f}{run * 1e3:9.1f}{run / bare:7.2f}"
                    f"{resolve * 1e3:12.1f}{look * 1e3:12.1f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
