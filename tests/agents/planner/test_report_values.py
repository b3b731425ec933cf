"""Reports of some rows: levels, years, extremes, outliers by name, columns made, gaps mended."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats
from sklearn.linear_model import LinearRegression
from sklearn.metrics import mean_absolute_error

import wideleaf as wl
from wideleaf.agents.planner.reports.formulas import read_formula
from wideleaf.agents.planner.reports.learning import test_share as share_of
from wideleaf.agents.planner.reports.statistic import statistic_of
from wideleaf.agents.report_form import read_form

MADE = np.random.RandomState(11)
HULLS = ("steel", "wood", "carbon fibre")
BOATS = pd.DataFrame(
    {
        "boat": [f"b{place:02d}" for place in range(90)],
        "hull": [HULLS[place % 3] for place in range(90)],
        "use": ["Training" if place % 4 else "Testing" for place in range(90)],
        "owners": [", ".join("abc"[: place % 3 + 1]) for place in range(90)],
        "length_m": np.round(MADE.normal(9, 2, 90), 2),
        "mast_m": np.round(MADE.normal(12, 1, 90), 2),
        "builder": [f"yard {place % 40}" for place in range(90)],
        "berths": [2 + 2 * (place % 2) for place in range(90)],
        "launch_year": [1950 + place % 45 for place in range(90)],
        "ordered": pd.date_range("2001-03-01", periods=90, freq="9D"),
    }
)
BOATS["delivered"] = BOATS.ordered + pd.to_timedelta(MADE.randint(20, 90, 90), unit="D")
BOATS["price"] = np.round(BOATS["length_m"] * 9 + MADE.exponential(20, 90), 1)
BOATS.loc[[5, 40], "price"] = [900.0, 950.0]
BOATS.loc[[7, 13], "mast_m"] = None


def ask(question: str) -> Any:
    return wl.ask(question, pl.from_pandas(BOATS).lazy())


def answer(question: str) -> dict[str, Any]:
    """The one row of the answer, by the names that were wanted."""
    result = ask(question)
    assert result.status == "answered", result.answer
    (row,) = result.frame.to_dict("records")
    return row


def test_a_level_in_quotation_marks_chooses_the_rows() -> None:
    row = answer('What is the mean price of boats of "wood"? @mean_price[mean] @sd_price[sd]')
    part = BOATS[BOATS.hull == "wood"].price
    assert row == {"mean_price": pytest.approx(part.mean()), "sd_price": pytest.approx(part.std())}


def test_levels_in_names_say_what_each_value_is_of() -> None:
    row = answer(
        "Is length_m correlated with price for steel and carbon fibre boats separately? "
        "@r_steel[r_value] @r_carbon_fibre[r_value]"
    )
    for name, hull in (("r_steel", "steel"), ("r_carbon_fibre", "carbon fibre")):
        part = BOATS[BOATS.hull == hull]
        assert row[name] == pytest.approx(stats.pearsonr(part.length_m, part.price)[0])


def test_a_level_that_is_excluded_is_left_out() -> None:
    row = answer(
        'Exclude the rows where hull is "steel". What is the median of price? '
        "@median_price[median] @max_price[max]"
    )
    part = BOATS[BOATS.hull != "steel"].price
    assert row == {"median_price": pytest.approx(part.median()), "max_price": part.max()}


def test_rows_that_are_excluded_behind_their_level_are_left_out() -> None:
    row = answer("Take the price. Boats of wood are ignored. @mean_price[mean] @max_price[max]")
    part = BOATS[BOATS.hull != "wood"].price
    assert row == {"mean_price": pytest.approx(part.mean()), "max_price": part.max()}


def test_years_choose_rows_and_several_conditions_on_them_refuse() -> None:
    row = answer(
        "What are the mean and the maximum of length_m for boats launched from 1960 to 1970? "
        "@mean_length[mean] @max_length[max]"
    )
    part = BOATS[BOATS.launch_year.between(1960, 1970)].length_m
    assert row == {"mean_length": pytest.approx(part.mean()), "max_length": part.max()}
    again = ask("Mean of length_m after 1980, and in 1950? @mean_length[mean] @other[mean]")
    assert again.status != "answered"


def test_numbers_behind_a_header_choose_rows() -> None:
    row = answer(
        "Only consider boats with length_m greater than 9.5. What is the mean price? "
        "@mean_price[mean] @boats_left[number of rows]"
    )
    part = BOATS[BOATS.length_m > 9.5]
    assert row["mean_price"] == pytest.approx(part.price.mean())


def test_the_row_of_an_extreme_is_told_by_its_cells() -> None:
    row = answer(
        "Which boat has the highest price, and which hull does it have? @dearest_boat[boat] "
        "@dearest_hull[hull] @highest_price[price]"
    )
    top = BOATS.loc[BOATS.price.idxmax()]
    assert row == {
        "dearest_boat": top.boat, "dearest_hull": top.hull, "highest_price": top.price
    }  # fmt: skip


def test_the_group_of_the_highest_mean_and_figures_of_that_group() -> None:
    row = answer(
        "Find the hull with the highest average mast_m, and the median price of the boats of this "
        "hull. @hull_highest_mast[hull] @median_price[median]"
    )
    top = BOATS.groupby("hull").mast_m.mean().idxmax()
    assert row["hull_highest_mast"] == top
    assert row["median_price"] == pytest.approx(BOATS[BOATS.hull == top].price.median())


def test_the_first_of_several_rows_at_an_extreme() -> None:
    row = answer(
        "Which boat has the highest launch_year? If several have it, choose the one that appears "
        "first. @newest_boat[boat] @its_hull[hull]"
    )
    top = BOATS.loc[BOATS.launch_year.idxmax()]
    assert row == {"newest_boat": top.boat, "its_hull": top.hull}
    assert (BOATS.launch_year == top.launch_year).sum() > 1


def test_numbers_that_are_groups_are_levels() -> None:
    row = answer(
        "Is there a difference in price between boats with berths = 2 and boats with berths = 4? "
        "Use a t-test with equal variances. @mean_berths_2[mean] @mean_berths_4[mean] "
        "@p_value[p_value]"
    )
    two, four = (BOATS[BOATS.berths == berths].price for berths in (2, 4))
    assert row["mean_berths_2"] == pytest.approx(two.mean())
    assert row["mean_berths_4"] == pytest.approx(four.mean())
    assert row["p_value"] == pytest.approx(stats.ttest_ind(two, four).pvalue)


def test_the_share_of_a_level_is_of_the_rows_that_have_one() -> None:
    row = answer(
        "What percentage of boats has a wood and what percentage a steel hull? "
        "@wood_percentage[share] @steel_percentage[share]"
    )
    shares = BOATS.hull.value_counts(normalize=True) * 100
    assert row["wood_percentage"] == pytest.approx(shares["wood"])
    assert row["steel_percentage"] == pytest.approx(shares["steel"])


def test_a_cell_of_many_is_meant_where_its_column_is_named() -> None:
    row = answer(
        'Only consider the rows whose builder is "yard 7". @mean_price[mean of price] '
        "@max_price[max]"
    )
    part = BOATS[BOATS.builder == "yard 7"].price
    assert row == {"mean_price": pytest.approx(part.mean()), "max_price": part.max()}


def test_what_is_regressed_on_what() -> None:
    row = answer(
        'Make a linear regression of "price" on "mast_m" over all rows. @slope[slope] '
        "@intercept[intercept]"
    )
    whole = BOATS.dropna(subset=["mast_m"])
    found = stats.linregress(whole.mast_m, whole.price)
    assert row == {
        "slope": pytest.approx(found.slope), "intercept": pytest.approx(found.intercept)
    }  # fmt: skip


def test_outliers_are_counted_named_bounded_and_set_beside_all_rows() -> None:
    row = answer(
        "Identify the outliers of the price column by the IQR method. @outlier_count[count] "
        "@outlier_boats[boat1,boat2,...] @lower_bound[low] @upper_bound[high] "
        "@mean_without_outliers[mean]"
    )
    low, high = BOATS.price.quantile([0.25, 0.75])
    ends = low - 1.5 * (high - low), high + 1.5 * (high - low)
    odd = BOATS[(BOATS.price < ends[0]) | (BOATS.price > ends[1])]
    assert row["outlier_count"] == len(odd)
    assert row["outlier_boats"] == ", ".join(sorted(odd.boat))
    assert (row["lower_bound"], row["upper_bound"]) == pytest.approx(ends)
    assert row["mean_without_outliers"] == pytest.approx(BOATS.drop(odd.index).price.mean())


def test_no_outlier_is_a_count_of_none_and_an_empty_text() -> None:
    row = answer(
        "Are there outliers in length_m with a z-score above 6? @outlier_count[count] "
        "@outlier_boats[boat1,boat2,...]"
    )
    assert row == {"outlier_count": 0, "outlier_boats": ""}


def test_z_scores_are_as_scipy_makes_them() -> None:
    cells = stats.zscore(BOATS.price)
    bound = float(np.sort(cells)[-1]) - 1e-6  # between the population's and the sample's score
    row = answer(
        f"How many outliers has price with a z-score greater than {bound:.6f}? @n_outliers[count]"
    )
    assert row == {"n_outliers": 1}


def test_before_and_after_what_is_done() -> None:
    row = answer(
        "Apply a log transformation to price and compare the skewness before and after. "
        "@skewness_before[skewness] @skewness_after[skewness]"
    )
    assert row["skewness_before"] == pytest.approx(BOATS.price.skew())
    assert row["skewness_after"] == pytest.approx(np.log(BOATS.price).skew())


def test_gaps_are_filled_within_groups_and_counted_before() -> None:
    row = answer(
        "Fill the missing values of mast_m with the mean of the same hull. @missing_before[count] "
        "@mean_mast[mean] @std_mast[std]"
    )
    filled = BOATS.mast_m.fillna(BOATS.groupby("hull").mast_m.transform("mean"))
    assert row["missing_before"] == 2
    assert row["mean_mast"] == pytest.approx(filled.mean())
    assert row["std_mast"] == pytest.approx(filled.std())


COLUMNS = {
    'Create a new feature "rig" calculated as (mast_m - length_m) / length_m * 100.': (
        (BOATS.mast_m - BOATS.length_m) / BOATS.length_m * 100
    ),
    'Create a new feature "rig", the number of days between ordered and delivered.': (
        (BOATS.delivered - BOATS.ordered).dt.days
    ),
    'Create a new feature "rig" by taking the base 10 logarithm of price.': np.log10(BOATS.price),
    'Create a new feature "rig", the number of items in owners.': (
        BOATS.owners.str.split(",").str.len()
    ),
    'Create a new feature "rig" by extracting the month of ordered.': BOATS.ordered.dt.month,
}


@pytest.mark.parametrize("told", COLUMNS)
def test_columns_are_made_in_several_ways(told: str) -> None:
    row = answer(f"{told} What are its mean and maximum? @mean_rig[mean] @max_rig[max]")
    assert row["mean_rig"] == pytest.approx(COLUMNS[told].mean())
    assert row["max_rig"] == pytest.approx(COLUMNS[told].max())


def test_a_number_that_a_formula_does_not_use_refuses_it() -> None:
    told = 'Create a new feature "rig" by dividing mast_m by length_m, less 3 for the keel.'
    assert ask(f"{told} @mean_rig[mean] @max_rig[max]").status != "answered"


def test_rows_of_one_level_train_and_those_of_another_judge() -> None:
    row = answer(
        'Predict the price with a linear regression. Use "length_m" and "launch_year" as features. '
        'Train on the rows where the use column is "Training" and evaluate where it is "Testing". '
        "@mae[mean_absolute_error] @rmse[rmse]"
    )
    parts = [BOATS[BOATS.use == name] for name in ("Training", "Testing")]
    names = ["length_m", "launch_year"]
    said = LinearRegression().fit(parts[0][names], parts[0].price).predict(parts[1][names])
    assert row["mae"] == pytest.approx(mean_absolute_error(parts[1].price, said))


def test_a_line_has_a_slope_and_the_sides_of_a_split_a_size() -> None:
    row = answer(
        "Fit a linear regression of length_m (predictor) to predict price on all rows. "
        "@slope[slope] @r_squared[r2]"
    )
    found = stats.linregress(BOATS.length_m, BOATS.price)
    assert row["slope"] == pytest.approx(found.slope)
    split = answer(
        "Train a linear regression to predict price from length_m with a test size of 0.2 and "
        "random_state 3. @test_size[n_test] @r_squared[r2]"
    )
    assert split["test_size"] == 18


@pytest.mark.parametrize(
    "question",
    [
        "Remove the duplicated boats. @mean_price[mean] @max_price[max]",
        "What percentage of boats is below the mean price? @percentage_below_mean[share] @m[mean]",
        "Take the base 2 logarithm transformation of price. @mean_price[mean] @sd_price[sd]",
        "Give the mean price for each hull. @mean_price[mean] @sd_price[sd]",
        "Use PCA on length_m and mast_m. @mean_price[mean] @sd_price[sd]",
        "What is the average price of old and of new boats? @mean_old[mean] @mean_new[mean]",
        "Which boat has the most missing values? @boat_most_missing[name] @missing[count]",
    ],
)
def test_work_that_no_report_does_refuses_it(question: str) -> None:
    assert ask(question).status != "answered"


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("Split into training (80%) and testing (20%) sets.", 0.2),
        ("70% of the rows are used for training and 30% for testing.", 0.3),
        ("Use a 75:25 split.", 0.25),
        ("Split with the ratio of 8:2.", 0.2),
        ("Use no split.", None),
    ],
)
def test_the_share_held_out_is_read(text: str, share: float | None) -> None:
    assert share_of(text) == share


def test_formulas_are_read_as_trees_and_nothing_else_is() -> None:
    columns = ["low", "high", "a b"]
    assert read_formula("is calculated as (high - low) / low * 100.", columns) == {
        "op": "*",
        "args": [
            {"op": "/", "args": [{"op": "-", "args": ["high", "low"]}, "low"]},
            100,
        ],
    }
    assert read_formula('x = "a b" + 2', columns) == {"op": "+", "args": ["a b", 2]}
    for text in ("is __import__('os').system('x')", "is high", "as low(high)", "no formula here"):
        assert read_formula(text, columns) is None


@pytest.mark.parametrize(
    ("form", "kind"),
    [
        ("@percentage_below_mean[x]", ""),
        ("@total_missing[x]", "missing"),
        ("@rows_remaining[n]", "rows"),
        ("@outlier_ids[id1, id2, ...]", "list"),
        ("@percentage_of_outliers[x]", "outlier share"),
        ("@site_with_most_missing[x]", ""),
    ],
)
def test_names_of_counts_and_lists_are_told_apart(form: str, kind: str) -> None:
    read = read_form(f"Do. {form}")
    assert read is not None and statistic_of(read.demands[0]) == kind


def test_what_gaps_are_filled_with_chooses_no_rows() -> None:
    row = answer(
        "Replace the missing values of hull with 'wood', and those of mast_m with the median of "
        "the column. @mean_mast[mean] @std_mast[std]"
    )
    filled = BOATS.mast_m.fillna(BOATS.mast_m.median())
    assert row["mean_mast"] == pytest.approx(filled.mean())
    assert row["std_mast"] == pytest.approx(filled.std())


def test_scipy_makes_a_populations_skewness() -> None:
    row = answer(
        "For skewness and kurtosis of price use the scipy library. @skew[skewness] @kurt[kurtosis]"
    )
    assert row["skew"] == pytest.approx(stats.skew(BOATS.price))
    assert row["kurt"] == pytest.approx(stats.kurtosis(BOATS.price))


def test_the_two_of_between_are_correlated() -> None:
    row = answer(
        "The mast_m is of interest, too. What is the correlation between length_m and price? "
        "@r[r_value] @p[p_value]"
    )
    assert row["r"] == pytest.approx(stats.pearsonr(BOATS.length_m, BOATS.price)[0])
