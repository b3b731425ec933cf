"""One check of the doctor: what was looked at, how it stands, and what would be right."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

CheckState = Literal["ok", "note", "missing"]


class Finding(NamedTuple):
    """What a check saw; its heading is the list's that it stands in, see `Check`."""

    name: str
    state: CheckState
    text: str
    exit_code: int = 0


def state_of(good: bool) -> CheckState:
    """How a thing stands that only some runs need."""
    return "ok" if good else "note"


class Check(BaseModel):
    """What was found.

    Attributes:
        part: The heading that it stands under.
        name: What was looked at.
        state: ``ok``; ``note`` where something is not there that only some runs need; ``missing``
            where a run as it is set needs it.
        text: What was found, and what would be right.
        exit_code: What the shell returns for a missing one, as a run would.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    part: str
    name: str
    state: CheckState
    text: str
    exit_code: int = 0
