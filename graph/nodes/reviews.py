"""Reviews: a pause for a person in the form that agent inboxes show, and what they send back.

The value of an interrupt says the same thing three times: plainly, as `langchain`'s
human-in-the-loop middleware does (``action_requests``, ``review_configs``; Agent Chat UI and the
newer inboxes), and as the older ``HumanInterrupt`` (``action_request``, ``config``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeVar

from langgraph.types import interrupt

from wideleaf.graph.channels import PlainData
from wideleaf.tools.words import one_line

DecisionKind = Literal["approve", "edit", "reject", "respond"]
KINDS: Mapping[str, DecisionKind] = {
    **{"approve": "approve", "edit": "edit", "reject": "reject", "respond": "respond"},
    **{"accept": "approve", "response": "respond", "ignore": "reject"},
}
"""What a decision is called, now and in the older form."""
OLDER = {"approve": "accept", "edit": "edit", "reject": "ignore", "respond": "respond"}
MAX_ASKED = 2
"""So often a person is asked; an answer that means nothing then is taken as it stands."""
TOLD = 80
FORMS = "answer with a text, or with {'decisions': [{'type': ...}]}"
MeaningT = TypeVar("MeaningT")


class Decision(NamedTuple):
    """What a person sent back.

    Attributes:
        kind: What was decided; None for a plain text.
        text: The words: the text, the reason or the response.
        arguments: Of an edit, the action's arguments as the person wants them.
    """

    kind: DecisionKind | None
    text: str = ""
    arguments: Mapping[str, Any] = {}


class UnclearError(Exception):
    """An answer that means nothing here; its words say why, and what would."""


def review(
    plain: PlainData,
    name: str,
    arguments: PlainData,
    text: str,
    allowed: Sequence[DecisionKind],
) -> PlainData:
    """The value of an interrupt.

    Args:
        plain: What it says in our own words.
        name: Of the action to be decided on.
        arguments: Its arguments, which an edit may change.
        text: What the person reads, as Markdown.
        allowed: What may be decided.
    """
    return {
        **plain,
        "action_requests": [{"name": name, "args": arguments, "description": text}],
        "review_configs": [{"action_name": name, "allowed_decisions": list(allowed)}],
        "action_request": {"action": name, "args": arguments},
        "config": {f"allow_{old}": new in allowed for new, old in OLDER.items()},
        "description": text,
    }


def ask_person(
    value: Callable[[str], PlainData],
    read: Callable[[object], MeaningT],
    give_up: Callable[[object], MeaningT],
) -> MeaningT:
    """Pause for a person, and ask again where the answer means nothing.

    Args:
        value: Makes the interrupt's value; is given what was wrong with the answer before.
        read: Makes out what an answer means; raises `UnclearError`.
        give_up: Makes out of an answer what it means after too many of them.
    """
    answer, problem = None, ""
    for _ in range(MAX_ASKED):
        answer = interrupt(value(problem))
        try:
            return read(answer)
        except UnclearError as error:
            problem = str(error)
    return give_up(answer)


def read_decision(answer: object) -> Decision:
    """Read an answer of any of the forms.

    Args:
        answer: What the run was resumed with.

    Raises:
        UnclearError: If it is of none.
    """
    if isinstance(answer, Mapping) and "decisions" in answer:
        answer = answer["decisions"]
    if isinstance(answer, list | tuple):
        if len(answer) != 1:
            raise UnclearError(f"there are {len(answer)} decisions on one action; send one")
        answer = answer[0]
    if isinstance(answer, str) or (isinstance(answer, int) and not isinstance(answer, bool)):
        if not str(answer).strip():
            raise UnclearError(f"the answer is empty; {FORMS}")
        return Decision(None, str(answer))
    if not isinstance(answer, Mapping) or str(answer.get("type")) not in KINDS:
        raise UnclearError(f"{one_line(repr(answer), TOLD)} is no answer; {FORMS}")
    kind, arguments = KINDS[str(answer["type"])], answer.get("args")
    text = answer.get("message", arguments if isinstance(arguments, str) else "")
    if kind == "respond" and not str(text or "").strip():
        raise UnclearError("the response is empty; say what you mean, or reject")
    if kind == "edit":
        edited = answer.get("edited_action") or answer.get("editedAction") or arguments
        inner = edited.get("args") if isinstance(edited, Mapping) else None
        if not isinstance(inner, Mapping):
            raise UnclearError("the edit has no arguments; send edited_action with name and args")
        return Decision(kind, arguments=inner)
    return Decision(kind, str(text or ""))
