"""Normalise against scipy and scikit-learn, and what it leaves out and says."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from acting import Rows, few, notes, rows, run, table
from hypothesis import given
from on_engines import engine_for, every_engine
from scipy import stats
from sklearn import datasets, preprocessing

from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

NAN, INF = float("nan"), float("inf")
COLUMNS = ["a", "b", "c", "d"]
IRIS = datasets.load_iris(as_frame=True)
WINE = datasets.load_wine(as_frame=True)
IRIS_CELLS = IRIS.data.set_axis(COLUMNS, axis=1)
CELLS = {
    "iris": IRIS_CELLS.assign(kind=IRIS.target),
    "wine": WINE.data.iloc[:, 1:5].set_axis(COLUMNS, axis=1).assign(kind=WINE.target),
}


def open_on(engine: str, frame: pd.DataFrame, folder: Path) -> Table:
    """A frame with the number of each row, on an engine."""
    path = folder / "rows.parquet"
    pl.from_pandas(frame).with_row_index("row").write_parquet(path)
    return Table(engine_for(engine).scan(path))


def scaled(opened: Table, stem: str, **wish: Any) -> Any:
    """The scaled cells, in the order of the rows."""
    made = run("Normalise", opened, columns=COLUMNS, **wish).rows(10_000)
    made.sort(key=lambda one: int(one["row"]))
    return np.array([[one[f"{stem}{name}"] for name in COLUMNS] for one in made], dtype=float)


SCALERS: list[tuple[str, dict[str, Any], Any]] = [
    ("z_", {"population": True}, lambda x: stats.zscore(x)),
    ("z_", {}, lambda x: stats.zscore(x, ddof=1)),
    ("z_", {"population": True}, preprocessing.StandardScaler().fit_transform),
    ("scaled_", {"method": "min-max"}, preprocessing.MinMaxScaler().fit_transform),
    ("scaled_", {"method": "minmax", "low": -2, "high": 5},
     preprocessing.MinMaxScaler(feature_range=(-2, 5)).fit_transform),
    ("robust_", {"method": "robust"}, preprocessing.RobustScaler().fit_transform),
    ("scaled_", {"method": "max abs"}, preprocessing.MaxAbsScaler().fit_transform),
    ("log_", {"method": "ln"}, np.log),
    ("log10_", {"method": "log10"}, np.log10),
    ("log1p_", {"method": "log1p"}, np.log1p),
    ("rank_", {"method": "rank"}, lambda x: (stats.rankdata(x, axis=0) - 1) / (len(x) - 1)),
]  # fmt: skip


@every_engine
@pytest.mark.parametrize("data", CELLS)
@pytest.mark.parametrize(("stem", "wish", "scale"), SCALERS)
def test_scales_are_those_of_scipy_and_scikit_learn(
    engine: str, data: str, stem: str, wish: dict[str, Any], scale: Any, tmp_path: Path
) -> None:
    frame = CELLS[data]
    found = scaled(open_on(engine, frame, tmp_path), stem, **wish)
    expected = scale(frame[COLUMNS].to_numpy())
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@every_engine
@pytest.mark.parametrize("place", [0, 1, 3, 5, 6, 10])
def test_within_groups_each_is_on_its_own_scale(engine: str, place: int, tmp_path: Path) -> None:
    stem, wish, scale = SCALERS[place]
    frame = CELLS["iris"]
    found = scaled(open_on(engine, frame, tmp_path), stem, by="kind", **wish)
    for kind, group in frame.groupby("kind"):
        here = (frame["kind"] == kind).to_numpy()
        expected = scale(group[COLUMNS].to_numpy())
        np.testing.assert_allclose(found[here], expected, rtol=1e-9, atol=1e-12)


@every_engine
def test_nulls_stay_and_take_no_part(engine: str, tmp_path: Path) -> None:
    frame = IRIS_CELLS.mask(np.random.default_rng(0).random(IRIS_CELLS.shape) < 0.3)
    found = scaled(open_on(engine, frame, tmp_path), "z_", population=True)
    expected = stats.zscore(frame.to_numpy(), nan_policy="omit")
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@few
@given(rows)
def test_both_engines_and_plain_python_agree_at_random(given_rows: Rows) -> None:
    opened = table(given_rows)
    made = run("Normalise", opened, columns=["n", "x", "b"], by="t", method="min-max").rows(100)
    for name in ("n", "x", "b"):
        for one in made:
            group = [r[name] for r in given_rows if r["t"] == one["t"] and r[name] is not None]
            if one[name] is None:
                assert one[f"scaled_{name}"] is None
            elif min(group) == max(group):
                assert one[f"scaled_{name}"] == 0
            else:
                share = (one[name] - min(group)) / (max(group) - min(group))
                assert one[f"scaled_{name}"] == pytest.approx(share)


def of(cells: list[Any], kind: Any = pl.Float64, **wish: Any) -> list[Any]:
    made = run(
        "Normalise",
        table([{"a": c} for c in cells], {"a": kind}),
        columns="a",
        replace=True,
        **wish,
    )
    return [one["a"] for one in made.rows(100)]


def told(cells: list[Any], kind: Any = pl.Float64, **wish: Any) -> list[str]:
    opened = table([{"a": c} for c in cells], {"a": kind})
    return [fact.text for fact in notes("Normalise", opened, columns="a", **wish)]


def test_constant_cells_are_0_or_low_however_their_mean_is_rounded() -> None:
    assert of([0.1] * 7) == [0.0] * 7
    assert of([0.1] * 7, method="min-max", low=2, high=3) == [2.0] * 7
    assert of([0.1] * 7, method="rank") == [0.5] * 7
    assert of([0.0] * 3, method="max-abs") == [0.0] * 3
    assert of([5.0], method="z-score") == of([5.0], method="robust") == [0.0]
    assert "1 columns hold one value; such cells are 0" in told([0.1] * 7)
    assert "1 columns hold one value; such cells are 2" in told(
        [0.1] * 7, method="min-max", low=2, high=3
    )
    facts = notes("Normalise", table([{"a": 1.0}] * 3, {"a": pl.Float64}), columns="a")
    assert [(f.text, f.matter) for f in facts][-1] == ("Of one value: 'a'", "statistics")


def test_where_the_quartiles_are_equal_cells_are_centred_as_by_scikit_learn() -> None:
    cells = [1.0] * 9 + [5.0]
    expected = preprocessing.RobustScaler().fit_transform(np.array(cells).reshape(-1, 1)).ravel()
    assert of(cells, method="robust") == expected.tolist()
    assert any("are only centred" in text for text in told(cells, method="robust"))


def test_what_has_no_logarithm_is_null_and_told() -> None:
    cells = [0.0, -1.0, -2.0, 1.0, None, NAN, INF]
    assert of(cells, method="log") == [None, None, None, 0.0, None, None, None]
    assert of(cells, method="log1p")[:4] == [0.0, None, None, pytest.approx(np.log(2))]
    assert "4 cells became null: infinite, or 0 or less" in told(cells, method="log")
    assert "3 cells became null: infinite, or -1 or less" in told(cells, method="log1p")
    assert told([1.0, 2.0], method="log") == []


def test_a_small_number_keeps_its_digits_in_log1p() -> None:
    assert of([1e-12, 3e-17], method="log1p") == pytest.approx([np.log1p(1e-12), 3e-17], rel=1e-12)


def test_infinite_cells_are_left_out() -> None:
    assert of([INF, 1.0, 3.0, -INF], method="min-max") == [None, 0.0, 1.0, None]
    assert "2 cells became null: infinite" in told([INF, 1.0, 3.0, -INF], method="min-max")


def test_no_cells_are_scaled_to_none() -> None:
    for method in ("z-score", "min-max", "robust", "max-abs", "log", "rank"):
        assert of([None, None], method=method) == [None, None]
        assert of([], method=method) == []


def test_new_columns_stand_beside_or_in_the_place_of_the_old() -> None:
    cells = table(
        [{"a": 1.0, "z_a": 2.0}, {"a": 3.0, "z_a": 2.0}], dict.fromkeys(("a", "z_a"), pl.Float64)
    )
    assert run("Normalise", cells, columns="a").columns == ("a", "z_a", "z_a_right")
    assert "The new columns are 'z_a_right'" in [
        f.text for f in notes("Normalise", cells, columns="a")
    ]
    assert run("Normalise", cells, columns="a", replace=True).columns == ("a", "z_a")


BAD: list[tuple[dict[str, Any], str]] = [
    ({"columns": ["a", "t"]}, "but 't' is text"),
    ({"columns": "a", "by": "a"}, "by names 'a', which is to be scaled"),
    ({"columns": "a", "method": "log", "by": "t"}, "'log' takes no by"),
    ({"columns": "a", "method": "rank", "population": True}, "'rank' takes no population"),
    ({"columns": "a", "low": -1}, "'z-score' takes no low and high"),
    ({"columns": "a", "method": "min-max", "low": 1}, "low 1 is not below high 1"),
    ({"columns": "aa"}, "no column 'aa'"),
]


@pytest.mark.parametrize(("wish", "text"), BAD)
def test_what_does_not_fit_is_refused(wish: dict[str, Any], text: str) -> None:
    opened = table([{"a": 1.0, "t": "x"}], {"a": pl.Float64, "t": pl.String})
    with pytest.raises(ActionError) as caught:
        run("Normalise", opened, **wish)
    assert text in caught.value.text
