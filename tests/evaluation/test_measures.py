"""Measures over the rows of a set: CDA, Overall, reasoning steps, outcomes, worked out by hand."""

import pytest
from grown import add

from wideleaf.graph.results.result import Result
from wideleaf.tools.tree.tree import FrameTree
from wideleaf_evaluation.calling import (
    Sample,
    calling_of,
    calling_scores,
    majority,
    samples_of,
)
from wideleaf_evaluation.comparison.measures import overall
from wideleaf_evaluation.item import Item
from wideleaf_evaluation.outcomes import (
    outcome_of,
    outcomes_of,
    reasoning_of,
    reasoning_steps,
)
from wideleaf_evaluation.rows import EvalRow
from wideleaf_evaluation.scorers.cells import Prediction

GOLD = ["4"]


def sample(letter, cells):
    """A sample that called CRAFT, C, or did not, p."""
    return Sample(letter == "C", Prediction(["n"], [[cell] for cell in cells]))


CALLS = [
    # samples as (letter, cells), and what the majority of those with a C scores; None for no call
    ([("p", [4])] * 5, None),
    ([("C", [4])] * 5, 1),
    ([("C", [5])] * 5, 0),
    # The one that called is alone asked, however many others are right or wrong.
    ([("C", [4]), ("p", [5]), ("p", [5]), ("p", [5]), ("p", [5])], 1),
    ([("C", [5]), ("p", [4]), ("p", [4]), ("p", [4]), ("p", [4])], 0),
    ([("C", [4]), ("C", [5]), ("C", [4]), ("p", [5]), ("p", [5])], 1),
    ([("C", [4]), ("C", [5]), ("C", [5]), ("p", [4]), ("p", [4])], 0),
    # A tie goes to the first.
    ([("C", [5]), ("C", [4])], 0),
    ([("C", [4]), ("C", [5])], 1),
    # Writings of one answer are one vote.
    ([("C", [5]), ("C", ["4.0"]), ("C", [4])], 1),
    # One that gave no answer has none.
    ([("C", []), ("C", []), ("C", [4])], 1),
    ([("C", []), ("C", [])], 0),
    ([("C", [7, 4]), ("C", [4, 7]), ("C", [4])], 0),
    ([], None),
]


@pytest.mark.parametrize(("told", "right"), CALLS)
def test_cda_asks_the_majority_of_the_samples_that_called(told, right):
    item = Item(id="1", question="?", sources=(), gold=GOLD, set="tablebench")
    found = calling_scores(item._replace(gold="4"), [sample(*one) for one in told])
    assert found.get("denotation") == right


def test_a_sample_that_did_not_end_with_an_answer_has_no_vote():
    answer = Prediction(["n"], [[4]])
    assert majority([Prediction(), Prediction(), answer]) == answer
    assert majority([Prediction()]) == majority([]) == Prediction()


def test_a_call_is_a_craft_of_the_tree_whether_it_ran_or_not():
    told = Result(question="?", status="unanswered", answer="", tree=tree_of([]))
    ran = add(told.tree, "T1", "Craft", {"task": "t"}, ["A"])
    failed = add(told.tree, "T1", "Craft", {"task": "t"}, ["A"], error="it broke")
    for tree in (ran, failed):
        one = told.model_copy(update={"tree": tree})
        assert [sample.called for sample in samples_of(one, "tree")] == [True]
        assert [sample.called for sample in samples_of(one, "pandas")] == [False]
        vote = told.model_copy(update={"samples": (told, one)})
        assert [sample.called for sample in samples_of(vote, "vote")] == [False, True]
    assert [sample.called for sample in samples_of(told, "tree")] == [False]


def test_cda_of_a_set_leaves_out_questions_without_a_call():
    rows = [row(calling={"denotation": n}) for n in (1.0, 0.0, 1.0)] + [row(), row(right=True)]
    assert calling_of(rows) == {"questions": 3, "samples": 1, "cda": {"denotation": 2 / 3}}
    assert calling_of(rows[3:]) == {}
    one = {"strategy": "tree", "status": "answered", "crafted": True, "votes": 5}
    voted = row(calling={"denotation": 1.0}, samples=[one] * 5)
    assert calling_of([voted])["samples"] == 5


def row(right=False, **other):
    fields = {"id": "1", "question": "?", "status": "answered", "scores": {"answer": float(right)}}
    return EvalRow(**{**fields, **other})


@pytest.mark.parametrize(
    ("sets", "wanted"),
    [
        ([(96, 0.688), (396, 0.513), (1190, 0.856)], 0.766),  # CRAFTQA with GPT-4o, table 2
        ([(96, 0.542), (396, 0.364), (1190, 0.250)], 0.294),  # PoT with GPT-3.5-Turbo
        ([(96, 0.635), (396, 0.422), (1190, 0.435)], 0.443),  # StructGPT with GPT-4o
        ([(96, 0.625), (396, 0.296), (1190, 0.801)], 0.672),  # TrustUQA with GPT-4o
        ([(96, 0.833), (396, 0.564)], 0.616),  # CRAFTQA with o4-mini, table 9
        ([(1, 1.0), (1, 0.0)], 0.5),
        ([(3, 1.0), (1, 0.0)], 0.75),
        ([(10, 0.3)], 0.3),
        ([(0, 1.0), (2, 0.5)], 0.5),
        ([(5, 0.2), (5, 0.4), (10, 0.5)], 0.4),
        ([(1, 0.0), (1, 0.0)], 0.0),
        ([(0, 1.0)], None),
        ([], None),
    ],
)
def test_overall_weights_each_set_by_its_size(sets, wanted):
    found = overall(sets)
    assert found is wanted is None or found == pytest.approx(wanted, abs=0.001)


def tree_of(steps):
    """A tree of leaves A and B and steps, each with its parents."""
    tree = add(add(FrameTree(), "A", "Load", {"source": "A"}), "B", "Load", {"source": "B"})
    for label, parents in steps:
        tree = add(tree, label, "Sort", {"by": label}, list(parents))
    return tree


PLANS = [
    # the answer's label, each step with the frames it is made of, and the steps of its plan
    ("A", [], 0),
    ("T1", [("T1", "A")], 1),
    ("T2", [("T1", "A"), ("T2", ["T1"])], 2),
    ("T1", [("T1", "A"), ("T2", ["T1"])], 1),
    ("T2", [("T1", "A"), ("T2", "A")], 1),
    ("T1", [("T1", "AB")], 1),
    ("T3", [("T1", "A"), ("T2", "B"), ("T3", ["T1", "T2"])], 3),
    ("T3", [("T1", "A"), ("T2", ["T1"]), ("T3", ["T1", "T2"])], 3),
    ("T4", [("T1", "A"), ("T2", "A"), ("T3", ["T1"]), ("T4", ["T3"])], 3),
    ("T4", [("T1", "A"), ("T2", ["T1"]), ("T3", ["T1"]), ("T4", ["T2", "T3"])], 4),
    ("T2", [("T1", "B"), ("T2", "A"), ("T3", ["T1", "T2"])], 1),
    ("T5", [("T1", "A"), *((f"T{n}", [f"T{n - 1}"]) for n in range(2, 6))], 5),
]


@pytest.mark.parametrize(("label", "steps", "wanted"), PLANS)
def test_reasoning_steps_are_the_nodes_of_the_plan_without_leaves(label, steps, wanted):
    told = Result(question="?", status="answered", answer="a", label=label, tree=tree_of(steps))
    assert reasoning_steps(told) == wanted
    assert reasoning_steps(told.model_copy(update={"status": "partial"})) is None


def test_reasoning_of_a_set_is_mean_and_maximum_over_its_answers():
    rows = [row(plan_steps=n) for n in (1, 2, 2, 7)] + [row(status="unanswered")]
    assert reasoning_of(rows) == {"questions": 4, "mean": 3.0, "max": 7}
    assert reasoning_of(rows[4:]) == {}


@pytest.mark.parametrize(
    ("right", "status", "letter"),
    [
        (True, "answered", "T"),
        (False, "answered", "F"),
        (False, "partial", "S"),
        (False, "unanswered", "S"),
        (False, "failed", "S"),
    ],
)
def test_outcomes_are_those_of_tso(right, status, letter):
    assert outcome_of(row(right, status=status)) == letter


def test_outcomes_are_counted_of_all_and_by_hardness():
    rows = [
        row(True, hardness="easy"),
        row(hardness="easy"),
        row(hardness="extra", status="failed"),
    ]
    assert outcomes_of([*rows, row(True)]) == {
        "all": {"T": 2, "F": 1, "S": 1},
        "easy": {"T": 1, "F": 1, "S": 0},
        "extra": {"T": 0, "F": 0, "S": 1},
    }
