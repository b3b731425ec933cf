"""Whether an answer is right: by its rows beside the golds', or by what its text holds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import wideleaf as wl
from wideleaf.agents.answer.spans import clean, number_of
from wideleaf_evaluation.scorers.rows import same_rows

NEAR = 5e-4
"""Relative difference within which a number is the gold one: an answer may be rounded."""
MAX_COLUMNS = 8
NEAR_TEXT, MIN_NEAR, PERCENT = 0.006, 0.0051, 0.51
"""How far a number of a text may be off: relative, absolute, and in percent of one told as 0.42."""
NUMBER = re.compile(r"-?\d[\d,]*\.?\d*")


def verdict(line: dict[str, Any], result: wl.Result) -> str:
    """Right, wrong or refused, by rows; of what cannot be answered, a refusal is right."""
    given = result.status == "answered" and result.value is not None
    nothing = given and result.value in ([], 0) and any("No " in one for one in result.caveats)
    if line["unanswerable"]:
        return "refused" if not given or nothing else "wrong"
    if not given and result.status == "answered":
        given = None in line["answers"] or [] in line["answers"]
        return "right" if given else "refused"
    if not given:
        return "refused"
    return "right" if is_right(result.value, line["answers"]) else "wrong"


def is_right(value: Any, golds: Sequence[Any]) -> bool:
    """Whether an answer holds some gold: the same rows, with at most a few columns more."""
    rows = rows_of(value)
    if not rows or len(rows[0]) > MAX_COLUMNS:
        return any(same_rows(rows_of(gold), rows) for gold in golds if rows)
    return any(_same(rows_of(gold), rows) for gold in golds)


def rows_of(value: Any) -> list[list[Any]]:
    """An answer as rows of cells."""
    if isinstance(value, dict):
        return [[clean(cell) for cell in value.values()]]
    if isinstance(value, list):
        return [
            [clean(cell) for cell in (one.values() if isinstance(one, dict) else one)]
            if isinstance(one, dict | list)
            else [clean(one)]
            for one in value
        ]
    return [] if value is None else [[clean(value)]]


def _same(gold: list[list[Any]], rows: list[list[Any]]) -> bool:
    if len(rows) == 1 < len(gold) and all(len(row) == 1 for row in gold):
        gold = [[cell for (cell,) in gold]]  # the least and the greatest, in one row
    if len(gold) != len(rows) or not gold or len({len(row) for row in gold}) > 1:
        return False
    return same_rows(_written(gold, gold), _written(rows, gold), within=True)


def _written(rows: list[list[Any]], gold: list[list[Any]]) -> list[list[Any]]:
    """Numbers that are near one of the gold as that, so that rounding is no difference."""
    known = [n for row in gold for n in map(number_of, row) if n is not None]
    found = []
    for row in rows:
        cells = []
        for cell in row:
            number = number_of(cell)
            near = [k for k in known if number is not None and abs(k - number) <= NEAR * abs(k)]
            cells.append(near[0] if near else cell)
        found.append(cells)
    return found


def judge_text(line: dict[str, Any], result: wl.Result) -> tuple[bool, bool, float, str]:
    """Whether a question was answered and rightly, by its text; how surely, and what was said.

    A question without answers asks for what is not there: a refusal of it is right.
    """
    answered, text = result.status == "answered", str(result.answer)
    if answered:
        text += f"\n{result.value}"
    right = answered and holds(text, line["answers"]) if any(line["answers"]) else not answered
    return answered, right, result.confidence or 0.0, text[:400]


def holds(text: str, golds: Sequence[Sequence[Any]]) -> bool:
    """Whether an answer as text has each key value of one of the answers that are right."""
    found = [m.replace(",", "").rstrip(".") for m in NUMBER.findall(text)]
    numbers = [float(number) for number in found if number.strip("-")]
    return any(all(_has(value, text.casefold(), numbers) for value in gold) for gold in golds)


def _has(value: Any, text: str, numbers: Sequence[float]) -> bool:
    if isinstance(value, bool):
        said = ("yes", "true") if value else ("no", "false")
        return any(re.search(rf"\b{word}\b", text) for word in said)
    try:
        wanted = float(value)
    except ValueError:
        return str(value).casefold() in text
    near = max(abs(wanted) * NEAR_TEXT, MIN_NEAR)
    return any(
        abs(n - wanted) <= near or abs(100 * n - wanted) <= max(near, PERCENT) for n in numbers
    )
