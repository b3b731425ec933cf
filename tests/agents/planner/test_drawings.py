"""Rows to draw: which cells a chart is of where its question names columns and no measure."""

import narwhals as nw
import polars as pl
import pytest

from wideleaf.agents.planner.drawings import list_rows
from wideleaf.tools.tables.table import Table

LAND = pl.DataFrame(
    {
        "Rank": [1, 2, 3, 4],
        "Parish": ["Ardmore", "Bere", "Clane", "Dunree"],
        "Year": [1901, 1911, 1921, 1931],
        "Live births per year": [120, 90, 60, 75],
        "Deaths per year": [80, 70, 65, 60],
        "Sheep kept": ["400", "310 (est.)", "x", "150"],
    }
)


def listed(question, frame=LAND):
    plan = list_rows(question, {"land": Table(nw.from_native(frame.lazy()))})
    return plan and [(step.name, {**step.arguments, "table": ""}) for step in plan.steps]


def columns(question, frame=LAND):
    steps = listed(question, frame)
    return steps and steps[-1][1]["columns"]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("the births and deaths for each parish",
         ["Parish", "Live births per year", "Deaths per year"]),
        ("deaths over time", ["Parish", "Deaths per year"]),
        ("deaths for each year", ["Year", "Deaths per year"]),
        ("the relationship between births and deaths",
         ["Parish", "Live births per year", "Deaths per year"]),
    ],
)  # fmt: skip
def test_the_columns_that_are_named_stand_beside_what_names_the_rows(question, names):
    assert columns(question) == names
    assert [name for name, _ in listed(question)] == ["Select"]


@pytest.mark.parametrize("question", ["the weather in spring", "parishes", "hello", ""])
def test_without_a_number_that_is_named_nothing_is_listed(question):
    assert listed(question) is None


def test_years_and_cells_that_are_named_are_conditions():
    (filtered, where), _ = listed("deaths from 1911 to 1921")
    assert filtered == "Filter"
    assert where["where"] == [{"column": "Year", "op": "in", "value": [1911, 1921]}]
    (_, where), _ = listed("the births of Clane")
    assert where["where"] == [{"column": "Parish", "op": "==", "value": "Clane"}]


def test_of_one_row_that_is_named_all_its_numbers_are_drawn():
    steps = listed("the figures of Bere")
    assert [name for name, _ in steps] == ["Filter", "Select"]
    assert steps[-1][1]["columns"][1:] == ["Live births per year", "Deaths per year"]


def test_the_first_of_a_table_with_ranks_are_those_of_the_ranks():
    (_, sort), _ = listed("deaths in the top 3 parishes")
    assert sort["by"] == [{"column": "Rank", "descending": False}] and sort["limit"] == 3
    (_, sort), _ = listed("deaths in the top two parishes", LAND.drop("Rank"))
    assert sort["by"] == [{"column": "Deaths per year", "descending": True}] and sort["limit"] == 2


def test_numbers_in_text_are_read_for_the_chart():
    frame = LAND.with_columns(pl.Series("Sheep kept", ["400", "310 (est.)", "220", "150"]))
    steps = listed("the sheep kept for each parish", frame)
    assert [name for name, _ in steps] == ["Derive", "Select"]
    assert steps[-1][1]["columns"] == ["Parish", "Sheep kept as number"]


def test_a_longer_name_is_not_two_columns():
    frame = pl.DataFrame({"club": ["a", "b"], "goals for": [1, 2], "goal difference": [3, 4]})
    assert columns("the goal difference of each club", frame) == ["club", "goal difference"]


def test_spans_of_years_name_rows_and_are_no_numbers():
    spans = pl.DataFrame({"Period": ["1950-1955", "1955-1960", "1960-1965"], "births": [9, 8, 7]})
    assert columns("births in different periods", spans) == ["Period", "births"]
