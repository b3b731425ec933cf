"""Streaming: the events of a run as they come and its result last, waited for or not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterable
from contextlib import AbstractContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar

from wideleaf.graph.events import Event
from wideleaf.graph.sessions.driving import Drive, asteps, steps

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

    from wideleaf.graph.results.result import Result

P = ParamSpec("P")
T = TypeVar("T")


class Job(Protocol):
    """What there is to run: a question, or a message of a session. Each method may read files."""

    def open(self) -> Result | None:
        """Open what it needs; its result, if that is known without a run."""

    def saver(self) -> AbstractContextManager[BaseCheckpointSaver[Any]]:
        """Where its checkpoints go."""

    def drive(self, saver: BaseCheckpointSaver[Any]) -> Drive:
        """The run that is due."""

    def settle(self, drive: Drive) -> None:
        """Leave the thread as it is to be found, however the run ended."""

    def close(self) -> None:
        """Let go of what `open` opened."""

    def result(self, drive: Drive) -> Result:
        """What came of it."""


def stream(job: Job) -> Generator[Event | Result, None, None]:
    """Run it; its events, and the result last."""
    try:
        result = job.open()
        if result is None:
            with job.saver() as saver:
                drive = job.drive(saver)
                try:
                    yield from steps(drive)
                finally:
                    job.settle(drive)
    finally:
        job.close()
    yield job.result(drive) if result is None else result


async def astream(job: Job) -> AsyncGenerator[Event | Result, None]:
    """The same without holding up the event loop."""
    try:
        result = await to_its_end(job.open)
        if result is None:
            async with _in_threads(job.saver()) as saver:
                drive = await to_its_end(job.drive, saver)
                try:
                    async for event in asteps(drive):
                        yield event
                finally:
                    await to_its_end(job.settle, drive)
    finally:
        await to_its_end(job.close)
    yield await to_its_end(job.result, drive) if result is None else result


def last_of(events: Iterable[Event | Result]) -> Result:
    """The result at the end of a stream."""
    *_, result = events
    return result  # type: ignore[return-value]  # a stream ends with it


async def alast_of(events: AsyncIterator[Event | Result]) -> Result:
    """The same of a stream that is waited for."""
    async for one in events:
        result = one
    return result  # type: ignore[return-value]  # a stream ends with it


async def to_its_end(function: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Run a function in a thread; a task that is cancelled meanwhile waits for it first."""
    running = asyncio.ensure_future(asyncio.to_thread(function, *args, **named))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        while not running.done():
            try:
                await asyncio.wait([running])
            except asyncio.CancelledError:  # impatient, but the thread cannot be stopped
                continue
        raise


@asynccontextmanager
async def _in_threads(manager: AbstractContextManager[T]) -> AsyncIterator[T]:
    """A context that is entered and left in threads, and never left open."""
    entered: list[T] = []
    try:
        await to_its_end(lambda: entered.append(manager.__enter__()))
        yield entered[0]
    except BaseException as error:
        passes = not entered or not await to_its_end(
            manager.__exit__, type(error), error, error.__traceback__
        )
        if passes:
            raise
    else:
        await to_its_end(manager.__exit__, None, None, None)
