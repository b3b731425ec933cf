"""The graph inside other graphs: as a node, with the settings handed down."""

from typing import Any

import pandas as pd
import pytest
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

import wideleaf as wl


class Outer(TypedDict, total=False):
    question: str
    answer: str
    value: Any
    caveats: list[str]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "trials.parquet"
    pd.DataFrame({"site": ["a", "b"], "yield": [1.0, 3.0]}).to_parquet(path)
    return path


def outer(**schema):
    builder = StateGraph(Outer, **schema)
    builder.add_node("tables", wl.build_graph())
    builder.add_edge(START, "tables")
    builder.add_edge("tables", END)
    return builder.compile()


@pytest.mark.parametrize("schema", [{}, {"context_schema": wl.Context}])
def test_a_graph_around_it_hands_down_its_settings(table, tmp_path, schema):
    context = {"sources": [str(table)], "folder": str(tmp_path)}
    state = outer(**schema).invoke({"question": "What is the mean yield?"}, context=context)
    assert state["value"] == 2.0


def test_other_settings_of_the_graph_around_it_are_its_own(table, tmp_path):
    context = {"sources": [str(table)], "folder": str(tmp_path), "user": "ada"}
    state = outer().invoke({"question": "What is the mean yield?"}, context=context)
    assert state["value"] == 2.0


def test_without_sources_it_says_what_is_missing():
    state = wl.build_graph().invoke({"question": "What is the mean yield?"})
    assert state["status"] == "failed"
    assert "no table was given" in state["answer"]


def test_presets_of_the_environment_fill_in(table, tmp_path, monkeypatch):
    monkeypatch.setenv("WIDELEAF_SOURCES", str(table))
    monkeypatch.setenv("WIDELEAF_FOLDER", str(tmp_path))
    assert wl.build_graph().invoke({"question": "What is the mean yield?"})["value"] == 2.0
