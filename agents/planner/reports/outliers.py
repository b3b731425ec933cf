"""Outliers of a report: how they are to be found, whether they are left out, and their bounds."""

from __future__ import annotations

import re
from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.agents.planner.reports.draft import Draft
from wideleaf.agents.report_form import SENTENCE

_TAKEN_OUT = re.compile(
    r"\b(?:remov|prun|exclud|eliminat|discard|drop|filter)\w*|\bwithout\b", re.I
)
_OUTLIERS = re.compile(r"\boutliers?\b|\boutlying\b", re.I)
Z, FENCE = 3.0, 1.5
IS_ODD: dict[str, JsonValue] = {"column": "is_anomaly", "op": "==", "value": True}


class Outliers(NamedTuple):
    """How outliers are found.

    Attributes:
        method: Of Anomaly.
        threshold: Beyond which a cell is one.
        taken_out: Whether they are to be left out of the figures.
        population: Whether z-scores are by the deviation of a population, as scipy's are where
            a question says nothing else.
    """

    method: str
    threshold: float
    taken_out: bool
    population: bool = False


def read_outliers(text: str) -> Outliers | None:
    """How a question wants outliers to be found, if it speaks of them.

    Args:
        text: All of it.
    """
    if not _OUTLIERS.search(text):
        return None
    lower = text.lower()
    ranged = re.search(r"\biqr\b|interquartile|quartile", lower)
    scored = re.search(
        r"\bz[- ]?scores?\b|standard scores?|standard deviations? (?:from|away)", lower
    )
    if ranged and not scored:
        times = re.search(
            r"(\d+(?:\.\d+)?)\s*(?:\*|x|times)?\s*(?:the )?(?:iqr|interquartile)", lower
        )
        method, threshold = "iqr", float(times[1]) if times else FENCE
    elif scored:
        bound = re.search(
            r"(?:greater than|more than|above|exceed\w*|over|beyond|threshold of|threshold|>"
            r"|outside(?: of)?(?: the)?)\s*(?:\+/-|±)?\s*-?(\d+(?:\.\d+)?)",
            lower[scored.start() :],
        ) or re.search(r"threshold of (\d+(?:\.\d+)?)", lower)
        method, threshold = "z-score", float(bound[1]) if bound else Z
    else:
        method, threshold = "iqr", FENCE
    out = any(_OUTLIERS.search(one) and _TAKEN_OUT.search(one) for one in SENTENCE.split(text))
    sample = re.search(r"\bsample (?:standard|std)|\bpandas\b.{0,20}\bstd\b|ddof ?= ?1", lower)
    return Outliers(method, threshold, out, method == "z-score" and not sample)


def mark_outliers(draft: Draft, column: str, outliers: Outliers) -> str:
    """Add steps that flag the outliers of a column; the frame of all rows with the flag."""
    wish: dict[str, JsonValue] = {
        "columns": [column], "method": outliers.method, "threshold": outliers.threshold
    }  # fmt: skip
    if outliers.population:
        wish["population"] = True
    return draft.add("Anomaly", f"Which cells of {column} are outliers.", wish)


def add_marked(draft: Draft, marked: str, *, odd: bool) -> str:
    """Add the step that keeps the outliers, or the other rows; their frame.

    Args:
        draft: Takes the step.
        marked: The frame that `mark_outliers` made.
        odd: Whether it is the outliers that are kept.
    """
    where: JsonValue = {**IS_ODD, "value": odd}
    thought = "The outliers." if odd else "Without the outliers."
    return draft.add("Filter", thought, {"where": where}, on=marked)


def add_fences(draft: Draft, column: str, times: float) -> str:
    """Add a row of the lower and the upper bound beyond which cells are outliers; its frame.

    Args:
        draft: Takes the steps.
        column: Of numbers.
        times: So many interquartile ranges from the quartiles.
    """
    wish: dict[str, JsonValue] = {
        "measures": [
            {"function": "quantile", "q": 0.25, "column": column, "name": "lower"},
            {"function": "quantile", "q": 0.75, "column": column, "name": "upper"},
            {"function": "iqr", "column": column, "name": "width"},
        ]
    }
    frame = draft.add("Aggregate", f"The quartiles of {column}.", wish)
    away: JsonValue = {"op": "*", "args": [times, "width"]}
    for name, op, end in (("lower bound", "-", "lower"), ("upper bound", "+", "upper")):
        made: dict[str, JsonValue] = {"name": name, "expression": {"op": op, "args": [end, away]}}
        frame = draft.add("Derive", f"The {name}.", made, on=frame)
    return frame
