"""Updates of the state that several nodes of the graph give back."""

from __future__ import annotations

from typing import Any

from wideleaf.graph.state import Sent, State

Update = dict[str, Any]


def noted(state: Sent | State, text: str) -> Update:
    """A note for the thinker's next turn."""
    return {"notes": [{"step": state["step"], "text": text}]}


def failed(code: str, message: str) -> Update:
    """The end of a run by an error."""
    return {
        "calls": [],
        "stop": message,
        "status": "failed",
        "error": {"code": code, "message": message},
    }
