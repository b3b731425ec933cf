"""Rows: what a batch keeps of each question."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

from wideleaf.tools.errors import ModelError, WideleafError
from wideleaf.tools.plans.plan import Plan
from wideleaf.tools.writing import why_full

if TYPE_CHECKING:
    from wideleaf.graph.context import Context
    from wideleaf.graph.results.result import Result

VALUE_CHARACTERS = 20_000
"""A longer value, as JSON, is left to the kept run."""
ANSWER_CHARACTERS = 4_000
NOT_ASKED = "not asked"


class BatchRow(BaseModel):
    """What came of one question.

    Attributes:
        key: The question's key in the journal.
        status: The result's, ``failed`` where an error ended it, or ``not asked``.
        value: The answer as plain data; None where that is long, and `whole` is false.
        whole: Whether `value` is all of it.
        plan: The steps of the answer, a line each.
        tokens_in: Tokens of what a model was sent.
        tokens_out: Of what it replied.
        cost: In dollars, if prices are known.
        seconds: Working time.
        error: Code and message, where one ended it.
        run: Where the whole result is, under the batch's folder; empty if there is none.
        crashed: Whether the process ended during it.
    """

    model_config = ConfigDict(frozen=True)

    key: str
    question: str
    status: str
    answer: str = ""
    value: Any = None
    whole: bool = True
    label: str = ""
    confidence: float | None = None
    caveats: tuple[str, ...] = ()
    plan: tuple[str, ...] = ()
    tokens_in: int = 0
    tokens_out: int = 0
    requests: int = 0
    cost: float | None = 0.0
    seconds: float = 0.0
    error: str = ""
    run: str = ""
    crashed: bool = False

    @property
    def out_of_reach(self) -> bool:
        """Whether the model could not be used, which says nothing of the question."""
        return self.error.startswith(f"{ModelError.code}:")

    @property
    def final(self) -> bool:
        """Whether the question is not asked again: it has an answer, or ended its process."""
        return self.crashed or self.status != "failed"


def answer_question(job: tuple[str, str], worker: str, *, context: Context, runs: Path) -> BatchRow:
    """Ask one question and keep its run; an error is a failed row.

    Args:
        job: The key and the question.
        worker: Who asks; all work in one folder.
        context: The settings, with tables that are read.
        runs: Where results are kept.

    Raises:
        WideleafError: If nothing more can be written, of which the next would fail, too.
    """
    from wideleaf.graph.bug_report import clear_error
    from wideleaf.graph.sessions.question import answer_question as answer
    from wideleaf.graph.sessions.runner import end_of

    key, question = job
    result, error = None, ""
    try:
        result = end_of(answer(question, context))
    except Exception as problem:  # our own bug costs one row, and is named as such
        ours = problem if isinstance(problem, WideleafError) else None
        ours = ours or clear_error(problem, "the question", context.folder)
        if ours is not None and why_full(ours):  # the next would fail alike
            raise ours from problem
        result = getattr(ours, "result", None)
        error = f"{ours.code}: {ours}" if ours else f"{type(problem).__name__}: {problem}"
    if result is None:
        return BatchRow(key=key, question=question, status="failed", error=error[:2000])
    return _row_of(key, result, error, runs)


def plan_lines(result: Result) -> tuple[str, ...]:
    """The steps of an answer, a line each, told without its tables."""
    if not result.label:
        return ()
    plan = Plan.of(result.tree, result.label, "", result.profile, {}, {})
    return tuple(plan.lines()[:-1])


def crashed_question(job: tuple[str, str]) -> BatchRow:
    """The row of a question during which the process ended."""
    key, question = job
    error = "the process ended while this question was under way"
    return BatchRow(key=key, question=question, status="failed", error=error, crashed=True)


def _row_of(key: str, result: Result, error: str, runs: Path) -> BatchRow:
    text = json.dumps(result.value, ensure_ascii=False, default=str)
    whole = len(text) <= VALUE_CHARACTERS
    path = result.save(runs / f"{key}.json")
    return BatchRow(
        key=key,
        question=result.question,
        status="failed" if error else result.status,
        answer=result.answer[:ANSWER_CHARACTERS],
        value=json.loads(text) if whole else None,
        whole=whole,
        label=result.label,
        confidence=result.confidence,
        caveats=result.caveats,
        plan=plan_lines(result),
        tokens_in=result.usage.prompt_tokens,
        tokens_out=result.usage.completion_tokens,
        requests=result.usage.requests,
        cost=result.usage.cost,
        seconds=round(result.seconds, 4),
        error=error[:2000],
        run=path.name,
    )
