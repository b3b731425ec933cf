"""Replies: a program out of what a model wrote, in CodeSTEP's form or as a flat list of calls."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from wideleaf.agents.codestep.comments import read_analysis
from wideleaf.agents.codestep.reader import read_program
from wideleaf.agents.codestep.steps import FUNCTIONS, Program
from wideleaf.agents.coding.code_blocks import extract_code, spoken
from wideleaf.tools.errors import ActionError

FLAT_FUNCTIONS = tuple(name for name in FUNCTIONS if name != "craft")
"""What a flat list may call: the predefined functions, as in TrustUQA."""

_FLAT = re.compile(
    r"^[\s>*#-]*(?:step|query)[ _]*(?P<number>\d{1,2})\s*[:.)=]+\s*`*\s*"
    r"(?:(?P<name>[A-Za-z_]\w*)\s*=(?!=)\s*)?(?P<call>[A-Za-z_][\w.]*\s*\(.*\))\s*`*\s*(?:#.*)?$",
    re.I | re.M,
)
_OUTPUT = re.compile(r"\b(?:output_of_)?(?:query|step)[ _]?(\d{1,2})\b", re.I)


class Draft(NamedTuple):
    """What a reply holds.

    Attributes:
        program: The program; None where ``problem`` says why there is none.
        code: As it was written, for the next try to be shown.
        problem: Why it cannot be read as a program.
    """

    program: Program | None
    code: str = ""
    problem: str = ""


def read_reply(
    text: str, sources: Sequence[str], *, functions: Collection[str], flat: bool = False
) -> Draft:
    """Read the program out of a reply.

    Args:
        text: The reply.
        sources: The names of tables and graphs.
        functions: Those that may be called.
        flat: Whether a flat list of calls is expected, ``step1: get_information(...)``.
    """
    code = (flat_code(text) if flat else "") or extract_code(text)
    if not code.strip():
        where = "one call a line, step1: get_information(...)" if flat else "a ```python block"
        return Draft(None, "", f"the reply holds no program; write it as {where}")
    analysis = () if flat else read_analysis(spoken(text), code)
    try:
        program = read_program(code, sources, analysis=analysis, functions=functions)
    except ActionError as error:
        return Draft(None, code, error.text)
    return Draft(program, code)


def flat_code(text: str) -> str:
    """A flat list of calls (TrustUQA's form) as code; a call is known by its number.

    Args:
        text: The reply.
    """
    lines = []
    for found in _FLAT.finditer(text):
        call = _without_numbers(found["call"])
        own = f"step{int(found['number'])}"
        name = found["name"]
        if name and not _OUTPUT.fullmatch(name):
            lines += [f"{name} = {call}", f"{own} = {name}"]
        else:
            lines.append(f"{own} = {call}")
    return "\n".join(lines)


def _without_numbers(call: str) -> str:
    """A call in which earlier ones are named in one way, outside texts."""
    parts = re.split(r"('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")", call)
    return "".join(
        part if place % 2 else _OUTPUT.sub(lambda found: f"step{int(found[1])}", part)
        for place, part in enumerate(parts)
    )
