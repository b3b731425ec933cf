"""What a plan says: functions, texts, numbers, literals of conditions, ends of orders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from wideleaf.agents.critic.findings import Candidate
from wideleaf.agents.planner.links.lexicon import Cue, Question, fold
from wideleaf.agents.planner.links.literals import quotation_places
from wideleaf.retrieval.words.names import expand, header_words
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.actions.filter import Filter
from wideleaf.tools.conditions.condition import Compare
from wideleaf.tools.steps.step import read_call
from wideleaf.tools.tables.table import Table
from wideleaf.tools.telling.calls import code_of
from wideleaf.tools.tree.tree import Node

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
        code: The code of its steps, folded.
    """

    functions: frozenset[str]
    texts: frozenset[str]
    numbers: frozenset[float]
    code: str


def said_by(case: Candidate) -> Said:
    """What the plan of a candidate says."""
    calls = [{k: v for k, v in n.action.arguments.items() if k != "fingerprint"} for n in case.plan]
    codes = [fold(code) for node in case.plan if (code := code_of(node.action))]
    texts = {fold(text) for text in (*codes, *_leaves(calls, str))}
    columns = [
        c for leaf in case.leaves for c in case.table_of(leaf.label).columns if fold(c) in texts
    ]
    numbers = {abs(float(n)) for n in _leaves(calls, int | float) if not isinstance(n, bool)}
    for text in (*texts, *columns, *(leaf.label for leaf in case.leaves)):
        numbers |= {float(digits) for digits in _DIGITS.findall(text)}
    functions = frozenset[str]().union(*map(functions_of, case.plan))
    return Said(functions, frozenset(texts), frozenset(numbers), " ".join(codes))


def words_in(value: object) -> Iterator[str]:
    """Every text in plain data."""
    return _leaves(value, str)


def _leaves(plain: Any, kind: Any) -> Iterator[Any]:
    """The values of a kind in plain data, keys aside."""
    if isinstance(plain, kind):
        yield plain
    elif isinstance(plain, dict | list | tuple):
        for part in plain.values() if isinstance(plain, dict) else plain:
            yield from _leaves(part, kind)


def functions_of(node: Node) -> set[str]:
    """Names of the functions and operators of a step, and the words of its code."""
    names = {fold(name) for name in _find_functions(node.action.arguments)}
    if code := code_of(node.action):
        names |= {fold(word) for word in _NAME.findall(code)} | ({*"/+*"} & {*code})
    return names


def _find_functions(plain: Any) -> Iterator[str]:
    """Names of functions and operators in plain data."""
    if isinstance(plain, dict):
        for key, value in plain.items():
            if key in ("function", "method", "op") and isinstance(value, str):
                yield value
            if isinstance(value, list | str):  # an expression's function is its key
                yield key
            yield from _find_functions(value)
    elif isinstance(plain, list | tuple):
        for value in plain:
            yield from _find_functions(value)


def aggregate_nodes(case: Candidate) -> Iterator[Node]:
    """The steps that make one row of several by measures."""
    return (node for node in case.plan if node.action.name in ("Group", "Aggregate"))


def measures_of(node: Node) -> list[dict[str, Any]]:
    """The measures of such a step."""
    return [m.model_dump() for m in getattr(read_call(node.action), "measures", ())]


def measures(case: Candidate) -> Iterator[tuple[Node, str, str, str]]:
    """Every measure of a plan: its step, function, column and name; empty what it has not."""
    for node in aggregate_nodes(case):
        for one in measures_of(node):
            function, column, name = (str(one.get(k) or "") for k in ("function", "column", "name"))
            yield node, function, column, name


def directions(case: Candidate) -> Iterator[tuple[Node, bool, str]]:
    """Steps that take an end of an order: the step, whether it is the high one, and of what."""
    for node in case.plan:
        arguments = node.action.arguments
        if node.action.name == "Sort" and arguments.get("limit"):
            by = arguments.get("by")
            first = by[0] if isinstance(by, list) and by else by
            if isinstance(first, dict):
                yield node, bool(first.get("descending")), str(first.get("column"))
            elif isinstance(first, str) and first:
                yield node, first.startswith("-"), first.removeprefix("-")
        entries = arguments.get("measures")
        for measure in entries if isinstance(entries, list) else ():
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


def places_of(case: Candidate) -> Iterator[str]:
    """Columns of a plan that number its rows."""
    for node in case.plan:
        arguments = node.action.arguments
        if node.action.name == "Position":
            yield str(arguments.get("name") or "position")
        elif node.action.name == "Window":
            yield str(arguments.get("name"))


def has_patterns(case: Candidate) -> bool:
    """Whether a condition is a pattern, which may mean a text in many ways of writing it."""
    return any("matches" in functions_of(node) for node in case.plan)


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


def comparisons(case: Candidate) -> Iterator[Comparison]:
    """Every literal that a Filter compares a column with."""
    for node in case.plan:
        if node.action.name == "Filter":
            yield from _comparisons(node, node.action.arguments, False)


def _comparisons(node: Node, plain: Any, negated: bool) -> Iterator[Comparison]:
    if isinstance(plain, dict):
        column, op, value = (plain.get(name) for name in ("column", "op", "value"))
        if isinstance(column, str) and op is not None and value is not None:
            for one in value if isinstance(value, list) else [value]:
                yield Comparison(node, column, str(op), one, negated, str(plain.get("part") or ""))
        else:
            for name, part in plain.items():
                yield from _comparisons(node, part, negated is not (name == "not"))
    elif isinstance(plain, list | tuple):
        for part in plain:
            yield from _comparisons(node, part, negated)


@lru_cache(maxsize=65_536)
def stems_of(name: str) -> tuple[str, ...]:
    """The words of a header or of a table's label, as stems."""
    return tuple(stem(word) for word in header_words(name))


@lru_cache(maxsize=65_536)
def terms_of(name: str) -> frozenset[str]:
    """The words of a header as stems, with what its abbreviations are spelled out as."""
    words = header_words(name)
    return frozenset(stem(word) for word in (*words, *expand(words)))


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


def question_headers(case: Candidate) -> Headers:
    """The words of the headers of the raw tables of a plan."""
    headers = [_header_stems(case.table_of(leaf.label).columns) for leaf in case.leaves]
    each = frozenset[frozenset[str]]().union(*(one.each for one in headers))
    return Headers(each, frozenset[str]().union(*(one.words for one in headers)))


@lru_cache(maxsize=TABLES_KEPT)
def _header_stems(columns: tuple[str, ...]) -> Headers:
    """Of thousands of columns this takes longer than all checks of a plan: kept by the table."""
    each = frozenset(map(terms_of, columns))
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
    match = _BRACKET.match(behind)
    return match is not None and frozenset(stem(w) for w in header_words(match[1])) in headers.each
