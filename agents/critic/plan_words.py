"""What a plan says: functions, texts, numbers, literals of conditions, ends of orders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from wideleaf.agents.critic.data_checks import words_in
from wideleaf.agents.critic.doubts import Offer
from wideleaf.agents.planner.links.lexicon import Cue, Question, fold
from wideleaf.agents.planner.links.literals import quotation_places
from wideleaf.retrieval.words.names import expand, header_words
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.actions.filter import Filter
from wideleaf.tools.conditions.condition import Compare
from wideleaf.tools.tables.table import Table
from wideleaf.tools.telling.calls import code_of
from wideleaf.tools.tree.tree import Node

LEARNT = frozenset((
    "PCA", "Cluster", "Predict", "Anomaly", "Correlate", "Associate", "Test", "Fit", "Trend",
    "Runs", "Bin", "Normalise", "Impute", "Describe", "Chart",
))  # fmt: skip
"""Actions with aggregates of their own."""
TURNED = frozenset(
    ("rank", "ranking", "rk", "place", "position", "pos", "standing", "seed", "finish", "order")
)
"""Headers in which the first is the best."""
_NAME = re.compile(r"[^\W\d_]\w*")
MEASURED = frozenset(("maximum", "minimum", "max", "min", "peak"))
"""Words of an end that may be part of what was measured."""
_BRACKET = re.compile(r"(?:[ -][^\W\d_]+){0,4} \(([^()]{1,60})\)")
"""What stands in brackets behind at most four words."""
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
TABLES_KEPT = 16
"""Of so many tables the headers' stems are kept."""


class Said(NamedTuple):
    """What a plan says.

    Attributes:
        functions: Names of its functions and operators, and the words of its code.
        texts: All texts of its arguments, folded.
        numbers: All numbers of its arguments, those within texts and headers included.
    """

    functions: frozenset[str]
    texts: frozenset[str]
    numbers: frozenset[float]


def said_by(case: Offer) -> Said:
    """What the plan of an offer says."""
    functions: set[str] = set()
    texts: set[str] = set()
    numbers: set[float] = set()
    for node in case.plan:
        given = {k: v for k, v in node.action.arguments.items() if k != "fingerprint"}
        if code := code_of(node.action):
            texts.add(fold(code))
            numbers |= {float(digits) for digits in _DIGITS.findall(code)}
        functions |= functions_of(node)
        texts |= {fold(text) for text in words_in(given)}
        numbers |= {abs(number) for number in _numbers(given)}
    for column in (*_headers_used(case, texts), *texts):
        numbers |= {float(digits) for digits in _DIGITS.findall(column)}
    return Said(frozenset(functions), frozenset(texts), frozenset(numbers))


def functions_of(node: Node) -> set[str]:
    """Names of the functions and operators of a step, and the words of its code."""
    found = {fold(name) for name in _called(node.action.arguments)}
    if code := code_of(node.action):
        found |= {fold(word) for word in _NAME.findall(code)} | ({*"/+*"} & {*code})
    return found


def _called(given: Any) -> Iterator[str]:
    """Names of functions and operators in plain data."""
    if isinstance(given, dict):
        for key, value in given.items():
            if key in ("function", "method", "op") and isinstance(value, str):
                yield value
            if isinstance(value, list | str):  # an expression's function is its key
                yield key
            yield from _called(value)
    elif isinstance(given, list | tuple):
        for value in given:
            yield from _called(value)


def _numbers(given: Any) -> Iterator[float]:
    if isinstance(given, bool):
        return
    if isinstance(given, int | float):
        yield float(given)
    elif isinstance(given, dict):
        for value in given.values():
            yield from _numbers(value)
    elif isinstance(given, list | tuple):
        for value in given:
            yield from _numbers(value)


def _headers_used(case: Offer, texts: set[str]) -> Iterator[str]:
    for leaf in case.tree.leaves:
        if leaf in case.plan:
            yield leaf.label
            yield from (c for c in case.table_of(leaf.label).columns if fold(c) in texts)


def directions(case: Offer) -> Iterator[tuple[Node, bool, str]]:
    """Steps that take an end of an order: the step, whether it is the high one, and of what."""
    for node in case.plan:
        given = node.action.arguments
        if node.action.name == "Sort" and given.get("limit"):
            by = given.get("by")
            first = by[0] if isinstance(by, list) and by else by
            if isinstance(first, dict):
                yield node, bool(first.get("descending")), str(first.get("column"))
            elif isinstance(first, str) and first:
                yield node, first.startswith("-"), first.removeprefix("-")
        measures = given.get("measures")
        for measure in measures if isinstance(measures, list) else ():
            if isinstance(measure, dict) and measure.get("function") in ("max", "min"):
                yield node, measure["function"] == "max", str(measure.get("column") or "")
            elif isinstance(measure, dict) and measure.get("function") in ("first", "last"):
                order = measure.get("order")
                first = order[0] if isinstance(order, list) and order else {}
                if isinstance(first, dict) and first.get("column"):
                    last = measure["function"] == "last"
                    yield node, last is not bool(first.get("descending")), str(first["column"])
        if node.action.name in ("Window", "Craft", "Pivot", "Resample"):
            yield node, True, "rank"  # an order that is not read here


def places_of(case: Offer) -> Iterator[str]:
    """Columns of a plan that number its rows."""
    for node in case.plan:
        given = node.action.arguments
        if node.action.name == "Position":
            yield str(given.get("name") or "position")
        elif node.action.name == "Window":
            yield str(given.get("name"))


def has_patterns(case: Offer) -> bool:
    """Whether a condition is a pattern, which may mean a text in many ways of writing it."""
    return any(_has_pattern(node.action.arguments) for node in case.plan)


def _has_pattern(given: Any) -> bool:
    if isinstance(given, dict):
        return given.get("op") == "matches" or any(map(_has_pattern, given.values()))
    return isinstance(given, list | tuple) and any(map(_has_pattern, given))


class Comparison(NamedTuple):
    """A literal that a Filter compares a column with.

    Attributes:
        node: The step.
        column: Its column.
        op: The operator, as the plan writes it.
        value: The literal; of a list each is one.
        negated: Whether it stands under a ``not``.
        part: What of a date is compared; empty for all of it.
    """

    node: Node
    column: str
    op: str
    value: Any
    negated: bool
    part: str = ""


def comparisons(case: Offer) -> Iterator[Comparison]:
    """Every literal that a Filter compares a column with."""
    for node in case.plan:
        if node.action.name == "Filter":
            yield from _comparisons(node, node.action.arguments, False)


def _comparisons(node: Node, given: Any, negated: bool) -> Iterator[Comparison]:
    if isinstance(given, dict):
        column, op, value = (given.get(name) for name in ("column", "op", "value"))
        if isinstance(column, str) and op is not None and value is not None:
            for one in value if isinstance(value, list) else [value]:
                yield Comparison(node, column, str(op), one, negated, str(given.get("part") or ""))
        else:
            for name, part in given.items():
                yield from _comparisons(node, part, negated is not (name == "not"))
    elif isinstance(given, list | tuple):
        for part in given:
            yield from _comparisons(node, part, negated)


@lru_cache(maxsize=65_536)
def stems_of(name: str) -> tuple[str, ...]:
    """The words of a header or of a table's label, as stems."""
    return tuple(stem(word) for word in header_words(name))


def has_value(table: Table, one: Comparison, column: str) -> bool:
    """Whether a column has a row that is, or contains, what something is compared with."""
    op = "contains" if one.op == "contains" else "=="
    where = Compare.model_validate({"column": column, "op": op, "value": one.value})
    return bool(Filter(where=where).resolve(table).run(table).rows(1))


class Headers(NamedTuple):
    """The headers of a plan's raw tables, as stems, abbreviations spelled out.

    Attributes:
        each: The stems of each header.
        words: The stems of all of them.
    """

    each: frozenset[frozenset[str]]
    words: frozenset[str]


def question_headers(case: Offer) -> Headers:
    """The words of the headers of the raw tables of a plan."""
    leaves = [leaf.label for leaf in case.tree.leaves if leaf in case.plan]
    found = [_header_stems(case.table_of(label).columns) for label in leaves]
    each = frozenset[frozenset[str]]().union(*(one.each for one in found))
    return Headers(each, frozenset[str]().union(*(one.words for one in found)))


@lru_cache(maxsize=TABLES_KEPT)
def _header_stems(columns: tuple[str, ...]) -> Headers:
    """Of thousands of columns this takes longer than all checks of a plan: kept by the table."""
    each = frozenset(
        frozenset(stem(word) for word in (*words, *expand(words)))
        for words in map(header_words, columns)
    )
    return Headers(each, frozenset[str]().union(*each))


def speaks(question: Question, cue: Cue, headers: Headers) -> bool:
    """Whether a cue is no word of a header or of what one stands for, and not in a quotation."""
    if cue.places & quotation_places(question) or _spells_out(question, cue, headers):
        return False
    stems = {word.stem for word in question.words[cue.start : cue.end]}
    return stems.isdisjoint(headers.words)


def _spells_out(question: Question, cue: Cue, headers: Headers) -> bool:
    """Whether a header stands in brackets soon behind: maximum heart rate (thalach)."""
    if question.span_text(cue.start, cue.end).casefold() not in MEASURED:
        return False
    behind = question.text[question.words[cue.end - 1].end :]
    found = _BRACKET.match(behind)
    return found is not None and frozenset(stem(w) for w in header_words(found[1])) in headers.each
