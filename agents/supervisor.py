"""The supervisor: shows a model the question and the tree, and reads its next move."""

from __future__ import annotations

from wideleaf.agents.gateway import Gateway
from wideleaf.agents.replies import Reply, Usage
from wideleaf.agents.toolbox import OPEN, opened_by, tools_for
from wideleaf.agents.view import View
from wideleaf.prompts import render
from wideleaf.tools.outline import outline
from wideleaf.tools.privacy import Level

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

    def think(self, view: View) -> Reply:
        """Ask the model for the next calls; where it wants to see further actions, ask again.

        What it opened stays open for the run, in the reply's memory.
        """
        opened = [str(name) for name in _listed(view.memory.get("opened"))]
        system, human = self.prompt(view)
        usage = Usage()
        while True:
            tools = tools_for(view.question, view.tree, opened)
            reply = self.gateway.ask(system, human, tools)
            usage += reply.usage
            wanted = [call for call in reply.calls if call.name == OPEN]
            described = {tool["function"]["name"] for tool in tools}
            new = {name for call in wanted for name in opened_by(call.arguments)} - described
            opened += sorted(new)
            calls = tuple(call for call in reply.calls if call not in wanted)
            if new and not calls:
                continue
            problem = reply.problem
            if wanted and not calls:
                problem = f"{OPEN} opened nothing new; call one of the actions that are described"
            memory = {"opened": opened} if opened else {}
            kept = {"calls": calls, "problem": problem, "usage": usage, "memory": memory}
            return reply.model_copy(update=kept)

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


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, list) else []
