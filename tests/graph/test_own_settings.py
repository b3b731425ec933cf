"""Settings of a graph's own, and those that come in the input: who wins, and what is refused."""

import asyncio
import itertools
from dataclasses import dataclass
from typing import Any

import pandas as pd
import polars as pl
import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command
from typing_extensions import TypedDict

import wideleaf as wl
from wideleaf.graph.app import build_run
from wideleaf.graph.context import Context
from wideleaf.graph.own_settings import run_under
from wideleaf.graph.serving.policy import PolicyError
from wideleaf.graph.state import AskState

MEAN = {"question": "What is the mean yield?"}
CONFIG = {"configurable": {"thread_id": "one"}}


@pytest.fixture
def files(tmp_path):
    """Tables of two owners, whose mean yields are 2 and 20."""
    made = {}
    for owner, scale in (("ada", 1), ("bob", 10)):
        made[owner] = str(tmp_path / f"{owner}.csv")
        table(scale).to_csv(made[owner], index=False)
    return made


def table(scale=1):
    return pd.DataFrame({"site": ["a", "b"], "yield": [1.0 * scale, 3.0 * scale]})


class Two(TypedDict, total=False):
    question: str
    value: Any
    ada: Any
    bob: Any


def in_turn(ada, bob, **schema):
    """A graph in which one question goes to two, each of which answers in the same channel."""
    builder = StateGraph(Two, **schema)
    builder.add_node("ask_ada", ada)
    builder.add_node("keep_ada", lambda state: {"ada": state["value"]})
    builder.add_node("ask_bob", bob)
    builder.add_node("keep_bob", lambda state: {"bob": state["value"]})
    names = [START, "ask_ada", "keep_ada", "ask_bob", "keep_bob", END]
    for one, following in itertools.pairwise(names):
        builder.add_edge(one, following)
    return builder


@dataclass
class Session:
    """A context of somebody else's, with a word of ours."""

    user: str
    sources: int = 7


def given_as(form, files, tmp_path):
    folder = str(tmp_path / "w")
    sources = {
        "text": [files["ada"], files["bob"]],
        "pandas": [table(1), table(10)],
        "polars": [pl.from_pandas(table(1)), pl.from_pandas(table(10))],
        "mapping": [{"plots": table(1)}, {"plots": pl.from_pandas(table(10))}],
        "named file": [{"plots": files["ada"]}, {"plots": files["bob"]}],
    }[form]
    return [wl.build_graph(sources=one, folder=folder) for one in sources]


@pytest.mark.parametrize("form", ["text", "pandas", "polars", "mapping", "named file"])
@pytest.mark.parametrize(
    ("schema", "context"),
    [
        ({}, None),
        ({"context_schema": Session}, Session("ada")),
        ({}, {"sources": ["nowhere.csv"], "model": "theirs"}),
        ({"context_schema": wl.Context}, {"sources": ["nowhere.csv"], "max_steps": 9}),
    ],
    ids=["no context", "its own", "a mapping", "ours"],
)
def test_two_graphs_in_one_keep_to_their_own_tables(form, schema, context, files, tmp_path):
    graph = in_turn(*given_as(form, files, tmp_path), **schema).compile()
    state = graph.invoke(MEAN, context=context)
    assert (state["ada"], state["bob"]) == (2.0, 20.0)


def test_a_file_that_was_written_since_is_read_again_and_a_frame_is_what_it_was(files, tmp_path):
    frame = table()
    of_file = wl.build_graph(sources=files["ada"], folder=str(tmp_path))
    of_frame = wl.build_graph(sources=frame, folder=str(tmp_path))
    assert of_file.invoke(MEAN)["value"] == of_frame.invoke(MEAN)["value"] == 2.0
    table(10).to_csv(files["ada"], index=False)
    assert of_file.invoke(MEAN)["value"] == 20.0
    assert of_frame.invoke(MEAN)["value"] == 2.0


def script(function):
    measure = {"function": function, "column": "yield"}
    moves = [("So.", "Aggregate", {"table": "ada", "measures": [measure]})]
    return wl.Script([*moves, ("Done.", "Finish", {"table": "T1"})])


def test_each_graph_asks_its_own_model_and_one_without_asks_that_of_the_context(files, tmp_path):
    given = {"sources": files["ada"], "folder": str(tmp_path)}
    graph = in_turn(wl.build_graph(model=script("max"), **given), wl.build_graph(**given))
    context = wl.Context(chat_model=script("min"), api_key_env="NONE")
    state = graph.compile().invoke(MEAN, context=context)
    assert (state["ada"], state["bob"]) == (3.0, 1.0)


def test_what_was_not_fixed_comes_from_a_context_or_the_environment(files, tmp_path, monkeypatch):
    strict = wl.build_graph(denied=["site"], folder=str(tmp_path))
    state = strict.invoke({"question": "list the site"}, context={"sources": [files["ada"]]})
    assert "a" not in str(state.get("value"))
    monkeypatch.setenv("WIDELEAF_SOURCES", files["bob"])
    assert strict.invoke(MEAN)["value"] == 20.0


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"max_stepz": 3}, "max_stepz"),
        ({"privacy": "everything"}, "privacy='everything'"),
        ({"selector": "model"}, "there is no model for the selector"),
    ],
)
def test_what_a_graph_cannot_be_built_with_is_told_at_once(given, words):
    with pytest.raises(wl.SettingsError, match=words):
        wl.build_graph(**given)


def test_tables_that_cannot_be_read_end_the_question_and_not_the_building(tmp_path):
    for wrong in (str(tmp_path / "nowhere.csv"), {"t": 5}, [object()]):
        state = wl.build_graph(sources=wrong, folder=str(tmp_path)).invoke(MEAN)
        assert (state["status"], state["error"]["code"]) == ("failed", "source"), wrong


def test_a_graph_with_tables_of_its_own_has_the_question_for_its_input(files, tmp_path):
    own, open_ = wl.build_graph(sources=files["ada"]), wl.build_graph(max_steps=9)
    assert [*own.get_input_jsonschema()["properties"]] == ["question", "start"]
    given = ["question", "sources", "settings", "start"]
    assert sorted(open_.get_input_jsonschema()["properties"]) == sorted(given)
    assert open_.get_input_jsonschema()["required"] == ["question"]


def ambiguous(**settings):
    """A script that asks back which reading is meant."""

    def measured(function):
        measures = [{"function": function, "column": "yield", "name": "yield"}]
        return ("So.", "Aggregate", {"table": "plots", "measures": measures})

    asked = {"question": "Which?", "readings": ["mean", "max"], "tables": ["T1", "T2"]}
    moves = [[measured("mean"), measured("max"), ("Two.", "Ask", asked)]]
    return {"model": wl.Script(moves), "interactive": True, **settings}


def test_a_question_back_passes_through_the_graph_around_it(tmp_path):
    graph = wl.build_graph(sources={"plots": table()}, **ambiguous(folder=str(tmp_path)))
    builder = StateGraph(Two, context_schema=Session)
    builder.add_node("tables", graph)
    builder.add_edge(START, "tables")
    outer = builder.compile(checkpointer=InMemorySaver())
    (interrupt,) = outer.invoke(MEAN, CONFIG, context=Session("ada"))["__interrupt__"]
    assert [one["reading"] for one in interrupt.value["options"]] == ["mean", "max"]
    assert outer.invoke(Command(resume="2"), CONFIG, context=Session("ada"))["value"] == 3.0


def test_samples_of_a_vote_run_under_the_graphs_own_settings(files, tmp_path):
    own = {"strategy": "vote", "samples": 3, "folder": str(tmp_path), "vote_early": False}
    state = wl.build_graph(sources=files["bob"], **own).invoke(MEAN)
    assert (state["value"], state["samples"][0]["votes"]) == (20.0, 1)
    given = {**MEAN, "sources": [files["bob"]], "settings": own}
    state = wl.build_graph().invoke(given)
    assert (state["value"], state["samples"][0]["votes"]) == (20.0, 1)


# --- Sources and settings in the input -----------------------------------------------------


def test_the_input_brings_tables_and_settings_and_wins_over_the_context(files, tmp_path):
    context = {"sources": [files["ada"]], "folder": str(tmp_path), "denied": ["site"]}
    graph = wl.build_graph()
    assert graph.invoke(MEAN, context=context)["value"] == 2.0
    given = {**MEAN, "sources": [f"plots={files['bob']}"]}
    assert graph.invoke(given, context=context)["value"] == 20.0
    given = {"question": "Which site has the highest yield?", "settings": {"denied": []}}
    assert graph.invoke(given, context=context)["value"] == "b"
    assert graph.invoke({**given, "settings": {}}, context=context)["value"] != "b"
    alone = {**MEAN, "sources": [files["bob"]], "settings": {"folder": str(tmp_path)}}
    assert graph.invoke(alone)["value"] == 20.0


def test_what_came_with_a_question_is_not_the_next_ones(files, tmp_path):
    graph = wl.build_graph(InMemorySaver())
    context = {"sources": [files["ada"]], "folder": str(tmp_path)}
    given = {**MEAN, "sources": [files["bob"]], "settings": {"denied": ["site"]}}
    assert graph.invoke(given, CONFIG, context=context)["value"] == 20.0
    kept = graph.get_state(CONFIG).values
    brought = {"sources": [files["bob"]], "settings": {"denied": ["site"]}}
    assert kept["given"] == {**brought, "words": MEAN["question"], "drawn": ""}
    assert graph.invoke(MEAN, CONFIG, context=context)["value"] == 2.0
    assert graph.get_state(CONFIG).values["given"] == {"words": MEAN["question"], "drawn": ""}
    highest = {"question": "Which site has the highest yield?"}
    assert graph.invoke(highest, CONFIG, context=context)["value"] == "b"


def test_a_run_that_is_resumed_keeps_what_came_with_its_question(tmp_path):
    table().to_csv(tmp_path / "plots.csv", index=False)
    graph = wl.build_graph(InMemorySaver())
    asks = ambiguous()
    context = {"chat_model": asks["model"], "sources": ["nowhere.csv"], "folder": str(tmp_path)}
    context = wl.Context(**context)
    given = {"sources": [str(tmp_path / "plots.csv")], "settings": {"interactive": True}}
    assert graph.invoke({**MEAN, **given}, CONFIG, context=context)["__interrupt__"]
    assert graph.invoke(Command(resume="2"), CONFIG, context=context)["value"] == 3.0


def test_a_graph_around_it_carries_them_in_its_state(files, tmp_path):
    class Carried(Two, total=False):
        sources: list[str]
        settings: dict[str, Any]

    builder = StateGraph(Carried, context_schema=Session)
    builder.add_node("tables", wl.build_graph())
    builder.add_edge(START, "tables")
    given = {**MEAN, "sources": [files["bob"]], "settings": {"folder": str(tmp_path)}}
    assert builder.compile().invoke(given, context=Session("ada"))["value"] == 20.0


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"settings": {"modle": "m"}}, "there is no setting 'modle'; the nearest is 'model'"),
        ({"settings": {"chat_model": {}}}, "there is no setting 'chat_model'"),
        ({"settings": {"privacy": "all"}}, "setting privacy='all' does not fit"),
        ({"settings": {"sources": ["t.csv"]}}, "sources stand beside the input's settings"),
        ({"settings": "privacy"}, "settings='privacy' are no object"),
        ({"sources": "t.csv"}, "no list of texts"),
        ({"sources": [5]}, "no list of texts"),
        ({"sources": ["postgresql://me:secret@db/x"]}, "a source of the input has a password"),
        ({"sources": ["x=mysql://me:secret@db/x"]}, "a source of the input has a password"),
        ({"settings": {"max_steps": 4}}, "built with a max_steps of its own"),
    ],
)
def test_what_an_input_cannot_bring_is_told_and_nothing_is_answered(given, words, files, tmp_path):
    graph = wl.build_graph(InMemorySaver(), max_steps=3)
    context = {"sources": [files["ada"]], "folder": str(tmp_path)}
    state = graph.invoke({**MEAN, **given}, CONFIG, context=context)
    assert (state["status"], state["error"]["code"]) == ("failed", "settings")
    assert words in state["answer"]
    assert "secret" not in str(state)
    assert state.get("value") is None
    assert graph.invoke(MEAN, CONFIG, context=context)["value"] == 2.0


# --- Clients that nobody trusts ------------------------------------------------------------


@pytest.fixture
def untrusted(files, tmp_path, monkeypatch):
    """A process whose every run obeys the policy; its own table is Ada's."""
    monkeypatch.setenv("WIDELEAF_CLIENTS", "untrusted")
    monkeypatch.setenv("WIDELEAF_SOURCES", f"plots={files['ada']}")
    monkeypatch.setenv("WIDELEAF_FOLDER", str(tmp_path / "served"))
    monkeypatch.delenv("WIDELEAF_POLICY", raising=False)
    return tmp_path


REFUSED = [
    {"sources": ["{bob}"]},
    {"sources": ["plots={bob}"]},
    {"settings": {"folder": "{tmp}/mine"}},
    {"settings": {"privacy": "samples"}},
    {"settings": {"base_url": "http://127.0.0.1:1/v1", "model": "m"}},
    {"settings": {"sandbox": "unwalled"}},
]


def filled(value, **blanks):
    if isinstance(value, dict):
        return {key: filled(one, **blanks) for key, one in value.items()}
    if isinstance(value, list):
        return [filled(one, **blanks) for one in value]
    return value.format(**blanks)


@pytest.mark.parametrize("given", REFUSED)
def test_an_input_is_heard_as_a_context_is(given, untrusted, files):
    given = filled(given, bob=files["bob"], tmp=untrusted)
    graph = wl.build_graph(InMemorySaver())
    with pytest.raises(PolicyError, match=r"is not among|is the owner's"):
        graph.invoke({**MEAN, **given}, CONFIG)
    assert not (untrusted / "mine").exists()


def test_an_input_may_name_what_the_server_has_and_be_stricter(untrusted):
    given = {**MEAN, "sources": ["plots"], "settings": {"max_steps": 5, "denied": ["site"]}}
    assert wl.build_graph().invoke(given)["value"] == 2.0


@pytest.mark.parametrize("given", REFUSED)
def test_what_code_gave_is_not_loosened_by_an_input(given, untrusted, files):
    """A node of the owner's that passes on what a client sent, beside settings of its own."""
    given = filled(given, bob=files["bob"], tmp=untrusted)
    own = wl.Context.of_code(sources=(files["ada"],), folder=str(untrusted / "own"))
    graph = wl.build_graph()
    assert graph.invoke(MEAN, context=own)["value"] == 2.0
    with pytest.raises(PolicyError):
        graph.invoke({**MEAN, **given}, context=own)
    narrower = {**MEAN, "settings": {"denied": ["site"]}}
    assert graph.invoke(narrower, context=own)["value"] == 2.0
    assert (untrusted / "own").is_dir()
    assert not (untrusted / "served" / "clients").exists()


def test_what_a_graph_was_built_with_is_the_owners(untrusted, files, monkeypatch):
    policy = untrusted / "policy.toml"
    policy.write_text('[clients]\nprivacy = "samples"\nmax_steps = 40\n')
    monkeypatch.setenv("WIDELEAF_POLICY", str(policy))
    graph = wl.build_graph(sources=files["bob"], privacy="schema")
    assert graph.invoke(MEAN)["value"] == 20.0
    assert graph.invoke(MEAN, context={"sources": [files["ada"]]})["value"] == 20.0
    assert graph.invoke(MEAN, context={"max_steps": 40})["value"] == 20.0
    for loose in ({"max_steps": 41}, {"engine": "duckdb"}):
        with pytest.raises(PolicyError):
            graph.invoke(MEAN, context=loose)


def test_state_that_a_client_writes_is_no_input(untrusted, files):
    graph = wl.build_graph(InMemorySaver())
    written = {"given": {"sources": [files["bob"]]}, "status": "partial"}
    for node in ("begin", "prepare", "selector", "run", "vote"):
        graph.invoke(MEAN, CONFIG)
        graph.update_state(CONFIG, written, as_node=node)
        assert not graph.get_state(CONFIG).next  # nothing goes on from there
        assert graph.invoke(MEAN, CONFIG)["value"] == 2.0
    alone = StateGraph(AskState, context_schema=Context)  # a run, with what is written before it
    alone.add_node("run", run_under(None, build_run()))
    alone.add_edge(START, "run")
    with pytest.raises(PolicyError):
        alone.compile().invoke({**graph.get_state(CONFIG).values, **written, "memory": {}})


@pytest.mark.parametrize("waits", [False, True])
def test_a_long_run_needs_no_limit_of_supersteps_to_be_set(tmp_path, waits):
    frame = pd.DataFrame({"yield": range(60)})
    moves = [
        ("Less.", "Filter", {"where": [{"column": "yield", "op": ">", "value": n}]})
        for n in range(20)
    ]
    script = wl.Script([*moves, ("Done.", "Finish", {"table": "T20"})])
    inner = wl.build_graph(sources={"plots": frame}, model=script, folder=str(tmp_path / "w"))
    around = StateGraph(AskState)
    around.add_node("tables", inner)
    around.add_edge(START, "tables")
    graph = around.compile()
    ask = {"question": "Which plots yield most?"}
    ended = asyncio.run(graph.ainvoke(ask)) if waits else graph.invoke(ask)
    assert ended["label"] == "T20" and ended["status"] == "answered"
