"""Quantities: which number columns count or weigh, so that a sum of them is how many there are."""

from __future__ import annotations

import narwhals as nw

from wideleaf.agents.planner.links.lexicon import Cue, lexicon
from wideleaf.agents.planner.links.limits import find_limits
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.names import name_parts
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.recent import Recent
from wideleaf.agents.planner.scenes.derivation import Scene
from wideleaf.retrieval.words.stems import stem

NAMED = 0.45
"""How well a number column must be named by what is counted."""
LEVELS = 12
"""A column of no more different numbers than that may be a scale, and hardly numbers its rows."""


def additive(index: TableIndex, column: str) -> bool:
    """Whether a sum of a number column means something: it is no rate, year or number of a row."""
    if index.kinds.get(column) != "number" or index.yearly(column) or index.is_identifier(column):
        return False
    said = {part.stem for part in name_parts(column)}
    rates = {stem(word) for word in lexicon().classes["rate"]}
    return not said & rates and not _numbers_rows(index, column)


def _numbers_rows(index: TableIndex, column: str) -> bool:
    """Whether the numbers only tell things apart: each whole number of a range, under one name."""
    numbers, words = index.numbers(column), name_parts(column)
    if len(numbers) <= LEVELS or any(number != int(number) for number in numbers):
        return False
    plural = any(column.casefold().rstrip("0123456789_ ").endswith(s) for s in ("s", "s)"))
    return max(numbers) - min(numbers) < len(numbers) and not (plural and words)


def repeats(index: TableIndex, column: str) -> bool:
    """Whether several rows of a table have the same value of a column."""

    def look() -> bool:
        query = index.table.frame.select(rows=nw.len(), values=nw.col(column).n_unique())
        ((rows, values),) = query.collect().rows()
        return bool(values < rows)

    return _repeats.get((index.table,), column, look)


_repeats: Recent[bool] = Recent(64)


def counted(scene: Scene) -> list[Mention]:
    """The columns that several things are wanted of: states in ``the five states``."""
    return [
        m
        for limit in find_limits(scene.question)
        for m in scene.free
        if limit.value > 1
        and m.column in scene.index.kinds
        and not limit.points
        and limit.place < m.start
        and m.end <= limit.noun
    ]


def counts_noun(scene: Scene, cue: Cue, m: Mention) -> bool:
    """Whether a name is the noun that is counted; in ``the rows where age is 3`` it is not.

    Args:
        scene: The scene.
        cue: The words ``how many`` or ``number of``.
        m: The name.
    """
    asks = any(cue.end <= other.start < m.start for other in scene.question.cue("wh"))
    return scene.follows(cue, m) and not asks


def is_head(scene: Scene, cue: Cue, m: Mention) -> bool:
    """Whether a name is itself what is counted, and not what that has: goats with a weight."""
    classes = lexicon().classes
    away = classes["preposition"] | classes["having"] | classes["auxiliary"]
    return not away & {word.text for word in scene.question.words[cue.end : m.start]}


def quantity_of(scene: Scene, cue: Cue) -> list[Mention]:
    """The number columns that ``how many`` is said of, the best named first."""
    named = [m for m in scene.free if m.score >= NAMED and counts_noun(scene, cue, m)]
    near = [m for m in named if is_head(scene, cue, m) and additive(scene.index, m.column)]
    near = [*(whole for m in near[:1] for whole in _wholes(scene, m)), *near]
    return sorted(near, key=lambda m: (m.start, -m.score))


def _wholes(scene: Scene, m: Mention) -> list[Mention]:
    """Of several columns of one thing that which holds all of it: of votes the total votes."""
    question, totals = scene.question, {stem(word) for word in lexicon().classes["total"]}
    said = {question.words[place].stem for place in m.places}
    found = []
    for column, kind in scene.kinds.items():
        parts = {part.stem for part in name_parts(column)}
        if kind == "number" and parts & totals and parts - totals == said:
            found.append(m._replace(column=column, score=1.0, family=None))
    return found
