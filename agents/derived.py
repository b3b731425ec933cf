"""Columns a question builds out of others: a range of a family, one column minus another."""

from __future__ import annotations

from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.agents.index import TableIndex
from wideleaf.agents.lexicon import Number, Question, lexicon
from wideleaf.agents.links import Mention
from wideleaf.tools.families import find_families, slot_text

ROW_FUNCTIONS = {"sum": "sum", "mean": "mean", "max": "max", "min": "min"}
RANGE_WORDS = frozenset(["to", "and", "through", "until", "till"])
LEAST_STEM = 0.4
"""A family is meant if the question covers so much of its members' names."""


class Derived(NamedTuple):
    """A column to be made row by row before anything else.

    Attributes:
        mention: Where the question speaks of it, under the name it gets.
        expression: As Derive writes it.
    """

    mention: Mention
    expression: dict[str, JsonValue]


def derived_columns(
    question: Question, index: TableIndex, mentions: tuple[Mention, ...]
) -> list[Derived]:
    """Find the columns that the question builds out of others."""
    return _ranges(question, index, mentions) + _differences(question, index, mentions)


def _ranges(question: Question, index: TableIndex, mentions: tuple[Mention, ...]) -> list[Derived]:
    span = _range(question)
    if span is None:
        return []
    low, high, start, end = span
    best = {m.column: m for m in reversed(mentions) if m.score >= LEAST_STEM}
    found = []
    for family in find_families(index.table.columns):
        inside = [c for v, c in family.members if isinstance(v, float) and low <= v <= high]
        said = [best[c] for c in family.columns if c in best]
        if family.axis != "number" or len(inside) < 2 or not said:
            continue
        if any(index.kinds[column] != "number" for column in inside):
            continue
        mention = max(said, key=lambda m: m.score)
        function = _function(question, mention.start)
        reference = f"{{{slot_text(low)}..{slot_text(high)}}}"
        name = f"{function} {family.stem}{reference}{family.tail}".translate({123: "(", 125: ")"})
        places = mention.places | frozenset(range(start, end))
        covered = Mention(name, min(places), max(places) + 1, 1.0, places)
        columns = [f"{family.stem}{reference}{family.tail}"]
        found.append((mention.score, Derived(covered, {"row": function, "columns": list(columns)})))
    found.sort(key=lambda pair: -pair[0])
    return [derived for _, derived in found[:2]]


def _range(question: Question) -> tuple[float, float, int, int] | None:
    """The ends of a range along an axis (``days 0 to 80``, ``first 80 days``) and its words."""
    words = [word.text for word in question.words]
    axes = lexicon().axes
    for low, high in zip(question.numbers, question.numbers[1:], strict=False):
        between = words[low.place + 1 : high.place]
        if len(between) <= 3 and RANGE_WORDS & set(between) and _on_axis(words, low, high):
            return (*sorted((low.value, high.value)), low.place - 1, high.place + 1)  # type: ignore[return-value]  # two sorted floats
    for number in question.numbers:
        if (
            words[max(0, number.place - 1)] == "first"
            and words[number.place + 1 :][:1]
            and (words[number.place + 1] in axes)
        ):
            return 0.0, number.value, number.place - 1, number.place + 2
    return None


def _on_axis(words: list[str], low: Number, high: Number) -> bool:
    near = words[max(0, low.place - 2) : high.place + 2]
    return bool(lexicon().axes & set(near))


def _function(question: Question, place: int) -> str:
    """The row-wise function: of a sum, mean or extreme said before the family, the nearest."""
    functions = {"sum": "sum", "mean": "mean", "extreme": "max"}
    before = [c for c in question.cue("sum", "mean", "extreme") if c.end <= place]
    cue = before[-1] if before else None
    if cue is None:
        return "mean"
    return cue.value if cue.value in ROW_FUNCTIONS else functions[cue.kind]


def _differences(
    question: Question, index: TableIndex, mentions: tuple[Mention, ...]
) -> list[Derived]:
    found = []
    for cue in question.cue("minus"):
        left = [m for m in mentions if 0 <= cue.start - m.end <= 1]
        right = [m for m in mentions if 0 <= m.start - cue.end <= 1]
        left = [m for m in left if index.kinds[m.column] == "number"]
        right = [m for m in right if index.kinds[m.column] == "number"]
        if left and right:
            first, second = (max(side, key=lambda m: m.score) for side in (left, right))
            name = f"{first.column} minus {second.column}"
            args: list[JsonValue] = [first.column, second.column]
            places = first.places | cue.places | second.places
            mention = Mention(name, first.start, second.end, 1.0, places)
            found.append(Derived(mention, {"op": "-", "args": args}))
    return found
