"""Measures of shape and certainty against pandas, numpy and scipy on known data sets."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from acting import notes, run, table
from on_engines import engine_for, every_engine
from plan_sql_cases import compare, grown
from pydantic import ValidationError
from scipy import stats
from sklearn.datasets import load_diabetes, load_wine

from wideleaf.tools.actions.group import Aggregate, Group
from wideleaf.tools.actions.measuring.moments import student_coefficients
from wideleaf.tools.actions.pivot import Pivot
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

NEW = ("skewness", "kurtosis", "standard error", "ci low", "ci high", "iqr", "mad",
       "geometric mean")  # fmt: skip
POPULATION = ("std", "variance", "skewness", "kurtosis")
REFERENCE: dict[str, Any] = {
    "skewness": lambda x: pd.Series(x).skew(),
    "kurtosis": lambda x: pd.Series(x).kurt(),
    "standard error": lambda x: stats.sem(x) if len(x) > 1 else None,
    "ci low": lambda x: interval(x)[0],
    "ci high": lambda x: interval(x)[1],
    "iqr": lambda x: stats.iqr(x),
    "mad": lambda x: stats.median_abs_deviation(x),
    "geometric mean": lambda x: stats.gmean(x) if min(x) > 0 else None,
    "population std": lambda x: np.std(x),
    "population variance": lambda x: np.var(x),
    "population skewness": lambda x: stats.skew(x) if len({*x}) > 1 else None,
    "population kurtosis": lambda x: stats.kurtosis(x) if len({*x}) > 1 else None,
}


def interval(x: Any) -> tuple[Any, Any]:
    if len(x) < 2:
        return None, None
    low, high = stats.t.interval(0.95, len(x) - 1, loc=np.mean(x), scale=stats.sem(x))
    return float(low), float(high)


def measures_of(*columns: str) -> list[dict[str, Any]]:
    return [
        *({"function": function, "column": c} for c in columns for function in REFERENCE),
    ]


def name_of(function: str, column: str) -> str:
    return f"{function.replace(' ', '_')}_{column}"


def check(found: dict[str, Any], column: str, cells: Any, rel: float = 1e-9) -> None:
    cells = np.array([float(cell) for cell in cells if cell is not None and cell == cell])
    for function, reference in REFERENCE.items():
        wanted = reference(cells) if len(cells) else None
        wanted = None if wanted is None or math.isnan(wanted) else float(wanted)
        close = wanted if wanted is None else pytest.approx(wanted, rel=rel, abs=1e-12)
        assert found[name_of(function, column)] == close, (function, column)


def wine() -> pl.DataFrame:
    frame = pl.from_pandas(load_wine(as_frame=True).frame)
    frame = frame.rename({"od280/od315_of_diluted_wines": "od.280"})
    return frame.with_columns(ash=pl.when(pl.col("ash") < 3).then("ash"))  # with nulls


def on(engine: str, frame: pl.DataFrame, folder: Path) -> Table:
    frame.write_parquet(folder / "rows.parquet")
    return Table(engine_for(engine).scan(folder / "rows.parquet"))


@every_engine
def test_of_groups_and_of_all_rows_they_are_what_scipy_says(engine: str, tmp_path: Path) -> None:
    # Spark takes a name with a point for a field of a column, in whatever action.
    dotted = "od280" if engine == "spark" else "od.280"
    frame = wine().rename({"od.280": dotted})
    columns = ("alcohol", "ash", dotted, "proline")
    opened = on(engine, frame, tmp_path)
    [whole] = run("Aggregate", opened, measures=measures_of(*columns)).rows(2)
    for column in columns:
        check(whole, column, frame[column].to_list())
    groups = run("Group", opened, keys="target", measures=measures_of(*columns)).rows(9)
    assert len(groups) == 3
    for one in groups:
        for column in columns:
            check(one, column, frame.filter(target=one["target"])[column].to_list())


@every_engine
def test_small_groups_and_dotted_keys(engine: str, tmp_path: Path) -> None:
    key = "g" if engine == "spark" else "g.h"
    cells = [[], [2.0], [1.0, 4.0], [1.0, 1.0, 5.0], [3.0, 7.0, 8.0, 20.0], [0.1] * 6, [None, 2.0]]
    frame = pl.DataFrame(
        {key: [n for n, part in enumerate(cells) for _ in part],
         "x": [cell for part in cells for cell in part]},
        schema={key: pl.Int64, "x": pl.Float64},
    )  # fmt: skip
    made = run("Group", on(engine, frame, tmp_path), keys=key, measures=measures_of("x"))
    for one in made.rows(20):
        check(one, "x", cells[one[key]])
    empty = on(engine, frame.clear(), tmp_path)
    assert run("Group", empty, keys=key, measures=measures_of("x")).rows(2) == []
    [none] = run("Aggregate", empty, measures=measures_of("x")).rows(2)
    assert {*none.values()} == {None}


@every_engine
def test_far_from_zero_no_digit_is_lost(engine: str, tmp_path: Path) -> None:
    away = [0.0, 1.0, 1.0, 2.0, 5.0, 9.0]
    frame = pl.DataFrame({"x": [1e9 + one for one in away], "n": [10**12 + int(a) for a in away],
                          "y": [one * 1e200 for one in away]})  # fmt: skip
    asked = [{"function": f, "column": c} for f in ("skewness", "kurtosis") for c in "xny"]
    [found] = run("Aggregate", on(engine, frame, tmp_path), measures=asked).rows(2)
    for column in "xn":
        assert found[f"skewness_{column}"] == pytest.approx(pd.Series(away).skew(), rel=1e-6)
        assert found[f"kurtosis_{column}"] == pytest.approx(pd.Series(away).kurt(), rel=1e-6)


def test_of_many_rows_the_interval_is_still_students() -> None:
    cells = load_diabetes().target
    frame = pl.DataFrame({"y": cells})
    opened = table(frame.to_dicts(), dict(frame.schema))
    [found] = run("Aggregate", opened, measures=measures_of("y")).rows(2)
    check(found, "y", cells)


def test_the_quantile_of_student_is_scipys_to_nine_digits() -> None:
    df = np.r_[np.arange(1, 2_000), np.geomspace(2_000, 1e12, 500)]
    made = np.zeros_like(df)
    for coefficient in reversed(student_coefficients()):
        made = made * (2 / df - 1) + coefficient
    assert np.abs(made / stats.t.ppf(0.975, df) - 1).max() < 2e-10


@pytest.mark.parametrize(
    ("cells", "dtype"),
    [
        ([True, False, True, True, None], pl.Boolean),
        ([1, 2, 4, -8], pl.Int8),
        ([1, 2, 4, 0], pl.UInt16),
        ([0.5, 1.5, 2.5, 8.0], pl.Float32),
        ([2**62, 2**62 + 2**60, 2**61, 1], pl.Int64),
    ],
)
def test_every_type_of_number(cells: list[Any], dtype: Any) -> None:
    opened = table([{"x": cell} for cell in cells], {"x": dtype})
    [found] = run("Aggregate", opened, measures=measures_of("x")).rows(2)
    known = [float(cell) for cell in cells if cell is not None]
    if 0 in known:
        assert found.pop("geometric_mean_x") == (0 if min(known) == 0 else None)
        found["geometric_mean_x"] = None
    check(found, "x", known)


def test_what_is_no_finite_number_is_null() -> None:
    opened = table([{"x": one} for one in (1.0, 2.0, math.inf)], {"x": pl.Float64})
    [found] = run("Aggregate", opened, measures=[{"function": f, "column": "x"} for f in NEW]).rows(
        2
    )
    assert {name for name, cell in found.items() if cell is not None} == {"mad_x"}


def test_in_pivots_periods_and_of_some_rows() -> None:
    frame = wine().with_columns(
        kind=pl.Series(["a", "b"] * 89), day=pl.date(2024, pl.int_range(178) % 3 + 1, 1)
    )
    opened = table(frame.to_dicts(), dict(frame.schema))
    made = run("Pivot", opened, columns="kind", index="target", value="ash", function="sem",
               headers="values")  # fmt: skip
    for row in made.rows(5):
        for kind in "ab":
            cells = frame.filter(target=row["target"], kind=kind)["ash"].drop_nulls().to_numpy()
            assert row[kind] == pytest.approx(stats.sem(cells))
    asked = [{"function": "ci", "column": "ash"}, {"function": "skew", "column": "ash"}]
    for row in run("Resample", opened, time="day", every="month", measures=asked).rows(5):
        cells = frame.filter(day=row["day"])["ash"].drop_nulls().to_numpy()
        low, high = interval(cells)
        assert (row["ci_low_ash"], row["ci_high_ash"]) == pytest.approx((low, high))
        assert row["skewness_ash"] == pytest.approx(pd.Series(cells).skew())


def test_beside_other_measures_each_keeps_its_own_place() -> None:
    frame = wine()
    opened = table(frame.to_dicts(), dict(frame.schema))
    asked = [
        {"function": "share"},
        {"function": "mad", "column": "ash", "name": "m"},
        {"function": "mode", "column": "target"},
        {"function": "skew", "column": "ash"},
        {"function": "first", "column": "ash", "order": "-alcohol"},
        {"function": "count"},
    ]
    made = run("Group", opened, keys="target", measures=asked)
    assert made.columns == (
        "target", "share", "m", "mode_target", "skewness_ash", "first_ash", "count"
    )  # fmt: skip
    [one, *_] = made.rows(1)
    cells = frame.filter(target=0)["ash"].drop_nulls().to_numpy()
    assert one["m"] == pytest.approx(stats.median_abs_deviation(cells))
    assert (one["mode_target"], one["count"]) == (0, 59)


@pytest.mark.parametrize(
    ("spelled", "meant"),
    [
        ("sem", "standard error"), ("skew", "skewness"), ("KURT", "kurtosis"), ("gmean",
         "geometric mean"), ("interquartile range", "iqr"), ("median_absolute_deviation", "mad"),
        ("population std", "population std"), ("stddev_pop", "population std"),
        ("var_samp", "variance"), ("pop variance", "population variance"), ("sample std", "std"),
        ("standard deviation", "std"), ("sample mean", "mean"), ("population mean", "mean"),
    ],
)  # fmt: skip
def test_spellings(spelled: str, meant: str) -> None:
    made = Aggregate.model_validate({"measures": [{"function": spelled, "column": "x"}]})
    [measure] = made.measures
    told = f"population {measure.function}" if measure.population else measure.function
    assert told == meant
    assert Aggregate.model_validate(made.arguments()) == made


def test_a_confidence_interval_is_its_two_ends() -> None:
    asked = [{"function": "confidence interval", "column": "x", "name": "mean x"}, {"function":
             "count"}, {"function": "ci", "column": "x"}]  # fmt: skip
    made = Group.model_validate({"keys": "g", "measures": asked})
    assert [(one.function, one.name) for one in made.measures] == [
        ("ci low", "mean x_low"), ("ci high", "mean x_high"), ("count", None), ("ci low", None),
        ("ci high", None),
    ]  # fmt: skip
    assert Group.model_validate(made.arguments()) == made


def test_a_population_where_it_means_nothing_is_refused() -> None:
    wrong = {"function": "mean", "column": "x", "population": True}
    with pytest.raises(ValidationError, match="'mean' takes no population"):
        Aggregate.model_validate({"measures": [wrong]})
    assert Pivot(columns="a", value="x", function="sem").function == "standard error"
    with pytest.raises(ValidationError):  # a cell has no word for it
        Pivot.model_validate({"columns": "a", "value": "x", "function": "population std"})


def test_a_geometric_mean_of_cells_below_zero_is_told() -> None:
    rows = [{"g": 1, "x": 2.0}, {"g": 1, "x": 8.0}, {"g": 2, "x": -1.0}, {"g": 3, "x": 0.0}]
    opened = table(rows, {"g": pl.Int64, "x": pl.Float64})
    asked = [{"function": "geometric mean", "column": "x"}]
    made = run("Group", opened, keys="g", measures=asked).rows(5)
    assert [one["geometric_mean_x"] for one in made] == pytest.approx([4.0, None, 0.0])
    [fact] = notes("Group", opened, keys="g", measures=asked)
    assert fact.text == "geometric_mean_x is null in 1 groups: a cell is below zero"
    assert fact.caveat and fact.matter == "statistics"
    [fact] = notes("Aggregate", opened, measures=asked)
    assert fact.text == "geometric_mean_x is null: a cell is below zero"


def test_as_sql_they_are_the_same() -> None:
    frame = wine().select("target", "alcohol", "ash", "proline")
    frame = pl.concat([frame, pl.DataFrame({"target": [7, 8, 8, 9, 9, 9], "alcohol": [1.0] * 6,
                       "ash": [1.0, 1, 1, 0, 2, 3], "proline": [1.0, -1, 2, 3, 4, 4]})],
                       how="vertical_relaxed")  # fmt: skip
    for column in ("ash", "proline", "alcohol"):
        asked = measures_of(column)
        for name, keys in (("Group", {"keys": "target"}), ("Aggregate", {})):
            plan, answer = grown({"wine": frame}, [(name, {**keys, "measures": asked}, ["wine"])])
            assert compare(plan, answer, {"wine": frame}, "duckdb") == ""
            with pytest.raises(ActionError, match="cannot be said in sqlite"):
                compare(plan, answer, {"wine": frame}, "sqlite")


def test_a_thousand_of_them_are_planned_and_run() -> None:
    frame = pl.DataFrame({"g": [1, 1, 1, 2], **{f"N_{n}": [1.0, 2.0, 6.0, None] for n in
                                                range(500)}})  # fmt: skip
    wide = table(frame.to_dicts(), dict(frame.schema))
    asked = [{"function": f, "column": "N_*"} for f in ("skewness", "sem")]
    [one, other] = run("Group", wide, keys="g", measures=asked).rows(5)
    assert one["skewness_N_499"] == pytest.approx(pd.Series([1.0, 2.0, 6.0]).skew())
    assert other["standard_error_N_0"] is None
