"""Loops: a run that goes round in a circle ends within three turns, with what it came to."""

import pandas as pd
import pytest

import wideleaf as wl
from wideleaf.graph.nodes.limits import IDLE_TURNS

GOALS = {
    "goals": pd.DataFrame(
        {"Player": ["Ann", "Bob"], "League Goals": [5, 9], "Cup Goals": [7, 1], "Year": [1, 2]}
    )
}


def measure(function="max"):
    measures = [{"function": function, "column": "League Goals", "name": "most"}]
    return ("So.", "Aggregate", {"table": "goals", "measures": measures})


def back(label):
    return ("Back.", "Backtrack", {"to": label, "reason": "no"})


@pytest.fixture
def run(tmp_path):
    def run(*moves, question="How many?", **options):
        script = wl.Script(moves)
        asked = wl.ask(question, GOALS, model=script, folder=str(tmp_path / "w"), **options)
        return asked, len(script.prompts), script.prompts

    return run


@pytest.mark.parametrize(
    "moves",
    [
        [measure()] * 9,
        [measure(), *[back("goals"), back("T1")] * 4],
    ],
    ids=["one call again and again", "to and fro"],
)
def test_a_run_that_makes_nothing_new_ends_with_what_it_has(run, moves):
    result, turns, prompts = run(*moves)
    assert turns <= IDLE_TURNS + 2
    assert result.status == "partial"
    assert "turns in a row made nothing new" in result.answer
    assert "most: 9" in result.answer
    assert "one more ends the run" in prompts[-1]


def test_a_frame_that_was_sent_back_is_given_after_all(run):
    wrong = ("No.", "Finish", {"table": "goals"})
    turned = [back("T1"), back("goals"), back("T1"), back("goals")]
    result, _, prompts = run(measure(), wrong, *turned)
    assert "was not accepted" in prompts[2]
    assert result.status == "answered" and result.label == "goals"
    assert any("turns in a row made nothing new" in caveat for caveat in result.caveats)


def test_turns_between_which_something_was_done_are_not_counted(run):
    functions = ["max", "min", "mean", "median", "sum"]
    moves = [move for one in functions for move in (measure(one), back("goals"), measure(one))]
    done = ("Done.", "Finish", {"table": "T1"})
    result, turns, _ = run(*moves, done, question="Well?")
    assert (result.status, turns) == ("answered", len(moves) + 1)


@pytest.mark.parametrize(
    ("said", "player", "times"),
    [
        ("the second one please", "Ann", 1),
        ("I mean the cup", "Ann", 1),
        ("9", "Bob", 2),
        ("blub", "Bob", 1),
    ],
)
def test_without_a_model_any_answer_to_a_question_back_ends_in_an_answer(
    tmp_path, said, player, times
):
    asked = []

    def answer_back(question, options):
        asked.append(options)
        return said

    result = wl.ask(
        "Who scored the most goals?", GOALS, folder=str(tmp_path / "w"), answer_back=answer_back
    )
    assert result.status == "answered"
    assert player in result.answer
    assert len(asked) == times
    if player == "Bob":  # what was not understood is told, with what the other would be
        assert any("Cup Goals" in caveat and "Ann" in caveat for caveat in result.caveats)
