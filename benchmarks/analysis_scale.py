"""Analyses of tables beyond memory: time and memory, and time beside scikit-learn where it fits.

    python benchmarks/analysis_scale.py pca [--rows 20000] [--columns 2000] [--beside]
    python benchmarks/analysis_scale.py k-means [--rows 5000000] [--columns 20] [--beside]
    python benchmarks/analysis_scale.py forest [--rows 5000000] [--columns 20]

Makes a Parquet file of that size under a temporary folder, a part at a time, reads it by batches
and prints seconds and the largest resident size of the process. With `--beside` scikit-learn is
given the whole file in memory in the same run, and the ratio of both times is printed; the
resident size is then that of both.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA as Decomposition
from sklearn.ensemble import IsolationForest
from sklearn.preprocessing import StandardScaler

from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.engines.engine import PolarsEngine
from wideleaf.tools.tables.table import Table

CELLS_AT_ONCE = 8_000_000
SIZES = {"pca": (20_000, 2_000), "k-means": (5_000_000, 20), "forest": (5_000_000, 20)}
GROUPS = 6


def write_table(path: Path, rows: int, columns: int) -> None:
    """Rows around some centres, along some directions, with a few that lie far away."""
    random = np.random.default_rng(0)
    centres = random.normal(scale=4, size=(GROUPS, columns))
    schema = pa.schema([(f"x{place}", pa.float64()) for place in range(columns)])
    step = max(1, CELLS_AT_ONCE // columns)
    with pq.ParquetWriter(path, schema, use_dictionary=False) as writer:
        for first in range(0, rows, step):
            size = min(step, rows - first)
            cells = centres[random.integers(0, GROUPS, size)] + random.normal(size=(size, columns))
            cells[random.random(size) < 0.001] += 25
            arrays = [pa.array(cells[:, place]) for place in range(columns)]
            writer.write_table(pa.table(arrays, schema=schema))


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds that work takes, and what it makes."""
    began = time.perf_counter()
    made = work()
    return time.perf_counter() - began, made


def run(kind: str, table: Table) -> Any:
    """The action, and then every cell that it adds."""
    names = list(table.columns)
    wish: dict[str, tuple[str, dict[str, Any], str]] = {
        "pca": ("PCA", {"n": 3, "nulls": "drop", "method": "incremental"}, "PC1"),
        "k-means": ("Cluster", {"k": GROUPS, "nulls": "drop"}, "cluster"),
        "forest": ("Anomaly", {"method": "isolation forest"}, "anomaly_score"),
    }
    name, arguments, column = wish[kind]
    action = find_action(name).model_validate({"columns": names, **arguments}).resolve(table)
    return action.run(table).frame.select(column).collect()


def beside(kind: str, path: Path) -> Any:
    """The same by scikit-learn, with the whole file in memory."""
    cells = np.column_stack([column.to_numpy() for column in pq.read_table(path).columns])
    if kind == "forest":
        return IsolationForest(random_state=0).fit(cells).score_samples(cells)
    cells = StandardScaler().fit_transform(cells)
    if kind == "pca":
        return Decomposition(3, svd_solver="covariance_eigh").fit_transform(cells)
    return KMeans(GROUPS, n_init=10, random_state=0).fit_predict(cells)


def main() -> None:
    """Make the table, and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=SIZES)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--columns", type=int)
    parser.add_argument("--beside", action="store_true")
    given = parser.parse_args()
    rows, columns = (given.rows or SIZES[given.kind][0], given.columns or SIZES[given.kind][1])
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.parquet"
        write_table(path, rows, columns)
        seconds, _ = timed(lambda: run(given.kind, Table(PolarsEngine().scan(path))))
        size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(
            f"{given.kind} of {rows} x {columns}: {seconds:.1f} s, {size:.2f} GB resident at most"
        )
        if given.beside:
            other, _ = timed(lambda: beside(given.kind, path))
            print(f"scikit-learn in memory: {other:.1f} s; ratio {seconds / other:.2f}")


if __name__ == "__main__":
    main()
