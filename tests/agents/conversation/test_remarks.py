"""Remarks are told from questions of the tables, whatever is said around them."""

import pytest

from wideleaf.agents.conversation.remarks import read_past_chat, read_remark
from wideleaf.agents.turn import Exchange

PAST = (
    Exchange(said="mean fare by sex", label="T1"),
    Exchange(said="take the median instead", label="T2"),
    Exchange(said="which columns did you use?"),
    Exchange(said="by class", label="T4"),
)
OFFERED = Exchange(
    said="mean mpg by origin",
    label="T7",
    options=(
        ("the mean of mpg for each origin of cars", "T7"),
        ("the mean of origin of cars", "T8"),
    ),
)


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("why?", "steps"),
        ("How did you get that?", "steps"),
        ("hm, how was that calculated?", "steps"),
        ("How did you come up with that number?", "steps"),
        ("Can you explain that, please?", "steps"),
        ("which columns did you use?", "columns"),
        ("What did you look at?", "columns"),
        ("ok, and what columns is that based on?", "columns"),
        ("how many rows went into that?", "rows"),
        ("How many cars is that based on?", "rows"),
        ("could you please plot that for me, thanks", "chart"),
        ("draw it", "chart"),
        ("Show me that as a bar chart", "chart"),
        ("can u make a bar chart of that", "chart"),
        ("show the tree", "tree"),
        ("the SQL of that", "sql"),
        ("what would that be in SQL?", "sql"),
    ],
)
def test_a_remark_is_about_the_last_answer(message, kind):
    remark = read_remark(message, PAST)
    assert remark is not None
    assert (remark.kind, remark.place, remark.rest) == (kind, 3, "")


@pytest.mark.parametrize(
    "message",
    [
        "why did sales drop in 2019",
        "plot of land prices",
        "how many rows are there",
        "back pain patients",
        "which columns have missing values?",
        "how many women are in that?",
        "how many is that?",
        "plot the mean by year",
        "show me the trees",
        "back to the first class passengers",
        "what is the previous year",
        "undo the filter",
        "the first class",
        "how many of these rows are female",
        "and only for 2019?",
        "the second",
    ],
)
def test_a_question_of_the_tables_is_no_remark(message):
    assert read_remark(message, PAST) is None


@pytest.mark.parametrize(
    ("message", "kind", "place", "rest"),
    [
        ("back to the one before", "back", 1, ""),
        ("go back", "back", 1, ""),
        ("back to the first one please", "back", 0, ""),
        ("the previous answer again", "back", 1, ""),
        ("ok, back to the third one", "back", 3, ""),
        ("back to T2", "back", 1, ""),
        ("back to T9", "back", len(PAST), ""),
        ("go back to the first and take the median instead", "back", 0, "take the median instead"),
        ("Go back to the first one, but only for women", "back", 0, "only for women"),
        ("undo that", "undo", 1, ""),
        ("forget that", "undo", 1, ""),
        ("undo that and split by sex instead", "undo", 1, "split by sex instead"),
    ],
)
def test_going_back_says_where_to(message, kind, place, rest):
    remark = read_remark(message, PAST)
    assert remark is not None
    assert (remark.kind, remark.place, remark.rest) == (kind, place, rest)


def test_after_going_back_the_one_before_is_before_that():
    past = (*PAST, Exchange(said="by class", label="T2"))
    remark = read_remark("back to the one before", past)
    assert remark is not None and past[remark.place].label == "T1"


def test_after_going_back_the_first_is_still_the_first():
    past = (*PAST, Exchange(said="mean fare by sex", label="T1"))
    remark = read_remark("back to the first", past)
    assert remark is not None and past[remark.place].label == "T1"


def test_there_is_nothing_before_the_first_answer():
    remark = read_remark("go back", PAST[:1])
    assert remark is not None and remark.place == 1
    assert read_remark("go back", ()) is None


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ("2", 1),
        ("the second", 1),
        ("The second one, please", 1),
        ("I meant the other one", 1),
        ("the first one", 0),
        ("I meant for each origin", 0),
        ("the mean of origin", 1),
    ],
)
def test_an_offered_reading_is_chosen_by_number_or_words(message, place):
    remark = read_remark(message, (*PAST, OFFERED))
    assert remark is not None and (remark.kind, remark.place) == ("choice", place)


@pytest.mark.parametrize("message", ["the median", "by year", "what about the second class", "5"])
def test_another_question_is_no_choice(message):
    assert read_remark(message, (*PAST, OFFERED)) is None


def test_chat_around_a_message_is_left_out():
    assert read_past_chat("oh ok, and the men? thanks!") == "and the men?"
    assert read_past_chat("What is ok?") == "What is ok?"
    assert read_past_chat("Great! And in Asia?") == "And in Asia?"
    assert read_past_chat("Great Britain?") == "Great Britain?"
    assert read_past_chat("thanks") == "thanks"
