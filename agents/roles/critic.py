"""The critic by a model: whether the steps behind an answer do what the question asks."""

from __future__ import annotations

from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, field_validator

from wideleaf.agents.critic.findings import Finding
from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.requests import shorten_question
from wideleaf.agents.roles.requests import ask_role, read_output
from wideleaf.agents.turn import Usage
from wideleaf.prompts import render
from wideleaf.tools.telling.outline import outline
from wideleaf.tools.tree.tree import FrameTree
from wideleaf.tools.words import one_line

MAX_OBJECTIONS = 2
OBJECTION_CHARACTERS = 240
NOTE_CHARACTERS = 400


class CriticInput(BaseModel):
    """What a critic is shown.

    Attributes:
        question: The user's words.
        past: What was said before in the conversation, see `tell_past`.
        plan: The steps that made the frame and what was seen of each, as the level lets out.
        label: The frame.
        note: What the thinker wants to be known.
        doubts: What the local checks hold against it; texts that hold no cell.
    """

    model_config = ConfigDict(frozen=True)

    question: str
    past: str = ""
    plan: str
    label: str
    note: str = ""
    doubts: tuple[str, ...] = ()

    def prompt(self) -> tuple[str, str]:
        """The system and the human message."""
        lines = [f"{self.past}Question: {shorten_question(self.question)}", "", self.plan, ""]
        lines.append(f"{one_line(self.label, OBJECTION_CHARACTERS)} is offered as the answer.")
        if self.note:
            lines.append(f"Its note: {one_line(self.note, NOTE_CHARACTERS)!r}")
        lines += [
            f"Held against it: {one_line(text, OBJECTION_CHARACTERS)}" for text in self.doubts
        ]
        return render("critic"), "\n".join(lines)


class CriticOutput(BaseModel):
    """What a critic says.

    Attributes:
        objections: What the steps do not do that the question asks; none if they do it.
    """

    model_config = ConfigDict(frozen=True)

    objections: tuple[str, ...]

    @field_validator("objections")
    @classmethod
    def _bound_objections(cls, objections: tuple[str, ...]) -> tuple[str, ...]:
        lines = (one_line(text, OBJECTION_CHARACTERS).strip() for text in objections)
        return tuple(text for text in lines if text)[:MAX_OBJECTIONS]


class Criticism(NamedTuple):
    """What came of asking.

    Attributes:
        doubts: The objections.
        usage: What it took.
        problem: Why no reply was of use; empty if one was.
    """

    doubts: tuple[Finding, ...] = ()
    usage: Usage = Usage()
    problem: str = ""


def plan_outline(tree: FrameTree, label: str, characters: int) -> str:
    """The steps behind a frame, as a thinker is shown them, and nothing that is no part of it."""
    alone = FrameTree.model_construct(nodes=tree.plan(label), head=label, moves=())
    return outline(alone, characters)


def criticise(case: CriticInput, gateway: Gateway) -> Criticism:
    """Have a model look at an offered frame (TSO, section 3.4: the agent evaluates the node).

    Args:
        case: What it is shown.
        gateway: The door to the model.

    Raises:
        ModelError: If no reply can be had.
    """
    reply = ask_role(gateway, *case.prompt(), lambda text: read_output(text, CriticOutput))
    objections = reply.output.objections if reply.output else ()
    doubts = tuple(model_finding(text) for text in objections)
    return Criticism(doubts, reply.usage, reply.problem)


def model_finding(text: str) -> Finding:
    """An objection of a model as a doubt beside those of the local checks."""
    return Finding(text, caveat=f"A model that checked the answer objects: {text}", by_model=True)
