"""A message of a session from its tables to its result, and the conversation it is part of."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any

from wideleaf.agents.conversation.remarks import Remark
from wideleaf.graph.context import Context
from wideleaf.graph.conversation.record import Record
from wideleaf.graph.results.result import Result
from wideleaf.graph.retention.sweep import keep_limits
from wideleaf.graph.services import prepare_inputs, release
from wideleaf.graph.sessions.question import result_of
from wideleaf.graph.sessions.runner import Listener, config_of, open_graph, run_graph
from wideleaf.graph.sessions.waiting import rest, teller_of
from wideleaf.graph.talk import talk_graph
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.sources.graphs.handle import KnowledgeGraph
from wideleaf.tools.sources.stamps import stamps_of

if TYPE_CHECKING:
    from wideleaf.graph.channels import PlainData
    from wideleaf.graph.events import Event

GOING = ("back", "undo", "choice")
"""Remarks that an earlier answer is said again for; the others are told of one."""


class Dialogue:
    """A conversation under way.

    Args:
        bare: Its settings, without tables.
        inputs: The tables, as they were handed in.
        thread: The name that it is kept under; none for one that ends with its session.
        progress: Told what long work is under way, see `graph.sessions.waiting.teller_of`.

    Attributes:
        context: The settings with the tables.
        record: What is kept of it.
        results: What each message came to, oldest first.
        answers: The answers among them, by the label of their frame.

    Raises:
        SourceError: If a table cannot be read.
        SettingsError: If the thread is no conversation.
    """

    def __init__(
        self,
        bare: Context,
        inputs: tuple[Any, ...],
        thread: str | None = None,
        progress: Callable[[str], None] | bool | None = None,
    ) -> None:
        self.bare, self.inputs, self.thread = bare, inputs, thread
        self.progress = teller_of(progress)
        if (notice := keep_limits(bare)) and self.progress:
            self.progress(notice)
        self.stamps = stamps_of(_paths(inputs))
        try:
            self.context = prepare_inputs(bare, inputs, self.progress)
        finally:
            rest(self.progress)
        self.results: list[Result] = []
        self.answers: dict[str, Result] = {}
        self._busy = Lock()
        self.record = Record()
        if thread is not None:
            with open_graph(talk_graph(), self.context, thread) as graph:
                self.record = self.kept(graph)

    @contextmanager
    def turn(self, message: str) -> Iterator[Context]:
        """Take the conversation, which is of one message at a time; the settings with its tables.

        Raises:
            SettingsError: If another message is being answered.
            SourceError: If a table is gone.
        """
        if not self._busy.acquire(blocking=False):
            raise SettingsError(
                f"this session is answering another message, so {message!r} was not asked; "
                "wait for that answer, or open a session beside it"
            )
        try:
            self._read_changes()
            yield self.context
        finally:
            rest(self.progress)
            self._busy.release()

    def add(self, state: PlainData, result: Result) -> None:
        """Go on from an answer."""
        self.record = Record.of(state.get("conversation"))
        self.results.append(result)
        remark = (state.get("person") or {}).get("remark") or {}
        if result.status == "answered" and remark.get("kind", "back") in GOING:
            self.answers.setdefault(result.label, result)

    def kept(self, graph: Any) -> Record:
        """What the thread has of it, which another process may have gone on with."""
        values = graph.get_state(config_of(self.context, self.thread)).values
        if values and "message" not in values:
            problem = f"thread {self.thread!r} is of a single question"
            raise SettingsError(f"{problem}; name another thread for the conversation")
        return Record.of(values.get("conversation"))

    def _read_changes(self) -> None:
        """Read the tables again where a file of them was written since."""
        stamps = stamps_of(_paths(self.inputs))
        if stamps != self.stamps:
            release(self.context)
            self.context = prepare_inputs(self.bare, self.inputs, self.progress)
            self.stamps = stamps


def answer_message(
    dialogue: Dialogue,
    message: str,
    listener: Listener,
    remark: Remark | None = None,
    *,
    keep: bool = True,
) -> Generator[Event, None, Result]:
    """Answer a message over what was said before; the result at the end of the events.

    Args:
        dialogue: The conversation.
        message: In plain language.
        listener: Whom the run speaks to.
        remark: What a command means by it; a message alone is read.
        keep: Whether the conversation goes on from here; else it stays as it was, as it does where
            there is no answer.

    Raises:
        SettingsError: If the message is empty, or another is being answered.
        WideleafError: If a table is gone, or the run ended in an error.
    """
    if not message.strip():
        raise SettingsError("the message is empty (''); ask something of the tables")
    thread = dialogue.thread if keep else None
    with (
        dialogue.turn(message) as context,
        open_graph(talk_graph(), context, thread) as graph,
    ):
        if thread is not None:
            dialogue.record = dialogue.kept(graph)
        before = {"message": message, "conversation": dialogue.record.plain()}
        wanted = remark.model_dump(mode="json") if remark else {}
        answered = False
        try:
            end = yield from run_graph(
                graph, {**before, "wanted": wanted}, context, listener, thread
            )
            result = result_of({"question": message, **end.state}, context)
            answered = not end.cancelled
        finally:
            if thread is not None and not answered:
                graph.update_state(config_of(context, thread), before, as_node="remember")
        if keep and answered:
            dialogue.add(end.state, result)
    return result


def _paths(inputs: Iterable[Any]) -> Iterator[str]:
    """The files, folders and databases among what was handed in."""
    for one in inputs:
        if isinstance(one, str | os.PathLike):
            yield str(one)
        elif isinstance(one, KnowledgeGraph):
            yield from _paths([one.content])
        elif isinstance(one, Mapping):
            yield from _paths(one.values())
        elif isinstance(one, list | tuple):
            yield from _paths(one)
