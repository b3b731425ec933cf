"""Verdicts: which of some words a report wants, by the bounds that its question sets."""

from __future__ import annotations

import re
from typing import NamedTuple

from pydantic import JsonValue

ALPHA = 0.05
_NUMBER = r"(-?\d*\.?\d+)"
_WHAT = (
    (r"p[- ]?values?\b|\bp\b(?=\s*[<>=])", "p_value"),
    (r"r[- ]squared\b|\br2\b|\br\^2|determination", "R2"),
    (r"\|r\||absolute value of (?:the )?(?:r\b|correlation|coefficient)|absolute r\b|absolute"
     r"(?: value)?(?: of)?(?: the)?(?: pearson)? correlation", "|correlation|"),
    (r"\bcorrelation coefficient\b|\br\b(?=\s*(?:is|[<>=]))|\bcorrelations?\b(?=\s*(?:is|[<>=]))",
     "correlation"),
)  # fmt: skip
OPS = (
    (r"greater than or equal to|at least|no less than|>=|≥", ">="),
    (r"less than or equal to|at most|no more than|<=|≤", "<="),
    (r"greater than|larger than|more than|higher than|above|exceeds|over|>", ">"),
    (r"less than|smaller than|lower than|below|under|<", "<"),
)
_BETWEEN = re.compile(rf"between {_NUMBER} and {_NUMBER}")
_CHAIN = re.compile(rf"{_NUMBER}\s*(<=|<|≤)\s*(?:\|r\||r)\s*(<=|<|≤)\s*{_NUMBER}")
_SIGNED = re.compile(r"\b(?:r|correlation|coefficient|it) is (positive|negative)\b")
_DENIES = {"not", "non", "no", "none", "poor", "false", "insignificant", "weak", "fail", "without"}
_SENTENCE = re.compile(r"(?<=[.;])\s+|\n|\\n")


class Bound(NamedTuple):
    """A comparison with a number.

    Attributes:
        what: The statistic; in bars its size without the sign.
        op: The comparison.
        value: The number.
    """

    what: str
    op: str
    value: float


class Rule(NamedTuple):
    """What is said where all bounds hold."""

    said: str
    bounds: tuple[Bound, ...]


def read_rules(text: str, choices: tuple[str, ...], main: str) -> list[Rule]:
    """The rules that a text sets for its choices, in its order.

    Args:
        text: The question.
        choices: The words of which one is wanted.
        main: The statistic that a bound is of where it does not say.
    """
    found: list[Rule] = []
    for sentence in _SENTENCE.split(text):
        found += _of_sentence(sentence, choices, main)
    best: dict[str, Rule] = {}
    for rule in found:
        if rule.said not in best or len(rule.bounds) > len(best[rule.said].bounds):
            best[rule.said] = rule
    return list(best.values())


def verdict(
    text: str, choices: tuple[str, ...], main: str, normal: bool, *, own: bool = False
) -> list[Rule]:
    """Rules for all choices but one, which is what is said else; a level of 0.05 by default.

    Args:
        text: The question.
        choices: The words.
        main: The statistic that decides.
        normal: Whether the choice that affirms is that of a large p-value, as that data are
            normal.
        own: Whether no rule is made that the text does not set.

    Returns:
        Rules of which the last has no bounds; none where the choices can't be told apart.
    """
    rules = read_rules(text, choices, main)
    left = [one for one in choices if one not in {rule.said for rule in rules}]
    if len(left) == 1 and rules:
        return [*rules, Rule(left[0], ())]
    if not left and len(rules) > 1:
        return [*rules[:-1], Rule(rules[-1].said, ())]
    if len(choices) == 2 and main == "p_value" and not own:
        denied = [one for one in choices if denies(one, choices)]
        if len(denied) == 1:
            (no,) = denied
            (yes,) = (one for one in choices if one != no)
            level = _level(text)
            effect, none = (no, yes) if normal else (yes, no)
            return [Rule(effect, (Bound("p_value", "<", level),)), Rule(none, ())]
    return []


def denies(choice: str, choices: tuple[str, ...]) -> bool:
    """Whether a choice says no: by a word, or as another one with a syllable before it."""
    lower = choice.lower()
    words = set(re.findall(r"[a-z]+", lower))
    others = [one.lower() for one in choices if one != choice]
    return bool(words & _DENIES) or any(
        lower in (f"{before}{one}", f"{before}-{one}")
        for one in others
        for before in ("not ", "non", "in", "un", "no ")
    )


def as_condition(bounds: tuple[Bound, ...]) -> JsonValue:
    """Bounds as Derive writes conditions; sizes without a sign as two sides."""
    parts: list[JsonValue] = []
    for bound in bounds:
        column = bound.what.strip("|")
        if bound.what == column:
            parts.append({"column": column, "op": bound.op, "value": bound.value})
            continue
        turned = {">": "<", ">=": "<=", "<": ">", "<=": ">="}[bound.op]
        sides: list[JsonValue] = [
            {"column": column, "op": bound.op, "value": bound.value},
            {"column": column, "op": turned, "value": -bound.value},
        ]
        parts.append({("any" if bound.op[0] == ">" else "all"): sides})
    return parts[0] if len(parts) == 1 else {"all": parts}


def _level(text: str) -> float:
    found = re.search(r"(?:alpha|significance level|level of)[^0-9]{0,30}(0?\.\d+)", text.lower())
    return float(found[1]) if found else ALPHA


def _of_sentence(sentence: str, choices: tuple[str, ...], main: str) -> list[Rule]:
    """Pairs of choices and bounds: *if p < 0.05, a, else b* and *a if r >= 0.5, b if less*."""
    lower = sentence.lower()
    events: list[tuple[int, str, tuple[Bound, ...]]] = []
    taken: set[int] = set()
    for choice in sorted(choices, key=len, reverse=True):
        for hit in re.finditer(rf"(?<![\w-]){re.escape(choice.lower())}(?![\w-])", lower):
            denied = re.search(r"\b(?:not|n't)\b[^,;]{0,20}$", lower[: hit.start()])
            if taken.isdisjoint(range(*hit.span())) and not denied:
                taken.update(range(*hit.span()))
                events.append((hit.start(), choice, ()))
    bounds = _bounds(lower, main)
    events += [(at, "", (bound,)) for at, bound in bounds]
    if not taken or not bounds:
        return []
    events.sort(key=lambda event: event[0])
    before = not events[0][1]  # the bounds stand before what they are for
    rules, held, said = [], list[Bound](), ""
    for _, choice, told in events:
        if told:
            held += told
            continue
        if before:
            if held:
                rules.append(Rule(choice, tuple(held)))
            held = []
        else:
            if said and held:
                rules.append(Rule(said, tuple(held)))
            said, held = choice, []
    if not before and said and held:
        rules.append(Rule(said, tuple(held)))
    return rules


def _bounds(text: str, main: str) -> list[tuple[int, Bound]]:
    names = sorted(
        (hit.start(), name) for pattern, name in _WHAT for hit in re.finditer(pattern, text)
    )
    # Of two readings at one place, as the correlation within its absolute value, the first counts.
    found: list[tuple[int, Bound]] = []
    taken: set[int] = set()

    def what(at: int) -> str:
        before = [(start, name) for start, name in names if start < at]
        if not before:
            return main
        last = before[-1][0]
        near = [name for start, name in before if last - start < 40]
        return next((name for name in near if name == "|correlation|"), before[-1][1])

    for hit in _SIGNED.finditer(text):
        op = ">" if hit[1] == "positive" else "<"
        found.append((hit.start(), Bound("correlation", op, 0.0)))
    for hit in _CHAIN.finditer(text):
        sized = "|correlation|" if "|r|" in hit[0] else "correlation"
        found.append(
            (hit.start(), Bound(sized, ">" + "=" * ("=" in hit[2] or "≤" in hit[2]), float(hit[1])))
        )
        found.append(
            (
                hit.start() + 1,
                Bound(sized, "<" + "=" * ("=" in hit[3] or "≤" in hit[3]), float(hit[4])),
            )
        )
        taken.update(range(*hit.span()))
    for hit in _BETWEEN.finditer(text):
        if taken.isdisjoint(range(*hit.span())):
            found.append((hit.start(), Bound(what(hit.start()), ">=", float(hit[1]))))
            found.append((hit.start() + 1, Bound(what(hit.start()), "<", float(hit[2]))))
            taken.update(range(*hit.span()))
    for pattern, op in OPS:
        for hit in re.finditer(
            rf"(?:{pattern})\s*(?:a |an |the )?(?:threshold of |level of |alpha of )?{_NUMBER}",
            text,
        ):
            if taken.isdisjoint(range(*hit.span())):
                taken.update(range(*hit.span()))
                found.append((hit.start(), Bound(what(hit.start()), op, float(hit[1]))))
    return sorted(found, key=lambda one: one[0])
