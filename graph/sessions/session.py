"""A session: a conversation with tables from Python; a message may go on from earlier ones."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import aclosing
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, Unpack

from wideleaf.agents.conversation.remarks import Remark, RemarkKind, place_before
from wideleaf.agents.turn import Exchange
from wideleaf.graph.bug_report import clear_errors
from wideleaf.graph.context import make_context
from wideleaf.graph.events import Event
from wideleaf.graph.results.result import Result
from wideleaf.graph.sessions.event_loop import last_of, pull, to_its_end
from wideleaf.graph.sessions.runner import Listener, end_of
from wideleaf.graph.sessions.waiting import tell_event
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.tree.tree import FrameTree

if TYPE_CHECKING:
    from wideleaf.graph.keywords import SessionKeywords
    from wideleaf.tools.sources.source import Source


class Session:
    """A conversation about tables.

    The tables are read once. Each further message may go on from what was answered before: its
    frames stand in one tree, so that what is there is not made again. Messages are answered one
    after the other; a session beside it has a conversation of its own.

    Args:
        sources: What `wideleaf.ask` takes.
        thread: A name under which the conversation is kept in the folder, to go on in another
            process; without one it ends with this session.
        answer_back: Asked when two readings of a question differ in their results; gets the
            question and up to three options. Without it the first is taken, and the next message
            may take another ("the second one"). Only `aask` and `astream` wait for a coroutine.
        progress: Told what long work is under way; by default a line on standard error tells it
            where that is a terminal or a notebook, True anywhere, False never.
        settings: Any field of `Context`, as for `wideleaf.ask`.

    Attributes:
        results: What each message came to in this session, oldest first.

    Raises:
        WideleafError: If a source or a setting cannot be used.
    """

    @clear_errors("the session")
    def __init__(
        self,
        *sources: Any,
        thread: str | None = None,
        answer_back: Callable[[str, list[str]], Any] | None = None,
        progress: Callable[[str], None] | bool | None = None,
        **settings: Unpack[SessionKeywords],
    ) -> None:
        from wideleaf.graph.sessions.dialogue import Dialogue

        if not sources:
            raise SettingsError("no table was given; name at least one file, folder or frame")
        context = make_context(interactive=answer_back is not None, **settings)
        self._answer_back = answer_back
        self._dialogue = Dialogue(context, sources, thread, progress)
        self.results: list[Result] = self._dialogue.results

    @classmethod
    async def aopen(
        cls,
        *sources: Any,
        thread: str | None = None,
        answer_back: Callable[[str, list[str]], Any] | None = None,
        progress: Callable[[str], None] | bool | None = None,
        **settings: Unpack[SessionKeywords],
    ) -> Self:
        """The same, whose tables are read without holding up the event loop."""
        base = {"thread": thread, "answer_back": answer_back, "progress": progress}
        options: dict[str, Any] = {**base, **settings}
        return await to_its_end(partial(cls, *sources, **options))

    @property
    def sources(self) -> tuple[str, ...]:
        """The tables, as ``name=path``."""
        return self._dialogue.context.sources

    @property
    def tables(self) -> tuple[Source, ...]:
        """The tables as they were read: ``name``, ``rows``, ``columns``, and ``origin``."""
        from wideleaf.graph.services import services_of

        return services_of(self._dialogue.context).store.catalog.all

    @property
    def folder(self) -> str:
        """Where frames, and what is kept of a named conversation, are."""
        return self._dialogue.context.folder

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """What was said, oldest first, and which frame answered it."""
        return self._dialogue.record.exchanges

    @property
    def tree(self) -> FrameTree:
        """The tree of frames that all answers stand in."""
        return self._dialogue.record.tree

    @property
    def last(self) -> Result | None:
        """The answer that a further message goes on from; None if there is none yet."""
        head = self._dialogue.record.head
        if not head or (result := self._dialogue.answers.get(head)):
            return result if head else None
        return self._say("The last answer again.", Remark(kind="back"), keep=False)

    @clear_errors("the question")
    def ask(self, message: str, *, on_event: Callable[[Event], None] | None = None) -> Result:
        """Answer a message: a question, one that goes on from earlier ones, or a word about them.

        Args:
            message: In plain language.
            on_event: Told of each thought, action and observation as it happens.

        Returns:
            The result; its tree is that of the conversation.

        Raises:
            WideleafError: If it ends in an error. The conversation stays as it was.
        """
        tell = on_event or partial(tell_event, self._dialogue.progress)
        return end_of(self._answer(message, Listener(tell, self._answer_back)))

    async def aask(
        self, message: str, *, on_event: Callable[[Event], Awaitable[None] | None] | None = None
    ) -> Result:
        """The same without holding up the event loop.

        A task that is cancelled ends the run at its next step; the conversation stays as it was.

        Args:
            message: In plain language.
            on_event: Told of each thought, action and observation as it happens.

        Raises:
            WideleafError: As `ask` does.
        """
        return await last_of(self.astream(message, on_event=on_event))

    @clear_errors("the question")
    def stream(self, message: str) -> Generator[Event | Result, None, None]:
        """Answer a message as `ask` does, and tell of each event as it happens.

        Yields:
            Each `Event`, and the `Result` last. Where the stream is closed before, the
            conversation stays as it was.
        """
        yield (yield from self._answer(message, Listener(answer_back=self._answer_back)))

    @clear_errors("the question")
    async def astream(
        self, message: str, *, on_event: Callable[[Event], Awaitable[None] | None] | None = None
    ) -> AsyncGenerator[Event | Result, None]:
        """The same as `stream` without holding up the event loop."""
        begin = partial(self._answer, message)
        async with aclosing(pull(begin, on_event, self._answer_back)) as events:
            async for one in events:
                yield one

    @clear_errors("going back")
    def back(self, label: str | None = None) -> Result:
        """Make an earlier answer the one that further messages go on from, and say it again.

        Args:
            label: Of its frame, such as ``T3``; none for the answer before this one.

        Raises:
            SettingsError: If no answer stands there.
        """
        place = place_before(self.exchanges) if label is None else self._place(label)
        message = f"Back to {label or 'the answer before'}."
        return self._say(message, Remark(kind="back", place=place))

    @clear_errors("undoing")
    def undo(self) -> Result | None:
        """Forget the last answer; the one before it is said again, None if there is none."""
        if self._dialogue.record.last < 0:
            return None
        result = self._say("Undo.", Remark(kind="undo"))
        return result if result.label else None

    @clear_errors("the reply")
    def tell(
        self, what: RemarkKind, label: str | None = None, *, form: str | None = None
    ) -> Result:
        """Tell of an answer without a new step.

        Args:
            what: ``steps``, ``columns``, ``rows``, ``tree``, ``sql`` or ``chart``.
            label: Of the answer's frame; none for the last answer.
            form: Of a chart; none for the one that suits it.

        Raises:
            SettingsError: If no answer stands there, or no chart has that form.
        """
        place = -1 if label is None else self._place(label)
        message = f"Tell the {what}." if form is None else f"Draw a {_form(form)} chart."
        return self._say(message, Remark(kind=what, place=place), keep=False)

    def close(self) -> None:
        """Let go of files that are held open; asking again opens them again."""
        from wideleaf.graph.services import release

        release(self._dialogue.context)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await to_its_end(self.close)

    def __repr__(self) -> str:
        names = ", ".join(source.split("=", 1)[0] for source in self.sources)
        return f"<Session of {names}: {len(self.exchanges)} exchanges>"

    def _answer(
        self, message: str, listener: Listener, remark: Remark | None = None, *, keep: bool = True
    ) -> Generator[Event, None, Result]:
        from wideleaf.graph.sessions.dialogue import answer_message

        listener = listener._replace(progress=self._dialogue.progress)
        return answer_message(self._dialogue, message, listener, remark, keep=keep)

    def _say(self, message: str, remark: Remark, *, keep: bool = True) -> Result:
        return end_of(self._answer(message, Listener(), remark, keep=keep))

    def _place(self, label: str) -> int:
        """The exchange that a frame answered, by its label in any case of letters."""
        labels = [one.label for one in self.exchanges]
        for place in reversed(range(len(labels))):
            if label and labels[place].casefold() == label.casefold():
                return place
        listing = ", ".join(dict.fromkeys(one for one in labels if one)) or "none"
        raise SettingsError(f"no answer stands in {label!r}; answers stand in: {listing}")


def _form(text: str) -> str:
    """A form of chart by any of its names."""
    from wideleaf.graph.results.frames import tell_refusals
    from wideleaf.tools.charts.forms import form_of

    with tell_refusals():
        return form_of(text)
