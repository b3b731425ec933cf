"""Messages that go on from an earlier answer: its plan changed, or its rows asked of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from planner_talk import Talk
from work import calls_in

from wideleaf.agents.turn import Exchange

OTTERS = pl.DataFrame(
    {
        "otter": ["Bram", "Cato", "Dune", "Elva", "Fern", "Gorm", "Hild", "Iver"],
        "river": ["Alder", "Alder", "Birch", "Birch", "Cedar", "Cedar", "Alder", "Birch"],
        "country": ["Norway", "Norway", "Norway", "Norway", "Latvia", "Latvia", "Norway", "Norway"],
        "sex": ["male", "female", "female", "male", "female", "male", "female", "female"],
        "year": [2018, 2018, 2018, 2019, 2019, 2019, 2019, 2019],
        "weight": [8.5, 6.0, 7.0, 9.0, 5.5, 10.0, 6.5, 7.5],
        "length": [101, 90, 95, 110, 88, 115, 92, 97],
        "litter": [0, 2, 3, 0, 1, 0, 4, 2],
    }
)
SPECTRA = pl.DataFrame(
    {"plot": ["a", "b", "c", "d"], "block": [1, 1, 2, 2]}
    | {f"red_d{day:03d}": [day + 1.0, day + 2.0, day + 3.0, day + 6.0] for day in range(0, 60, 10)}
    | {f"blue_d{day:03d}": [day * 2.0, 1.0, 2.0, 3.0] for day in range(0, 60, 10)}
)


def talk(folder: Path, first: str, *more: str) -> list[tuple[Any, ...]]:
    said = Talk(folder, otters=OTTERS)
    rows = said.say(first)
    for message in more:
        rows = said.say(message)
    return rows


MEAN = "What is the mean weight of otters in Norway?"
BY_RIVER = "What is the mean weight for each river?"


@pytest.mark.parametrize(
    ("messages", "rows"),
    [
        ((MEAN,), [(44.5 / 6,)]),
        ((MEAN, "and only for 2019?"), [(23.0 / 3,)]),
        ((MEAN, "and in Latvia?"), [(7.75,)]),
        ((MEAN, "what about Latvia?", "and only the females"), [(5.5,)]),
        ((MEAN, "just the ones over 100 in length"), [(8.75,)]),
        ((MEAN, "without the males"), [(6.75,)]),
        ((MEAN, "without those longer than 100 in length"), [(6.75,)]),
        ((MEAN, "and in 2018?", "and the year after?"), [(23.0 / 3,)]),
        ((MEAN, "also in Latvia"), [(60.0 / 8,)]),
        ((MEAN, "drop the filter"), [(7.5,)]),
        ((MEAN, "take the median instead"), [(7.25,)]),
        ((MEAN, "and the maximum?"), [(9.0,)]),
        ((MEAN, "how about length?"), [(97.5,)]),
        ((MEAN, "and the total litter"), [(11,)]),
        ((MEAN, "now by sex"), [("female", 6.75), ("male", 8.75)]),
        ((MEAN, "per year instead"), [(2018, 21.5 / 3), (2019, 23.0 / 3)]),
        ((MEAN, "the same for every country"), [("Latvia", 7.75), ("Norway", 44.5 / 6)]),
        ((BY_RIVER, "just the top 2"), [("Birch", 23.5 / 3), ("Cedar", 7.75)]),
        ((BY_RIVER, "just the top 2", "sort it the other way"), [("Alder", 7.0), ("Cedar", 7.75)]),
        ((BY_RIVER, "which one is the lowest?"), [("Alder",)]),
        ((BY_RIVER, "which of those is above 7.5?"), [("Birch",), ("Cedar",)]),
        ((BY_RIVER, "how many is that?"), [(3,)]),
        (("How many otters are female?", "as a percentage of all"), [(62.5,)]),
        (("How many otters are female?", "and in Latvia?"), [(1,)]),
        (("How many otters are female?", "how many of those are from Norway?"), [(4,)]),
        (("How many otters are female?", "what is their average weight?"), [(6.5,)]),
        (("How many otters are there for each sex?", "in percent"),
         [("female", 62.5), ("male", 37.5)]),
        (("Which otter has the highest weight?", "which country is that in?"), [("Latvia",)]),
        (("Which otter has the highest weight?", "and the lowest?"), [("Fern",)]),
        (("Which otter has the highest weight?", "and in Norway?"), [("Elva",)]),
        (("Which otter has the highest weight?", "what about length?"), [("Gorm",)]),
        (("What is the length of Dune?", "and Elva?"), [(110,)]),
        (("What is the length of Dune?", "and the weight?"), [(7.0,)]),
        (("Which river has the highest mean weight?", "what country is that in?"), [("Norway",)]),
        ((MEAN, "hm, ok, and in Latvia? thanks"), [(7.75,)]),
        # What was shown of the same rows, what they were chosen by aside.
        (("top 2 otters by weight", "river of those?", "length?"), [("Elva", 110), ("Gorm", 115)]),
        (("What is the highest weight?", "which otter was that?"), [("Gorm",)]),
        (("What percentage of the otters has a weight above 7?", "and above 8?"), [(37.5,)]),
        (("What percentage of the otters has a weight above 8?",
          "and what is the mean length there?"), [(326 / 3,)]),
        (("How many otters are there for each river?",
          "instead of the number, the mean weight in each of those groups"),
         [("Alder", 7.0), ("Birch", 23.5 / 3), ("Cedar", 7.75)]),
        ((BY_RIVER, "by sex instead of river"), [("female", 6.5), ("male", 27.5 / 3)]),
        (("How many otters are female?", "how many of those are from Norway?",
          "what is that as a percentage of all the Norway otters?"), [(400 / 6,)]),
    ],
)  # fmt: skip
def test_a_message_goes_on_from_the_answer_before_it(
    tmp_path: Path, messages: tuple[str, ...], rows: list[tuple[Any, ...]]
) -> None:
    found = talk(tmp_path, *messages)
    close = [tuple(pytest.approx(c) if isinstance(c, float) else c for c in row) for row in rows]
    assert (found if "top 2" in messages else sorted(found)) == close


def test_a_further_grouping_splits_and_another_replaces(tmp_path: Path) -> None:
    rows = talk(tmp_path, BY_RIVER, "split that by sex")
    assert len(rows) == 6 and ("Alder", "female", 6.25) in rows
    rows = talk(tmp_path / "other", BY_RIVER, "now by sex")
    assert sorted(rows) == [("female", 6.5), ("male", pytest.approx(27.5 / 3))]


@pytest.mark.parametrize(
    ("message", "rows"),
    [
        ("What is the mean length for each sex?", [("female", 92.4), ("male", 326 / 3)]),
        ("How many otters are male?", [(3,)]),
        ("New question: what is the highest litter?", [(4,)]),
    ],
)
def test_a_new_topic_begins_anew(tmp_path: Path, message: str, rows: list[tuple[Any, ...]]) -> None:
    close = [tuple(pytest.approx(c) if isinstance(c, float) else c for c in row) for row in rows]
    assert sorted(talk(tmp_path, MEAN, message)) == close


def test_what_was_taken_from_before_is_said(tmp_path: Path) -> None:
    said = Talk(tmp_path, otters=OTTERS)
    said.say(MEAN)
    said.say("take the median instead")
    assert "the median of weight of otters, where country is 'Norway'" in said.note
    assert f"going on from '{MEAN}'" in said.note


def test_a_plan_goes_on_from_the_frames_that_are_there(tmp_path: Path) -> None:
    said = Talk(tmp_path, otters=OTTERS)
    said.say(MEAN)
    before = len(said.tree.nodes)
    said.say("take the median instead")
    assert len(said.tree.nodes) == before + 1
    assert said.tree.nodes[-1].parents == said.tree[said.past[0].label].parents


def test_words_that_are_not_understood_are_said(tmp_path: Path) -> None:
    said = Talk(tmp_path, otters=OTTERS)
    said.say(MEAN)
    reply = said.reply("and the zibeline?")
    assert reply.gives_up and "zibeline" in reply.problem


@pytest.mark.parametrize(
    "message",
    ["and only for 2019?", "weight of those?", "what year is that one?", "and in 2018?",
     "how many of these are male?"],
)  # fmt: skip
def test_without_an_answer_there_is_nothing_to_go_on_from(tmp_path: Path, message: str) -> None:
    said = Talk(tmp_path, otters=OTTERS)
    said.past = (Exchange(said="Why do fools fall in love?", status="failed"),)
    reply = said.reply(message)
    assert reply.gives_up and "no earlier answer to go on from" in reply.problem


def test_a_whole_question_behind_one_that_was_refused_is_answered(tmp_path: Path) -> None:
    said = Talk(tmp_path, otters=OTTERS)
    said.past = (Exchange(said="Why do fools fall in love?", status="failed"),)
    assert said.say("How many otters are male?") == [(3,)]


def test_the_same_words_after_another_answer_are_another_question(tmp_path: Path) -> None:
    said = Talk(tmp_path, otters=OTTERS)
    said.say(MEAN)
    assert said.say("and the maximum?") == [(9.0,)]
    said.say("What is the mean length of otters in Latvia?")
    assert said.say("and the maximum?") == [(115,)]


@pytest.mark.parametrize(
    ("messages", "value"),
    [
        (("What is the mean red on day 20?", "and on day 40?"), 43.0),
        (("What is the mean red on day 20?", "and blue?"), 11.5),
        (("What is the mean red on day 20?", "and the maximum?", "and in block 1?"), 22.0),
    ],
)
def test_another_member_of_a_family_is_asked_of(
    tmp_path: Path, messages: tuple[str, ...], value: float
) -> None:
    said = Talk(tmp_path, spectra=SPECTRA)
    rows = [said.say(message) for message in messages]
    assert rows[-1] == [(pytest.approx(value),)]


def test_a_further_message_on_a_wide_table_is_less_work_than_the_first(tmp_path: Path) -> None:
    # No other test has these headers: what is known of words is kept by them, too.
    gauges = {f"gauge_{i}_q": [float(i), i + 1.0, i + 5.0] for i in range(3000)}
    wide = pl.DataFrame({"site": ["k1", "k2", "k3"], "zone": ["north", "south", "south"]} | gauges)
    said = Talk(tmp_path, wide=wide)
    first = calls_in(lambda: said.say("What is the mean of gauge 2500 q?"))
    said.say("and for zone north?")
    again = calls_in(lambda: said.say("and for zone south?"))
    assert said.say("take the maximum") == [(2505.0,)]
    # What other tests made known of words takes off the first alone: beside them it is half of it.
    assert again < 0.75 * first


def test_the_doubt_in_an_answer_stays_with_what_goes_on_from_it(tmp_path: Path) -> None:
    first = Talk(tmp_path, otters=OTTERS)
    first.say("What is the mean weight?")
    (before,) = first.past
    first.past = (before.model_copy(update={"confidence": 1.0}),)
    sure = first.reply("only in Norway").confidence
    first.past = (before.model_copy(update={"confidence": 0.4}),)
    assert sure is not None
    assert first.reply("only in Norway").confidence == pytest.approx(0.7 * sure, abs=1e-3)


def test_groups_stay_as_they_were_chosen_where_something_else_is_measured(tmp_path: Path) -> None:
    first = "What are the 2 most common rivers and how many otters of each?"
    rows = talk(tmp_path, first, "now the mean weight of those 2, heaviest first")
    assert [row[0] for row in rows] == ["Birch", "Alder"]
    assert rows[0][1] == pytest.approx(23.5 / 3)


def test_a_code_that_is_glossed_is_swapped_whole(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"plot": ["a", "b"]}
        | {f"T2M_W{week}": [week + 1.0, week + 3.0] for week in range(20, 30)}
        | {f"T2M_MAX_W{week}": [week + 7.0, week + 9.0] for week in range(20, 30)}
    )
    said = Talk(tmp_path, weather=frame)
    said.say("What is the mean T2M in week 25?")
    assert said.say("And the maximum temperature, T2M_MAX?") == [(33.0,)]
    assert said.say("And in week 28?") == [(36.0,)]


def test_a_question_that_names_another_table_begins_anew(tmp_path: Path) -> None:
    said = Talk(tmp_path, otters=OTTERS, spectra=SPECTRA)
    assert len(said.say("Which otters are female?")) == 5
    assert said.say("How many spectra are there?") == [(4,)]
    assert said.say("How many otters are there?") == [(8,)]
    assert said.say("how many of those are in Norway?") == [(6,)]
