"""A function under way: its tries and code as plain data, and a person's approval of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from wideleaf.graph.channels import PlainData
from wideleaf.graph.nodes.reviews import UnclearError, read_decision, review
from wideleaf.graph.results.text import escape, fence
from wideleaf.graph.state import CraftState, ToolCall
from wideleaf.tools.actions.craft import Craft, hash_of
from wideleaf.tools.steps.step import Wish
from wideleaf.tools.telling.calls import code_of
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

    call_sent: ToolCall
    tries: Sequence[PlainData] = ()
    code: str = ""
    function: str = ""
    written: str = ""
    approved: str = ""

    @classmethod
    def of(cls, state: CraftState) -> Crafting:
        """The one under way, or that of the call just sent."""
        if begun := state.get("crafting"):
            return cls(**begun)
        return cls(cast(ToolCall, state["memory"]["call"]))

    @property
    def label(self) -> str:
        """The label that its frame will get."""
        return str(self.call_sent["wish"]["label"])

    @property
    def call(self) -> Call:
        """The call as it was asked for."""
        plain = self.call_sent["wish"]["call"]
        arguments = {k: v for k, v in plain["arguments"].items() if k not in OWN}
        return Call(name=plain["name"], arguments=arguments)

    def wish(self, more: PlainData) -> Wish:
        """What a step is told, with further arguments."""
        call = self.call
        call = Call(name=call.name, arguments={**call.arguments, **more})
        return Wish(**{**self.call_sent["wish"], "call": call})

    def with_code(self, code: str, function: str) -> Crafting:
        """The same with code that nobody has approved yet."""
        digest = hash_of(code, function)
        return self._replace(code=code, function=function, written=digest, approved="")

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


RUN, LEAVE, GOES_ON = "run it", "do not run it", "the run goes on without it"


def approval_value(crafting: Crafting, digest: str, problem: str = "") -> PlainData:
    """The value of the interrupt that asks whether a function may be run.

    Args:
        crafting: What was written.
        digest: Its hash.
        problem: What was wrong with the answer before; empty at first.
    """
    code = code_of(Call(name=Craft.__name__, arguments={"code": crafting.code}))
    question = f"{crafting.label} wants to run this function (sha256 {digest[:12]}):"
    approve = {"label": crafting.label, "code": crafting.code, "sha256": digest}
    plain = {
        "question": f"{question}\n\n{code}\n\nMay it be run?",
        "options": [
            {"reading": LEAVE, "result": GOES_ON, "label": ""},
            {"reading": RUN, "result": "in the sandbox", "label": digest},
        ],
        "approve": approve,
        **({"problem": problem} if problem else {}),
    }
    lead = f"**{escape(problem)}**\n\n" if problem else ""
    text = f"{lead}{question}\n\n{fence(code)}\n\nIt runs in the sandbox."
    shown_code = {**approve, "code": code}  # no hidden sign in it
    return review(plain, "run_function", shown_code, text, ("approve", "reject"))


def read_approval(answer: object, code: str) -> tuple[bool, str]:
    """Whether an answer lets the code of a hash run, and else why not.

    Raises:
        UnclearError: If it is neither; a text that is no clear yes is a no.
    """
    if is_approval(answer, code):
        return True, ""
    if isinstance(answer, dict) and "approve" in answer:
        raise UnclearError(f"the function shown is another one, sha256 {code}")
    decision = read_decision(answer)
    if decision.kind in ("edit", "respond"):
        raise UnclearError(f"code is approved or rejected as it stands; {decision.kind!r} is none")
    if decision.kind == "approve" or (decision.kind is None and is_approval(decision.text, code)):
        return True, ""
    words = " ".join(decision.text.split())[:300]
    plain_no = words.casefold() in ("1", "no", "n", LEAVE, f"{LEAVE}: {GOES_ON}")
    return False, "" if plain_no else words


def is_approval(answer: object, code: str) -> bool:
    """Whether an answer lets the code of a hash run: a yes, its option, or the hash itself."""
    if isinstance(answer, dict):
        return answer.get("approve") == code
    text = " ".join(str(answer).split()).casefold()
    return text in ("2", RUN, f"{RUN}: in the sandbox", "yes", "y", "approve", code)
