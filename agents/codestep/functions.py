"""The functions that a program may call: their parameters, and other spellings of both."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple, get_args

from wideleaf.agents.codestep.steps import GET_NAMES, Calculation, RowFunction, SetFunction

VARIADIC = "sets"


class Function(NamedTuple):
    """A function as programs call it.

    Attributes:
        parameters: In the order in which they may be given without a name.
        form: A call that would be right, for whoever wrote another.
    """

    parameters: tuple[str, ...]
    form: str


FUNCTIONS: Mapping[str, Function] = {
    "get": Function(("source", *GET_NAMES), "get(source, relation=..., tail_entity=...)"),
    **{name: Function((VARIADIC,), f"{name}(w1, w2)") for name in get_args(SetFunction)},
    "set_negation": Function((VARIADIC,), "set_negation(source, w1)"),
    **{name: Function((VARIADIC,), f"{name}(w1)") for name in get_args(Calculation)},
    "keep": Function(("set", "value", "cmp"), 'keep(w1, 5, ">")'),
    **{name: Function(("set", "source"), f"{name}(w1)") for name in get_args(RowFunction)},
    "craft": Function(
        ("task", "inputs", "signature"),
        'craft(task="...", inputs=[w1], signature="name(parameter) -> number")',
    ),
}

_SPELLINGS = {
    "getinformation": "get",
    "getinfo": "get",
    "union": "set_union",
    "set": "set_union",
    "intersection": "set_intersection",
    "intersect": "set_intersection",
    "difference": "set_difference",
    "negation": "set_negation",
    "minimum": "min",
    "maximum": "max",
    "average": "mean",
    "avg": "mean",
    "len": "count",
    "total": "sum",
    "prevrow": "previous_row",
}
"""Beside the names in any case, with or without underscores."""
_PARAMETERS = {
    "source": ("source", "graph", "table", "data"),
    "head_entity": ("head_entity", "head", "heads", "head_entities"),
    "tail_entity": ("tail_entity", "tail", "tails", "tail_entities"),
    "tail_cmp": ("tail_cmp", "tail_entity_cmp"),
    "cmp": ("cmp", "op", "operator", "comparison", "value_cmp"),
    "set": ("set", "set1", "values", "rows"),
    "inputs": ("inputs", "input", "mid_outputs_list", "mid_outputs", "tables"),
    "signature": ("signature", "expected_name", "expected_signature"),
    VARIADIC: (VARIADIC, "set", *(f"set{number}" for number in range(1, 10))),
}
IGNORED = frozenset((
    *("args", "table_data", "target_type", "is_first", "step"),
    *("CODE_file_name", "question_file_name"),
))  # fmt: skip
"""What the paper's prompt has every call hand on (CRAFTQA, table 10); it tells us nothing."""
COMPARISONS = {
    **{one: one for one in ("=", "!=", "<", "<=", ">", ">=")},
    **{"==": "=", "<>": "!=", "≠": "!=", "≤": "<=", "≥": ">="},
}


def find_function(name: str) -> str:
    """The function that a name means, in whatever spelling; empty if none."""
    flat = _flat(name)
    known = {_flat(one): one for one in FUNCTIONS}
    return known.get(flat) or _SPELLINGS.get(flat, "")


def find_parameter(function: str, name: str) -> str:
    """The parameter of a function that a keyword means; empty if none."""
    for parameter in FUNCTIONS[function].parameters:
        if name in _PARAMETERS.get(parameter, (parameter,)):
            return parameter
    return ""


def plain_name(name: str) -> str:
    """A source's name as code can write it: letters, digits and underscores, in small letters."""
    return re.sub(r"\W+", "_", name).strip("_").casefold()


def _flat(name: str) -> str:
    return name.replace("_", "").casefold()
