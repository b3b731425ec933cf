"""What people ask of a table itself: its columns, gaps, first rows, repeated rows, outliers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import wideleaf as wl

KILNS = pl.DataFrame(
    {
        "kiln": ["Ash", "Bow", "Cob", "Dun", "Dun", "Elm"],
        "fuel": ["wood", "gas", None, "gas", "gas", "wood"],
        "heat": [900.0, 1200.0, 1100.0, 1000.0, 1000.0, 9000.0],
        "pots": [12, None, 9, 30, 30, None],
        "notes": pl.Series([None] * 6, dtype=pl.String),
    }
)


def _ask(tmp_path: Path, question: str) -> wl.Result:
    path = tmp_path / "kilns.parquet"
    KILNS.write_parquet(path)
    return wl.ask(question, path, folder=str(tmp_path / "w"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which columns are there?", KILNS.columns),
        ("list the column names please", KILNS.columns),
        ("how many columns does it have?", 5),
        ("How many fields are in this table?", 5),
        ("Are there any duplicate rows?", True),
        ("how many rows are duplicated?", 1),
        ("How many missing values are there?", 9),
        ("which columns are completely empty?", "notes"),
        ("Which column has the most missing values?", {"column": "notes", "nulls": 6}),
    ],
)
def test_a_table_is_asked_about_itself(tmp_path: Path, question: str, value: Any) -> None:
    result = _ask(tmp_path, question)
    assert (result.status, result.value) == ("answered", value)
    assert (result.confidence or 0) > 0.5


def test_the_columns_that_lack_values_are_listed_with_how_many(tmp_path: Path) -> None:
    rows = _ask(tmp_path, "Which columns have missing values?").value
    assert rows == [
        {"column": "notes", "nulls": 6},
        {"column": "pots", "nulls": 2},
        {"column": "fuel", "nulls": 1},
    ]
    every = _ask(tmp_path, "How many blanks are there in each column?").value
    assert {row["column"]: row["nulls"] for row in every}["heat"] == 0


def test_first_last_and_random_rows_are_shown(tmp_path: Path) -> None:
    first = _ask(tmp_path, "Show me the first 2 rows").value
    assert [row["kiln"] for row in first] == ["Ash", "Bow"]
    last = _ask(tmp_path, "the last two rows please").value
    assert {row["kiln"] for row in last} == {"Dun", "Elm"}
    assert len(_ask(tmp_path, "a random sample of 3 rows").value) == 3


def test_a_summary_is_of_the_table_or_of_a_column(tmp_path: Path) -> None:
    assert len(_ask(tmp_path, "Describe the data").value) == 5
    one = _ask(tmp_path, "give me a summary of heat").value
    assert (one["column"], one["max"]) == ("heat", 9000.0)


def test_outliers_and_the_strongest_correlation_are_found(tmp_path: Path) -> None:
    assert _ask(tmp_path, "Are there outliers in heat?").value["kiln"] == "Elm"
    assert _ask(tmp_path, "What correlates most with heat?").value["column"] == "pots"


@pytest.mark.parametrize(
    "question",
    [
        "How many kilns burn gas?",  # of the rows, not of the table
        "Which columns have a sunroof?",
        "Show the first 2 potters",
        "How many values of fuel are gas?",
    ],
)
def test_a_word_of_another_kind_makes_no_overview(question: str) -> None:
    import narwhals as nw

    from wideleaf.agents.planner.overviews import read_overview
    from wideleaf.tools.tables.table import Table

    assert read_overview(question, {"kilns": Table(nw.from_native(KILNS.lazy()))}) is None
