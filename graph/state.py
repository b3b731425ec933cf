"""What flows through the graphs: plain data only, for every checkpointer must be able to keep it.

A channel is written by whoever its class names. The graph around a run (`AskState`, `TalkState`)
holds what came of the run; the run itself (`RunState`) begins with each question and grows its
channels by reducers, so that steps side by side may write the same one.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from functools import cache
from typing import Annotated, Any, get_type_hints

from typing_extensions import TypedDict

from wideleaf.agents.turn import Usage
from wideleaf.tools.tree.tree import FrameTree, Move, Node

PlainData = dict[str, Any]
Update = dict[str, Any]
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
        rules, joined = _reducers(kind), dict(old)
        for name, value in new.items():
            joined[name] = rules[name](old[name], value) if name in rules and name in old else value
        return joined

    return reduce


@cache
def _reducers(kind: type) -> dict[str, Callable[[Any, Any], Any]]:
    hints = get_type_hints(kind, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items() if _has_reducer(hint)}


def _has_reducer(hint: Any) -> bool:
    return callable(next(iter(getattr(hint, "__metadata__", ())), None))


# LangGraph tells one channel from another by its reducer, so that each is made once.
grow_tree, add_memory, add_review, add_spent, add_person = map(
    fold, (Tree, Memory, Review, Spent, Person)
)


class Question(TypedDict):
    """What a caller gives.

    Attributes:
        question: In plain language.
    """

    question: str


class StartedQuestion(Question, total=False):
    """A question, and where it begins.

    Attributes:
        start: Label of a frame of the question before on this thread, such as ``T2``, that this
            one goes on from.
    """

    start: str | None


class Inputs(TypedDict, total=False):
    """What may come with a question; it wins over the context of the run.

    Attributes:
        sources: Tables, as the setting names them; ``frame:`` and the id of an earlier answer's
            frame is one, too.
        settings: Other settings by name: the fields of `wideleaf.Context`.
    """

    sources: list[str] | None
    settings: PlainData | None


class Asked(StartedQuestion, Inputs):
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


NO_ANSWER: Answer = {
    "form": ANSWER_FORM,
    "status": "",
    "answer": "",
    "value": None,
    "table": {},
    "label": "",
    "frame": "",
    "rest": "",
    "caveats": [],
    "error": {},
    "confidence": None,
    "chart": {},
    "suggestions": {},
    "samples": [],
}


class RunState(Question, Answer, total=False):
    """The state of a run, from the first thought to the answer; each question has one anew.

    Attributes:
        ballots: Of a sample of a vote what it came to, see `graph.ballots`.
    """

    given: Given
    tree: Annotated[Tree, grow_tree]
    memory: Annotated[Memory, add_memory]
    review: Annotated[Review, add_review]
    spent: Annotated[Spent, add_spent]
    person: Annotated[Person, add_person]
    ballots: Annotated[list[PlainData], operator.add]


class CraftState(RunState, total=False):
    """The state of a Craft: the run's as it was when the Craft was called, and the Craft's own.

    Attributes:
        crafting: A `graph.nodes.function_state.Crafting`: tries, code and approval.
        took: What it took so far.
        decided: What a person decided of it.
    """

    crafting: PlainData
    took: Annotated[Spent, add_spent]
    decided: Person


class Outcome(TypedDict, total=False):
    """What comes of a run besides the answer, each channel as the run left it."""

    given: Given
    tree: Tree
    memory: Memory
    review: Review
    spent: Spent
    person: Person
    ballots: list[PlainData]


class AskState(Asked, Outcome, Answer, total=False):
    """The state of the graph that answers a question."""


class Ballots(TypedDict, total=False):
    """What a sample of a vote gives to the vote, each channel as in `RunState`."""

    spent: Annotated[Spent, add_spent]
    person: Annotated[Person, add_person]
    ballots: Annotated[list[PlainData], operator.add]


class VoteState(Question, Ballots, Answer, total=False):
    """The state of a vote; tree, memory and review are those of the sample that wins."""

    given: Given
    tree: Tree
    memory: Memory
    review: Review


class ToolCall(TypedDict, total=False):
    """What a tool node is sent for one call; it sees nothing else.

    Attributes:
        name: The action.
        given: What came in the input, see `Given`.
        number: Of a vote the sample's number.
        step: Number of the thought it comes from.
        wish: Of an action: the fields of `tools.steps.step.Wish` as plain data.
        made: Frames that these parents have already, label by id.
        head: Label of the head.
        after: How many nodes the tree holds.
        move: Of a Backtrack: the move.
        arguments: Of an Ask: question, readings and tables; of a FindColumns: words and table.
        frames: Of an Ask: label and id of the frame of each reading.
    """

    name: str
    given: Given
    number: int
    step: int
    wish: PlainData
    made: dict[str, str]
    head: str
    after: int
    move: PlainData
    arguments: PlainData
    frames: list[list[str]]


class Message(TypedDict):
    """What a person says in a conversation."""

    message: str


class Said(TypedDict, total=False):
    """What comes beside a message.

    Attributes:
        wanted: What a command means by it, an `agents.conversation.remarks.Remark` as plain data;
            empty for words that are to be read.
        typed: What answers a question back of this very message, see `Given`.
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


class TalkState(Message, Said, Tables, Conversation, AskState, total=False):
    """The state of the graph that goes on with a conversation."""


class Reply(Conversation, Answer, total=False):
    """What comes of a message: its answer, and the conversation after it."""


def begin_question(given: Given) -> Update:
    """What each channel of a question holds before its run; the input is taken over.

    Args:
        given: What comes with it.
    """
    empty: Outcome = {"tree": {}, "memory": {}, "review": {}, "spent": {}, "person": {}}
    fresh: Update = {**NO_ANSWER, **empty, "ballots": [], "given": given}
    return {**fresh, "sources": None, "settings": None, "start": None}


def combine(*updates: Update) -> Update:
    """The update of a run that several come to, one after the other."""
    rules, joined = _reducers(RunState), Update()
    for update in updates:
        for name, value in update.items():
            known = name in rules and name in joined
            joined[name] = rules[name](joined[name], value) if known else value
    return joined


def tree_of(state: RunState | AskState) -> FrameTree:
    """Read the tree out of the state."""
    tree = state.get("tree") or {}
    return FrameTree.model_construct(
        nodes=tuple(_node(node) for node in tree.get("nodes", {}).values()),
        head=tree.get("head", ""),
        moves=tuple(Move.model_validate(move) for move in tree.get("moves", [])),
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


def nodes_update(nodes: Iterable[Node]) -> Update:
    """The update that adds nodes; the head follows the last that is ok."""
    nodes = list(nodes)
    tree: Tree = {"nodes": {node.label: node.model_dump(mode="json") for node in nodes}}
    fine = [node.label for node in nodes if node.outcome == "ok"]
    if fine:
        tree["head"] = fine[-1]
    return {"tree": tree}
