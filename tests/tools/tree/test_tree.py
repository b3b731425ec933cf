from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from grown import add, backtracked, joined, straight
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from wideleaf.tools.tree.lineage import node_id
from wideleaf.tools.tree.tree import FrameTree, MoveKind, Outcome

MOVES: list[MoveKind] = ["back", "forced", "repeat"]
OUTCOMES: list[Outcome] = ["ok", "ok", "ok", "failed", "stopped"]

words = st.text("aé\n\u202e表", max_size=5)
plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**40), 2**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=5,
)
arguments = st.dictionaries(st.sampled_from(["by", "keys", "value"]), plain, max_size=2)


@st.composite
def histories(draw: st.DrawFn) -> list[FrameTree]:
    """Every tree along a random run."""
    tree = FrameTree()
    trees = [tree]
    for n in range(draw(st.integers(1, 3))):
        tree = add(tree, f"table{n}", "Load", {"source": f"table{n}"})
        trees.append(tree)
    for n in range(draw(st.integers(0, 14))):
        frames = [node.label for node in tree.nodes if node.outcome == "ok"]
        if draw(st.integers(0, 3)) == 0:
            kind = draw(st.sampled_from(MOVES))
            tree = tree.back(draw(st.sampled_from(frames)), draw(words), kind)
        else:
            parents = draw(st.lists(st.sampled_from(frames), min_size=1, max_size=2))
            outcome = draw(st.sampled_from(OUTCOMES))
            name = draw(st.sampled_from(["Sort", "Join"]))
            error = "" if outcome == "ok" else "it did not work"
            tree = add(tree, f"T{n}", name, draw(arguments), parents, outcome=outcome, error=error)
        trees.append(tree)
    return trees


@given(histories())
def test_a_run_only_ever_appends(trees: list[FrameTree]) -> None:
    for before, after in pairwise(trees):
        assert after.nodes[: len(before.nodes)] == before.nodes
        assert after.moves[: len(before.moves)] == before.moves
        grown, moved = len(after.nodes) - len(before.nodes), len(after.moves) - len(before.moves)
        assert (grown, moved) in {(1, 0), (0, 1)}


@given(histories())
def test_the_head_is_always_a_frame(trees: list[FrameTree]) -> None:
    for before, after in pairwise(trees):
        assert after[after.head].outcome == "ok"
        if len(after.moves) > len(before.moves):
            assert (after.moves[-1].origin, after.moves[-1].target) == (before.head, after.head)
            assert after.moves[-1].after == len(after.nodes)
        elif after.nodes[-1].outcome == "ok":
            assert after.head == after.nodes[-1].label
        else:
            assert after.head == before.head


@given(histories())
def test_an_id_depends_on_the_lineage_alone(trees: list[FrameTree]) -> None:
    tree = trees[-1]

    def lineage(label: str) -> str:
        node = tree[label]
        return json.dumps(
            [[lineage(p) for p in node.parents], node.action.name, node.action.arguments],
            sort_keys=True,
        )

    by_lineage = {node.label: lineage(node.label) for node in tree.nodes}
    for one in tree.nodes:
        for other in tree.nodes:
            same = by_lineage[one.label] == by_lineage[other.label]
            assert same == (one.id == other.id)


@given(histories())
def test_a_plan_is_what_the_frame_needs_and_no_more_with_parents_first(
    trees: list[FrameTree],
) -> None:
    tree = trees[-1]
    for node in tree.nodes:
        plan = [step.label for step in tree.plan(node.label)]
        assert plan[-1] == node.label
        assert len(set(plan)) == len(plan)
        for place, label in enumerate(plan):
            assert set(tree[label].parents) <= set(plan[:place])
        used = {parent for label in plan for parent in tree[label].parents}
        assert set(plan) == used | {node.label}


@given(histories())
def test_a_plan_as_a_sequence_makes_the_same_ids_again(trees: list[FrameTree]) -> None:
    tree = trees[-1]
    plan = tree.plan(tree.head)
    again = FrameTree.from_sequence((n.label, n.action, n.parents) for n in plan)
    assert [(n.label, n.id) for n in again.nodes] == [(n.label, n.id) for n in plan]
    assert again.head == tree.head


@given(histories())
def test_a_path_runs_from_a_raw_table_to_the_frame(trees: list[FrameTree]) -> None:
    tree = trees[-1]
    path = tree.path(tree.head)
    assert path[0] in tree.leaves
    assert path[-1] == tree[tree.head]
    for below, above in pairwise(path):
        assert above.parents[0] == below.label


@given(histories())
def test_abandoned_frames_were_left_and_nothing_came_back_to_them(trees: list[FrameTree]) -> None:
    # The definition, event by event: a move leaves what its target does not need; growing a
    # frame or moving to one takes up all it needs.
    expected: set[str] = set()
    for before, after in pairwise(trees):
        needed = {node.label for node in after.plan(after.head)}
        if len(after.moves) > len(before.moves):
            if after.moves[-1].kind != "repeat":
                expected |= {node.label for node in before.plan(before.head)}
            expected -= needed
        elif after.nodes[-1].outcome == "ok":
            expected -= needed
        assert after.abandoned() == {label for label in expected if after[label].parents}


@given(histories())
def test_a_stopped_try_never_counts_as_done_before(trees: list[FrameTree]) -> None:
    tree = trees[-1]
    assert all(node.outcome != "stopped" for node in tree.by_id.values())
    assert set(tree.by_id) == {node.id for node in tree.nodes if node.outcome != "stopped"}
    assert all(key == node.id for key, node in tree.by_id.items())


def test_a_frame_counts_as_done_before_even_if_the_same_failed_first() -> None:
    tree = add(straight(), "T4", "Craft", {}, ["T3"], error="out of memory")
    tree = add(tree, "T5", "Craft", {}, ["T3"])
    assert tree.by_id[tree["T5"].id].label == "T5"


def test_a_branch_taken_up_again_is_not_abandoned_by_work_on_another_table() -> None:
    tree = add(joined(), "T4", "Sort", {}, ["T3"]).back("T1", "too early")
    assert tree.abandoned() == {"T2", "T3", "T4"}
    tree = tree.back("T3", "it was right")
    assert tree.abandoned() == {"T4"}
    tree = add(tree, "T5", "Filter", {}, ["customers"])
    assert tree.abandoned() == {"T4"}


def test_raw_tables_are_never_abandoned() -> None:
    tree = add(joined(), "T4", "Sort", {}, ["customers"]).back("T1", "back to the orders")
    assert "customers" not in tree.abandoned()
    assert "T4" in tree.abandoned()


@given(histories())
def test_a_tree_survives_json(trees: list[FrameTree]) -> None:
    dump = trees[-1].model_dump(mode="json")
    assert FrameTree.model_validate(json.loads(json.dumps(dump))) == trees[-1]
    assert FrameTree.model_validate_json(trees[-1].model_dump_json()) == trees[-1]


STRICT = """
from grown import backtracked
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from wideleaf.tools.tree.tree import FrameTree
tree, saver = backtracked(), JsonPlusSerializer()
back = saver.loads_typed(saver.dumps_typed(tree.model_dump(mode="json")))
assert FrameTree.model_validate(back) == tree
assert not isinstance(saver.loads_typed(saver.dumps_typed(tree)), FrameTree), "is it strict?"
"""


def test_a_tree_survives_a_strict_checkpoint() -> None:
    # A process of its own, for LANGGRAPH_STRICT_MSGPACK is read on import.
    paths = os.pathsep.join([str(Path(__file__).parents[2] / "support"), *sys.path])
    env = os.environ | {"LANGGRAPH_STRICT_MSGPACK": "true", "PYTHONPATH": paths}
    done = subprocess.run([sys.executable, "-c", STRICT], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("grow", "words"),
    [
        (lambda tree: add(tree, "T1", "Sort", {}, ["T2"]), "'T1' is taken by Filter"),
        (lambda tree: tree.back("T9", ""), "cannot go back to 'T9'; frames are sales, T1"),
        (lambda tree: tree.back("T3", ""), "cannot go back to 'T3'"),
        (lambda tree: add(tree, "T9", "Sort", {}, ["T3"]), "parent 'T3', which has no frame"),
    ],
)
def test_what_cannot_be_grown_or_gone_back_to_is_named(
    grow: Callable[[FrameTree], FrameTree], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        grow(backtracked())


def test_an_unknown_label_names_the_labels_there_are() -> None:
    with pytest.raises(KeyError, match="no node 'T9'; the tree has plots, T1, T2, T3"):
        straight()["T9"]


def _circle(dump: dict[str, Any]) -> None:
    dump["nodes"][0]["parents"] = ["T3"]


def _twice(dump: dict[str, Any]) -> None:
    dump["nodes"].append(dump["nodes"][0])


def _nowhere(dump: dict[str, Any]) -> None:
    dump["head"] = "T9"


@pytest.mark.parametrize("spoil", [_circle, _twice, _nowhere])
def test_a_tree_from_a_file_must_be_one_that_could_have_grown(
    spoil: Callable[[dict[str, Any]], None],
) -> None:
    dump = straight().model_dump(mode="json")
    spoil(dump)
    with pytest.raises(ValidationError):
        FrameTree.model_validate(dump)


def test_the_order_of_arguments_does_not_change_an_id_but_the_order_of_parents_does() -> None:
    assert node_id(["a"], "Sort", {"x": 1, "y": 2}) == node_id(["a"], "Sort", {"y": 2, "x": 1})
    assert node_id(["a", "b"], "Join", {}) != node_id(["b", "a"], "Join", {})
