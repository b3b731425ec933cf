"""Associate against SciPy itself, its cross-validation against scikit-learn, and its caveats."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from acting import Rows, notes, run, table
from on_engines import engine_for, every_engine
from pydantic import ValidationError
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.metrics import roc_auc_score

from wideleaf.tools.actions.inference import association, reading
from wideleaf.tools.actions.inference.associate import Associate
from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

CANCER = pl.from_pandas(load_breast_cancer(as_frame=True).frame)
DIABETES = pl.from_pandas(load_diabetes(as_frame=True).frame)
WINE = pl.from_pandas(load_wine(as_frame=True).frame).with_columns(
    pl.format("class {}", "target").alias("target"),
    strong=pl.col("alcohol") > 13,
    tint=pl.when(pl.col("hue") < 0.8).then(pl.lit("low")).when(pl.col("hue") < 1.1)
    .then(pl.lit("mid")).otherwise(pl.lit("high")),
)  # fmt: skip
ILL = {"column": "target", "op": "==", "value": 0}
FIRST = {"column": "target", "op": "==", "value": "class 0"}


def open_on(engine: str, frame: pl.DataFrame, folder: Path) -> Table:
    path = folder / "rows.parquet"
    frame.sample(fraction=1, shuffle=True, seed=3).write_parquet(path)
    return Table(engine_for(engine).scan(path))


def opened(frame: pl.DataFrame) -> Table:
    import narwhals as nw

    return Table(nw.from_native(frame.lazy()))


def said(frame: pl.DataFrame, **wish: Any) -> list[str]:
    return [fact.text for fact in notes("Associate", opened(frame), **wish)]


def by_column(rows: Rows) -> dict[str, dict[str, Any]]:
    return {row["column"]: row for row in rows}


@every_engine
def test_numbers_beside_a_condition_are_point_biserial(engine: str, tmp_path: Path) -> None:
    made = run("Associate", open_on(engine, CANCER, tmp_path), where=ILL, columns="*").rows(99)
    ill = (CANCER["target"] == 0).to_numpy()
    assert {row["column"] for row in made} == {*CANCER.columns} - {"target"}
    for row in made:
        cells = CANCER[row["column"]].to_numpy()
        found = stats.pointbiserialr(ill, cells)
        assert row["effect_name"] == "point-biserial r" and row["rows"] == 569
        assert row["effect"] == pytest.approx(found.statistic)
        assert row["p_value"] == pytest.approx(found.pvalue, rel=1e-6)
        assert row["inside"] == pytest.approx(cells[ill].mean())
        assert row["outside"] == pytest.approx(cells[~ill].mean())
        assert row["difference"] == pytest.approx(cells[ill].mean() - cells[~ill].mean())
    adjusted = stats.false_discovery_control([row["p_value"] for row in made])
    assert [row["adjusted_p"] for row in made] == pytest.approx(list(adjusted), rel=1e-6)
    assert [row["significant"] for row in made] == [p < 0.05 for p in adjusted]
    sizes = [abs(row["effect"]) for row in made]
    assert sizes == sorted(sizes, reverse=True)


@every_engine
def test_texts_and_truth_values_beside_a_condition(engine: str, tmp_path: Path) -> None:
    wine = open_on(engine, WINE, tmp_path)
    made = by_column(run("Associate", wine, where=FIRST, columns=["strong", "tint"]).rows(9))
    first = (WINE["target"] == "class 0").to_numpy()
    strong = WINE["strong"].to_numpy()
    counts = stats.contingency.crosstab(first, strong).count
    row = made["strong"]
    assert row["effect_name"] == "phi" and row["level"] == "true"
    assert row["effect"] == pytest.approx(stats.pearsonr(first, strong).statistic)
    assert abs(row["effect"]) == pytest.approx(stats.contingency.association(counts))
    assert row["p_value"] == pytest.approx(stats.chi2_contingency(counts, correction=False).pvalue)
    assert (row["inside"], row["outside"]) == pytest.approx(
        (strong[first].mean(), strong[~first].mean())
    )
    tint = WINE["tint"].to_numpy()
    counts = stats.contingency.crosstab(first, tint).count
    row = made["tint"]
    commonest = WINE["tint"].mode().item()
    assert row["effect_name"] == "Cramér's V" and row["level"] == commonest
    assert row["effect"] == pytest.approx(stats.contingency.association(counts, method="cramer"))
    assert row["p_value"] == pytest.approx(stats.chi2_contingency(counts, correction=False).pvalue)
    assert row["inside"] == pytest.approx((tint[first] == commonest).mean())


@every_engine
def test_beside_a_number(engine: str, tmp_path: Path) -> None:
    wine = open_on(engine, WINE, tmp_path)
    made = by_column(
        run("Associate", wine, column="alcohol", columns=["proline", "strong", "tint"]).rows(9)
    )
    alcohol = WINE["alcohol"].to_numpy()
    for name, called in (("proline", "Pearson r"), ("strong", "point-biserial r")):
        found = stats.pearsonr(alcohol, WINE[name].to_numpy().astype(float))
        assert made[name]["effect_name"] == called
        assert made[name]["effect"] == pytest.approx(found.statistic)
        assert made[name]["p_value"] == pytest.approx(found.pvalue, rel=1e-6)
        assert made[name]["inside"] is None
    parts = [alcohol[WINE["tint"].to_numpy() == one] for one in ("low", "mid", "high")]
    between = sum(len(part) * (part.mean() - alcohol.mean()) ** 2 for part in parts)
    share = between / ((alcohol - alcohol.mean()) ** 2).sum()
    assert made["tint"]["effect_name"] == "eta"
    assert made["tint"]["effect"] == pytest.approx(np.sqrt(share))
    assert made["tint"]["p_value"] == pytest.approx(stats.f_oneway(*parts).pvalue)


@every_engine
def test_beside_a_category(engine: str, tmp_path: Path) -> None:
    wine = open_on(engine, WINE, tmp_path)
    made = by_column(run("Associate", wine, column="target", columns="*").rows(99))
    kinds = WINE["target"].to_numpy()
    for name in ("alcohol", "proline", "hue"):
        parts = [WINE[name].to_numpy()[kinds == one] for one in np.unique(kinds)]
        assert made[name]["effect_name"] == "eta"
        assert made[name]["p_value"] == pytest.approx(stats.f_oneway(*parts).pvalue, rel=1e-6)
    for name in ("strong", "tint"):
        counts = stats.contingency.crosstab(kinds, WINE[name].to_numpy()).count
        size = stats.contingency.association(counts, method="cramer")
        assert made[name]["effect_name"] == "Cramér's V"
        assert made[name]["effect"] == pytest.approx(size)


def test_a_small_table_of_two_by_two_is_tested_exactly() -> None:
    frame = pl.DataFrame({"in": [True] * 4 + [False] * 6, "b": [True] * 3 + [False] * 7})
    wish: dict[str, Any] = {"where": {"column": "in", "op": "==", "value": True}, "columns": "b"}
    (row,) = run("Associate", opened(frame), **wish).rows(9)
    assert row["p_value"] == pytest.approx(stats.fisher_exact([[3, 1], [0, 6]]).pvalue)
    assert not any("rough" in text for text in said(frame, **wish))
    three = frame.with_columns(b=pl.Series([*"xxyyzzzxyz"]))
    assert any(text.startswith("1 tests are rough") for text in said(three, **wish))


def test_the_verdict_names_the_strongest_and_its_direction() -> None:
    told = notes("Associate", opened(CANCER), where=ILL, columns="*")
    assert told[0].text == (
        "25 of 30 columns go together with target == 0 (p < 0.05 after Benjamini and Hochberg); "
        "the strongest is 'worst concave points' (point-biserial r 0.79: higher inside)"
    )
    assert told[0].matter == "statistics" and told[0].caveat
    well = [f.text for f in notes("Associate", opened(CANCER), where={"not": ILL}, columns="*")]
    assert "(point-biserial r -0.79: lower inside)" in well[0]
    assert "357 rows are inside and 212 outside" in well
    number = said(DIABETES, column="target", columns="*")
    assert "(Pearson r 0.59: rises with it)" in number[0]
    assert said(WINE, column="target", columns="*")[0].endswith("(eta 0.85)")


def test_all_together_are_judged_by_rows_that_no_model_saw() -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    found = association.judge_together(
        opened(CANCER), ill_cells(), "yes/no", [n for n in CANCER.columns if n != "target"]
    )
    cells, ill = CANCER.drop("target").to_numpy(), (CANCER["target"] == 0).to_numpy()
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=300))
    chance = cross_val_predict(model, cells, ill, cv=5, method="predict_proba")[:, 1]
    assert isinstance(found, association.Joint)
    assert (found.measure, found.base, found.rows, found.features) == ("AUC", 0.5, 569, 30)
    assert found.score == pytest.approx(roc_auc_score(ill, chance), abs=0.01)
    assert any(
        text.startswith("30 of 30 columns together tell it with AUC 0.99 in 5-fold")
        for text in said(CANCER, where=ILL, columns="*")
    )
    assert any("with R2 0.4" in text for text in said(DIABETES, column="target", columns="*"))
    told = said(WINE, column="target", columns="*")
    assert any(
        "with accuracy 0.9" in text and text.endswith("to know nothing is 0.4") for text in told
    )


def ill_cells() -> Any:
    import narwhals as nw

    return nw.col("target") == 0


def test_noise_goes_together_with_nothing() -> None:
    numbers = np.random.RandomState(3)
    frame = pl.DataFrame({f"x{one}": numbers.normal(size=200) for one in range(60)})
    wish: dict[str, Any] = {"where": {"column": "x0", "op": ">", "value": 0}, "columns": "x*"}
    made = run("Associate", opened(frame), **wish).rows(99)
    assert len(made) == 59 and not any(row["significant"] for row in made)
    assert sum(row["p_value"] < 0.05 for row in made) > 0  # by chance
    told = said(frame, **wish)
    assert told[0].startswith("None of 59 columns go together with x0 > 0")
    assert any(text.startswith("59 columns are tested; of so many about 3 ") for text in told)
    together_told = next(text for text in told if "together tell it with AUC" in text)
    assert float(together_told.split("AUC ")[1].split(" ")[0]) == pytest.approx(0.5, abs=0.12)


def test_chunks_of_columns_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run("Associate", opened(CANCER), where=ILL, columns="*").rows(99)
    monkeypatch.setattr(reading, "COLUMNS_AT_ONCE", 7)
    assert run("Associate", opened(CANCER), where=ILL, columns="*").rows(99) == whole


def test_the_order_of_rows_makes_no_difference() -> None:
    shuffled = WINE.sample(fraction=1, shuffle=True, seed=8)
    for wish in ({"where": FIRST}, {"column": "alcohol"}, {"column": "target"}):
        rows = [run("Associate", opened(f), columns="*", **wish).rows(99) for f in (WINE, shuffled)]
        assert rows[0] == rows[1]
        assert said(WINE, columns="*", **wish) == said(shuffled, columns="*", **wish)


def test_what_the_target_is_made_of_takes_no_part() -> None:
    where = {"any": [ILL, {"column": "mean radius", "op": ">", "value": 20}]}
    action = Associate.model_validate({"where": where, "columns": ["mean *", "target"]})
    resolved = action.resolve(opened(CANCER))
    assert resolved.aside == ("mean radius", "target") and len(resolved.columns) == 9
    assert resolved.resolve(opened(CANCER)) == resolved
    told = said(CANCER, where=where, columns=["mean *", "target"])
    assert "'mean radius', 'target' took no part: the target is made of it" in told


def test_dates_take_no_part_and_are_told() -> None:
    from datetime import date

    frame = WINE.with_columns(day=pl.lit(date(2024, 1, 1)))
    made = run("Associate", opened(frame), where=FIRST, columns=["hue", "day"]).rows(9)
    assert [row["column"] for row in made] == ["hue"]
    told = said(frame, where=FIRST, columns=["hue", "day"])
    assert "'day' took no part; of dates Derive a number" in told


def test_nulls_constants_infinities_and_many_levels() -> None:
    count = 40
    frame = pl.DataFrame(
        {
            "y": [True, False] * 18 + [None] * 4,
            "none": [None] * count,
            "same": [3.5] * count,
            "wild": [1e308, float("inf"), -1e308, 2.0] * 10,
            "ids": [f"n{one}" for one in range(count)],
            "half": [None if one < 20 else float(one % 7) for one in range(count)],
            "text": ["a", "a", "b", None] * 10,
        },
        schema_overrides={"none": pl.Float64},
    )
    wish: dict[str, Any] = {"column": "y", "columns": "*"}
    made = by_column(run("Associate", opened(frame), **wish).rows(9))
    for name in ("none", "same", "ids"):
        assert made[name]["effect"] is None and made[name]["p_value"] is None
        assert made[name]["significant"] is None
    assert made["same"]["inside"] == made["same"]["outside"] == 3.5
    assert made["wild"]["rows"] == 27 and made["wild"]["effect"] is not None
    assert made["half"]["rows"] == 16
    told = said(frame, **wish)
    assert "4 of 40 rows have no target and took no part" in told
    assert any(text.startswith("3 columns have no effect: one value") for text in told)
    assert "Without an effect: 'none', 'same', 'ids'" in told
    assert any(text.startswith("4 columns lack a cell in more than 20 %") for text in told)


def test_a_rare_inside_and_few_rows_are_told() -> None:
    rare = CANCER.with_columns(rare=pl.int_range(pl.len()) < 20)
    told = said(rare, column="rare", columns="mean *")
    assert ("20 rows are inside and 549 outside: the smaller side has 3.5 %, and what is said "
            "hangs on it") in told  # fmt: skip
    few = notes("Associate", opened(CANCER.head(25)), where=ILL, columns="mean *")
    assert any(fact.text.startswith("25 rows are few") for fact in few)
    least = notes("Associate", opened(CANCER.slice(15, 12)), where=ILL, columns="mean *")
    assert least[0].matter == "values"
    assert any(fact.text.startswith("All together were not judged: only 12 rows") for fact in least)


def test_more_columns_than_rows() -> None:
    numbers = np.random.RandomState(0)
    frame = pl.DataFrame(numbers.normal(size=(40, 700)), schema=[f"x{n}" for n in range(700)])
    frame = frame.with_columns(y=pl.col("x5") + pl.col("x9") > 0)
    made = run("Associate", opened(frame), column="y", columns="x*").rows(3)
    assert {row["column"] for row in made} >= {"x5", "x9"}


def test_more_than_a_note_may_learn_from_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(association, "MAX_NUMBERS", 100)
    told = said(CANCER, where=ILL, columns="mean *")
    assert (
        "All together were not judged: 569 rows x 10 columns are many; Predict learns from more"
        in told
    )


def test_the_facts_are_the_same_where_the_table_is_read_again() -> None:
    action = find_action("Associate").model_validate({"where": ILL, "columns": "mean *"})
    given = opened(CANCER)
    resolved = action.resolve(given)
    made = resolved.run(given)
    assert resolved.notes([given], Table(made.frame)) == resolved.notes([given], made)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"column": "a", "columns": "zz"}, "no column 'zz'"),
    ({"column": "aa", "columns": "b"}, "no column 'aa'"),
    ({"column": "d", "columns": "a"}, "Associate needs a number or boolean or text column"),
    ({"column": "a", "columns": "a"}, "no candidate is left beside the target"),
    ({"column": "a", "columns": "d"}, "no candidate is left beside the target"),
    ({"column": "same", "columns": "a"}, "'same' is the same in all rows"),
    ({"column": "none", "columns": "a"}, "'none' is the same in all rows"),
    (
        {"where": {"column": "a", "op": ">", "value": 999}, "columns": "b"},
        "the condition is the same",
    ),
    ({"column": "ids", "columns": "a"}, "'ids' has 60 values, more than 50"),
]


@pytest.mark.parametrize(("wish", "text"), BAD)
def test_what_does_not_fit_is_refused(wish: dict[str, Any], text: str) -> None:
    from datetime import date

    schema = {"a": pl.Int64, "b": pl.Float64, "d": pl.Date, "same": pl.String, "none": pl.Float64,
              "ids": pl.String}  # fmt: skip
    rows = [{"a": n, "b": n / 2, "d": date(2024, 1, 1), "same": "x", "none": None, "ids": f"i{n}"}
            for n in range(60)]  # fmt: skip
    with pytest.raises(ActionError) as caught:
        run("Associate", table(rows, schema), **wish)
    assert text in caught.value.text


@pytest.mark.parametrize("wish", [{}, {"where": ILL, "column": "target"}])
def test_either_a_condition_or_a_column_is_given(wish: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="give where"):
        Associate.model_validate({"columns": "*", **wish})


def test_iris_is_told_apart_by_its_petals() -> None:
    iris = pl.from_pandas(load_iris(as_frame=True).frame)
    where = {"column": "target", "op": "==", "value": 0}
    made = run("Associate", opened(iris), where=where, columns="*").rows(9)
    assert made[0]["column"].startswith("petal") and made[0]["effect"] < -0.9
