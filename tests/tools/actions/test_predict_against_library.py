"""Predict beside scikit-learn called directly: the same rows held out, the same scores."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from acting import run
from on_engines import engine_for, every_engine, marks_of
from sklearn import datasets, metrics
from sklearn.ensemble import (
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    TimeSeriesSplit,
    cross_val_predict,
    train_test_split,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from wideleaf.tools.tables.table import Table

Split = dict[str, Any]
SPLIT: Split = {"share": 0.3, "seed": 42}
TWO_ENGINES = pytest.mark.parametrize("engine", ["polars", "duckdb"])
NUMBERS = ("R2", "RMSE", "MAE", "MSE")
Loader = Callable[[], Any]


@cache
def loaded(name: str) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], list[str]]:
    """A data set of the library: features, the target (classes by name), names."""
    made = getattr(datasets, f"load_{name}")()
    names = [str(one).replace(".", "_") for one in made.feature_names]
    if name == "diabetes":
        return made.data, made.target, names
    return made.data, np.array(made.target_names)[made.target].astype(str), names


def opened(name: str, engine: str, folder: Path, **more: Any) -> Table:
    """A data set as a table of an engine."""
    cells, target, names = loaded(name)
    frame = pl.DataFrame(cells, schema=names).with_columns(
        target=pl.Series(target.tolist()), **{key: pl.Series(one) for key, one in more.items()}
    )
    path = folder / f"{name}.parquet"
    frame.write_parquet(path)
    return Table(engine_for(engine).scan(path))


def scored(table: Table, **wish: Any) -> dict[str, float]:
    arguments = {"target": "target", **wish}
    return {row["metric"]: row["value"] for row in run("Predict", table, **arguments).rows(30)}


def expected_of(true: Any, said: Any, second: Any = None) -> dict[str, float]:
    """The measures by the library; of numbers, or of categories."""
    if np.asarray(true).dtype.kind == "f":
        return {
            "R2": metrics.r2_score(true, said),
            "MSE": metrics.mean_squared_error(true, said),
            "RMSE": metrics.mean_squared_error(true, said) ** 0.5,
            "MAE": metrics.mean_absolute_error(true, said),
        }
    found = {
        "accuracy": metrics.accuracy_score(true, said),
        "balanced accuracy": metrics.balanced_accuracy_score(true, said),
        "macro F1": metrics.f1_score(true, said, average="macro"),
    }
    classes = sorted(set(true))
    if len(classes) == 2:
        found["precision"] = metrics.precision_score(true, said, pos_label=classes[1])
        found["recall"] = metrics.recall_score(true, said, pos_label=classes[1])
    else:
        found["macro precision"] = metrics.precision_score(true, said, average="macro")
        found["macro recall"] = metrics.recall_score(true, said, average="macro")
    if second is not None:
        found["AUC"] = metrics.roc_auc_score(np.asarray(true) == classes[1], second)
    return found


def same(found: dict[str, float], expected: dict[str, float]) -> None:
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-9, rel=1e-9)


CASES: list[tuple[str, dict[str, Any], Any]] = [
    ("diabetes", {"model": "linear"}, LinearRegression()),
    ("diabetes", {"model": "linear", "scale": False}, LinearRegression()),
    ("diabetes", {"model": "ridge", "penalty": 1, "scale": False}, Ridge()),
    (
        "diabetes",
        {"model": "ridge", "penalty": 2.5},
        make_pipeline(StandardScaler(), Ridge(alpha=2.5)),
    ),
    ("diabetes", {"model": "lasso", "penalty": 0.1, "scale": False}, Lasso(alpha=0.1)),
    (
        "diabetes",
        {"model": "decision tree", "depth": 3},
        DecisionTreeRegressor(max_depth=3, random_state=42),
    ),
    ("diabetes", {"model": "tree"}, DecisionTreeRegressor(random_state=42)),
    ("diabetes", {"model": "random forest"}, RandomForestRegressor(random_state=42)),
    (
        "diabetes",
        {"model": "forest", "trees": 30, "depth": 4},
        RandomForestRegressor(30, max_depth=4, random_state=42),
    ),
    ("diabetes", {"model": "knn", "scale": False}, KNeighborsRegressor()),
    (
        "diabetes",
        {"model": "neighbours", "neighbours": 9},
        make_pipeline(StandardScaler(), KNeighborsRegressor(9)),
    ),
    (
        "diabetes",
        {"model": "boosting", "trees": 20, "depth": 2},
        HistGradientBoostingRegressor(
            max_iter=20, max_depth=2, random_state=42, early_stopping=False
        ),
    ),
    ("iris", {"model": "logistic", "scale": False}, LogisticRegression(max_iter=5_000)),
    ("iris", {"model": "neighbours", "neighbours": 3, "scale": False}, KNeighborsClassifier(3)),
    ("iris", {"model": "tree"}, DecisionTreeClassifier(random_state=42)),
    ("wine", {"model": "GaussianNB"}, GaussianNB()),
    ("wine", {"model": "forest"}, RandomForestClassifier(random_state=42)),
    (
        "wine",
        {"model": "logistic", "penalty": 10},
        make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=300)),
    ),
    ("breast_cancer", {}, make_pipeline(StandardScaler(), LogisticRegression(max_iter=300))),
    ("breast_cancer", {"model": "naive bayes"}, GaussianNB()),
    (
        "breast_cancer",
        {"model": "decision tree", "depth": 4},
        DecisionTreeClassifier(max_depth=4, random_state=42),
    ),
    (
        "breast_cancer",
        {"model": "forest", "trees": 40},
        RandomForestClassifier(40, random_state=42),
    ),
]


@TWO_ENGINES
@pytest.mark.parametrize(("name", "wish", "model"), CASES, ids=lambda one: str(one)[:40])
def test_a_share_held_out_scores_as_the_library_does(
    name: str, wish: dict[str, Any], model: Any, engine: str, tmp_path: Path
) -> None:
    cells, target, names = loaded(name)
    fitted, judged, known, true = train_test_split(cells, target, test_size=0.3, random_state=42)
    model.fit(fitted, known)
    second = model.predict_proba(judged)[:, 1] if len(set(target)) == 2 else None
    found = scored(opened(name, engine, tmp_path), features=names, **SPLIT, **wish)
    same(found, expected_of(true, model.predict(judged), second))
    assert found["rows"] == len(true)
    if name == "diabetes":
        base = np.full(len(true), known.mean())
        same(found, {f"baseline {key}": expected_of(true, base)[key] for key in ("RMSE", "MAE")})


@pytest.mark.parametrize("name", ["wine", "breast_cancer"])
def test_classes_keep_their_shares_as_in_the_library(name: str, tmp_path: Path) -> None:
    cells, target, names = loaded(name)
    fitted, judged, known, true = train_test_split(
        cells, target, test_size=0.2, random_state=7, stratify=target
    )
    said = DecisionTreeClassifier(random_state=7).fit(fitted, known).predict(judged)
    wish = {"share": 0.2, "seed": 7, "stratify": True, "model": "tree"}
    same(scored(opened(name, "polars", tmp_path), features=names, **wish), expected_of(true, said))


@TWO_ENGINES
@pytest.mark.parametrize(
    ("name", "model", "ours"),
    [
        ("diabetes", LinearRegression(), "linear"),
        ("diabetes", make_pipeline(StandardScaler(), KNeighborsRegressor()), "neighbours"),
        ("wine", GaussianNB(), "naive bayes"),
    ],
    ids=lambda one: str(one)[:30],
)
def test_groups_are_folded_as_in_the_library(
    name: str, model: Any, ours: str, engine: str, tmp_path: Path
) -> None:
    cells, target, names = loaded(name)
    groups = np.random.RandomState(5).randint(0, 11, len(target))
    said = cross_val_predict(model, cells, target, groups=groups, cv=GroupKFold(4))
    table = opened(name, engine, tmp_path, site=groups)
    found = scored(table, features=names, groups="site", folds=4, model=ours)
    same(found, expected_of(target, said))


@TWO_ENGINES
def test_a_share_of_groups_is_drawn_as_in_the_library(engine: str, tmp_path: Path) -> None:
    cells, target, names = loaded("diabetes")
    groups = np.random.RandomState(5).randint(0, 20, len(target))
    drawn = GroupShuffleSplit(1, test_size=0.25, random_state=3)
    fitted, judged = next(drawn.split(cells, target, groups))
    said = DecisionTreeRegressor(random_state=3).fit(cells[fitted], target[fitted])
    table = opened("diabetes", engine, tmp_path, site=[f"s{one:02}" for one in groups])
    wish = {"groups": "site", "share": 0.25, "seed": 3, "model": "tree"}
    same(
        scored(table, features=names, **wish),
        expected_of(target[judged], said.predict(cells[judged])),
    )


@TWO_ENGINES
def test_the_past_is_learnt_from_as_in_the_library(engine: str, tmp_path: Path) -> None:
    cells, target, names = loaded("diabetes")
    day = np.random.RandomState(2).permutation(len(target))
    order = np.argsort(day)
    true, said, before = [], [], []
    for fitted, judged in TimeSeriesSplit(6).split(order):
        model = DecisionTreeRegressor(max_depth=4, random_state=1)
        model.fit(cells[order[fitted]], target[order[fitted]])
        said += [*model.predict(cells[order[judged]])]
        true += [*target[order[judged]]]
        before += [*target[order[judged - 1]]]
    table = opened("diabetes", engine, tmp_path, day=day)
    wish = {"time": "day", "folds": 6, "model": "tree", "depth": 4, "seed": 1}
    found = scored(table, features=names, **wish)
    same(found, expected_of(np.array(true), said))
    base = expected_of(np.array(true), before)
    same(found, {"baseline RMSE": base["RMSE"], "baseline MAE": base["MAE"]})


def test_the_last_share_in_time_is_held_out(tmp_path: Path) -> None:
    cells, target, names = loaded("diabetes")
    day = np.random.RandomState(2).permutation(len(target))
    order = np.argsort(day)
    fitted, judged = train_test_split(order, test_size=0.2, shuffle=False)
    model = LinearRegression().fit(cells[fitted], target[fitted])
    table = opened("diabetes", "polars", tmp_path, day=day)
    found = scored(table, features=names, time="day", share=0.2, model="linear")
    same(found, expected_of(target[judged], model.predict(cells[judged])))


@pytest.mark.parametrize("scale", [True, False])
@TWO_ENGINES
def test_coefficients_are_in_the_units_of_the_columns(
    scale: bool, engine: str, tmp_path: Path
) -> None:
    cells, target, names = loaded("diabetes")
    table = opened("diabetes", engine, tmp_path)
    wish: dict[str, Any] = {"target": "target", "features": names, "result": "coefficients"}
    made = run("Predict", table, **wish, model="linear", scale=scale).rows(99)
    fitted = LinearRegression().fit(cells, target)
    assert [row["term"] for row in made] == ["intercept", *names]
    expected = [fitted.intercept_, *fitted.coef_]
    assert [row["coefficient"] for row in made] == pytest.approx(expected, rel=1e-7)
    ridge = run("Predict", table, **wish, model="ridge", penalty=0.5, scale=False).rows(99)
    fitted = Ridge(alpha=0.5).fit(cells, target)
    expected = [fitted.intercept_, *fitted.coef_]
    assert [row["coefficient"] for row in ridge] == pytest.approx(expected, rel=1e-7)


def test_coefficients_of_standardised_columns_predict_as_the_model_does(tmp_path: Path) -> None:
    cells, target, names = loaded("breast_cancer")
    table = opened("breast_cancer", "polars", tmp_path)
    made = run(
        "Predict", table, target="target", features=names, result="coefficients", penalty=2
    ).rows(99)
    assert {row["class"] for row in made} == {"malignant"}
    model = make_pipeline(StandardScaler(), LogisticRegression(C=0.5, max_iter=300))
    odds = model.fit(cells, target).decision_function(cells)
    weights = np.array([row["coefficient"] for row in made])
    assert weights[0] + cells @ weights[1:] == pytest.approx(odds, abs=1e-6)
    cells, target, names = loaded("iris")
    table = opened("iris", "polars", tmp_path)
    made = run(
        "Predict", table, target="target", features=names, result="coefficients", scale=False
    ).rows(99)
    model = LogisticRegression(max_iter=5_000).fit(cells, target)
    for place, level in enumerate(model.classes_):
        terms = [row["coefficient"] for row in made if row["class"] == level]
        expected = [model.intercept_[place], *model.coef_[place]]
        assert terms == pytest.approx(expected, abs=1e-2)


@pytest.mark.parametrize("engine", [pytest.param("spark", marks=marks_of("spark"))])
def test_spark_folds_groups_alike(engine: str, tmp_path: Path) -> None:
    _, target, names = loaded("diabetes")
    groups = np.random.RandomState(5).randint(0, 11, len(target))
    wish = {"features": names, "groups": "site", "model": "linear"}
    found = [
        scored(opened("diabetes", one, tmp_path, site=groups), **wish) for one in ("polars", engine)
    ]
    assert found[0] == pytest.approx(found[1])


@every_engine
def test_intervals_are_the_same_on_every_engine(engine: str, tmp_path: Path) -> None:
    names = loaded("diabetes")[2]
    wish = {"target": "target", "features": names, "model": "linear"}
    made = [
        run("Predict", opened("diabetes", one, tmp_path), **wish).rows(30)
        for one in ("polars", engine)
    ]
    assert [*map(repr, made[0])] == [*map(repr, made[1])]
