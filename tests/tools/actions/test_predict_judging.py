"""Predict: how it parts rows, what it compares with, what it warns of, what it refuses."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
import pytest
from acting import notes, run
from on_engines import engine_for, every_engine

from wideleaf.tools.actions.learning import scores, splits
from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact
from wideleaf.tools.steps.step import read_call
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call

ROWS = 240


def opened(frame: pl.DataFrame) -> Table:
    return Table(nw.from_native(frame.lazy()))


def planted(rows: int = ROWS, seed: int = 1) -> pl.DataFrame:
    """A line with noise, sites whose level the line does not tell, days, and a crop."""
    random = np.random.RandomState(seed)
    a, b, noise = random.normal(size=(3, rows))
    site = random.randint(0, 8, rows)
    return pl.DataFrame(
        {
            "y": 2 * a - b + 0.5 * random.normal(size=rows),
            "a": a,
            "b": b,
            "noise": noise,
            "site": [f"s{one}" for one in site],
            "level": site + 0.0,
            "day": [date(2024, 1, 1) + timedelta(days=int(d)) for d in random.permutation(rows)],
            "crop": np.where(a + 0.3 * noise < -0.5, "oats", np.where(a < 0.5, "rye", "wheat")),
            "tall": a - b + 0.5 * noise > 0,
        }
    )


def scored(table: Table, **wish: Any) -> dict[str, float]:
    return {row["metric"]: row["value"] for row in run("Predict", table, **wish).rows(30)}


def said(table: Table, **wish: Any) -> list[str]:
    return [fact.text for fact in notes("Predict", table, **wish)]


def refused(frame: pl.DataFrame, **wish: Any) -> ActionError:
    with pytest.raises(ActionError) as caught:
        run("Predict", opened(frame), **wish)
    return caught.value


def test_a_group_that_is_known_by_its_features_alone_is_not_learnt_by_heart() -> None:
    random = np.random.RandomState(4)
    site = np.repeat(np.arange(30), 8)
    frame = pl.DataFrame({"y": random.normal(size=30)[site], "where": site, "x": site * 1.0})
    wish: dict[str, Any] = {"target": "y", "features": "x", "model": "tree"}
    assert scored(opened(frame), **wish)["R2"] > 0.95
    assert scored(opened(frame), **wish, groups="where")["R2"] < 0
    told = said(opened(frame), **wish, groups="where")
    expected = "Scores are of groups of 'where' the model had not seen (5-fold cross-validation"
    assert told[0].startswith(expected)


def test_few_groups_make_few_folds_and_it_is_told() -> None:
    frame = planted().with_columns(site=pl.col("site").str.replace_all("[1-7]", "1"))
    wish: dict[str, Any] = {"target": "y", "features": ["a", "site"], "groups": "site"}
    told = said(opened(frame), **wish)
    assert "(2-fold cross-validation" in told[0]
    assert "'site' took no part as features: target, test, groups or time" in told
    some = frame.with_columns(site=pl.when(pl.col("level") < 3).then("site"))
    lost = int((frame["level"] >= 3).sum())
    error = refused(some.with_columns(site=pl.lit("s")), **wish)
    assert error.kind == "argument groups" and "of one group" in error.text
    told = said(opened(frame.with_columns(site=pl.when(pl.col("level") < 4).then("level"))), **wish)
    lost = int((frame["level"] >= 4).sum())
    assert f"{lost} rows are left out for a null feature or 'site'" in told


def test_what_comes_later_is_not_learnt_from() -> None:
    """A level that the target takes in the second half tells nothing about the first."""
    frame = planted().sort("day").with_columns(y=pl.int_range(ROWS) // (ROWS // 2) * 100.0)
    wish: dict[str, Any] = {"target": "y", "features": ["number"], "model": "tree", "folds": 3}
    frame = frame.with_columns(number=pl.int_range(ROWS))
    assert scored(opened(frame), **wish)["R2"] > 0.95
    found = scored(opened(frame), **wish, time="day")
    assert found["rows"] == ROWS * 3 // 4
    # The fold in which the level rises is not foreseen, while the value before misses one day.
    assert found["R2"] < 0.4
    assert found["baseline RMSE"] == pytest.approx((100**2 / found["rows"]) ** 0.5)
    made = run("Predict", opened(frame), **wish, time="day", result="predictions").rows(ROWS)
    first = ROWS // 4
    assert [row["predicted"] for row in made[:first]] == [None] * first
    assert {row["predicted"] for row in made[first : ROWS // 2]} == {0.0}
    told = said(opened(frame), **wish, time="day", result="predictions")
    assert f"The first {first} rows in time have no past to learn from and are not judged" in told
    assert "3 folds in time of 240 rows" in told[0]


def test_rows_of_one_moment_are_on_one_side() -> None:
    """Each day has three rows that are alike; a model that saw one would know the others."""
    random = np.random.RandomState(9)
    day = np.repeat(np.arange(40), 3)
    frame = pl.DataFrame({"t": day, "x": day * 7 % 41, "y": random.normal(size=40)[day]})
    wish: dict[str, Any] = {"target": "y", "features": "x", "model": "neighbours", "neighbours": 1}
    table = opened(frame)
    assert scored(table, **wish)["R2"] > 0.3
    made = run("Predict", table, **wish, time="t", folds=6, result="predictions").rows(200)
    known = [row for row in made if row["predicted"] is not None]
    assert all(row["predicted"] != row["y"] for row in known)


def test_the_value_before_is_the_mean_or_the_commonest_of_the_moment_before() -> None:
    frame = pl.DataFrame(
        {
            "t": [n // 2 for n in range(48)],
            "x": [float(n * 5 % 7) for n in range(48)],
            "y": [float(n) for n in range(48)],
            "c": ["ab"[n // 2 % 2] for n in range(48)],
        }
    )
    found = scored(opened(frame), target="y", features="x", time="t", folds=3)
    # Two values a moment, n and n + 1; the mean of those before is n - 1.5.
    assert found["baseline MAE"] == pytest.approx((1.5 + 2.5) / 2)
    found = scored(opened(frame), target="c", features="x", time="t", folds=3)
    assert found["baseline accuracy"] == 0.0


@every_engine
def test_a_share_is_of_the_rows_as_they_are_listed(engine: str, tmp_path: Path) -> None:
    from sklearn.model_selection import train_test_split

    frame = planted().with_columns(number=pl.int_range(ROWS))
    frame.write_parquet(tmp_path / "rows.parquet")
    table = Table(engine_for(engine).scan(tmp_path / "rows.parquet"))
    wish: dict[str, Any] = {"target": "y", "features": "a", "share": 0.25, "seed": 8}
    found = scored(table, **wish, model="linear")
    held = train_test_split(np.arange(ROWS), test_size=0.25, random_state=8)[1]
    assert found["rows"] == len(held)
    warned = any("hangs on their order" in text for text in said(table, **wish))
    assert warned == (engine != "polars")
    # Another order, another part; and the seed decides, too.
    assert scored(opened(frame.reverse()), **wish, model="linear") != found
    assert scored(table, **{**wish, "seed": 9}, model="linear") != found


def test_a_share_is_of_rows_with_a_target_and_what_is_fitted_is_told_of_predictions() -> None:
    frame = planted().with_columns(y=pl.when(pl.int_range(ROWS) % 4 > 0).then("y"))
    wish: dict[str, Any] = {"target": "y", "features": ["a", "b"], "share": 0.5}
    assert scored(opened(frame), **wish)["rows"] == 90
    told = said(opened(frame), **wish, result="predictions")
    assert told[0].startswith("Predictions are of 90 rows held out by a model of 90 others (share")
    assert "Rows that were not held out are predicted by the model that was fitted to them" in told


def test_classes_keep_their_shares() -> None:
    frame = planted().with_columns(
        c=pl.when(pl.int_range(ROWS) < 20).then(pl.lit("x")).otherwise(pl.lit("z"))
    )
    wish: dict[str, Any] = {"target": "c", "features": "a", "share": 0.25}
    drawn = {scored(opened(frame), **wish, seed=s)["share of the largest class"] for s in range(5)}
    kept = {
        scored(opened(frame), **wish, seed=s, stratify=True)["share of the largest class"]
        for s in range(5)
    }
    assert len(drawn) > 1 and kept == {55 / 60}
    some = frame.with_columns(
        c=pl.when(pl.int_range(ROWS) == 0).then(pl.lit("rare")).otherwise("c")
    )
    assert refused(some, **wish, stratify=True).kind == "argument stratify"
    assert "target is a number" in refused(frame, **{**wish, "target": "y"}, stratify=True).text


def test_the_mean_is_a_baseline_and_a_model_that_is_no_better_is_told_of() -> None:
    frame = planted()
    found = scored(opened(frame), target="y", features=["a", "b"])
    assert found["baseline RMSE"] == pytest.approx(frame["y"].std(), rel=0.02)
    assert found["MSE"] == pytest.approx(found["RMSE"] ** 2)
    told = said(opened(frame), target="y", features=["a", "b"])
    assert "Baselines predict the mean of the rows fitted" in told
    worse = "The model is no better than the mean"
    assert worse not in told
    assert worse in said(opened(frame), target="noise", features="b", model="tree")
    worse = "The model is no better than always the largest class"
    assert worse in said(opened(frame), target="site", features="b")
    before = frame.with_columns(y=pl.col("day").rank() * 1.0)
    told = said(opened(before), target="y", features="b", time="day")
    assert "The model is no better than the value before" in told


@pytest.mark.parametrize(
    "wish", [{"target": "y"}, {"target": "tall"}, {"target": "crop", "model": "tree", "depth": 2}]
)
def test_a_score_lies_within_its_interval_which_is_narrower_of_more_rows(
    wish: dict[str, Any],
) -> None:
    widths = []
    for rows in (100, 1_600):
        table = opened(planted(rows))
        made = run("Predict", table, features=["a", "b"], **wish).rows(30)
        for row in made:
            if row["metric"] in ("rows", "features", "classes"):
                assert row["low"] is None and row["high"] is None
            else:
                assert row["low"] <= row["value"] <= row["high"]
        assert made == run("Predict", table, features=["a", "b"], **wish).rows(30)
        widths.append(made[0]["high"] - made[0]["low"])
    assert 2 < widths[0] / widths[1] < 8


def test_an_interval_holds_what_a_formula_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of a share: 1.96 standard errors; and so it is where fewer rows are drawn."""
    table = opened(planted(1_000))
    wish: dict[str, Any] = {"target": "tall", "features": "b"}
    for most in (scores.MAX_DRAWN, 100):
        monkeypatch.setattr(scores, "MAX_DRAWN", most)
        (row, *_) = run("Predict", table, **wish).rows(1)
        error = (row["value"] * (1 - row["value"]) / 1_000) ** 0.5
        assert row["high"] - row["low"] == pytest.approx(2 * 1.96 * error, rel=0.25)


def test_of_few_rows_there_is_no_interval() -> None:
    wish: dict[str, Any] = {"target": "y", "features": "a", "share": 0.03}
    made = run("Predict", opened(planted()), **wish).rows(30)
    assert {row["low"] for row in made} == {None}
    assert "232 rows fitted and 8 judged are few: other rows may go otherwise" in said(
        opened(planted()), **wish
    )


def test_two_classes_have_a_precision_and_recall_and_it_is_told_of_which() -> None:
    from sklearn import metrics

    frame = planted()
    wish: dict[str, Any] = {"target": "tall", "features": ["a", "b"]}
    made = run("Predict", opened(frame), **wish, result="predictions").rows(ROWS)
    true, told = ([row[name] for row in made] for name in ("tall", "predicted"))
    chance = [row["probability"] if row["predicted"] else 1 - row["probability"] for row in made]
    found = scored(opened(frame), **wish)
    assert found["precision"] == pytest.approx(metrics.precision_score(true, told))
    assert found["recall"] == pytest.approx(metrics.recall_score(true, told))
    assert found["AUC"] == pytest.approx(metrics.roc_auc_score(true, chance))
    assert min(row["probability"] for row in made) >= 0.5
    facts = notes("Predict", opened(frame), **wish)
    assert any(fact.text == "That class is 'True'" and fact.matter == "names" for fact in facts)
    frame = frame.with_columns(tall=pl.when("tall").then(pl.lit("Anne")).otherwise(pl.lit("Bo")))
    facts = notes("Predict", opened(frame), **wish)
    assert [fact.matter for fact in facts if "Bo" in fact.text] == ["values"]
    assert not any("Anne" in fact.text for fact in facts)
    three = scored(opened(frame), target="crop", features=["a", "b"])
    assert {"macro precision", "macro recall"} < set(three) and "AUC" not in three


LEAKS = [
    ({"kilos": pl.col("y") * 60 + 5}, "y", "are the target in another unit", "The target"),
    ({"near": pl.col("y") + pl.col("noise") / 100}, "y", "tell the target alone", "Leaks"),
    (
        {"code": pl.col("crop").replace_strict({"rye": 4.0, "oats": 9.0, "wheat": 1.0})},
        "crop",
        "tell the target alone",
        "Leaks",
    ),
    ({"kind": "k" + pl.col("crop")}, "crop", "tell the target alone", "Leaks"),
    ({"kind": "k" + pl.col("site")}, "level", "tell the target alone", "Leaks"),
    ({"plot": pl.int_range(ROWS)}, "y", "differ in every row, as ids do", "Ids"),
    (
        {"gaps": pl.when(pl.int_range(ROWS) % 3 == 0).then("noise")},
        "y",
        "are null in more than half of the rows",
        "Mostly null",
    ),
]


@pytest.mark.parametrize(("made", "target", "text", "heading"), LEAKS)
def test_a_feature_that_is_doubtful_is_named(
    made: dict[str, pl.Expr], target: str, text: str, heading: str
) -> None:
    frame = planted().with_columns(**made)
    facts = notes("Predict", opened(frame), target=target, features=["b", "noise", *made])
    plain = [f for f in facts if f.text.startswith(f"1 features {text}")]
    (name,) = made
    named = [f for f in facts if f.text == f"{heading}: {name!r}"]
    assert len(plain) == len(named) == 1
    assert all(fact.caveat and fact.matter == "names" for fact in plain)
    assert all(fact.caveat and fact.matter == "statistics" for fact in named)


def test_what_is_no_leak_is_not_called_one() -> None:
    frame = planted().with_columns(mostly=pl.int_range(ROWS) > 10)
    for target in ("y", "tall", "mostly", "crop"):
        told = " ".join(said(opened(frame), target=target, features=["a", "b", "noise", "site"]))
        assert "leak" not in told and "another unit" not in told and "ids" not in told


def test_a_common_class_few_rows_and_codes_are_told_of() -> None:
    frame = planted().with_columns(mostly=pl.int_range(ROWS) > 10, code=pl.int_range(ROWS) % 3)
    told = " ".join(said(opened(frame), target="mostly", features=["a", "b"]))
    assert "More than 90 % of the rows are of one class" in told
    told = " ".join(said(opened(frame), target="code", features=["a", "b"], model="tree"))
    assert "few values, all whole, and is learnt as a number" in told
    told = " ".join(said(opened(planted(40)), target="y", features=["a", "b"]))
    assert "40 rows fitted and 40 judged are few" in told
    told = " ".join(said(opened(planted()), target="y", features=["a", "b"]))
    assert "few" not in told


@pytest.mark.parametrize(
    ("spelled", "model"),
    [
        ("linear regression", "linear"),
        ("OLS", "linear"),
        ("Ridge Regression", "ridge"),
        ("LASSO", "lasso"),
        ("logistic_regression", "logistic"),
        ("Decision Tree", "tree"),
        ("RandomForestRegressor", "forest"),
        ("random forest classifier", "forest"),
        ("gradient boosting", "boosting"),
        ("KNN", "neighbours"),
        ("k-nearest neighbors", "neighbours"),
        ("KNeighborsClassifier", "neighbours"),
        ("naive_bayes", "naive bayes"),
        ("Gaussian Naive Bayes", "naive bayes"),
        ("linear model", "linear"),
    ],
)
def test_a_model_is_known_by_what_people_call_it(spelled: str, model: str) -> None:
    call = Call(name="Predict", arguments={"target": "y", "features": ["a"], "model": spelled})
    assert read_call(call).arguments()["model"] == model


def test_a_model_that_there_is_not_is_refused_with_those_there_are() -> None:
    call = Call(name="Predict", arguments={"target": "y", "features": ["a"], "model": "svm"})
    with pytest.raises(ActionError) as caught:
        read_call(call)
    known = "linear, ridge, lasso, logistic, tree, forest, boosting, neighbours, naive bayes"
    assert f"there is no model 'svm'; the models are {known}" in caught.value.text


BAD: list[tuple[dict[str, Any], str]] = [
    ({"model": "linear", "penalty": 1}, "'linear' has no penalty"),
    ({"model": "forest", "neighbours": 3}, "'forest' has no neighbours"),
    ({"trees": 10}, "'ridge' has no trees; leave it out, or take the model 'forest' or 'boosting'"),
    ({"model": "linear", "depth": 3}, "'linear' has no depth"),
    ({"result": "coefficients", "model": "forest"}, "'forest' has no coefficients"),
    ({"target": "crop", "model": "lasso"}, "'lasso' predicts numbers"),
    ({"share": 0.3, "test": "tall"}, "share and test both say which rows are judged"),
    ({"share": 0.3, "evaluate": "in sample"}, "share and evaluate 'in sample' both"),
    ({"groups": "site", "time": "day"}, "groups and time both say"),
    ({"groups": "site", "test": "tall"}, "groups and test both say"),
    ({"time": "day", "evaluate": "in sample"}, "time and evaluate 'in sample' both"),
    ({"target": "crop", "groups": "site", "stratify": True}, "stratify draws a share"),
    ({"time": "site"}, "Predict's time needs a date or datetime or number column"),
    ({"groups": "y"}, "'y' is the target, and cannot say"),
    ({"share": 0.95}, "12 rows to fit and 228 held out are too few"),
    ({"model": "knn", "neighbours": 193}, "193 neighbours of 192 rows to fit"),
    ({"time": "flat"}, "a fold leaves 0 rows to fit"),
    ({"features": ["a", "far"]}, "'far' has numbers beyond 1e+30"),
    ({"target": "far"}, "'far' has numbers beyond 1e+30"),
    ({"groups": "stie"}, "no column 'stie'"),
]


@pytest.mark.parametrize(("wish", "text"), BAD, ids=lambda one: str(one)[:50])
def test_what_does_not_go_together_is_refused(wish: dict[str, Any], text: str) -> None:
    frame = planted().with_columns(flat=pl.lit(1.0), far=pl.col("noise") * 1e40)
    assert text in refused(frame, **{"target": "y", "features": ["a", "b"], **wish}).text


@pytest.mark.parametrize("model", ["logistic", "tree", "forest", "boosting", "knn", "naive bayes"])
@pytest.mark.parametrize("target", ["one", "late"])
def test_a_fold_of_one_class_says_that_class(model: str, target: str) -> None:
    frame = (
        planted(60).sort("day").with_columns(one=pl.int_range(60) == 3, late=pl.int_range(60) > 30)
    )
    time = {"time": "day"} if target == "late" else {}
    found = scored(opened(frame), target=target, features=["a", "b"], model=model, **time)
    assert 0 <= found["accuracy"] <= 1 and found["classes"] == 2


@pytest.mark.parametrize("model", ["linear", "ridge", "lasso", "tree", "boosting", "neighbours"])
def test_a_fold_of_one_value_says_that_value(model: str) -> None:
    frame = (
        planted(60)
        .sort("day")
        .with_columns(y=pl.when(pl.int_range(60) < 30).then(4.0).otherwise("y"))
    )
    wish: dict[str, Any] = {"target": "y", "features": ["a", "b"], "time": "day", "folds": 5}
    made = run("Predict", opened(frame), **wish, model=model, result="predictions").rows(60)
    assert [row["predicted"] for row in made[10:30]] == pytest.approx([4.0] * 20)


@pytest.mark.parametrize("model", ["lasso", "tree", "neighbours", "naive bayes", "boosting"])
def test_what_matters_is_more_important_than_noise(model: str) -> None:
    target = "tall" if model == "naive bayes" else "y"
    wish: dict[str, Any] = {"target": target, "features": ["noise", "a", "b"], "model": model}
    if target == "tall":
        wish["features"] = ["level", "a", "b"]
    made = run("Predict", opened(planted()), **wish, result="importances").rows(9)
    assert [row["feature"] for row in made][-1] == wish["features"][0]
    assert len(said(opened(planted()), **wish, result="importances")[-1]) > 20


def test_importances_are_of_standardised_columns_whether_or_not_they_were() -> None:
    frame = planted().with_columns(a=pl.col("a") * 1_000)
    wish: dict[str, Any] = {"target": "y", "features": ["a", "b"], "model": "linear"}
    wish["result"] = "importances"
    made = [run("Predict", opened(frame), **wish, scale=scale).rows(9) for scale in (True, False)]
    assert [row["importance"] for row in made[0]] == pytest.approx(
        [row["importance"] for row in made[1]]
    )


def test_coefficients_are_told_with_what_they_mean() -> None:
    wish: dict[str, Any] = {"features": ["a", "site"], "result": "coefficients"}
    made = run("Predict", opened(planted()), target="y", **wish)
    assert made.columns == ("term", "coefficient")
    assert [row["term"] for row in made.rows(3)] == ["intercept", "a", "site = s0"]
    told = said(opened(planted()), target="y", **wish)
    assert "Coefficients are in the units of the columns: the change for one more of each" in told
    assert any(text.startswith("Every level of a text has a term") for text in told)
    made = run("Predict", opened(planted()), target="crop", **wish)
    assert made.columns == ("term", "class", "coefficient")
    assert {row["class"] for row in made.rows(99)} == {"oats", "rye", "wheat"}
    told = said(opened(planted()), target="tall", **wish)
    assert any(text.endswith("in log odds of the class against the other") for text in told)
    numbered = planted().with_columns(code=pl.int_range(ROWS) % 2)
    made = run("Predict", opened(numbered), target="code", **wish, model="logistic")
    assert {row["class"] for row in made.rows(99)} == {"1"}


@every_engine
@pytest.mark.parametrize("result", ["scores", "importances", "coefficients"])
def test_of_a_table_too_large_some_rows_are_fitted(
    result: str, engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = planted(3_000)
    frame.write_parquet(tmp_path / "rows.parquet")
    wish: dict[str, Any] = {"target": "y", "features": ["a", "b"], "result": result}
    table = Table(engine_for(engine).scan(tmp_path / "rows.parquet"))
    (whole,) = (
        row
        for row in run("Predict", table, **wish).rows(99)
        if "R2" in row.values() or "a" in row.values()
    )
    monkeypatch.setattr(splits, "MAX_NUMBERS", 2_000)
    made = run("Predict", table, **wish).rows(99)
    (text,) = (text for text in said(table, **wish) if "too many to fit" in text)
    count = int(text.split("all is of ")[1].split()[0])
    assert 850 < count <= 1_000 and text.startswith("3000 rows are too many to fit")
    name, figure, *_ = whole.values()
    (some,) = (row for row in made if name in row.values())
    assert [*some.values()][1] == pytest.approx(figure, rel=0.1) and some != whole
    other = opened(frame.sample(fraction=1, shuffle=True, seed=2))
    assert [*map(repr, run("Predict", other, **wish).rows(99))] == [*map(repr, made)]
    assert [*map(repr, run("Predict", table, **wish, seed=5).rows(99))] != [*map(repr, made)]


def test_rows_drawn_are_spread_evenly() -> None:
    frame = pl.DataFrame({"x": range(100_000)})
    for seed in (0, 1, 2**32 - 1):
        drawn, of = splits.draw(opened(frame), ["x"], 10_000, seed)
        kept = np.sort(np.array([row["x"] for row in drawn.rows(100_000)]))
        assert of == 100_000 and 9_500 < len(kept) <= 10_000
        shares = np.bincount(kept // 10_000) / len(kept)
        assert np.abs(shares - 0.1).max() < 0.02
        steps = np.diff(kept)
        assert (steps == 1).mean() == pytest.approx(0.1, abs=0.03)


def test_neighbours_of_many_rows_are_some_and_their_predictions_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(splits, "MAX_COMPARED", 20_000)
    wish: dict[str, Any] = {"target": "y", "features": ["a", "b"], "model": "neighbours"}
    assert any("too many to fit" in text for text in said(opened(planted()), **wish))
    text = refused(planted(), **wish, result="predictions").text
    assert text.startswith("neighbours of 240 rows are too many to look for, 100 at most")


FACTS: list[dict[str, Any]] = [
    {"target": "y"},
    {"target": "crop", "model": "tree", "share": 0.3, "stratify": True},
    {"target": "tall", "groups": "site"},
    {"target": "y", "time": "day"},
    {"target": "y", "result": "importances"},
    {"target": "crop", "result": "coefficients"},
    {"target": "y", "result": "predictions", "time": "day"},
    {"target": "tall", "result": "predictions", "groups": "site"},
    {"target": "crop", "result": "predictions", "share": 0.3},
]


@pytest.mark.parametrize("wish", FACTS, ids=str)
def test_what_is_told_is_the_same_where_it_is_found_anew(wish: dict[str, Any]) -> None:
    """A frame that was read again has lost what was told when it was made."""
    table = opened(planted().with_columns(y=pl.when(pl.int_range(ROWS) % 9 > 0).then("y")))
    action = find_action("Predict").model_validate({"features": ["a", "b", "noise"], **wish})
    resolved = action.resolve(table)
    made = resolved.run(table)
    first: list[Fact] = resolved.notes([table], made)
    assert made.found == first
    assert resolved.notes([table], replace(made, found=None)) == first
    assert resolved.resolve(table) == resolved


@pytest.mark.parametrize(
    ("time", "features", "kept"),
    [
        ("year", ["a", "year"], ("a", "year")),
        ("day", ["a", "day"], ("a",)),
        ("day", ["a", "year"], ("a", "year")),
    ],
)
def test_a_number_that_tells_the_time_may_be_a_trend(
    time: str, features: list[str], kept: tuple[str, ...]
) -> None:
    table = opened(planted().with_columns(year=pl.int_range(ROWS) / 10))
    wish = {"target": "y", "features": features, "time": time}
    action = find_action("Predict").model_validate(wish).resolve(table)
    assert action.model_dump()["features"] == kept
