"""What people ask beyond one measure: ranks, the rest, ratios, shares, decades, occasions."""

from __future__ import annotations

import polars as pl
import pytest

import wideleaf as wl
from wideleaf.retrieval.words.dates import date_key, date_ranges, said_dates
from wideleaf.tools.tables.families import find_families

SHIPS = pl.DataFrame(
    {
        "name": ["Auk", "Bee", "Cod", "Dab", "Eel", "Fly"],
        "yard": ["Leith", "Leith", "Cork", "Cork", "Cork", "Brest"],
        "year built": [1951, 1958, 1964, 1967, 1969, 1983],
        "length": [40.0, 55.0, 62.0, 38.0, 71.0, 66.0],
        "crew": [8, 11, 31, 19, 6, 22],
        "passengers": [12, 4, 20, 30, 5, 10],
        "engine": ["steam", "diesel", "diesel", "steam", None, "sail"],
    }
)
MILK = pl.DataFrame(
    {
        "farm": ["A", "B", "C"],
        "milk_2019m12": [10.0, 20.0, 30.0],
        "milk_2020m01": [12.0, 21.0, 39.0],
        "milk_2020m02": [15.0, 19.0, None],
    }
)


@pytest.fixture
def ask(tmp_path):
    def run(question, frame=SHIPS, name="ships"):
        found = wl.ask(question, {name: frame}, folder=str(tmp_path), progress=False)
        assert found.status == "answered", found.answer
        value = found.value
        return value if isinstance(value, int | float | str) else found.frame.values.tolist()

    return run


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which ship has the second highest length?", "Fly"),
        ("what is the third lowest crew", 11),
        ("Which yard has the second highest average length?", "Cork"),
    ],
)
def test_one_rank_of_an_order_is_not_its_end(ask, question, value):
    assert ask(question) == value


def test_a_tie_with_the_rank_is_kept(ask):
    tied = SHIPS.with_columns(pl.Series("length", [40.0, 66.0, 62.0, 38.0, 71.0, 66.0]))
    found = ask("Which ships have the second highest length?", tied)
    assert sorted(name for (name,) in found) == ["Bee", "Fly"]


def test_conditions_on_two_columns_that_or_joins_are_alternatives(ask):
    wanted = SHIPS.filter((pl.col("yard") == "Leith") | (pl.col("engine") == "sail")).height
    assert ask("How many ships have the yard Leith or the engine sail?") == wanted


def test_what_is_missing_may_be_said_behind_the_name(ask):
    assert ask("For how many ships is the engine unknown?") == 1


def test_ten_years_at_once(ask):
    sixties = SHIPS.filter(pl.col("year built").is_between(1960, 1969)).height
    assert ask("How many ships were built in the sixties?") == sixties
    assert ask("How many ships have a year built in the 1960s?") == sixties


def test_groups_by_decade(ask):
    wanted = SHIPS.group_by(pl.col("year built") // 10 * 10).agg(pl.col("length").mean())
    found = {int(decade): mean for decade, mean in ask("average length per decade")}
    assert found == pytest.approx(dict(wanted.iter_rows()))


def test_one_column_over_another(ask):
    assert ask("How many ships have more passengers than crew?") == 2


def test_a_share_of_a_sum_is_none_of_the_rows(ask):
    cork = SHIPS.filter(pl.col("yard") == "Cork")["crew"].sum()
    wanted = cork / SHIPS["crew"].sum()
    assert ask("What share of the total crew has the yard Cork?") == pytest.approx(wanted)


def test_rows_beside_the_rest(ask):
    mean = pl.col("length").mean()
    found = dict(ask("Compare the average length of ships with a diesel engine with the rest."))
    assert found[1] == SHIPS.filter(pl.col("engine") == "diesel").select(mean).item()


def test_months_in_headers_are_dates():
    (family,) = find_families(tuple(MILK.columns[1:]))
    assert family.axis == "date"
    assert family.columns == tuple(MILK.columns[1:])


def test_a_month_in_words_is_its_column(ask):
    assert ask("What is the total milk in January 2020?", MILK, "farms") == 72.0


def test_a_change_is_between_the_means_of_its_ends(ask):
    found = ask("By how much did the mean milk rise from December 2019 to January 2020?", MILK)
    assert found == pytest.approx(4.0)


def test_the_occasion_at_which_a_measure_is_highest(ask):
    found = ask("In which month was the mean milk highest?", MILK, "farms")
    assert "2020m01" in str(found)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("in March 2021", ["202103"]),
        ("on 25th of December, 2022", ["20221225"]),
        ("Q3 2019, 2019q4 and quarter 1 of 2020", ["2019q3", "2019q4", "2020q1"]),
        ("the last quarter of 2023", ["2023q4"]),
        ("2021-03-04, Jan 2022, 2020", ["20210304", "202201", "2020"]),
        ("maybe 12 of them", []),
    ],
)
def test_dates_in_words_are_read(text, keys):
    assert [date.key for date in said_dates(text)] == keys


def test_ends_of_a_stretch_belong_together():
    ((first, last),) = date_ranges("from the first quarter of 2018 to the last quarter of 2019")
    assert (first.key, last.key) == ("2018q1", "2019q4")
    assert date_ranges("in 2018 and never again, 2019") == ()


def test_a_date_of_a_header_has_all_digits_of_its_year():
    assert (date_key("18q1"), date_key("2021m03")) == ("2018q1", "202103")
