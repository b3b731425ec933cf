"""Years that a question names: which rows of a column of years it is of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import JsonValue

from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.reports.columns import Spot
from wideleaf.agents.report_form import words_in

_YEAR = r"((?:1[5-9]|20)\d\d)"
_RANGES = (
    rf"\b(?:from|between|years?)\s+(?:the )?(?:years? )?{_YEAR}\s*(?:to|and|through|until|-|–)\s*"
    rf"(?:the )?(?:year )?{_YEAR}\b(?! and beyond| or later| onwards?)",
)
_SINGLES = (
    (rf"{_YEAR}\s*(?:and beyond|or later|and later|onwards?|and after)", ">="),
    (rf"\b(?:since|starting (?:in|from))\s+(?:the year )?{_YEAR}", ">="),
    (rf"\bfrom\s+(?:the year )?{_YEAR}\s+on", ">="),
    (rf"\b(?:after|beyond)\s+(?:the year )?{_YEAR}", ">"),
    (rf"\b(?:before|prior to)\s+(?:the year )?{_YEAR}", "<"),
    (rf"{_YEAR}\s*(?:and before|or earlier|and earlier)", "<="),
    (rf"\b(?:in|of|for|during)\s+(?:the )?(?:year )?{_YEAR}\b", "=="),
    (rf"\byear\s+{_YEAR}\b", "=="),
)


def read_years(text: str, index: TableIndex, spots: Sequence[Spot]) -> tuple[JsonValue, str] | None:
    """The condition that a text has of years, and its column; both empty where it has none.

    Args:
        text: What is asked.
        index: The table's.
        spots: The columns that it names, whose own digits are no years.

    Returns:
        None where there are years and no one column of them, or they are said in several ways.
    """
    named = {place for spot in spots for place in range(spot.start, spot.end)}
    years = [hit for hit in re.finditer(rf"\b{_YEAR}\b(?![-/.]\d)", text)]
    in_headers = {one for header in index.table.columns for one in re.findall(_YEAR, header)}
    if not any(hit.start() not in named and hit[1] not in in_headers for hit in years):
        return {}, ""
    columns = [
        one
        for one in index.of_kind("number")
        if "year" in words_in(one) and _holds_years(index, one)
    ]
    found = list(dict.fromkeys(_bounds(text)))
    if len(columns) != 1 or len(found) != 1:
        return None
    op, value = found[0]
    given: JsonValue = [*value] if op == "between" else value[0]
    return {"column": columns[0], "op": op, "value": given}, columns[0]


def _holds_years(index: TableIndex, column: str) -> bool:
    numbers = index.numbers(column)
    return bool(numbers) and min(numbers) >= 1500 and max(numbers) < 2100


def _bounds(text: str) -> list[tuple[str, tuple[float, ...]]]:
    found: list[tuple[str, tuple[float, ...]]] = []
    taken: set[int] = set()
    for pattern in _RANGES:
        for hit in re.finditer(pattern, text, re.I):
            taken.update(range(*hit.span()))
            found.append(("between", (float(hit[1]), float(hit[2]))))
    for pattern, op in _SINGLES:
        for hit in re.finditer(pattern, text, re.I):
            if taken.isdisjoint(range(*hit.span(1))):
                taken.update(range(*hit.span(1)))
                found.append((op, (float(hit[1]),)))
    return found
