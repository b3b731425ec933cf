"""The graph, driven by a scripted model: branches, backtracks, budgets, resumption."""

import json
import subprocess
import sys

import pandas as pd
import pytest

import wideleaf as wl
from wideleaf.agents.models.script import Script
from wideleaf.graph.app import build_graph
from wideleaf.graph.sessions.run import ask
from wideleaf.tools.errors import ModelError, SettingsError


@pytest.fixture
def trials(tmp_path):
    return {
        "trials": pd.DataFrame(
            {
                "site": ["Roma", "Roma", "Perth", "Perth", "Perth", "Moree"],
                "crop": ["wheat", "barley", "wheat", "wheat", "barley", "wheat"],
                "yield_t_ha": [2.0, 3.0, 4.0, 6.0, 1.0, None],
            }
        ),
        "sites": pd.DataFrame({"site": ["Roma", "Perth"], "state": ["Queensland", "WA"]}),
    }


@pytest.fixture
def run(tmp_path, trials):
    def run(moves, **settings):
        settings = {"folder": str(tmp_path / "w"), **settings}
        return ask("Which site has the most wheat?", trials, model=Script(moves), **settings)

    return run


def group(table):
    measures = [{"function": "sum", "column": "yield_t_ha", "name": "total"}]
    return ("Add up.", "Group", {"table": table, "keys": ["site"], "measures": measures})


def wheat(table="trials", value="Wheat"):
    where = [{"column": "crop", "op": "==", "value": value}]
    return ("Only wheat.", "Filter", {"table": table, "where": where})


def top(table):
    by = [{"column": "total", "descending": True}]
    return ("The most.", "Sort", {"table": table, "by": by, "limit": 1})


def finish(table, note=""):
    return ("Done.", "Finish", {"table": table, "note": note})


STRAIGHT = [wheat(), group("T1"), top("T2"), finish("T3")]
WRONG = ("Sum it.", "Group", {"table": "T1", "keys": ["town"]})
WRONG_AGAIN = ("Sum it so.", "Group", {"table": "T1", "keys": ["twon"]})
# Fails twice alike on T1, is forced back to the leaf, takes another branch and ends right.
STUCK = [wheat(value="barley"), WRONG, WRONG_AGAIN, wheat(), group("T4"), top("T5"), finish("T6")]


def test_a_straight_run_ends_with_value_frame_and_tree(run):
    result = run(STRAIGHT)
    assert result.status == "answered"
    assert result.value == {"site": "Perth", "total": 10.0}
    assert result.frame.to_dict("records") == [{"site": "Perth", "total": 10.0}]
    assert [node.label for node in result.tree.plan(result.label)] == ["trials", "T1", "T2", "T3"]
    assert result.steps == 4


def test_a_stuck_run_is_forced_back_and_takes_another_branch(run):
    result = run(STUCK)
    assert result.value == {"site": "Perth", "total": 10.0}
    assert [node.outcome for node in result.tree.nodes].count("failed") == 2
    (move,) = result.tree.moves
    assert (move.kind, move.origin, move.target) == ("forced", "T1", "trials")
    assert result.tree.abandoned() == {"T1"}


def test_the_model_is_shown_the_failure_the_nearest_columns_and_the_forced_move(tmp_path, trials):
    model = Script(STUCK)
    ask("q", trials, model=model, folder=str(tmp_path / "w"))
    assert "no column 'town'" in model.prompts[2]
    assert "'site'" in model.prompts[2]
    assert "try another way" in model.prompts[3]


def test_several_calls_of_one_turn_run_side_by_side_under_their_own_labels(run):
    both = [[wheat(), wheat(value="barley")], finish("T2")]
    result = run(both)
    assert [n.label for n in result.tree.nodes if n.parents] == ["T1", "T2"]
    assert result.frame["crop"].tolist() == ["barley", "barley"]
    assert result.tree.head == "T2"


def test_a_chain_of_one_turn_runs_in_waves_without_asking_again(tmp_path, trials):
    model = Script([[wheat(), group("T1"), top("T2"), finish("T3")]])
    result = ask("q", trials, model=model, folder=str(tmp_path / "w"))
    assert result.value == {"site": "Perth", "total": 10.0}
    assert len(model.prompts) == 1
    assert "The next frame will be T1." in model.prompts[0]


def test_a_chain_is_finished_though_it_was_the_last_turn(run):
    result = run([[wheat(), group("T1"), top("T2"), finish("T3")]], max_steps=1)
    assert result.value == {"site": "Perth", "total": 10.0}


def test_a_chain_longer_than_the_most_is_cut_and_the_model_is_told(tmp_path, trials):
    def select(number):
        parent = f"T{number - 1}" if number > 1 else "trials"
        columns = ["site", "crop"] if number % 2 else ["crop", "site"]
        return ("Again.", "Select", {"table": parent, "columns": columns})

    model = Script([[select(number) for number in range(1, 26)], finish("T20")])
    result = ask("q", trials, model=model, folder=str(tmp_path / "w"), max_steps=2)
    assert result.label == "T20"
    assert "5 of 25 calls were left out; 20 is the most" in model.prompts[1]


def test_a_chain_stops_where_a_step_fails_and_the_model_is_told(tmp_path, trials):
    chain = [wheat(), WRONG, top("T2"), finish("T3")]
    mended = [group("T1"), top("T4"), finish("T5")]
    model = Script([chain, mended])
    result = ask("q", trials, model=model, folder=str(tmp_path / "w"))
    assert result.value == {"site": "Perth", "total": 10.0}
    assert "Note: T3 and Finish were left out, for T2 could not be made\n" in model.prompts[1]
    assert [n.label for n in result.tree.nodes if n.parents] == ["T1", "T2", "T4", "T5"]


def test_all_that_stood_on_a_failed_step_is_told_in_one_line(tmp_path, trials):
    chain = [wheat(), WRONG, *(top(f"T{n}") for n in range(2, 8)), group("T1"), finish("T8")]
    model = Script([chain, finish("T9")])
    result = ask("q", trials, model=model, folder=str(tmp_path / "w"))
    told = [line for line in model.prompts[1].splitlines() if line.startswith("Note")]
    assert told == ["Note: T3 to T8 and Finish were left out, for T2 could not be made"]
    assert result.label == "T9"


def test_a_chain_goes_on_from_a_frame_that_was_there(run):
    result = run([wheat(), [wheat(), group("T2"), finish("T3")]])
    assert result.tree["T3"].parents == ("T1",)
    assert result.tree.moves[0].reason == "T2 was done before as T1"


def test_the_same_action_twice_is_the_same_frame(run):
    result = run([wheat(), wheat(), finish("T1")])
    assert [node.label for node in result.tree.nodes if node.parents] == ["T1"]
    (move,) = result.tree.moves
    assert (move.kind, move.target) == ("repeat", "T1")
    assert move.reason == "T2 was done before as T1"


def test_a_failed_try_is_not_carried_out_again(run):
    result = run([wheat(), WRONG, WRONG, finish("T1")])
    assert result.tree["T3"].kind == "tried"
    assert "tried before and failed as T2" in result.tree["T3"].error


def test_a_chosen_backtrack_moves_the_head_and_keeps_the_branch(run):
    back = ("No.", "Backtrack", {"to": "trials", "reason": "barley is not wheat"})
    result = run([wheat(value="barley"), back, wheat(), finish("T2")])
    assert [m.kind for m in result.tree.moves] == ["back"]
    assert result.tree["T2"].parents == ("trials",)


def test_an_unknown_frame_is_told_with_the_frames_there_are(run):
    result = run([wheat(table="T9"), wheat(), finish("T2")])
    assert "no frame 'T9'; the frames are trials, sites" in result.tree["T1"].error


def test_an_empty_frame_is_not_accepted_at_first(run):
    result = run([wheat(value="rice"), finish("T1"), wheat(), finish("T2")])
    assert result.tree["T1"].rows == 0
    assert result.label == "T2"


def test_what_a_join_loses_or_multiplies_and_a_cast_loses_are_caveats_of_the_answer(run):
    on = [{"left": "site", "right": "site"}]
    coded = {"op": "replace", "args": ["state", {"value": "WA"}, {"value": "6"}]}
    cast = {"cast": "number", "of": coded}
    chain = [
        ("Join.", "Join", {"left": "trials", "right": "sites", "on": on}),
        ("Cast.", "Derive", {"table": "T1", "name": "n", "expression": cast}),
        finish("T2"),
    ]

    def told(moves):
        """Without what the critic says of the question, of which no step speaks."""
        again = [*moves, moves[0][-1], moves[0][-1]]
        return tuple(
            c for c in run(again).caveats if "the question" not in c and "Read as" not in c
        )

    assert told([chain]) == (
        "5 of 6 rows of the left table have a match in the right, 1 have none",
        "2 cells do not read as a number and became null",
    )
    many = ("Join.", "Join", {"left": "sites", "right": "trials", "on": on})
    assert told([[many, finish("T1")]]) == (
        "Rows are repeated (a fan-out): each matched row of the left table meets 2.5 rows of "
        "the right one on average",
    )
    anti = ("Join.", "Join", {"left": "trials", "right": "sites", "on": on, "how": "anti"})
    assert told([[anti, finish("T1")]]) == ()


def test_a_frame_offered_again_is_given_with_the_doubt_as_a_caveat(run):
    result = run([wheat(value="rice"), finish("T1"), finish("T1", "There is no rice.")])
    assert result.status == "answered"
    assert result.caveats[0] == "There is no rice."
    assert "no rows" in result.caveats[1]


@pytest.mark.parametrize(
    "budget", [{"max_steps": 2}, {"max_seconds": 1e-9}, {"max_tokens": 5}, {"max_cost": 1e-9}]
)
def test_each_budget_ends_in_an_honest_partial_answer(run, budget):
    result = run([wheat()] * 9, prompt_price=1.0, **budget)
    assert result.status == "partial"
    assert result.value is None
    assert "limit of" in result.answer
    assert result.tree.leaves


def test_three_replies_that_are_no_move_end_the_run_and_keep_the_tree(run):
    result = run([wheat(), "I think", "that is", "Perth."])
    assert result.status == "partial"
    assert "3 replies in a row were no move" in result.answer
    assert result.tree["T1"].rows == 4


def test_a_model_may_say_that_the_tables_cannot_answer(run):
    why = "There is no column of prices; yields are the nearest."
    result = run([wheat(), ("No prices.", "Abstain", {"reason": why})])
    assert (result.status, result.answer, result.value) == ("unanswered", why, None)
    assert result.tree["T1"].rows == 4
    assert run([("No prices here.", "abstain", {})]).answer == "No prices here."


def test_an_unknown_action_is_told_with_the_actions_there_are(tmp_path, trials):
    model = Script([("?", "Merge", {}), wheat(), finish("T1")])
    ask("q", trials, model=model, folder=str(tmp_path / "w"))
    assert "no action 'Merge'; the actions are Load" in model.prompts[1]


def test_an_error_of_the_model_carries_the_tree_so_far(run):
    with pytest.raises(ModelError, match="gone") as caught:
        run([wheat(), ModelError("the server is gone")])
    assert caught.value.result.tree["T1"].rows == 4


def test_a_cancelled_run_keeps_the_tree_so_far(run):
    def cancel(event):
        if event.label == "T2" and event.kind == "action":
            raise KeyboardInterrupt

    result = run(STRAIGHT, on_event=cancel)
    assert (result.status, result.answer) == ("partial", "Cancelled.")
    assert result.tree["T1"].rows == 4


def test_two_runs_of_one_thread_at_once_are_refused(run):
    def again(event):
        if event.kind == "columns":
            run(STRAIGHT, thread="t")

    with pytest.raises(SettingsError, match="thread 't' is running elsewhere"):
        run(STRAIGHT, thread="t", on_event=again)


def test_a_thread_that_has_ended_gives_its_answer_again(run, tmp_path):
    first = run(STRAIGHT, thread="t")
    assert run([], thread="t") == first


def test_an_empty_question_is_refused(trials):
    with pytest.raises(SettingsError, match="question is empty"):
        ask("  ", trials)


def test_a_setting_that_does_not_fit_is_named_with_its_value(trials):
    with pytest.raises(SettingsError, match=r"max_steps=0 does not fit"):
        ask("q", trials, max_steps=0)


def test_the_drawn_graph_is_the_golden_one(golden):
    golden("graph.mmd", build_graph().get_graph().draw_mermaid())


def test_a_result_survives_its_file(run, tmp_path):
    result = run(STRAIGHT)
    again = wl.Result.load(result.save(tmp_path / "run.json"))
    assert again == result
    assert again.frame.equals(result.frame)


KILLED = """
import os, sys, json
from wideleaf.graph.sessions.run import ask
from wideleaf.agents.models.script import Script
from pathlib import Path
moves, folder, tables, stop = json.loads(sys.argv[1])
left = stop
def watch(event):
    global left
    left -= 1
    if left == 0:
        os._exit(9)
moves = [tuple(m) for m in moves]
ask("q", *tables, model=Script(moves), folder=folder, thread="t", on_event=watch)
"""


@pytest.mark.slow
def test_a_run_killed_at_any_event_and_resumed_grows_the_same_tree(run, trials, tmp_path):
    tables = []
    for name, frame in trials.items():
        frame.to_parquet(tmp_path / f"{name}.parquet")
        tables.append(str(tmp_path / f"{name}.parquet"))

    def tree(folder):
        settings = {"model": Script(STUCK), "folder": str(tmp_path / folder), "thread": "t"}
        return wl.ask("q", *tables, **settings).tree.model_dump(mode="json")

    whole = tree("whole")
    for stop in (3, 6, 16):  # within select, an action, and the forced backtrack
        argument = json.dumps([STUCK, str(tmp_path / f"cut{stop}"), tables, stop])
        killed = subprocess.run([sys.executable, "-c", KILLED, argument], capture_output=True)
        assert killed.returncode == 9, killed.stderr
        assert tree(f"cut{stop}") == whole


INTERRUPTED = """
import sys
import pandas as pd
from wideleaf.agents.models.script import Script
from wideleaf.graph.sessions.run import ask

table = {"t": pd.DataFrame({"a": [1, 2, 3]})}
filters = [{"column": "a", "op": ">", "value": n} for n in (0, 1)]
moves = [("x", "Filter", {"table": "t", "where": [one]}) for one in filters]
for n in range(60):
    left = n % 7 + 1
    def listen(event):
        global left
        left -= 1
        if left == 0:
            raise RuntimeError("the listener fails")
    try:
        ask("q", table, model=Script(moves), folder=sys.argv[1], thread=f"t{n}", on_event=listen,
            max_steps=2)
    except RuntimeError:
        pass
"""


@pytest.mark.slow
def test_a_listener_that_fails_never_breaks_a_checkpoint_being_written(tmp_path):
    command = [sys.executable, "-c", INTERRUPTED, str(tmp_path)]
    assert subprocess.run(command, check=False).returncode == 0
