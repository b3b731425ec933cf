"""A message of a session on its way to a result, and the conversation that it is part of."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from threading import Lock
from typing import TYPE_CHECKING, Any

from wideleaf.agents.conversation.remarks import Remark
from wideleaf.graph.context import Context
from wideleaf.graph.conversation.record import Record
from wideleaf.graph.results.result import Result
from wideleaf.graph.retention.sweep import keep_limits
from wideleaf.graph.services import prepare_inputs, release
from wideleaf.graph.sessions.asking import raise_failure, result_of, saver_of
from wideleaf.graph.sessions.driving import Drive, Listener, config_of
from wideleaf.graph.sessions.waiting import rest, teller_of
from wideleaf.graph.talk import talk_graph
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.sources.graphs.handle import KnowledgeGraph
from wideleaf.tools.sources.stamps import stamps_of

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver


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
        busy: Held while a message is being answered.

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
        self.busy = Lock()
        self.record = Record()
        if thread is not None:
            with saver_of(self.context, thread) as saver:
                self.record = self.kept(talk_graph().copy({"checkpointer": saver}))

    def read_changes(self) -> None:
        """Read the tables again where a file of them was written since.

        Raises:
            SourceError: If one is gone, or cannot be read any more.
        """
        stamps = stamps_of(_paths(self.inputs))
        if stamps != self.stamps:
            release(self.context)
            self.context = prepare_inputs(self.bare, self.inputs, self.progress)
            self.stamps = stamps

    def kept(self, graph: Any) -> Record:
        """What the thread has of it, which another process may have gone on with."""
        values = graph.get_state(config_of(self.context, self.thread)).values
        if values and "message" not in values:
            problem = f"thread {self.thread!r} is of a single question"
            raise SettingsError(f"{problem}; name another thread for the conversation")
        return Record.of(values.get("conversation"))


class Saying:
    """A message, as `graph.streaming` runs it.

    Args:
        dialogue: The conversation.
        message: In plain language.
        listener: Whom the run speaks to.
        remark: What a command means by it; a message alone is read.
        keep: Whether the conversation goes on from here; else it stays as it was.
    """

    def __init__(
        self,
        dialogue: Dialogue,
        message: str,
        listener: Listener | None = None,
        remark: Remark | None = None,
        *,
        keep: bool = True,
    ) -> None:
        if not message.strip():
            raise SettingsError("the message is empty (''); ask something of the tables")
        self.dialogue, self.message, self.remark = dialogue, message, remark
        self.listener, self.keep = listener or Listener(), keep
        self.thread = dialogue.thread if keep else None
        self._holds = False

    def open(self) -> None:
        """Take the conversation, which is of one message at a time, and look at its tables.

        Raises:
            SettingsError: If another message is being answered.
            SourceError: If a table is gone.
        """
        self._holds = self.dialogue.busy.acquire(blocking=False)
        if not self._holds:
            raise SettingsError(
                f"this session is answering another message, so {self.message!r} was not asked; "
                "wait for that answer, or open a session beside it"
            )
        self.dialogue.read_changes()

    def saver(self) -> AbstractContextManager[BaseCheckpointSaver[Any]]:
        """Where its checkpoints go."""
        return saver_of(self.dialogue.context, self.thread)

    def drive(self, saver: BaseCheckpointSaver[Any]) -> Drive:
        """The run of the message over what was said before."""
        context, graph = self.dialogue.context, talk_graph().copy({"checkpointer": saver})
        if self.thread is not None:
            self.dialogue.record = self.dialogue.kept(graph)
        inputs = {
            "message": self.message,
            "conversation": self.dialogue.record.plain(),
            "wanted": self.remark.model_dump(mode="json") if self.remark else {},
        }
        config = config_of(context, self.thread)
        return Drive(graph, inputs, config, context, self.listener, keep=self.thread is not None)

    def settle(self, drive: Drive) -> None:
        """Go on from here, or leave the conversation as it was where there is no answer."""
        if drive.state.get("status", "failed") != "failed" and not drive.cancelled:
            if self.keep:
                self.dialogue.record = Record.of(drive.state.get("conversation"))
        elif self.thread is not None:
            before = {"message": self.message, "conversation": self.dialogue.record.plain()}
            drive.graph.update_state(drive.config, before, as_node="remember")

    def close(self) -> None:
        """Let others speak."""
        rest(self.dialogue.progress)
        if self._holds:
            self._holds = False
            self.dialogue.busy.release()

    def result(self, drive: Drive) -> Result:
        """What came of it.

        Raises:
            WideleafError: If the run ended in an error.
        """
        result = result_of({"question": self.message, **drive.state}, self.dialogue.context)
        raise_failure(result)
        if self.keep and not drive.cancelled:
            self.dialogue.results.append(result)
            remark = (drive.state.get("person") or {}).get("remark") or {}
            if result.status == "answered" and remark.get("kind", "back") in GOING:
                self.dialogue.answers.setdefault(result.label, result)
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
