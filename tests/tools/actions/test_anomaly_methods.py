"""Anomaly against scikit-learn and scipy on data sets, by batches, by form; and its reasons."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from acting import notes, run, table
from on_engines import engine_for
from scipy import stats
from sklearn import datasets
from sklearn.ensemble import IsolationForest
from sklearn.neighbors import LocalOutlierFactor
from sklearn.preprocessing import StandardScaler

from wideleaf.tools.actions.detecting import anomaly, methods
from wideleaf.tools.errors import ActionError
from wideleaf.tools.steps.step import read_call
from wideleaf.tools.tables import batches
from wideleaf.tools.tables import table as tables
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call

SETS = {
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
    "cancer": datasets.load_breast_cancer,
}
on_both = pytest.mark.parametrize("engine", ["polars", "duckdb"])


def open_set(name: str, engine: str, folder: Path) -> tuple[Table, np.ndarray]:
    cells = SETS[name]().data
    path = folder / f"{name}.parquet"
    pl.DataFrame(cells, schema=[f"c{p}" for p in range(cells.shape[1])]).write_parquet(path)
    return Table(engine_for(engine).scan(path)), cells


def column(made: Table, name: str) -> list[Any]:
    return [row[name] for row in made.rows(10_000)]


@on_both
@pytest.mark.parametrize("name", SETS)
def test_a_forests_scores_are_those_of_scikit_learn(name: str, engine: str, tmp_path: Path) -> None:
    opened, cells = open_set(name, engine, tmp_path)
    made = run("Anomaly", opened, columns="c*", method="isolation forest")
    forest = IsolationForest(random_state=0).fit(cells)
    assert column(made, "anomaly_score") == pytest.approx(-forest.score_samples(cells))
    assert column(made, "is_anomaly") == (forest.predict(cells) == -1).tolist()


@on_both
@pytest.mark.parametrize("name", SETS)
def test_local_outlier_factors_are_those_of_scikit_learn(
    name: str, engine: str, tmp_path: Path
) -> None:
    opened, cells = open_set(name, engine, tmp_path)
    made = run("Anomaly", opened, columns="c*", method="LOF", neighbours=15)
    direct = LocalOutlierFactor(n_neighbors=15).fit(StandardScaler().fit_transform(cells))
    assert column(made, "anomaly_score") == pytest.approx(-direct.negative_outlier_factor_)


@on_both
@pytest.mark.parametrize("population", [False, True])
@pytest.mark.parametrize("name", SETS)
def test_z_scores_are_those_of_scipy(
    name: str, population: bool, engine: str, tmp_path: Path
) -> None:
    opened, cells = open_set(name, engine, tmp_path)
    far = np.abs(stats.zscore(cells, ddof=0 if population else 1))
    made = run("Anomaly", opened, columns="c*", method="z-score", population=population)
    assert column(made, "anomaly_score") == pytest.approx(far.max(axis=1))
    reasons = [f"c{p}" if far[i, p] > 3 else None for i, p in enumerate(far.argmax(axis=1))]
    assert column(made, "anomaly_reason") == reasons


@on_both
@pytest.mark.parametrize(
    "method", ["z-score", "population", "robust z-score", "iqr", "isolation forest"]
)
def test_of_a_table_too_large_to_hold_the_scores_are_the_same(
    method: str, engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, _ = open_set("wine", engine, tmp_path)
    wish: dict[str, Any] = {"columns": "c*", "method": method}
    if method == "population":
        wish |= {"method": "z-score", "population": True}
    whole = run("Anomaly", opened, **wish)
    scores = column(whole, "anomaly_score")
    told = notes("Anomaly", opened, **wish)
    monkeypatch.setattr(tables, "MAX_CELLS", 500)
    monkeypatch.setattr(batches, "MAX_CELLS", 500)
    monkeypatch.setattr(batches, "CELLS_WHOLE", 500)
    monkeypatch.setattr(batches, "CELLS_AT_ONCE", 500)
    again, _ = open_set("wine", engine, tmp_path)
    made = run("Anomaly", again, **wish)
    assert column(made, "anomaly_score") == pytest.approx(scores)
    assert column(made, "anomaly_reason") == column(whole, "anomaly_reason")
    assert notes("Anomaly", again, **wish)[0] == told[0]
    part = made.frame.select("c3", "is_anomaly").head(5).collect()
    assert part.columns == ["c3", "is_anomaly"] and len(part) == 5


@pytest.mark.parametrize("method", ["isolation forest", "local outlier factor"])
def test_of_more_rows_than_are_fitted_a_sample_is_and_it_is_said(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, cells = open_set("cancer", "polars", tmp_path)
    monkeypatch.setattr(methods, "FITTED", dict.fromkeys(methods.FITTED, 300))
    made = run("Anomaly", opened, columns="c*", method=method)
    scores = column(made, "anomaly_score")
    assert len(scores) == len(cells) and None not in scores
    texts = [fact.text for fact in notes("Anomaly", opened, columns="c*", method=method)]
    assert "A sample of 300 of 569 rows was fitted, all scored" in texts


def test_a_share_of_the_rows_can_be_flagged(tmp_path: Path) -> None:
    opened, cells = open_set("cancer", "polars", tmp_path)
    made = run("Anomaly", opened, columns="c*", method="isolation forest", share=0.05)
    forest = IsolationForest(random_state=0, contamination=0.05).fit(cells)
    assert abs(sum(column(made, "is_anomaly")) - sum(forest.predict(cells) == -1)) <= 1
    told = notes("Anomaly", opened, columns="c*", method="isolation forest", share=0.05)
    assert "The threshold is that of the 5 % most unusual rows" in [fact.text for fact in told]


def test_a_forests_reason_is_the_cell_that_lies_furthest() -> None:
    rows = [{"a": float(i % 7), "b": float(i % 5)} for i in range(60)] + [{"a": 3.0, "b": 90.0}]
    shared = table(rows, dict.fromkeys("ab", pl.Float64))
    found = run("Anomaly", shared, columns=["a", "b"], method="isolation forest").rows(99)
    assert found[-1]["is_anomaly"] and found[-1]["anomaly_reason"] == "b"


@on_both
def test_a_word_among_years_is_odd_by_its_form(engine: str, tmp_path: Path) -> None:
    years = [str(1990 + i) for i in range(30)]
    rows = pl.DataFrame(
        {
            "year": [*years, "abc", " 2003 ", "", None],
            "day": [f"2020-01-{i + 1:02d}" for i in range(31)] + ["x1", "2020-02-01", None],
        }
    )
    rows.write_parquet(tmp_path / "forms.parquet")
    opened = Table(engine_for(engine).scan(tmp_path / "forms.parquet"))
    made = run("Anomaly", opened, columns=["year", "day"], method="form")
    odd = [
        (row["year"], row["day"], row["anomaly_reason"])
        for row in made.rows(99)
        if row["is_anomaly"]
    ]
    assert odd == [("abc", "2020-01-31", "year"), (" 2003 ", "x1", "day")]
    told = notes("Anomaly", opened, columns=["year", "day"], method="form")
    shown = next(fact for fact in told if fact.text.startswith("Cells of another form"))
    assert shown.matter == "values" and "'abc' in 'year'" in shown.text


def test_of_texts_of_all_forms_none_is_odd() -> None:
    mixed = [{"t": one} for one in ("abc", "12", "2020-01-01", "a1", "?", "12:30") * 5]
    made = run("Anomaly", table(mixed, {"t": pl.String}), columns="t", method="form")
    assert not any(column(made, "is_anomaly"))


BAD = [
    ({"columns": ["n"], "method": "form"}, "but 'n' is number"),
    ({"columns": ["t"], "method": "iqr"}, "but 't' is text"),
    ({"columns": ["n"], "share": 0.1, "threshold": 2}, "give one"),
    ({"columns": ["n"], "method": "lof", "by": "t"}, "compares all rows"),
]


@pytest.mark.parametrize(("wish", "text"), BAD)
def test_what_does_not_fit_is_refused(wish: dict[str, Any], text: str) -> None:
    rows = [{"n": float(i), "t": "x"} for i in range(9)]
    with pytest.raises(ActionError) as caught:
        run("Anomaly", table(rows, {"n": pl.Float64, "t": pl.String}), **wish)
    assert text in caught.value.text


def test_only_a_z_score_is_of_a_population() -> None:
    call = Call(name="Anomaly", arguments={"columns": ["n"], "method": "iqr", "population": True})
    with pytest.raises(ActionError, match="'iqr' takes no population; 'z-score' does"):
        read_call(call)


def test_every_method_has_a_threshold() -> None:
    assert set(anomaly.METHODS) == {*methods.FITTED, *methods.RULES, "form"} - {methods.POPULATION}


@pytest.mark.parametrize("large", [False, True])
@on_both
def test_equal_quartiles_leave_every_other_cell_outside_as_the_rule_has_it(
    engine: str, large: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if large:
        for where in (tables, batches):
            monkeypatch.setattr(where, "MAX_CELLS", 10)
        monkeypatch.setattr(batches, "CELLS_WHOLE", 10)
    cells = [5.0] * 12 + [5.0001, 4.0, 900.0, None]
    path = tmp_path / "cells.parquet"
    pl.DataFrame({"x": cells}).write_parquet(path)
    made = run("Anomaly", Table(engine_for(engine).scan(path)), columns=["x"], method="iqr")
    found = dict(zip(column(made, "x"), column(made, "is_anomaly"), strict=True))
    assert [found[cell] for cell in (5.0, 5.0001, 4.0, 900.0)] == [False, True, True, True]


def test_groups_of_a_table_too_large_to_hold_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, _ = open_set("wine", "polars", tmp_path)
    monkeypatch.setattr(batches, "MAX_CELLS", 500)
    with pytest.raises(ActionError, match="within groups in memory, and 178 rows x 13 columns"):
        run("Anomaly", opened, columns="c1", by="c0")
