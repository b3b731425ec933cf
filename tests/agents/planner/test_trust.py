"""What is answered only where every word fits, and what is refused because one does not."""

from __future__ import annotations

from datetime import date, timedelta

import polars as pl
import pytest

import wideleaf as wl

HAWKS = pl.DataFrame(
    {
        "species": ["RT", "RT", "SS", "SS", "CH", "CH"],
        "weight": [1100, 1300, 180, 160, 420, 510],
        "wing": [380, 390, 190, 200, 230, 240],
        "ringed": [date(2019, 3, 1) + timedelta(days=40 * n) for n in range(6)],
    }
)
STOPS = pl.DataFrame(
    {
        "name": ["Elm", "Oak", "Ash", "Fir", "Yew", "Bay", "Box", "Sow"],
        "lines": ["1", "2", "4", "1, 4", "2, 4, 14", "14", "1, 2", "4"],
        "riders": [10, 90, 40, 70, 60, 20, 30, 50],
        "zone": [1, 1, 2, 2, 3, 3, 1, 2],
    }
)
SALES = pl.DataFrame(
    {
        "shop": ["A", "B", "C", "D", "E", "F"],
        "partner": [1, 0, 0, 1, 0, 0],
        "credit_limit": [100, 200, 300, 400, 500, 600],
        "discount": [0, 5, 0, 10, 20, 0],
        "cond": ["used", "new", "used", "new", "used", "new"],
    }
)


@pytest.fixture
def ask(tmp_path):
    def run(question, frame, name):
        return wl.ask(question, {name: frame}, folder=str(tmp_path), progress=False)

    return run


@pytest.mark.parametrize(
    ("question", "frame", "name"),
    [
        ("what's the average weight of the bald hawks?", HAWKS, "hawks"),
        ("median wing of female SS hawks", HAWKS, "hawks"),
        ("when did Elm open?", STOPS, "stops"),
        ("how many people were bitten by SS hawks?", HAWKS, "hawks"),
        ("which stop has had the most wins?", STOPS, "stops"),
    ],
)
def test_a_word_that_says_which_or_another_thing_is_not_passed_over(ask, question, frame, name):
    found = ask(question, frame, name)
    assert found.status != "answered", found.answer


@pytest.mark.parametrize(
    ("question", "frame", "name", "value"),
    [
        ("How many stops are on line 4?", STOPS, "stops", 4),
        ("How many stops are on line 14?", STOPS, "stops", 2),
        ("how many sales with no partner?", SALES, "sales", 4),
        ("how many sales have no discount", SALES, "sales", 3),
    ],
)
def test_an_item_of_a_list_a_flag_and_an_amount_of_nothing_are_conditions(
    ask, question, frame, name, value
):
    found = ask(question, frame, name)
    assert found.status == "answered", found.answer
    assert found.value == value


def test_a_mean_per_a_few_whole_numbers_is_one_of_groups(ask):
    found = ask("average riders per zone", STOPS, "stops")
    rows = sorted(found.frame[["zone", "mean of riders"]].itertuples(index=False, name=None))
    assert rows == [(1, pytest.approx(130 / 3)), (2, pytest.approx(160 / 3)), (3, 40)]


def test_the_number_of_a_limit_is_no_value(ask):
    found = ask("top 2 stops by riders", STOPS, "stops")
    assert found.status == "answered", found.answer
    assert {"Oak", "Fir"} == {row[0] for row in found.frame.itertuples(index=False, name=None)}


def test_whether_values_are_missing_is_answered_by_yes_or_no(ask):
    found = ask("are there any missing values?", HAWKS, "hawks")
    assert found.status == "answered", found.answer
    assert found.frame["answer"].tolist() == [False]


def test_which_one_behind_whether_there_is_one_asks_for_it(ask):
    found = ask("is there any stop with more than 80 riders? which one", STOPS, "stops")
    assert found.status == "answered", found.answer
    assert "Oak" in found.answer


def test_words_that_two_spellings_write_are_one(ask):
    foods = pl.DataFrame({"name": ["bran", "oats", "rice"], "fiber": [9, 6, 1]})
    found = ask("which food has the most fibre?", foods, "foods")
    assert "bran" in found.answer


def test_a_name_is_found_whichever_part_of_it_comes_first(ask):
    art = pl.DataFrame(
        {
            "artist": ["Moss, Ida", "Moss, Ida", "Reed, Tom", "Vale, Una"],
            "title": ["Dawn", "Dusk", "Noon", "Night"],
        }
    )
    found = ask("how many titles by Ida Moss?", art, "art")
    assert found.value == 2, found.answer


def test_what_is_known_of_an_opened_file_is_kept_and_content_decides(tmp_path):
    path = tmp_path / "stops.parquet"
    STOPS.write_parquet(path)
    first = wl.ask("How many rows are there?", path, folder=str(tmp_path / "w"), progress=False)
    STOPS.head(3).write_parquet(path)
    again = wl.ask("How many rows are there?", path, folder=str(tmp_path / "w"), progress=False)
    assert (first.value, again.value) == (8, 3)


WIDE = pl.DataFrame(
    {
        "CV": [1, 2, 1, 2],
        "E4": [4.0, 6.0, 8.0, 2.0],
        "engine": [1.0, 2.0, 3.0, 4.0],
        **{f"wl{n}": [0.1 * n] * 4 for n in range(400, 720)},
    }
)


def test_a_noun_behind_a_code_of_a_wide_table_says_only_what_it_is(ask):
    found = ask("mean E4 per CV fold", WIDE, "lines")
    assert found.value == [{"CV": 1, "mean of E4": 6.0}, {"CV": 2, "mean of E4": 4.0}]
    assert ask("mean of engine complaints per CV", WIDE, "lines").status != "answered"


def test_a_sign_that_a_cell_begins_with_says_the_comparison_before_it(ask):
    incomes = pl.DataFrame({"status": ["a", "a", "b", "b"], "income": [">50K", "<=50K"] * 2})
    found = ask("For each status, what percentage earn more than 50K?", incomes, "incomes")
    assert [row["status"] for row in found.value] == ["a", "b"]
    assert [[*row.values()][-1] for row in found.value] == [50.0, 50.0]


def test_a_header_that_is_written_out_owns_its_words(ask):
    days = {f"T2M{kind}_D{day:03d}": [0.5 * day, 1.0 * day]
            for kind in ("", "_MAX", "_MIN") for day in range(1, 120)}  # fmt: skip
    weather = pl.DataFrame({"env": ["A", "B"], **days})
    found = ask("What's the highest T2M_MAX on day 40?", weather, "weather")
    assert (found.value, "T2M_MAX_D040" in found.answer) == (40.0, True)


def test_words_that_only_say_that_all_rows_are_meant_tell_nothing(ask):
    assert ask("how many SS hawks are in the whole dataset?", HAWKS, "hawks").value == 2
