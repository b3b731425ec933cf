"""Impute against pandas and scikit-learn, and what it leaves, refuses and says."""

from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest
from acting import Rows, few, notes, rows, run, table
from hypothesis import given
from on_engines import engine_for, every_engine
from sklearn import datasets, preprocessing
from sklearn.impute import KNNImputer, SimpleImputer

from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

NAN, INF = float("nan"), float("inf")
COLUMNS = ["a", "b", "c", "d"]


def holes(name: str = "wine", share: float = 0.2) -> pd.DataFrame:
    """Some columns of a data set with nulls, its classes, and a number of each row."""
    data = getattr(datasets, f"load_{name}")(as_frame=True)
    frame = data.data.iloc[:, :4].set_axis(COLUMNS, axis=1)
    there = np.random.default_rng(1).random(frame.shape) > share
    return frame.where(there).assign(kind=data.target, row=range(len(frame)))


def open_on(engine: str, frame: Any, folder: Path) -> Table:
    path = folder / "rows.parquet"
    made = pl.from_pandas(frame) if isinstance(frame, pd.DataFrame) else frame
    made.sample(fraction=1.0, shuffle=True, seed=0).write_parquet(path)
    return Table(engine_for(engine).scan(path))


def filled(opened: Table, columns: list[str] = COLUMNS, **wish: Any) -> Any:
    """The cells with their nulls filled, in the order of the rows' numbers."""
    made = run("Impute", opened, columns=columns, **wish).rows(10_000)
    made.sort(key=lambda one: int(one["row"]))
    return np.array([[one[name] for name in columns] for one in made], dtype=float)


def equal(found: Any, expected: Any) -> None:
    np.testing.assert_allclose(found, np.asarray(expected, dtype=float), rtol=1e-9, atol=1e-12)


@every_engine
@pytest.mark.parametrize("data", ["wine", "iris"])
@pytest.mark.parametrize(
    ("method", "strategy"), [("mean", "mean"), ("median", "median"), ("mode", "most_frequent")]
)
def test_statistics_are_those_of_scikit_learn(
    engine: str, data: str, method: str, strategy: str, tmp_path: Path
) -> None:
    frame = holes(data)
    expected = SimpleImputer(strategy=strategy).fit_transform(frame[COLUMNS])
    equal(filled(open_on(engine, frame, tmp_path), method=method), expected)


@every_engine
@pytest.mark.parametrize("method", ["mean", "median"])
def test_groups_have_their_own_statistic(engine: str, method: str, tmp_path: Path) -> None:
    frame = holes()
    of_group = frame.groupby("kind")[COLUMNS].transform(method)
    expected = frame[COLUMNS].fillna(of_group)
    equal(filled(open_on(engine, frame, tmp_path), method=method, by="kind"), expected)


@every_engine
def test_a_group_without_a_cell_takes_that_of_all_rows_or_none(engine: str, tmp_path: Path) -> None:
    frame = holes()
    frame.loc[frame["kind"] == 1, "a"] = np.nan
    opened = open_on(engine, frame, tmp_path)
    alone = frame["a"].fillna(frame.groupby("kind")["a"].transform("mean"))
    wish: dict[str, Any] = {"method": "mean", "by": "kind"}
    equal(filled(opened, ["a"], **wish, fallback=False)[:, 0], alone)
    equal(filled(opened, ["a"], **wish)[:, 0], alone.fillna(frame["a"].mean()))
    count = int((frame["kind"] == 1).sum())
    told = [fact.text for fact in notes("Impute", opened, columns="a", **wish)]
    assert f"{count} nulls were filled with the mean of all rows: their group has none" in told
    told = [f.text for f in notes("Impute", opened, columns="a", **wish, fallback=False)]
    assert f"{count} nulls are left: there is no cell to take it from in their group" in told


ALONG: list[tuple[dict[str, Any], Callable[[pd.DataFrame], pd.DataFrame]]] = [
    ({"method": "previous", "order": "row"}, lambda f: f[COLUMNS].ffill()),
    ({"method": "bfill", "order": "row"}, lambda f: f[COLUMNS].bfill()),
    ({"method": "ffill", "order": "-row"}, lambda f: f[COLUMNS].bfill()),
    ({"method": "forward fill", "order": "row", "by": "kind"},
     lambda f: f.groupby("kind")[COLUMNS].ffill()),
    ({"method": "next", "order": ["row"], "by": ["kind"]},
     lambda f: f.groupby("kind")[COLUMNS].bfill()),
    ({"method": "interpolate", "order": "row"},
     lambda f: f[COLUMNS].interpolate(limit_area="inside")),
    ({"method": "linear", "order": "-row"},
     lambda f: f[COLUMNS].interpolate(limit_area="inside")),
    ({"method": "linear", "order": "at"},
     lambda f: f.set_index("at")[COLUMNS].interpolate("index", limit_area="inside")),
    ({"method": "linear", "order": "day"},
     lambda f: f.set_index("at")[COLUMNS].interpolate("index", limit_area="inside")),
    ({"method": "linear", "order": ["day", "row"]},  # two keys tell no distance
     lambda f: f[COLUMNS].interpolate(limit_area="inside")),
]  # fmt: skip


@every_engine
@pytest.mark.parametrize("place", range(len(ALONG)))
def test_what_is_filled_along_an_order_is_as_pandas_fills_it(
    engine: str, place: int, tmp_path: Path
) -> None:
    wish, expected = ALONG[place]
    steps = np.random.default_rng(2).integers(1, 9, 178).cumsum()
    days = pd.Timestamp("2024-01-01") + pd.to_timedelta(steps, unit="D")
    frame = holes().assign(at=steps.astype(float), day=days)
    equal(filled(open_on(engine, frame, tmp_path), **wish), expected(frame))


@every_engine
@pytest.mark.parametrize("count", [1, 4])
def test_neighbours_are_those_of_scikit_learn_by_standard_scores(
    engine: str, count: int, tmp_path: Path
) -> None:
    noise = np.random.default_rng(3).normal(scale=1e-3, size=(178, 4))
    frame = holes()
    frame[COLUMNS] += noise  # so that no two rows are equally near
    scaler = preprocessing.StandardScaler()
    scores = KNNImputer(n_neighbors=count).fit_transform(scaler.fit_transform(frame[COLUMNS]))
    expected = scaler.inverse_transform(scores)
    opened = open_on(engine, frame, tmp_path)
    equal(filled(opened, method="knn", neighbours=count), expected)
    beside = filled(
        opened, ["a", "b"], method="neighbors", neighbours=count, **{"with": ["c", "d"]}
    )
    equal(beside, expected[:, :2])


def test_of_rows_that_are_equally_near_the_same_are_taken_in_whatever_order_they_lie() -> None:
    frame = pl.from_pandas(holes()).select(pl.col(COLUMNS).round(0), "row")
    found = []
    for seed in (0, 1):
        mixed = frame.sample(fraction=1.0, shuffle=True, seed=seed)
        opened = Table(nw.from_native(mixed.lazy()))
        found.append(filled(opened, method="knn", neighbours=3))
    assert (found[0] == found[1]).all()


@few
@given(rows)
def test_modes_at_random_are_the_smallest_of_the_most_frequent(given_rows: Rows) -> None:
    made = run("Impute", table(given_rows), columns=["n", "t", "b"], method="mode", by="u")
    for name in ("n", "t", "b"):
        everywhere = [one[name] for one in given_rows if one[name] is not None]
        for before, after in zip(given_rows, made.rows(100), strict=True):
            here = [
                one[name]
                for one in given_rows
                if one["u"] == before["u"] and one[name] is not None
            ]  # fmt: skip
            cells = here or everywhere
            best = min(cells, key=lambda cell: (-cells.count(cell), cell), default=None)
            assert after[name] == (best if before[name] is None else before[name])


def cells_of(cells: list[Any], kind: Any, **wish: Any) -> tuple[Any, list[Any]]:
    """The type and the cells of a column whose nulls are filled."""
    opened = table([{"a": c, "o": n} for n, c in enumerate(cells)], {"a": kind, "o": pl.Int64})
    made = run("Impute", opened, columns="a", **wish)
    return pl.DataFrame(made.rows(100), schema={"a": None, "o": None}).schema["a"], [
        one["a"] for one in made.rows(100)
    ]


VALUES: list[tuple[Any, Any, Any, list[Any]]] = [
    (pl.Float64, 1.5, 0, [1.5, 0.0]),
    (pl.Float64, 1.5, "1,250", [1.5, 1250.0]),
    (pl.Int8, 1, 300, [1, 300]),
    (pl.Int64, 1, 0.5, [1.0, 0.5]),
    (pl.UInt8, 1, -1, [1, -1]),
    (pl.Decimal(10, 2), 1.5, 0.25, [1.5, 0.25]),
    (pl.String, "x", "none", ["x", "none"]),
    (pl.String, "x", 0, ["x", "0"]),
    (pl.Categorical, "x", "y", ["x", "y"]),
    (pl.Boolean, True, "no", [True, False]),
    (pl.Date, date(2024, 1, 2), "2024-05-31", [date(2024, 1, 2), date(2024, 5, 31)]),
    (pl.Datetime("us"), datetime(2024, 1, 2, 3), "2024-05-31",
     [datetime(2024, 1, 2, 3), datetime(2024, 5, 31)]),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "cell", "value", "expected"), VALUES)
def test_a_value_is_put_in_for_nulls_of_each_kind(
    kind: Any, cell: Any, value: Any, expected: list[Any]
) -> None:
    _, found = cells_of([cell, None], kind, method="value", value=value)
    assert found == expected


def test_statistics_make_floats_of_whole_numbers_and_say_so() -> None:
    kind, found = cells_of([1, 2, None], pl.Int32, method="median")
    assert kind == pl.Float64 and found == [1, 2, 1.5]
    opened = table([{"a": 1}, {"a": None}], {"a": pl.Int32})
    told = [fact.text for fact in notes("Impute", opened, columns="a", method="mean")]
    assert "No longer whole numbers: 'a'" in told
    kind, _ = cells_of([1, 1, None], pl.Int64, method="mode")
    assert kind == pl.Int64


def test_not_a_number_is_a_null_and_what_is_infinite_tells_nothing() -> None:
    assert cells_of([NAN, INF, 1.0, 3.0], pl.Float64, method="mean")[1] == [2.0, INF, 1.0, 3.0]
    assert cells_of([1.0, NAN, 3.0], pl.Float64, method="linear", order="o")[1] == [1, 2, 3]
    near = cells_of([1.0, NAN, INF], pl.Float64, method="next", order="o")[1]
    assert near == [1.0, INF, INF]


def test_columns_without_a_cell_stay_empty() -> None:
    for wish in (
        {"method": "mean"}, {"method": "mode"}, {"method": "previous", "order": "o"},
        {"method": "linear", "order": "o"}, {"method": "knn", "with": "o"},
    ):  # fmt: skip
        assert cells_of([None, None], pl.Float64, **wish)[1] == [None, None]
        assert cells_of([], pl.Float64, **wish)[1] == []


def test_neighbours_of_rows_that_nothing_is_known_of_are_all_and_it_is_told() -> None:
    given_rows: Rows = [{"a": 1.0, "b": 5.0}, {"a": 3.0, "b": 5.0}, {"a": None, "b": None}]
    opened = table(given_rows, {"a": pl.Float64, "b": pl.Float64})
    wish: dict[str, Any] = {"columns": ["a", "b"], "method": "knn", "neighbours": 1}
    assert run("Impute", opened, **wish).rows(9)[-1] == {"a": 2.0, "b": 5.0}
    told = [fact.text for fact in notes("Impute", opened, **wish)]
    assert "1 rows have no number in these columns and took the means" in told


def test_counts_of_nulls_are_told_before_and_after() -> None:
    given_rows: Rows = [{"a": None, "o": 1}, {"a": 1.0, "o": 1}, {"a": None, "o": None}]
    opened = table(given_rows, {"a": pl.Float64, "o": pl.Int64})
    wish: dict[str, Any] = {"columns": ["a", "o"][:1], "method": "interpolate", "order": "o"}
    assert [(fact.text, fact.caveat) for fact in notes("Impute", opened, **wish)] == [
        ("0 nulls were filled, in 1 columns of 3 rows", True),
        ("Nulls: 'a' had 2 and has 2", False),
        ("2 nulls are left: there is no cell on one side of them", True),
        ("Interpolated by the distances in 'o'", False),
        ("2 rows have the same 'o' as another row: other columns decide their order", True),
        ("1 rows with a null 'o' come last", True),
    ]


def test_several_most_frequent_cells_are_told() -> None:
    opened = table([{"a": "x"}, {"a": "y"}, {"a": None}], {"a": pl.String})
    told = [fact.text for fact in notes("Impute", opened, columns="a", method="mode")]
    assert any("several most frequent values differ" in text for text in told)


def test_columns_keep_their_places() -> None:
    opened = table([{"a": 1.0, "o": 1, "b": None}], {"a": pl.Float64, "o": pl.Int64, "b": pl.Int8})
    for wish in ({"method": "mean"}, {"method": "previous", "order": "o"}, {"method": "knn"}):
        assert run("Impute", opened, columns=["b", "a"], **wish).columns == ("a", "o", "b")


BAD: list[tuple[dict[str, Any], str]] = [
    ({"columns": "t", "method": "mean"}, "but 't' is text"),
    ({"columns": "t", "method": "interpolate", "order": "a"}, "but 't' is text"),
    ({"columns": "a", "method": "previous"}, "'previous' needs order, such as a date"),
    ({"columns": "a", "method": "value"}, "'value' needs value, such as 0"),
    ({"columns": "a", "method": "value", "value": "tall"}, "'tall' is no number"),
    ({"columns": "d", "method": "value", "value": "2024-05"}, "'2024-05' is no single day"),
    ({"columns": "a", "method": "mean", "value": 0}, "'mean' takes no value"),
    ({"columns": "a", "method": "mean", "order": "t"}, "'mean' takes no order"),
    ({"columns": "a", "method": "value", "value": 0, "by": "t"}, "'value' takes no by"),
    ({"columns": "a", "method": "mean", "with": "b"}, "'mean' takes no with"),
    ({"columns": "a", "method": "knn"}, "'neighbours' needs two columns or more"),
    ({"columns": "a", "method": "knn", "with": "t"}, "but 't' is text"),
    ({"columns": "a", "method": "mean", "by": "a"}, "by names 'a', which is to be filled"),
    ({"columns": "a", "method": "next", "order": "a"}, "order names 'a', which is to be filled"),
    ({"columns": "aa", "method": "mean"}, "no column 'aa'"),
]


@pytest.mark.parametrize(("wish", "text"), BAD)
def test_what_does_not_fit_is_refused(wish: dict[str, Any], text: str) -> None:
    schema = {"a": pl.Float64, "b": pl.Float64, "t": pl.String, "d": pl.Date}
    opened = table([{"a": 1.0, "b": None, "t": "x", "d": date(2024, 1, 1)}], schema)
    with pytest.raises(ActionError) as caught:
        run("Impute", opened, **wish)
    assert text in caught.value.text


def test_too_many_pairs_of_rows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wideleaf.tools.actions.preparing.fillings.MAX_PAIRS", 3)
    opened = table(
        [{"a": None, "b": 1.0}, {"a": 1.0, "b": 2.0}] * 2, dict.fromkeys("ab", pl.Float64)
    )
    with pytest.raises(ActionError, match="2 rows with a null would be compared with 4 each"):
        run("Impute", opened, columns="a", method="knn", **{"with": "b"})
