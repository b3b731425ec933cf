"""What flows through the graph: plain data only, for every checkpointer must be able to keep it.

A channel belongs to a question or to the thread on which several are asked. Those of a question
are in the classes `Question`, `Past`, `Run` and `Answer`; all but the first are emptied when
the next begins. A thread has the conversation, and the messages of the chat, see `graph.chat`.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Annotated, Any, get_origin, get_type_hints

from typing_extensions import TypedDict

from wideleaf.agents.turn import Usage
from wideleaf.tools.tree.tree import FrameTree, Move, Node

PlainData = dict[str, Any]
ANSWER_FORM = "wideleaf.answer/1"
"""What an answer says of its form, see `graph.doors.schemas`."""


def merge(old: PlainData, new: PlainData) -> PlainData:
    """Join what side-by-side steps add; no step writes another's key."""
    return {**old, **new}


def last(_: Any, new: Any) -> Any:
    """Let the last writer win; side-by-side writes come in the order of their calls."""
    return new


def add_usage(old: PlainData, new: PlainData) -> PlainData:
    """Add up what requests cost."""
    return (Usage.model_validate(old) + Usage.model_validate(new)).model_dump(mode="json")


class Question(TypedDict):
    """What a caller gives."""

    question: str


class Given(TypedDict, total=False):
    """What may come with a question; it wins over the context of the run.

    Attributes:
        sources: Tables, as the setting names them; ``frame:`` and the id of an earlier answer's
            frame is one, too.
        settings: Other settings by name: the fields of `wideleaf.Context`.
    """

    sources: list[str] | None
    settings: PlainData | None


class Asked(Question, Given):
    """What a caller gives to a graph that has no tables of its own."""


class Answer(TypedDict, total=False):
    """What a caller gets; belongs to a question.

    Attributes:
        form: ``wideleaf.answer/1``, the name and version of this form.
        status: ``answered``, ``partial`` (a budget ended it), ``unanswered`` (nobody knew how)
            or ``failed`` (an error ended it).
        answer: The answer in words.
        value: The answer as plain data: a number, text, list or list of rows.
        table: The answer's frame: the first ``columns`` and ``rows``, and how many there are in
            all, ``width`` and ``total``.
        label: The node that holds it.
        frame: The id of its frame, by which `wideleaf.frame` reads it.
        rest: Where answer, value or table hold a part only: of how much, and how to get the rest.
        caveats: What the reader should know.
        error: ``code`` and ``message``, where status is ``failed``.
        confidence: How likely the answer is right, 0 to 1, where that can be told; of a vote,
            the share of samples that gave it.
        chart: Of a message that wants one, what `graph.results.chart_parts.chart_artifact` makes.
        suggestions: Of a question that was refused, or that asks what there is, what may be asked:
            ``nearest``, ``readings``, ``questions`` and ``tables``, see `agents.turn.Suggestions`.
        samples: Of a vote, in short: each sample's ``number``, ``strategy``, ``status``,
            ``answer``, ``votes`` and whether it ``crafted``.
    """

    form: Annotated[str, last]
    status: Annotated[str, last]
    answer: str
    value: Any
    table: PlainData
    label: str
    frame: str
    rest: str
    caveats: list[str]
    error: Annotated[PlainData, last]
    confidence: float | None
    chart: PlainData
    suggestions: PlainData
    samples: list[PlainData]


class NodeInput(TypedDict, total=False):
    """What one node is sent for one call; it sees nothing else.

    Attributes:
        node: The node's name.
        given: What came with the question.
        step: Number of the thought it comes from.
        wish: Of an action: the fields of `tools.step.Wish` as plain data.
        made: Frames that these parents have already, label by id.
        head: Label of the head.
        after: How many nodes the tree holds.
        move: Of a Backtrack: the move.
        arguments: Of an Ask: question, readings and tables; of a FindColumns: words and table.
        frames: Of an Ask: label and id of the frame of each reading.
        about: Of an Ask, which may pause: what the run is about.
        past: Of a Recall: what was asked before.
        sample: Of a vote: which sample this is of.
        typed: Of an Ask: what the person typed in answer to it before it was asked again.
        said: Of an Ask that a chat has asked: what the person chose, in words.
    """

    node: str
    given: PlainData
    step: int
    wish: PlainData
    made: dict[str, str]
    head: str
    after: int
    move: PlainData
    arguments: PlainData
    frames: list[list[str]]
    about: PlainData
    past: list[PlainData]
    sample: PlainData
    typed: str
    said: str


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


class Past(TypedDict, total=False):
    """What a question of a conversation is given besides its words.

    Attributes:
        past: What was asked before, each an `agents.turn.Exchange` as plain data.
        carried: Of the tree so far: ``nodes`` by label, ``head``, how many labels were ``minted``
            and what it is ``about``.
    """

    past: list[PlainData]
    carried: PlainData


class Run(TypedDict, total=False):
    """What a run remembers on its way to the answer; belongs to a question.

    Attributes:
        given: What came with the question, see `Given`.
        typed: What the person typed in answer to a question back of this very message, which had
            paused the run before this one; empty where none had.
        anew: Why nothing of the conversation before is used; empty if it may be.
        about: What it is about besides the question, see `graph.threads.About`.
        nodes: Nodes of the tree by label, as plain data, in the order they grew.
        head: Label of the head.
        moves: Moves of the head.
        columns: Text of the selected tables and columns, for the prompt.
        focus: Columns that the question means, of any table.
        found: Text of the columns that FindColumns found, by what was looked for.
        notes: What to tell the thinker, each with the step it belongs to.
        calls: What the last thought sends off; one payload a node.
        later: Calls that wait for a frame of the same reply.
        aliases: Labels whose frame had been made before, and its label.
        minted: How many labels were given out.
        step: Number of thoughts so far.
        unusable: Replies in a row that were no move.
        idle: Of a model that takes one action after another, how much was ``known`` at the last
            thought, and the ``turns`` in a row before it that had brought nothing.
        memory: The thinker's own.
        usage: Requests, tokens, cost.
        seconds: Working time.
        offer: The frame offered as the answer: ``label``, ``note``, the critic's ``doubts``, and
            ``last``, why it cannot be sent back.
        objections: How often the critic sent a frame back.
        declined: The last offer that was sent back; given after all if the thinker is not heard
            again.
        opinion: Of a second plan with another result that the thinker was told of: its reading.
        choice: Label of the frame whose reading was chosen, see `agents.view.View`.
        chosen: That frame as an offer, until it is made.
        assumed: What was taken for want of a person to ask: ``label``, ``text`` and the
            ``options``, each reading with its label.
        crafting: Of a function under way: what was asked for, its tries, code and approval.
        approvals: By the hash of code whether a person let it run; what holds for one sample of a
            vote holds for those that come after.
        asked: Of a question back that the chat around the run asks, see `graph.chat`: its
            ``question`` and ``options``, the ``call`` that goes on with what was ``said``, and
            the ``run`` so far, by channel; empty where none waits.
        choices: What a person chose, likewise: by a reading what it gives, and by a question what
            was said instead.
        sample: Of a vote the sample that this is: its ``number``, ``of`` how many, its
            ``strategy``, and what was spent, approved and chosen before it; empty if it is none.
        due: Of a vote the samples that come next, each as its `sample`.
        ballots: What the samples of a vote came to, see `graph.ballots`.
        remark: What the message turned out to say of the conversation, an
            `agents.conversation.remarks.Remark`; empty if it asks something of the tables.
        drawn: The words of a message that wants its answer drawn; empty if it wants no chart.
        described: How many nodes of the tree the describer of frames was shown, or passed over.
        fallbacks: What is told of roles that a model was to take and the rules took.
        stop: Why the run ends without a finished answer.
    """

    given: PlainData
    typed: str
    anew: str
    about: PlainData
    nodes: Annotated[dict[str, PlainData], merge]
    head: Annotated[str, last]
    moves: Annotated[list[PlainData], operator.add]
    columns: str
    focus: list[str]
    found: Annotated[dict[str, str], merge]
    notes: Annotated[list[PlainData], operator.add]
    calls: list[NodeInput]
    later: list[PendingCall]
    aliases: Annotated[dict[str, str], merge]
    minted: int
    step: int
    unusable: int
    idle: PlainData
    memory: PlainData
    usage: Annotated[PlainData, add_usage]
    seconds: Annotated[float, operator.add]
    offer: PlainData
    objections: int
    declined: PlainData
    opinion: str
    choice: Annotated[str, last]
    chosen: Annotated[PlainData, last]
    assumed: Annotated[list[PlainData], operator.add]
    crafting: PlainData
    approvals: Annotated[dict[str, bool], merge]
    asked: PlainData
    choices: Annotated[dict[str, str], merge]
    sample: PlainData
    due: list[PlainData]
    ballots: Annotated[list[PlainData], operator.add]
    remark: PlainData
    drawn: str
    described: int
    fallbacks: Annotated[list[str], operator.add]
    stop: Annotated[str, last]


class Ballots(TypedDict, total=False):
    """What a sample of a vote gives to the run that it is of, each channel as in `Run`."""

    usage: Annotated[PlainData, add_usage]
    seconds: Annotated[float, operator.add]
    approvals: Annotated[dict[str, bool], merge]
    choices: Annotated[dict[str, str], merge]
    ballots: Annotated[list[PlainData], operator.add]


class State(Asked, Past, Run, Answer, total=False):
    """The state of the graph that answers a question."""


class Message(TypedDict):
    """What a person says in a conversation."""

    message: str


class Command(TypedDict, total=False):
    """What comes beside a message.

    Attributes:
        wanted: What a command means by it, an `agents.conversation.remarks.Remark` as plain data;
            empty for words that are to be read.
        typed: What answers a question back of this very message, see `Run`.
    """

    wanted: PlainData
    typed: str


class Tables(TypedDict, total=False):
    """What messages brought to a thread of a chat; belongs to the thread.

    Attributes:
        tables: ``sources``, attached or named, and whether those that the settings name stand
            ``beside`` them; empty where no message brought any.
    """

    tables: PlainData


class Conversation(TypedDict, total=False):
    """What a thread keeps of a conversation.

    Attributes:
        conversation: A `graph.conversation.record.Record` as plain data.
    """

    conversation: PlainData


class TalkState(Message, Command, Tables, Conversation, State, total=False):
    """The state of the graph that goes on with a conversation."""


class Reply(Conversation, Answer, total=False):
    """What comes of a message: its answer, and the conversation after it."""


def clear(*channels: type) -> PlainData:
    """The update after which channels hold what they held before anything was written.

    Args:
        channels: Classes of channels.
    """
    hints = {k: v for one in channels for k, v in get_type_hints(one, include_extras=True).items()}
    return {name: _empty(hint) for name, hint in hints.items()}


def _empty(hint: Any) -> Any:
    """An empty value of a channel's type; past its reducer, which would add it to the old one."""
    from langgraph.types import Overwrite  # a saved run is read without the graph

    reduced = get_origin(hint) is Annotated
    kind = hint.__origin__ if reduced else hint
    kind = get_origin(kind) or kind
    value = kind() if kind in (dict, list, str, bool, int, float) else None
    return Overwrite(value) if reduced else value


def tree_of(state: State) -> FrameTree:
    """Read the tree out of the state."""
    return FrameTree.model_construct(
        nodes=tuple(_node(node) for node in state.get("nodes", {}).values()),
        head=state.get("head", ""),
        moves=tuple(Move.model_validate(move) for move in state.get("moves", [])),
    )


def _node(plain: PlainData) -> Node:
    """Read a node; within a process each is read once, for a node never changes."""
    entry = _read.get(id(plain))
    # The entry keeps its dict alive, so an identity cannot have passed to another dict.
    if entry is None or entry[0] is not plain:
        if len(_read) >= NODES_READ:
            _read.clear()
        entry = _read[id(plain)] = (plain, Node.model_validate(plain))
    return entry[1]


NODES_READ = 10_000
_read: dict[int, tuple[PlainData, Node]] = {}


def nodes_update(nodes: Iterable[Node]) -> PlainData:
    """The update that adds nodes; the head follows the last that is ok."""
    nodes = list(nodes)
    update: PlainData = {"nodes": {node.label: node.model_dump(mode="json") for node in nodes}}
    fine = [node.label for node in nodes if node.outcome == "ok"]
    if fine:
        update["head"] = fine[-1]
    return update
