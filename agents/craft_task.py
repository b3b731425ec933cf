"""What a writer of code is asked for, what it gives back, and who can be one."""

from __future__ import annotations

from typing import Protocol

from pydantic import BaseModel

from wideleaf.agents.turn import Usage
from wideleaf.tools.tree.tree import FrameTree

PROGRAM = "program"
"""Where a thinker that plans by code keeps its program in its memory."""


class CodeInput(BaseModel, frozen=True):
    """One frame that the code gets, the W_i of CRAFTQA, section 3.3.

    Attributes:
        label: Its label in the tree, or the name of a table.
        parameter: The name by which the code gets it.
        rows: Number of rows, if they were counted.
        columns: Pairs of name and kind, all of them; a prompt shows a bounded part.
        observation: What was seen of it, already cut to what the privacy level lets out.
    """

    label: str
    parameter: str
    rows: int | None = None
    columns: tuple[tuple[str, str], ...] = ()
    observation: str = ""


class Try(BaseModel, frozen=True):
    """Code that did not do, and why.

    Attributes:
        code: As it was written; empty where the reply held none.
        error: Why, already cut to what the privacy level lets out.
    """

    code: str = ""
    error: str = ""


class CraftTask(BaseModel, frozen=True):
    """All that a writer is told: the five inputs of CRAFTQA, section 3.3, and what was tried.

    Attributes:
        question: The user's words, Q.
        task: What this step does, T_i.
        signature: The expected signature as it was asked for, F_exp; may be empty.
        label: The label that the frame will get.
        inputs: The frames the code gets, in the order of its parameters, W_i.
        tree: The whole plan so far, C, where it is made step by step.
        program: The whole plan as code, C, where it was made at once.
        tries: Earlier tries at this very step, oldest first.
        most: How many tries there are, T.
        columns: Text of the selected tables and columns.
    """

    question: str
    task: str
    signature: str = ""
    label: str
    inputs: tuple[CodeInput, ...] = ()
    tree: FrameTree = FrameTree()
    program: str = ""
    tries: tuple[Try, ...] = ()
    most: int = 3
    columns: str = ""

    @property
    def number(self) -> int:
        """Which try this is, from 1."""
        return len(self.tries) + 1

    def without_tries(self) -> CraftTask:
        """The task as it was first given."""
        return self.model_copy(update={"tries": ()})


class CodeDraft(BaseModel, frozen=True):
    """What a writer wrote.

    Attributes:
        code: Code that may be run; empty where ``problem`` says why there is none. Code that was
            refused stands here, too, so that the next try can be shown it.
        function: The name of the function to call; empty for statements that set ``result``.
        problem: Why the code must not be run: none in the reply, cut off, refused.
        usage: What the reply cost.
    """

    code: str = ""
    function: str = ""
    problem: str = ""
    usage: Usage = Usage()


class CodeWriter(Protocol):
    """Whoever writes code for a step: the crafter, or the programmer of the pandas strategy."""

    def write(self, task: CraftTask) -> CodeDraft:
        """Write the code of one try, or say in ``problem`` why there is none."""


def request_line(task: CraftTask) -> str:
    """The last line of every request for code; a script finds its text by it."""
    return f"Write {task.label}, try {task.number} of {max(task.most, task.number)}."
