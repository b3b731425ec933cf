"""A batch: many questions over the same tables, in one call that can be killed and made again."""

from __future__ import annotations

import hashlib
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO, Unpack

from wideleaf.graph.batches.answers import Answers, Ending, need_suffix
from wideleaf.graph.batches.journal import BATCHES, Journal
from wideleaf.graph.batches.questions import COLUMN, Asked, read_questions
from wideleaf.graph.batches.rows import BatchRow, answer_question, crashed_question
from wideleaf.graph.bug_report import clear_errors
from wideleaf.graph.context import Context, make_context
from wideleaf.graph.progress import LiveLine
from wideleaf.graph.services import prepare_inputs, release, services_of
from wideleaf.graph.workers import Way, Work, ask_all
from wideleaf.tools.errors import ModelError, SettingsError

if TYPE_CHECKING:
    from wideleaf.graph.keywords import SessionKeywords


WIDTH = 30
LINES = 10
"""So many lines tell of the whole way where no bar can be drawn."""


class ProgressBar:
    """How far something has come, and how long it will still take at this pace.

    Args:
        stream: Where it is told; by default standard error.
        first: How many were done as it began, where the first call tells of none that it saw done.
    """

    def __init__(self, stream: TextIO | None = None, first: int | None = None) -> None:
        self._line = LiveLine(stream)
        self.live = self._line.seen
        self._began = time.monotonic()
        self._first = first

    def __call__(self, current: int, total: int, note: str = "") -> None:
        """Tell of one more.

        Args:
            current: How many are done.
            total: How many there are.
            note: What else is said.
        """
        if self._first is None:  # what an earlier call has done says nothing of the pace
            self._first = current - 1
        text = f"{current}/{total} {note}".rstrip()
        if self.live:
            filled = WIDTH * current // max(total, 1)
            bar = "#" * filled + "." * (WIDTH - filled)
            self._line.draw(f"[{bar}] {text}{self._estimate_time(current, total)}")
        elif current == total or current % max(1, total // LINES) == 0:
            print(
                f"... {text}{self._estimate_time(current, total)}",
                file=self._line.stream,
                flush=True,
            )

    def _estimate_time(self, current: int, total: int) -> str:
        own_count = current - (self._first or 0)
        if current >= total or own_count < 1:
            return ""
        seconds = (time.monotonic() - self._began) / own_count * (total - current)
        minutes, seconds = divmod(round(seconds), 60)
        return f", {minutes} min {seconds:02} s left" if minutes else f", {seconds} s left"

    def close(self) -> None:
        """End the line of a bar."""
        self._line.close()


Tell = Callable[[BatchRow, int, int], None]
NO_WORDS = "settings: the question is empty"
MAX_UNREACHED = 5
"""So many questions in a row without a usable model end the batch."""
FREE = (
    *("sources", "folder", "audit", "timeout", "cache", "requests_per_second", "max_cost"),
    *("prompt_price", "reply_price", "api_key_env", "interactive", "sandbox_image", "attachments"),
    *("checkpoints", "keep_days", "keep_mib"),
)
"""Settings that may be others when a batch goes on: its answers do not depend on them."""


@clear_errors("the batch")
def batch(
    questions: Any,
    *sources: Any,
    out: str | Path | None = None,
    workers: int = 1,
    column: str = "",
    anew: bool = False,
    total_tokens: int | None = None,
    total_cost: float | None = None,
    progress: bool | Tell | None = None,
    **settings: Unpack[SessionKeywords],
) -> Answers:
    """Answer many questions over the same tables.

    Each answer is kept as soon as it is there. The same call again, after a kill, an error or
    Ctrl-C, goes on where it was; once all are answered it only gives them. A question that fails
    costs its own row alone, and is asked again by the next call; one whose worker process ends is
    asked once more by itself, and then given up. The same words are asked once.

    Args:
        questions: Texts, mappings, a frame, or the path of a table or of a text file; whatever
            stands beside the questions stands beside their answers.
        sources: What `wideleaf.ask` takes.
        out: Where the answers are written, when all are there or it ends before: a ``.parquet``,
            ``.csv`` or ``.jsonl`` file, or a page (``.html``). The batch is known by this name.
        workers: How many questions are under way at a time: threads where a model is asked, else
            processes.
        column: The column of the questions; ``question``, or the only one, if not named.
        anew: Throw away what an earlier call of this batch has answered.
        total_tokens: No further question is asked once all together took so many tokens.
        total_cost: Likewise so many dollars.
        progress: A bar on a terminal or in a notebook; False for none. Or called after each
            question with its row, how many are done and how many there are.
        settings: Any other of `wideleaf.ask`; budgets among them are of each question.

    Returns:
        The answers in the order of the questions.

    Raises:
        SettingsError: If a setting does not fit, there is no question, nothing more can be
            written, or the batch was begun with other settings or tables.
        ModelError: If several questions in a row found no usable model. What was answered is kept.
        SourceError: If a table cannot be read.
    """
    if workers < 1:
        raise SettingsError(f"workers={workers} does not fit: there must be 1 at least")
    if out is not None:
        need_suffix(Path(out))
    if not sources:
        raise SettingsError("no table was given; name at least one file, folder or frame")
    context = make_context(interactive=False, **settings)
    entries = read_questions(questions, Path(context.folder), column)
    context = prepare_inputs(context, sources)
    name = _name_of(context, entries) if out is None else _name_of(Path(out).resolve())
    journal = Journal(Path(context.folder) / BATCHES / name)
    budget = Budget(total_tokens, total_cost)
    try:
        with journal.held(), _show_progress(progress) as tell:
            rows = journal.begin(_about(context), anew=anew)
            journal.keep_call(_call(entries, context, out, column))
            ended: Ending = "cancelled"
            try:
                ended = _ask(entries, rows, journal, context, workers, budget, tell)
            except KeyboardInterrupt:
                pass
            finally:
                about: Any = {"folder": journal.folder, "sources": context.sources, "ended": ended}
                answers = Answers.of(rows, entries, **about)
                if out is not None:
                    answers.save(out)
    finally:
        release(context)
    return answers


class Budget(NamedTuple):
    """What all questions together may take."""

    tokens: int | None
    cost: float | None

    def used_up(self, rows: Iterable[BatchRow]) -> bool:
        """Whether no further question may be asked."""
        if self.tokens is None and self.cost is None:
            return False
        spent = list(rows)
        tokens = sum(row.tokens_in + row.tokens_out for row in spent)
        over = self.tokens is not None and tokens >= self.tokens
        return over or (self.cost is not None and sum(r.cost or 0 for r in spent) >= self.cost)


def _ask(
    entries: list[Asked],
    rows: dict[str, BatchRow],
    journal: Journal,
    context: Context,
    workers: int,
    budget: Budget,
    tell: Tell,
) -> Ending:
    """Ask what has no row yet, and put its row with the others."""
    every = {one.key: one.question for one in entries}
    for key in [key for key, row in rows.items() if not row.final]:
        del rows[key]
    for key in [key for key, text in every.items() if not text]:
        rows[key] = BatchRow(key=key, question="", status="failed", error=NO_WORDS)
    todo = {key: (key, text) for key, text in every.items() if key not in rows}
    answer = partial(answer_question, context=context, runs=journal.runs)
    work = Work[tuple[str, str], BatchRow](answer, crashed_question)
    unreached, current = 0, len(every) - len(todo)
    if todo and budget.used_up(rows.values()):
        return "budget"
    for _, row in ask_all(todo, work, workers, _way(context, workers), journal.folder):
        journal.add(row)
        rows[row.key] = row
        current += 1
        tell(row, current, len(every))
        unreached = unreached + 1 if row.out_of_reach else 0
        if unreached >= MAX_UNREACHED:
            raise ModelError(
                f"{unreached} questions in a row failed, the last with: {row.error}; the "
                f"answers so far are kept, and the same call goes on"
            )
        if current < len(every) and budget.used_up(rows.values()):
            return "budget"
    return ""


def _way(context: Context, workers: int) -> Way:
    """Who asks: processes where the work is ours and no engine holds its tables for one alone."""
    if workers == 1:
        return "here"
    shared = services_of(context).store.engine.name != "polars"
    return "threads" if context.asks_any_model or shared else "processes"


def _about(context: Context) -> dict[str, Any]:
    """What answers depend on: settings that are not the default, and the tables' contents."""
    settings = context.model_dump(mode="json", exclude={*FREE}, exclude_defaults=True)
    if context.live_models:
        settings["live"] = [type(model).__name__ for model in context.live_models]
    tables = {source.name: source.fingerprint for source in services_of(context).store.catalog.all}
    return {"settings": settings, "tables": tables}


def _call(entries: list[Asked], context: Context, out: Any, column: str) -> dict[str, Any]:
    """How it is asked, without what another process or machine may choose."""
    header = column or COLUMN
    questions = [{header: one.question, **one.beside} for one in entries]
    where = {"out": str(Path(out).resolve())} if out is not None else {}
    call = {"questions": questions, "column": header, "sources": [*context.sources], **where}
    return {**call, "live": bool(context.live_models)}


def _name_of(*what: Any) -> str:
    """The folder of a batch: a word of its output, and a digest of what it is known by."""
    digest = hashlib.blake2b(digest_size=6)
    for one in what:
        content = _about(one) if isinstance(one, Context) else one
        digest.update(repr(content).encode(errors="replace"))
    first = re.sub(r"[^\w-]+", "-", what[0].stem)[:40] if isinstance(what[0], Path) else "batch"
    return f"{first}-{digest.hexdigest()}"


@contextmanager
def _show_progress(progress: bool | Tell | None) -> Iterator[Tell]:
    """How far it has come, told as the caller wants to be."""
    if callable(progress):
        yield progress
        return
    bar = ProgressBar()
    visible = bar.live if progress is None else progress
    failed = Counter[str]()

    def tell(row: BatchRow, current: int, total: int) -> None:
        failed[row.status] += row.status != "answered"
        failures = ", ".join(f"{count} {status}" for status, count in failed.items() if count)
        bar(current, total, f"questions{failures and f', {failures}'}")

    try:
        yield tell if visible else _say_nothing
    finally:
        bar.close()


def _say_nothing(row: BatchRow, current: int, total: int) -> None:
    """Tell nobody."""
