"""Program of Thoughts: one program with the data in sight, at privacy samples alone."""

from __future__ import annotations

import json

import narwhals as nw
import pandas as pd
import polars as pl
import pytest

import wideleaf as wl
from wideleaf.agents.coding.programmer import variables
from wideleaf.agents.coding.thoughts import ThoughtProgrammer
from wideleaf.agents.craft_task import CodeInput, CraftTask, Try
from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.models.script import Script
from wideleaf.agents.requests import CHARACTERS
from wideleaf.tools.errors import ActionError, PrivacyError, SettingsError
from wideleaf.tools.privacy import Policy
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree, Node

PROGRAM = "[PYTHON]\ndef solver():\n    total = df['points'].sum()\n    return total / 2\n[/PYTHON]"


def solver(tables, level="samples"):
    held = {
        f"id of {name}": Table(nw.from_native(pl.DataFrame(columns).lazy()), {})
        for name, columns in tables.items()
    }
    gateway = Gateway(Script(policy=lambda messages: PROGRAM), Policy(level=level))
    return ThoughtProgrammer(gateway, held.__getitem__)


def task(tables, **more):
    tree = FrameTree()
    for name in tables:
        tree = tree.grow(Node(label=name, id=f"id of {name}", action=Call(name="Load"), rows=1))
    inputs = tuple(
        CodeInput(label=label, parameter=name)
        for label, name in zip(tables, variables(list(tables)), strict=True)
    )
    given = {"question": "Which artist leads?", "task": "?", "label": "T1", "tree": tree}
    return CraftTask(**{**given, **more}, inputs=inputs)


def size(messages):
    return sum(len(json.dumps(text, ensure_ascii=False)) for text in messages)


def test_the_prompt_is_the_papers_with_the_data_in_it(golden):
    tables = {"song, contest": {"artist": ["Ada, B.", "Cé"], "points": [118, None]}}
    system, human = solver(tables).prompt(task(tables, tries=(Try(code="x", error="no x"),)))
    golden("prompt_pot.txt", f"{system}\n\n=== human\n\n{human}\n")


@pytest.mark.parametrize("level", ["schema", "statistics"])
def test_below_samples_there_is_no_prompt(level):
    tables = {"t": {"artist": ["Ada"]}}
    with pytest.raises(PrivacyError, match="the data of the tables"):
        solver(tables, level).prompt(task(tables))


@pytest.mark.parametrize(
    "tables",
    [
        {"t": {"text": ["word " * 40] * 3000}},
        {"t": {f"column number {n} of many": [n] for n in range(2000)}},
        {f"t{n}": {"text": ['ü\n"' * 60] * 300} for n in range(6)},
        {"t": {"text": ["x" * 100_000]}},
    ],
)
def test_data_gives_way_where_there_is_no_room(tables):
    messages = solver(tables).prompt(task(tables))
    assert size(messages) <= CHARACTERS
    assert "Which artist leads?" in messages[1]
    assert "def solver():" in messages[1]


def test_rows_that_are_not_shown_are_told():
    tables = {"t": {"text": ["word " * 40] * 300}}
    human = solver(tables).prompt(task(tables))[1]
    shown = human.count("\nword")
    assert "df (300 rows)" in human
    assert f"(only the first {shown} rows are shown)" in human
    assert 0 < shown < 300


def test_a_reply_without_the_function_is_told():
    one = solver({"t": {"points": [1]}})
    assert one.read_reply(PROGRAM).endswith("\n\nresult = solver()")
    with pytest.raises(ActionError, match=r"defines no function solver\(\)"):
        one.read_reply("[PYTHON]\nresult = 1\n[/PYTHON]")


@pytest.fixture
def contest(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"artist": ["Ada", "Cé"], "points": [118, 79]}).to_csv("c.csv", index=False)


def test_the_strategy_shows_the_data_and_runs_the_program(contest):
    model = Script(programs={"T1": [PROGRAM]})
    settings = {"strategy": "pot", "privacy": "samples", "sandbox": "unwalled"}
    result = wl.ask("What is half of all points?", "c.csv", model=model, **settings)
    assert (result.status, result.value) == ("answered", 98.5)
    assert [node.action.name for node in result.tree.nodes] == ["Load", "Craft"]
    assert "Ada,118" in model.prompts[0]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"privacy": "schema"}, "only privacy 'samples' lets out"),
        ({"privacy": "samples", "craft": "off"}, "craft='off' forbids"),
        ({"privacy": "samples", "model": None}, "needs a model"),
    ],
)
def test_settings_that_do_not_fit_are_told(contest, settings, said):
    asked = {"model": Script(programs={"T1": [PROGRAM]}), **settings}
    with pytest.raises(SettingsError, match=said):
        wl.ask("What is half?", "c.csv", strategy="pot", **asked)
