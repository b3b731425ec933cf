"""Scorers: each set's rules for when an answer counts, under the names that reports use."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from wideleaf_evaluation.item import Item
from wideleaf_evaluation.scorers.cells import Prediction
from wideleaf_evaluation.scorers.charts import y_values, y_within
from wideleaf_evaluation.scorers.parts import (
    exact,
    match_answer,
    match_loosely,
    match_names,
    match_names_or_cells,
    numeric,
    parts,
    rows,
    strict,
)
from wideleaf_evaluation.scorers.spans import (
    denotation_accuracy,
    denotation_structgpt,
    denotation_trustuqa,
    f1,
    set_f1,
)
from wideleaf_evaluation.scorers.values import (
    execution,
    execution_by_type,
    hit_at_1,
    hit_at_1_structgpt,
    hit_at_1_trustuqa,
    official,
    official_text,
)

if TYPE_CHECKING:
    from wideleaf.graph.results.result import Result

GRAPHS = ("webqsp_retrieved", "metaqa", "pathquestion", "timequestions", "cronquestions_sample")
WIKISQL = ("wikisql", "wikisql_e")
SPANS = (*WIKISQL, "tablebench")
"""Sets of tables whose answers CRAFTQA and those before it compare as spans."""
MAX_CELLS = 1_000_000
"""No gold answer is as large, so that of a larger answer no more need be looked at."""


class Scorer(NamedTuple):
    """One rule for when an answer counts.

    Attributes:
        name: What reports call it.
        about: What it does, in a line.
        score: 1.0 for right, 0.0 for wrong, or a share between.
        sets: Where it is used; of a set's scorers, the first is the headline.
    """

    name: str
    about: str
    score: Callable[[Item, Prediction], float]
    sets: tuple[str, ...]


def prediction_of(result: Result) -> Prediction:
    """The answer of a result; of one that did not end with an answer, none."""
    if result.status != "answered":
        return Prediction()
    frame = result.frame
    most = MAX_CELLS // max(1, len(frame.columns)) + 1
    cells = tuple(frame.head(most).itertuples(index=False, name=None))
    names = tuple(map(str, frame.columns))
    return Prediction(names, cells, result.answer, result.value, result.drawn, frame)


def _follow_rule(item: Item, prediction: Prediction) -> bool:
    # numpy and pandas are loaded where a set needs them.
    from wideleaf_evaluation.scorers.agronomy import follows_rule

    answer = prediction.value if prediction.frame is None else prediction.frame
    return follows_rule(item.gold["rule"], answer, item.gold["answer"])


def score(item: Item, prediction: Prediction) -> dict[str, float]:
    """Score an answer by every scorer of its set, the headline first; no answer scores 0."""
    has_answer = prediction.given
    return {
        s.name: float(s.score(item, prediction)) if has_answer else 0.0
        for s in scorers_of(item.set)
    }


def scorers_of(name: str) -> list[Scorer]:
    """The scorers of a set, the headline first."""
    return [scorer for scorer in SCORERS if name in scorer.sets]


SCORERS: tuple[Scorer, ...] = (
    Scorer(
        "execution",
        "WikiSQL: the list of cells, row by row, equals the gold list; lower case, order and "
        "duplicates count, numbers within 1e-6",
        execution,
        WIKISQL,
    ),
    Scorer(
        "execution_typed",
        "execution, and a cell that was read as a number or date equals its gold text",
        execution_by_type,
        WIKISQL,
    ),
    Scorer(
        "official",
        "WikiTableQuestions evaluator: sets of values; normalised text, numbers, dates",
        official,
        ("wikitablequestions",),
    ),
    Scorer(
        "official_text",
        "the same, gold not read as numbers with marks or dates",
        official_text,
        ("wikitablequestions",),
    ),
    Scorer(
        "rows",
        "Spider: bags of rows under some order of columns; row order only if the gold has one",
        rows,
        ("spider",),
    ),
    Scorer(
        "numeric",
        "parts in any order, numbers within the decimals that the gold shows",
        numeric,
        ("tablebench",),
    ),
    Scorer(
        "y_values",
        "TableBench's Pass@1 of charts: the values that the spec draws, to two decimals, of a pie "
        "the shares; gold values that are no number are left out",
        y_values,
        ("tablebench_charts",),
    ),
    Scorer(
        "y_within",
        "the same within one part in a hundred",
        y_within,
        ("tablebench_charts",),
    ),
    Scorer("strict", "DataFrame QA: the same cells and no others", strict, ("uci_dataframeqa",)),
    Scorer(
        "relaxed",
        "DataFrame QA: holds the answer, with at most three times its cells",
        match_loosely,
        ("uci_dataframeqa",),
    ),
    Scorer(
        "named_or_cells",
        "DABench: @name[value] or columns of those names; without names, the values alone",
        match_names_or_cells,
        ("dabench",),
    ),
    Scorer("named", "DABench: @name[value] or columns of those names", match_names, ("dabench",)),
    Scorer(
        "parts",
        "each part of the gold is one column's distinct cells, within the decimals shown",
        parts,
        ("wide",),
    ),
    Scorer(
        "rule",
        "TSO's 20 questions: by the rule of each (benchmarks/agronomy_questions.jsonl)",
        _follow_rule,
        ("agronomy",),
    ),
    Scorer("hit@1", "the first answer is among the gold ones", hit_at_1, GRAPHS),
    Scorer(
        "hit@1_trustuqa",
        "as TrustUQA counts it on WebQSP: all gold is among the answers",
        hit_at_1_trustuqa,
        GRAPHS,
    ),
    Scorer(
        "hit@1_structgpt",
        "as StructGPT counts it: some gold is a part of the answer's text",
        hit_at_1_structgpt,
        GRAPHS,
    ),
    Scorer(
        "answer", "rows under some order of columns, else cells as shown", match_answer, ("plain",)
    ),
    Scorer(
        "exact",
        "TableBench as published: exact after all punctuation is stripped",
        exact,
        ("tablebench",),
    ),
    Scorer(
        "denotation",
        "spans equal as a multiset (numbers within 1e-6)",
        denotation_accuracy,
        (*SPANS, "wikitablequestions", "plain", *GRAPHS),
    ),
    Scorer(
        "denotation_structgpt",
        "as StructGPT counts it: the answer is split at commas with a blank, gold is not",
        denotation_structgpt,
        SPANS,
    ),
    Scorer(
        "denotation_trustuqa",
        "as TrustUQA counts it: gold is a set, and both are split at every comma",
        denotation_trustuqa,
        SPANS,
    ),
    Scorer("f1", "F1 of spans as multisets", f1, (*SPANS, "wikitablequestions")),
    Scorer("set_f1", "F1 of spans as sets", set_f1, (*SPANS, *GRAPHS)),
)
