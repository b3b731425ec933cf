"""Knowledge graphs through every door: library, shell, served graphs, tools, replay, drawings."""

import json

import pandas as pd
import pytest

import wideleaf as wl
from wideleaf.graph.app import build_graph
from wideleaf.graph.context import Context
from wideleaf.graph.serving.sources import source_within
from wideleaf.graph.shell.shell import main

FACTS = [
    ("Kestrel Mill", "stands_at", "Otter Brook"),
    ("Heron Mill", "stands_at", "Otter Brook"),
    ("Dipper Mill", "stands_at", "Alder"),
    ("Kestrel Mill", "miller", "Ida Roth"),
    ("Heron Mill", "miller", "Ivo Roth"),
    ("Dipper Mill", "miller", "Ada Lund"),
    ("Otter Brook", "flows_into", "Alder"),
]
FLOODS = pd.DataFrame({"brook": ["OTTER BROOK", "Alder"], "year": [1810, 1825]})
QUESTION = "Who are the millers of the mills at the brook that flows into the Alder?"
MOVES = [
    ("The brook.", "Get", {"graph": "kb", "relation": "flows_into", "tail": "Alder"}),
    ("Its mills.", "Get", {"graph": "kb", "relation": "stands_at", "tails": "T1"}),
    ("Their millers.", "Get", {"graph": "kb", "relation": "miller", "heads": "T2"}),
    ("Done.", "Finish", {"table": "T3"}),
]
MILLERS = ["Ida Roth", "Ivo Roth"]


@pytest.fixture
def kb(tmp_path):
    path = tmp_path / "kb.tsv"
    path.write_text("".join("\t".join(fact) + "\n" for fact in FACTS))
    return path


@pytest.fixture
def settings(tmp_path):
    return {"folder": str(tmp_path / "w"), "second_opinion": False}


def answer(result):
    return result.frame[result.frame.columns[-1]].tolist()


@pytest.mark.parametrize("privacy", ["schema", "statistics", "samples"])
def test_the_library_asks_a_graph(kb, settings, privacy):
    model = wl.Script(MOVES)
    result = wl.ask(QUESTION, f"graph:{kb}", model=model, privacy=privacy, **settings)
    assert answer(result) == MILLERS
    assert "stands_at" in model.prompts[0]
    told = "\n".join(model.prompts)
    assert any(cell in told for cell in ("Ida Roth", "Heron Mill")) == (privacy == "samples")
    assert "heads=T2" in str(result)
    text = 'Get(relation="miller", heads=T2)'
    assert text in str(result.plan)
    assert "heads=T2" in model.prompts[3]


def test_a_table_and_a_graph_stand_in_one_question(kb, settings):
    moves = [
        ("Flooded.", "Get", {"graph": "floods", "relation": "brook", "key": "year", "value": 1810}),
        ("Its mills.", "Get", {"graph": "kb", "relation": "stands_at", "tails": "T1"}),
        ("Done.", "Finish", {"table": "T2"}),
    ]
    sources = [{"floods": FLOODS}, wl.KnowledgeGraph(kb)]
    result = wl.ask("Which mills stood at the brook flooded in 1810?", *sources,
                    model=wl.Script(moves), **settings)  # fmt: skip
    assert answer(result) == ["Heron Mill", "Kestrel Mill"]  # whatever case the table writes


def test_a_temporal_graph_is_asked(settings):
    facts = [("Ida Roth", "miller of", "Heron Mill", 1803, 1811),
             ("Ivo Roth", "miller of", "Heron Mill", 1812, 1830)]  # fmt: skip
    moves = [
        ("Then.", "Get", {"graph": "graph", "relation": "miller of", "tail": "Heron Mill",
                          "key": "time", "value": 1812}),
        ("Done.", "Finish", {"table": "T1"}),
    ]  # fmt: skip
    frame = pd.DataFrame(facts, columns=["head", "relation", "tail", "start", "end"])
    result = wl.ask("Who was miller of Heron Mill in 1812?", graph=frame,
                    model=wl.Script(moves), **settings)  # fmt: skip
    assert result.value == "Ivo Roth"


def test_a_plan_is_replayed_on_another_graph(kb, settings, tmp_path):
    result = wl.ask(QUESTION, f"graph:{kb}", model=wl.Script(MOVES), **settings)
    other = tmp_path / "other.tsv"
    other.write_text(kb.read_text() + "Wren Mill\tstands_at\tOtter Brook\nWren Mill\tminer\tx\n")
    with other.open("a") as file:
        file.write("Wren Mill\tmiller\tBo Dahl\n")
    result.plan.save(tmp_path / "plan.json")
    for source in (f"graph:{other}", wl.KnowledgeGraph(other)):
        again = wl.replay(tmp_path / "plan.json", {"kb": source}, folder=settings["folder"])
        assert answer(again) == ["Bo Dahl", *MILLERS]


def test_the_graph_of_other_stacks_asks_one(kb, settings):
    context = Context.of_code(sources=(f"graph:{kb}",), chat_model=wl.Script(MOVES), **settings)
    state = build_graph().invoke({"question": QUESTION}, context=context)
    assert state["status"] == "answered"
    assert state["table"]["rows"] == [[name] for name in MILLERS]


def test_a_relation_that_does_not_exist_keeps_the_tree(kb, settings):
    moves = [("Try.", "Get", {"graph": "kb", "relation": "milers", "head": "Heron Mill"}), *MOVES]
    moves[2] = ("Its mills.", "Get", {"graph": "kb", "relation": "stands_at", "tails": "T2"})
    moves[3] = ("Their millers.", "Get", {"graph": "kb", "relation": "miller", "heads": "T3"})
    moves[4] = ("Done.", "Finish", {"table": "T4"})
    result = wl.ask(QUESTION, f"graph:{kb}", model=wl.Script(moves), **settings)
    assert "no relation 'milers'; the nearest of 3 are 'miller'" in result.tree["T1"].error
    assert answer(result) == MILLERS


def test_the_shell_asks_a_graph(kb, settings, capsys):
    code = main(["ask", QUESTION, f"graph:{kb}", "--dry-run", "--folder", settings["folder"]])
    assert code == 0
    assert "knowledge graph of 7 facts; 3 relations" in capsys.readouterr().out


def test_the_shell_tells_a_missing_graph(settings, capsys):
    code = main(["ask", QUESTION, "graph:none.tsv", "--folder", settings["folder"]])
    assert code == 3
    assert "no file 'none.tsv' for a graph" in capsys.readouterr().err


def test_the_columns_of_a_graph_are_its_relations(kb, settings):
    found = wl.columns("Who is the miller?", f"graph:{kb}", folder=settings["folder"])
    assert found.columns == {"kb": 3}
    assert "miller (entity)" in found.text


def test_a_dictionary_says_what_relations_mean(kb, settings, tmp_path):
    dictionary = tmp_path / "means.json"
    dictionary.write_text(json.dumps({"miller": "who works the mill"}))
    found = wl.columns("Who?", f"graph:{kb}", dictionary=str(dictionary), folder=settings["folder"])
    assert "who works the mill" in found.text


def test_a_client_names_graphs_of_the_owners_folders_alone(kb, tmp_path):
    assert source_within(f"graph:{kb}", (), [str(tmp_path)]) == f"graph:{kb}"
    assert source_within(f"mills=graph:{kb.name}", (), [str(tmp_path)]) == f"mills=graph:{kb}"
    assert source_within("graph:/etc/passwd", (), [str(tmp_path)]) is None
    assert source_within("graph:../../etc/passwd", (), [str(tmp_path)]) is None


def test_of_many_relations_those_around_what_is_named_are_shown(settings):
    letters = [f"{chr(97 + n // 26)}{chr(97 + n % 26)}ness" for n in range(300)]
    facts = [(f"Owl {n}", name, f"Value {n}") for n, name in enumerate(letters)]
    facts += [("Heron Mill", "worked by", "Ivo Roth"), ("Ivo Roth", "wedded", "Ada Lund")]
    frame = pd.DataFrame(facts, columns=["head", "relation", "tail"])
    model = wl.Script([("Done.", "Finish", {"table": "graph"})])
    wl.ask("Whom did the one at Heron Mill marry?", graph=frame, model=model, **settings)
    shown = model.prompts[0]
    assert "302 facts; 302 relations" in shown
    assert "worked by" in shown
    assert "wedded" in shown
    assert "Ivo Roth" not in shown
    assert "FindColumns looks for those not shown" in shown
