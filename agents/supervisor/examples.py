"""Examples: the user's own solved questions that are nearest to one, each as a line."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.agents.requests import lines_within
from wideleaf.agents.supervisor.offers import choices
from wideleaf.retrieval.words.bm25 import Bm25
from wideleaf.retrieval.words.word_classes import telling_words
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.columns import resolve_columns
from wideleaf.tools.tables.table import Table
from wideleaf.tools.telling.calls import call_text
from wideleaf.tools.telling.schema import to_model_call
from wideleaf.tools.tree.call import Call
from wideleaf.tools.words import one_line

MOST = 2
CHARACTERS = 700
"""So long are all examples together."""
QUESTION_CHARACTERS = 160
CALL_CHARACTERS = 140
LEFT_OUT = "…"
_SIZES = ("limit", "n", "q")
"""Arguments that are numbers of rows or shares, never cells."""
_WORD = re.compile(r"[^\W_]+")
MIN_SHARED = 0.34
"""Of a question's telling words, so many must be in a text for it to be near."""


class Example(NamedTuple):
    """A question of the user's with the steps that answer it, in order."""

    question: str
    steps: Sequence[Call]


def examples(
    question: str, solved: Sequence[Example], tables: Mapping[str, Table], cells: bool = False
) -> str:
    """The solved questions nearest to one, for a prompt; empty if none is near.

    In their own words a user may say anything to a model. Of the steps only what is known
    without looking at a cell is told: names of columns, choices, and literals that stand in
    the solved question; all else is `LEFT_OUT`.

    Args:
        question: The question that is asked.
        solved: Questions on the same tables, with their steps.
        tables: The tables, whose columns may be named.
        cells: Whether a model may see cells, so that nothing need be left out.
    """
    places = nearest_questions(question, [one.question for one in solved], MOST)
    lines = (_line(solved[place], tables, cells) for place in places)
    return "\n".join(lines_within(lines, CHARACTERS))


def _line(one: Example, tables: Mapping[str, Table], cells: bool) -> str:
    mask = _Mask(one.question, tables)
    calls = []
    for step in map(to_model_call, one.steps):
        arguments = step.arguments if cells else mask.arguments(step)
        calls.append(call_text(Call(name=step.name, arguments=arguments), CALL_CHARACTERS))
    return f"  Solved before: {one_line(one.question, QUESTION_CHARACTERS)} -> {', '.join(calls)}"


class _Mask:
    """Leaves out of steps what may be a cell."""

    def __init__(self, question: str, tables: Mapping[str, Table]) -> None:
        self.said = f" {' '.join(_words(question))} "
        self.tables = tables
        headers = (name for table in tables.values() for name in table.columns)
        self.words = {word for text in (question, *headers) for word in _words(text)}

    def arguments(self, step: Call) -> dict[str, JsonValue]:
        options = choices()
        return {
            key: value
            if key in _SIZES and isinstance(value, (int, float))
            else self._told(value, key, options)
            for key, value in step.arguments.items()
        }

    def _told(self, value: JsonValue, key: str, options: frozenset[str]) -> JsonValue:
        if isinstance(value, dict):
            return {k: self._told(v, k, options) for k, v in value.items()}
        if isinstance(value, list):
            return [self._told(item, key, options) for item in value]
        if value is None or (isinstance(value, bool) and key != "value"):
            return value
        text = f"{value:g}" if isinstance(value, float) else str(value)
        if self._in_question(text):
            return value
        if key == "value" or not isinstance(value, str):
            return LEFT_OUT
        if value in options or self._is_column(value.removeprefix("-")):
            return value
        if key == "name" and self.words.union(*map(_words, options)).issuperset(_words(value)):
            return value
        return LEFT_OUT

    def _in_question(self, text: str) -> bool:
        words = " ".join(_words(text))
        return bool(words) and f" {words} " in self.said

    def _is_column(self, text: str) -> bool:
        for table in self.tables.values():
            try:
                resolve_columns([text], table)
            except ActionError:
                continue
            return True
        return False


def _words(text: str) -> Iterable[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def nearest_questions(question: str, texts: Sequence[str], limit: int) -> list[int]:
    """The places of the nearest texts, best first; none where they share too little.

    Args:
        question: The question.
        texts: What is searched, by BM25 over stems of the words that tell something.
        limit: At most so many.
    """
    terms = telling_words(question)
    term_sets = [telling_words(text) for text in texts]
    index = Bm25([dict.fromkeys(words, 1.0) for words in term_sets])
    scores: defaultdict[int, float] = defaultdict(float)
    for word in terms:
        for place, gain in index.gains(word):
            scores[place] += gain
    near = [
        place
        for place in scores
        if len(terms & term_sets[place]) >= MIN_SHARED * min(len(terms), len(term_sets[place]))
    ]
    return sorted(near, key=lambda place: (-scores[place], place))[:limit]
