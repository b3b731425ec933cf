"""Which rows a report is of: conditions, outliers, and what it asks of some rows unread."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.reports.columns import Spot, find_spots
from wideleaf.agents.planner.reports.draft import Draft
from wideleaf.agents.planner.reports.form import quoted_in

_TAKEN_OUT = re.compile(
    r"\b(?:remov|prun|exclud|eliminat|discard|drop|filter)\w*|\bwithout\b", re.I
)
_OUTLIERS = re.compile(r"\boutliers?\b|\boutlying\b", re.I)
_SOME = re.compile(
    r"\bfor (?:the )?(?:years?|each|every|all)\b(?! (?:rows?|records?|values?))|\bin each\b"
    r"|\bseparately\b|\bgroup(?:ed)? by\b"
    r"|\bper (?:group|category)\b|\bduring the\b|\bonly (?:consider|include|use)\b"
    r"|\bbeyond \d|\bbefore and after\b|\bfrom \d{4}\b|\bwithin the same\b|\bsame\b.{0,20}\bas\b",
    re.I,
)
_EQUALS = r"\s*(?:column|value)?\s*(?:of|=|==|is|equals?|equal to)\s*"
SENTENCE = re.compile(r"(?<=[.?!;])\s+|\n|\\n")
Z, FENCE = 3.0, 1.5
MOST_LEVELS = 30


class Outliers(NamedTuple):
    """How outliers are found.

    Attributes:
        method: Of Anomaly.
        threshold: Beyond which a cell is one.
        taken_out: Whether they are to be left out of the figures.
    """

    method: str
    threshold: float
    taken_out: bool


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
    return Outliers(method, threshold, out)


def choose_rows(task: str, index: TableIndex, draft: Draft) -> list[Spot]:
    """Add the rows' conditions that stand as a header and a value; their spots.

    Args:
        task: What is asked.
        index: The table's.
        draft: Takes the steps.
    """
    used: list[Spot] = []
    for spot in find_spots(task, index):
        after = re.match(rf"[\"'”]?{_EQUALS}[\"'“]?(-?\d+(?:\.\d+)?)\b", task[spot.end :])
        if after and index.kinds.get(spot.column) == "number":
            condition: JsonValue = {"column": spot.column, "op": "==", "value": float(after[1])}
            draft.frame = draft.add("Filter", "Only those rows.", {"where": condition})
            used.append(spot)
    return used


def restricts(task: str, index: TableIndex, spots: Sequence[Spot], used: int) -> bool:
    """Whether a question asks of some rows or groups in a way that is not read.

    Args:
        task: What is asked.
        index: The table's.
        spots: The columns that it names.
        used: How many conditions were read.
    """
    if not used and _SOME.search(task):
        return True
    named = {place for spot in spots for place in range(spot.start, spot.end)}
    known = {name.lower() for name in index.table.columns}
    for cell in quoted_in(task):
        if cell.lower() not in known and index.in_cells(cell):
            return True
    for hit in re.finditer(r"[A-Za-z]{4,}", task):
        if hit.start() in named or not index.in_cells(hit[0]):
            continue
        kept = [c for c in index.of_kind("text") if index.knows_cells(c)]
        if any(hit[0].lower() in map(str.lower, _levels(index, c)) for c in kept):
            return True
    return False


def mark_outliers(draft: Draft, column: str, outliers: Outliers) -> str:
    """Add steps that flag the outliers of a column; the frame of all rows with the flag."""
    wish: dict[str, JsonValue] = {
        "columns": [column], "method": outliers.method, "threshold": outliers.threshold
    }  # fmt: skip
    return draft.add("Anomaly", f"Which cells of {column} are outliers.", wish)


def _levels(index: TableIndex, column: str) -> list[str]:
    """The values of a text of few, which may be what rows are chosen by."""
    values = index.distinct(column)
    return [str(one) for one in values] if len(values) <= MOST_LEVELS else []
