"""Quantities: which number columns count or weigh, so that a sum of them is how many there are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wideleaf.agents.planner.links.lexicon import Cue, lexicon
from wideleaf.agents.planner.links.limits import find_limits
from wideleaf.agents.planner.links.meant import only_meant
from wideleaf.agents.planner.links.mentions import WHOLE, Mention
from wideleaf.agents.planner.links.name_words import name_parts
from wideleaf.agents.planner.links.number_values import MIN_FLAG
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.recent import Recent
from wideleaf.agents.planner.scopes.derivation import JoinScope
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.tables.profiling.sampled import judge_by

NAMED = 0.45
"""How well a number column must be named by what is counted."""
MOSTLY_ONE = 1.05
"""So many different values a group at most has a column that is one within groups."""
LEVELS = 3
"""A column of fewer different numbers says yes and no, and does not number its rows."""


def additive(index: TableIndex, column: str) -> bool:
    """Whether a sum of a number column means something: it is no rate, year or number of a row."""
    if index.kinds.get(column) != "number" or index.yearly(column) or is_rate(column):
        return False
    return not numbers_rows(index, column)


def is_rate(column: str) -> bool:
    """Whether a column's name is one of a rate, a share or a mean, of which no sum is meant."""
    stems = {part.stem for part in name_parts(column)}
    return "%" in column or bool(stems & {stem(word) for word in lexicon().classes["rate"]})


def numbers_rows(index: TableIndex, column: str) -> bool:
    """Whether the numbers only tell things apart: each whole number of a range, under one name.

    Lanes 1 to 8 stand under ``Lane``, numbers of boats under ``Boats``; 0 and 1 are no and yes.
    """
    words = [word for word in re.findall(r"[a-z]+|#", column.casefold()) if len(word) > 1]
    if column.rstrip().endswith("#") or words[-1:] == ["number"]:
        return True
    if words and words[-1].endswith("s") and not words[-1].endswith("ss"):
        return False
    if column not in index.table.schema:  # one of a family, or made on the way
        return False
    if index.is_identifier(column):
        return True
    if index.kinds[column] != "number":  # text that is mostly digits: 2015-04-30, A. 2. 39186
        return False
    numbers = index.numbers(column)
    if len(numbers) < LEVELS or not all(number.is_integer() for number in numbers):
        return False
    return max(numbers) - min(numbers) < len(numbers)


def repeats(index: TableIndex, column: str) -> bool:
    """Whether several rows of a table have the same value of a column."""

    def look() -> bool:
        if column not in index.table.schema:
            return False
        cells = judge_by(index.table, [column])[column]
        return bool(cells.n_unique() < len(cells))

    return _repeats.get((index.table,), column, look)


def is_constant(index: TableIndex, keys: Sequence[str], column: str) -> bool:
    """Whether rows of one group mostly have one value of a column: the seats of a model."""
    names = [*dict.fromkeys((*keys, column))]

    def look() -> bool:
        if not {*names} <= {*index.table.schema} or column in keys:
            return False
        cells = judge_by(index.table, names).drop_nulls()
        groups, pairs = (len(cells.select(some).unique()) for some in ([*keys], names))
        return bool(groups < len(cells) and pairs <= MOSTLY_ONE * groups)

    return _repeats.get((index.table,), tuple(names), look)


_repeats: Recent[bool] = Recent(64)


def counted(scope: JoinScope) -> list[Mention]:
    """The columns that several things are wanted of: states in ``the five states``."""
    return [
        m
        for limit in find_limits(scope.question)
        for m in scope.free
        if limit.value > 1
        and m.column in scope.index.kinds
        and not limit.points
        and limit.place < m.start
        and m.end <= limit.noun
    ]


def counts_noun(scope: JoinScope, cue: Cue, m: Mention) -> bool:
    """Whether a name is the noun that is counted; in ``the rows where age is 3`` it is not.

    Args:
        scope: The scope.
        cue: The words ``how many`` or ``number of``.
        m: The name.
    """
    asks = any(cue.end <= other.start < m.start for other in scope.question.cue("wh"))
    return scope.follows(cue, m) and not asks


def is_head(scope: JoinScope, cue: Cue, m: Mention) -> bool:
    """Whether a name is itself what is counted, and not what that has: goats with a weight."""
    classes, question = lexicon().classes, scope.question
    away = classes["preposition"] | classes["having"] | classes["auxiliary"]
    sums = {place for other in scope.cues("sum", "distinct") for place in other.places}
    sums |= {place for link in scope.conditions.links for place in link.places}
    between = [place for place in range(cue.end, m.start) if place not in sums]
    has_content = any(question.content(place, place + 1) for place in between)
    return not has_content and not away & {question.words[place].text for place in between}


def quantity_of(scope: JoinScope, cue: Cue) -> list[Mention]:
    """The number columns that ``how many`` is said of, the best named first."""
    nouns = [m for m in scope.free if m.score >= NAMED and counts_noun(scope, cue, m)]
    generic = lexicon().classes["generic"]
    nouns = [
        m
        for m in nouns
        if m.score >= WHOLE or not _read_words(scope, m) <= generic  # persons of a household
    ]
    nouns = [m for m in nouns if not is_faint_flag(scope, m)]
    nouns = [m for m in nouns if not is_only_meant(scope, m)]
    rows = {stem(noun) for noun in scope.index.row_nouns}
    words = scope.question.words  # of stays that have an id the length is not how many
    nouns = [m for m in nouns if m.score >= WHOLE or not {words[p].stem for p in m.places} <= rows]
    near = [m for m in nouns if is_head(scope, cue, m) and additive(scope.index, m.column)]
    near = [*(whole for m in near[:1] for whole in _wholes(scope, m)), *near]
    return sorted(near, key=lambda m: (m.start, -m.score))


def percent_said(scope: JoinScope) -> list[Cue]:
    """Words that want a change in percent: by what percentage did it fall."""
    return [cue for cue in scope.cues("share") if cue.value == "percent"]


def is_only_meant(scope: JoinScope, m: Mention) -> bool:
    """Whether likeness of vectors alone, and not the lexicon, says that a word means a column."""
    is_term = any(scope.question.words[p].stem in lexicon().meanings for p in m.places)
    return not is_term and only_meant(scope.question, m, scope.index.table.about.get(m.column, ""))


def is_faint_flag(scope: JoinScope, m: Mention) -> bool:
    """Whether a column of yes and no is named in part: homes are none with a home office."""
    if m.score >= MIN_FLAG or scope.index.kinds.get(m.column) != "number":
        return False
    if m.column not in scope.index.table.schema:
        return False
    return scope.index.numbers(m.column) <= {0.0, 1.0}


def _wholes(scope: JoinScope, m: Mention) -> list[Mention]:
    """Of several columns of one thing that which holds all of it: of votes the total votes."""
    question, totals = scope.question, {stem(word) for word in lexicon().classes["total"]}
    stems = {question.words[place].stem for place in m.places}
    mentions = []
    for column, kind in scope.kinds.items():
        parts = {part.stem for part in name_parts(column)}
        if kind == "number" and parts & totals and parts - totals == stems:
            mentions.append(m._replace(column=column, score=1.0, family=None))
    return mentions


def _read_words(scope: JoinScope, m: Mention) -> set[str]:
    return {scope.question.words[place].text for place in m.places - m.slot}
