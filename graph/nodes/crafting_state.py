"""A function under way as plain data: what was asked for, its tries, its code and its approval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from wideleaf.graph.state import NodeInput, PlainData, State
from wideleaf.tools.actions.craft import hash_of
from wideleaf.tools.steps.step import Wish
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.lineage import node_id
from wideleaf.tools.tree.tree import Node

OWN = ("code", "function", "headers")
"""Fields that the run writes; whoever asks for a Craft does not."""


class Crafting(NamedTuple):
    """The state channel of a Craft under way.

    Attributes:
        call_sent: What the action's node would have been sent.
        tries: Code and error of earlier tries.
        code: What was written last; empty where it is to be written again.
        function: What is called of it.
        written: Hash of the code as it was written.
        approved: Hash of the code that a person approved.
    """

    call_sent: NodeInput
    tries: Sequence[PlainData] = ()
    code: str = ""
    function: str = ""
    written: str = ""
    approved: str = ""

    @classmethod
    def of(cls, state: State) -> Crafting:
        """The one under way, or that of the call just sent."""
        if begun := state.get("crafting"):
            return cls(**begun)
        return cls(state["calls"][0])

    @property
    def label(self) -> str:
        """The label that its frame will get."""
        return str(self.call_sent["wish"]["label"])

    @property
    def call(self) -> Call:
        """The call as it was asked for."""
        asked = self.call_sent["wish"]["call"]
        arguments = {k: v for k, v in asked["arguments"].items() if k not in OWN}
        return Call(name=asked["name"], arguments=arguments)

    def wish(self, more: PlainData) -> Wish:
        """What a step is told, with further arguments."""
        call = self.call
        call = Call(name=call.name, arguments={**call.arguments, **more})
        return Wish(**{**self.call_sent["wish"], "call": call})

    def with_code(self, code: str, function: str) -> Crafting:
        """The same with code that nobody has approved yet."""
        written = hash_of(code, function)
        return self._replace(code=code, function=function, written=written, approved="")

    def plain(self) -> PlainData:
        """As the state's channel keeps it."""
        return {**self._asdict(), "tries": [*self.tries]}


def failure_node(wish: Wish, text: str, kind: str) -> Node:
    """A Craft that came to nothing, known by what was asked for."""
    name: str = wish.call.name
    arguments: dict[str, Any] = wish.call.arguments
    return Node(
        label=wish.label,
        id=node_id([key for _, key in wish.parents], name, arguments),
        parents=tuple(label for label, _ in wish.parents),
        action=wish.call,
        thought=wish.thought,
        outcome="failed",
        error=text,
        kind=kind,
    )
