"""Requests of a role: a typed answer out of one reply, or out of a second that mends it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.models.loose_json import each_object
from wideleaf.agents.turn import Usage
from wideleaf.tools.errors import ActionError
from wideleaf.tools.words import one_line

PROBLEM_CHARACTERS = 300
REPAIR_CHARACTERS = 500
"""Kept free in a request for what a second one says was wrong."""
Output = TypeVar("Output", bound=BaseModel)


class RoleReply(NamedTuple, Generic[Output]):
    """What came of asking a model to take a role.

    Attributes:
        output: What it said; None where no reply fits, so that the rule is used.
        usage: What it took.
        problem: Why no reply fits; empty if one does.
    """

    output: Output | None
    usage: Usage = Usage()
    problem: str = ""


def ask_role(
    gateway: Gateway, system: str, human: str, read: Callable[[str], Output]
) -> RoleReply[Output]:
    """Ask a model once, and once more with what was wrong with its reply.

    Args:
        gateway: The door to the role's model.
        system: The system message.
        human: The human message.
        read: Reads a reply; its `ActionError` is told to the model.

    Raises:
        ModelError: If no reply can be had.
    """
    usage, problem = Usage(), ""
    for _ in range(2):
        again = f"\n\nYour last reply was not taken: {problem}. Send a whole reply anew."
        reply = gateway.ask(system, human + again * bool(problem))
        usage += reply.usage
        problem = reply.problem
        if problem:
            continue
        try:
            return RoleReply(read(reply.thought), usage)
        except ActionError as error:
            problem = one_line(error.text, PROBLEM_CHARACTERS)
    return RoleReply(None, usage, problem)


def read_output(text: str, form: type[Output]) -> Output:
    """Read the JSON object of a reply as a role's output; the first object that fits counts.

    Raises:
        ActionError: If none does; says what the first one lacks.
    """
    problem = ""
    for value in filter(None, each_object(text)):
        try:
            return form.model_validate(value)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, first["loc"]))
            problem = problem or f"its {place}: {first['msg'].removeprefix('Value error, ')}"
    names = ", ".join(form.model_fields)
    raise ActionError(problem or f"it holds no JSON object with {names}")
