"""A session: a conversation with tables from Python; a message may go on from earlier ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, Unpack

from wideleaf.agents.turn import Exchange
from wideleaf.graph.bug_report import clear_errors
from wideleaf.graph.context import Context, make_context
from wideleaf.graph.conversation.record import Record
from wideleaf.graph.events import Event
from wideleaf.graph.results.result import Result
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.sources.stamps import Stamp, stamps_of
from wideleaf.tools.tree.tree import FrameTree

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

    from wideleaf.graph.keywords import SessionKeywords


class Session:
    """A conversation about tables.

    The tables are read once. Each further message may go on from what was answered before: its
    frames stand in one tree, so that what is there is not made again.

    Args:
        sources: What `wideleaf.ask` takes.
        thread: A name under which the conversation is kept in the folder, to go on in another
            process; without one it ends with this session.
        answer_back: Asked when two readings of a question differ in their results; gets the
            question and up to three options. Without it the first is taken, and the next message
            may take another ("the second one").
        progress: Told what long work is under way.
        settings: Any field of `Context`, as for `wideleaf.ask`.

    Attributes:
        results: What each message came to, oldest first.

    Raises:
        WideleafError: If a source or a setting cannot be used.
    """

    @clear_errors("the session")
    def __init__(
        self,
        *sources: Any,
        thread: str | None = None,
        answer_back: Callable[[str, list[str]], str] | None = None,
        progress: Callable[[str], None] | None = None,
        **settings: Unpack[SessionKeywords],
    ) -> None:
        from wideleaf.graph.services import prepare_inputs

        if not sources:
            raise SettingsError("no table was given; name at least one file, folder or frame")
        context = make_context(interactive=answer_back is not None, **settings)
        self._inputs, self._progress = sources, progress
        self._stamps = _stamps(sources)
        self._context: Context = prepare_inputs(context, sources, progress)
        self._answer_back = answer_back
        self._thread = thread
        self._record = self._kept()
        self.results: list[Result] = []

    @property
    def sources(self) -> tuple[str, ...]:
        """The tables, as ``name=path``."""
        return self._context.sources

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """What was said, oldest first, and which frame answered it."""
        return self._record.exchanges

    @property
    def tree(self) -> FrameTree:
        """The tree of frames that all answers stand in."""
        return self._record.tree

    @clear_errors("the question")
    def ask(self, message: str, *, on_event: Callable[[Event], None] | None = None) -> Result:
        """Answer a message: a question, one that goes on from earlier ones, or a word about them.

        Args:
            message: In plain language.
            on_event: Told of each thought, action and observation as it happens.

        Raises:
            WideleafError: If it ends in an error. The conversation stays as it was.
        """
        from wideleaf.graph.driving import Listener, config_of, drive
        from wideleaf.graph.run import raise_failure
        from wideleaf.graph.talk import build_talk

        if not message.strip():
            raise SettingsError("the message is empty (''); ask something of the tables")
        context = self._open()
        said = {"message": message, "conversation": self._record.plain()}
        listener = Listener(on_event, self._answer_back)
        with self._saver() as saver:
            config = config_of(context, self._thread)
            keep = self._thread is not None
            state = drive(build_talk(saver), said, config, context, listener, keep=keep)
        result = Result.of_state(
            {"question": message, **state},  # type: ignore[typeddict-item]  # of the channels
            sources=context.sources,
            denied=context.denied,
            folder=context.folder,
            profile=context.profile,
            selector=context.selector,
        )
        raise_failure(result)
        self._record = Record.of(state.get("conversation"))
        self.results.append(result)
        return result

    def close(self) -> None:
        """Let go of files that are held open; asking again opens them again."""
        from wideleaf.graph.services import release

        release(self._context)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        names = ", ".join(source.split("=", 1)[0] for source in self.sources)
        return f"<Session of {names}: {len(self.exchanges)} exchanges>"

    def _open(self) -> Context:
        """The settings; files that were written since the last message are read again."""
        from wideleaf.graph.services import prepare_inputs

        if (now := _stamps(self._inputs)) != self._stamps:
            self._context = prepare_inputs(self._context, self._inputs, self._progress)
            self._stamps = now
        return self._context

    def _kept(self) -> Record:
        """The conversation so far of a named session."""
        if self._thread is None:
            return Record()
        from wideleaf.graph.driving import config_of
        from wideleaf.graph.talk import build_talk

        with self._saver() as saver:
            config = config_of(self._context, self._thread)
            values = build_talk(saver).get_state(config).values
        if values and "message" not in values:
            told = f"thread {self._thread!r} is of a single question"
            raise SettingsError(f"{told}; name another thread for the conversation")
        return Record.of(values.get("conversation"))

    def _saver(self) -> AbstractContextManager[BaseCheckpointSaver[Any]]:
        if self._thread is None:
            from langgraph.checkpoint.memory import InMemorySaver

            return nullcontext(InMemorySaver())
        from wideleaf.graph.threads import thread_saver

        return thread_saver(Path(self._context.folder), self._thread)


def _stamps(inputs: Sequence[Any]) -> tuple[Stamp, ...]:
    """The stamps of the files among what was handed in."""
    flat = [one for given in inputs for one in _values(given)]
    return stamps_of(str(one) for one in flat if isinstance(one, str | Path))


def _values(given: Any) -> Sequence[Any]:
    return list(given.values()) if isinstance(given, Mapping) else [given]
