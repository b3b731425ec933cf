"""Measures of a data dictionary: ``revenue = price * quantity``, read into expressions.

Only columns, earlier measures, numbers, the four operations and brackets are read; nothing of the
text is ever run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.tools.dictionary.text import DictionaryEntry
from wideleaf.tools.tables.measure import Measure

LONGEST = 300
"""Signs of a formula that are read; a description may be longer."""
MAX_TERMS = 100
"""Columns in a measure, those of the measures within it counted each time."""
MAX_DIGITS = 15
_OPERATIONS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
}
_TOKEN = re.compile(rf"\s+|[-+*/()]|\d{{1,{MAX_DIGITS}}}(?:\.\d{{1,{MAX_DIGITS}}})?(?![\w.])")
_SIGN = re.compile(r"[*/]|\s[-+]\s")
_WORD, _WORDS = re.compile(r"\w"), re.compile(r"\w+")


class Measures(NamedTuple):
    """The measures of a table, and what of its dictionary looks like one but is none."""

    read: tuple[Measure, ...] = ()
    unread: tuple[str, ...] = ()


def read_measures(entries: Iterable[DictionaryEntry], kinds: Mapping[str, str]) -> Measures:
    """The entries that are measures of a table: no column has the name, and the text is a formula.

    Args:
        entries: What a dictionary says that may be of the table.
        kinds: The kind of each column.

    Returns:
        The measures, and the names of entries that speak of the table's columns as a formula does
        and cannot be read: a column is not there, is no number, or a sign is unknown.
    """
    folds = {name.casefold(): name for name in reversed(list(kinds))}
    numbers = {fold for fold, name in folds.items() if kinds[name] == "number"}
    expressions: dict[str, JsonValue] = {fold: folds[fold] for fold in numbers}
    sources: dict[str, tuple[str, ...]] = {fold: (folds[fold],) for fold in numbers}
    terms = dict.fromkeys(numbers, 1)
    measures: dict[str, Measure] = {}
    usable, every = _Known(expressions), _Known(folds)
    unread: list[str] = []
    for entry in entries:
        name, fold = entry.name.strip(), entry.name.strip().casefold()
        formula = entry.text.partition(";")[0].strip().removeprefix("=").strip()
        if fold in folds or not _SIGN.search(formula) or len(formula) > LONGEST:
            continue
        parts = _Formula(formula, usable).parse()
        if parts is None:
            if _Formula(formula, every).is_near:
                unread.append(name)
            continue
        tree, names = parts
        expression = _expression(tree, names, expressions)
        count = sum(terms[one] for one in names)
        if not isinstance(expression, dict) or count > MAX_TERMS:
            unread.append(name)
            continue
        columns = tuple(dict.fromkeys(c for one in names for c in sources[one]))
        measures[fold] = Measure(name=name, formula=formula, expression=expression, columns=columns)
        expressions[fold], sources[fold], terms[fold] = expression, columns, count
        usable.add(fold)
    return Measures(tuple(measures.values()), tuple(unread))


class _Known:
    """Names that are looked up at any place of a text, the longest first."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = {name for name in names if name}
        self._lengths = sorted({len(name) for name in self._names}, reverse=True)

    def add(self, name: str) -> None:
        """Know one more."""
        self._names.add(name)
        self._lengths = sorted({*self._lengths, len(name)}, reverse=True)

    def at(self, text: str, place: int) -> str:
        """The longest name that stands there and is no part of a longer word; empty if none."""
        for length in self._lengths:
            name = text[place : place + length]
            if name in self._names and _stands(name, text, place):
                return name
        return ""


class _Formula:
    """A formula, its names cut out by what names there are, the longest first."""

    def __init__(self, text: str, vocabulary: _Known) -> None:
        self.names: list[str] = []
        self._plain = ""
        self._strange = 0
        place, folded = 0, text.casefold()
        if len(folded) != len(text):  # a sign that grows when it is folded
            folded = text.lower() if len(text.lower()) == len(text) else text
        while place < len(text):
            if name := vocabulary.at(folded, place):
                self._plain += f" n{len(self.names)} "
                self.names.append(name)
                place += len(name)
            elif token := _TOKEN.match(text, place):
                self._plain += token[0]
                place = token.end()
            elif text[place] in "`\"'":
                place += 1
            else:
                self._strange += 1
                word = _WORDS.match(text, place)
                place = word.end() if word else place + 1

    @property
    def is_near(self) -> bool:
        """Whether it speaks of columns at least as often as of anything unknown."""
        return 0 < len(self.names) >= self._strange

    def parse(self) -> tuple[ast.expr, list[str]] | None:
        """The formula as a tree over the places of its names; None if it is none."""
        if self._strange or not self.names:
            return None
        try:
            return ast.parse(self._plain.strip(), mode="eval").body, self.names
        except (SyntaxError, RecursionError, MemoryError, ValueError):
            return None


def _stands(name: str, text: str, place: int) -> bool:
    """Whether a name stands in a text at some place, not as a part of a longer word."""
    end = place + len(name)
    before = _WORD.match(text[place - 1]) if place and _WORD.match(name[0]) else None
    after = _WORD.match(text[end]) if end < len(text) and _WORD.match(name[-1]) else None
    return before is None and after is None


def _expression(
    node: ast.expr, names: list[str], expressions: Mapping[str, JsonValue]
) -> JsonValue:
    """A tree of the four operations as an expression of Derive; None for any other tree."""
    match node:
        case ast.Name(id=id):
            return expressions[names[int(id[1:])]]
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            operand = _expression(inner, names, expressions)
            return None if operand is None else {"op": "-", "args": [0, operand]}
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
            first = _expression(left, names, expressions)
            second = _expression(right, names, expressions)
            if first is None or second is None:
                return None
            return {"op": _OPERATIONS[type(op)], "args": [first, second]}
    return None
