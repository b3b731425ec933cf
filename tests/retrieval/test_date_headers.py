"""Dates as headers: a question that writes one as the header does means that column."""

import pandas as pd
import pytest

import wideleaf as wl
from wideleaf.retrieval.words.dates import date_ranges, said_dates

HEADERS = {"3/4/20": "20200304", "3/15/20": "20200315", "12/1/20": "20201201"}


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("cases on 3/4/20?", ["20200304"]),
        ("from 3/4/20 to 3/15/20.", ["20200304", "20200315"]),
        ("(12/1/20), and March 15, 2020", ["20201201", "20200315"]),
        ("on 3/4/2020", []),  # nobody can say which is the month
        ("on 13/4/20 or 3/4/201", []),
    ],
)
def test_a_date_is_said_as_a_header_writes_it(text, keys):
    assert [date.key for date in said_dates(text, HEADERS) if date.whole] == keys
    assert not said_dates("on 3/4/20")


def test_a_stretch_runs_between_two_headers():
    ((first, last),) = date_ranges("from 3/4/20 to 3/15/20", HEADERS)
    assert (first.key, last.key) == ("20200304", "20200315")


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    days = pd.date_range("2020-01-22", periods=90)
    rows = {"place": ["Estia", "Norland", "Ostia"], "part": ["East", "North", "East"]}
    for n, day in enumerate(days):
        rows[f"{day.month}/{day.day}/{day.year % 100}"] = [n, 3 * n, 100 - n]
    place = tmp_path_factory.mktemp("dates")
    pd.DataFrame(rows).to_csv(place / "cases.csv", index=False)
    return lambda question: wl.ask(question, str(place / "cases.csv"), folder=str(place / "w"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many cases did Estia have on 3/15/20?", 53),
        ("What is the total number of cases in the East on 3/4/20?", 42 + 58),
        ("Which place had the most cases on 4/1/20?", "Norland"),
        ("What is the mean of 2/1/20?", pytest.approx((10 + 30 + 90) / 3)),
    ],
)
def test_a_question_names_a_day_as_its_header_does(ask, question, value):
    result = ask(question)
    assert result.status == "answered"
    assert result.value == value
    assert not [one for one in result.caveats if "no step speaks of" in one]


def test_the_year_of_a_day_is_in_a_header_that_writes_two_digits_of_it(ask):
    result = ask("Which place had the most cases on April 1, 2020?")
    assert result.value == "Norland"
    assert not [one for one in result.caveats if "2020" in one]
