"""Updates of the state that several nodes of the graph give back."""

from __future__ import annotations

from typing import Any

from wideleaf.agents.models.deadline import DeadlineError
from wideleaf.graph.state import NodeInput, State
from wideleaf.tools.errors import WideleafError

Update = dict[str, Any]


def note_update(state: NodeInput | State, text: str) -> Update:
    """A note for the thinker's next turn."""
    return {"notes": [{"step": state["step"], "text": text}]}


def repeat_update(label: str, target: str, head: str, after: int) -> Update:
    """The head goes to the frame that the same action had made before; no second one is made."""
    reason = f"{label} was done before as {target}"
    move = {"kind": "repeat", "origin": head, "target": target, "reason": reason, "after": after}
    return {"moves": [move], "head": target, "aliases": {label: target}}


def failure_update(code: str, message: str) -> Update:
    """The end of a run by an error."""
    return {
        "calls": [],
        "stop": message,
        "status": "failed",
        "error": {"code": code, "message": message},
    }


def ending(error: WideleafError, seconds: float) -> Update:
    """The end of a run by an error, or by its limit of time, which leaves what there is.

    Args:
        error: What ended it.
        seconds: The working time that went into it.
    """
    if isinstance(error, DeadlineError):
        return {"calls": [], "stop": str(error), "status": "partial", "seconds": seconds}
    return failure_update(error.code, str(error))
