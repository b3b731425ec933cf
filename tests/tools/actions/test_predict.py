"""Predict: what it learns of planted relations, what of noise, and what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from acting import notes, run
from on_engines import engine_for

from wideleaf.tools.actions.learning.facts import WITHOUT_UNIT
from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

ROWS = 240


def opened(frame: pl.DataFrame) -> Table:
    import narwhals as nw

    return Table(nw.from_native(frame.lazy()))


def planted(rows: int = ROWS, seed: int = 1) -> pl.DataFrame:
    """A line with a little noise, a column of noise, and a crop that follows `a`."""
    random = np.random.RandomState(seed)
    a, b, noise = random.normal(size=(3, rows))
    crop = np.where(a < -0.5, "oats", np.where(a < 0.5, "rye", "wheat"))
    return pl.DataFrame(
        {
            "y": 2 * a - b + 0.1 * random.normal(size=rows),
            "a": a,
            "b": b,
            "noise": noise,
            "crop": crop,
            "held": random.uniform(size=rows) < 0.25,
        }
    )


def scored(table: Table, **wish: Any) -> dict[str, float]:
    return {row["metric"]: row["value"] for row in run("Predict", table, **wish).rows(20)}


def said(table: Table, **wish: Any) -> list[str]:
    return [fact.text for fact in notes("Predict", table, **wish)]


@pytest.mark.parametrize("model", ["linear", "ridge", "forest", "boosting"])
def test_a_planted_line_is_found(model: str) -> None:
    found = scored(opened(planted()), target="y", features=["a", "b", "noise"], model=model)
    assert found["R2"] > (0.99 if model in ("linear", "ridge") else 0.8)
    assert found["correlation"] > 0.92 and found["rows"] == ROWS and found["features"] == 3
    weights = run(
        "Predict",
        opened(planted()),
        target="y",
        features=["a", "b", "noise"],
        model=model,
        result="importances",
    ).rows(9)
    assert [row["feature"] for row in weights] == ["a", "b", "noise"]
    if model in ("linear", "ridge"):
        assert weights[0]["importance"] > 0 > weights[1]["importance"]


@pytest.mark.parametrize("model", ["linear", "ridge", "forest"])
def test_of_noise_nothing_is_learnt_however_many_columns_it_has(model: str) -> None:
    random = np.random.RandomState(7)
    frame = pl.DataFrame({"y": random.normal(size=120)}).with_columns(
        **{f"x{i}": pl.Series(random.normal(size=120)) for i in range(60)}
    )
    wish: dict[str, Any] = {"target": "y", "features": "x*", "model": model}
    assert scored(opened(frame), **wish)["R2"] < 0.1
    assert (
        scored(opened(frame), **wish, evaluate="in sample")["R2"]
        > scored(opened(frame), **wish)["R2"]
    )


def test_in_sample_least_squares_is_that_of_numpy() -> None:
    frame = planted()
    found = scored(
        opened(frame), target="y", features=["a", "noise"], model="linear", evaluate="in sample"
    )
    cells = np.c_[np.ones(ROWS), frame["a"], frame["noise"]]
    y = frame["y"].to_numpy()
    error = y - cells @ np.linalg.lstsq(cells, y, rcond=None)[0]
    spread = ((y - y.mean()) ** 2).sum()
    assert found["R2"] == pytest.approx(1 - (error @ error) / spread, abs=1e-9)
    assert found["RMSE"] == pytest.approx(np.sqrt((error**2).mean()), abs=1e-9)


def test_rows_held_out_are_predicted_by_a_model_of_the_others() -> None:
    frame = planted()
    wish: dict[str, Any] = {
        "target": "y",
        "features": ["a", "noise"],
        "model": "linear",
        "test": "held",
    }
    train, test = frame.filter(~pl.col("held")), frame.filter("held")
    cells = [np.c_[np.ones(len(part)), part["a"], part["noise"]] for part in (train, test)]
    weights = np.linalg.lstsq(cells[0], train["y"].to_numpy(), rcond=None)[0]
    predicted = cells[1] @ weights
    found = scored(opened(frame), **wish)
    expected = np.corrcoef(predicted, test["y"].to_numpy())[0, 1]
    assert found["correlation"] == pytest.approx(expected, abs=1e-9)
    assert found["rows"] == len(test)
    made = run("Predict", opened(frame), **wish, result="predictions").rows(ROWS)
    there = [row["predicted"] for row in made if row["held"]]
    assert there == pytest.approx(list(predicted), abs=1e-9)


def test_predictions_stand_beside_their_rows_and_fill_missing_targets() -> None:
    frame = planted().with_columns(
        y=pl.when(pl.int_range(pl.len()) < 10).then(None).otherwise("y"), number=pl.int_range(ROWS)
    )
    wish: dict[str, Any] = {"target": "y", "features": ["a", "b"], "result": "predictions"}
    made = run("Predict", opened(frame), **wish).rows(ROWS)
    assert [row["number"] for row in made] == list(range(ROWS))
    for row in made:
        assert row["predicted"] == pytest.approx(2 * row["a"] - row["b"], abs=0.2)
    text = " ".join(said(opened(frame), **wish))
    assert "10 of 240 rows have no target and took no part; theirs is predicted" in text


def test_an_unseen_prediction_is_not_of_a_model_that_saw_the_row() -> None:
    """A row's own target must not move its own prediction."""
    frame = planted(60)
    number = frame["a"].arg_max()
    assert number is not None
    wish: dict[str, Any] = {
        "target": "y",
        "features": ["a", "b"],
        "model": "linear",
        "result": "predictions",
        "folds": 20,
    }
    before = run("Predict", opened(frame), **wish).rows(99)[number]["predicted"]
    # It keeps its place in the order by content, and with that its fold.
    last = frame["y"].to_list()
    assert max(last) == last[number]
    last[number] += 1_000
    changed = frame.with_columns(y=pl.Series(last))
    assert run("Predict", opened(changed), **wish).rows(99)[number]["predicted"] == before


@pytest.mark.parametrize("model", [None, "forest", "boosting"])
def test_a_category_is_learnt_from_a_column_or_its_indicators(model: str | None) -> None:
    frame = planted()
    marks = {
        f"crop_{c.title()}": (frame["crop"] == c).cast(pl.Int8) for c in ("oats", "rye", "wheat")
    }
    wide = frame.drop("crop").with_columns(**marks)
    wish: dict[str, Any] = {"features": ["a", "noise"], "model": model}
    found = scored(opened(wide), target="crop_*", **wish)
    assert found == scored(opened(frame), target="crop", **wish)
    assert found["accuracy"] > 0.85 and found["balanced accuracy"] > 0.85
    assert found["macro F1"] > 0.85 and found["classes"] == 3
    assert found["share of the largest class"] == max(frame["crop"].value_counts()["count"]) / ROWS
    made = run("Predict", opened(wide), target="crop_*", **wish, result="predictions").rows(ROWS)
    right = sum(row["observed"] == row["predicted"] for row in made) / ROWS
    assert right == pytest.approx(found["accuracy"])
    assert {row["observed"] for row in made} == {"Oats", "Rye", "Wheat"}


def test_the_measures_of_a_category_are_those_of_the_library() -> None:
    from sklearn import metrics

    frame = planted()
    wish: dict[str, Any] = {"target": "crop", "features": ["b", "noise"]}
    made = run("Predict", opened(frame), **wish, result="predictions").rows(ROWS)
    true, guessed = ([row[name] for row in made] for name in ("crop", "predicted"))
    found = scored(opened(frame), **wish)
    assert found["accuracy"] == pytest.approx(metrics.accuracy_score(true, guessed))
    macro = metrics.f1_score(true, guessed, average="macro", zero_division=0)
    assert found["macro F1"] == pytest.approx(macro)
    recall = metrics.recall_score(true, guessed, average="macro")
    assert found["balanced accuracy"] == pytest.approx(recall)


def test_indicators_of_which_none_or_several_are_set_are_no_target() -> None:
    frame = planted().with_columns(
        c_A=(pl.col("a") > 0).cast(pl.Int8), c_B=(pl.col("a") <= 0).cast(pl.Int8)
    )
    first = pl.int_range(pl.len()) < 7
    frame = frame.with_columns(
        c_A=pl.when(first).then(1).otherwise("c_A"), c_B=pl.when(first).then(1).otherwise("c_B")
    )
    wish: dict[str, Any] = {"target": ["c_A", "c_B"], "features": ["a", "b"]}
    assert scored(opened(frame), **wish)["rows"] == ROWS - 7
    assert any(
        text.startswith("7 of 240 rows have no target") for text in said(opened(frame), **wish)
    )


def test_a_boolean_target_is_predicted_as_one() -> None:
    frame = planted().with_columns(tall=pl.col("y") > 0)
    wish: dict[str, Any] = {"target": "tall", "features": ["a", "b"]}
    assert scored(opened(frame), **wish)["accuracy"] > 0.9
    made = run("Predict", opened(frame), **wish, result="predictions").rows(9)
    assert {type(row["predicted"]) for row in made} == {bool}


def test_nulls_are_filled_or_their_rows_left_out_and_it_is_told() -> None:
    some = pl.int_range(pl.len()) % 5 == 0
    frame = planted().with_columns(
        b=pl.when(some).then(None).otherwise("b"),
        nan=pl.when(some).then(float("nan")).otherwise("noise"),
        flat=pl.lit(3.5),
        void=pl.lit(None, dtype=pl.Float64),
    )
    wish: dict[str, Any] = {"target": "y", "features": ["a", "b", "nan", "flat", "void", "y"]}
    found = scored(opened(frame), **wish)
    assert found["rows"] == ROWS and found["features"] == 3
    told = " | ".join(said(opened(frame), **wish))
    assert "Nulls of 2 features were filled" in told
    assert "1 constant features took no part | Constant: 'flat'" in told
    assert "1 empty features took no part | Empty: 'void'" in told
    assert "'y' took no part as features" in told
    dropped = scored(opened(frame), **wish, nulls="drop")
    assert dropped["rows"] == ROWS - 48 and dropped["R2"] > found["R2"]
    assert "48 rows are left out for a null feature" in " ".join(
        said(opened(frame), **wish, nulls="drop")
    )


def test_a_text_feature_counts_by_its_levels_and_one_of_many_is_refused() -> None:
    frame = planted().with_columns(many=pl.int_range(pl.len()).cast(pl.String))
    found = scored(opened(frame), target="a", features=["crop"])
    assert found["features"] == 3 and found["R2"] > 0.5
    with pytest.raises(ActionError, match="'many' is text of more than 20 values"):
        scored(opened(frame), target="a", features=["crop", "many"])


def test_odd_headers_are_headers() -> None:
    names = ["predicted", "0", "place", "a.b`c", "新しい", 'x" y', "held", "__target_0"]
    frame = planted()
    columns = {name: frame["a"] * (n + 1) + frame["b"] for n, name in enumerate(names)}
    odd = frame.select("y", "crop").with_columns(**columns)
    assert scored(opened(odd), target="y", features=names)["R2"] > 0.99
    made = run("Predict", opened(odd), target="y", features=names, result="predictions")
    assert made.columns[-1] == "predicted_right"
    marks = odd.with_columns(
        **{"__target_1": (odd["y"] > 0).cast(pl.Int8), "__target_2": (odd["y"] <= 0).cast(pl.Int8)}
    )
    found = scored(opened(marks), target=["__target_1", "__target_2"], features=names)
    assert found["accuracy"] > 0.9


def test_the_same_seed_gives_the_same_answer_whatever_the_order_of_rows(tmp_path: Path) -> None:
    frame = planted().with_columns(twin=pl.Series([1, 2] * (ROWS // 2)))
    frame = pl.concat(
        [frame, frame.with_columns(twin=pl.lit(3, dtype=pl.Int64))]
    )  # rows alike in what is used
    wish: dict[str, Any] = {"target": "y", "features": ["a", "noise"], "model": "forest"}
    shuffled = frame.sample(fraction=1, shuffle=True, seed=3)
    for result in ("scores", "importances", "predictions"):
        made = [
            sorted(map(repr, run("Predict", opened(one), **wish, result=result).rows(999)))
            for one in (frame, shuffled)
        ]
        assert made[0] == made[1]
    first = scored(opened(frame), **wish)
    assert scored(opened(frame), **wish, seed=1) != first


@pytest.mark.parametrize("engine", ["duckdb", pytest.param("spark", marks=pytest.mark.spark)])
def test_every_engine_learns_the_same(engine: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    planted().write_parquet(path)
    for wish in (
        {"target": "y", "features": ["a", "b", "crop"], "result": "predictions"},
        {"target": "crop", "features": ["a", "b"], "model": "forest"},
    ):
        made = [
            sorted(map(repr, run("Predict", Table(engine_for(e).scan(path)), **wish).rows(999)))
            for e in ("polars", engine)
        ]
        assert made[0] == made[1]


def test_no_cell_stands_in_what_is_told_but_in_the_statistics() -> None:
    facts = notes("Predict", opened(planted()), target="crop", features=["a", "b"])
    for fact in facts:
        assert fact.matter == "statistics" or not {"oats", "rye", "wheat"} & set(fact.text.split())
    named = [fact for fact in facts if fact.text.startswith("Metrics: ")]
    told = [fact.matter for fact in facts if "accuracy" in fact.text and fact not in named]
    assert told == ["statistics"] and len(named) == 1
    assert not any(sign.isdigit() for sign in named[0].text.replace("F1", ""))


def test_a_feature_that_is_the_target_is_suspected() -> None:
    frame = planted().with_columns(kilos=pl.col("y") * 60)
    told = said(opened(frame), target="y", features=["kilos", "a"], model="linear")
    assert "The target is predicted without error: a feature may be the target itself" in told


def test_more_features_than_rows_are_told_of_least_squares() -> None:
    random = np.random.RandomState(2)
    frame = pl.DataFrame({"y": random.normal(size=30)}).with_columns(
        **{f"x{i}": pl.Series(random.normal(size=30)) for i in range(40)}
    )
    told = said(opened(frame), target="y", features="x*", model="linear", evaluate="in sample")
    assert "40 features for 30 rows: least squares fits anything; take ridge" in told


BAD = [
    ({"target": "y", "features": "y"}, "no feature is left beside the target 'y'"),
    ({"target": "crop", "features": "a", "model": "ridge"}, "'ridge' predicts numbers"),
    ({"target": "y", "features": "hieght"}, "no column 'hieght'"),
    ({"target": "y", "features": "a", "test": "b"}, "needs a boolean column, but 'b' is number"),
    ({"target": "y", "features": "a", "test": "never"}, "no row that has a target is held out"),
    ({"target": "y", "features": "a", "test": "always"}, "0 rows to fit and 240 held out"),
    (
        {"target": "y", "features": "a", "test": "held", "evaluate": "in sample"},
        "leave test or evaluate out",
    ),
    ({"target": "flat", "features": "a"}, "the target has one value"),
    ({"target": "y", "features": "flat"}, "all 1 features are empty or constant"),
    ({"target": "id", "features": "a"}, "the target has more than 100 values"),
    ({"target": ["a", "b"], "features": "noise"}, "cells other than 0, 1"),
]


@pytest.mark.parametrize(("wish", "text"), BAD)
def test_what_cannot_be_learnt_is_refused(wish: dict[str, Any], text: str) -> None:
    frame = planted().with_columns(
        flat=pl.lit(1.0),
        never=pl.lit(False),
        always=pl.lit(True),
        id=pl.int_range(pl.len()).cast(pl.String),
    )
    with pytest.raises(ActionError) as caught:
        run("Predict", opened(frame), **wish)
    assert text in caught.value.text


def test_too_few_rows_are_refused() -> None:
    with pytest.raises(ActionError, match="only 19 rows can be learnt from, and 20 are the least"):
        run("Predict", opened(planted(19)), target="y", features=["a"])


def test_too_many_numbers_are_refused_before_they_are_read() -> None:
    frame = pl.LazyFrame({"n": [1.0]}).select(pl.col("n").repeat_by(7_000_000).explode(), m=2.0)
    frame = frame.with_columns(a=1.0, b=2.0, c=3.0)
    import narwhals as nw

    with pytest.raises(ActionError, match="7000000 rows x 3 features are more than 20000000"):
        run(
            "Predict",
            Table(nw.from_native(frame)),
            target="n",
            features=["a", "b", "c"],
            result="predictions",
        )


def test_it_is_kept_and_replayed_as_resolved() -> None:
    table = opened(planted())
    action = find_action("predict").model_validate({"target": "y", "features": ["a"]})
    resolved = action.resolve(table)
    assert resolved.arguments() == {"target": ["y"], "features": ["a"], "model": "ridge"}
    assert resolved.resolve(table) == resolved


@pytest.mark.parametrize(
    "wish",
    [
        {"target": "y"},
        {"target": "crop"},
        {"target": "crop", "model": "forest", "features": ["a", "noise"]},
        {"target": "y", "test": "held"},
        {"target": "y", "evaluate": "in sample"},
    ],
    ids=str,
)
def test_predictions_are_told_with_their_scores(wish: dict[str, Any]) -> None:
    frame = planted().with_columns(
        pl.when(pl.int_range(pl.len()) % 9 > 0).then(pl.col(name)).alias(name)
        for name in ("y", "a", "crop")
    )
    asked = {"features": ["a", "b", "noise"], "nulls": "drop", **wish}
    scores = scored(opened(frame), **asked)
    shown = ", ".join(
        f"{name} {value:.2g}" for name, value in scores.items() if name in WITHOUT_UNIT
    )
    told = notes("Predict", opened(frame), **asked, result="predictions")
    (fact,) = [fact for fact in told if "score " in fact.text]
    assert fact.text == f"The predictions score {shown}"
    assert fact.caveat and fact.matter == "statistics"


def test_the_score_of_few_predictions_may_be_cells() -> None:
    asked = {"target": "y", "features": ["a", "b"], "test": "held", "result": "predictions"}
    (fact,) = [f for f in notes("Predict", opened(planted(40)), **asked) if "score " in f.text]
    assert fact.caveat and fact.matter == "values"
