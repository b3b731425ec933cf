"""A plan over a knowledge graph: kept, replayed on the same and on new facts, and exported."""

import json
import runpy
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import wideleaf as wl
from wideleaf.agents.models.script import Script
from wideleaf.graph.replays.replay import replay
from wideleaf.tools.errors import SourceError

FACTS = [
    ("Heron Mill", "stands at", "Otter Brook"),
    ("Kestrel Mill", "stands at", "otter brook"),
    ("Dipper Mill", "stands at", "Alder"),
    ("Heron Mill", "wheels", "2"),
    ("Kestrel Mill", "wheels", "3"),
    ("Dipper Mill", "wheels", "2"),
]
AT = {"graph": "kb", "relation": "stands at", "tail": "Otter Brook"}
MOVES = [
    ("", "Get", AT),
    ("", "Get", {"graph": "kb", "relation": "wheels", "heads": "T1"}),
    ("", "Aggregate", {"table": "T2", "measures": [{"function": "sum", "column": "wheels"}]}),
]


def write_tsv(path: Path, facts: list[tuple[str, str, str]]) -> str:
    path.write_text("".join("\t".join(fact) + "\n" for fact in facts), encoding="utf-8")
    return str(path)


@pytest.fixture
def kb(tmp_path: Path) -> str:
    return write_tsv(tmp_path / "kb.tsv", FACTS)


def ask(source: Any, folder: Path, moves: Any = MOVES) -> wl.Result:
    ending = [("", "Finish", {"table": f"T{len(moves)}"})] * 2
    return wl.ask("How many?", source, model=Script([*moves, *ending]), folder=str(folder))


def test_a_plan_needs_the_columns_of_facts_and_gives_the_same_ids_again(
    kb: str, tmp_path: Path
) -> None:
    result = ask(f"graph:{kb}", tmp_path / "w")
    assert result.value == 2  # the brook in small letters is another cell
    assert list(result.plan.leaves[0].columns) == ["head", "relation", "tail"]
    saved = result.plan.save(tmp_path / "plan.json")
    assert wl.Plan.load(saved) == result.plan
    for given in (f"graph:{kb}", {"kb": wl.KnowledgeGraph(kb)}):
        made = replay(saved, given, folder=tmp_path / "again")
        assert made.value == 2
        assert not any("new data" in caveat for caveat in made.caveats)
        assert [n.id for n in made.tree.nodes] == [n.id for n in result.tree.plan(result.label)]


def test_a_literal_and_a_relation_that_are_gone_are_caveats(kb: str, tmp_path: Path) -> None:
    plan = ask(f"graph:{kb}", tmp_path / "w").plan
    moved = [(head, relation, tail.lower()) for head, relation, tail in FACTS]
    made = replay(plan, {"kb": wl.KnowledgeGraph(write_tsv(tmp_path / "a.tsv", moved))},
                  folder=tmp_path / "again")  # fmt: skip
    told = "no tail of 'stands at' is 'Otter Brook' in the new data; 2 differ from it in case"
    assert any(told in caveat for caveat in made.caveats)
    assert any("T1 (Get) leaves no row" in caveat for caveat in made.caveats)
    bare = [fact for fact in FACTS if fact[1] == "stands at"]
    made = replay(plan, {"kb": wl.KnowledgeGraph(write_tsv(tmp_path / "b.tsv", bare))},
                  folder=tmp_path / "again")  # fmt: skip
    assert "T2: there is no relation 'wheels' in the new data" in made.caveats


def test_a_table_that_is_no_graph_is_refused_by_the_columns_it_lacks(
    kb: str, tmp_path: Path
) -> None:
    plan = ask(f"graph:{kb}", tmp_path / "w").plan
    with pytest.raises(SourceError, match="lacks 2 of the 3 columns"):
        replay(plan, {"kb": pd.DataFrame({"head": ["x"], "other": [1]})}, folder=tmp_path / "again")


def test_new_facts_give_what_the_same_questions_give_there(kb: str, tmp_path: Path) -> None:
    plan = ask(f"graph:{kb}", tmp_path / "w").plan
    new = [*FACTS, ("Wren Mill", "stands at", "Otter Brook"), ("Wren Mill", "wheels", "1.5")]
    graph = {"kb": wl.KnowledgeGraph(write_tsv(tmp_path / "new.tsv", new))}
    assert replay(plan, graph, folder=tmp_path / "again").value == 3.5
    assert ask(graph, tmp_path / "fresh").value == 3.5


def test_script_and_notebook_read_the_facts_and_the_query_names_them(
    kb: str, tmp_path: Path
) -> None:
    result = ask(f"graph:{kb}", tmp_path / "w")
    script = tmp_path / "script.py"
    script.write_text(result.to_pandas(), encoding="utf-8")
    assert runpy.run_path(str(script))["answer"]["sum_wheels"].tolist() == [2]
    notebook = json.loads(result.to_notebook(tmp_path / "n.ipynb").read_text(encoding="utf-8"))
    space: dict[str, Any] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), space)
    assert space["answer"]["sum_wheels"].tolist() == [2]
    assert 'FROM "kb"' in result.to_sql()


def test_places_of_rows_in_no_order_are_refused(tmp_path: Path) -> None:
    songs = pd.DataFrame({"artist": ["A", "B"], "points": [1, 2]})
    joined = ("", "Join", {"left": "songs", "right": "other", "on": ["artist"]})
    moves = [joined, ("", "Get", {"graph": "T1", "relation": "points"})]
    model = Script([*moves, *[("", "Finish", {"table": "T1"})] * 3])
    sources = {"songs": songs, "other": songs[["artist"]]}
    result = wl.ask("How many?", sources, model=model, folder=str(tmp_path / "w"))
    assert "rows of a Join stand in no order" in result.tree["T2"].error
