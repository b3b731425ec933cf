"""Questions over graphs without a model: paths, conditions, times, counts, orders, and refusals."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from word_embedder import WordEmbedder

import wideleaf as wl
from wideleaf.agents.planner.paths.proposals import candidates, propose_paths
from wideleaf.agents.planner.paths.reading import Reading
from wideleaf.agents.planner.paths.relation_words import RelationWords
from wideleaf.agents.planner.paths.steps import plan_form
from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.knowledge.fact_index import Step, fold_name, index_facts
from wideleaf.tools.sources.graphs.handle import KnowledgeGraph
from wideleaf.tools.sources.opening import open_catalog

SHIPS = [
    ("Aurora", "built_by", "Hallgren Yard"),
    ("Aurora", "captained_by", "Mira Voss"),
    ("Aurora", "home_port", "Lindhaven"),
    ("Aurora", "length", "84"),
    ("Borealis", "built_by", "Hallgren Yard"),
    ("Borealis", "captained_by", "Tomas Reed"),
    ("Borealis", "home_port", "Oxmouth"),
    ("Borealis", "length", "120"),
    ("Calypso", "built_by", "Denby & Sons"),
    ("Calypso", "captained_by", "Mira Voss"),
    ("Calypso", "home_port", "Lindhaven"),
    ("Calypso", "length", "61"),
    ("Hallgren Yard", "town", "Lindhaven"),
    ("Denby & Sons", "town", "Oxmouth"),
    ("Lindhaven", "country", "Norland"),
    ("Oxmouth", "country", "Westmark"),
    ("Lindhaven", "ferry_to", "Oxmouth"),
    ("Oxmouth", "ferry_to", "Lindhaven"),
]
KEEPERS = [
    ("Ada Holm", "keeper of", "Gull Light", 1901, 1909),
    ("Bo Lund", "keeper of", "Gull Light", 1910, 1924),
    ("Cy Moe", "keeper of", "Gull Light", 1925, 1940),
    ("Bo Lund", "keeper of", "Seal Light", 1925, 1931),
    ("Dot Ray", "keeper of", "Seal Light", 1932, None),
    ("Ada Holm", "award received", "Silver Lamp", 1905, 1905),
    ("Ada Holm", "award received", "Golden Lamp", 1908, 1908),
    ("Great Storm", "event at", "Gull Light", 1912, 1912),
]
COLUMNS = ["head", "relation", "tail", "start", "end"]


def open_graph(folder, facts):
    frame = pd.DataFrame(facts, columns=COLUMNS[: len(facts[0])])
    return open_catalog({"kb": KnowledgeGraph(frame)}, folder).table("kb")


@pytest.fixture
def ships(tmp_path):
    return open_graph(tmp_path, SHIPS)


@pytest.fixture
def keepers(tmp_path):
    return open_graph(tmp_path, KEEPERS)


def run(steps, graph, kept=None):
    """The frame of the last step of a plan, carried out by the actions themselves.

    Args:
        steps: The plan.
        graph: What it is carried out on.
        kept: What other plans over the graph made, by all the steps that led to it.
    """
    kept = {} if kept is None else kept
    frames = {"kb": graph}
    for place, step in enumerate(steps):
        way = repr(steps[: place + 1])
        if way not in kept:
            action = find_action(step.name)
            arguments = dict(step.arguments)
            inputs = [frames[arguments.pop(name)] for name in action.inputs]
            for name in action.optional:
                if label := arguments.pop(name, None):
                    arguments[name] = len(inputs)
                    inputs.append(frames[label])
            kept[way] = action.model_validate(arguments).resolve(*inputs).run(*inputs)
        frames[f"${place}"] = made = kept[way]
    return [str(next(iter(row.values()))) for row in made.rows(100)]


def answer(question, graph):
    """What the best plan gives, by its steps; None where there is none."""
    found = propose_paths(question, {"kb": graph}, WordEmbedder())
    return sorted(run(found.plans[0].steps, graph)) if found.plans else None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("what is the home port of the Aurora?", ["Lindhaven"]),
        ("what is the Borealis's length?", ["120"]),
        ("which ships were built by Hallgren Yard?", ["Aurora", "Borealis"]),
        ("which country is the home port of the Borealis in?", ["Westmark"]),
        ("what is the country of the town of the yard the Calypso was built by?", ["Westmark"]),
        ("which other ships were captained by the captain of the Aurora?", ["Calypso"]),
        ("how many ships have the home port Lindhaven?", ["2"]),
        ("what is captained by Mira Voss and built by Denby & Sons?", ["Calypso"]),
        ("what has a ferry to Oxmouth?", ["Lindhaven"]),
    ],
)
def test_triples_are_followed_along_and_against_their_relations(ships, question, expected):
    assert answer(question, ships) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("what has the highest length?", ["Borealis"]),
        ("what has the lowest length?", ["Calypso"]),
        ("who captained the most ships?", ["Mira Voss"]),
    ],
)
def test_the_first_by_a_number_or_a_count(ships, question, expected):
    assert answer(question, ships) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("who was the keeper of Gull Light in 1915?", ["Bo Lund"]),
        ("who was the first keeper of Gull Light?", ["Ada Holm"]),
        ("who was the last keeper of Gull Light?", ["Cy Moe"]),
        ("who was the keeper of Gull Light before Bo Lund?", ["Ada Holm"]),
        ("who was the keeper of Gull Light after Bo Lund?", ["Cy Moe"]),
        ("who was the keeper of Gull Light during the Great Storm?", ["Bo Lund"]),
        ("when did Bo Lund become keeper of Seal Light?", ["1925"]),
        ("when did Bo Lund stop being keeper of Gull Light?", ["1924"]),
        ("what was the last award that Ada Holm received?", ["Golden Lamp"]),
        ("which award did Ada Holm receive in 1905?", ["Silver Lamp"]),
    ],
)
def test_times_of_facts_are_conditions_and_answers(keepers, question, expected):
    assert answer(question, keepers) == expected


QUESTIONS = [
    "which other ships were captained by the captain of the Aurora?",
    "how many ships have the home port Lindhaven and were built by Hallgren Yard?",
    "which ship has the highest length of those built by Hallgren Yard?",
    "who captained the most ships?",
    "what country is the town of the yard in that built the Calypso?",
]
TIMED = [
    "who was the keeper of Gull Light before Bo Lund?",
    "who was the first keeper of Gull Light after 1905?",
    "who was the last keeper of Gull Light during the Great Storm?",
    "when was Bo Lund first keeper of Seal Light?",
    "how many keepers did Seal Light have after 1926?",
    "when did Dot Ray end as keeper of Seal Light?",
    "what did Ada Holm receive until 1907?",
]


@pytest.mark.parametrize(
    ("facts", "question"), [(SHIPS, q) for q in QUESTIONS] + [(KEEPERS, q) for q in TIMED]
)
def test_a_plan_gives_what_its_form_gave(tmp_path, facts, question):
    """Every form, likely or not: its steps are the same question to the actions."""
    graph = open_graph(tmp_path, facts)
    index = index_facts(graph)
    words = RelationWords(index, WordEmbedder())
    ranked, _ = candidates(Reading(question), index, words)
    assert len(ranked) > 5
    kept = {}
    for one in ranked:
        steps = plan_form(one.form, "kb", index).steps
        expected = {str(text) for text in one.outcome.answers(index)}
        assert set(run(steps, graph, kept)) == expected, (one.form, steps)


def test_paths_go_round_a_cycle_and_end(ships):
    index = index_facts(ships)
    way = np.array(index.by_name["lindhaven"])
    for _ in range(3):
        way = index.follow(way, Step("ferry_to"))
    assert [index.names[node] for node in way] == ["Oxmouth"]
    assert answer("what does Lindhaven have a ferry to?", ships) == ["Oxmouth"]


def test_a_question_that_names_nothing_has_no_plan_and_says_its_words(ships):
    found = propose_paths("who painted the Mona Lisa?", {"kb": ships}, WordEmbedder())
    assert not found.plans
    assert "'mona'" in found.missing
    assert "names no node" in found.understood


def test_words_without_a_relation_are_told_and_make_it_unsure(ships):
    found = propose_paths("what is the favourite colour of Mira Voss?", {"kb": ships})
    best = found.plans[0]
    assert best.confidence < 0.5
    assert {"favourite", "colour"} & {*best.unused}
    assert best.remarks[0].startswith("Not used: ")


def test_answers_that_are_as_likely_are_all_told(tmp_path):
    facts = [*SHIPS, ("Dorado", "captained_by", "Tomas Reed")]
    assert answer("who captained the most ships?", open_graph(tmp_path, facts)) == [
        "Mira Voss",
        "Tomas Reed",
    ]


def test_names_are_told_apart_by_their_case(tmp_path):
    facts = [
        ("Salt", "written_by", "Ana Fell"),
        ("Tide", "written_by", "Ben Orr"),
        ("Salt", "tagged", "tide"),
    ]
    graph = open_graph(tmp_path, facts)
    assert answer("who was Tide written by?", graph) == ["Ben Orr"]
    assert answer("what is tagged tide?", graph) == ["Salt"]


def test_names_fold_accents_and_marks():
    assert fold_name("Łódź–Çelik_(film)") == "łodz celik film"
    assert fold_name("  ") == ""


def test_the_planner_answers_over_a_graph_end_to_end(tmp_path):
    path = tmp_path / "ships.tsv"
    path.write_text("".join("\t".join(fact) + "\n" for fact in SHIPS))
    ask = {"folder": str(tmp_path / "w"), "retriever": "words"}
    result = wl.ask("which country is the home port of the Borealis in?", f"graph:{path}", **ask)
    assert result.value == "Westmark"
    assert [node.action.name for node in result.tree.nodes if node.parents] == ["Get", "Get"]
    assert result.confidence > 0
    refused = wl.ask("who painted the Mona Lisa?", f"graph:{path}", **ask)
    assert refused.status != "answered"
    assert "mona" in refused.answer
