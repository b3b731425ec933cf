"""New columns that a report has made of others: arithmetic, logarithms, days between dates."""

from __future__ import annotations

import re

from pydantic import JsonValue

from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.reports.columns import Spot, find_spots
from wideleaf.agents.planner.reports.draft import Draft
from wideleaf.agents.planner.reports.formulas import read_formula, read_logarithm
from wideleaf.agents.report_form import SENTENCE, quoted_in

MADE = re.compile(
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
DEFINED = re.compile(
    r"(?:\bthe )?[\"'“]?\b([A-Za-z][\w ]{1,30}?)[\"'”]?\s+(?:is|are)\s+(?:the number of days|"
    r"(?:calculated|computed|defined|measured)\b)",
    re.I,
)
_DATES = ("date", "datetime")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\w)")
_TIMES = re.compile(r"(?:multipl\w+ by|times|\*|×)\s*(\d+(?:\.\d+)?)", re.I)
_PART = re.compile(r"\bextract\w*\b.{0,20}?\b(year|month|quarter|week|weekday|day|hour)\b", re.I)
_COUNTS = re.compile(
    r"\b(?:number of|count of|how many)\b.{0,20}?\b(characters?|words?|items?|lines?|elements?)\b",
    re.I,
)
_JOINED = re.compile(r"\bplus\b|\bcombined\b|\bsum of\b|\btogether\b|\+", re.I)
_ONE_MORE = re.compile(r"\+\s*1\b|counting both|inclusive|plus (?:1|one)\b", re.I)


def make_column(task: str, index: TableIndex, draft: Draft) -> str | None:
    """Add the column that a question has made of others; its name, or empty if none is to be.

    Args:
        task: What is asked.
        index: The table's.
        draft: Takes the step.

    Returns:
        None where one is to be made, and how cannot be read.
    """
    asked = MADE.search(task)
    if asked is None:
        return _defined(task, index, draft)
    known = {name.lower() for name in index.table.columns}
    names = [one for one in quoted_in(task[asked.start() :]) if one.lower() not in known]
    if not names:
        named = _NAMED.search(task[asked.start() :])
        names = [named[1]] if named and named[1].lower() not in known else []
    name = names[0] if names else "new feature"
    for sentence in _sentences_on(task, asked.start(), name):
        spots = [s for s in find_spots(sentence, index) if s.column.lower() != name.lower()]
        formula = read_formula(sentence, index.table.columns)
        if isinstance(formula, dict):
            wish: dict[str, JsonValue] = {"name": name, "expression": formula}
            draft.frame = draft.add("Derive", f"Make {name}.", wish)
            return name
        expression = _of_dates(sentence, spots, index) or _of_one(sentence, spots, index)
        expression = expression or _of_part(sentence, spots, index)
        expression = expression or _of_text(sentence, spots, index)
        for pattern, op in _OPERATIONS if expression is None else ():
            if (hit := re.search(pattern, sentence, re.I)) and expression is None:
                expression = _expression(op, sentence, hit, spots)
        if expression is None:
            continue
        if _is_left_over(sentence, expression, spots):
            return None
        wish = {"name": name, "expression": expression}
        draft.frame = draft.add("Derive", f"Make {name}.", wish)
        return name
    return None


def _defined(task: str, index: TableIndex, draft: Draft) -> str:
    """Add the days between two dates that a sentence defines; their name, or empty."""
    for sentence in SENTENCE.split(task):
        spots = find_spots(sentence, index)
        expression = _of_dates(sentence, spots, index)
        named = DEFINED.search(sentence)
        if expression is not None and named:
            name = named[1].replace(" ", "_")
            wish: dict[str, JsonValue] = {"name": name, "expression": expression}
            draft.frame = draft.add("Derive", f"Make {name}.", wish)
            return name
    return ""


def _of_dates(sentence: str, spots: list[Spot], index: TableIndex) -> dict[str, JsonValue] | None:
    """The days between two dates: *A minus B* from B, *between A and B* from A."""
    dates = [spot for spot in spots if index.kinds.get(spot.column) in _DATES]
    columns = list(dict.fromkeys(spot.column for spot in dates))
    if len(columns) != 2 or not re.search(r"\bdays?\b", sentence, re.I):
        return None
    first, second = (next(s for s in dates if s.column == one) for one in columns)
    minus = re.search(r"\bminus\b|\s[-−]\s", sentence[first.end : second.start])
    until = re.search(r"\buntil\b|\bto\b|\band\b", sentence[first.end : second.start])
    if not (minus or until):
        return None
    ends: list[JsonValue] = [*reversed(columns)] if minus else [*columns]
    made: dict[str, JsonValue] = {"op": "days between", "args": ends}
    return {"op": "+", "args": [made, 1]} if _ONE_MORE.search(sentence) else made


def _of_one(sentence: str, spots: list[Spot], index: TableIndex) -> dict[str, JsonValue] | None:
    """The logarithm of a column, to the base that is named, else the natural one."""
    numbers = list(dict.fromkeys(s.column for s in spots if index.kinds.get(s.column) == "number"))
    op = read_logarithm(sentence)
    if len(numbers) != 1 or not op or re.search(r"\+ ?1\b", sentence):
        return None
    return {"op": op, "args": [numbers[0]]}


def _of_part(sentence: str, spots: list[Spot], index: TableIndex) -> dict[str, JsonValue] | None:
    """The year, month or other part of a date, where it is extracted."""
    dates = [spot.column for spot in spots if index.kinds.get(spot.column) in _DATES]
    part = _PART.search(sentence)
    if len(set(dates)) != 1 or part is None:
        return None
    return {"op": part[1].lower(), "args": [dates[0]]}


def _of_text(sentence: str, spots: list[Spot], index: TableIndex) -> dict[str, JsonValue] | None:
    """How many characters, words or listed items a text has."""
    texts = [spot.column for spot in spots if index.kinds.get(spot.column) == "text"]
    counts = _COUNTS.search(sentence)
    if len(set(texts)) != 1 or counts is None:
        return None
    text: JsonValue = {"op": "trim", "args": [texts[0]]}
    if counts[1].lower().startswith("char"):
        return {"op": "length", "args": [texts[0]]}
    between: JsonValue = {"value": ","}
    if counts[1].lower().startswith("word"):
        between = {"value": " "}
        text = {"op": "replace pattern", "args": [text, {"value": r"\s+"}, between]}
    bare: JsonValue = {"op": "replace", "args": [text, between, {"value": ""}]}
    lengths: list[JsonValue] = [{"op": "length", "args": [one]} for one in (text, bare)]
    return {"op": "+", "args": [{"op": "-", "args": lengths}, 1]}


def _is_left_over(sentence: str, made: dict[str, JsonValue], spots: list[Spot]) -> bool:
    """Whether a number of the sentence has no part in what was made of it."""
    named = {place for spot in spots for place in range(spot.start, spot.end)}
    text = str(made)
    return any(
        hit.start() not in named and not re.search(rf"(?<![\d.]){float(hit[0]):g}(?![\d.])", text)
        for hit in _NUMBER.finditer(sentence)
        if not (made["op"] == "log10" and hit[0] == "10")
    )


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
    """Columns put together, and the number that the outcome is multiplied by."""
    made = _together(op, sentence, hit, spots)
    times = _TIMES.search(sentence)
    if made is None or times is None:
        return made
    return {"op": "*", "args": [made, float(times[1])]}


def _together(
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
    before = {spot.column for spot in spots if spot.start < hit.start()}
    if op == "-" and set(after) & before and "minus" in hit[0].lower():
        return None  # one column at two times, which is no difference of columns
    if len(columns) == 3 and op == "-" and _JOINED.search(sentence):
        both: JsonValue = {"op": "+", "args": [columns[1], columns[2]]}
        return {"op": "-", "args": [columns[0], both]}
    if len(columns) > 2:
        return None
    left, right = columns[:2]
    taken = op == "-" and re.search(r"subtract", sentence[hit.start() : hit.end()], re.I)
    if taken and re.search(r"\bfrom\b", sentence[hit.start() :]):
        left, right = right, left
    return {"op": op, "args": [left, right]}
