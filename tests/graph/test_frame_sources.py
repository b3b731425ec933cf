"""A frame of an earlier answer as a source: found, made again, and refused where it may tell."""

import pandas as pd
import pytest
from langgraph.checkpoint.memory import InMemorySaver

import wideleaf as wl
from wideleaf.graph import services
from wideleaf.graph.serving.policy import PolicyError

CONFIG = {"configurable": {"thread_id": "one"}}
BY_SITE = "What is the mean yield for each site?"
HIGHEST = "What is the highest mean of yield?"


@pytest.fixture
def trials(tmp_path):
    path = tmp_path / "trials.csv"
    rows = {"site": [*"aabbcc"], "yield": [1.0, 3.0, 5.0, 7.0, 9.0, 11.0], "pay": range(6)}
    pd.DataFrame(rows).to_csv(path, index=False)
    return str(path)


@pytest.fixture
def folder(tmp_path):
    return str(tmp_path / "w")


def asked(question, sources, folder, **settings):
    given = {"question": question, "sources": sources, "settings": {"folder": folder, **settings}}
    return wl.build_graph().invoke(given)


def forget():
    """As in another process: nothing of earlier runs is remembered."""
    services._kept.clear()


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_the_next_question_is_about_the_frame_of_the_last(engine, trials, folder):
    first = asked(BY_SITE, [trials], folder, engine=engine)
    second = asked(HIGHEST, [f"frame:{first['frame']}"], folder, engine=engine)
    assert (second["status"], second["value"]) == ("answered", 10.0)
    named = asked(HIGHEST, [f"means=frame:{first['frame']}"], folder)
    assert named["value"] == 10.0
    third = asked("What is the max of mean of yield?", [f"frame:{second['frame']}"], folder)
    assert third["value"] == 10.0


def test_it_is_found_in_another_process_once_it_is_on_disk(trials, folder):
    first = asked(BY_SITE, [trials], folder)
    forget()
    lost = asked(HIGHEST, [f"frame:{first['frame']}"], folder)
    assert (lost["status"], lost["error"]["code"]) == ("failed", "source")
    assert "name the tables that it was made of beside it" in lost["answer"]
    beside = asked(f"{HIGHEST} in means", [trials, f"means=frame:{first['frame']}"], folder)
    assert beside["status"] == "answered"
    forget()
    assert asked(HIGHEST, [f"frame:{first['frame']}"], folder)["value"] == 10.0


def test_python_and_the_shells_form_of_it(trials, folder):
    result = wl.ask(BY_SITE, trials, folder=folder)
    id = result.tree[result.label].id
    again = wl.ask(HIGHEST, {"means": f"frame:{id}"}, folder=folder)
    assert again.value == 10.0
    assert again.sources == (f"means=frame:{id}",)
    assert again.trace().reproduced
    assert again.plan.leaves[0].source == "means"
    assert list(again.frame.iloc[0]) == [10.0]


@pytest.mark.parametrize(
    "wrong", ["frame:", "frame:../../secret", "frame:" + "G" * 24, "x=frame:1"]
)
def test_what_is_no_id_opens_nothing(wrong, folder):
    state = asked(HIGHEST, [wrong], folder)
    assert state["error"]["code"] == "source"
    assert "no id of a frame" in state["answer"]


def test_a_frame_of_another_folder_is_not_there(trials, folder, tmp_path):
    first = asked(BY_SITE, [trials], folder)
    state = asked(HIGHEST, [f"frame:{first['frame']}"], str(tmp_path / "other"))
    assert "is not in the folder" in state["answer"]


def test_a_frame_is_refused_where_its_figures_might_tell_rows(trials, folder):
    first = asked(BY_SITE, [trials], folder)
    state = asked(HIGHEST, [f"frame:{first['frame']}"], folder, privacy="statistics")
    assert (state["status"], state["error"]["code"]) == ("failed", "privacy")


def test_a_frame_of_a_column_that_is_denied_now_is_refused(trials, folder):
    pay = asked("What is the mean pay for each site?", [trials], folder)
    ref = f"means=frame:{pay['frame']}"
    for sources in ([ref], [trials, ref]):
        state = asked("list the means", sources, folder, denied=["pay"])
        assert "while other columns were denied" in state["answer"], sources
    first = asked(BY_SITE, [trials], folder, denied=["pay"])
    ref = f"means=frame:{first['frame']}"
    state = asked(
        "What is the highest mean of yield in means?", [trials, ref], folder, denied=["pay"]
    )
    assert state["status"] == "answered"


def test_a_run_on_a_frame_is_resumed_as_it_was_begun(trials, folder):
    first = asked(BY_SITE, [trials], folder)
    graph = wl.build_graph(InMemorySaver())
    given = {"question": HIGHEST, "sources": [f"frame:{first['frame']}"]}
    context = {"folder": folder}
    assert graph.invoke(given, CONFIG, context=context)["value"] == 10.0
    about = graph.get_state(CONFIG).values["tree"]["about"]
    again = graph.invoke(given, CONFIG, context=context)
    assert again["value"] == 10.0
    assert graph.get_state(CONFIG).values["tree"]["about"] == about


@pytest.fixture
def untrusted(trials, tmp_path, monkeypatch):
    monkeypatch.setenv("WIDELEAF_CLIENTS", "untrusted")
    monkeypatch.setenv("WIDELEAF_SOURCES", trials)
    monkeypatch.setenv("WIDELEAF_FOLDER", str(tmp_path / "served"))
    monkeypatch.delenv("WIDELEAF_POLICY", raising=False)


def test_a_client_names_frames_of_its_own_folder_alone(untrusted, trials, folder, tmp_path):
    graph = wl.build_graph()
    own = graph.invoke({"question": BY_SITE})["frame"]
    second = graph.invoke({"question": HIGHEST, "sources": [f"frame:{own}"]})
    assert second["value"] == 10.0
    strangers = wl.ask("list the site and pay", trials, folder=folder)
    id = strangers.tree[strangers.label].id
    state = graph.invoke({"question": HIGHEST, "sources": [f"frame:{id}"]})
    assert "is not in the folder" in state["answer"]
    of_code = wl.Context.of_code(sources=(trials,), folder=folder)
    with pytest.raises(PolicyError):
        graph.invoke({"question": HIGHEST, "sources": [f"frame:{id}"]}, context=of_code)
