"""What happened, as it happens: thoughts, actions, observations, moves, read off updates."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple, TypeVar, cast

from langgraph.runtime import Runtime
from langgraph.types import Command, Send

from wideleaf.agents.models.deadline import is_stopped
from wideleaf.graph.bug_report import clear_error, plain_error
from wideleaf.graph.channels import PlainData
from wideleaf.graph.progress import Progress
from wideleaf.graph.run_context import RunContext
from wideleaf.graph.state import Update
from wideleaf.graph.thoughts import configuration, tell_thought
from wideleaf.graph.updates import failure_update
from wideleaf.tools.work import watch_work

NodeT = TypeVar("NodeT", bound=Callable[..., Any])
EventKind = Literal[
    "columns", "thought", "action", "observation", "failure", "move", "note", "code"
]


class StoppedError(Exception):
    """Nobody waits for the run any more; it may be gone on with."""


class Event(NamedTuple):
    """One line of a live run.

    Attributes:
        kind: What it is.
        label: The node it is about; empty if none.
        text: The line.
        sample: Of a vote the sample's number; 0 where nothing is voted on.
    """

    kind: EventKind
    label: str
    text: str
    sample: int = 0


def stream_events(*, on_error: str = "", graph: str | None = None) -> Callable[[NodeT], NodeT]:
    """Let a node tell the custom stream what its update says, for Studio, the shell and callers.

    What nobody foresaw ends the run as a value: status ``failed`` and the error's code and words.

    Args:
        on_error: Where the node goes on to then, if no edge leads on from it.
        graph: Which graph that is in, as `langgraph.types.Command` has it.
    """

    def wrap(node: NodeT) -> NodeT:
        @functools.wraps(node)
        def tell(state: Any, runtime: Runtime[RunContext]) -> Any:
            number = _sample_number(state)
            config = configuration()
            if is_stopped():
                raise StoppedError

            def tell_line(text: str) -> None:
                runtime.stream_writer(Event("note", "", text, number)._asdict())

            def seconds_left() -> float:
                spent: float = (state.get("spent") or {}).get("seconds", 0.0)
                return max(0.0, runtime.context.settings.max_seconds - spent)

            try:
                with watch_work(Progress(tell_line, seconds_left)):
                    outcome = node(state, runtime)
            except BaseException as error:  # a panic inside an engine is no Exception
                name = (config.get("metadata") or {}).get("langgraph_node") or node.__name__
                outcome = _end_run(error, state.get("name") or name, state, runtime.context)
                if on_error:
                    outcome = Command(graph=graph, goto=on_error, update=outcome)
            if is_stopped():  # what it waited for may have been broken off
                raise StoppedError
            for event in events_of(node.__name__, outcome):
                entry = event._replace(sample=number)
                runtime.stream_writer(entry._asdict())
                tell_thought(entry)
            return outcome

        return cast(NodeT, tell)

    return wrap


def _sample_number(state: Any) -> int:
    given = state.get("given") or {}
    number: int = state.get("number") or (given.get("sample") or {}).get("number", 0)
    return number


def _end_run(error: BaseException, name: str, state: Any, context: RunContext) -> Update:
    """The update that ends a run by an error of one of its nodes; raises what is to pass."""

    def look() -> str:
        return context.services.store.damage()

    ours = clear_error(error, f"the step {name!r}", context.settings.folder, look)
    if ours is None:
        raise error
    update = {**failure_update(ours.code, str(ours)), "error": plain_error(ours)}
    if "name" in state:  # others may run beside it
        return update
    return {**update, "review": {"offer": {}}}


def events_of(node: str, outcome: Update | Command[str]) -> Iterator[Event]:
    """Read the events out of what one node gives back."""
    update = cast(Update, (outcome.update or {}) if isinstance(outcome, Command) else outcome)
    tree, memory = update.get("tree") or {}, update.get("memory") or {}
    if node in ("prepare", "select"):
        yield from _leaves(tree, memory)
        return
    if node == "count_ballots":  # what the samples did was told as they did it
        if samples := update.get("samples"):
            most = max(sample["votes"] for sample in samples)
            yield Event("note", "", f"{most} of {len(samples)} samples gave the answer")
        return
    if node == "reply":  # it tells of frames that are there
        return
    if node == "supervise" and isinstance(outcome, Command):
        yield from _calls(_list_calls(outcome, memory))
    for label, grown in (tree.get("nodes") or {}).items():
        failed = grown["outcome"] != "ok"
        summary = grown.get("description") or grown["observation"]
        text = grown["error"] if failed else summary
        yield Event("failure" if failed else "observation", label, text)
    for move in tree.get("moves") or []:
        what = "find columns" if move["kind"] == "find" else f"{move['kind']} to {move['target']}"
        yield Event("move", move["target"], f"{what}: {move['reason']}")
    yield from _code(update.get("crafting") or {})
    for note in memory.get("notes") or []:
        yield Event("note", "", note["text"])


def _leaves(tree: PlainData, memory: PlainData) -> Iterator[Event]:
    for label, grown in (tree.get("nodes") or {}).items():
        if not grown["parents"]:  # the others are of earlier questions of a conversation
            yield Event("observation", label, f"{grown['rows']} rows x {grown['columns']} columns")
    if memory.get("columns"):
        yield Event("columns", "", memory["columns"])


def _list_calls(command: Command[str], memory: PlainData) -> list[PlainData]:
    """What the supervisor sends off."""
    sends = command.goto if isinstance(command.goto, list) else []
    calls = [send.arg for send in sends if isinstance(send, Send)]
    return calls or ([memory["call"]] if memory.get("call") else [])


def _calls(calls: list[PlainData]) -> Iterator[Event]:
    thought = next((c["wish"]["thought"] for c in calls if c.get("wish")), "")
    if thought:
        yield Event("thought", "", thought)
    for call in calls:
        if wish := call.get("wish"):
            parents = ", ".join(parent for parent, _ in wish["parents"])
            text = f"{call['name']} of {parents}" if parents else call["name"]
            yield Event("action", wish["label"], f"{text} {_compact(wish['call']['arguments'])}")


def _compact(arguments: dict[str, Any]) -> str:
    import json

    return json.dumps(arguments, ensure_ascii=False)


def _code(crafting: PlainData) -> Iterator[Event]:
    """Code as it is written, and why a try did not do."""
    if not crafting:
        return
    label = str(crafting["call_sent"]["wish"]["label"])
    if crafting["code"] and not crafting["approved"]:
        yield Event("code", label, str(crafting["code"]))
    elif not crafting["code"] and crafting["tries"]:
        number, last = len(crafting["tries"]), crafting["tries"][-1]["error"]
        yield Event("note", label, f"try {number} failed: {last}")
