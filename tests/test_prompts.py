"""The prompts: pinned word for word, and bounded however wide the table and long the run."""

import json

import pandas as pd
import pytest
from grown import long

from wideleaf.agents.gateway import Gateway
from wideleaf.agents.script import Script
from wideleaf.agents.signatures import signatures
from wideleaf.agents.supervisor import Supervisor
from wideleaf.agents.toolbox import tools_for
from wideleaf.agents.view import View
from wideleaf.graph.run import ask
from wideleaf.graph.selection import COLUMNS_CHARACTERS
from wideleaf.prompts import render
from wideleaf.tools.privacy import LEVELS, Policy

CHARACTERS_A_TOKEN = 4
MOST_TOKENS = 4000


@pytest.mark.parametrize("level", LEVELS)
def test_the_prompt_of_a_turn_is_its_golden_file(golden, tmp_path, level):
    trials = pd.DataFrame({"site": list("abc") * 10, "yield": [float(n) for n in range(30)]})
    where = [{"column": "site", "op": "==", "value": "A"}]
    moves = [
        ("Only a.", "Filter", {"table": "trials", "where": where}),
        ("Wrong.", "Select", {"table": "T1", "columns": ["town"]}),
        ("Back.", "Backtrack", {"to": "trials", "reason": "b was meant"}),
        ("Done.", "Finish", {"table": "T1"}),
    ]
    model = Script(moves)
    ask("How many?", {"trials": trials}, model=model, privacy=level, folder=str(tmp_path))
    golden(f"prompt_{level}.txt", model.prompts[3])


def test_the_text_form_is_its_golden_file(golden):
    golden("prompt_text_form.txt", render("text_form", tools=signatures(tools_for("", long(1)))))


def compact(tools):
    """The tools as they are sent: JSON without blanks."""
    return json.dumps(tools, separators=(",", ":"))


def wide_table():
    stems = [f"SatDom_{a}{b}_index_{c}" for a in "ABCDEFGH" for b in "xyz" for c in "pq"]
    names = [f"{stem}_{day}" for stem in stems for day in range(90)]
    names += [f"{'long_' * 30}{n}_{'abcdefgh'[n % 8] * (n % 40)}" for n in range(600)]
    cells = {name: [1.0, 2.0] for name in dict.fromkeys(names)}
    return pd.DataFrame(cells | {"site": ["a", "b"]})


@pytest.mark.parametrize("text", [False, True])
def test_no_request_passes_four_thousand_tokens_on_a_wide_table(tmp_path, text):
    total = {"row": "sum", "columns": ["SatDom_*"]}
    moves = [
        ("Think. " * 60, "Derive", {"table": "wide", "name": f"x{n}" * 20, "expression": total})
        for n in range(12)
    ]
    moves.append(("Done.", "Finish", {"table": "T1"}))
    model = Script(moves, text=text)
    question = "Which long SatDom index abcdefgh of p or q has the largest sum at a site? " * 4
    ask(question, {"wide": wide_table()}, model=model, folder=str(tmp_path))
    tools = 0 if text else len(compact(tools_for(question, long(1))))
    largest = max(len(prompt) for prompt in model.prompts) + tools
    assert largest / CHARACTERS_A_TOKEN < MOST_TOKENS


def test_no_request_passes_four_thousand_tokens_in_a_long_run():
    supervisor = Supervisor(Gateway(Script(), Policy()))
    shown = "c" * COLUMNS_CHARACTERS
    view = View(question="Which? " * 30, tree=long(200), columns=shown, notes=("n" * 300,))
    tools = compact(tools_for(view.question, view.tree))
    size = sum(map(len, supervisor.prompt(view))) + len(tools)
    assert size / CHARACTERS_A_TOKEN < MOST_TOKENS
