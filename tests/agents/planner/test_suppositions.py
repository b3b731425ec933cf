"""A question that was refused for a word or two is gone on from, or agreed to, and that is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from planner_talk import Talk

import wideleaf as wl
from wideleaf.agents.turn import Exchange

OTTERS = pl.DataFrame(
    {
        "otter": ["Bram", "Cato", "Dune", "Elva", "Fern", "Gorm"],
        "river": ["Alder", "Alder", "Birch", "Birch", "Cedar", "Cedar"],
        "sex": ["male", "female", "female", "male", "female", "male"],
        "weight": [8.5, 6.0, 7.0, 9.0, 5.5, 10.0],
        "length": [101, 90, 95, 110, 88, 115],
    }
)
REFUSED = "What is the mean weight for each river, whiskers?"


def session(folder: Path) -> wl.Session:
    return wl.Session(OTTERS, folder=str(folder))


def test_a_refused_question_is_gone_on_from_and_its_answer_says_so(tmp_path: Path) -> None:
    talk = session(tmp_path)
    assert talk.ask(REFUSED).status == "unanswered"
    result = talk.ask("median instead")
    assert result.status == "answered"
    assert {row["river"]: row["median of weight"] for row in result.value} == {
        "Alder": 7.25, "Birch": 8.0, "Cedar": 7.75,
    }  # fmt: skip
    told = " ".join([result.answer, *result.caveats])
    assert "was refused" in told and "without 'whiskers'" in told
    plain = session(tmp_path / "plain")
    plain.ask("What is the mean weight for each river?")
    assert result.confidence < plain.ask("median instead").confidence


def test_what_goes_on_from_a_supposition_is_gone_on_from_in_turn(tmp_path: Path) -> None:
    talk = session(tmp_path)
    talk.ask(REFUSED)
    talk.ask("median instead")
    result = talk.ask("only the females")
    assert {row["river"]: row["median of weight"] for row in result.value} == {
        "Alder": 6.0, "Birch": 7.0, "Cedar": 5.5,
    }  # fmt: skip


@pytest.mark.parametrize("message", ["yes", "Yes, please!", "take that", "ok, go ahead"])
def test_the_likeliest_reading_is_taken_once_it_is_agreed_to(tmp_path: Path, message: str) -> None:
    talk = session(tmp_path)
    refused = talk.ask(REFUSED)
    assert "Say 'yes'" in refused.answer
    result = talk.ask(message)
    assert len(result.value) == 3 and result.value[0]["mean of weight"] == 7.25
    assert any("agreed" in caveat for caveat in result.caveats)


def test_agreeing_to_nothing_is_no_answer(tmp_path: Path) -> None:
    talk = session(tmp_path)
    assert talk.ask("yes").status == "unanswered"
    talk.ask("What is the mean weight for each river?")
    assert talk.ask("yes").value is None


def test_a_question_that_was_hardly_understood_is_not_gone_on_from(tmp_path: Path) -> None:
    talk = session(tmp_path)
    refused = talk.ask("How shaggy were the whiskers of purple zebras on Tuesdays in Rome?")
    assert refused.status == "unanswered" and "Say 'yes'" not in refused.answer
    assert talk.ask("and only the females of those?").status == "unanswered"
    assert talk.ask("yes").status == "unanswered"


def test_a_single_question_offers_nothing_to_agree_to(tmp_path: Path) -> None:
    result = wl.ask(REFUSED, OTTERS, folder=str(tmp_path))
    assert result.status == "unanswered" and "Say 'yes'" not in result.answer


def test_a_new_question_is_read_by_itself(tmp_path: Path) -> None:
    talk = session(tmp_path)
    talk.ask(REFUSED)
    result = talk.ask("How many otters are male?")
    assert result.value == 3 and not any("refused" in caveat for caveat in result.caveats)


def test_a_conversation_that_is_kept_goes_on_from_a_refusal(tmp_path: Path) -> None:
    first = wl.Session(OTTERS, folder=str(tmp_path), thread="otters")
    first.ask(REFUSED)
    first.close()
    later = wl.Session(OTTERS, folder=str(tmp_path), thread="otters")
    assert later.ask("median instead").status == "answered"


@pytest.mark.parametrize(
    "steps",
    [
        [{"name": "Load", "arguments": {"source": "/etc/passwd"}}],
        [{"name": "Filter", "arguments": {"table": "$9", "where": []}}],
        [{"name": "Filter", "arguments": {"table": "elsewhere", "where": []}}],
        [{"name": "Nothing", "arguments": {"table": "otters"}}],
        [{"name": "Select", "arguments": {"table": "otters", "columns": ["claws"]}}],
        "all of it",
    ],
)
def test_a_plan_that_a_client_made_up_supposes_nothing(tmp_path: Path, steps: object) -> None:
    said = Talk(tmp_path, otters=OTTERS)
    likely: dict[str, Any] = {"steps": steps, "thoughts": ["as I like"], "reading": "all"}
    said.past = (Exchange(said="what?", label="", likely=likely),)
    assert "no earlier answer" in said.reply("median instead").problem
    assert said.reply("yes").problem
