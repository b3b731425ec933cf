"""What a thinker is shown: the question, the tree, what was selected, and its own memory."""

from __future__ import annotations

from typing import Protocol

from pydantic import BaseModel, ConfigDict, JsonValue

from wideleaf.agents.replies import Reply
from wideleaf.tools.tree import FrameTree


class View(BaseModel):
    """One turn's view of the run.

    Attributes:
        question: The user's words.
        tree: Everything done so far.
        columns: Text of the selected tables and columns, bounded.
        notes: What the graph has to say about the last turn, such as a rejected reply.
        step: This turn's number, from 1.
        max_steps: The last turn there can be.
        next_label: The label that the next frame will get.
        memory: The thinker's own plain data from its last reply.
        choice: Label of the frame whose reading the person chose, or that was taken where nobody
            could be asked; empty if nothing was asked.
    """

    model_config = ConfigDict(frozen=True)

    question: str
    tree: FrameTree
    columns: str = ""
    notes: tuple[str, ...] = ()
    step: int = 1
    max_steps: int = 30
    next_label: str = "T1"
    memory: dict[str, JsonValue] = {}
    choice: str = ""


class Thinker(Protocol):
    """Whoever proposes the next step: the supervisor with a model, or the embedded planner."""

    def think(self, view: View) -> Reply:
        """Propose the next calls, or say in ``problem`` why there are none."""
