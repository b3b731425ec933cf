"""Checks of words: a unit that is not the column's, a term that two columns could mean."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

from wideleaf.agents.critic.data_checks import aggregate_nodes, measures_of, words_in
from wideleaf.agents.critic.doubts import Doubt, Offer
from wideleaf.agents.critic.plan_words import comparisons
from wideleaf.agents.planner.links.lexicon import Question
from wideleaf.retrieval.words.names import codes_of, expand, header_words, tokenise
from wideleaf.retrieval.words.slots import find_slots
from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.units import UNITS, unit_of
from wideleaf.retrieval.words.word_classes import telling_words
from wideleaf.tools.craft.names import column_mentions
from wideleaf.tools.tables.families import find_families
from wideleaf.tools.tables.table import Table
from wideleaf.tools.telling.calls import code_of

_SHORT = 2
"""A unit so short is read from a question only behind a number, ``in`` or a stroke."""
_ORDINARY = ("second", "min", "foot", "yard", "pound", "inch")
"""Names of units that are other words as well, unless a number stands before them."""
_MENTION = re.compile(
    r"(?:\d ?|\bin )([a-z][a-z0-9]*)(?: ?/ ?| per )?([a-z][a-z0-9]*)?|\b([a-z]{3,})\b"
)


def units(case: Offer) -> Iterator[Doubt]:
    """A question in kilograms of a column in grams needs a conversion, or a word about it."""
    if not asked_units(case.question):
        return
    derived = {
        word
        for node in case.plan
        if node.action.name == "Derive"
        for word in words_in(node.action.arguments.get("expression"))
    }
    compared: defaultdict[str, set[object]] = defaultdict(set)
    for one in comparisons(case):
        compared[one.column].add(one.value)
    # Of more than an hour, 60 is written in minutes, and 1 is not.
    written = {one.value for one in Question(case.question).numbers} | {1}
    for column in sorted({*compared, *_shown(case, derived)} - derived):
        unit, wanted = unit_of(column), other_unit(case.question, column)
        if unit is None or not wanted or (column in compared and not compared[column] & written):
            continue
        yield Doubt(
            f"the question speaks of {wanted}, column {column} seems to be in {unit[1]}; "
            "Derive what is asked for, or say so",
            caveat=f"The question speaks of {wanted}; {column} seems to be in {unit[1]}.",
            by_note=True,
        )


def _shown(case: Offer, derived: set[str]) -> set[str]:
    """Columns whose cells, or a measure of them, are in the answer as they are."""
    shown = {*case.table.columns} - derived
    for node in aggregate_nodes(case):
        shown |= {str(m["column"]) for m in measures_of(node) if m["name"] in shown}
    return shown & {name for leaf in case.tree.leaves for name in case.table_of(leaf.label).columns}


def other_unit(question: str, column: str) -> str:
    """The unit of a question in whose place a column has another one of its dimension, or none."""
    unit, asked = unit_of(column), asked_units(question)
    if unit is None or unit in asked:
        return ""
    return next((wanted for dimension, wanted in sorted(asked) if dimension == unit[0]), "")


def asked_units(question: str) -> set[tuple[str, str]]:
    """Dimension and unit of each unit of measurement that a question names."""
    found: set[tuple[str, str]] = set()
    for first, second, word in _MENTION.findall(question.casefold()):
        over, under = UNITS.get(first), UNITS.get(second)
        if over and under and over[0] != under[0]:
            found.add((f"{over[0]} per {under[0]}", f"{over[1]} per {under[1]}"))
        elif over and not (under or (second and len(first) <= _SHORT)):
            found.add(over)
        elif word in UNITS and len(word) > _SHORT and word not in _ORDINARY:
            found.add(UNITS[word])
    return found


def ambiguity(case: Offer) -> Iterator[Doubt]:
    """A term that another column fits as well as the one taken is reported with both names."""
    said, codes = telling_words(case.question), {*codes_of(case.question)}
    leaves = {leaf.label for leaf in case.tree.leaves if leaf in case.plan}
    tables = {label: case.table_of(label) for label in leaves}
    used = _used(case)
    told: set[frozenset[str]] = set()
    for label, table in sorted(tables.items()):
        alike = _by_term(table, said)
        kin = _kin(case.question, table)
        for column in table.columns:
            if column not in used or codes & {*codes_of(column)}:
                continue
            term = said & _terms(column)
            if not term or term in told:
                continue
            others = [c for c in alike[term] if kin.get(c, c) != kin.get(column)]
            rivals = sorted(_rivals(column, others, said, table, used))
            if rivals:
                told.add(term)
                more = f" or {len(rivals) - 1} others" if len(rivals) > 1 else ""
                words = dict.fromkeys(w for w in tokenise(case.question) if stem(w) in term)
                word = " ".join(words)
                yield Doubt(
                    f"{word!r} could mean {column} or {rivals[0]}{more} of {label}; {column} was "
                    "taken",
                    objects=False,
                    reading=True,
                )


def _by_term(table: Table, said: frozenset[str]) -> dict[frozenset[str], list[str]]:
    """The columns of a table by the words that they share with a question."""
    found: defaultdict[frozenset[str], list[str]] = defaultdict(list)
    for column in table.columns:
        found[said & _terms(column)].append(column)
    return found


def _kin(question: str, table: Table) -> dict[str, str]:
    """Each column's family, where the question says which member: day 10 is not day -10."""
    if all(slot.kind == "named" for slot in find_slots(tokenise(question))):
        return {}
    return {c: family.notation for family in find_families(table.columns) for c in family.columns}


def _rivals(
    column: str, alike: Sequence[str], said: frozenset[str], table: Table, used: set[str]
) -> Iterator[str]:
    """Of the columns that share just the same words, those of the same kind with no more words."""
    own = _own(column)
    if own <= said:  # named in full
        return
    for other in alike:
        if other in used or table.kind(other) != table.kind(column):
            continue
        if len(_own(other)) <= len(own):
            yield other


@lru_cache(maxsize=65_536)
def _own(column: str) -> frozenset[str]:
    return frozenset(stem(word) for word in header_words(column))


@lru_cache(maxsize=65_536)
def _terms(column: str) -> frozenset[str]:
    words = header_words(column)
    return frozenset(stem(word) for word in (*words, *expand(words)))


def _used(case: Offer) -> set[str]:
    """Columns that the plan speaks of, and those it gives."""
    columns = {c for leaf in case.tree.leaves for c in case.table_of(leaf.label).columns}
    named = {
        word.removeprefix("-")
        for node in case.plan
        if node.parents
        for word in words_in(node.action.arguments)
    }
    for code in filter(None, (code_of(node.action) for node in case.plan)):
        named |= {*column_mentions(code, sorted(columns))}
    shown = case.table.columns if len(case.table.columns) <= 12 else ()
    return (named | {*shown}) & columns
