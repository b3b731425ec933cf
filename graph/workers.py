"""Workers: who asks many questions, this process, its threads or several processes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any, Generic, Literal, TypeVar

from wideleaf.graph.interrupts import heed_interrupts
from wideleaf.tools.writing import write_text

J = TypeVar("J")
R = TypeVar("R")
Way = Literal["here", "threads", "processes"]
UNDER_WAY = "under-way.json"
MAX_CRASHES = 3
"""A question that cannot be asked in a process of its own, and during which this one ended so
often, is a failure and is not asked again."""


@dataclass(frozen=True)
class Work(Generic[J, R]):
    """What is done with each question; of worker processes both functions are pickled.

    Attributes:
        answer: Answers a question; is told the name of its worker, which has no other at a time.
        crashed: The row of a question whose process ended.
    """

    answer: Callable[[J, str], R]
    crashed: Callable[[J], R]


def ask_all(
    todo: Mapping[str, J], work: Work[J, R], workers: int, way: Way, folder: Path
) -> Iterator[tuple[str, R]]:
    """Ask questions; each by its key with its row, as they are answered.

    Args:
        todo: The questions by their keys.
        work: What is done with each.
        workers: How many are under way at a time.
        way: By whom: ``here`` one after the other, or ``threads``, where a model is waited for.
        folder: Where it is noted what is under way, so that a question that ends its process is
            known to the next.
    """
    if way == "here":
        return _here(todo, work, folder / UNDER_WAY)
    if way == "threads":
        return _in_threads(todo, work, workers)
    return _in_processes(todo, work, workers)


def _read_note(note: Path) -> dict[str, Any]:
    """Which question was under way when a batch ended; nothing of a note that is cut short."""
    try:
        record = json.loads(note.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def _here(todo: Mapping[str, J], work: Work[J, R], note: Path) -> Iterator[tuple[str, R]]:
    before = _read_note(note)
    with heed_interrupts() as interrupted:
        for key, job in todo.items():
            times = before.get("times", 0) if before.get("id") == key else 0
            write_text(note, json.dumps({"id": key, "times": times + 1}), private=True)
            try:
                # Whether it was the question that ended the process, or somebody outside, only a
                # process of its own can tell.
                if times and _can_leave(work, job):
                    row = _alone(job, work)
                else:
                    row = work.crashed(job) if times >= MAX_CRASHES else work.answer(job, "")
            except KeyboardInterrupt:
                note.unlink(missing_ok=True)
                raise
            note.unlink(missing_ok=True)
            if interrupted:  # `ask` turns Ctrl-C into a partial result, which is no answer
                raise KeyboardInterrupt
            yield key, row


def _can_leave(work: Work[J, R], job: J) -> bool:
    """Whether another process can be told what to do: a live model cannot go there."""
    import pickle

    try:
        pickle.dumps((work, job))
    except Exception:  # whatever the objects in it raise
        return False
    return True


def _alone(job: J, work: Work[J, R]) -> R:
    """Ask one question in a process of its own, which it may end."""
    from concurrent.futures.process import BrokenProcessPool

    with _pool(1) as pool:
        try:
            row: R = pool.submit(_in_own_process, work, job).result()
        except BrokenProcessPool:
            return work.crashed(job)
    return row


def _in_processes(todo: Mapping[str, J], work: Work[J, R], workers: int) -> Iterator[tuple[str, R]]:
    """Ask in several processes; a question whose process ends is asked once more, alone."""
    from concurrent.futures import as_completed
    from concurrent.futures.process import BrokenProcessPool

    rest = dict(todo)
    while rest:
        with _pool(workers) as pool:
            waiting: dict[Future[R], str] = {
                pool.submit(_in_own_process, work, job): key for key, job in rest.items()
            }
            for future in as_completed(waiting):
                try:
                    row = future.result()
                except BrokenProcessPool:
                    break
                key = waiting[future]
                del rest[key]
                yield key, row
        # After a crash those that may have been under way are asked again, each in a process of
        # its own, so that the one that crashes takes no other along.
        for key, job in list(rest.items())[: workers + 1]:
            row = _alone(job, work)
            del rest[key]
            yield key, row


def _in_threads(todo: Mapping[str, J], work: Work[J, R], workers: int) -> Iterator[tuple[str, R]]:
    """Ask in threads of this process, which mostly wait for a model.

    An error of a thread comes out here. The threads are daemons: Ctrl-C does not wait for the
    replies that are under way.
    """
    waiting: SimpleQueue[tuple[str, J]] = SimpleQueue()
    results: SimpleQueue[tuple[str, R] | BaseException] = SimpleQueue()
    for one in todo.items():
        waiting.put(one)
    ended = Event()

    def run(number: int) -> None:
        while not ended.is_set():
            try:
                key, job = waiting.get_nowait()
            except Empty:
                return
            try:
                results.put((key, work.answer(job, f"-{number}")))
            except BaseException as error:  # whoever waits for the row must hear of it
                results.put(error)

    for number in range(min(workers, len(todo))):
        Thread(target=run, args=(number,), daemon=True).start()
    try:
        for _ in todo:
            result = results.get()
            if isinstance(result, BaseException):
                raise result
            yield result
    finally:
        ended.set()


@contextmanager
def _pool(workers: int) -> Iterator[Any]:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # Spawned: Polars' threads do not live through a fork.
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_begin)
    try:
        yield pool
    except BaseException:
        processes = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        raise
    pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Leave Ctrl-C, which the terminal sends to all processes, to the first; end when it ends."""
    import os
    import signal
    from multiprocessing import parent_process

    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def follow() -> None:
        if parent := parent_process():
            parent.join()
            os._exit(1)

    Thread(target=follow, daemon=True).start()


def _in_own_process(work: Work[J, R], job: J) -> R:
    import os

    return work.answer(job, f"-{os.getpid()}")
