"""The event loop: a run is pulled by threads, so that the loop is not held up."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator
from concurrent.futures import Future
from threading import Event as Signal
from typing import TYPE_CHECKING, Any, TypeVar

from wideleaf.graph.events import Event
from wideleaf.graph.sessions.runner import Listener

if TYPE_CHECKING:
    from wideleaf.graph.results.result import Result

T = TypeVar("T")


async def pull(
    begin: Callable[[Listener], Generator[Event, None, Result]],
    on_event: Callable[[Event], Any] | None,
    answer_back: Callable[[str, list[str]], Any] | None,
) -> AsyncGenerator[Event | Result, None]:
    """Run something without holding up the event loop; its events, and the result last.

    A task that is cancelled ends the run at its next step, and waits for that.

    Args:
        begin: Starts it for a listener.
        on_event: Told of each event; it may be a coroutine function.
        answer_back: Asked back; likewise.
    """
    loop, stop = asyncio.get_running_loop(), Signal()
    replies: list[Future[str]] = []

    def cancel() -> None:
        stop.set()
        for reply in replies:
            reply.cancel()

    def wait_for_reply(question: str, options: list[str]) -> str:
        asked: Any = answer_back and answer_back(question, options)
        reply: Future[str] = asyncio.run_coroutine_threadsafe(asked, loop)
        replies.append(reply)
        if stop.is_set():
            reply.cancel()
        return reply.result()

    waits = inspect.iscoroutinefunction(answer_back)
    run = begin(Listener(answer_back=wait_for_reply if waits else answer_back, stop=stop))
    try:
        while isinstance(one := await to_its_end(lambda: _advance(run), cancel), Event):
            if on_event and inspect.isawaitable(heard := on_event(one)):
                await heard
            yield one
    finally:
        await to_its_end(run.close)
    yield one


async def last_of(events: AsyncIterator[Event | Result]) -> Result:
    """The result at the end of a stream."""
    async for one in events:
        result = one
    return result  # type: ignore[return-value]  # a stream ends with it


async def to_its_end(work: Callable[[], T], cancel: Callable[[], None] | None = None) -> T:
    """Do work in a thread, which cannot be stopped.

    Args:
        work: What is done.
        cancel: Called where the task is cancelled meanwhile, which then waits for the thread.
    """
    running = asyncio.ensure_future(asyncio.to_thread(work))
    impatience: asyncio.CancelledError | None = None
    while not running.done():
        try:
            await asyncio.wait([running])
        except asyncio.CancelledError as error:
            impatience = error
            if cancel:
                cancel()
    if impatience is None:
        return running.result()
    if not running.cancelled():
        running.exception()  # nobody waits for it
    raise impatience


def _advance(run: Generator[Event, None, Result]) -> Event | Result:
    """The next event, or the result: no StopIteration passes from a thread to a task."""
    try:
        return next(run)
    except StopIteration as end:
        result: Result = end.value
        return result
