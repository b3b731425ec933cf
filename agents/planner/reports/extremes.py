"""Extremes of a report: the row that has the highest cell, or the group of the highest figure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.reports.assembly import Value
from wideleaf.agents.planner.reports.columns import Spot, by_words, distinct, find_spots
from wideleaf.agents.planner.reports.draft import Draft
from wideleaf.agents.planner.reports.statistic import (
    EXTREME,
    LIST,
    MEASURES,
    own_words,
    statistic_of,
)
from wideleaf.agents.report_form import SENTENCE, Demand, Form, words_in

_COUNTS = re.compile(r"\b(?:number|count|frequen\w*|common|occurrences?|often)\b", re.I)
_FUNCTIONS = (
    (r"\b(?:average|mean)\b", "mean"),
    (r"\bmedian\b", "median"),
    (r"\b(?:total|sum)\b", "sum"),
)
_EMPTY = {"value", "number", "name", "highest", "lowest", "max", "min", "the", "of", "with", "most"}
_WHOLE = {"overall", "all", "whole", "dataset", "entire"}
_PARTS = {"percent", "percentage", "pct", "proportion", "share", "ratio", "difference"}
FIRST = re.compile(r"\bappears? first\b|\bfirst one\b|\bneglecting any ties\b", re.I)
PLACE = "place in the table"
NAME = "figure of the extreme"


class Extreme(NamedTuple):
    """What is the highest or lowest, and of what.

    Attributes:
        descending: Whether the highest is wanted.
        function: Of each group's rows; empty where rows are compared by a cell.
        column: What is compared; empty where rows are counted.
        key: The groups' column.
        labels: By the name of a value the column whose cell it is.
    """

    descending: bool
    function: str
    column: str
    key: str
    labels: dict[str, str]


def read_extreme(form: Form, index: TableIndex, made: Collection[str]) -> Extreme | None:
    """The one extreme that a question asks for beside the cells of its row or group.

    Args:
        form: The question.
        index: The table's.
        made: Columns that were made before.
    """
    told = [one for one in SENTENCE.split(form.task) if EXTREME.search(one)]
    if not told:
        return None
    hits = [hit for one in told for hit in EXTREME.finditer(one)]
    if len({bool(hit["high"]) for hit in hits}) > 1:
        return None
    found = {one: _compared(one, index, made) for one in told}
    sentence = max(told, key=lambda one: _sureness(found[one]))
    first, spot = EXTREME.search(sentence), found[sentence]
    assert first is not None
    column = spot.column if spot else "".join([*made][:1])
    between = sentence[first.end() : spot.start if spot else len(sentence)]
    function = next((name for sign, name in _FUNCTIONS if re.search(sign, between, re.I)), "")
    if not function and re.search(r"\bon average\b", sentence, re.I):
        function = "mean"
    labels = _labels(form, index, column, [*index.table.columns, *made])
    if not labels or len(labels) > len(distinct_values(labels)):
        return None  # two cells of one column are those of two rows
    if not column:
        # *the most runs*, *the highest number of runs*: rows are counted, of no column at all.
        if function or not _COUNTS.search(sentence):
            return None
        function = "count"
    elif not function and _COUNTS.search(between) and not _is_number_of(sentence, spot):
        return None
    keys = distinct_values(labels)
    if function and len(keys) != 1:
        return None
    if function and FIRST.search(form.task):
        return None  # groups stand in no order of their own
    key = keys[0] if function else ""
    return Extreme(bool(first["high"]), function, column, key, labels)


def distinct_values(labels: dict[str, str]) -> list[str]:
    """The columns of labels, each once."""
    return list(dict.fromkeys(labels.values()))


def add_extreme(extreme: Extreme, task: str, draft: Draft) -> str:
    """Add the steps that leave the row, or the group, of the extreme; their frame.

    Args:
        extreme: What is highest or lowest.
        task: What is asked, which may want the first of several rows.
        draft: Takes the steps.
    """
    frame, by = draft.frame, extreme.column
    if FIRST.search(task):
        frame = draft.add("Position", "As the rows are listed.", {"name": PLACE})
        listed: JsonValue = [
            {"column": by, "descending": extreme.descending}, {"column": PLACE}
        ]  # fmt: skip
        wanted: dict[str, JsonValue] = {"by": listed, "limit": 1, "ties": "cut"}
        return draft.add("Sort", "The first at the extreme.", wanted, on=frame)
    if extreme.function:
        measure: dict[str, JsonValue] = {"function": extreme.function, "name": NAME}
        if extreme.column:
            measure["column"] = extreme.column
        wish: dict[str, JsonValue] = {"keys": [extreme.key], "measures": [measure]}
        frame, by = draft.add("Group", f"By {extreme.key}.", wish), NAME
    order: JsonValue = [{"column": by, "descending": extreme.descending}]
    found: dict[str, JsonValue] = {"by": order, "limit": 1}
    return draft.add("Sort", "The one at the extreme.", found, on=frame)


def points_back(task: str, extreme: Extreme) -> bool:
    """Whether a question goes on with the rows of the label: *the wage in this region*."""
    nouns = {word for label in extreme.labels.values() for word in words_in(label)}
    nouns |= {word for name in extreme.labels for word in words_in(name)}
    hits = re.findall(r"\b(?:this|that|these|those|the same)\s+([a-z]+)", task, re.I)
    return any({hit.lower(), hit.lower().removesuffix("s")} & nouns for hit in hits)


def rows_like(extreme: Extreme, found: str, draft: Draft) -> str:
    """Add the step that keeps the rows with the label of the extreme; their frame."""
    label: JsonValue = extreme.key or distinct_values(extreme.labels)[-1]
    wish: dict[str, JsonValue] = {
        "left": draft.frame, "right": found, "how": "semi", "on": [label]
    }  # fmt: skip
    return draft.add("Join", f"The rows of that {label}.", wish)


def value_of(extreme: Extreme, demand: Demand, frame: str, by_groups: bool) -> Value | None:
    """Where a value stands in the frame of an extreme; None for one that is of all rows.

    Args:
        extreme: What is highest or lowest.
        demand: The value.
        frame: That has the row of the extreme.
        by_groups: Whether the question asks for a figure of each group.
    """
    if demand.name in extreme.labels:
        return Value(frame, extreme.labels[demand.name])
    kind = statistic_of(demand)
    counts = extreme.function == "count" and _COUNTS.search(" ".join((*demand.words, demand.told)))
    of_groups = kind == "sum" or by_groups
    same = extreme.function == kind and of_groups and not _WHOLE & {*demand.words}
    if _PARTS & {*demand.words}:
        return None  # of the cell itself nothing says what it is a part of
    if not (EXTREME.search(" ".join(demand.words)) or counts or same):
        return None
    figure = NAME if extreme.function else extreme.column
    fits = kind in ("", "max", "min", "range", "rows", extreme.function)
    return Value(frame, figure) if fits else None


def _labels(form: Form, index: TableIndex, column: str, columns: Sequence[str]) -> dict[str, str]:
    """The values that are cells of other columns than the one that is compared, by name."""
    found: dict[str, str] = {}
    for demand in form.demands:
        kind = statistic_of(demand)
        if demand.choices or kind not in ("", "max", "min", "mode", LIST, *MEASURES):
            continue
        quoted = [spot for spot in find_spots(demand.told, index) if spot.quoted]
        words = own_words(demand)
        if "with" in words:  # of *stations_with_most_lines* the stations are told
            words = words[: words.index("with")]
        slot = words_in(demand.slot)
        own = {*words, *slot, *map("".join, pairwise(slot))} - _EMPTY
        others = [one for one in columns if one != column]
        label = next((one for one in distinct(quoted) if one != column), "")
        label = label or _by_name(own, others)
        if not label and re.search(r"\bnames? of\b", demand.told):
            label = _by_name({"name"}, others)
        if kind in MEASURES - {"max", "min", "mode"}:  # *the type with the highest mean*
            text = index.kinds.get(label) == "text" and EXTREME.search(" ".join(demand.words))
            label = label if text else ""
        first = next((word for word in demand.words if not EXTREME.fullmatch(word)), "")
        whole = {*words_in(label)} <= own and not {*words_in(column)} <= own
        # *region_highest_price* begins with what it is, *highest_youth_country* ends with it.
        sure = quoted or whole or first in words_in(label)
        if label and (sure or not (column and _by_name(own, [column]))):
            found[demand.name] = label
    return found


def _compared(sentence: str, index: TableIndex, made: Collection[str]) -> Spot | None:
    """The column of numbers behind the word of an extreme."""
    first = EXTREME.search(sentence)
    spots = find_spots(sentence, index, made) if first else []
    for name in made:
        words = r"\W+".join(map(re.escape, words_in(name)))
        if hit := re.compile(rf"\b{words}\b", re.I).search(sentence, first.start() if first else 0):
            return Spot(name, *hit.span(), quoted=True, written=True)
    return next(
        (
            spot
            for spot in spots
            if first and spot.start >= first.start()
            if spot.column in made or index.kinds.get(spot.column) == "number"
        ),
        None,
    )


def _sureness(spot: Spot | None) -> int:
    return 0 if spot is None else 1 + spot.written + spot.quoted


def _by_name(words: Collection[str], columns: Sequence[str]) -> str:
    singular = {word.removesuffix("s") for word in words} | {*words}
    return by_words(singular, columns)


def _is_number_of(sentence: str, spot: Spot | None) -> bool:
    """Whether *number of* belongs to what a column counts: *the highest number of passengers*."""
    return spot is not None and bool(re.search(r"\bnumber of\W+$", sentence[: spot.start], re.I))
