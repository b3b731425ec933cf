"""A conversation as a node of a graph of one's own: what it keeps, where, and of which tables."""

from typing import Any

import pandas as pd
import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from typing_extensions import TypedDict

import wideleaf as wl

CONFIG = {"configurable": {"thread_id": "one"}}
MEAN, ONLY = {"message": "What is the mean yield?"}, {"message": "only in b"}
PLOTS = pd.DataFrame({"site": ["a", "b", "b"], "yield": [1.0, 3.0, 6.0]})


class Desk(TypedDict, total=False):
    message: str
    conversation: dict[str, Any]
    sources: list[str]
    settings: dict[str, Any]
    status: str
    value: Any
    answer: str


def around(node, **options):
    builder = StateGraph(Desk)
    builder.add_node("tables", node)
    builder.add_edge(START, "tables")
    return builder.compile(**options)


@pytest.fixture
def plots(tmp_path):
    path = tmp_path / "plots.csv"
    PLOTS.to_csv(path, index=False)
    return path


def test_it_is_kept_in_the_state_of_the_graph_around_it(tmp_path):
    own = wl.build_conversation(sources={"plots": PLOTS}, folder=str(tmp_path))
    graph = around(own, checkpointer=InMemorySaver())
    assert graph.invoke(MEAN, CONFIG)["value"] == pytest.approx(10 / 3)
    assert graph.invoke(ONLY, CONFIG)["value"] == 4.5
    assert "plots: site, yield" in graph.invoke({"message": "which columns?"}, CONFIG)["answer"]
    assert graph.get_state(CONFIG).values["conversation"]["form"] == "wideleaf.conversation/1"
    other = {"configurable": {"thread_id": "two"}}
    assert graph.invoke(ONLY, other)["value"] != 4.5


def test_whoever_calls_it_may_hold_the_conversation(tmp_path):
    graph = wl.build_conversation(sources={"plots": PLOTS}, folder=str(tmp_path))
    first = graph.invoke(MEAN)
    assert graph.invoke({**ONLY, "conversation": first["conversation"]})["value"] == 4.5
    assert graph.invoke(ONLY)["value"] != 4.5


def test_it_is_kept_on_a_thread_of_its_own(plots, tmp_path):
    graph = wl.build_conversation(InMemorySaver(), sources=plots, folder=str(tmp_path))
    assert graph.invoke(MEAN, CONFIG)["value"] == pytest.approx(10 / 3)
    assert graph.invoke(ONLY, CONFIG)["value"] == 4.5


def test_tables_and_settings_may_come_with_each_message(plots, tmp_path):
    graph = around(wl.build_conversation(), checkpointer=InMemorySaver())
    given = {"sources": [str(plots)], "settings": {"folder": str(tmp_path)}}
    assert graph.invoke({**MEAN, **given}, CONFIG)["value"] == pytest.approx(10 / 3)
    assert graph.invoke({**ONLY, **given}, CONFIG)["value"] == 4.5
    wrong = graph.invoke({**MEAN, "settings": {"max_stepz": 5}}, CONFIG)
    assert wrong["status"] == "failed"
    assert "max_stepz" in wrong["answer"]


def test_what_was_said_of_a_table_that_changed_is_not_gone_on_from(plots, tmp_path):
    graph = around(
        wl.build_conversation(sources=plots, folder=str(tmp_path)), checkpointer=InMemorySaver()
    )
    assert graph.invoke(MEAN, CONFIG)["value"] == pytest.approx(10 / 3)
    PLOTS.assign(more=1).to_csv(plots, index=False)
    told = graph.invoke({"message": "why?"}, CONFIG)
    assert told["status"] == "unanswered"
    assert "ask it anew" in told["answer"]


def test_two_keep_apart_and_a_setting_that_there_is_not_is_told_at_once(tmp_path):
    scaled = PLOTS.assign(**{"yield": PLOTS["yield"] * 10})
    low = wl.build_conversation(sources={"plots": PLOTS}, folder=str(tmp_path))
    high = wl.build_conversation(sources={"plots": scaled}, folder=str(tmp_path))
    assert low.invoke(MEAN)["value"] * 10 == pytest.approx(high.invoke(MEAN)["value"])
    kept = low.invoke(MEAN)["conversation"]
    assert high.invoke({**ONLY, "conversation": kept})["value"] != 4.5
    with pytest.raises(wl.SettingsError, match="max_stepz"):
        wl.build_conversation(sources={"plots": PLOTS}, max_stepz=3)
