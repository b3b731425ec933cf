"""Spans: an answer's cells as they are compared with others, as text, number or truth value."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from typing import Any, TypeVar

_Answer = TypeVar("_Answer")
RELATIVE = 1e-6
TRUTHS = {"yes": True, "no": False, "true": True, "false": False}


def clean(cell: Any) -> Any:
    """A cell as a plain Python value; what is missing is None."""
    if cell is None or isinstance(cell, (bool, int, str)):
        return cell
    if isinstance(cell, float):
        return None if math.isnan(cell) else cell
    if str(cell) in ("NaT", "<NA>", "nan"):
        return None
    if isinstance(cell, datetime):
        return cell.isoformat(" ").removesuffix(" 00:00:00")
    if isinstance(cell, date):
        return cell.isoformat()
    if hasattr(cell, "item"):  # a NumPy scalar
        return clean(cell.item()) if getattr(cell, "ndim", 0) == 0 else str(cell)
    try:
        return float(cell)  # Decimal
    except (TypeError, ValueError, OverflowError):
        return str(cell)


def number_of(cell: Any, *, marks: bool = False) -> float | None:
    """The number that a cell is or that its text says, else None.

    Args:
        cell: The cell.
        marks: Whether ``1,234``, ``$5`` and ``12%`` count, too.
    """
    if isinstance(cell, bool) or cell is None:
        return None
    if isinstance(cell, (int, float)):
        return float(cell) if math.isfinite(cell) else None
    text = str(cell).strip()
    if marks:
        text = text.strip("$€£%").strip()
        if re.fullmatch(r"[-+]?\d{1,3}(,\d{3})+(\.\d+)?", text):
            text = text.replace(",", "")
    if not re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,3})?", text):
        return None
    number = float(text)
    return number if math.isfinite(number) else None


def close(left: float, right: float) -> bool:
    """Whether two numbers are equal, within 1e-6 of the larger unless both are whole."""
    if left == right:
        return True
    if left.is_integer() and right.is_integer():
        return False
    return abs(left - right) <= RELATIVE * max(abs(left), abs(right), RELATIVE)


def span(cell: Any) -> str:
    """A denotation span: lower case, trimmed, without trailing period, quotes and ``.0``."""
    text = str("none" if cell is None else cell).strip().lower()
    text = text.strip("\"'“”‘’").strip()
    text = text.removesuffix(".").removesuffix(".0").strip()
    number = number_of(text, marks=text[-1:].isdigit() and text[:1] in "-+0123456789")
    return text if number is None else text.replace(",", "")


def same_span(left: str, right: str) -> bool:
    """Whether two spans are equal, as numbers where both are."""
    if left == right:
        return True
    one, two = number_of(left), number_of(right)
    return one is not None and two is not None and close(one, two)


def truth_as(cells: Iterable[Any], gold: Iterable[Any]) -> list[Any]:
    """Cells with truth values in the words that the gold uses for them, if it uses any."""
    words = {str(g).strip().lower().removesuffix(".") for g in gold}
    if words & {"yes", "no"}:
        spellings = {True: "yes", False: "no"}
    elif words & {"true", "false"}:
        spellings = {True: "true", False: "false"}
    else:
        return list(cells)
    output = []
    for cell in cells:
        truth = cell if isinstance(cell, bool) else TRUTHS.get(str(cell).strip().lower())
        output.append(cell if truth is None else spellings[truth])
    return output


def same_bag_of_spans(cells: Sequence[str], gold: Sequence[str]) -> bool:
    """Whether two lists hold the same spans, in any order."""
    return len(cells) == len(gold) and count_shared(cells, gold) == len(gold)


def count_shared(cells: Sequence[str], gold: Sequence[str]) -> int:
    """How many spans two multisets share; equal texts first, then numbers that are close."""
    counts, gold_counts = Counter(cells), Counter(gold)
    both = counts & gold_counts
    rest, missing = list((counts - both).elements()), list((gold_counts - both).elements())
    shared = both.total()
    for text in missing:
        match = next((other for other in rest if same_span(text, other)), None)
        if match is not None:
            rest.remove(match)
            shared += 1
    return shared


def group_alike(
    answers: Iterable[_Answer], spans: Callable[[_Answer], Sequence[str]]
) -> list[list[_Answer]]:
    """Answers in groups that hold the same spans in any order; groups and members as they came."""
    groups: list[list[_Answer]] = []
    for answer in answers:
        own = next((g for g in groups if same_bag_of_spans(spans(g[0]), spans(answer))), None)
        if own is None:
            groups.append(own := [])
        own.append(answer)
    return groups
