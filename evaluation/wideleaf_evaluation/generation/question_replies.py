"""Reads questions and their programs out of a model's reply, however loosely it is written."""

from __future__ import annotations

import ast
import re
from typing import Any

from pydantic import BaseModel

from wideleaf.agents.models.loose_json import each_object

LONGEST_REPLY, LONGEST_QUESTION, LONGEST_PROGRAM = 200_000, 600, 4_000


class QuestionProposal(BaseModel, frozen=True):
    """A question with its program, as the model wrote them."""

    question: str
    program: str


_QUESTIONS = ("question", "Question", "q")
_PROGRAMS = ("query", "code", "program", "pandas_query", "pandas", "Query", "answer")


def read_proposals(text: str) -> tuple[QuestionProposal, ...]:
    """Read questions and programs out of a reply: a list in Python's or JSON's writing.

    Nothing of it is run: a list is read by Python's reader of literals, else object by object,
    so that one that is damaged or cut off spoils no other.

    Args:
        text: The reply.
    """
    objects = list(_literal(text)) or list(each_object(text))
    proposals: dict[tuple[str, str], QuestionProposal] = {}
    for one in objects:
        question = next((one[k] for k in _QUESTIONS if isinstance(one.get(k), str)), "")
        program = _program(next((one[k] for k in _PROGRAMS if k in one), ""))
        question = " ".join(question.split())
        sound = 0 < len(question) <= LONGEST_QUESTION and 0 < len(program) <= LONGEST_PROGRAM
        if sound and question != "..." and program not in ("result =", "result = ..."):
            proposals[question, program] = QuestionProposal(question=question, program=program)
    return tuple(proposals.values())


def _literal(text: str) -> tuple[dict[Any, Any], ...]:
    """The list as a literal; nothing where it is none, as of JSON's ``true``."""
    start, end = text.find("["), text.rfind("]")
    # "[PYTHON]" opens no list of questions.
    while start >= 0 and not text[start + 1 :].lstrip().startswith("{"):
        start = text.find("[", start + 1)
    if start < 0 or end < start or len(text) > LONGEST_REPLY:
        return ()
    try:
        literal = ast.literal_eval(text[start : end + 1])
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return ()
    if not isinstance(literal, list):
        return ()
    return tuple(one for one in literal if isinstance(one, dict))


def _program(program: Any) -> str:
    """The statements, without the fence or tags that some models put around each."""
    if isinstance(program, list):  # one line an item
        program = "\n".join(line for line in program if isinstance(line, str))
    if not isinstance(program, str):
        return ""
    lines = program.strip().splitlines()
    marks = re.compile(r"^\s*(```\w*|\[/?PYTHON\])\s*$", re.I)
    code = "\n".join(line for line in lines if not marks.match(line)).strip()
    return re.sub(r"^\[PYTHON\]\s*|\s*\[/PYTHON\]$", "", code, flags=re.I).strip()
