"""Scorers of spans and of graphs: each variant as its paper's code has it, worked out by hand."""

import pytest

from wideleaf_evaluation.item import Item
from wideleaf_evaluation.registry import score
from wideleaf_evaluation.scorers.cells import Prediction

HITS = [
    # gold, the answer's rows, Hit@1, TrustUQA's, StructGPT's
    (["Roma"], [("Roma",)], 1, 1, 1),
    (["Roma"], [("ROMA.",)], 1, 1, 1),
    (["Roma", "Perth"], [("Perth",)], 1, 0, 1),
    (["Roma", "Perth"], [("Perth",), ("Roma",)], 1, 1, 1),
    (["Roma"], [("Perth",), ("Roma",)], 0, 1, 1),
    (["Roma"], [("Roma",), ("Perth",)], 1, 1, 1),
    (["Roma"], [("Perth",)], 0, 0, 0),
    (["Roma"], [("Roma Street",)], 0, 0, 1),
    (["Roma Street"], [("Roma",)], 0, 0, 0),
    (["1988"], [(1988,)], 1, 1, 1),
    (["1988"], [(1988.0,)], 1, 1, 1),
    (["1988"], [(19880,)], 0, 0, 1),
    (["1988", "1989"], [(1989,), (1990,)], 1, 0, 1),
    (["Roma"], [(None,), ("Roma",)], 1, 1, 1),
    (["Roma"], [(None,)], 0, 0, 0),
    (["Roma"], [("Perth", "Roma")], 0, 1, 1),
    (["Roma", "Roma"], [("Roma",)], 1, 1, 1),
    ([], [("Roma",)], 0, 0, 0),
]


def scores(name, gold, rows):
    columns = [str(n) for n, _ in enumerate(rows[0])]
    return score(
        Item(id="1", question="?", sources=(), gold=gold, set=name), Prediction(columns, rows)
    )


@pytest.mark.parametrize(("gold", "rows", "first", "all_gold", "part"), HITS)
def test_hit_at_1_is_three_things(gold, rows, first, all_gold, part):
    found = scores("webqsp_retrieved", gold, rows)
    names = ("hit@1", "hit@1_trustuqa", "hit@1_structgpt")
    assert [found[name] for name in names] == [first, all_gold, part]
    assert next(iter(found)) == "hit@1"


DENOTATIONS = [
    # gold, the answer's cells, as a multiset, StructGPT's, TrustUQA's
    (["a"], ["A."], 1, 1, 1),
    (["a", "b"], ["b", "a"], 1, 1, 1),
    (["a", "b"], ["a"], 0, 0, 0),
    (["a"], ["a", "b"], 0, 0, 0),
    (["10", "10"], ["10"], 0, 0, 1),
    (["10", "10"], ["10", "10"], 1, 1, 0),
    (["1234"], ["1,234"], 1, 1, 0),
    (["1,234"], ["1234"], 1, 1, 0),
    (["1,234"], ["1,234"], 1, 1, 1),
    (["smith, john"], ["smith, john"], 1, 0, 1),
    (["smith", "john"], ["smith, john"], 0, 1, 1),
    (["smith", "john"], ["smith,john"], 0, 0, 1),
    (["new york"], ["newyork"], 0, 0, 1),
    (["12"], ["12.0"], 1, 1, 1),
    (["0.5"], [".50"], 1, 1, 1),
    (["yes"], [True], 1, 1, 1),
    (["'a'"], ["a"], 1, 1, 1),
]


@pytest.mark.parametrize(("gold", "cells", "bag", "structgpt", "trustuqa"), DENOTATIONS)
def test_denotation_accuracy_is_three_things(gold, cells, bag, structgpt, trustuqa):
    found = scores("wikisql", gold, [(cell,) for cell in cells])
    names = ("denotation", "denotation_structgpt", "denotation_trustuqa")
    assert [found[name] for name in names] == [bag, structgpt, trustuqa]


@pytest.mark.parametrize(
    ("gold", "cells", "sets", "bags"),
    [
        (["a"], ["a"], 1, 1),
        (["a"], ["b"], 0, 0),
        (["a", "b"], ["a"], 2 / 3, 2 / 3),
        (["a"], ["a", "b"], 2 / 3, 2 / 3),
        (["a", "b"], ["a", "c"], 1 / 2, 1 / 2),
        (["a", "a"], ["a"], 1, 2 / 3),
        (["a"], ["a", "a", "a"], 1, 1 / 2),
        (["a", "a", "b"], ["a", "b", "b"], 1, 2 / 3),
        (["A.", "b"], ["a", "'B'"], 1, 1),
        (["1,234"], [1234.0], 1, 1),
        (["1", "2", "3", "4"], [1, 2], 2 / 3, 2 / 3),
        (["0.1", "x"], [0.1 + 1e-9, "y"], 1 / 2, 1 / 2),
        (["yes"], [True], 1, 1),
    ],
)
def test_f1_of_sets_and_of_bags(gold, cells, sets, bags):
    found = scores("wikisql", gold, [(cell,) for cell in cells])
    assert (found["set_f1"], found["f1"]) == (pytest.approx(sets), pytest.approx(bags))
