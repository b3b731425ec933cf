"""The facts and rows behind what a Get gave: the plan run on them alone makes the cell again."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from action_examples import FACTS, GETS

from wideleaf.tools.privacy import Policy
from wideleaf.tools.provenance.provenance import Trace, trace_cell
from wideleaf.tools.sources.graphs.handle import KnowledgeGraph
from wideleaf.tools.sources.opening import open_catalog
from wideleaf.tools.steps.step import Wish, perform
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree

NAMES = ("kb", "first", "second")


class Run:
    """A tree over graphs and tables that grows by one action a call."""

    def __init__(self, folder: Path, engine: str, frames: dict[str, pl.DataFrame]) -> None:
        sources = {
            name: KnowledgeGraph(frame) if "head" in frame.columns else frame
            for name, frame in frames.items()
        }
        self.store = FrameStore(folder, open_catalog(sources, folder, engine=engine))
        self.tree = FrameTree()
        for name in frames:
            self.do(name, "Load", {"source": name})

    def do(self, label: str, name: str, arguments: dict[str, Any], *parents: str) -> str:
        given = [(parent, self.tree[parent].id) for parent in parents]
        wish = Wish(Call(name=name, arguments=arguments), label, given)
        node = perform(wish, self.store, Policy(level="samples"))
        assert node.outcome == "ok", node.error
        self.tree = self.tree.grow(node)
        return label

    def trace(self, label: str, row: int = 0) -> Trace:
        return trace_cell(self.tree, label, self.store, row)

    def rows(self, label: str) -> list[dict[str, Any]]:
        return self.store.get(self.tree[label].id).rows(100)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("place", range(len(GETS)))
def test_each_row_of_each_example_is_made_again_of_the_rows_behind_it(
    place: int, engine: str, tmp_path: Path
) -> None:
    given, arguments = GETS[place]
    frames = dict(zip(NAMES, given, strict=False))
    run = Run(tmp_path, engine, frames)
    run.do("T1", "Get", arguments, *frames)
    rows = run.rows("T1")
    each = range(len(rows))
    for number in each if engine == "polars" else each[-1:]:
        trace = run.trace("T1", number)
        assert trace.reproduced, (arguments, rows[number], str(trace))
        assert trace.leaves[0].total >= 1


def test_a_fact_is_behind_and_its_neighbours_are_not(tmp_path: Path) -> None:
    run = Run(tmp_path, "polars", {"kb": FACTS.drop_nulls()})
    facts = {number: tuple(row.values()) for number, row in enumerate(run.rows("kb"))}

    def behind(label: str) -> list[tuple[Any, ...]]:
        return [facts[number] for number in run.trace(label).leaves[0].rows]

    run.do("T1", "Get", {"relation": "born in", "tail": "Åbo"}, "kb")
    assert behind("T1") == [("Bo", "born in", "Åbo")]
    run.do("T2", "Get", {"relation": "knows", "heads": 1}, "kb", "T1")
    assert behind("T2") == [("Bo", "born in", "Åbo"), ("Bo", "knows", "Ada")]
    run.do("T3", "Get", {"relation": "born in", "key": "rain", "head": "Bo"}, "kb")
    assert behind("T3") == [("Bo", "born in", "Åbo"), ("Åbo", "rain", "700")]
    run.do("T4", "Get", {"relation": "born in", "key": "knows", "value": "Ada"}, "kb")
    assert behind("T4") == [("Bo", "born in", "Åbo"), ("Bo", "knows", "Ada")]
    measures = {"measures": [{"function": "sum", "column": "weight"}]}
    run.do("T5", "Get", {"relation": "weight", "key": "knows", "value": "Ada"}, "kb")
    run.do("T6", "Aggregate", measures, "T5")
    assert run.rows("T6") == [{"sum_weight": 152.5}]
    assert {fact[0] for fact in behind("T6")} == {"Bo", "Dee"}


def test_the_rows_behind_rows_of_a_table_are_their_own(tmp_path: Path) -> None:
    songs = pl.DataFrame({"artist": ["A", "B", "C", "A"], "points": [5, 7, 7, 2]})
    run = Run(tmp_path, "polars", {"songs": songs})
    run.do("T1", "Get", {"relation": "points", "key": "artist", "value": "A"}, "songs")
    assert [run.trace("T1", row).leaves[0].rows for row in (0, 1)] == [(0,), (3,)]
    run.do("T2", "Get", {"key": "artist", "value": "C"}, "songs")
    run.do("T3", "Get", {"relation": "artist", "heads": 1, "shift": -1}, "songs", "T2")
    trace = run.trace("T3")
    assert (trace.value, trace.reproduced) == ({"artist": "B"}, True)
    assert trace.leaves[0].rows == (0, 1, 2)  # a place is counted from the first row
