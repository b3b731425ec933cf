"""Plain questions for one analysis: a test, a regression, clusters or a trend of columns."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

import wideleaf as wl

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
    """The one row of the answer."""
    result = wl.ask(question, pl.from_pandas(BOATS).lazy())
    assert result.status == "answered", result.answer
    (row,) = result.frame.to_dict("records")
    return row


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


def test_values_under_names_of_their_own_are_refused_and_named() -> None:
    question = "How many boats are there? @boats[count] Give the mean price, too. @mean_price[mean]"
    result = wl.ask(question, pl.from_pandas(BOATS).lazy())
    assert result.status != "answered" and "'boats', 'mean_price'" in result.answer
    assert wl.ask("How many boats are there?", pl.from_pandas(BOATS).lazy()).value == 80
