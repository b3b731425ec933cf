"""Remarks: messages about an answer or the conversation, which ask nothing new of the tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel

from wideleaf.agents.turn import Exchange

RemarkKind = Literal["steps", "columns", "rows", "chart", "tree", "sql", "back", "undo", "choice"]


class Remark(BaseModel, frozen=True):
    """What a message wants of the conversation.

    Attributes:
        kind: ``steps`` (why, how), ``columns`` (which were used), ``rows`` (how many went into
            it), ``chart``, ``tree``, ``sql``: of an answer. ``back``: an earlier answer is the one
            spoken of again; ``undo``: likewise, and what came after it is forgotten. ``choice``:
            another reading of those offered.
        place: Which exchange it is about, an index into the past; of a choice which option, from 0.
        rest: What is asked of that answer beside the remark ("back to the first, and take the
            median"); empty if nothing is.
    """

    kind: RemarkKind
    place: int = -1
    rest: str = ""


def read_remark(message: str, past: Sequence[Exchange]) -> Remark | None:
    """What a message says of the conversation; None if it asks something of the tables.

    Args:
        message: The person's words.
        past: What was said before.
    """
    return None
