"""Argument patterns of `get`: what each combination of its arguments means, and which mean nothing.

The patterns are those of TrustUQA's condition graph (Zhang et al. 2025), which CRAFTQA takes over
(section 3.2): a row of a table, or the head of a fact, is a subject; a column, or a relation, leads
from it to values.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.relations import END, FACT, START
from wideleaf.tools.tables.table import Table

Layout = Literal["rows", "facts", "times"]
"""A table, whose subjects are its rows; triples; triples with times."""
Answer = Literal["subjects", "values", "relations", "times", "sides"]
TIME_KEYS = ("time", "start_time", "end_time")
ROW = "row_number"


class Asked(NamedTuple):
    """Which arguments of a `get` were given.

    Attributes:
        relation: The relation's name, or none.
        key: The key's name, or none.
        head: Whether heads are given.
        tail: Whether tails are.
        value: Whether values are.
    """

    relation: str = ""
    key: str = ""
    head: bool = False
    tail: bool = False
    value: bool = False


class Pattern(NamedTuple):
    """What a `get` is to find.

    Attributes:
        answer: What comes out: subjects, values of `column`, relations, times, or the other sides
            of facts whose times compare.
        column: The relation or column of the values; of times the key.
        tests: Relations whose values the subjects must have, each with which argument they are
            compared with.
        scope: Where two relations follow each other, the first of them.
        heads: Whether heads are given.
    """

    answer: Answer
    column: str = ""
    tests: tuple[tuple[str, Literal["tail", "value"]], ...] = ()
    scope: str = ""
    heads: bool = False


def layout_of(table: Table) -> Layout:
    """How a frame is read: as facts if it has their columns, else as rows."""
    names = {*table.columns}
    if not names >= {*FACT}:
        return "rows"
    return "times" if names >= {START, END} else "facts"


def read_pattern(arguments: Asked, layout: Layout) -> Pattern:
    """The meaning of a combination of arguments.

    Args:
        arguments: What was given.
        layout: What it is asked of.

    Raises:
        ActionError: If it means nothing; says what would.
    """
    if layout == "times" and arguments.key in TIME_KEYS:
        return _of_time(arguments)
    relation, key, head, tail, value = arguments
    if not relation and key:  # key and head, key and tail, key and value: one relation alone
        relation, key = key, ""
    if relation and not key and value and not tail:  # relation and value, too
        test: Literal["tail", "value"] = "value"
        tail, value = True, False
    else:
        test = "tail"
    match (bool(relation), bool(key), head, tail, value):
        case (False, False, False, False, False):
            return Pattern("subjects")
        case (False, False, True, False, False):
            return Pattern("relations", heads=True)
        case (True, False, _, False, False):
            return Pattern("values", relation, heads=head)
        case (True, False, False, True, False):
            return Pattern("subjects", tests=((relation, test),))
        case (True, True, False, False, True):
            return Pattern("values", relation, ((key, "value"),))
        case (True, True, False, True, False):
            return Pattern("values", key, ((relation, "tail"),))
        case (True, True, False, True, True):
            return Pattern("subjects", tests=((relation, "tail"), (key, "value")))
        case (True, True, True, False, False):
            return Pattern("values", key, scope=relation, heads=True)
        case _:
            raise ActionError(_refusal(arguments), kind="no pattern")


def _of_time(arguments: Asked) -> Pattern:
    relation, key, head, tail, value = arguments
    if not value and (relation or head or tail):
        return Pattern("times", key, heads=head)
    if value and relation and head != tail:
        return Pattern("sides", "tail" if head else "head", heads=head)
    if value and head and tail:
        hint = f"leave out the value to get the {key} of those facts, and compare it by Filter"
    elif value and relation:
        hint = "give the head or the tail that the facts have, too"
    elif value:
        hint = "give the relation, and the head or the tail that the facts have"
    else:
        hint = "give the relation, head or tail of the facts whose times are wanted"
    raise ActionError(f"Get with {_words(arguments)} means nothing; {hint}", kind="no pattern")


def _refusal(arguments: Asked) -> str:
    relation, key, head, tail, value = arguments
    if head and tail:
        hint = (
            "head and tail are never given together; ask for the tails of the head, and compare "
            "them in a step of its own"
        )
    elif not relation and not key:
        hint = "give the relation that leads to the tail or value"
    elif head and value:
        hint = "ask for the heads whose key has the value first, and give them as heads"
    elif not relation or not key:
        hint = "tail and value are compared with relation and key; give both names, or one of them"
    else:
        hint = "give relation and head, relation and tail, or relation, key and value"
    return f"Get with {_words(arguments)} means nothing; {hint}"


def _words(arguments: Asked) -> str:
    names = [name for name, one in zip(Asked._fields, arguments, strict=True) if one]
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names) or "no argument"
