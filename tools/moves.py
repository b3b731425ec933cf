"""The moves: replies that act on the tree or end the run instead of making a frame."""

from __future__ import annotations

from pydantic import Field

from wideleaf.tools.action import Action


class Backtrack(Action):
    """Go back to an earlier frame when this branch does not lead to the answer."""

    inputs = ()

    to: str = Field(description="Label of the frame to go back to.")
    reason: str = Field(description="Why this branch is left.")


class Ask(Action):
    """Ask the person when two readings of the question give different results."""

    inputs = ()

    question: str
    options: tuple[str, ...] = Field(default=(), max_length=3)


class Finish(Action):
    """End: this frame holds exactly the answer, nothing besides it."""

    note: str = Field(default="", description="An assumption the person should know of.")


MOVES: tuple[type[Action], ...] = (Backtrack, Ask, Finish)
