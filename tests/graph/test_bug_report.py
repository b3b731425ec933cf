"""What nobody foresaw, at each door: one clear line, a trace in a file, the cause in the chain."""

import json
import re
import stat
from pathlib import Path

import pandas as pd
import pytest

import wideleaf as wl
from wideleaf.agents.models.script import Script
from wideleaf.graph.bug_report import clear_error, clear_errors
from wideleaf.graph.shell.shell import main
from wideleaf.tools.actions.distinct import Distinct
from wideleaf.tools.errors import ActionError, BugError, SettingsError

SECRET = "cell 4711"
FRAME = pd.DataFrame({"site": ["Roma", "Perth", "Perth"], "t": [2.0, 4.0, 6.0]})


def finish(table):
    return ("Done.", "Finish", {"table": table})


def distinct(column):
    return ("Each once.", "Distinct", {"table": "trials", "columns": [column]})


@pytest.fixture
def broken(monkeypatch):
    """An action with a bug; its error quotes a cell."""

    def run(self, *tables):
        raise ZeroDivisionError(SECRET)

    monkeypatch.setattr(Distinct, "run", run)


def traces(folder):
    return sorted((Path(folder) / "bugs").glob("*.txt"))


def test_ask_raises_the_bug_with_its_cause_its_trace_and_the_tree(broken, tmp_path):
    model = Script([distinct("site"), finish("T1")])
    with pytest.raises(wl.BugError) as caught:
        wl.ask("Which sites?", {"trials": FRAME}, model=model, folder=str(tmp_path / "w"))
    error = caught.value
    assert isinstance(error.__cause__, ZeroDivisionError)
    assert [node.label for node in error.result.tree.nodes] == ["trials"]
    assert "Distinct" in str(error)
    assert re.search(r"ZeroDivisionError in \w+/\w+\.py, line \d+", str(error))
    assert SECRET not in str(error)
    (trace,) = traces(tmp_path / "w")
    assert str(trace) == error.trace
    assert str(trace) in str(error)
    assert SECRET in trace.read_text()
    assert stat.S_IMODE(trace.stat().st_mode) == 0o600


def test_a_graph_gives_a_bug_as_a_value(broken, tmp_path):
    FRAME.to_csv(tmp_path / "trials.csv", index=False)
    model = Script([[distinct("site"), distinct("t")], finish("T1")])  # two fail side by side
    context = wl.Context(
        sources=[str(tmp_path / "trials.csv")], folder=str(tmp_path / "w"), chat_model=model
    )
    told = wl.build_graph().invoke({"question": "Which sites?"}, context=context)
    assert told["status"] == "failed"
    assert told["error"]["code"] == "bug"
    assert Path(told["error"]["trace"]) in traces(tmp_path / "w")
    assert SECRET not in json.dumps(told)


@pytest.mark.parametrize("node", ["critic", "writer", "selector"])
def test_a_bug_in_any_node_ends_the_run(node, tmp_path, monkeypatch):
    places = {
        "critic": "wideleaf.graph.nodes.critic.review",
        "writer": "wideleaf.graph.nodes.writer.write_answer",
        "selector": "wideleaf.graph.nodes.prepare.open_sources",
    }

    def fail(*_, **__):
        raise LookupError(SECRET)

    monkeypatch.setattr(places[node], fail)
    with pytest.raises(BugError, match=f"'{node}' failed by a bug") as caught:
        wl.ask("What is the mean t?", {"trials": FRAME}, folder=str(tmp_path / "w"))
    assert isinstance(caught.value.__cause__, LookupError)


def test_the_shell_says_one_line_and_has_an_exit_code_for_it(tmp_path, monkeypatch, capsys):
    def fail(*_, **__):
        raise LookupError(SECRET)

    monkeypatch.chdir(tmp_path)
    FRAME.to_csv("trials.csv", index=False)
    monkeypatch.setattr("wideleaf.graph.replays.replay.plan_of", fail)
    monkeypatch.setattr("wideleaf.graph.replays.plan_tables.plan_of", fail)
    assert main(["replay", "plan.json", "trials.csv", "--json"]) == 9
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert (told["status"], told["error"]["code"]) == ("failed", "bug")
    assert SECRET in Path(told["error"]["trace"]).read_text()
    assert err == ""
    assert main(["replay", "plan.json", "trials.csv"]) == 9
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert "bug of Wideleaf" in err
    assert SECRET not in err
    assert "Traceback" not in err


def test_other_public_functions_have_the_same_net(tmp_path, monkeypatch):
    def fail(*_, **__):
        raise LookupError(SECRET)

    monkeypatch.setattr("wideleaf.graph.corrections._catalog", fail)
    with pytest.raises(BugError):
        wl.corrections("trials.csv", folder=tmp_path)
    assert len(traces(tmp_path)) == 1


def test_what_a_caller_did_wrong_is_the_callers(tmp_path):
    class Stop(Exception):
        pass

    def stop(event):
        raise Stop

    with pytest.raises(Stop):
        wl.ask("What is the mean t?", {"t": FRAME}, folder=str(tmp_path / "w"), on_event=stop)
    with pytest.raises(TypeError):
        wl.ask()
    assert traces(tmp_path / "w") == []


def test_what_langgraph_stops_a_node_with_passes(tmp_path):
    from langgraph.errors import GraphBubbleUp, GraphInterrupt

    for error in (GraphInterrupt(), GraphBubbleUp(), KeyboardInterrupt(), SettingsError("x")):
        assert clear_error(error, "a test", tmp_path) is None
    assert traces(tmp_path) == []


def test_an_action_error_that_gets_out_is_told_as_it_is(tmp_path):
    @clear_errors("a test")
    def fail(folder):
        raise ActionError("too many rows; Filter first")

    with pytest.raises(SettingsError, match="Filter first"):
        fail(folder=tmp_path)


def test_where_the_folder_takes_no_trace_the_temporary_one_does(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "t"))
    (tmp_path / "file").write_text("x")
    error = clear_error(LookupError(SECRET), "a test", tmp_path / "file")
    assert isinstance(error, BugError)
    assert Path(error.trace).parent == tmp_path / "t"
    (tmp_path / "u").write_text("x")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "u"))
    nowhere = clear_error(LookupError(SECRET), "a test", tmp_path / "file")
    assert "could not be written anywhere" in str(nowhere)
