"""What is done to columns before a report is made of them: new ones, gaps, scales."""

from __future__ import annotations

import re

from pydantic import JsonValue

from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.reports.chosen_rows import SENTENCE
from wideleaf.agents.planner.reports.columns import Spot, distinct, find_spots
from wideleaf.agents.planner.reports.draft import Draft
from wideleaf.agents.planner.reports.form import quoted_in

_MADE = re.compile(
    r"\b(?:new|additional|derived|engineered)\s+(?:\w+\s+){0,2}?(?:feature|column|variable|metric)s?"
    r"|\b(?:feature|column|variable) (?:called|named)|\bcreat\w+ a (?:feature|column|variable)",
    re.I,
)
_NAMED = re.compile(
    r"(?:called|named|,)\s+(?:as\s+)?[\"'“]?([A-Za-z][\w ]*?[\w])[\"'”]?(?=[\s,.;:(]|$)"
)
_OPERATIONS = (
    (r"\bdivid|\bratio\b|\bquotient\b|\bproportion of\b", "/"),
    (r"\bdifference\b|\bsubtract|\bminus\b", "-"),
    (r"\bproduct\b|\bmultipl", "*"),
    (r"\bsum\b|\badding\b|\badd\b|\btotal\b|\bplus\b|\bcombin", "+"),
)
_GAPS = re.compile(r"\b(?:missing|null|nan)\b", re.I)
_FILLS = re.compile(r"\b(?:imput|fill|replac)\w*", re.I)
_WITH = re.compile(r"\b(mean|average|median|mode)s?\b", re.I)


def make_column(task: str, index: TableIndex, draft: Draft) -> str | None:
    """Add the column that a question has made of others; its name, or empty if none is to be.

    Args:
        task: What is asked.
        index: The table's.
        draft: Takes the step.

    Returns:
        None where one is to be made, and how cannot be read.
    """
    asked = _MADE.search(task)
    if asked is None:
        return ""
    known = {name.lower() for name in index.table.columns}
    names = [one for one in quoted_in(task[asked.start() :]) if one.lower() not in known]
    if not names:
        named = _NAMED.search(task[asked.start() :])
        names = [named[1]] if named and named[1].lower() not in known else []
    name = names[0] if names else "new feature"
    for sentence in _sentences_on(task, asked.start(), name):
        spots = [s for s in find_spots(sentence, index) if s.column.lower() != name.lower()]
        for pattern, op in _OPERATIONS:
            hit = re.search(pattern, sentence, re.I)
            if hit is None:
                continue
            expression = _expression(op, sentence, hit, spots)
            if expression is not None:
                thought = f"Make {name}."
                wish: dict[str, JsonValue] = {"name": name, "expression": expression}
                draft.frame = draft.add("Derive", thought, wish)
                return name
    return None


def fill_gaps(task: str, index: TableIndex, draft: Draft, columns: list[str]) -> bool:
    """Add a step that fills nulls where a question says with what; whether it could be read."""
    for sentence in SENTENCE.split(task):
        if not (_GAPS.search(sentence) and _FILLS.search(sentence)):
            continue
        found = _WITH.search(sentence)
        if found is None:
            return False
        method = {"average": "mean"}.get(found[1].lower(), found[1].lower())
        named = distinct(find_spots(sentence, index)) or columns
        listed: list[JsonValue] = [
            one for one in named if method == "mode" or index.kinds.get(one) == "number"
        ]
        if not listed:
            return False
        wish: dict[str, JsonValue] = {"columns": listed, "method": method}
        draft.frame = draft.add("Impute", f"Fill gaps with the {method}.", wish)
    return True


def transform(task: str, index: TableIndex, draft: Draft, column: str) -> str | None:
    """Add the column that a question has another one turned into; its name, or that of the other.

    Args:
        task: What is asked.
        index: The table's.
        draft: Takes the step.
        column: What is turned.

    Returns:
        None where it is turned in a way that is not read.
    """
    lower = task.lower()
    if re.search(r"\blog(?:arithm\w*)?[- ]?transform|\bnatural log|\blogarithm", lower):
        method, name = "log", f"log_{column}"
    elif re.search(r"\bmin[- ]?max|\brange (?:of )?\[?0", lower):
        method, name = "min-max", f"scaled_{column}"
    else:
        turned = re.search(r"\btransform\w*\b|\bnormali[sz](?!ed difference|ity)", lower)
        return None if turned else column
    if name in index.table.columns:
        return None
    wish: dict[str, JsonValue] = {"columns": [column], "method": method}
    draft.frame = draft.add("Normalise", f"{column}, {method}.", wish)
    return name


def of_population(text: str) -> bool:
    """Whether the standard deviation is to be that of a population."""
    lower = text.lower()
    return bool(re.search(r"(?<!not the )\bpopulation (?:standard|variance|std)", lower))


def _sentences_on(task: str, start: int, name: str) -> list[str]:
    """Sentences from where a column is spoken of, that one first, then those with its name."""
    sentences, place = [], 0
    for sentence in SENTENCE.split(task):
        at = task.find(sentence, place)
        place = at + len(sentence)
        if place > start:
            sentences.append(sentence)
    first, rest = sentences[:1], sentences[1:]
    return first + [one for one in rest if name.lower() in one.lower()] + [
        one for one in rest if name.lower() not in one.lower()
    ]  # fmt: skip


def _expression(
    op: str, sentence: str, hit: re.Match[str], spots: list[Spot]
) -> dict[str, JsonValue] | None:
    after = [spot.column for spot in spots if spot.start > hit.start()]
    columns = list(dict.fromkeys(after if len(set(after)) > 1 else [s.column for s in spots]))
    if len(columns) < 2:
        return None
    if op in ("+", "*"):
        listed: list[JsonValue] = [*columns]
        if op == "+":
            made: dict[str, JsonValue] = {"op": "+", "args": listed[:2]}
            for one in listed[2:]:
                made = {"op": "+", "args": [made, one]}
            return made
        return {"op": "*", "args": listed[:2]}
    left, right = columns[:2]
    taken = op == "-" and re.search(r"subtract", sentence[hit.start() : hit.end()], re.I)
    if taken and re.search(r"\bfrom\b", sentence[hit.start() :]):
        left, right = right, left
    return {"op": op, "args": [left, right]}
