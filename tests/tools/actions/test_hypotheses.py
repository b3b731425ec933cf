"""Test against SciPy and statsmodels called directly on their data, its notes, and bad input."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import statsmodels.api as sm
from acting import notes, run, table
from on_engines import engine_for, every_engine
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from statsmodels.formula.api import ols
from statsmodels.stats.diagnostic import lilliefors
from statsmodels.stats.multitest import multipletests

from wideleaf.tools.actions.inference.hypothesis import NAMES, Test
from wideleaf.tools.actions.inference.hypothesis_methods import METHODS
from wideleaf.tools.actions.inference.hypothesis_samples import count_by_holm
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.table import Table


def _iris() -> pd.DataFrame:
    frame = load_iris(as_frame=True).frame
    frame.columns = ["sepal", "width", "petal", "thin", "kind"]
    frame["kind"] = frame["kind"].map({0: "setosa", 1: "versicolor", 2: "virginica"})
    return frame.assign(long=frame["sepal"] > 5.8, wide=frame["width"] > 3.0)


def _wine() -> pd.DataFrame:
    frame = load_wine(as_frame=True).frame
    return frame.assign(strong=frame["alcohol"] > 13, target=frame["target"].astype(int))


def _fair() -> pd.DataFrame:
    return sm.datasets.fair.load_pandas().data.assign(
        affair=lambda rows: rows["affairs"] > 0,
        happy=lambda rows: rows["rate_marriage"].map("{:.0f} of 5".format),
    )


FRAMES: dict[str, Callable[[], pd.DataFrame]] = {
    "iris": _iris,
    "wine": _wine,
    "fair": _fair,
    "diabetes": lambda: load_diabetes(as_frame=True, scaled=False).frame,
    "cancer": lambda: load_breast_cancer(as_frame=True).frame,
    "anes": lambda: sm.datasets.anes96.load_pandas().data,
    "stackloss": lambda: sm.datasets.stackloss.load_pandas().data,
}


def parts(frame: pd.DataFrame, column: str, by: str) -> list[Any]:
    return [cells.to_numpy(dtype=float) for _, cells in frame.groupby(by)[column]]


def cohen(one: Any, other: Any) -> float:
    squares = ((one - one.mean()) ** 2).sum() + ((other - other.mean()) ** 2).sum()
    return float((one.mean() - other.mean()) / math.sqrt(squares / (len(one) + len(other) - 2)))


def wins(one: Any, other: Any) -> float:
    """How much more often a value of the one is above one of the other than below it."""
    return float(np.sign(one[:, None] - other[None, :]).mean())


def eta(frame: pd.DataFrame, column: str, by: str) -> float:
    squares = sm.stats.anova_lm(ols(f"{column} ~ C({by})", frame).fit())["sum_sq"]
    return float(squares.iloc[0] / squares.sum())


def told(found: Any, **more: Any) -> dict[str, Any]:
    return {"statistic": found.statistic, "p_value": found.pvalue, **more}


Frame = pd.DataFrame
CASES: list[tuple[str, dict[str, Any], Callable[[Frame], dict[str, Any]]]] = [
    ("iris", {"test": "t", "columns": "sepal", "between": "kind",
              "groups": ["Setosa", "virginica"]},
     lambda d: told(stats.ttest_ind(*parts(d, "sepal", "kind")[::2]), df=98,
                    effect_size=cohen(*parts(d, "sepal", "kind")[::2]), rows=100,
                    size_1=50, size_2=50, centre="mean",
                    centre_1=d["sepal"][:50].mean(), centre_2=d["sepal"][100:].mean())),
    ("cancer", {"test": "student t", "columns": "mean radius", "between": "target",
                "alternative": "greater"},
     lambda d: told(stats.ttest_ind(*parts(d, "mean radius", "target"), alternative="greater"),
                    group_1="0", group_2="1", size_1=212, size_2=357)),
    ("wine", {"test": "welch", "columns": "proline", "between": "strong"},
     lambda d: told(one := stats.ttest_ind(*parts(d, "proline", "strong"), equal_var=False),
                    df=one.df)),
    ("diabetes", {"test": "welch", "columns": ["bmi", "s6"]},
     lambda d: told(stats.ttest_ind(d["bmi"], d["s6"], equal_var=False), column="bmi", other="s6",
                    rows=884, size_1=442, size_2=442)),
    ("iris", {"test": "paired t-test", "columns": ["sepal", "petal"], "alternative": "greater"},
     lambda d: told(stats.ttest_rel(d["sepal"], d["petal"], alternative="greater"), df=149,
                    effect_size=(a := d["sepal"] - d["petal"]).mean() / a.std(), rows=150,
                    size_1=150, size_2=150, centre="mean")),
    ("diabetes", {"test": "one sample t", "columns": "bmi", "value": 26},
     lambda d: told(stats.ttest_1samp(d["bmi"], 26), df=441, centre_2=26.0, centre="mean",
                    size_1=None, effect_size=(d["bmi"].mean() - 26) / d["bmi"].std())),
    ("iris", {"test": "u test", "columns": "width", "between": "long"},
     lambda d: told(stats.mannwhitneyu(*parts(d, "width", "long")),
                    effect_size=wins(*parts(d, "width", "long")),
                    size_1=len(parts(d, "width", "long")[0]), centre="median",
                    centre_1=np.median(parts(d, "width", "long")[0]))),
    ("stackloss", {"test": "mann-whitney", "columns": ["AIRFLOW", "ACIDCONC"],
                   "alternative": "less"},
     lambda d: told(stats.mannwhitneyu(d["AIRFLOW"], d["ACIDCONC"], alternative="less"))),
    ("iris", {"test": "Wilcoxon signed-rank test", "columns": ["width", "petal"]},
     lambda d: told(stats.wilcoxon(d["width"], d["petal"]))),
    ("stackloss", {"test": "wilcoxon", "columns": "WATERTEMP", "value": 20},
     lambda d: told(stats.wilcoxon(d["WATERTEMP"] - 20), centre="median", centre_2=20.0)),
    ("fair", {"test": "chi-square", "columns": ["happy", "affair"]},
     lambda d: told(one := stats.chi2_contingency(pd.crosstab(d["happy"], d["affair"])),
                    df=one.dof, rows=len(d), effect_size=stats.contingency.association(
                        pd.crosstab(d["happy"], d["affair"]), method="cramer"))),
    ("iris", {"test": "chi2", "columns": "wide", "between": "long"},
     lambda d: told(stats.chi2_contingency(pd.crosstab(d["wide"], d["long"])), df=1)),
    ("anes", {"test": "chi squared", "columns": ["educ", "vote"]},
     lambda d: told(stats.chi2_contingency(pd.crosstab(d["educ"], d["vote"])), df=6)),
    ("iris", {"test": "Fisher's exact test", "columns": "wide", "between": "long"},
     lambda d: told(one := stats.fisher_exact(pd.crosstab(d["wide"], d["long"])),
                    effect_size=one.statistic)),
    ("wine", {"test": "fisher", "columns": "strong", "between": "target", "groups": [2, 1],
              "alternative": "less"},
     lambda d: told(stats.fisher_exact(pd.crosstab(d["strong"], d["target"])[[2, 1]],
                                       alternative="less"))),
    ("iris", {"test": "two-proportion z-test", "columns": "wide", "between": "long"},
     lambda d: dict(zip(("statistic", "p_value"), sm.stats.proportions_ztest(
                        *(one := d.groupby("long")["wide"].agg(["sum", "count"]).T.to_numpy())),
                        strict=True),
                    centre_1=(one[0] / one[1])[0], centre_2=(one[0] / one[1])[1], centre="mean",
                    group_1="false", group_2="true", size_1=one[1][0], size_2=one[1][1],
                    effect_size=sm.stats.proportion_effectsize(*(one[0] / one[1])), rows=150)),
    ("wine", {"test": "proportions", "columns": "strong", "between": "target", "groups": [2, 1],
              "alternative": "greater"},
     lambda d: dict(zip(("statistic", "p_value"), sm.stats.proportions_ztest(
                        *d.groupby("target")["strong"].agg(["sum", "count"]).T[[2, 1]].to_numpy(),
                        alternative="larger"), strict=True))),
    ("iris", {"test": "one-way ANOVA", "columns": "width", "between": "kind"},
     lambda d: told(stats.f_oneway(*parts(d, "width", "kind")), df=2, df_error=147,
                    effect_size=eta(d, "width", "kind"), size_1=None, centre=None)),
    ("wine", {"test": "anova", "columns": "ash", "between": "target", "groups": [0, 1]},
     lambda d: told(stats.f_oneway(*parts(d, "ash", "target")[:2]), df=1)),
    ("wine", {"test": "kruskal-wallis", "columns": "hue", "between": "target"},
     lambda d: told(one := stats.kruskal(*parts(d, "hue", "target")), df=2, df_error=None,
                    effect_size=one.statistic / (len(d) - 1))),
    ("diabetes", {"test": "levene", "columns": ["s1", "s2", "s3"]},
     lambda d: told(stats.levene(d["s1"], d["s2"], d["s3"]), df=2, df_error=3 * 442 - 3,
                    other="s2, s3")),
    ("wine", {"test": "brown-forsythe", "columns": "proline", "between": "target"},
     lambda d: told(stats.levene(*parts(d, "proline", "target"), center="median"))),
    ("diabetes", {"test": "normality", "columns": "bmi"},
     lambda d: told(stats.shapiro(d["bmi"]), df=None, effect=None, rows=442)),
    ("fair", {"test": "shapiro-wilk", "columns": "affairs"},
     lambda d: told(stats.shapiro(d["affairs"]))),
    ("diabetes", {"test": "lilliefors", "columns": "s5"},
     lambda d: dict(zip(("statistic", "p_value"), lilliefors(d["s5"]), strict=True))),
    ("cancer", {"test": "ks", "columns": "mean texture", "between": "target"},
     lambda d: told(stats.ks_2samp(*parts(d, "mean texture", "target")), centre="median",
                    size_2=357)),
    ("cancer", {"test": "d'agostino", "columns": "mean texture"},
     lambda d: told(stats.normaltest(d["mean texture"]), df=2)),
]  # fmt: skip


def opened(engine: str, frame: pd.DataFrame, folder: Path) -> Table:
    pl.from_pandas(frame).write_parquet(path := folder / "rows.parquet")
    return Table(engine_for(engine).scan(path))


@pytest.mark.filterwarnings("ignore:scipy.stats.shapiro")
@every_engine
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[1]['test']}-{case[0]}")
def test_the_figures_are_those_of_a_direct_call(engine: str, case: Any, tmp_path: Path) -> None:
    name, wish, expected = case
    frame = FRAMES[name]()
    # The order of rows is none of a test's business.
    mixed = frame.sample(frac=1, random_state=1)
    (row,) = run("Test", opened(engine, mixed, tmp_path), **wish).rows(9)
    for key, value in expected(frame).items():
        number = isinstance(value, float | int) and not isinstance(value, bool)
        assert row[key] == (pytest.approx(float(value), rel=1e-9) if number else value), key
    assert row["significant"] == (row["p_value"] < 0.05)


def test_each_test_has_a_direct_call_to_be_compared_with() -> None:
    made = {Test.model_validate(wish).test for _, wish, _ in CASES}
    assert made == set(METHODS)


@every_engine
def test_a_test_is_made_in_each_group_and_of_each_column(engine: str, tmp_path: Path) -> None:
    frame = _iris()
    wish: dict[str, Any] = {"test": "shapiro", "columns": ["petal", "thin"], "by": "kind"}
    rows = run("Test", opened(engine, frame, tmp_path), **wish).rows(9)
    assert list(rows[0]) == ["kind", *NAMES]
    assert [(one["kind"], one["column"]) for one in rows] == [
        (kind, column) for kind in sorted(set(frame["kind"])) for column in ("petal", "thin")
    ]
    for one in rows:
        cells = frame.loc[frame["kind"] == one["kind"], one["column"]]
        assert one["p_value"] == pytest.approx(stats.shapiro(cells).pvalue)


@pytest.mark.parametrize("by", ["rows", "test", "column"])
def test_a_group_that_is_called_like_a_figure_keeps_its_name(by: str) -> None:
    rows = [{by: one % 2, "x": float(one)} for one in range(12)]
    made = run("Test", table(rows, {by: pl.Int64, "x": pl.Float64}), test="t", columns="x",
               between=by)  # fmt: skip
    assert made.columns == tuple(NAMES)
    made = run("Test", table(rows, {by: pl.Int64, "x": pl.Float64}), test="shapiro", columns="x",
               by=by)  # fmt: skip
    assert made.columns[0] == by and f"{by}_right" in made.columns
    assert [one[by] for one in made.rows(9)] == [0, 1]


GAPS = {"g": pl.String, "x": pl.Float64, "y": pl.Float64, "c": pl.Float64}


def gaps() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [
        {"g": "ab"[one % 2], "x": float(one * 7 % 11), "y": float(one % 5), "c": 1.0}
        for one in range(20)
    ]
    rows += [{"g": None, "x": 5.0, "y": 1.0}, {"g": "a", "x": None, "y": 1.0}]
    return [*rows, {"g": "b", "x": math.inf, "y": 2.0}, {"g": "b", "x": math.nan, "y": None}]


def test_rows_of_a_null_or_of_no_finite_number_are_left_out_and_told() -> None:
    clean = pd.DataFrame(gaps()[:20])
    (row,) = run("Test", table(gaps(), GAPS), test="t", columns="x", between="g").rows(9)
    wanted = stats.ttest_ind(*parts(clean, "x", "g"))
    assert (row["statistic"], row["rows"]) == (pytest.approx(wanted.statistic), 20)
    wish: dict[str, Any] = {"test": "t", "columns": "x", "between": "g"}
    assert "4 rows are left out for a null" in texts(table(gaps(), GAPS), **wish)
    (row,) = run("Test", table(gaps(), GAPS), test="paired t", columns=["x", "y"]).rows(9)
    assert row["rows"] == 21  # the row without a group has both


def texts(given: Table, **wish: Any) -> list[str]:
    return [fact.text for fact in notes("Test", given, **wish)]


def iris_notes(**wish: Any) -> list[Fact]:
    return notes("Test", opened_here(_iris()), **wish)


def opened_here(frame: pd.DataFrame) -> Table:
    import narwhals as nw

    return Table(nw.from_native(pl.from_pandas(frame).lazy()))


def test_a_sentence_tells_the_verdict_as_statistics() -> None:
    told_of = iris_notes(test="shapiro", columns="sepal")
    assert told_of[0].text == "'sepal': W = 0.9761, p = 0.0102: not normally distributed at 0.05"
    assert told_of[0].matter == "statistics" and told_of[0].caveat
    text = iris_notes(test="anova", columns="sepal", between="kind", alpha=0.01)[0].text
    assert text == (
        "'sepal' by 'kind': F = 119.3, df = 2 and 147, p < 0.0001: the means are not all equal at "
        "0.01; eta squared 0.619"
    )
    text = iris_notes(test="one-sample t", columns="sepal", value=5.8)[0].text
    assert "no difference from 5.8 was shown at 0.05" in text


def test_figures_of_few_rows_are_values() -> None:
    rows = [{"x": float(one * one % 7)} for one in range(12)]
    facts = notes("Test", table(rows, {"x": pl.Float64}), test="shapiro", columns="x")
    assert [fact.matter for fact in facts if "W = " in fact.text] == ["values"]


def test_groups_which_are_cells_are_in_no_sentence() -> None:
    for wish in ({"between": "kind", "test": "kruskal"}, {"by": "kind", "test": "shapiro"}):
        for fact in iris_notes(columns="sepal", **wish):
            assert "setosa" not in fact.text


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"test": "t", "columns": "sepal", "between": "kind", "groups": ["setosa", "virginica"]},
         "The variances differ by Levene's test; 'welch' would not assume them equal"),
        ({"test": "chi2", "columns": "wide", "between": "long"}, "2 x 2 has Yates' correction"),
        ({"test": "mann-whitney", "columns": "sepal", "between": "wide"}, "Values tie"),
        ({"test": "levene", "columns": "sepal", "between": "kind"}, "from the medians"),
        ({"test": "kolmogorov", "columns": "sepal"}, "Lilliefors'"),
        ({"test": "anova", "columns": "sepal", "between": "kind"}, "anova takes them equal"),
        ({"test": "proportions", "columns": "wide", "between": "long"},
         "the first share less the second is"),
    ],
)  # fmt: skip
def test_what_a_test_assumes_and_means_is_told(wish: dict[str, Any], words: str) -> None:
    assert any(words in fact.text for fact in iris_notes(**wish))


def test_small_and_large_samples_are_told() -> None:
    counts = [{"a": "xy"[i % 2], "b": "pq"[i % 3 > 0]} for i in range(12)]
    small = table(counts, {"a": pl.String, "b": pl.String})
    assert any("'fisher' is exact" in one for one in texts(small, test="chi2", columns=["a", "b"]))
    skew = [{"x": 2.0 ** (i % 12), "g": "ab"[i % 2]} for i in range(24)]
    few = table(skew, {"x": pl.Float64, "g": pl.String})
    assert any("'mann-whitney' would" in one for one in texts(few, test="t", columns="x",
                                                              between="g"))  # fmt: skip
    head = table(skew[:8], {"x": pl.Float64, "g": pl.String})
    assert any("under 10 values" in one for one in texts(head, test="t", columns="x", between="g"))
    many = table([{"x": float(i * 31 % 997)} for i in range(5_001)], {"x": pl.Float64})
    assert any("of over 5000 values p is inexact".casefold() in one.casefold()
               for one in texts(many, test="shapiro", columns="x"))  # fmt: skip


def test_several_tests_are_told_together_and_adjusted_by_holm() -> None:
    wish: dict[str, Any] = {"test": "t", "columns": ["width", "sepal", "petal"], "between": "wide"}
    values = [one["p_value"] for one in run("Test", opened_here(_iris()), **wish).rows(9)]
    alone = sum(one < 0.01 for one in values)
    kept = multipletests(values, alpha=0.01, method="holm")[0].sum()
    wanted = (
        f"{alone} of 3 tests are significant at 0.01, and {kept} by Holm's adjustment for 3 tests"
    )
    assert wanted in [fact.text for fact in iris_notes(**wish, alpha=0.01)]


def test_holms_count_is_that_of_statsmodels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gc.collect", int)
    at = np.random.default_rng(3)
    samples = [(at.random(n) ** 6).tolist() for n in (1, 2, 3, 5, 8, 13) for _ in range(20)]
    for values in [*samples, [0.025, 0.05], [0.05, 0.05], [0.5], [0.0] * 3]:
        rejections = multipletests(values, alpha=0.05, method="holm")[0]
        assert count_by_holm(values, 0.05) == sum(rejections), values


def test_a_test_that_some_samples_do_not_allow_is_null_and_told() -> None:
    wish: dict[str, Any] = {"test": "shapiro", "columns": ["x", "c"]}
    rows = run("Test", table(gaps(), GAPS), **wish).rows(9)
    assert [one["p_value"] is None for one in rows] == [False, True]
    assert rows[1]["significant"] is None and rows[1]["rows"] == 20
    assert "1 of 2 tests could not be made, of values that are all alike" in texts(
        table(gaps(), GAPS), **wish
    )


def test_infinite_odds_are_null_and_told() -> None:
    rows = [{"a": i < 6, "b": i < 9} for i in range(14)]
    given = table(rows, {"a": pl.Boolean, "b": pl.Boolean})
    (row,) = run("Test", given, test="fisher", columns=["a", "b"]).rows(9)
    assert row["effect_size"] is None and row["p_value"] == pytest.approx(
        stats.fisher_exact(pd.crosstab(*(pd.DataFrame(rows)[one] for one in "ab"))).pvalue
    )
    assert any("infinite" in one for one in texts(given, test="fisher", columns=["a", "b"]))


BAD: list[tuple[dict[str, Any], str]] = [
    ({"test": "t", "columns": "sepal", "between": "kind"}, "has 3 groups, and 't' compares two"),
    ({"test": "t", "columns": "sepal", "between": "kind"}, "take 'anova'"),
    ({"test": "u", "columns": "sepal", "between": "kind"}, "take 'kruskal'"),
    ({"test": "t", "columns": "sepal", "between": "kind", "groups": ["setosa", "x"]},
     "has no group 'x'"),
    ({"test": "t", "columns": ["sepal", "petal", "width"]}, "take 'anova' for more"),
    ({"test": "t", "columns": "sepal"}, "name the factor as between"),
    ({"test": "t", "columns": "kind", "between": "long"}, "but 'kind' is text"),
    ({"test": "t", "columns": "sepall", "between": "long"}, "no column 'sepall'"),
    ({"test": "paired t", "columns": "sepal"}, "is of two columns"),
    ({"test": "paired t", "columns": ["sepal", "petal"], "between": "long"}, "leave between out"),
    ({"test": "shapiro", "columns": "sepal", "between": "kind"}, "give 'kind' as by"),
    ({"test": "fisher", "columns": ["kind", "long"]}, "take 'chi-square'"),
    ({"test": "chi2", "columns": ["kind"]}, "is of two columns, or one and between"),
    ({"test": "anova", "columns": "sepal", "between": "kind", "alternative": "less"},
     "has no direction"),
    ({"test": "ks", "columns": "sepal", "alternative": "less"}, "has no direction"),
    ({"test": "t", "columns": "sepal", "groups": ["a", "b"]}, "column between, which is not given"),
    ({"test": "t", "columns": "sepal", "between": "long", "by": "long"}, "named twice"),
    ({"test": "chi2", "columns": "kind", "between": "kind"}, "itself tested"),
]  # fmt: skip


@pytest.mark.parametrize(("wish", "words"), BAD)
def test_what_does_not_fit_is_refused(wish: dict[str, Any], words: str) -> None:
    with pytest.raises(ActionError) as caught:
        run("Test", opened_here(_iris()), **wish)
    assert words in caught.value.text
    assert "setosa" not in caught.value.text


def test_a_group_that_is_not_there_tells_those_that_are_in_private_alone() -> None:
    with pytest.raises(ActionError) as caught:
        run("Test", opened_here(_iris()), test="t", columns="sepal", between="kind",
            groups=["virginia", "setosa"])  # fmt: skip
    assert "virginica" in caught.value.private and "virginica" not in caught.value.text
    assert caught.value.kind == "not found"


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"test": "t", "columns": "c", "between": "g"}, "all alike"),
        ({"test": "anova", "columns": "c", "between": "g"}, "all alike"),
        ({"test": "wilcoxon", "columns": "c", "value": 1}, "all zero"),
        ({"test": "kruskal", "columns": ["c", "n"]}, "fewer than two groups"),
        ({"test": "shapiro", "columns": "n"}, "fewer than 3 values"),
        ({"test": "chi2", "columns": ["g", "c"]}, "a column of one value"),
        ({"test": "levene", "columns": ["n", "x"], "between": "key"}, "fewer than two groups"),
    ],
)
def test_columns_that_say_nothing_are_refused(wish: dict[str, Any], words: str) -> None:
    rows = [one | {"n": None, "c": 1.0, "key": f"k{at}"} for at, one in enumerate(gaps()[:20])]
    given = table(rows, {**GAPS, "n": pl.Float64, "key": pl.String})
    with pytest.raises(ActionError, match=words):
        run("Test", given, **wish)


def test_thousands_of_groups_are_refused() -> None:
    rows = [{"k": at, "x": float(at % 7), "t": "ab"[at % 2]} for at in range(1_500)]
    given = table(rows, {"k": pl.Int64, "x": pl.Float64, "t": pl.String})
    for wish in ({"test": "anova", "columns": "x", "between": "k"},
                 {"test": "chi2", "columns": ["k", "t"]}):  # fmt: skip
        with pytest.raises(ActionError, match="more than 1000"):
            run("Test", given, **wish)


def test_a_group_is_named_as_in_a_condition() -> None:
    rows = [{"g": g, "n": n, "x": float(i)} for i, (g, n) in enumerate(
        [("A", 1.0), (" a", 1.0), ("b", 2.5), ("B ", 2.5)] * 3)]  # fmt: skip
    given = table(rows, {"g": pl.String, "n": pl.Float64, "x": pl.Float64})
    wish: dict[str, Any] = {"test": "t", "columns": "x"}
    (one,) = run("Test", given, **wish, between="g", groups=["a", "b"]).rows(9)
    (other,) = run("Test", given, **wish, between="n", groups=["1.0", 2.5]).rows(9)
    assert (one["rows"], one["p_value"]) == (12, other["p_value"])
    assert (one["group_1"], other["group_1"], other["group_2"]) == ("a", "1", "2.5")
