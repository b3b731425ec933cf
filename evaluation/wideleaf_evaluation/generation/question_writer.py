"""The question writer: a model makes up questions of a table, each with a pandas program."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from pydantic import BaseModel

from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.requests import CHARACTERS, json_size
from wideleaf.agents.turn import Usage
from wideleaf.prompts import render
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.words import one_line
from wideleaf_evaluation.generation.question_replies import QuestionProposal, read_proposals
from wideleaf_evaluation.prompts import PROMPTS

CELL, NAME, MEANING, ASKED = 40, 120, 160, 160
"""Characters of a cell, a name, a meaning and an earlier question in the prompt."""
SHOWN_ROWS = 8
MAX_TIMES = 3
"""Of a reply with more than so many times the questions asked for, the rest is left."""
EARLIER = 40
"""So many questions that are there already are told, the last ones."""

Role = Literal["data-scientist", "general-user", "data-owner"]
ROLES: dict[Role, str] = {
    "data-scientist": "Questions tailored for individuals with an in-depth understanding of the "
    "dataset, possessing expertise in statistical and mathematical analysis. These questions "
    "should challenge their analytical skills, encouraging the use of advanced data manipulation "
    "and interpretation techniques. The focus is on extracting complex insights and patterns from "
    "the data.",
    "general-user": "Questions designed for users who may not have specialized data analysis "
    "skills but are interested in the practical, consumer-oriented aspects of the data. These "
    "questions should be formulated based on the nature and context of the data, requiring "
    "inferential thinking about its potential end-users. Questions and queries should be "
    "structured to be somewhat open-ended, avoiding direct references to specific column names, "
    "thus introducing a level of interpretative ambiguity.",
    "data-owner": "Questions aimed at individuals or entities who own or have created the data, "
    "with a focus on business-oriented insights. These questions should cater to their interest "
    "in understanding the broader business implications, trends, and strategic insights that can "
    "be derived from the data. The emphasis is on leveraging the data for decision-making, "
    "performance tracking, and identifying opportunities or areas for improvement within the "
    "business context.",
}
"""What questions of each role are like, as in Table 4 of the DataFrame QA paper (Ye et al.)."""


class PromptColumn(BaseModel, frozen=True):
    """A column as the prompt shows it.

    Attributes:
        name: Its name, which programs use as it is.
        kind: Its kind.
        meaning: What it means, in the user's words.
        cells: Its cells in the rows that are shown.
    """

    name: str
    kind: str
    meaning: str = ""
    cells: tuple[str, ...] = ()


class QuestionTask(BaseModel, frozen=True):
    """What one batch of questions is asked from.

    Attributes:
        table: The table's name.
        role: Who asks.
        count: How many questions.
        rows: How many rows the table has.
        columns: Those shown.
        others: How many further columns the table has.
        earlier: Questions of this role that are there already.
    """

    table: str
    role: Role
    count: int
    rows: int
    columns: tuple[PromptColumn, ...]
    others: int = 0
    earlier: tuple[str, ...] = ()


class QuestionBatch(NamedTuple):
    """What came of one batch.

    Attributes:
        made: Questions with their programs.
        problem: Why there is none; empty if there are some.
        usage: What it took.
    """

    made: tuple[QuestionProposal, ...] = ()
    problem: str = ""
    usage: Usage = Usage()


class QuestionWriter:
    """Asks a model for questions of a role (DataFrame QA, section 4.1 and Figure 6).

    Args:
        gateway: The door to the model; its policy must let cells out, for rows are shown.

    Raises:
        PrivacyError: If the level keeps cells in.
    """

    def __init__(self, gateway: Gateway) -> None:
        gateway.policy.require("values", "example rows of the table")
        self.gateway = gateway

    def write(self, task: QuestionTask, sample: int = 0) -> QuestionBatch:
        """Ask for one batch; a reply that was cut off is asked for again, half as long.

        Args:
            task: What is asked for.
            sample: Tells equal batches apart where replies are kept.

        Raises:
            ModelError: If no reply can be had.
        """
        reply = self.gateway.ask(*question_prompt(task), sample=sample)
        proposals = read_proposals(reply.thought)
        if not proposals and task.count > 1 and re.search(r"cut off|broke off", reply.problem):
            half = task.model_copy(update={"count": task.count // 2})
            rest = self.write(half, sample)
            return rest._replace(usage=reply.usage + rest.usage)
        problem = "" if proposals else reply.problem or "the reply holds no question with a program"
        return QuestionBatch(proposals[: MAX_TIMES * task.count], problem, reply.usage)


def read_roles(names: Sequence[str]) -> tuple[Role, ...]:
    """Roles by name, each once; blanks, case and underscores do not matter.

    Raises:
        SettingsError: If there is no such role, or none is named.
    """
    roles: dict[Role, None] = {}
    by_name: dict[str, Role] = {role: role for role in ROLES}
    for name in names:
        role = by_name.get(re.sub(r"[\s_-]+", "-", name.strip().lower()))
        if role is None:
            raise SettingsError(f"no role {name!r}; there are {', '.join(ROLES)}")
        roles[role] = None
    if not roles:
        raise SettingsError(f"no role was named; there are {', '.join(ROLES)}")
    return tuple(roles)


def question_prompt(task: QuestionTask) -> tuple[str, str]:
    """The system and the human message of a batch, together within `CHARACTERS`.

    Rows are left out first, then earlier questions, then meanings, then columns.
    """
    system = render("generate_questions", PROMPTS)
    rows = max((len(column.cells) for column in task.columns), default=0)
    past = list(task.earlier[-EARLIER:])
    columns, meanings = list(task.columns), MEANING
    while True:
        human = _human(task, columns, min(rows, SHOWN_ROWS), past, meanings)
        size = json_size(system) + json_size(human)
        if size <= CHARACTERS:
            return system, human
        if rows > 2:
            rows = min(rows, SHOWN_ROWS) - 1
        elif len(past) > 5:
            del past[0]
        elif meanings:
            meanings //= 2
        elif len(columns) > 1:
            columns.pop()
        elif rows:
            rows -= 1
        elif past:
            del past[0]
        else:
            return system, human[: max(0, len(human) - (size - CHARACTERS))]


def _human(
    task: QuestionTask, columns: Sequence[PromptColumn], rows: int, past: list[str], meanings: int
) -> str:
    role = task.role.replace("-", " ")
    rest = task.others + len(task.columns) - len(columns)
    which = f"{len(columns)} of its {len(columns) + rest} columns; use only these" if rest else ""
    lines = [f"- Name of dataframe: {_quote(task.table, NAME)}", f"- Rows: {task.rows}"]
    lines.append(f"- Column information of dataframe{f' ({which})' if which else ''}:")
    for column in columns:
        text = one_line(column.meaning, meanings) if meanings > 20 else ""
        meaning = f": {text}" if text else ""
        lines.append(f"  {json.dumps(column.name, ensure_ascii=False)} {column.kind}{meaning}")
    if rows:
        lines += ["", "- Sample rows of dataframe in CSV format:"]
        for number in range(rows):
            cells = (c.cells[number] if number < len(c.cells) else "" for c in columns)
            lines.append(",".join(_field(cell) for cell in cells))
    if past:
        lines += ["", "- Questions that are there already; ask others:"]
        lines += [f"  {_quote(question, ASKED)}" for question in past]
    lines += ["", "- Task:", "Using the provided information about the dataframe, formulate"]
    lines[-1] += f" {task.count} natural language questions for the {role} category."
    lines += ["", f"- Characteristics of the questions from {role} category:", ROLES[task.role]]
    return "\n".join(lines)


def _quote(text: str, characters: int) -> str:
    return json.dumps(one_line(text, characters), ensure_ascii=False)


def _field(cell: str) -> str:
    """A cell as a field of a CSV line, on one line and of bounded length."""
    text = one_line(cell, CELL)
    return '"' + text.replace('"', '""') + '"' if re.search(r'[",]', text) else text
