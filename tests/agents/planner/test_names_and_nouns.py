"""Names that headers hold beside others, and nouns that only say again what is meant."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import wideleaf as wl

HAPPY = pl.DataFrame(
    {
        "Country": ["Peru", "Chad", "Fiji", "Oman"],
        "Economy (GDP per Capita)": [1.5, 0.5, 1.0, 2.0],
        "Weight (kg)": [3.0, 1.0, 2.0, 4.0],
    }
)
CASES = pl.DataFrame(
    {
        "patient": [1, 2, 3, 4, 5],
        "cancer": ["ALL", "AML", "ALL", "AML", "ALL"],
        "boarded": ["Cork", "Cork", "Hull", "Hull", "Hull"],
        "M23197_at": [100, 400, 500, 50, 700],
    }
)
PRICES = pl.DataFrame({"Close Price": [1.0, 3.0], "Average Price": [10.0, 30.0]})
WEEKS = pl.DataFrame(
    {"site": ["a", "b", "a", "b"], "Year": [2014, 2014, 2015, 2015], "code": ["x2014"] * 4}
    | {"yield": [1.0, 2.0, 5.0, 3.0]}
    | {f"T_MAX_W{week}": [1.0 * week] * 4 for week in range(10, 20)}
)
HOUSES = pl.DataFrame({"HouseAge": [10, 50, 60], "HouseValue": [45.0, 20.0, 30.0]})
STATES = pl.DataFrame(
    {
        "state_abbr": ["OH", "MI", "TX", "NY", "OH"],
        "county": ["Ohio Valley", "Wayne", "Ohio Falls", "Kings", "Adams"],
        "votes": [10, 20, 30, 40, 50],
    }
)
LANDS = pl.DataFrame(
    {
        "country": ["France", "Italy", "Spain", "Germany"],
        "iso": ["FRA", "ITA", "ESP", "DEU"],
        "sales": [3, 4, 5, 6],
    }
)
PHOTOS = pl.DataFrame({"userID": ["a@1", "b@7", "b@7", "c@2"], "#photo": [5, 4, 4, 6]})
RAIN = pl.DataFrame({"wind from": ["N", "S"] * 4, "temperature": [3.0, 9.0, 4.0, 7.0] * 2})


@pytest.mark.parametrize(
    ("frame", "question", "value"),
    [
        (HAPPY, "Which country has the highest GDP per capita?", "Oman"),
        (HAPPY, "mean gdp per capita", 1.25),
        (CASES, "In how many patients is M23197_at above 300?", 3),
        (CASES, "What is the mean M23197_at in the ALL group?", 1300 / 3),
        (CASES, "Which patient number has the highest M23197_at?", 5),
        (PRICES, "What is the average close price?", 2.0),
        (PRICES, "What is the average average price?", 20.0),
        (WEEKS, "Which site had the highest mean yield in 2014?", "b"),
        (HOUSES, "What is the mean HouseValue of houses older than 40?", 25.0),
        (STATES, "What is the total of votes in Ohio?", 60),
        (LANDS, "total sales in France and Spain", 8),
        (PHOTOS, "who took the most photos altogether?", "b@7"),
        (RAIN, "whats the hottest it got?", 9.0),
    ],
)
def test_a_question_is_answered(
    tmp_path: Path, frame: pl.DataFrame, question: str, value: object
) -> None:
    result = wl.ask(question, frame, folder=str(tmp_path))
    assert result.status == "answered", result.answer
    found = result.value
    if isinstance(found, list):
        found = found[0]
    if isinstance(found, dict):
        found = next(iter(found.values()))
    assert found == (pytest.approx(value) if isinstance(value, float) else value)


def test_a_unit_in_brackets_is_no_second_name(tmp_path: Path) -> None:
    result = wl.ask("What is the mean kg?", HAPPY, folder=str(tmp_path))
    assert result.status == "unanswered"


def test_the_texts_of_a_group_may_be_called_what_they_are(tmp_path: Path) -> None:
    result = wl.ask("mean M23197_at per port of boarding", CASES, folder=str(tmp_path))
    assert {row["boarded"] for row in result.value} == {"Cork", "Hull"}
