"""The rows behind prepared cells: the plan run on them alone makes the cell again."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from wideleaf.tools.privacy import Policy
from wideleaf.tools.provenance.provenance import Trace, trace_cell
from wideleaf.tools.sources.opening import open_catalog
from wideleaf.tools.steps.step import Wish, perform
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree

PLOTS = pl.DataFrame(
    {
        "plot": range(8),
        "crop": ["oats", "rye"] * 4,
        "height": [1.0, 2.0, None, 8.0, 5.0, None, 3.0, 4.0],
        "tags": ["a;b", "c", "", None, "d;e;f", "g", "h;i", "j"],
    }
)
ALL = tuple(range(8))
OATS = (0, 2, 4, 6)


def trace(folder: Path, engine: str, name: str, arguments: dict[str, Any], row: int, column: str) -> Trace:  # noqa: E501  # fmt: skip
    """What is behind a cell of one action on the plots."""
    store = FrameStore(folder, open_catalog({"plots": PLOTS}, folder, engine=engine))
    tree, parents = FrameTree(), []
    for label, call in (
        ("plots", Call(name="Load", arguments={"source": "plots"})),
        ("T1", Call(name=name, arguments=arguments)),
        ("T2", Call(name="Sort", arguments={"by": "plot"})),
        ("T3", Call(name="Select", arguments={"columns": [column]})),
    ):
        node = perform(Wish(call, label, parents), store, Policy(level="samples"))
        assert node.outcome == "ok", node.error
        tree, parents = tree.grow(node), [(label, node.id)]
    return trace_cell(tree, "T3", store, row)


CASES: list[tuple[str, dict[str, Any], int, str, tuple[int, ...]]] = [
    ("Bin", {"column": "height", "edges": [0, 4, 9]}, 3, "height_bin", (3,)),
    ("Bin", {"column": "height", "count": 3}, 3, "height_bin", ALL),
    ("Bin", {"column": "height", "quantiles": 2}, 3, "height", (3,)),
    ("Normalise", {"columns": "height"}, 3, "z_height", ALL),
    ("Normalise", {"columns": "height", "by": "crop"}, 4, "z_height", OATS),
    ("Normalise", {"columns": "height", "method": "min-max"}, 4, "crop", (4,)),
    ("Impute", {"columns": "height", "method": "mean"}, 2, "height", ALL),
    ("Impute", {"columns": "height", "method": "median", "by": "crop", "fallback": False}, 2,
     "height", OATS),
    ("Impute", {"columns": "height", "method": "previous", "order": "plot", "by": "crop"}, 2,
     "height", OATS),
    ("Impute", {"columns": ["height"], "method": "knn", "with": "plot", "neighbours": 1}, 2,
     "height", ALL),
    ("Impute", {"columns": "height", "method": "mean"}, 2, "tags", (2,)),
    ("Split", {"column": "tags", "separator": ";"}, 1, "tags", (0,)),
    ("Split", {"column": "tags", "separator": ";", "count": 2}, 4, "tags_2", (4,)),
]  # fmt: skip


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize(("name", "arguments", "row", "column", "behind"), CASES)
def test_the_rows_behind_a_cell_make_it_again(
    name: str, arguments: dict[str, Any], row: int, column: str, behind: tuple[int, ...],
    engine: str, tmp_path: Path,
) -> None:  # fmt: skip
    found = trace(tmp_path, engine, name, arguments, row, column)
    assert found.reproduced, str(found)
    assert tuple(found.leaves[0].rows) == behind
