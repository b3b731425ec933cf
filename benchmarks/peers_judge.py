"""What a system said, held against a gold answer by type, with doubts for a person to look at.

A tolerance is relative. A value that a system hands over goes before the words of its answer.
"""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

NUMBER = re.compile(
    r"(?<![\w.])(?:(?<![\d)])[-−])?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?(?!\w)"
)
REFUSAL = re.compile(
    r"cannot be (answered|determined|computed|calculated|found|derived|said|told)"
    r"|(can\s?not|can't|could not|couldn't|unable to|not able to|not possible to|impossible to)"
    r" (be )?(answer|determine|compute|calculate|find|tell|say|derive|provide)"
    r"|\b(no|not any) (such |relevant |matching )*(column|table|data|information|field|record)"
    r"|(do|does|did)( not|n't) (contain|have|include|hold|record|exist|tell|say|provide|know)"
    r"|(is|are)( not|n't) (available|recorded|included|present|contained|part of|in the)"
    r"|(not enough|insufficient) (data|information)|unanswerable|stopped due to|nobody knows",
    re.IGNORECASE,
)


class Verdict(NamedTuple):
    """What an answer is worth.

    Attributes:
        what: ``right``, ``wrong`` or ``said so``.
        taken: What was held against the gold answer.
        doubt: Why a person should look; empty where none need.
    """

    what: str
    taken: Any
    doubt: str = ""


def judge_said(question: dict[str, Any], line: dict[str, Any]) -> Verdict:
    """Hold what a system said against the gold answer."""
    gold, value, answer = question["gold"], line.get("value"), line["answer"]
    words = value if isinstance(value, str) and value.strip() else answer
    failed = line["status"] != "answered"
    empty = not answer.strip() or answer.strip().lower() in ("none", "nan", "null", "[]")
    said_so = failed or empty or bool(REFUSAL.search(answer))
    if gold is None or question["type"] == "none":
        if line["status"] == "failed":
            return Verdict("right", answer, "it failed, and did not say why there is no answer")
        doubt = "" if failed or not _numbers(answer, question) else "a refusal with numbers"
        return Verdict("right", answer, doubt) if said_so else Verdict("wrong", answer)
    if line["status"] == "failed":
        return Verdict("said so", answer, "it failed, but has a value" if value else "")
    kept = None if isinstance(value, str) or value in (None, [], {}) else value
    held = {"number": _number, "text": _text, "list": _list, "table": _table}[question["type"]]
    verdict = held(question, kept, words, line)
    if said_so:
        if verdict.what == "right":
            return verdict._replace(doubt="it is both there and refused")
        other = kept is not None or (not failed and bool(_numbers(answer, question)))
        return Verdict("said so", verdict.taken, "a refusal that says more" if other else "")
    return verdict


def _number(question: dict[str, Any], kept: Any, words: str, line: dict[str, Any]) -> Verdict:
    gold, tolerance = float(question["gold"]), question.get("tolerance")
    found = _numbers(words, question)
    if kept is not None:
        cells = [cell for row in _readings(kept)[0] for cell in row]
        numeric = [number for number in map(as_number, cells) if number is not None]
        found = numeric or found
    near = [number for number in found if _near(number, gold, tolerance)]
    others = {number for number in found if not _near(number, gold, tolerance)}
    if near:
        return Verdict("right", near[0], "other numbers beside it" if others else "")
    doubt = ""
    for number in others:
        if _near(number / 100, gold, tolerance) or _near(number * 100, gold, tolerance):
            doubt = "a hundredth or the hundredfold"
        elif gold and abs(number - gold) <= 0.01 * abs(gold):
            doubt = "off by less than a hundredth"
    return Verdict("wrong", found[0] if found else words[:200], doubt)


def _text(question: dict[str, Any], kept: Any, words: str, line: dict[str, Any]) -> Verdict:
    gold = question["gold"]
    if kept is not None:
        for rows in _readings(kept):
            if any(_same(cell, gold) for row in rows for cell in row):
                return Verdict("right", kept, "one of several rows" if len(rows) > 1 else "")
        if len(rows) == 1 and len(rows[0]) == 1:
            return Verdict("wrong", kept, "one holds the other" * _holds(str(kept), gold))
    if _normal(words) == _normal(gold):
        return Verdict("right", words)
    if not _holds(words, gold):
        return Verdict("wrong", words[:200], "the gold holds it" * _holds(gold, words))
    rivals = [one for one in line.get("rivals", ()) if not _same(one, gold)]
    rivals = [one for one in rivals if not _holds(gold, one) and as_number(one) is None]
    return Verdict("right", gold, f"beside it: {', '.join(rivals[:5])}" if rivals else "")


def _list(question: dict[str, Any], kept: Any, words: str, line: dict[str, Any]) -> Verdict:
    gold = question["gold"] if isinstance(question["gold"], list) else [question["gold"]]
    tolerance = question.get("tolerance")
    for rows in _readings(kept) if kept is not None else ():
        for column in zip(*rows, strict=False):
            if len(column) == len(gold) and _matched(
                [[g] for g in gold], [[c] for c in column], tolerance
            ):
                ordered = all(_same(a, b, tolerance) for a, b in zip(gold, column, strict=True))
                return Verdict("right", list(column), "" if ordered else "in another order")
            once = list(dict.fromkeys(map(str, column)))
            if len(once) == len(gold) and _matched(
                [[g] for g in gold], [[c] for c in once], tolerance
            ):
                return Verdict("right", once, "with repetitions")
    there = [one for one in gold if _in_words(one, words, tolerance, question)]
    if len(there) == len(gold):
        rivals = [one for one in line.get("rivals", ()) if not any(_same(one, g) for g in gold)]
        beside = f", beside it: {', '.join(rivals[:5])}" if rivals else ""
        return Verdict("right", there, f"all of them are in the words{beside}")
    return Verdict("wrong", words[:200] if kept is None else kept)


def _table(question: dict[str, Any], kept: Any, words: str, line: dict[str, Any]) -> Verdict:
    tolerance = question.get("tolerance")
    gold = max(_readings(question["gold"]), key=len)
    for rows in _readings(kept) if kept is not None else ():
        if len(rows) == len(gold) and _matched(gold, rows, tolerance):
            return Verdict("right", rows)
        if len(rows) > len(gold) and _matched(gold, rows, tolerance):
            return Verdict("wrong", rows[:20], "it has further rows")
    cells = [cell for row in gold for cell in row]
    if all(_in_words(cell, words, tolerance, question) for cell in cells):
        return Verdict("right", words[:200], "all cells are in the words")
    return Verdict("wrong", words[:200] if kept is None else kept)


def _readings(value: Any) -> list[list[list[Any]]]:
    """The rows that a value may be meant as."""
    if isinstance(value, dict) and set(value) == {"columns", "rows"}:
        return [value["rows"]]
    if isinstance(value, dict):
        lists = [part for part in value.values() if isinstance(part, list)]
        if lists and len(lists) == len(value):
            return [[list(row) for row in zip(*lists, strict=False)]]
        if any(isinstance(part, dict) for part in value.values()):
            dicts = [p if isinstance(p, dict) else {"": p} for p in value.values()]
            return [[[key, *part.values()] for key, part in zip(value, dicts, strict=True)]]
        return [[list(value.values())], [[key, part] for key, part in value.items()]]
    if isinstance(value, list):
        rows = [
            list(row.values()) if isinstance(row, dict) else row if isinstance(row, list) else [row]
            for row in value
        ]
        return [rows]
    return [[[value]]]


def _matched(gold: list[list[Any]], rows: list[list[Any]], tolerance: float | None) -> bool:
    """Whether each row of the gold finds a row of its own that holds all its cells."""
    free = list(rows)
    for wanted in gold:
        for row in free:
            if all(any(_same(cell, one, tolerance) for one in row) for cell in wanted):
                free.remove(row)
                break
        else:
            return False
    return True


def _in_words(one: Any, words: str, tolerance: float | None, question: dict[str, Any]) -> bool:
    number = as_number(one)
    if number is None:
        return _holds(words, one)
    return any(_near(found, number, tolerance) for found in _numbers(words, {"question": ""}))


def _same(one: Any, other: Any, tolerance: float | None = None) -> bool:
    first, second = as_number(one), as_number(other)
    if first is not None and second is not None:
        return _near(first, second, tolerance)
    return _normal(one) == _normal(other)


def _near(number: float, gold: float, tolerance: float | None) -> bool:
    return abs(number - gold) <= max((tolerance or 0.0) * abs(gold), 1e-6 * abs(gold), 1e-9)


def as_number(value: Any) -> float | None:
    """A finite number that a value is or is written as; None for what is none."""
    if isinstance(value, bool) or value is None:
        return None
    try:
        number = float(str(value).replace(",", ""))
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _numbers(words: str, question: dict[str, Any]) -> list[float]:
    """The numbers in a text, without those that stand in the question."""
    asked = {_read_number(text) for text in NUMBER.findall(question["question"])}
    found = [_read_number(text) for text in NUMBER.findall(words)]
    return [number for number in found if number not in asked] or found


def _read_number(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


def _normal(value: Any) -> str:
    text = re.sub(r"[T ]00:00:00(\.0+)?$", "", str(value).strip())
    text = " ".join(re.findall(r"\w+", text.casefold()))
    return {"true": "yes", "false": "no"}.get(text, text)


def _holds(words: Any, one: Any) -> bool:
    """Whether a text holds another as whole words."""
    inner = _normal(one)
    return bool(inner) and f" {inner} " in f" {_normal(words)} "
