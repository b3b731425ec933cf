"""Ablations: what is left out is left out of every request, and reports name it."""

import json
import re

import pandas as pd
import pytest
from voters import PERTH, QUESTION, ROMA, SITES, voters

import wideleaf as wl
from wideleaf.agents.models.script import Script
from wideleaf.tools.errors import SettingsError
from wideleaf_evaluation.answers import answer_item
from wideleaf_evaluation.comparison.evaluations import Evaluation
from wideleaf_evaluation.evaluation import evaluate
from wideleaf_evaluation.item import Item
from wideleaf_evaluation.rows import EvalRow, settings_of
from wideleaf_evaluation.sets import load_set

MEAN = {"function": "mean", "column": "grain yield"}
MOVES = [
    ("Look.", "Select", {"table": "trials", "columns": ["grain yield"]}),
    ("Mean.", "Aggregate", {"table": "T1", "measures": [MEAN]}),
    ("Done.", "Finish", {"table": "T2"}),
]


@pytest.fixture
def trials(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame({"site": ["Roma", "Perth"], "grain yield": [2.0, 4.0]})
    frame.to_csv("trials.csv", index=False)
    return tmp_path


def test_without_the_schema_a_model_hears_the_names_of_tables_alone(trials):
    model = Script(MOVES)
    result = wl.ask("What is the mean?", "trials.csv", model=model, without=["schema"])
    assert result.value == 3
    first, second, *_ = model.prompts
    assert "trials (their columns are not shown)" in first
    assert "grain yield" not in first
    assert "site" not in first
    assert "grain yield" in second  # a step's own frame is seen, as by TSO-
    with_schema = Script(MOVES)
    wl.ask("What is the mean?", "trials.csv", model=with_schema)
    assert "grain yield" in with_schema.prompts[0]


@pytest.mark.parametrize(
    "settings", [{}, {"model": Script(MOVES), "strategy": "pandas"}], ids=["no model", "pandas"]
)
def test_the_schema_can_be_left_out_of_the_tree_alone(trials, settings):
    with pytest.raises(SettingsError, match="'schema' can be left out"):
        wl.ask("What is the mean?", "trials.csv", without=["schema"], **settings)


def test_a_row_of_an_evaluation_holds_each_sample(tmp_path):
    SITES.to_csv(tmp_path / "sites.csv", index=False)
    item = Item(
        id="0", set="plain", question=QUESTION, sources=(str(tmp_path / "sites.csv"),),
        gold=[["Roma"]],
    )  # fmt: skip
    settings = settings_of(folder="f", set="plain", strategy="vote", samples=3, vote_early=False)
    row = answer_item(item, settings, tmp_path / "w", voters(ROMA, PERTH, PERTH))
    assert (row.right, row.cells) == (False, ("Perth",))
    assert [(s.cells, s.votes, s.crafted, s.strategy, s.status) for s in row.samples] == [
        (("Roma",), 1, False, "auto", "answered"),
        (("Perth",), 2, False, "auto", "answered"),
        (("Perth",), 2, False, "auto", "answered"),
    ]
    assert [set(sample.scores.values()) for sample in row.samples] == [{1.0}, {0.0}, {0.0}]
    assert EvalRow.model_validate_json(row.model_dump_json()) == row


@pytest.mark.sandbox
def test_of_a_vote_the_samples_that_called_for_a_function_are_scored_alone(tmp_path):
    SITES.to_csv(tmp_path / "sites.csv", index=False)
    crafted = [
        ("Mine.", "Craft", {"task": "the site with the most", "tables": ["sites"]}),
        ("Done.", "Finish", {"table": "T1", "note": "so"}),
    ]
    best = "def best(sites):\n    return sites.nlargest(1, 'yield_t')[['site']]"
    worst = best.replace("nlargest", "nsmallest")
    model = voters(
        ROMA, crafted, ROMA, crafted, crafted, programs={"T1": ["", best, "", *[worst] * 2]}
    )
    item = Item("0", QUESTION, (str(tmp_path / "sites.csv"),), [["Roma"]])
    settings = settings_of(
        folder="f", set="plain", strategy="vote", vote_early=False, sandbox="unwalled"
    )
    row = answer_item(item, settings, tmp_path / "w", model)
    assert [sample.crafted for sample in row.samples] == [False, True, False, True, True]
    assert row.calling["denotation"] == 1.0  # of three, two say Roma
    assert row.right  # of five, four do
    wrong = item._replace(gold=[["Perth"]])
    assert answer_item(wrong, settings, tmp_path / "w", model).calling["denotation"] == 0.0


def test_an_evaluation_keeps_what_was_left_out(trials):
    told = {"id": "1", "question": "What is the mean?", "table": "trials.csv", "answer": 3}
    (trials / "questions.jsonl").write_text(json.dumps(told))
    settings = settings_of(folder=str(trials), set="plain", without=["schema"], craft="off")
    model = Script(MOVES)
    (row,) = evaluate(load_set(trials), settings, "out", model=model)
    assert (row.right, row.plan_steps, row.calling) == (True, 2, {})
    assert "Craft" not in model.prompts[0]
    kept = json.loads((trials / "out/settings.json").read_text())
    assert (kept["without"], kept["craft"]) == (["schema"], "off")
    evaluate(load_set(trials), settings, "out", model=model)  # it goes on


@pytest.mark.parametrize("role", ["selector", "describer", "critic", "writer"])
def test_a_set_is_run_with_a_role_by_a_model_and_rows_and_names_tell_it(trials, role):
    replies = {
        "You select": '{"relevant": [2]}',
        "You describe": '{"descriptions": {"T1": "Yields.", "T2": "Their mean."}}',
        "You check": '{"objections": []}',
        "You word": '{"answer": "It is {mean of grain yield}."}',
    }

    def reply(messages):
        system, human = messages[0].text, messages[-1].text
        known = [said for start, said in replies.items() if system.startswith(start)]
        step = re.search(r"^Step (\d+) of", human, re.M)
        return known[0] if known else MOVES[int(step[1]) - 1]

    requests = {}
    for asker in ("rules", "model"):
        given = settings_of(folder="set", set="plain", **{role: asker})
        item = Item("1", "What is the mean grain yield?", ("trials.csv",), [[3]])
        row = answer_item(item, given, f"frames-{asker}", Script(policy=reply))
        requests[asker] = row.requests
        made = Evaluation("runs", given, (row,))
        assert (f"{role} by a model" in made.method) == (asker == "model")
    assert requests["rules"] < requests["model"]
