"""Plain questions for an analysis: a test, a regression, clusters or a trend, and its columns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from pydantic import JsonValue

from wideleaf.agents.planner.links.lexicon import Question, lexicon, read_words
from wideleaf.agents.planner.links.table_index import TableIndex, index_table
from wideleaf.agents.planner.reports import analysis as analyses
from wideleaf.agents.planner.reports.columns import Spot, distinct, find_spots
from wideleaf.agents.planner.reports.draft import Draft
from wideleaf.agents.planner.scenes.derivation import PlanProposal
from wideleaf.tools.tables.table import Table

SURE = 0.8
MOST_WORDS = 40
"""A longer question says more than an analysis and its columns."""
TWO = 2
_APART = re.compile(r"\b(?:significant(?:ly)?|statistically)\b.*\bdiffer", re.I)
_REGRESSED = re.compile(
    r"\bregress(?:ion of)?\b|\blinear regression\b|\bordinary least squares\b|\bols\b", re.I
)
_ON = re.compile(r"\b(?:on|against|from|using|by|with)\b", re.I)
_CLUSTERED = re.compile(r"\bcluster(?:s|ing|ed)?\b|\bsegment(?:s|ation)?\b|\bk-?means\b", re.I)
_TREND = re.compile(
    r"\btrend(?:s|ing)?\b|\b(?:ris|fall|increas|decreas|grow)ing\b.*\bover\b|\bover (?:the )?"
    r"(?:time|years)\b", re.I,
)  # fmt: skip
_SHOWN = ("column", "other", "test", "statistic", "p_value", "significant", "effect_size", "rows")


def read_analysis(text: str, tables: Mapping[str, Table]) -> PlanProposal | None:
    """A plan for a question that is an analysis and its columns; None where it says more.

    Args:
        text: The question.
        tables: The tables by their labels; of several none is meant.
    """
    if len(tables) != 1 or len(read_words(text)) > MOST_WORDS:
        return None
    kind = _kind(text)
    if not kind:
        return None
    ((label, table),) = tables.items()
    index = index_table(table)
    spots = find_spots(text, index)
    numbers = [one for one in distinct(spots) if index.kinds[one] == "number"]
    if not spots or not _is_all_heard(text, kind, spots):
        return None
    draft = Draft(label)
    made = {"test": _test, "regression": _regression, "cluster": _clusters, "trend": _trend}
    said = made[kind](text, spots, numbers, index, draft)
    return draft.plan(SURE, f"{said} of {label}") if said else None


def _kind(text: str) -> str:
    if _REGRESSED.search(text):
        return "regression"
    if analyses.test_of(text) or _APART.search(text):
        return "test"
    if _CLUSTERED.search(text):
        return "cluster"
    return "trend" if _TREND.search(text) else ""


def _test(
    text: str, spots: Sequence[Spot], numbers: list[str], index: TableIndex, draft: Draft
) -> str:
    columns = distinct(spots)
    named = text
    if not analyses.test_of(text):
        others = [one for one in columns if one not in numbers]
        if not others:
            return ""
        two = len(index.distinct(others[0])) == TWO
        named = f"{text} ({'welch' if two else 'anova'})"
    made = analyses.run_test(named, columns, index, draft)
    if made is None or set(columns) - set(made.columns):
        return ""
    shown: list[JsonValue] = [*_SHOWN]
    draft.add("Select", "What tells.", {"columns": shown}, on=made.frame)
    return f"{analyses.test_of(named)} test of {' and '.join(made.columns)}"


def _regression(
    text: str, spots: Sequence[Spot], numbers: list[str], index: TableIndex, draft: Draft
) -> str:
    columns = distinct(spots)
    if len(columns) < TWO or columns[0] not in numbers:
        return ""
    between = text[spots[0].end : spots[1].start]
    if not _ON.search(between):
        return ""
    features: list[JsonValue] = [*columns[1:]]
    wish: dict[str, JsonValue] = {"target": columns[0], "features": features}
    draft.add("Fit", f"{columns[0]} by least squares.", wish)
    return f"the regression of {columns[0]} on {', '.join(columns[1:])}"


def _clusters(
    text: str, spots: Sequence[Spot], numbers: list[str], index: TableIndex, draft: Draft
) -> str:
    if len(numbers) < 1 or set(distinct(spots)) - set(numbers):
        return ""
    listed: list[JsonValue] = [*numbers]
    wish: dict[str, JsonValue] = {"columns": listed, "result": "profiles"}
    lower = text.lower()
    if "hierarchical" in lower:
        wish["method"] = "hierarchical"
    counts = [number.value for number in Question(text).numbers]
    if counts and counts[0] >= TWO:
        wish["k"] = int(counts[0])
    draft.add("Cluster", f"Groups of rows alike in {', '.join(numbers[:3])}.", wish)
    return f"clusters by {', '.join(numbers[:3])}"


def _trend(
    text: str, spots: Sequence[Spot], numbers: list[str], index: TableIndex, draft: Draft
) -> str:
    columns = distinct(spots)
    times = [c for c, kind in index.kinds.items() if kind in ("date", "datetime")]
    times += [c for c in index.table.columns if index.yearly(c)]
    time = next((one for one in columns if one in times), times[0] if len(times) == 1 else "")
    measured = [one for one in numbers if one != time]
    if not time or len(measured) != 1 or set(columns) - {time, *measured}:
        return ""
    wish: dict[str, JsonValue] = {"time": time, "column": measured[0]}
    draft.add("Trend", f"{measured[0]} along {time}.", wish)
    return f"the trend of {measured[0]} over {time}"


def _is_all_heard(text: str, kind: str, spots: Sequence[Spot]) -> bool:
    """Whether every word names a column, is of the analysis, or says nothing by itself."""
    named = {place for spot in spots for place in range(spot.start, spot.end)}
    classes = lexicon().classes
    slight = lexicon().stopwords | classes["plain"] | classes["asking"] | classes["columns"]
    slight |= classes["whole"] | classes["holding"] | classes["verb"]
    known = slight | _heard()[kind]
    question = Question(text)
    counted = {number.place for number in question.numbers} if kind == "cluster" else set[int]()
    return all(
        word.start in named
        or place in counted
        or word.text.removesuffix("'s") in known
        or known.issuperset(word.text.split("-"))
        for place, word in enumerate(question.words)
    )


@cache
def _heard() -> dict[str, frozenset[str]]:
    source = files("wideleaf.agents.planner.reports").joinpath("heard.txt")
    lines = [one for one in source.read_text("utf-8").splitlines() if not one.startswith("#")]
    parted = (line.partition(":") for line in lines if line)
    return {kind: frozenset(words.split()) for kind, _, words in parted}
