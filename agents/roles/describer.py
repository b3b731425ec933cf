"""The describer of frames: a sentence for each frame on the way (TSO, section 3.4: observation)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from wideleaf.agents.describing.checks import wrong_with
from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.requests import shorten_question
from wideleaf.agents.roles.requests import ask_role, read_output
from wideleaf.agents.turn import Usage
from wideleaf.prompts import render
from wideleaf.tools.errors import ActionError
from wideleaf.tools.words import one_line

MAX_FRAMES = 8
"""Of one request; of more frames side by side the first are described."""
LINE_CHARACTERS = 1_200
PARENT_CHARACTERS = 200
DESCRIPTION_CHARACTERS = 240


class FrameStep(BaseModel):
    """A frame, as a describer is shown it.

    Attributes:
        label: The frame.
        step: The action that made it, as the level lets out.
        parents: Label and description, or shape, of the frames it was made of.
        seen: What was seen of it, as the level lets out.
    """

    model_config = ConfigDict(frozen=True)

    label: str
    step: str
    parents: tuple[tuple[str, str], ...] = ()
    seen: str = ""

    @property
    def text(self) -> str:
        """All that is shown of it, and all that its description may draw on."""
        lines = [f"{self.label} = {self.step}"]
        lines += [
            f"  of {name}: {one_line(text, PARENT_CHARACTERS)}" for name, text in self.parents
        ]
        lines += [f"  {one_line(line, PARENT_CHARACTERS)}" for line in self.seen.splitlines()]
        excerpt, room = [], LINE_CHARACTERS
        for line in lines:
            room -= len(line) + 1
            if room < 0:
                break
            excerpt.append(line)
        return "\n".join(excerpt) or one_line(lines[0], LINE_CHARACTERS)


class DescriberInput(BaseModel):
    """What a describer is shown.

    Attributes:
        question: The user's words.
        frames: The frames that are to be described.
    """

    model_config = ConfigDict(frozen=True)

    question: str
    frames: tuple[FrameStep, ...]

    def prompt(self) -> tuple[str, str]:
        """The system and the human message."""
        lines = [f"Question: {shorten_question(self.question)}"]
        lines += [f"\n{frame.text}" for frame in self.frames]
        return render("describe_frames"), "\n".join(lines)


class DescriberOutput(BaseModel):
    """What a describer says.

    Attributes:
        descriptions: By label.
    """

    model_config = ConfigDict(frozen=True)

    descriptions: dict[str, str]


class FrameDescriptions(NamedTuple):
    """What came of asking.

    Attributes:
        texts: Descriptions by label; empty where no reply was of use.
        usage: What it took.
        problem: Why none was; empty if one was.
    """

    texts: dict[str, str]
    usage: Usage = Usage()
    problem: str = ""


def describe_frames(case: DescriberInput, gateway: Gateway) -> FrameDescriptions:
    """Have a model describe frames, in one request.

    Args:
        case: What it is shown.
        gateway: The door to the model.

    Raises:
        ModelError: If no reply can be had.
    """
    reply = ask_role(gateway, *case.prompt(), _reader(case))
    texts = reply.output.descriptions if reply.output else {}
    return FrameDescriptions(texts, reply.usage, reply.problem)


def _reader(case: DescriberInput) -> Callable[[str], DescriberOutput]:
    def read(text: str) -> DescriberOutput:
        replies = read_output(text, DescriberOutput).descriptions
        descriptions = {}
        for frame in case.frames:
            description = one_line(replies.get(frame.label, ""), DESCRIPTION_CHARACTERS).strip()
            if not description:
                raise ActionError(f"it has no description of {frame.label}")
            if wrong := wrong_with(description, f"{case.question} {frame.text}"):
                raise ActionError(f"of {frame.label}: {wrong}")
            descriptions[frame.label] = description
        return DescriberOutput(descriptions=descriptions)

    return read
