"""Checks of words: a unit that is not the column's, a term that two columns could mean."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from wideleaf.agents.critic.findings import Candidate, Finding
from wideleaf.agents.critic.plan_text import (
    comparisons,
    measures,
    stems_of,
    terms_of,
    words_in,
)
from wideleaf.retrieval.words.names import codes_of, tokenise
from wideleaf.retrieval.words.slots import find_slots
from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.units import UNITS, unit_of
from wideleaf.retrieval.words.word_classes import telling_words
from wideleaf.tools.craft.names import column_mentions
from wideleaf.tools.tables.families import find_families
from wideleaf.tools.tables.table import Table
from wideleaf.tools.telling.calls import code_of

SHORT = 2
"""A unit so short is read from a question only behind a number, ``in`` or a stroke."""
ORDINARY = ("second", "min", "foot", "yard", "pound", "inch")
"""Names of units that are other words as well, unless a number stands before them."""
SHOWN = 12
"""Columns of an answer up to which each is one that it is about."""
_MENTION = re.compile(
    r"(?:\d ?|\bin )([a-z][a-z0-9]*)(?: ?/ ?| per )?([a-z][a-z0-9]*)?|\b([a-z]{3,})\b"
)


def units(case: Candidate) -> Iterator[Finding]:
    """A question in kilograms of a column in grams needs a conversion, or a word about it."""
    if not asked_units(case.text):
        return
    derivations = [n.action.arguments for n in case.plan if n.action.name == "Derive"]
    derived = {word for one in derivations for word in words_in(one.get("expression"))}
    compared: defaultdict[str, set[object]] = defaultdict(set)
    for one in comparisons(case):
        compared[one.column].add(one.value)
    # Of more than an hour, 60 is written in minutes, and 1 is not.
    numbers = {one.value for one in case.question.numbers} | {1}
    columns = {*case.table.columns} - derived
    columns |= {column for _, _, column, name in measures(case) if name in columns}
    for column in sorted({*compared, *(columns & case.headers)} - derived):
        unit, target = unit_of(column), other_unit(case.text, column)
        if unit is None or not target or (column in compared and not compared[column] & numbers):
            continue
        yield Finding(
            f"the question speaks of {target}, column {column} seems to be in {unit[1]}; "
            "Derive what is asked for, or say so",
            caveat=f"The question speaks of {target}; {column} seems to be in {unit[1]}.",
            by_note=True,
        )


def other_unit(question: str, column: str) -> str:
    """The unit of a question in whose place a column has another one of its dimension, or none."""
    unit, mentions = unit_of(column), asked_units(question)
    if unit is None or unit in mentions:
        return ""
    return next((target for dimension, target in sorted(mentions) if dimension == unit[0]), "")


def asked_units(question: str) -> set[tuple[str, str]]:
    """Dimension and unit of each unit of measurement that a question names."""
    mentions: set[tuple[str, str]] = set()
    for first, second, word in _MENTION.findall(question.casefold()):
        over, under = UNITS.get(first), UNITS.get(second)
        if over and under and over[0] != under[0]:
            mentions.add((f"{over[0]} per {under[0]}", f"{over[1]} per {under[1]}"))
        elif over and not (under or (second and len(first) <= SHORT)):
            mentions.add(over)
        elif word in UNITS and len(word) > SHORT and word not in ORDINARY:
            mentions.add(UNITS[word])
    return mentions


def ambiguity(case: Candidate) -> Iterator[Finding]:
    """A term that another column fits as well as the one taken is reported with both names."""
    terms, codes, columns = telling_words(case.text), {*codes_of(case.text)}, _used(case)
    earlier: set[frozenset[str]] = set()
    for leaf in sorted(case.leaves, key=lambda one: one.label):
        table = case.table_of(leaf.label)
        kin = _kin(case.text, table)
        for column in table.columns:
            term = terms & terms_of(column)
            if column not in columns or codes & {*codes_of(column)} or not term or term in earlier:
                continue
            own = {*stems_of(column)}
            rivals = sorted(
                other
                for other in table.columns
                if not own <= terms  # named in full
                and terms & terms_of(other) == term
                and (other not in kin or kin[other] != kin.get(column))
                and other not in columns
                and table.kind(other) == table.kind(column)
                and len({*stems_of(other)}) <= len(own)
            )
            if rivals:
                earlier.add(term)
                more = f" or {len(rivals) - 1} others" if len(rivals) > 1 else ""
                word = " ".join(dict.fromkeys(w for w in tokenise(case.text) if stem(w) in term))
                text = f"{word!r} could mean {column} or {rivals[0]}{more} of {leaf.label}"
                yield Finding(f"{text}; {column} was taken", objects=False, reading=True)


def _kin(question: str, table: Table) -> dict[str, str]:
    """Each column's family, where the question says which member: day 10 is not day -10."""
    if all(slot.kind == "named" for slot in find_slots(tokenise(question))):
        return {}
    return {c: family.notation for family in find_families(table.columns) for c in family.columns}


def _used(case: Candidate) -> set[str]:
    """Columns that the plan speaks of, and those it gives."""
    names = {
        word.removeprefix("-")
        for node in case.plan
        if node.parents
        for word in words_in(node.action.arguments)
    }
    for code in filter(None, (code_of(node.action) for node in case.plan)):
        names |= {*column_mentions(code, sorted(case.headers))}
    columns = case.table.columns if len(case.table.columns) <= SHOWN else ()
    return (names | {*columns}) & case.headers
