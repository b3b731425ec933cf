"""Nouns that only name the rows, values that are meant, and sides of a comparison."""

from __future__ import annotations

from datetime import date, timedelta

import narwhals as nw
import polars as pl
import pytest

import wideleaf as wl
from wideleaf.agents.planner.links.lexicon import Question
from wideleaf.agents.planner.links.names import Names
from wideleaf.tools.tables.table import Table

CARS = pl.DataFrame(
    {
        "mfr": ["Arno", "Arno", "Bora", "Bora", "Cirr", "Cirr"],
        "model": ["Lynx", "Puma", "Ibis", "Kite", "Newt", "Toad"],
        "ctry_origin": ["Germany", "Germany", "Italy", "Italy", "Japan", "Japan"],
        "msrp": [41000, 98000, 52000, 30000, 77000, 19000],
        "hp": [300, 520, 410, 180, 505, 90],
        "seats": [4, 2, 4, 5, 2, 5],
    }
)
PEOPLE = pl.DataFrame(
    {
        "first_name": ["Ann", "Bob", "Cyd", "Dan", "Eve", "Fay"],
        "last_name": ["Reed", "Shaw", "Tate", "Usher", "Vane", "Wood"],
        "team": ["Red", "Red", "Red", "Blue", "Blue", "Blue"],
        "runs": [5, 6, 7, 19, 0, 1],
        "height": [70, 75, 81, 72, 69, 77],
        "habit": ["smoker", "nonsmoker", "smoker", "nonsmoker", "smoker", "nonsmoker"],
        "age": [15, 34, 19, 28, 41, 12],
    }
)
DAYS = pl.DataFrame(
    {
        "date": [date(2014, 12, 29) + timedelta(days=n) for n in range(6)],
        "temp_max": [4.0, 9.5, 31.0, 12.0, -3.0, 8.0],
        "temp_min": [1.0, 2.5, 14.0, 3.0, -9.0, 2.0],
        "weather": ["rain", "sun", "sun", "rain", "snow", "sun"],
    }
)


@pytest.fixture
def ask(tmp_path):
    def run(question, frame, name):
        return wl.ask(question, {name: frame}, folder=str(tmp_path), progress=False)

    return run


def rows_of(found):
    assert found.status == "answered", found.answer
    return found.frame.values.tolist()


@pytest.mark.parametrize(
    ("question", "model"),
    [
        ("what is the most expensive car?", "Puma"),
        ("Which car has the third most horsepower?", "Ibis"),
        ("what's the cheapest car", "Toad"),
    ],
)
def test_a_car_at_an_end_is_told_by_its_model(ask, question, model):
    assert rows_of(ask(question, CARS, "cars")) == [[model]]


def test_who_is_at_an_end_is_a_first_and_a_last_name(ask):
    assert rows_of(ask("who's the tallest player?", PEOPLE, "players")) == [["Cyd", "Tate"]]


def test_a_day_at_an_end_is_a_date(ask):
    found = rows_of(ask("what was the hottest day", DAYS, "weather"))
    assert [str(cell)[:10] for cell in found[0]] == ["2014-12-31"]


@pytest.mark.parametrize(
    "question",
    ["which museum has the most expensive car?", "what engine is used most often?"],
)
def test_a_noun_that_is_asked_for_and_in_no_column_is_refused(ask, question):
    found = ask(question, CARS, "cars")
    assert found.status != "answered" and "Not understood" in found.answer


@pytest.mark.parametrize(
    ("question", "frame", "value"),
    [
        ("how many german cars are there?", CARS, 2),
        ("how many sunny days are there?", DAYS, 3),
        ("how many players are teenagers?", PEOPLE, 2),
    ],
)
def test_a_word_of_the_family_of_a_cell_means_it(ask, question, frame, value):
    assert ask(question, frame, "days" if frame is DAYS else "cars").value == value


def test_a_relation_is_no_family(ask):
    found = ask("how many french cars are there?", CARS, "cars")
    assert found.status != "answered"


def test_sides_of_a_column_of_two_values_are_held_against_each_other(ask):
    found = rows_of(ask("average height for smokers vs non smokers", PEOPLE, "players"))
    means = {habit: height for habit, height in found}
    assert means == pytest.approx({"nonsmoker": 224 / 3, "smoker": 220 / 3})


def test_who_have_more_is_a_question_of_means_not_of_rows(ask):
    found = rows_of(ask("do german cars cost more than italian ones?", CARS, "cars"))
    assert sorted(found) == [["Germany", 69500.0], ["Italy", 41000.0]]


def test_a_share_of_some_has_these_for_its_whole(ask):
    found = ask("what percent of the red are smokers?", PEOPLE, "players")
    assert found.value == pytest.approx(100 * 2 / 3)


@pytest.mark.parametrize(
    "question",
    [
        "how many players are over 6 feet tall",  # a height in inches
        "how many players scored more than three homers",
        "average height for catchers",
        "how much does Ann Reed earn?",
        "who coached Ann?",
    ],
)
def test_what_is_said_of_another_thing_is_not_passed_over(ask, question):
    found = ask(question, PEOPLE, "players")
    assert found.status != "answered", found.answer


def test_an_abbreviation_may_keep_its_end(ask):
    found = rows_of(ask("how many cars from each country", CARS, "cars"))
    assert sorted(found) == [["Germany", 2], ["Italy", 2], ["Japan", 2]]


def test_a_year_without_value_is_one_that_rows_do_not_have(ask):
    frame = CARS.with_columns(pl.Series("year", [1990, None, 1991, None, 1992, 1993]))
    assert ask("how many cars don't have a year?", frame, "cars").value == 2
    share = ask("What percentage of cars have no year?", frame, "cars").value
    assert share == pytest.approx(100 / 3)


def test_a_flag_with_year_in_its_name_holds_no_years(ask):
    frame = CARS.with_columns(pl.Series("prog_year_round", [0, 1, 0, 1, 1, 0]))
    found = ask("What was the mean msrp in 2019?", frame, "cars")
    assert found.status != "answered" and "year_round is" not in found.answer


def test_a_name_that_others_begin_with_is_whole():
    ends = ("(g)", "per serving", "claim", "rank", "loss")
    frame = pl.DataFrame({f"Protein {end}": [1.0] for end in ends})
    names = Names(Table(nw.from_native(frame.lazy())))
    best = names.mentions(Question("What's the average protein?"))[0]
    assert (best.column, best.score > 0.8) == ("Protein (g)", True)


def test_a_code_that_says_what_all_rows_are_is_no_condition(tmp_path):
    stations = pl.DataFrame({"kind": ["F1", "V1", "F1"], "docks": [10, 20, 30]})
    told = 'column,description\nkind,"Station type: F1 = fixed station, V1 = virtual station"\n'
    (tmp_path / "told.csv").write_text(told)
    found = wl.ask(
        "How many stations are there?",
        {"stations": stations},
        dictionary=str(tmp_path / "told.csv"),
        folder=str(tmp_path / "w"),
        progress=False,
    )
    assert found.value == 3


RUN = pl.DataFrame(
    {
        "Runner": ["Ann", "Bob", "Cyd", "Dee"],
        "Sex": ["F", "M", "F", "M"],
        "Finish Time (min)": [88.5, 79.0, 101.2, 120.4],
        "Top speed km/h": [9.0, 12.0, 8.0, 7.0],
    }
)


@pytest.mark.parametrize(
    ("question", "runner"),
    [
        ("Who ran the fastest time?", "Bob"),
        ("Which runner had the slowest finish time?", "Dee"),
        ("which woman was the fastest?", "Ann"),
        ("who has the fastest top speed?", "Bob"),
    ],
)
def test_the_fastest_of_a_time_is_the_least_and_of_a_speed_the_most(ask, question, runner):
    assert ask(question, RUN, "results").value == runner


@pytest.mark.parametrize("header", ["Paid", "Paid?"])
@pytest.mark.parametrize("cells", [["Yes", "No", "No", "Yes"], [1, 0, 0, 1]], ids=["words", "bits"])
@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("What is the total fee where {} is No?", 50.0),
        ("What is the total fee where {} is yes?", 50.5),
        ("How many rows have {} = no?", 2),
    ],
)
def test_a_yes_or_no_behind_a_flag_is_what_it_holds(tmp_path, header, cells, asked, value):
    visits = pl.DataFrame({"visit": [1, 2, 3, 4], "fee": [10.5, 20.0, 30.0, 40.0], header: cells})
    visits.write_csv(tmp_path / "visits.csv")
    result = wl.ask(asked.format(header), str(tmp_path / "visits.csv"), folder=str(tmp_path / "w"))
    assert result.value == value
