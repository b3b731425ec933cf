"""The writer by a model: words around the cells of an answer, which are filled in on this machine.

A model writes blanks in place of cells, so that it need not see any, and can change none. What it
writes beside them may name no number and no name but those of the question, the columns and the
tables; of a frame of one row also those of its cells. Else the rules' own text is used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, field_validator

from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.requests import shorten_question
from wideleaf.agents.roles.blanks import AnswerFrame, word_answer
from wideleaf.agents.roles.requests import ask_role, read_output
from wideleaf.agents.turn import Usage
from wideleaf.prompts import render
from wideleaf.tools.words import as_name, one_line, printable

MAX_ROWS = 20
MAX_COLUMNS = 12
ROW_CHARACTERS = 300
TEXT_CHARACTERS = 1_200


class WriterInput(BaseModel):
    """What a writer is shown.

    Attributes:
        question: The user's words.
        past: What was said before in the conversation, see `tell_past`.
        plan: The steps that made the frame, as the level lets out.
        columns: Name and kind of the frame's columns.
        rows: Its first rows in words, where the level lets cells out; else none.
        total: How many rows it has.
    """

    model_config = ConfigDict(frozen=True)

    question: str
    past: str = ""
    plan: str = ""
    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, ...], ...] = ()
    total: int

    def prompt(self) -> tuple[str, str]:
        """The system and the human message."""
        columns = self.columns[:MAX_COLUMNS]
        more = len(self.columns) - len(columns)
        names = ", ".join(f"{{{as_name(name)}}} ({kind})" for name, kind in columns)
        lines = [f"{self.past}Question: {shorten_question(self.question)}", "", self.plan, ""]
        lines.append(f"The answer has {self.total} row{'s' * (self.total != 1)}.")
        lines.append(f"Columns: {names}{f' and {more} more' if more > 0 else ''}")
        for number, row in enumerate(self.rows[:MAX_ROWS], 1):
            cells = one_line(" | ".join(row[:MAX_COLUMNS]), ROW_CHARACTERS)
            lines.append(f"Row {number}: {cells}")
        return render("writer"), "\n".join(lines)


class WriterOutput(BaseModel):
    """What a writer says.

    Attributes:
        answer: The text, with blanks.
    """

    model_config = ConfigDict(frozen=True)

    answer: str

    @field_validator("answer")
    @classmethod
    def _clean_answer(cls, answer: str) -> str:
        text = printable(answer).strip()
        if not text or len(text) > TEXT_CHARACTERS:
            raise ValueError(
                f"the answer has {len(text)} characters; write 1 to {TEXT_CHARACTERS} of them"
            )
        return text


class Wording(NamedTuple):
    """What came of asking.

    Attributes:
        text: The answer with its cells; empty where no reply was of use.
        usage: What it took.
        problem: Why none was; empty if one was.
    """

    text: str = ""
    usage: Usage = Usage()
    problem: str = ""


def write_by_model(case: WriterInput, frame: AnswerFrame, gateway: Gateway) -> Wording:
    """Have a model word an answer.

    Args:
        case: What it is shown.
        frame: The answer, to fill its blanks from and to check its words by.
        gateway: The door to the model.

    Raises:
        ModelError: If no reply can be had.
    """
    reply = ask_role(gateway, *case.prompt(), _reader(frame))
    if reply.output is None:
        return Wording("", reply.usage, reply.problem)
    return Wording(word_answer(reply.output.answer, frame), reply.usage)


def _reader(frame: AnswerFrame) -> Callable[[str], WriterOutput]:
    def read(text: str) -> WriterOutput:
        output = read_output(text, WriterOutput)
        word_answer(output.answer, frame)  # raises what is wrong with it
        return output

    return read
