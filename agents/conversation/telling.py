"""What a model is told of a conversation: the person's words, and which frames answered them.

Of how a message was read nothing is told: such words may hold cells that no model is to see.
"""

from __future__ import annotations

from collections.abc import Sequence

from wideleaf.agents.turn import Exchange, View
from wideleaf.tools.words import one_line

TOLD = 8
"""So many of the last messages are told."""
SAID_CHARACTERS = 240
"""Of each."""


def tell_past(past: Sequence[Exchange]) -> str:
    """The earlier messages, a line each, oldest first; empty if there are none.

    Args:
        past: All that was said before.
    """
    if not past:
        return ""
    lines = []
    for exchange in past[-TOLD:]:
        outcome = f"answered by {exchange.label}" if exchange.label else exchange.status
        lines.append(f"- {one_line(exchange.said, SAID_CHARACTERS)!r}: {outcome}")
    return "\n".join(["Earlier in this conversation:", *lines, "", ""])


def whole_question(view: View) -> str:
    """The question behind the ones before it, for whoever sees no frame of them.

    Args:
        view: Of a turn.
    """
    questions = [one_line(one.said, SAID_CHARACTERS) for one in view.past if one.label][-TOLD:]
    if not questions:
        return view.question
    before = "; then ".join(map(repr, questions))
    return f"{view.question}\n(Asked before, and it may go on from there: {before}.)"
