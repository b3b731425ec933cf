"""How the questions of an evaluation are asked: in this process, its threads, or several."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any

from wideleaf.graph.evaluation.answers import answer_item
from wideleaf.graph.evaluation.item import Item
from wideleaf.graph.evaluation.registry import Prediction, score
from wideleaf.graph.evaluation.rows import EvalRow, EvalSettings, code_stamp
from wideleaf.graph.evaluation.scorers.causes import classify_error

UNDER_WAY = "under-way.json"
MOST_CRASHES = 2
"""A question during which the process ended so often is a failure and is not asked again."""


def ask_here(
    todo: Sequence[Item], settings: EvalSettings, out: Path, model: Any
) -> Iterator[EvalRow]:
    """Ask in this process; a question that ends the process twice is given up."""
    note = out / UNDER_WAY
    before = json.loads(note.read_text(encoding="utf-8")) if note.is_file() else {}
    with _interrupts() as interrupted:
        for item in todo:
            crashes = before.get("times", 0) if before.get("id") == item.id else 0
            if crashes >= MOST_CRASHES:
                yield _crashed(item)
                continue
            note.write_text(json.dumps({"id": item.id, "times": crashes + 1}), encoding="utf-8")
            try:
                row = answer_item(item, settings, out / "frames", model)
            except KeyboardInterrupt:
                note.unlink(missing_ok=True)
                raise
            note.unlink(missing_ok=True)
            if interrupted:  # `ask` turns Ctrl-C into a partial result, which is no answer
                raise KeyboardInterrupt
            yield row


@contextmanager
def _interrupts() -> Iterator[list[int]]:
    """Note that Ctrl-C came, and let it do what it does."""
    import signal
    from threading import current_thread, main_thread

    came: list[int] = []
    if current_thread() is not main_thread():
        yield came
        return

    def note(number: int, frame: Any) -> None:
        came.append(number)
        raise KeyboardInterrupt

    old = signal.signal(signal.SIGINT, note)
    try:
        yield came
    finally:
        signal.signal(signal.SIGINT, old)


def _crashed(item: Item) -> EvalRow:
    scores = score(item, Prediction())
    return EvalRow(
        id=item.id,
        question=item.question,
        type=item.type,
        subtype=item.subtype,
        hardness=item.hardness,
        group=item.group,
        status="failed",
        scores=scores,
        cause=classify_error("failed", item, Prediction()),
        gold=str(item.gold)[:1000],
        error="the process ended while this question was under way",
        code=code_stamp(),
    )


def ask_in_processes(
    todo: Sequence[Item], settings: EvalSettings, out: Path, workers: int
) -> Iterator[EvalRow]:
    """Ask in several processes; a question whose process ends is asked once more, alone."""
    from concurrent.futures import as_completed
    from concurrent.futures.process import BrokenProcessPool

    left = {item.id: item for item in todo}
    while left:
        with _pool(workers) as pool:
            waiting: list[Future[EvalRow]] = [
                pool.submit(_worker, item, settings, str(out)) for item in left.values()
            ]
            for future in as_completed(waiting):
                try:
                    row = future.result()
                except BrokenProcessPool:
                    break
                del left[row.id]
                yield row
        # After a crash those that may have been under way are asked again, each in a process of
        # its own, so that the one that crashes takes no other along.
        for item in list(left.values())[: workers + 1]:
            with _pool(1) as pool:
                try:
                    row = pool.submit(_worker, item, settings, str(out)).result()
                except BrokenProcessPool:
                    row = _crashed(item)
            del left[item.id]
            yield row


def ask_in_threads(
    todo: Sequence[Item], settings: EvalSettings, out: Path, model: Any, workers: int
) -> Iterator[EvalRow]:
    """Ask in threads of this process, which mostly wait for a model.

    An error of a thread comes out here. The threads are daemons: Ctrl-C does not wait for the
    replies that are under way.
    """
    waiting: SimpleQueue[Item] = SimpleQueue()
    done: SimpleQueue[EvalRow | BaseException] = SimpleQueue()
    for item in todo:
        waiting.put(item)
    ended = Event()

    def work(number: int) -> None:
        while not ended.is_set():
            try:
                item = waiting.get_nowait()
            except Empty:
                return
            try:
                done.put(answer_item(item, settings, out / f"frames-{number}", model))
            except BaseException as error:  # whoever waits for the row must hear of it
                done.put(error)

    for number in range(min(workers, len(todo))):
        Thread(target=work, args=(number,), daemon=True).start()
    try:
        for _ in todo:
            row = done.get()
            if isinstance(row, BaseException):
                raise row
            yield row
    finally:
        ended.set()


@contextmanager
def _pool(workers: int) -> Iterator[Any]:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # Spawned: Polars' threads do not live through a fork.
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_deaf)
    try:
        yield pool
    except BaseException:
        processes = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        raise
    pool.shutdown(cancel_futures=True)


def _deaf() -> None:
    """Leave Ctrl-C, which the terminal sends to all processes, to the first."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _worker(item: Item, settings: EvalSettings, out: str) -> EvalRow:
    import os

    return answer_item(item, settings, Path(out) / f"frames-{os.getpid()}")
