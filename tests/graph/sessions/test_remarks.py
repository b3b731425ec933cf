"""Remarks in a conversation: which answer is spoken of, gone back to, or begun anew from."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import wideleaf as wl

TRIALS = pd.DataFrame(
    {
        "site": ["North", "North", "South", "South", "South", "West"],
        "year": [2018, 2019, 2018, 2019, 2019, 2019],
        "yield_t": [5.0, 6.0, 3.0, 4.0, 8.0, 7.0],
        "rain_mm": [500.0, 610.0, 480.0, 590.0, 605.0, 700.0],
    }
)
BY_SITE = "What is the mean yield_t by site?"


@pytest.fixture
def session(tmp_path: Path) -> wl.Session:
    return wl.Session({"trials": TRIALS}, folder=str(tmp_path / "w"))


def test_after_a_message_without_an_answer_the_last_answer_is_spoken_of_and_named(session):
    session.ask(BY_SITE)
    assert session.ask("sing me a song of love").status != "answered"
    told = session.ask("which columns did you need for this?")
    assert told.value == ["site", "yield_t"]
    assert told.answer.startswith(f"Of the last answer there is, to {BY_SITE!r}: ")
    assert session.ask("which columns did you need for this?").answer.count("Of the last") == 1
    session.ask("and only for 2019?")
    assert session.ask("how did you work these out?").answer[:2] != "Of"


def test_rows_are_told_with_what_chose_them(session):
    session.ask("What is the mean yield_t in 2019?")
    told = session.ask("which rows did you use to get that?")
    assert told.value == 4
    assert "year" in told.answer and "2019" in told.answer


def test_the_rows_of_a_regression_are_those_that_it_was_fitted_to(session):
    session.ask("linear regression of yield_t on rain_mm")
    told = session.ask("which rows did you use to get that?")
    assert told.value == len(TRIALS)
    assert told.answer == "6 rows went into it: those of trials."


def test_an_answer_is_gone_back_to_by_what_it_is_of(session):
    first = session.ask(BY_SITE)
    session.ask("take the median instead")
    session.ask("Which 2 sites have the highest rain_mm?")
    again = session.ask("hmm no, back to the average yields by site please")
    assert again.value == first.value
    assert again.label == first.label == session.last.label
    only = session.ask("now back to the medians, but only for 2019")
    assert {row["site"]: list(row.values())[1] for row in only.value} == {
        "North": 6.0,
        "South": 6.0,
        "West": 7.0,
    }


def test_several_answers_that_fit_are_named_and_none_is_taken(session):
    session.ask(BY_SITE)
    session.ask("What is the mean yield_t for each year?")
    before = session.ask("How many rows have site North?")
    told = session.ask("go back to the yields")
    assert told.status == "unanswered"
    assert "T1" in told.answer and "'back to T" in told.answer
    assert session.ask("why?").label == before.label


def test_a_chart_is_gone_back_to_and_drawn_again(session):
    first = session.ask(BY_SITE)
    drawn = session.ask("nice, can I see this as a line chart").drawn
    session.ask("How many rows have site North?")
    again = session.ask("the chart from before")
    assert again.drawn["spec"]["data"] == drawn["spec"]["data"]
    assert again.drawn["spec"]["mark"] == drawn["spec"]["mark"]
    assert session.ask("why?").label == first.label
    assert session.ask("back to the first, and plot it").drawn


def test_a_new_topic_takes_nothing_of_before(session):
    session.ask("What is the mean yield_t in 2019?")
    told = session.ask("ok something completely different, how many rows have site South?")
    assert told.value == 3
    assert not any("Goes on from" in text or "going on" in text for text in told.caveats)
    assert session.ask("back to the one before").value == 6.25


def test_what_is_taken_back_may_be_drawn(session):
    session.ask("What is the mean yield_t by site?")
    session.ask("and only for 2019?")
    told = session.ask("forget the year, can you draw a bar chart of the mean rain_mm by site")
    points = {row["x"]: row["y"] for row in told.drawn["spec"]["data"]["values"]}
    assert points == {"North": 555.0, "South": pytest.approx(558.33333), "West": 700.0}


def test_a_step_of_the_tree_that_was_no_answer_is_gone_back_to(session):
    session.ask("What is the mean rain_mm for each site in 2019?")
    step = session.ask("back to T1")
    assert (step.label, len(step.frame)) == ("T1", 4)
    assert session.ask("how many of those have site South?").value == 2
    assert session.ask("back to T9").status == "unanswered"
