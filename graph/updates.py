"""Updates of the state that several nodes of the graph give back."""

from __future__ import annotations

from wideleaf.agents.models.deadline import DeadlineError
from wideleaf.graph.state import ToolCall, Update
from wideleaf.tools.errors import WideleafError


def note_update(step: int, *texts: str) -> Update:
    """Notes for the thinker's next turn.

    Args:
        step: Number of the thought that they belong to.
        texts: What they say.
    """
    return {"memory": {"notes": [{"step": step, "text": text} for text in texts]}}


def repeat_update(call: ToolCall, target: str) -> Update:
    """The head goes to the frame that the same action had made before; no second one is made."""
    label = str(call["wish"]["label"])
    move = {
        "kind": "repeat",
        "origin": call["head"],
        "target": target,
        "reason": f"{label} was done before as {target}",
        "after": call["after"],
    }
    return {"tree": {"moves": [move], "head": target, "aliases": {label: target}}}


def stop_update(reason: str, status: str) -> Update:
    """The end of a run without a finished answer: why, and what the answer's status is."""
    return {"memory": {"stop": reason}, "status": status}


def failure_update(code: str, message: str) -> Update:
    """The end of a run by an error."""
    return {**stop_update(message, "failed"), "error": {"code": code, "message": message}}


def error_update(error: WideleafError, seconds: float = 0.0) -> Update:
    """The end of a run by an error, or by its limit of time, which leaves what there is.

    Args:
        error: What ended it.
        seconds: The working time that went into it.
    """
    took: Update = {"spent": {"seconds": seconds}} if seconds else {}
    if isinstance(error, DeadlineError):
        return {**took, **stop_update(str(error), "partial")}
    return {**took, **failure_update(error.code, str(error))}
