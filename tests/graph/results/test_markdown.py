"""Answers as Markdown: tables and lines that show what cells say, and nothing that they ask for."""

import re

import pytest

from wideleaf.graph.results.text import escape, lines, size_text, table_text


def table(columns, *rows, total=None):
    return {"columns": list(columns), "rows": [list(row) for row in rows], "total": total or 1}


def test_numbers_are_said_as_the_shell_says_them_and_stand_on_the_right():
    given = table(["site", "yield"], ["A", 15.697530864197532], ["B", None], ["C", 1234567.89])
    assert table_text(given).splitlines() == [
        "| site | yield |",
        "| --- | ---: |",
        "| A | 15.70 |",
        "| B |  |",
        "| C | 1,234,567.89 |",
    ]


@pytest.mark.parametrize(
    "cell",
    [
        "![x](http://other.example/p.png)",
        "[x](javascript:alert(1))",
        "<img src=http://other.example/p.png>",
        "`code`",
        "*bold*",
        "_bold_",
        "~~gone~~",
        "$x^2$",
        "&lt;b&gt;",
        "# title",
        "- item",
        "1. item",
        "> quote",
        "---",
    ],
)
def test_markup_in_a_cell_is_shown_as_it_is(cell):
    escaped = escape(cell)
    assert escaped != cell
    assert re.sub(r"\\([\W_])", r"\1", escaped) == cell


@pytest.mark.parametrize(
    "text", ["yield_2019_a", "2 * 3", "a - b", "c[1-365]", "P < 3 & Q", "-5.2"]
)
def test_what_is_no_markup_stays_as_it_is(text):
    assert escape(text) == text


def test_a_bar_or_a_line_end_in_a_cell_does_not_end_it():
    assert table_text(table(["a|b"], ["1|2\n3"])).splitlines()[::2] == ["| a\\|b |", "| 1\\|2 3 |"]


def test_each_line_of_an_account_of_steps_stays_a_line():
    told = lines("The mean of yield.\nT1 = Load: 3 rows.\nT2 = Filter of T1: 2 rows.")
    assert told == "The mean of yield.\n\n- T1 = Load: 3 rows.\n- T2 = Filter of T1: 2 rows."
    assert lines("") == ""


def test_what_is_not_shown_is_said():
    wide = {"columns": [f"c{n}" for n in range(20)], "rows": [[*range(20)]] * 15, "total": 400}
    assert size_text(wide) == "The first 10 of 400 rows, the first 12 of 20 columns"
    assert size_text({**wide, "width": 900}).endswith("the first 12 of 900 columns")
    assert size_text(table(["a"], [1], [2], total=2)) == "2 rows"
    assert len(table_text(wide).splitlines()) == 12
    assert table_text(wide).splitlines()[0].count("|") == 13
