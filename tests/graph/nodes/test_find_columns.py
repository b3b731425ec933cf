"""FindColumns: further columns during a run, found by the run's own retriever, shown first."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from agronomy.table import make_agronomy_table
from grown import add
from hypothesis import given
from hypothesis import strategies as st
from stopped_embedder import StoppedEmbedder

import wideleaf as wl
from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.models.script import Script
from wideleaf.agents.supervisor.supervisor import Supervisor
from wideleaf.agents.supervisor.toolbox import tools_for
from wideleaf.agents.turn import View
from wideleaf.graph.drawings.page import tree_html
from wideleaf.graph.drawings.svg import draw_svg
from wideleaf.graph.drawings.text import draw_text
from wideleaf.graph.nodes.finding import MAX_FINDS, search_key
from wideleaf.graph.selection import ALL_FOUND_CHARACTERS, turn_columns
from wideleaf.graph.sessions.run import ask
from wideleaf.tools.privacy import Policy
from wideleaf.tools.tree.tree import FrameTree

QUESTION = "What is the mean grain yield in tons per hectare?"
SECRET = "Xanary-7"


@pytest.fixture(autouse=True)
def embedder(monkeypatch: pytest.MonkeyPatch) -> StoppedEmbedder:
    made = StoppedEmbedder()
    monkeypatch.setattr("wideleaf.retrieval.vectors.embedder.open_embedder", lambda name: made)
    return made


@pytest.fixture(scope="module")
def trials(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(make_agronomy_table(tmp_path_factory.mktemp("trials") / "trials.parquet", rows=60))


def find(words: str, table: str = "") -> tuple[str, str, dict[str, Any]]:
    return ("Look.", "FindColumns", {"words": words, **({"table": table} if table else {})})


def mean_of(column: str, table: str = "trials") -> tuple[str, str, dict[str, Any]]:
    measures = [{"function": "mean", "column": column, "name": "mean"}]
    return ("Mean.", "Aggregate", {"table": table, "measures": measures})


def finish(label: str = "T1") -> tuple[str, str, dict[str, Any]]:
    return ("Done.", "Finish", {"table": label})


def run(model: Script, trials: Any, folder: Path, **settings: Any) -> wl.Result:
    settings = {"retriever": "words", "second_opinion": False, **settings}
    return ask(QUESTION, trials, model=model, folder=str(folder), **settings)


@pytest.mark.parametrize("retriever", ["index", "words"])
@pytest.mark.parametrize("text", [False, True])
def test_a_column_that_was_not_shown_is_found_shown_first_and_used(
    trials: str, tmp_path: Path, text: bool, retriever: str
) -> None:
    model = Script([find("near infrared"), mean_of("SatDom_NIR_mean_0"), finish()], text=text)
    result = run(model, trials, tmp_path, retriever=retriever)
    assert result.status == "answered" and result.label == "T1"
    first, second = model.prompts[:2]
    assert "NIR" not in first.split("Tables:")[1]
    columns = second.split("Tables:\n")[1].splitlines()
    assert columns[0] == "Found for 'near infrared':"
    assert "SatDom_NIR_mean_" in "\n".join(columns[1:3])
    assert "Note: for 'near infrared' these columns were found" in second
    expected = pl.read_parquet(trials)["SatDom_NIR_mean_0"].mean()
    assert result.value == pytest.approx(expected)


def test_a_find_makes_no_frame_takes_no_label_and_is_a_move_of_the_tree(
    trials: str, tmp_path: Path
) -> None:
    model = Script([find("near infrared"), mean_of("SatDom_NIR_mean_0"), finish()])
    result = run(model, trials, tmp_path)
    assert [node.label for node in result.tree.nodes] == ["trials", "T1"]
    (move,) = result.tree.moves
    assert (move.kind, move.origin, move.target) == ("find", "trials", "trials")
    assert "⌕ looked for columns" in draw_text(result.tree, "T1")
    assert "looked for columns: near infrared" in tree_html(result.tree, "T1")
    assert "1. find: near infrared" in draw_svg(result.tree, "T1")
    assert result.tree.abandoned() == frozenset()
    assert "at trials, looked for columns: near infrared" in model.prompts[1]


def test_the_same_words_again_are_told_so_and_end_the_run_where_nothing_else_comes(
    trials: str, tmp_path: Path
) -> None:
    again = [
        find("near infrared"),
        find("Infrared, near"),
        find("near  infrared"),
        find("NEAR INFRARED"),
    ]
    model = Script([*again, finish("trials")])
    result = run(model, trials, tmp_path)
    assert len(model.prompts) == 4
    assert "'Infrared, near' before, and what it found stands first" in model.prompts[2]
    assert len(result.tree.moves) == 1
    assert result.status == "partial"
    assert "3 replies in a row were no move" in result.answer


def test_no_run_looks_more_often_than_the_most(trials: str, tmp_path: Path) -> None:
    words = [
        "rain",
        "soil",
        "crop",
        "wind",
        "evaporation",
        "humidity",
        "yield",
        "season",
        "radiation",
    ]
    model = Script([*map(find, words), mean_of("SatDom_NIR_mean_0"), finish()])
    result = run(model, trials, tmp_path)
    assert len(result.tree.moves) == MAX_FINDS == len(words) - 1
    assert f"was called {MAX_FINDS} times" in model.prompts[len(words)]
    assert result.status == "answered"


@pytest.mark.parametrize("retriever", ["index", "words"])
def test_where_nothing_is_near_that_is_said(trials: str, tmp_path: Path, retriever: str) -> None:
    model = Script([find("qqqq zzzz"), find("zzzz qqqq"), mean_of("SatDom_NIR_mean_0"), finish()])
    run(model, trials, tmp_path, retriever=retriever)
    assert re.search("Note: no column is (near|clearly meant by) 'qqqq zzzz'", model.prompts[1])
    assert "Found for" not in model.prompts[1]
    assert "'zzzz qqqq' before, and what it found was nothing" in model.prompts[2]


def test_in_a_small_table_only_what_is_meant_is_found(tmp_path: Path) -> None:
    names = [f"{one}{other}" for one in ("ba", "ke", "di", "fo") for other in ("lum", "nor")]
    tables: dict[str, Any] = {
        f"t{n}": pd.DataFrame({f"{name} {n}": [1] for name in names}) for n in range(9)
    }
    tables["soil"] = pd.DataFrame({"clay share": [1], "sand share": [2], "plot": [3]})
    load = ("Open.", "Load", {"source": "soil"})
    model = Script([find("clay share"), load, finish("T1")])
    run(model, tables, tmp_path, retriever="index")
    found = model.prompts[1].split("Found for 'clay share':\n")[1]
    block = re.match(r"[^\n]+\n(?:  [^\n]+\n)*", found)
    assert block is not None
    assert block[0] == "soil: 3 columns\n  clay share (number)\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"words": "rain", "table": "trails"}, "no table 'trails'; the nearest of 1 are 'trials'"),
        ({"words": "   "}, "says nothing"),
        ({"words": ""}, "FindColumns's arguments do not fit"),
        ({}, "FindColumns's arguments do not fit: words"),
        ({"words": ["rain"]}, "FindColumns's arguments do not fit: words"),
        ({"words": "rain", "how": 3}, "FindColumns's arguments do not fit: how"),
    ],
)
def test_a_find_that_cannot_be_made_is_a_note(
    trials: str, tmp_path: Path, arguments: dict[str, Any], said: str
) -> None:
    bad = ("Look.", "FindColumns", arguments)
    model = Script([bad, mean_of("SatDom_NIR_mean_0"), finish()])
    result = run(model, trials, tmp_path)
    assert said in model.prompts[1]
    assert result.status == "answered"
    assert not result.tree.moves


def test_a_frame_stands_for_the_raw_tables_under_it(trials: str, tmp_path: Path) -> None:
    select = ("Few.", "Select", {"table": "trials", "columns": ["SatDom_NDVI_*"]})
    model = Script(
        [select, find("near infrared", "T1"), mean_of("SatDom_NIR_mean_0"), finish("T2")]
    )
    result = run(model, trials, tmp_path)
    assert "Found for 'near infrared':" in model.prompts[2]
    assert result.status == "answered"


def test_finds_and_steps_of_one_turn_go_side_by_side_and_the_head_follows_the_step(
    trials: str, tmp_path: Path
) -> None:
    both = [
        mean_of("SatDom_NIR_mean_0"),
        find("near infrared"),
        find("near infrared "),
        find("rain"),
    ]
    model = Script([both, finish("T1")])
    result = run(model, trials, tmp_path)
    assert result.tree.head == "T1"
    assert [move.reason for move in result.tree.moves] == ["near infrared", "rain"]
    columns = model.prompts[1].split("Tables:\n")[1]
    assert columns.index("Found for 'rain':") < columns.index("Found for 'near infrared':")


def test_a_table_that_is_not_opened_is_looked_through_too(tmp_path: Path) -> None:
    tables = {f"t{n}": pd.DataFrame({"a": [1], f"b{n}": [2]}) for n in range(12)}
    tables["weather"] = pd.DataFrame({"rainfall": [1.0, 2.0]})
    load = ("Open.", "Load", {"source": "weather"})
    model = Script([find("rainfall"), load, mean_of("rainfall", "T1"), finish("T2")])
    result = run(model, tables, tmp_path)
    assert "FindColumns looks for it" in model.prompts[0]
    assert "Found for 'rainfall':\nweather: 1 column\n  rainfall (number)" in model.prompts[1]
    assert result.value == 1.5


def test_it_is_described_only_where_columns_are_not_shown() -> None:
    supervisor = Supervisor(Gateway(Script(), Policy()))
    for columns, told in ((3, False), (40, False), (41, True)):
        tree = add(FrameTree(), "plots", "Load", {"source": "plots"}, columns=columns)
        names = {tool["function"]["name"] for tool in tools_for("", tree)}
        system, _ = supervisor.prompt(View(question="q", tree=tree))
        assert ("FindColumns" in names, "FindColumns" in system) == (told, told)


def test_a_run_that_is_cut_off_goes_on_with_what_was_found(trials: str, tmp_path: Path) -> None:
    moves = [find("near infrared"), mean_of("SatDom_NIR_mean_0"), finish()]

    def cancel(event: wl.Event) -> None:
        if event.kind == "move":
            raise KeyboardInterrupt

    first = Script(moves)
    assert run(first, trials, tmp_path, thread="one", on_event=cancel).status == "partial"
    assert len(first.prompts) == 1
    second = Script(moves)
    result = run(second, trials, tmp_path, thread="one")
    assert result.status == "answered"
    assert len(result.tree.moves) == 1
    assert "Found for 'near infrared':" in second.prompts[0]


def test_no_cell_is_in_what_is_found(tmp_path: Path) -> None:
    wide = {f"probe_{n}_value": [1.0, 2.0] for n in range(60)}
    frame = pd.DataFrame({"grower": [SECRET, "b"], **wide, "note": [SECRET, SECRET]})
    audit = tmp_path / "audit.jsonl"
    model = Script([find("grower note"), mean_of("probe_3_value", "t"), finish()])
    events: list[wl.Event] = []
    run(model, {"t": frame}, tmp_path / "w", audit=str(audit), on_event=events.append)
    assert any(event.kind == "move" and "find columns" in event.text for event in events)
    told = "".join(model.prompts) + audit.read_text() + json.dumps([e.text for e in events])
    assert "grower" in told and SECRET not in told


@given(st.lists(st.text(max_size=700), max_size=12), st.text(max_size=100))
def test_what_was_found_has_its_bound_and_the_newest_stands_first(
    texts: list[str], columns: str
) -> None:
    found = {f"word{place}": text for place, text in enumerate(texts)}
    shown = turn_columns(found, columns)
    assert shown.endswith(columns)
    assert len(shown) - len(columns) <= ALL_FOUND_CHARACTERS
    if newest := next((text for text in reversed(texts) if text), ""):
        assert shown.startswith(newest)


def test_words_in_another_order_are_the_same_look_and_another_table_is_another() -> None:
    same = [{"words": "near infrared"}, {"words": "Infrared  NEAR!"}, {"words": "near-infrared"}]
    assert len({search_key(one) for one in same}) == 1
    assert search_key(same[0]) != search_key({**same[0], "table": "trials"})
    assert search_key({"words": "日照"}) != search_key({"words": "降水"})
