"""The supervisor: shows a model the question and the tree, and reads its next move."""

from __future__ import annotations

from wideleaf.agents.gateway import Gateway
from wideleaf.agents.replies import Reply
from wideleaf.agents.view import View
from wideleaf.prompts import render
from wideleaf.tools.outline import outline
from wideleaf.tools.privacy import Level
from wideleaf.tools.schema import tool_schemas

SIGHT: dict[Level, str] = {
    "schema": "sight_schema",
    "statistics": "sight_statistics",
    "samples": "sight_samples",
}


class Supervisor:
    """A thinker with a model (TSO, section 3.4).

    The request is made anew from the tree in each turn, never from a growing chat, so its size
    is bounded however long the run.

    Args:
        gateway: The door to the model; it knows the privacy level.
    """

    def __init__(self, gateway: Gateway) -> None:
        self.gateway = gateway
        self.tools = tool_schemas()

    def think(self, view: View) -> Reply:
        """Ask the model for the next calls."""
        system, human = self.prompt(view)
        return self.gateway.ask(system, human, self.tools)

    def prompt(self, view: View) -> tuple[str, str]:
        """Render the system and the human message of one turn."""
        sight = render(SIGHT[self.gateway.policy.level]).strip()
        notes = "".join(f"\nNote: {note}" for note in view.notes)
        human = render(
            "turn",
            question=view.question,
            columns=view.columns,
            tree=outline(view.tree),
            notes=f"{notes}\n" if notes else "",
            next_label=view.next_label,
            step=str(view.step),
            max_steps=str(view.max_steps),
        )
        return render("supervisor", sight=sight), human
