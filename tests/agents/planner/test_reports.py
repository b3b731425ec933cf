"""Questions that name the values they want, and plain questions for an analysis."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats
from sklearn.linear_model import LinearRegression
from sklearn.metrics import mean_squared_error, r2_score
from sklearn.model_selection import train_test_split

import wideleaf as wl
from wideleaf.agents.planner.reports.statistic import own_words, statistic_of
from wideleaf.agents.planner.reports.verdicts import read_rules, verdict
from wideleaf.agents.report_form import read_form

MADE = np.random.RandomState(4)
BOATS = pd.DataFrame(
    {
        "boat": [f"b{place}" for place in range(80)],
        "hull": [("steel", "wood", "carbon")[place % 3] for place in range(80)],
        "length_m": np.round(MADE.normal(9, 2, 80), 2),
        "mast_m": np.round(MADE.normal(12, 1, 80), 2),
        "year_built": [1950 + place // 2 for place in range(80)],
    }
)
BOATS["price"] = np.round(BOATS["length_m"] * 9 + MADE.exponential(20, 80), 1)
BOATS.loc[[5, 40], "price"] = [900.0, 950.0]
BOATS.loc[7, "mast_m"] = None


def answer(question: str) -> dict[str, Any]:
    """The one row of the answer, by the names that were wanted."""
    result = wl.ask(question, pl.from_pandas(BOATS).lazy())
    assert result.status == "answered", result.answer
    (row,) = result.frame.to_dict("records")
    return row


def test_figures_under_their_names() -> None:
    row = answer(
        "Calculate the mean and the standard deviation of the price column. "
        "@mean_price[mean] @sd_price[sd] where mean and sd are numbers rounded to two decimal "
        "places."
    )
    assert row == {
        "mean_price": round(BOATS.price.mean(), 2),
        "sd_price": round(BOATS.price.std(), 2),
    }


def test_shape_of_a_distribution_and_its_normality() -> None:
    row = answer(
        "Is length_m normally distributed? Use the Shapiro-Wilk test at 0.05. "
        '@normal[verdict], where "verdict" is "yes" if the data are normal and "no" if they are '
        'not. @skew[skewness] where "skewness" has three decimal places. @p[p_value].'
    )
    found = stats.shapiro(BOATS.length_m)
    assert row["normal"] == ("yes" if found.pvalue > 0.05 else "no")
    assert row["skew"] == round(BOATS.length_m.skew(), 3)
    assert row["p"] == pytest.approx(found.pvalue)


def test_a_correlation_its_p_value_and_what_it_is_called() -> None:
    row = answer(
        "Is there a correlation between length_m and price? Consider it strong if the absolute "
        "value of r is greater than or equal to 0.7, moderate if it is between 0.3 and 0.7, and "
        "weak if it is less than 0.3. @r[correlation_coefficient] @p_value[p] "
        '@strength[strength] where "strength" is "strong", "moderate" or "weak".'
    )
    found = stats.pearsonr(BOATS.length_m, BOATS.price)
    assert row["r"] == pytest.approx(found.statistic)
    assert row["p_value"] == pytest.approx(found.pvalue)
    size = abs(found.statistic)
    assert row["strength"] == ("strong" if size >= 0.7 else "moderate" if size >= 0.3 else "weak")


def test_outliers_are_counted_and_left_out() -> None:
    row = answer(
        "Remove the outliers of price by the IQR method, then give the new mean. "
        "@outlier_count[number] @new_mean[mean] with two decimal places"
    )
    low, high = BOATS.price.quantile([0.25, 0.75])
    width = 1.5 * (high - low)
    out = (BOATS.price < low - width) | (BOATS.price > high + width)
    assert row == {
        "outlier_count": int(out.sum()),
        "new_mean": round(BOATS.price[~out].mean(), 2),
    }


def test_a_new_column_is_made_first() -> None:
    row = answer(
        'Create a new feature called "rig" by dividing mast_m by length_m. What is its median? '
        "@median_rig[median] rounded to 3 decimal places"
    )
    assert row == {"median_rig": round((BOATS.mast_m / BOATS.length_m).median(), 3)}


def test_a_model_is_trained_as_asked() -> None:
    row = answer(
        "Train a linear regression to predict price from length_m and year_built. Hold out 25% "
        "of the data for testing, with random_state 7. @mse[mean_squared_error] @r2[r2_score]"
    )
    parts = train_test_split(
        BOATS[["length_m", "year_built"]], BOATS.price, test_size=0.25, random_state=7
    )
    said = LinearRegression().fit(parts[0], parts[2]).predict(parts[1])
    assert row["mse"] == pytest.approx(mean_squared_error(parts[3], said))
    assert row["r2"] == pytest.approx(r2_score(parts[3], said))


@pytest.mark.parametrize(
    "question",
    [
        "Calculate the mean price for each hull. @mean_price[mean] @sd_price[sd]",
        "Give the tonnage. @tonnage[number] @other[thing]",
        'Is the price fair? @fair[answer], where answer is "yes" or "no".',
    ],
)
def test_what_cannot_be_read_whole_is_refused(question: str) -> None:
    assert wl.ask(question, pl.from_pandas(BOATS).lazy()).status != "answered"


def test_one_value_of_a_plain_question_gets_its_name() -> None:
    row = answer("How many boats are there? @number_of_boats[count]")
    assert row == {"number_of_boats": 80}


PLAIN = {
    "Is price normally distributed?": ("shapiro", stats.shapiro(BOATS.price).pvalue),
    "Run a one-way ANOVA of price across hull": (
        "anova",
        stats.f_oneway(*(part.price for _, part in BOATS.groupby("hull"))).pvalue,
    ),
    "Use the Kruskal-Wallis test to compare length_m between hull groups": (
        "kruskal",
        stats.kruskal(*(part.length_m for _, part in BOATS.groupby("hull"))).pvalue,
    ),
}


@pytest.mark.parametrize("question", PLAIN)
def test_a_test_is_made_by_its_name(question: str) -> None:
    row, (test, p_value) = answer(question), PLAIN[question]
    assert row["test"] == test and row["p_value"] == pytest.approx(p_value)


def test_a_regression_and_a_trend_are_made() -> None:
    result = wl.ask("Regress price on length_m and mast_m", pl.from_pandas(BOATS).lazy())
    assert [row["term"] for row in result.frame.to_dict("records")] == [
        "intercept", "length_m", "mast_m"
    ]  # fmt: skip
    row = answer("Is there a trend in length_m over the years?")
    yearly = BOATS.groupby("year_built").length_m.mean()
    assert row["slope"] == pytest.approx(stats.linregress(yearly.index, yearly).slope)


def test_clusters_of_so_many_rows() -> None:
    result = wl.ask(
        "Cluster the rows into 3 groups by length_m and mast_m", pl.from_pandas(BOATS).lazy()
    )
    assert [row["cluster"] for row in result.frame.to_dict("records")] == [1, 2, 3]


def test_a_word_that_an_analysis_does_not_use_refuses_it() -> None:
    result = wl.ask("Is price normally distributed for racing boats?", pl.from_pandas(BOATS).lazy())
    assert result.status != "answered"


def test_what_is_said_of_a_value_is_its_own() -> None:
    form = read_form(
        'Compare. @a[low] @b[kind], where "low" is a number with two decimal places. '
        'where \'kind\' is a string that is either "up" or "down".'
    )
    assert form is not None and form.task == "Compare."
    first, second = form.demands
    assert (first.choices, first.digits) == ((), 2)
    assert (second.choices, second.digits) == (("up", "down"), None)
    assert read_form("What is the mean of a@b.c?") is None


STATISTICS = {
    "mean_of_x": "mean", "std_dev": "std", "r_squared": "R2", "pValue": "p_value",
    "root_mean_squared_error": "RMSE", "num_outliers": "outliers", "corr_a_b": "correlation",
}  # fmt: skip


@pytest.mark.parametrize("name", STATISTICS)
def test_a_name_says_which_statistic_is_wanted(name: str) -> None:
    form = read_form(f"Do. @{name}[thing]")
    assert form is not None
    assert statistic_of(form.demands[0]) == STATISTICS[name]


def test_words_beside_the_statistics_name_what_it_is_of() -> None:
    form = read_form("Do. @std_dev_mast[x]")
    assert form is not None and own_words(form.demands[0]) == ("mast",)


@pytest.mark.parametrize(
    ("text", "choices", "rules"),
    [
        ("If the p-value is less than 0.01, say a, else b.", ("a", "b"),
         [("a", "p_value", "<", 0.01)]),
        ("It is x if r >= 0.5 and y if r < 0.5.", ("x", "y"),
         [("x", "correlation", ">=", 0.5), ("y", "correlation", "<", 0.5)]),
    ],
)  # fmt: skip
def test_bounds_are_read_on_either_side(
    text: str, choices: tuple[str, ...], rules: list[tuple[str, str, str, float]]
) -> None:
    found = read_rules(text, choices, "p_value")
    assert [(one.said, *bound) for one in found for bound in one.bounds] == rules


def test_words_that_deny_are_told_from_those_that_affirm() -> None:
    rules = verdict("", ("Normal", "Non-normal"), "p_value", normal=True)
    assert [(rule.said, len(rule.bounds)) for rule in rules] == [("Non-normal", 1), ("Normal", 0)]
    assert verdict("", ("red", "green", "blue"), "p_value", normal=False) == []
