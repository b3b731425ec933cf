"""Bin against pandas' cut and qcut, what its bins are called, and what it refuses and says."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from acting import Rows, few, notes, run, table
from hypothesis import given
from hypothesis import strategies as st
from on_engines import ENGINE_NAMES, engine_for, every_engine, marks_of
from sklearn import datasets

from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

NAN, INF = float("nan"), float("inf")


def open_on(engine: str, frame: pd.DataFrame, folder: Path) -> Table:
    """A frame with the number of each row, on an engine."""
    path = folder / "rows.parquet"
    pl.from_pandas(frame).with_row_index("row").write_parquet(path)
    return Table(engine_for(engine).scan(path))


def numbers(opened: Table, **wish: Any) -> list[Any]:
    """The number of each row's bin, from 0."""
    made = run("Bin", opened, name="bin", number=True, **wish).rows(10_000)
    made.sort(key=lambda one: int(one["row"]))
    return [None if one["bin_number"] is None else one["bin_number"] - 1 for one in made]


def codes(cut: Any) -> list[Any]:
    return [None if code != code or code < 0 else int(code) for code in cut]


def some_columns(name: str) -> pd.DataFrame:
    frame = getattr(datasets, f"load_{name}")(as_frame=True).data
    return frame.iloc[:, :4].set_axis(["a", "b", "c", "d"], axis=1)


def every_engine_on(*data: str) -> pytest.MarkDecorator:
    """Polars on all data; the others on the last, which has negative cells and equal edges."""
    return pytest.mark.parametrize(
        ("engine", "data"),
        [
            pytest.param(engine, name, marks=marks_of(engine))
            for engine in ENGINE_NAMES
            for name in (data if engine == "polars" else data[-1:])
        ],
    )


@every_engine_on("iris", "wine", "diabetes")
@pytest.mark.parametrize("right", [True, False])
def test_bins_of_equal_width_are_those_of_pandas_cut(
    engine: str, data: str, right: bool, tmp_path: Path
) -> None:
    frame = some_columns(data)
    opened = open_on(engine, frame, tmp_path)
    for column in frame:
        for count in (1, 3, 10):
            expected = pd.cut(frame[column], count, right=right, labels=False)
            closed = "right" if right else "left"
            found = numbers(opened, column=column, count=count, closed=closed)
            assert found == codes(expected), (column, count)


@every_engine_on("iris", "wine", "breast_cancer", "diabetes")
def test_quantiles_are_those_of_pandas_qcut(engine: str, data: str, tmp_path: Path) -> None:
    frame = some_columns(data)
    opened = open_on(engine, frame, tmp_path)
    for column in frame:
        for parts in (1, 4, 10):
            expected = pd.qcut(frame[column], parts, labels=False, duplicates="drop")
            assert numbers(opened, column=column, quantiles=parts) == codes(expected)


@every_engine
def test_given_edges_are_those_of_pandas_cut(engine: str, tmp_path: Path) -> None:
    frame = some_columns("iris")
    opened = open_on(engine, frame, tmp_path)
    edges = [4.5, 5, 5.1, 6.3, 7]
    expected = pd.cut(frame["a"], edges, include_lowest=True, labels=False)
    assert numbers(opened, column="a", edges=edges) == codes(expected)
    open_ends = [-np.inf, *edges[1:-1], np.inf]
    expected = pd.cut(frame["a"], open_ends, right=False, labels=False)
    for ends in ([None, *edges[1:-1], None], ["-inf", *edges[1:-1], INF]):
        assert numbers(opened, column="a", edges=ends, closed="left") == codes(expected)


@every_engine
def test_many_zeros_merge_quantiles_as_in_pandas(engine: str, tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [0.0] * 70 + [float(n) for n in range(30)]})
    expected = pd.qcut(frame["a"], 10, labels=False, duplicates="drop")
    opened = open_on(engine, frame, tmp_path)
    assert numbers(opened, column="a", quantiles=10) == codes(expected)
    told = [f.text for f in notes("Bin", opened, column="a", quantiles=10)]
    assert "3 of 10 bins: 7 edges are equal" in told


@few
@given(
    st.lists(st.integers(-4, 4).map(lambda n: n / 4), min_size=1, max_size=12), st.integers(1, 5)
)
def test_quantiles_at_random_hold_as_many_rows_as_in_pandas(cells: list[float], parts: int) -> None:
    frame = pd.DataFrame({"a": cells})
    opened = table(
        [{"row": n, "a": a} for n, a in enumerate(cells)], {"row": pl.Int64, "a": pl.Float64}
    )
    found = numbers(opened, column="a", quantiles=parts)
    if len({*cells}) == 1:
        assert found == [0] * len(cells)
        return
    exact = np.quantile(np.sort(cells), np.arange(parts + 1) / parts)
    if np.isin(exact, cells).any() or (np.diff(exact) == 0).any():
        return  # where an edge is a cell, pandas rounds it to either side
    assert found == codes(pd.qcut(frame["a"], parts, labels=False, duplicates="drop"))


def labels(cells: list[Any], kind: Any = pl.Float64, **wish: Any) -> list[str | None]:
    made = run("Bin", table([{"a": one} for one in cells], {"a": kind}), column="a", **wish)
    return [one["a_bin"] for one in made.rows(100)]


def test_bins_are_called_by_their_edges() -> None:
    cells = [0.0, 3.0, 5.0, 10.0]
    assert labels(cells, count=2) == ["[0, 5]", "[0, 5]", "[0, 5]", "(5, 10]"]
    assert labels(cells, count=2, closed="left") == ["[0, 5)", "[0, 5)", "[5, 10]", "[5, 10]"]
    assert labels(cells, count=3) == ["[0, 3.33]", "[0, 3.33]", "(3.33, 6.67]", "(6.67, 10]"]
    assert labels(cells, edges=[0.125, 3, 1e16]) == [None, "[0.125, 3]", "(3, 1e+16]", "(3, 1e+16]"]
    assert labels(cells, edges=[None, 3, None]) == ["<= 3", "<= 3", "> 3", "> 3"]
    assert labels(cells, edges=[None, 3, None], closed="left") == ["< 3", ">= 3", ">= 3", ">= 3"]
    assert labels(cells, edges=[None, None]) == ["all"] * 4
    assert labels(cells, edges=[3, None]) == [None, ">= 3", ">= 3", ">= 3"]
    assert labels(cells, edges=[None, 3], closed="left") == ["<= 3", "<= 3", None, None]
    assert labels([1e-9, 3e-9], count=1) == ["[1e-09, 3e-09]"] * 2
    assert labels([1e-30, 3e-30], count=1) == ["[1e-30, 3e-30]"] * 2
    assert labels(cells, edges=[0, 5, 10], labels=["low", "high"]) == ["low"] * 3 + ["high"]


def test_what_is_no_number_is_in_no_bin_and_what_is_infinite_only_in_an_open_one() -> None:
    cells = [None, NAN, INF, -INF, 1.0, 2.0]
    none: list[str | None] = [None] * 4
    assert labels(cells, count=1) == [*none, "[1, 2]", "[1, 2]"]
    assert labels(cells, quantiles=1) == [*none, "[1, 2]", "[1, 2]"]
    assert labels(cells, edges=[1, None]) == [None, None, ">= 1", None, ">= 1", ">= 1"]
    told = [
        (f.text, f.caveat)
        for f in notes(
            "Bin", table([{"a": c} for c in cells], {"a": pl.Float64}), column="a", count=1
        )
    ]
    assert ("2 rows with a null 'a' are in no bin", True) in told
    assert ("2 rows are outside the edges, so their bin is null", True) in told


@pytest.mark.parametrize("way", [{"count": 3}, {"quantiles": 3}])
def test_no_cells_give_no_bins_and_equal_cells_one(way: dict[str, int]) -> None:
    assert labels([None, None], **way) == [None, None]
    assert labels([], **way) == []
    assert labels([7, 7, 7], pl.Int8, **way) == ["[7, 7]"] * 3
    told = notes("Bin", table([{"a": 7}] * 3, {"a": pl.Int8}), column="a", **way)
    assert "1 of 3 bins: all cells are equal" in [fact.text for fact in told]


def test_cells_that_are_far_apart_or_long_are_cut_all_the_same() -> None:
    far = labels([-1.7e308, 0.0, 1.7e308], count=2)
    assert far[0] == far[1] != far[2] and None not in far
    long = labels([2**63 - 1, -(2**63)], pl.Int64, count=2)
    assert long[0] != long[1] and None not in long
    assert len({*labels([1e-300, 2e-300, 3e-300], count=3)}) == 3


def test_rows_of_each_bin_are_told_and_the_edges_where_cells_may_be() -> None:
    many = table([{"a": float(n)} for n in range(100)], {"a": pl.Float64})
    told = {f.text: f.matter for f in notes("Bin", many, column="a", quantiles=4)}
    assert told["Rows in each bin, in order: 25, 25, 25, 25"] == "statistics"
    assert told["The edges, found in the cells, are about 0, 24.8, 49.5, 74.2, 99"] == "values"
    told = {f.text: f.matter for f in notes("Bin", many, column="a", edges=[0, 5, 99])}
    assert told["Rows in each bin, in order: 6, 94"] == "values"
    assert not any("found in the cells" in text for text in told)


def test_it_is_told_where_text_sorts_in_another_order() -> None:
    cells: Rows = [{"a": 1.0}, {"a": 9.0}]
    opened = table(cells, {"a": pl.Float64})
    sentence = "As text, 'a_bin' sorts in another order than by size"
    wish: dict[str, Any] = {"column": "a", "edges": [0, 2, 10]}
    assert any(f.text.startswith(sentence) for f in notes("Bin", opened, **wish))
    assert not any(f.text.startswith(sentence) for f in notes("Bin", opened, **wish, number=True))
    wish["labels"] = ["a", "b"]
    assert not any(f.text.startswith(sentence) for f in notes("Bin", opened, **wish))


def test_new_names_that_are_taken_get_others_or_are_refused() -> None:
    taken = table([{"a": 1.0, "a_bin": "x"}], {"a": pl.Float64, "a_bin": pl.String})
    made = run("Bin", taken, column="a", count=1, number=True)
    assert made.columns == ("a", "a_bin", "a_bin_right", "a_bin_right_number")
    told = [f.text for f in notes("Bin", taken, column="a", count=1)]
    assert "The new columns are 'a_bin_right'" in told
    with pytest.raises(ActionError, match="there is a column 'a_bin' already"):
        run("Bin", taken, column="a", count=1, name="a_bin")


BAD: list[tuple[dict[str, Any], str]] = [
    ({"column": "t", "count": 2}, "but 't' is text"),
    ({"column": "a"}, "none of edges, count and quantiles given; Bin needs one"),
    ({"column": "a", "count": 2, "edges": [0, 1]}, "edges and count given"),
    ({"column": "a", "edges": [0]}, "1 edges; give 2 to 101"),
    ({"column": "a", "edges": [0, 2, 1]}, "the edges 0, 2, 1 do not ascend"),
    ({"column": "a", "edges": [0, 0, 1]}, "the edges 0, 0, 1 do not ascend"),
    ({"column": "a", "edges": [0, None, 1]}, "only the first and the last may be null"),
    ({"column": "a", "edges": [0, 1, 2], "labels": ["x"]}, "there are 2 bins and 1 labels"),
    ({"column": "b", "quantiles": 3, "labels": ["x", "y", "z"]}, "1 bins, for equal edges are one"),
]


@pytest.mark.parametrize(("wish", "text"), BAD)
def test_what_does_not_fit_is_refused(wish: dict[str, Any], text: str) -> None:
    cells: Rows = [{"a": float(n), "b": 1.0, "t": "x"} for n in range(5)]
    with pytest.raises(ActionError) as caught:
        run("Bin", table(cells, {"a": pl.Float64, "b": pl.Float64, "t": pl.String}), **wish)
    assert text in caught.value.text
