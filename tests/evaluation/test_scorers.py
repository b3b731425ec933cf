"""Scorers: gold answers count, wrong ones do not, and each published rule is as it is described."""

import random
from datetime import date, datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wideleaf.agents.answer.spans import clean, span
from wideleaf_evaluation.forms import READERS
from wideleaf_evaluation.item import Item
from wideleaf_evaluation.registry import SCORERS, score, scorers_of
from wideleaf_evaluation.scorers.causes import CAUSES, classify_error
from wideleaf_evaluation.scorers.cells import Prediction, days_of, normalise, split_gold
from wideleaf_evaluation.scorers.rows import same_rows


def item(set, gold, **other):
    return Item(id="1", question="?", sources=(), gold=gold, set=set, **other)


def said(*cells, columns=("a",)):
    """One column of cells, or rows if the cells are tuples."""
    rows = [cell if isinstance(cell, tuple) else (cell,) for cell in cells]
    return Prediction(columns, rows)


def test_every_set_has_a_headline_and_every_scorer_a_set():
    names = {reader.name for reader in READERS}
    assert all(scorers_of(name) for name in names)
    assert all(set(scorer.sets) <= names for scorer in SCORERS)
    assert len({scorer.name for scorer in SCORERS}) == len(SCORERS)


@pytest.mark.parametrize("name", [reader.name for reader in READERS])
def test_no_answer_scores_nothing(name):
    gold = {"kind": "number", "value": 1} if name == "uci_dataframeqa" else [["a", "1"]]
    assert set(score(item(name, gold), Prediction()).values()) == {0.0}


@pytest.mark.parametrize(
    ("gold", "cells", "execution", "typed"),
    [
        (["1,301 cc", "I4"], ["1,301 CC", "i4"], 1, 1),
        (["1,301 cc", "I4"], ["I4", "1,301 cc"], 0, 0),
        (["7.0"], [7], 1, 1),
        (["7.0"], [7, 7], 0, 0),
        (["49469.0"], ["49,469"], 0, 1),
        (["May 1, 2010"], [date(2010, 5, 1)], 0, 1),
        (["May 1, 2010"], [date(2010, 1, 5)], 0, 0),
        (["12%"], [0.12], 0, 1),
        (["nan"], ["nan"], 1, 1),
    ],
)
def test_wikisql_counts_order_and_duplicates(gold, cells, execution, typed):
    scores = score(item("wikisql", gold), said(*cells))
    assert (scores["execution"], scores["execution_typed"]) == (execution, typed)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Café [1]", "cafe"),
        ("“Good To Go”", "good to go"),
        ("Jack (poet) (1900)", "jack"),
        ("(poet)", "(poet)"),
        ("1997–98", "1997-98"),
        ("Inc.", "inc"),
        ("a  \n b†*", "a b"),
    ],
)
def test_wikitablequestions_texts_are_normalised_as_officially(text, wanted):
    assert normalise(text) == wanted


@pytest.mark.parametrize(
    ("gold", "cells", "right", "as_text"),
    [
        (["Syracuse", "Arizona"], ["Arizona", "syracuse"], 1, 1),
        (["Syracuse"], ["Syracuse", "Arizona"], 0, 0),
        (["7"], [7.0], 1, 1),
        (["7"], ["7 cities"], 0, 0),
        (["1,234"], [1234], 1, 0),
        (["17 April 2010"], [date(2010, 4, 17)], 1, 0),
        (["2 April 2010"], [date(2010, 4, 17)], 0, 0),
        (["a"], ["a", "A."], 1, 1),  # a set: what counts as equal counts once
        (["yes"], [True], 1, 1),
        (["no"], [True], 0, 0),
        (["0.2", "0.3"], [0.2, 0.3 + 1e-9], 1, 1),
    ],
)
def test_wikitablequestions_official(gold, cells, right, as_text):
    scores = score(item("wikitablequestions", gold), said(*cells))
    assert (scores["official"], scores["official_text"]) == (right, as_text)


@pytest.mark.parametrize(
    ("cell", "wanted"),
    [(" 'Roma.' ", "roma"), ("12.0", "12"), ("1,234", "1234"), ("1,23", "1,23"), (None, "none")],
)
def test_denotation_spans(cell, wanted):
    assert span(cell) == wanted


def test_denotation_is_a_multiset_and_f1_a_share():
    scores = score(item("wikitablequestions", ["a", "a", "2"]), said("A", 2.0, "a"))
    assert (scores["denotation"], scores["f1"]) == (1, 1)
    scores = score(item("wikitablequestions", ["a", "a"]), said("a", "b"))
    assert (scores["denotation"], scores["f1"]) == (0, 0.5)


@pytest.mark.parametrize(
    ("gold", "cells", "exact", "numeric"),
    [
        ("12.5", [125], 1, 0),
        ("12.50", [12.5], 0, 1),
        ("12.5", [12.53], 0, 1),
        ("12.5", [12.56], 0, 0),
        ("259,299", [259299], 1, 1),
        ("2880210, tony stewart", ["Tony Stewart", 2880210], 0, 1),
        ("2880210, tony stewart", [(2880210, "Tony Stewart")], 1, 1),
        ("5.25%", [5.2512], 0, 1),
        ("Yes", [True], 1, 1),
        ("No", [True], 0, 0),
        ("11803923", [11803924], 0, 0),
    ],
)
def test_tablebench_published_and_sane(gold, cells, exact, numeric):
    columns = ("a", "b") if isinstance(cells[0], tuple) else ("a",)
    scores = score(item("tablebench", gold), said(*cells, columns=columns))
    assert (scores["exact"], scores["numeric"]) == (exact, numeric)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("1,234, 5", ["1,234", "5"]),
        ("2009,2010", ["2009", "2010"]),
        ("a ,b,c", ["a", "b", "c"]),
        ("1,234,567", ["1,234,567"]),
    ],
)
def test_a_gold_text_is_split_at_commas_but_not_inside_numbers(text, parts):
    assert split_gold(text) == parts


cells = st.one_of(
    st.integers(-5, 5), st.sampled_from(["a", "b", " c", "2020-01-02", None, True]), st.floats(0, 1)
)
tables = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.tuples(*[cells] * width), min_size=1, max_size=6)
)


@given(tables, st.randoms(use_true_random=False))
def test_rows_count_whatever_their_order_and_that_of_columns(table, chance):
    order = list(range(len(table[0])))
    chance.shuffle(order)
    mixed = [tuple(row[n] for n in order) for row in table]
    chance.shuffle(mixed)
    assert same_rows(table, mixed)
    assert same_rows(table, [*mixed, mixed[0]], within=True)
    assert not same_rows(table, [*mixed, mixed[0]])
    assert not same_rows(table, mixed[1:])


@given(tables, st.data())
def test_a_changed_cell_is_another_table(table, data):
    row = data.draw(st.integers(0, len(table) - 1))
    column = data.draw(st.integers(0, len(table[0]) - 1))
    changed = [list(r) for r in table]
    changed[row][column] = "nowhere else"
    assert not same_rows(table, changed)


def test_rows_must_stay_together():
    assert not same_rows([("a", 1), ("b", 2)], [("a", 2), ("b", 1)])


def test_row_order_counts_only_where_the_gold_has_one():
    gold = [["b", 2], ["a", 1]]
    turned = said(("a", 1), ("b", 2), columns=("x", "y"))
    assert score(item("spider", gold), turned)["rows"] == 1
    assert score(item("spider", gold, ordered=True), turned)["rows"] == 0


def test_whole_numbers_are_equal_exactly_and_others_within_a_millionth():
    assert not same_rows([[12345678]], [[12345679]])
    assert same_rows([[1 / 3]], [[0.33333334]])
    assert not same_rows([[1 / 3]], [[0.3334]])
    assert same_rows([["12"]], [[12.0]])


def test_an_empty_gold_wants_an_empty_frame_and_not_silence():
    assert score(item("spider", []), Prediction(("a",), ()))["rows"] == 1
    assert score(item("spider", []), Prediction())["rows"] == 0
    assert score(item("spider", []), said(1))["rows"] == 0


def test_tables_of_many_like_columns_end_soon():
    rows = [[random.Random(n * 40 + m).randint(0, 1) for m in range(40)] for n in range(6)]
    turned = [row[::-1] for row in rows]
    turned[0] = turned[0][1:] + turned[0][:1]
    same_rows(rows, turned)  # the test's time limit is the assertion


BINS = "('x', Interval({}, {}, closed='right'))"
SERIES = {"kind": "series", "name": "age", "index": ["x", "y"], "data": [1.5, 2.5], "shape": [2]}


@pytest.mark.parametrize(
    ("gold", "prediction", "strict", "relaxed"),
    [
        (SERIES, said((2.5, "y"), (1.5, "x"), columns=("m", "g")), 1, 1),
        (SERIES, said((1.5, "y"), (2.5, "x"), columns=("m", "g")), 0, 0),
        (SERIES, said((9, 2.5, "y"), (9, 1.5, "x"), columns=("n", "m", "g")), 0, 1),
        (SERIES, said(*[("x", 1.5), ("y", 2.5)] * 4, columns=("g", "m")), 0, 0),
        ({"kind": "number", "value": 3}, said(3.0), 1, 1),
        ({"kind": "number", "value": 3}, said(("c", 3), columns=("a", "b")), 0, 1),
        ({"kind": "number", "value": 3}, said(3, 4, 5, 6), 0, 0),
        ({"kind": "bool", "value": True}, said("Yes"), 1, 1),
        ({"kind": "bool", "value": True}, said(False), 0, 0),
        ({"kind": "dict", "value": {"n": 26, "m": 90.0}}, said((26, 90), columns="nm"), 1, 1),
        ({"kind": "dict", "value": {"n": 26, "m": 90.0}}, said(("a", 26), ("b", 90.0)), 1, 1),
        ({"kind": "dict", "value": {"n": 26, "m": 90.0}}, said(("a", 26), ("b", 9.0)), 0, 0),
        ({"kind": "dict", "value": {"n": 26, "m": 90.0}}, said((1, 26), (2, 90.0)), 0, 1),
        ({**SERIES, "index": ["True", "False"]}, said((True, 1.5), (False, 2.5)), 1, 1),
        ({**SERIES, "index": ["True", "False"]}, said((False, 1.5), (True, 2.5)), 0, 0),
        (
            {**SERIES, "index": [BINS.format(0, 2), BINS.format(2, 4)]},
            said(("x", "(0, 2]", 1.5), ("x", "(2, 4]", 2.5)),
            1,
            1,
        ),
        (
            {**SERIES, "index": [BINS.format(0, 2), BINS.format(2, 4)]},
            said(("x", "(0, 2)", 1.5), ("x", "(2, 4)", 2.5)),
            0,
            0,
        ),
        ({**SERIES, "index": ["7", "9"]}, said(1.5, 2.5), 1, 1),  # numbers of rows
        ({**SERIES, "index": ["7", "9"], "index_is_data": True}, said(1.5, 2.5), 0, 0),
        ({**SERIES, "index": ["('x', 1)", "('y', 4)"]}, said(("x", 1.5), ("y", 2.5)), 1, 1),
        ({**SERIES, "index": [], "data": []}, Prediction(("a",), ()), 1, 1),
    ],
)
def test_dataframe_qa_strict_and_relaxed(gold, prediction, strict, relaxed):
    scores = score(item("uci_dataframeqa", gold), prediction)
    assert (scores["strict"], scores["relaxed"]) == (strict, relaxed)


@pytest.mark.parametrize(
    ("gold", "prediction", "right"),
    [
        (["DEH1", 195.07], said((195.0712, "DEH1"), columns=("m", "e")), 1),
        (["DEH1", 195.07], said((195.08, "DEH1"), columns=("m", "e")), 0),
        ("[37.0, ['A', 'B']]", said((37, "A"), (37, "B"), columns=("t", "e")), 1),
        ([37.0, ["A", "B"]], said((37, "B"), (37, "A"), columns=("t", "e")), 0),
        (["a", "b"], said("a", "b"), 1),
        (["a", "b"], said("b", "a"), 0),
        (884, said(884), 1),
    ],
)
def test_wide_parts(gold, prediction, right):
    assert score(item("wide", gold), prediction)["parts"] == right


@pytest.mark.parametrize(
    ("prediction", "named", "either"),
    [
        (Prediction(answer="@mean[3.73]\n@sd[1.54]"), 1, 1),
        (Prediction(answer="@mean[1.54]\n@sd[3.73]"), 0, 0),
        (said((1.5401, 3.7299), columns=("SD", "Mean")), 1, 1),
        (said((1.54, 3.73), columns=("a", "b")), 0, 1),
        (said((1.54, 3.73, 1), columns=("a", "b", "c")), 0, 0),
    ],
)
def test_dabench_by_name_or_by_value(prediction, named, either):
    scores = score(item("dabench", [["mean", "3.73"], ["sd", "1.54"]]), prediction)
    assert (scores["named"], scores["named_or_cells"]) == (named, either)


def test_a_value_or_words_count_where_there_is_no_frame():
    assert score(item("wikisql", ["a", "b"]), Prediction(value=["a", "b"]))["execution"] == 1
    assert score(item("plain", "Roma"), Prediction(answer="Roma."))["answer"] == 1
    rows = Prediction(value=[{"x": 1, "y": "a"}, {"x": 2, "y": "b"}])
    assert score(item("plain", {"rows": [["a", 1], ["b", 2]]}), rows)["answer"] == 1


@pytest.mark.parametrize(
    ("cell", "wanted"),
    [
        (float("nan"), None),
        (pd.NaT, None),
        (pd.NA, None),
        (np.int64(3), 3),
        (Decimal("1.5"), 1.5),
        (pd.Timestamp("2020-01-02"), "2020-01-02"),
        (datetime(2020, 1, 2, 3, 4), "2020-01-02 03:04:00"),
        (date(2020, 1, 2), "2020-01-02"),
    ],
)
def test_cells_of_frames_become_plain(cell, wanted):
    assert clean(cell) == wanted


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("17 April 2010", {(2010, 4, 17)}),
        ("Apr. 17, 2010", {(2010, 4, 17)}),
        ("3/4/2010", {(2010, 3, 4), (2010, 4, 3)}),
        ("17/4/2010", {(2010, 4, 17)}),
        ("April 2010", {(2010, 4, -1)}),
        ("2010", set()),
        ("17 April 2010 in Roma", set()),
    ],
)
def test_days_are_read_in_many_writings(text, days):
    assert days_of(text) == days


@pytest.mark.parametrize(
    ("status", "gold", "prediction", "cause"),
    [
        ("unanswered", ["1"], Prediction(), "refused"),
        ("partial", ["1"], Prediction(), "ended early"),
        ("failed", ["1"], Prediction(), "error"),
        ("answered", ["1"], Prediction(("a",), ()), "empty result"),
        ("answered", ["a", "b"], said("b", "a"), "order or layout"),
        ("answered", ["a"], said("b", "a"), "more than asked"),
        ("answered", ["a"], said("b", "a", "c", "d"), "over-long"),
        ("answered", ["a", "b"], said("b"), "less than asked"),
        ("answered", ["a", "b"], said("c"), "wrong shape"),
        ("answered", ["1200"], said(1.2), "unit or rounding"),
        ("answered", ["45.3"], said(45), "unit or rounding"),
        ("answered", ["a"], said("b"), "wrong value"),
        ("answered", [True], said(False), "wrong value"),
        ("answered", [True, "b"], said("b", True), "order or layout"),
    ],
)
def test_each_wrong_answer_has_one_cause(status, gold, prediction, cause):
    assert classify_error(status, item("wikisql", gold), prediction) == cause


def test_every_cause_is_described():
    assert all(cause.about for cause in CAUSES)


def drawing(form, **axes):
    rows = [dict(zip(axes, row, strict=True)) for row in zip(*axes.values(), strict=True)]
    return Prediction(chart={"form": form, "spec": {"data": {"values": rows}}}, answer="a chart")


@pytest.mark.parametrize(
    ("gold", "chart", "right"),
    [
        ("y_references = [[1, 2.005], [3]]", drawing("bar", x="abc", y=[3, 1, 2.005]), 1),
        ("y_references = [1, 2, 3]", drawing("bar", x="ab", y=[1, 2]), 0),
        ("y_references = [[1, np.nan, -2]]", drawing("line", x="ab", y=[-2, 1]), 1),
        ("y_references = [[20, 60]]", drawing("pie", x="ab", y=[1, 3]), 1),
        ("y_references = [[25, 75]]", drawing("bar", x="ab", y=[1, 3]), 0),
        ("y_references = [[25.0, 75.0]]", drawing("percent stacked bar", x="aa", y=[1, 3]), 1),
        ("y_references = [[1, 3]]", drawing("percent stacked bar", x="aa", y=[1, 3]), 1),
    ],
)
def test_charts_are_compared_by_what_they_draw(gold, chart, right):
    assert score(item("tablebench_charts", gold), chart)["y_values"] == right


def test_a_gold_chart_that_is_no_line_of_values_is_told():
    with pytest.raises(ValueError, match="assigns nothing"):
        score(item("tablebench_charts", "1 + 1"), drawing("bar", x="a", y=[1]))
