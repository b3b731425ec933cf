"""Single analyses: plain questions for a test, a regression, clusters or a trend of columns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.agents.planner.links.lexicon import Question, lexicon
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.table_index import TableIndex, index_table
from wideleaf.agents.planner.scopes.derivation import PlanProposal
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call

SURE, NAMED = 0.8, 0.8
"""How sure such a question is read, and how well it must name its columns."""
MAX_WORDS = 40
"""A longer question says more than an analysis and its columns."""
TESTS = (
    (r"\bshapiro", "shapiro"),
    (r"\bkolmogorov|\bks[- ]test", "kolmogorov"),
    (r"d['’]agostino|\bnormaltest", "d'agostino"),
    (r"\banova\b|analysis of variance", "anova"),
    (r"\bmann[- ]whitney|\bu[- ]test", "mann-whitney"),
    (r"\bkruskal", "kruskal"),
    (r"\bwilcoxon", "wilcoxon"),
    (r"\blevene", "levene"),
    (r"\bchi[- ]?squared?", "chi-square"),
    (r"\bfisher", "fisher"),
    (r"\bwelch", "welch"),
    (r"\bpaired\b.{0,20}\bt[- ]test", "paired t"),
    (r"\bt[- ]test", "t"),
    (r"\bnormal(?:ity|ly)?\b.{0,20}(?:distribut|test)|\bnormality\b", "shapiro"),
)
NORMALITY = ("shapiro", "kolmogorov", "d'agostino")
GROUPED = ("anova", "mann-whitney", "kruskal", "levene", "welch", "t")
PAIRED = ("paired t", "wilcoxon", "t", "welch", "mann-whitney", "levene")
TABULATED = ("chi-square", "fisher")
SHOWN: list[JsonValue] = [
    "column", "other", "test", "statistic", "p_value", "significant", "effect_size", "rows"
]  # fmt: skip
KINDS = {
    "regression": r"\bregress(?:ion of)?\b|\blinear regression\b|\bols\b|"
    r"\bordinary least squares\b",
    "test": r"\b(?:significant(?:ly)?|statistically)\b.*\bdiffer|"
    + "|".join(pattern for pattern, _ in TESTS),
    "cluster": r"\bcluster(?:s|ing|ed)?\b|\bsegment(?:s|ation)?\b|\bk-?means\b",
    "trend": r"\btrend(?:s|ing)?\b|\b(?:ris|fall|increas|decreas|grow)ing\b.*\bover\b|"
    r"\bover (?:the )?(?:time|years)\b",
}
TWO = 2
_ON = re.compile(r"\b(?:on|against|from|using|by|with)\b", re.I)
_TWO_SAMPLES = re.compile(r"\btwo[- ]samples?\b|ks_2samp|\bsame distribution\b", re.I)


class Steps(NamedTuple):
    """What an analysis is made of.

    Attributes:
        calls: Actions and their arguments, each over the frame of the one before.
        said: What comes out, in words.
    """

    calls: tuple[tuple[str, dict[str, JsonValue]], ...]
    said: str


def read_analysis(text: str, tables: Mapping[str, Table]) -> PlanProposal | None:
    """A plan for a question that is an analysis and its columns; None where it says more.

    Args:
        text: The question.
        tables: The tables by their labels; of several none is meant.
    """
    question = Question(text)
    kind = next((kind for kind, cue in KINDS.items() if re.search(cue, text, re.I)), "")
    if len(tables) != 1 or not kind or len(question.words) > MAX_WORDS:
        return None
    ((label, table),) = tables.items()
    index = index_table(table)
    spots = _columns_said(question, index)
    if not spots or not _is_all_heard(question, kind, spots):
        return None
    readers = {"test": _test, "regression": _regression, "cluster": _clusters, "trend": _trend}
    steps = readers[kind](question, spots, index)
    if steps is None:
        return None
    calls = [
        Call(name=name, arguments={"table": f"${place - 1}" if place else label, **arguments})
        for place, (name, arguments) in enumerate(steps.calls)
    ]
    return PlanProposal(
        steps=tuple(calls),
        thoughts=(f"The question asks for {steps.said}.",) * len(calls),
        confidence=SURE,
        reading=f"{steps.said} of {label}",
        tallies=True,
    )


def _columns_said(question: Question, index: TableIndex) -> list[Mention]:
    """Where the question names columns outright, in its order, none over another."""
    spots: list[Mention] = []
    mentions = [m for m in index.names.mentions(question)
             if m.score >= NAMED and not m.several and m.column in index.kinds]  # fmt: skip
    for mention in sorted(mentions, key=lambda m: (-m.score, m.start - m.end)):
        if all(mention.places.isdisjoint(other.places) for other in spots):
            spots.append(mention)
    return sorted(spots, key=lambda m: m.start)


def _split(spots: list[Mention], index: TableIndex) -> tuple[list[str], list[str]]:
    """The columns that are named, numbers and others."""
    columns = list(dict.fromkeys(m.column for m in spots))
    numbers = [column for column in columns if index.kinds[column] == "number"]
    return numbers, [column for column in columns if column not in numbers]


def _test(question: Question, spots: list[Mention], index: TableIndex) -> Steps | None:
    numbers, others = _split(spots, index)
    text = question.text
    test = next((name for cue, name in TESTS if re.search(cue, text, re.I)), "")
    if not test and others:
        test = "welch" if len(index.distinct(others[0])) == TWO else "anova"
    columns: list[JsonValue]
    between: dict[str, JsonValue] = {}
    if test in NORMALITY and len(numbers) == 1 and not others:
        if test == "kolmogorov" and _TWO_SAMPLES.search(text):
            return None
        columns = [*numbers]
    elif test in GROUPED and len(numbers) == 1 and len(others) == 1:
        columns, between = [*numbers], {"between": others[0]}
    elif (test in PAIRED and len(numbers) == TWO and not others) or (
        test in TABULATED and len(numbers) + len(others) == TWO
    ):
        columns = [*dict.fromkeys(m.column for m in spots)]
    else:
        return None
    arguments: dict[str, JsonValue] = {"test": test, "columns": columns, **between}
    summary = f"{test} test of {' and '.join((*map(str, columns), *others[:1]))}"
    return Steps((("Test", arguments), ("Select", {"columns": SHOWN})), summary)


def _regression(question: Question, spots: list[Mention], index: TableIndex) -> Steps | None:
    target, *features = dict.fromkeys(m.column for m in spots)
    if not features or index.kinds[target] != "number":
        return None
    between = question.span_text(spots[0].end, spots[1].start)
    if spots[0].end >= spots[1].start or not _ON.search(between):
        return None
    arguments: dict[str, JsonValue] = {"target": target, "features": [*features]}
    return Steps((("Fit", arguments),), f"the regression of {target} on {', '.join(features)}")


def _clusters(question: Question, spots: list[Mention], index: TableIndex) -> Steps | None:
    numbers, others = _split(spots, index)
    if not numbers or others:
        return None
    arguments: dict[str, JsonValue] = {"columns": [*numbers], "result": "profiles"}
    if "hierarchical" in question.text.lower():
        arguments["method"] = "hierarchical"
    if question.numbers and question.numbers[0].value >= TWO:
        arguments["k"] = int(question.numbers[0].value)
    return Steps((("Cluster", arguments),), f"clusters by {', '.join(numbers[:3])}")


def _trend(question: Question, spots: list[Mention], index: TableIndex) -> Steps | None:
    columns = [*dict.fromkeys(m.column for m in spots)]
    times = [c for c, kind in index.kinds.items() if kind in ("date", "datetime")]
    times += [c for c in index.table.columns if index.yearly(c)]
    time = next((c for c in columns if c in times), times[0] if len(times) == 1 else "")
    measured = [c for c in columns if c != time]
    if not time or len(measured) != 1 or index.kinds[measured[0]] != "number":
        return None
    arguments: dict[str, JsonValue] = {"time": time, "column": measured[0]}
    return Steps((("Trend", arguments),), f"the trend of {measured[0]} over {time}")


def _is_all_heard(question: Question, kind: str, spots: list[Mention]) -> bool:
    """Whether every word names a column, is of the analysis, or says nothing by itself."""
    heard = {place for spot in spots for place in spot.places}
    heard |= {number.place for number in question.numbers} if kind == "cluster" else set()
    classes = lexicon().classes
    silent = lexicon().stopwords.union(
        *(classes[name] for name in ("plain", "asking", "columns", "whole", "holding", "verb")),
        classes["of any analysis"],
        classes[f"of a {kind}"],
    )
    return all(
        place in heard or word.text.removesuffix("'s") in silent
        for place, word in enumerate(question.words)
    )
