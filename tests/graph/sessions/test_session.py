"""Conversations: what a further message is given of those before, in Python and on threads."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest

import wideleaf as wl
from wideleaf.graph.conversation.record import Record

TRIALS = pd.DataFrame(
    {
        "site": ["North", "North", "South", "South", "South", "West"],
        "year": [2018, 2019, 2018, 2019, 2019, 2019],
        "yield_t": [5.0, 6.0, 3.0, 4.0, 8.0, 7.0],
    }
)


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    path = tmp_path / "trials.csv"
    TRIALS.to_csv(path, index=False)
    return path


def test_a_further_question_stands_in_the_tree_of_those_before(csv, tmp_path):
    session = wl.Session(csv, folder=str(tmp_path / "w"))
    first = session.ask("What is the mean yield_t by site?")
    second = session.ask("How many rows have year 2019?")
    assert first.value == [
        {"site": "North", "mean of yield_t": 5.5},
        {"site": "South", "mean of yield_t": 5.0},
        {"site": "West", "mean of yield_t": 7.0},
    ]
    assert second.value == 4
    assert {n.label for n in first.tree.plan(first.label)} < {n.label for n in second.tree.nodes}
    assert first.label != second.label
    assert session.tree.by_label.keys() >= {first.label, second.label}
    assert [one.label for one in session.exchanges] == [first.label, second.label]
    pd.testing.assert_frame_equal(second.frame_of(first.label), first.frame)


def test_a_named_session_goes_on_in_another_process(csv, tmp_path):
    folder = str(tmp_path / "w")
    wl.Session(csv, folder=folder, thread="harvest").ask("What is the mean yield_t by site?")
    again = wl.Session(csv, folder=folder, thread="harvest")
    assert [one.said for one in again.exchanges] == ["What is the mean yield_t by site?"]
    assert again.exchanges[0].label in again.tree.by_label


def test_a_thread_of_a_question_is_no_conversation(csv, tmp_path):
    folder = str(tmp_path / "w")
    wl.ask("What is the mean yield_t?", csv, folder=folder, thread="one")
    with pytest.raises(wl.SettingsError, match="'one' is of a single question"):
        wl.Session(csv, folder=folder, thread="one")


def test_cells_that_changed_are_said_and_nothing_of_before_is_used(csv, tmp_path):
    folder = str(tmp_path / "w")
    wl.Session(csv, folder=folder, thread="t").ask("What is the mean yield_t by site?")
    TRIALS.assign(yield_t=1.0).to_csv(csv, index=False)
    session = wl.Session(csv, folder=folder, thread="t")
    result = session.ask("What is the mean yield_t?")
    assert result.value == 1.0
    assert any("with other cells" in caveat for caveat in result.caveats)
    assert len(session.exchanges) == 1


def test_an_empty_message_and_a_session_without_tables_are_refused(csv, tmp_path):
    with pytest.raises(wl.SettingsError, match="no table was given"):
        wl.Session()
    with pytest.raises(wl.SettingsError, match="is empty"):
        wl.Session(csv, folder=str(tmp_path)).ask("  ")


def test_a_record_forgets_the_first_exchanges_and_branches_that_failed(csv, tmp_path):
    session = wl.Session(csv, folder=str(tmp_path / "w"))
    for _ in range(3):
        session.ask("What is the mean yield_t?")
    assert len(session.exchanges) == 3
    assert all(node.outcome == "ok" for node in session.tree.nodes)
    assert Record.of({"form": "other"}) == Record()


def says(moves):
    """A model that makes these moves, whatever it is asked."""
    left = iter(moves)
    return wl.Script(policy=lambda _: next(left))


def talk(tmp_path, moves, *messages, **settings):
    """Each message of a session with a model that makes these moves, and the model itself."""
    model = says(moves)
    session = wl.Session({"trials": TRIALS}, model=model, folder=str(tmp_path / "w"), **settings)
    return [session.ask(message) for message in messages], model, session


def by_site(function, label="trials"):
    measure = {"function": function, "column": "yield_t"}
    return {"table": label, "keys": ["site"], "measures": [measure]}


def test_a_model_goes_on_from_the_frames_of_earlier_answers(tmp_path):
    where = {"column": "year", "op": "==", "value": 2019}
    moves = [
        ("Only 2019.", "Filter", {"table": "trials", "where": where}),
        ("Group.", "Group", by_site("mean", "T1")),
        ("Done.", "Finish", {"table": "T2"}),
        ("The rows of 2019 are there.", "Group", by_site("max", "T1")),
        ("Done.", "Finish", {"table": "T3"}),
    ]
    (first, second), model, _ = talk(tmp_path, moves, "mean yield_t by site in 2019?", "the max?")
    assert second.label == "T3"
    assert [node.label for node in second.tree.plan("T3")] == ["trials", "T1", "T3"]
    assert [row["max_yield_t"] for row in second.value] == [6.0, 8.0, 7.0]
    told = model.prompts
    assert "Earlier in this conversation" not in told[0]
    assert "'mean yield_t by site in 2019?': answered by T2" in told[-1]
    assert first.label == "T2"


def test_an_answer_says_which_earlier_one_it_goes_on_from(tmp_path):
    moves = [
        ("Group.", "Group", by_site("mean")),
        ("Done.", "Finish", {"table": "T1"}),
        ("The most.", "Sort", {"table": "T1", "by": ["-mean_yield_t"], "limit": 1}),
        ("Done.", "Finish", {"table": "T2"}),
    ]
    (_, second), _, _ = talk(tmp_path, moves, "mean yield_t by site?", "which is the highest?")
    assert "Goes on from T1, the answer to 'mean yield_t by site?'." in second.caveats


def test_recall_tells_of_an_earlier_answer_without_a_step(tmp_path):
    moves = [
        ("Group.", "Group", by_site("mean")),
        ("Done.", "Finish", {"table": "T1"}),
        ("Of the answer.", "Recall", {"table": "T1", "what": "columns"}),
        ("Of the answer.", "Recall", {"table": "trials", "what": "rows"}),
        ("Of the answer.", "Recall", {"table": "T1", "what": "rows"}),
        ("Of the answer.", "Recall", {"table": "T1", "what": "steps"}),
        ("Again.", "Recall", {"table": "T1", "what": "answer"}),
    ]
    asked = ("mean yield_t by site?", "what was it taken from?", "and how much?", "in what way?")
    results, _, session = talk(tmp_path, moves, *asked, "say that again please")
    first, columns, rows, steps, again = results
    assert sorted(columns.value) == ["site", "yield_t"]
    assert rows.value == 6
    assert "T1 = Group(" in steps.answer
    assert again.value == first.value
    assert {one.label for one in session.exchanges} == {"T1"}


def test_recall_in_a_question_alone_is_refused(tmp_path):
    moves = [
        ("Of what?", "Recall", {"table": "trials", "what": "rows"}),
        ("Done.", "Aggregate", {"table": "trials", "measures": [{"function": "count"}]}),
        ("Done.", "Finish", {"table": "T1"}),
    ]
    folder = str(tmp_path / "w")
    result = wl.ask("how many?", {"trials": TRIALS}, model=says(moves), folder=folder)
    assert result.value == 6


def test_what_was_told_at_one_level_is_never_sent_at_another(tmp_path):
    folder = str(tmp_path / "w")
    where = {"column": "site", "op": "==", "value": "South"}
    count = {"measures": [{"function": "count"}]}
    moves = [
        ("Cells say South.", "Filter", {"table": "trials", "where": where}),
        ("Count.", "Aggregate", {"table": "T1", **count}),
        ("Done.", "Finish", {"table": "T2"}),
    ]
    keep = {"folder": folder, "thread": "t"}
    path = tmp_path / "trials.csv"
    TRIALS.to_csv(path, index=False)
    wl.Session(path, model=says(moves), privacy="samples", **keep).ask("how many of the S one?")
    model = says(
        [
            ("Count.", "Aggregate", {"table": "trials", **count}),
            ("Done.", "Finish", {"table": "T3"}),
        ]
    )
    later = wl.Session(path, model=model, privacy="schema", **keep)
    result = later.ask("and all?")
    assert result.value == 6
    assert not any("South" in request or "S one" in request for request in model.prompts)
    assert any("privacy" in caveat for caveat in result.caveats)


def test_a_model_below_samples_is_told_nothing_that_the_planner_read(tmp_path):
    path = tmp_path / "trials.csv"
    TRIALS.to_csv(path, index=False)
    keep = {"folder": str(tmp_path / "w"), "thread": "t"}
    wl.Session(path, **keep).ask("how many rows have site south?")
    count = {"table": "trials", "measures": [{"function": "count"}]}
    model = says([("Count.", "Aggregate", count), ("Done.", "Finish", {"table": "T3"})])
    wl.Session(path, model=model, **keep).ask("and all?")
    assert not any("South" in request for request in model.prompts)


def test_a_program_is_told_what_was_asked_before():
    from wideleaf.agents.conversation.telling import whole_question
    from wideleaf.agents.turn import Exchange, View
    from wideleaf.tools.tree.tree import FrameTree

    past = (Exchange(said="mean yield by site?", label="T1"), Exchange(said="lost"))
    told = whole_question(View(question="the max?", tree=FrameTree(), past=past))
    assert told.startswith("the max?\n")
    assert "'mean yield by site?'" in told
    assert "lost" not in told


def test_a_source_that_vanished_is_said_and_the_conversation_waits_for_it(csv, tmp_path):
    session = wl.Session(csv, folder=str(tmp_path / "w"))
    session.ask("What is the mean yield_t?")
    text = csv.read_text()
    csv.unlink()
    with pytest.raises(wl.SourceError, match=r"trials\.csv"):
        session.ask("What is the max yield_t?")
    assert len(session.exchanges) == 1
    csv.write_text(text)
    assert session.ask("What is the max yield_t?").value == 8.0
    assert len(session.exchanges) == 2


def test_the_samples_of_a_vote_go_on_from_earlier_answers(tmp_path):
    count = {"measures": [{"function": "count"}]}
    where = {"column": "year", "op": "==", "value": 2019}
    ways = {
        "how many in 2019?": [
            ("Only 2019.", "Filter", {"table": "trials", "where": where}),
            ("Count.", "Aggregate", {"table": "T1", **count}),
            ("Done.", "Finish", {"table": "T2"}),
        ],
        "in how many sites?": [
            ("Sites.", "Distinct", {"table": "T1", "columns": ["site"]}),
            ("Count.", "Aggregate", {"table": "T3", **count}),
            ("Done.", "Finish", {"table": "T4"}),
        ],
    }

    def move(messages):
        asked = messages[-1].text
        question = re.search(r"Question: (.*)", asked).group(1)
        return ways[question][int(re.search(r"Step (\d+) of", asked).group(1)) - 1]

    model, votes = wl.Script(policy=move), {"strategy": "vote", "samples": 3, "vote_early": False}
    folder = str(tmp_path / "w")
    session = wl.Session({"trials": TRIALS}, model=model, folder=folder, **votes)
    assert [session.ask(question).value for question in ways] == [4, 3]
    assert len({node.label for node in session.tree.nodes}) == 5


MEANS, COUNT = "What is the mean yield_t by site?", "How many rows have year 2019?"


def test_back_and_undo_are_what_messages_of_that_meaning_are(csv, tmp_path):
    session = wl.Session(csv, folder=str(tmp_path / "w"))
    assert session.last is None and session.undo() is None
    first, second = session.ask(MEANS), session.ask(COUNT)
    assert session.last == second
    back = session.back()
    assert (back.value, back.label, back.question) == (first.value, first.label, MEANS)
    assert session.last == first
    assert session.tree.head == first.label
    assert session.back(second.label.lower()).value == 4
    undone = session.undo()
    assert undone is not None and undone.value == first.value
    assert [one.label for one in session.exchanges] == [first.label, second.label, first.label]
    with pytest.raises(wl.SettingsError, match=r"no answer stands in 'T99'; .*T1, T\d"):
        session.back("T99")


def test_what_is_undone_leaves_tree_and_thread(csv, tmp_path):
    keep = {"folder": str(tmp_path / "w"), "thread": "t"}
    session = wl.Session(csv, **keep)
    first, second = session.ask(MEANS), session.ask(COUNT)
    session.undo()
    assert second.label not in session.tree.by_label
    assert second.label not in wl.Session(csv, **keep).tree.by_label
    again = session.ask(COUNT)
    assert again.label not in (first.label, second.label), "labels go on"
    assert session.undo() is not None
    assert session.undo() is None
    assert session.exchanges == () == wl.Session(csv, **keep).exchanges


def test_an_answer_is_told_of_and_the_conversation_stays(csv, tmp_path):
    session = wl.Session(csv, folder=str(tmp_path / "w"))
    assert "no answer yet" in session.tell("columns").answer
    first, _ = session.ask(MEANS), session.ask(COUNT)
    before = session.exchanges
    assert sorted(session.tell("columns", first.label).value) == ["site", "yield_t"]
    assert session.tell("rows").value == 4
    assert "Group(" in session.tell("steps", first.label).answer
    assert session.tell("sql", first.label).answer == first.to_sql()
    assert f"◆ {first.label}" in session.tell("tree", first.label).answer
    assert session.exchanges == before
    assert len(session.results) == 2


def test_an_answer_that_sql_cannot_say_is_refused_and_nothing_is_lost(tmp_path):
    numbers = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": [2.0, 4.1, 6.2, 7.9]})
    correlate = {"table": "numbers", "columns": ["a", "b"]}
    done = ("Done.", "Finish", {"table": "T1"})
    moves = [("Both.", "PCA", {**correlate, "n": 1}), done, done]
    session = wl.Session({"numbers": numbers}, model=says(moves), folder=str(tmp_path / "w"))
    assert session.ask("principal components?").status == "answered"
    told = session.tell("sql")
    assert told.status == "unanswered"
    assert "PCA" in told.answer
    assert len(session.exchanges) == 1


def test_the_last_answer_of_another_process_is_there(csv, tmp_path):
    keep = {"folder": str(tmp_path / "w"), "thread": "t"}
    first = wl.Session(csv, **keep).ask(MEANS)
    session = wl.Session(csv, **keep)
    last = session.last
    assert last is not None
    assert (last.value, last.question) == (first.value, MEANS)
    assert last.to_sql() == first.to_sql()
    assert len(session.exchanges) == 1


def test_two_sessions_on_one_thread_lose_nothing_of_each_other(csv, tmp_path):
    keep = {"folder": str(tmp_path / "w"), "thread": "t"}
    one, other = wl.Session(csv, **keep), wl.Session(csv, **keep)
    first, second = one.ask(MEANS), other.ask(COUNT)
    assert [e.label for e in other.exchanges] == [first.label, second.label]
    assert first.label != second.label
    one.ask("What is the smallest yield_t?")
    assert [e.said for e in one.exchanges][:2] == [MEANS, COUNT]


def test_a_failed_message_leaves_the_conversation_as_it_was(csv, tmp_path):
    keep = {"folder": str(tmp_path / "w"), "thread": "t"}
    moves = iter(
        [
            ("Count.", "Aggregate", {"table": "trials", "measures": [{"function": "count"}]}),
            ("Done.", "Finish", {"table": "T1"}),
        ]
    )

    def answer(_):
        if (move := next(moves, None)) is None:
            raise wl.ModelError("the model is gone")
        return move

    session = wl.Session(csv, model=wl.Script(policy=answer), **keep)
    session.ask("how many?")
    before = session.exchanges
    with pytest.raises(wl.ModelError, match="gone"):
        session.ask("and now?")
    assert session.exchanges == before
    assert wl.Session(csv, **keep).exchanges == before


def test_a_table_that_was_written_since_is_read_again_and_said(csv, tmp_path):
    session = wl.Session(csv, folder=str(tmp_path / "w"))
    session.ask(MEANS)
    TRIALS.assign(yield_t=1.0).to_csv(csv, index=False)
    result = session.ask("What is the mean yield_t?")
    assert result.value == 1.0
    assert any("with other cells" in caveat for caveat in result.caveats)
    csv.touch()
    assert session.ask("What is the largest yield_t?").value == 1.0
    assert len(session.exchanges) == 2, "a file that was only touched is the same"


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_conversation_on_each_engine(csv, tmp_path, engine):
    with wl.Session(csv, folder=str(tmp_path / "w"), engine=engine) as session:
        first, second = session.ask(MEANS), session.ask(COUNT)
        assert second.value == 4
        assert session.back().value == first.value
        assert session.tell("rows", second.label).value == 4
        session.close()
        assert session.ask("What is the smallest yield_t?").value == 3.0


def test_a_conversation_about_a_database(tmp_path):
    import sqlite3

    path = tmp_path / "trials.sqlite"
    with sqlite3.connect(path) as base:
        TRIALS.to_sql("trials", base, index=False)
    base.close()
    session = wl.Session(path, folder=str(tmp_path / "w"), engine="duckdb")
    first = session.ask(MEANS)
    assert session.ask(COUNT).value == 4
    assert session.back().value == first.value
    assert session.tell("sql").answer == first.to_sql()


def test_a_conversation_about_a_graph(tmp_path):
    facts = "Ann\tchild\tBob\nBob\tchild\tCay\nAnn\tborn in\tRome\nBob\tborn in\tPerth\n"
    path = tmp_path / "family.tsv"
    path.write_text(f"head\trelation\ttail\n{facts}")
    keep = {"folder": str(tmp_path / "w"), "thread": "t"}
    session = wl.Session(f"graph:{path}", **keep)
    first = session.ask("Who is the child of Ann?")
    second = session.ask("Where was Bob born?")
    assert "Bob" in first.answer and "Perth" in second.answer
    assert session.back().value == first.value
    assert "family" in session.tell("tree").answer
    again = wl.Session(f"graph:{path}", **keep)
    assert again.last is not None and again.last.value == first.value
    path.write_text(f"head\trelation\ttail\n{facts}Ann\tchild\tDan\n")
    third = again.ask("Who is the child of Ann?")
    assert "Dan" in third.answer
    assert any("other cells" in caveat for caveat in third.caveats)


def test_which_one_is_not_the_member_of_a_family_numbered_one(tmp_path):
    days = {f"kwh_day_{day}": [float(day), 2.0 * day, 3.0 * day] for day in range(1, 6)}
    homes = pd.DataFrame({"heating": ["gas", "oil", "gas"], **days})
    session = wl.Session({"homes": homes}, folder=str(tmp_path / "w"))
    session.ask("What is the mean kwh on day 3 for each heating?")
    result = session.ask("which one is the highest?")
    used = session.tell("columns").value
    assert "kwh_day_1" not in used
    assert "gas" in str(result.value) or "oil" in str(result.value)


def test_a_question_that_wants_a_chart_is_answered_and_drawn(csv, tmp_path):
    session = wl.Session(csv, folder=tmp_path / "w")
    drawn = session.ask("Draw a line chart of the mean yield for each site")
    assert "Not used" not in drawn.answer
    assert (drawn.drawn["form"], drawn.drawn["y"]) == ("line", ["mean of yield_t"])
    assert drawn.drawn["title"] == "Mean yield for each site"
    assert session.ask("as a pie").drawn["title"] == "Mean yield for each site"
    assert not session.ask("only the highest").drawn
    session.ask("What is the mean yield for each site?")
    session.ask("the maximum instead")
    assert session.ask("plot that").drawn["title"].startswith("Max of yield_t for each site")
    told = session.ask("a radar chart of the mean yield for each site")
    assert told.frame.shape == drawn.frame.shape
    assert told.drawn["form"] == "bar"
    assert any("No radar chart is drawn here" in caveat for caveat in told.caveats)
    assert told.tree[told.label].action.name == "Chart"


def test_an_answer_that_a_model_recalls_is_drawn_where_a_chart_was_asked_for(tmp_path):
    recall = ("It was asked.", "Recall", {"table": "T1", "what": "answer"})
    moves = [("Mean.", "Group", by_site("mean")), ("Done.", "Finish", {"table": "T1"}), recall]
    (_, drawn), _, _ = talk(tmp_path, moves, "mean yield by site", "plot these three please")
    assert drawn.drawn["form"] == "bar"
