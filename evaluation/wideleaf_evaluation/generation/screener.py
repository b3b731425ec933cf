"""The screener: asks a model whether a question can be answered by the functions given alone."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import NamedTuple

from wideleaf.agents.coding.code_blocks import extract_code
from wideleaf.agents.coding.code_lines import parse_code
from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.requests import CHARACTERS, json_size, shorten_question
from wideleaf.agents.turn import Usage
from wideleaf.prompts import render
from wideleaf.tools.words import as_name, cut
from wideleaf_evaluation.prompts import PROMPTS

BEYOND = "out_of_predefined"
"""The function that stands for what the others cannot do."""
ROOM = 200
"""Kept free of the room for columns, for what quoting adds."""


class Screening(NamedTuple):
    """What came of one question.

    Attributes:
        code: The program; it is read and never run.
        beyond: Whether it calls `BEYOND`.
        problem: Why there is no program; empty if there is one.
        usage: What it took.
    """

    code: str = ""
    beyond: bool = False
    problem: str = ""
    usage: Usage = Usage()


class Screener:
    """Asks for a program over the predefined functions (CRAFTQA, appendix A.1, step 3).

    Args:
        gateway: The door to the model; it hears names and kinds of columns and no cell.
    """

    def __init__(self, gateway: Gateway) -> None:
        self.gateway = gateway

    def screen(self, question: str, kinds: Mapping[str, str]) -> Screening:
        """Ask of one question.

        Args:
            question: The question.
            kinds: Kinds of the table's columns, by name.

        Raises:
            ModelError: If no reply can be had.
        """
        reply = self.gateway.ask(*screening_prompt(question, kinds))
        code = "" if reply.problem else extract_code(reply.said)
        tree = parse_code(code)
        if tree is None:
            problem = reply.problem or "the reply holds no program that can be read"
            return Screening(code, problem=problem, usage=reply.usage)
        return Screening(code, calls_beyond(tree), usage=reply.usage)


def calls_beyond(tree: ast.AST) -> bool:
    """Whether a program calls the function for what the others cannot do.

    Args:
        tree: The program's syntax tree.
    """
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return any(isinstance(called, ast.Name) and called.id == BEYOND for called in calls)


def screening_prompt(question: str, kinds: Mapping[str, str]) -> tuple[str, str]:
    """The system and the human message; columns give way where there is no room.

    Args:
        question: The question.
        kinds: Kinds of the table's columns, by name.
    """
    system = render("screen_functions", PROMPTS)
    text = shorten_question(question)
    room = CHARACTERS - json_size(system) - json_size(text) - ROOM
    columns = cut((f"{as_name(name)} ({kind})" for name, kind in kinds.items()), room)
    return system, render("screen_turn", PROMPTS, columns=columns, question=text)
