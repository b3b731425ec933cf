"""Channels of a run's state: what each of its parts writes, and how updates are folded into it."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, get_type_hints

from typing_extensions import TypedDict

from wideleaf.agents.turn import Usage

PlainData = dict[str, Any]


def merge(old: PlainData, new: PlainData) -> PlainData:
    """Join what side-by-side steps add; no step writes another's key."""
    return {**old, **new}


def last(_: Any, new: Any) -> Any:
    """Let the last writer win; side-by-side writes come in the order of their calls."""
    return new


def add_usage(old: PlainData, new: PlainData) -> PlainData:
    """Add up what requests cost."""
    return (Usage.model_validate(old) + Usage.model_validate(new)).model_dump(mode="json")


class Given(TypedDict, total=False):
    """What a question is given besides its words; written before its run begins.

    Attributes:
        sources: Tables that came in the input, see `Asked`.
        settings: Settings that came in the input.
        tables: Tables that messages brought to the thread, see `Tables`.
        words: The question, for one that goes on from it.
        drawn: The words of a message that wants its answer drawn; empty if it wants no chart.
        typed: What the person typed in answer to a question back of this very message, which had
            paused the run before this one; empty where none had.
        exchanges: What was asked before, each an `agents.turn.Exchange` as plain data.
        carried: Of the tree so far: ``nodes`` by label, ``head``, how many labels were ``minted``,
            what it is ``about``, and whether it is ``local``.
        anew: Why nothing of what was before is used; empty if it may be.
        talks: Whether the question is part of a conversation.
        sample: Of a vote the sample that this is: its ``number``, ``of`` how many, its
            ``strategy``, and what was spent, approved and chosen before it; empty if it is none.
    """

    sources: list[str]
    settings: PlainData
    tables: PlainData
    words: str
    drawn: str
    typed: str
    exchanges: list[PlainData]
    carried: PlainData
    anew: str
    talks: bool
    sample: PlainData


class Tree(TypedDict, total=False):
    """The tree of frames, grown by the tool nodes.

    Attributes:
        nodes: Its nodes by label, as plain data, in the order they grew.
        head: Label of the head.
        moves: Moves of the head.
        aliases: Labels whose frame had been made before, and its label.
        minted: How many labels were given out.
        about: What it is about besides the question, see `graph.threads.About`.
        local: Whether any of it came about without a model: its steps may name cells that the
            planner read, and that no model was to see.
    """

    nodes: Annotated[dict[str, PlainData], merge]
    head: str
    moves: Annotated[list[PlainData], operator.add]
    aliases: Annotated[dict[str, str], merge]
    minted: int
    about: PlainData
    local: bool


class PendingCall(TypedDict):
    """A call of a reply, with the label its frame will get.

    Attributes:
        name: The action.
        arguments: Its arguments, input labels included.
        label: The label of the frame to come; empty for a move.
        first: Number of the first label that this reply was given.
        thought: Why.
    """

    name: str
    arguments: PlainData
    label: str
    first: int
    thought: str


class Memory(TypedDict, total=False):
    """What the supervisor is shown and remembers besides the tree.

    Attributes:
        step: Number of thoughts so far.
        columns: Text of the selected tables and columns, for the prompt.
        focus: Columns that the question means, of any table.
        found: Text of the columns that FindColumns found, by what was looked for.
        notes: What to tell the thinker, each with the step it belongs to.
        thinker: The thinker's own.
        pending: Calls of the last reply that wait for a frame of the same reply.
        call: What a node is sent that goes alone: a Craft, an Ask or a Recall.
        unusable: Replies in a row that were no move.
        idle: Of a model that takes one action after another, how much was ``known`` at the last
            thought, and the ``turns`` in a row before it that had brought nothing.
        described: How many nodes of the tree the describer of frames was shown, or passed over.
        fallbacks: What is told of roles that a model was to take and the rules took.
        stop: Why the run ends without a finished answer.
    """

    step: int
    columns: str
    focus: list[str]
    found: Annotated[dict[str, str], merge]
    notes: Annotated[list[PlainData], operator.add]
    thinker: PlainData
    pending: list[PendingCall]
    call: PlainData
    unusable: int
    idle: PlainData
    described: int
    fallbacks: Annotated[list[str], operator.add]
    stop: str


class Review(TypedDict, total=False):
    """The answer under review, between supervisor, critic and writer.

    Attributes:
        offer: The frame offered as the answer: ``label``, ``note``, the critic's ``doubts``, and
            ``last``, why it cannot be sent back.
        declined: The last offer that was sent back; given after all if the thinker is not heard
            again.
        objections: How often the critic sent a frame back.
        opinion: Of a second plan with another result that the thinker was told of: its reading.
    """

    offer: PlainData
    declined: PlainData
    objections: int
    opinion: str


class Spent(TypedDict, total=False):
    """What the run took.

    Attributes:
        usage: Requests, tokens, cost.
        seconds: Working time.
    """

    usage: Annotated[PlainData, add_usage]
    seconds: Annotated[float, operator.add]


class Person(TypedDict, total=False):
    """What a person was asked and said.

    Attributes:
        choice: Label of the frame whose reading was chosen, see `agents.view.View`.
        choices: By a reading what it gives, and by a question what was said instead; what holds
            for one sample of a vote holds for those that come after.
        approvals: By the hash of code whether a person let it run, likewise.
        assumed: What was taken for want of a person to ask: ``label``, ``text`` and the
            ``options``, each reading with its label.
        asked: Of a question back that the chat around the run asks, see `graph.chat`: its
            ``question`` and ``options``, what was ``said``, and the ``run`` so far, by channel;
            empty where none waits.
        remark: What the message turned out to say of the conversation, an
            `agents.conversation.remarks.Remark`; empty if it asks something of the tables.
    """

    choice: str
    choices: Annotated[dict[str, str], merge]
    approvals: Annotated[dict[str, bool], merge]
    assumed: Annotated[list[PlainData], operator.add]
    asked: PlainData
    remark: PlainData


def fold(kind: type) -> Callable[[PlainData, PlainData], PlainData]:
    """The reducer of a channel of several fields: each by its own reducer, else the last wins.

    Args:
        kind: The class that says the fields and their reducers.
    """

    def reduce(old: PlainData, new: PlainData) -> PlainData:
        rules, joined = reducers_of(kind), dict(old)
        for name, value in new.items():
            joined[name] = rules[name](old[name], value) if name in rules and name in old else value
        return joined

    return reduce


@cache
def reducers_of(kind: type) -> dict[str, Callable[[Any, Any], Any]]:
    """The reducers of a class of fields or channels, by name."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items() if _has_reducer(hint)}


def _has_reducer(hint: Any) -> bool:
    return callable(next(iter(getattr(hint, "__metadata__", ())), None))


# LangGraph tells one channel from another by its reducer, so that each is made once.
grow_tree, add_memory, add_review, add_spent, add_person = map(
    fold, (Tree, Memory, Review, Spent, Person)
)
