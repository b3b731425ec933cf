"""Whether a proposed question is kept: its program is run in the sandbox, its answer looked at."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import JsonValue

from wideleaf.agents.answer.spans import clean
from wideleaf.tools.errors import ActionError
from wideleaf_evaluation.errors.program_reading import (
    BEST,
    CHOOSING,
    GROUPING,
    ORDERING,
    REDUCING,
    SHAPING,
    SPREAD,
    TEXT_TESTS,
    read_program,
)
from wideleaf_evaluation.generation.question_replies import QuestionProposal
from wideleaf_evaluation.generation.rows import QuestionTry, TryVerdict
from wideleaf_evaluation.scorers.rows import same_bag

if TYPE_CHECKING:
    from wideleaf.tools.sandbox.answer import RunOutcome
    from wideleaf.tools.sandbox.program import Limits, Sandbox


ProgramKind = Literal["retrieval/aggregation", "data analysis"]
Hardness = Literal["easy", "medium", "hard"]


def kind_of_program(code: str) -> ProgramKind:
    """Whether one query like SQL's simple ones would do (DataFrame QA, Tables 1 and 2).

    Choosing rows and columns, and one aggregate of them, is retrieval or aggregation. Groups,
    order, spread and correlation, new columns, other shapes, comparing with a mean, and reckoning
    with several results are data analysis, as the paper counts them.

    Args:
        code: The program.
    """
    reading = read_program(code)
    multiple = (
        reading.statements > 1 or reading.sums > 0 or reading.nested > 0 or bool(reading.made)
    )
    beyond = reading.methods & (GROUPING | ORDERING | SPREAD | SHAPING)
    if multiple or beyond or len(reading.methods & (REDUCING | BEST)) > 1:
        return "data analysis"
    return "retrieval/aggregation"


def hardness_of_program(code: str) -> Hardness:
    """How many things a program does: one is easy, two or three medium, more hard."""
    reading = read_program(code)
    methods = reading.methods & (GROUPING | ORDERING | SPREAD | SHAPING | REDUCING | BEST)
    has_filter = bool(reading.conditions or reading.methods & (CHOOSING | TEXT_TESTS))
    count = len(methods) + has_filter + reading.sums + len(reading.made)
    return "easy" if count <= 1 else "medium" if count <= 3 else "hard"


MAX_CELLS = 1_000
"""An answer of more is no answer to read."""
_ORDER = re.compile(
    r"\b(order(ed)?|sort(ed)?|rank(ed|ing)?|ascending|descending"
    r"|from \w+(st|t|r) to \w+(st|t|r))\b",
    re.I,
)
_ERROR = re.compile(r"^\s*(error|traceback|exception|none|nan|nat)\b", re.I)
_KINDS: dict[str, TryVerdict] = {
    "code refused": "refused",
    "code time": "takes too much",
    "code memory": "takes too much",
    "code output": "takes too much",
    "code result": "no plain answer",
}


class Checks:
    """Runs programs over one table, and knows what was kept of it.

    Args:
        sandbox: What runs them.
        limits: What each may take.
        table: Name of the table.
        frame: Its rows.
        kept: What was kept before; of other tables, too, for a folder has no question twice.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        limits: Limits,
        table: str,
        frame: Any,
        rows: Sequence[QuestionTry] = (),
    ) -> None:
        self.sandbox, self.limits = sandbox, limits
        self.table, self.frame = table, frame
        self._columns = frozenset(frame.columns)
        self._questions: set[Hashable] = set()
        self._answers: set[Hashable] = set()
        for row in rows:
            self._note(row)

    def check(self, proposed: QuestionProposal, role: str, batch: int, model: str) -> QuestionTry:
        """Run one program and say whether its question is kept.

        Raises:
            SandboxError: If the sandbox itself fails.
        """
        from wideleaf.tools.sandbox.program import Program

        row = QuestionTry(
            table=self.table,
            role=role,
            batch=batch,
            model=model,
            verdict="kept",
            question=proposed.question,
            program=proposed.program,
            type=kind_of_program(proposed.program),
            hardness=hardness_of_program(proposed.program),
        )
        if self._question(row) in self._questions:
            return row.model_copy(update={"verdict": "duplicate question"})
        try:
            outcome = self.sandbox.run(Program(code=proposed.program), [self.frame], self.limits)
        except ActionError as error:
            verdict = self._failure(error.kind, proposed.program)
            # The folder is the user's own, and at `samples` a model saw cells anyway.
            why = f"{error.text} {error.private}".strip()[:500]
            return row.model_copy(update={"verdict": verdict, "why": why})
        wrong, answer = answer_of(outcome)
        if wrong:
            return row.model_copy(update={"verdict": wrong})
        row = row.model_copy(update={"answer": answer, "ordered": _needs_order(row, answer)})
        if not self._steady(proposed.program, answer):
            return row.model_copy(update={"verdict": "order of rows"})
        if self._answer(row) in self._answers:
            return row.model_copy(update={"verdict": "duplicate answer"})
        self._note(row)
        return row

    def _steady(self, code: str, answer: JsonValue) -> bool:
        """Whether the answer is the same where the rows stand in reverse.

        Where it is not, a tie at the cut of the three largest was broken by chance, and another
        right answer would count as wrong.
        """
        from wideleaf.tools.sandbox.program import Program

        try:
            outcome = self.sandbox.run(Program(code=code), [self.frame.reverse()], self.limits)
        except ActionError:
            return False
        wrong, other = answer_of(outcome)
        return not wrong and same_bag(_flat(answer), _flat(other))

    def _failure(self, kind: str, code: str) -> TryVerdict:
        reading = read_program(code, self._columns)
        if kind in _KINDS:
            return _KINDS[kind] if reading.parsed else "does not run"
        missing = reading.columns - reading.made - self._columns
        return "needs other columns" if missing else "does not run"

    def _note(self, row: QuestionTry) -> None:
        self._questions.add(self._question(row))
        self._answers.add(self._answer(row))

    def _question(self, row: QuestionTry) -> Hashable:
        return row.table, tuple(re.findall(r"\w+", row.question.casefold()))

    def _answer(self, row: QuestionTry) -> Hashable:
        """A bag of cells, with what the program reads, so that two counts of 3 may both stay."""
        reading = read_program(row.program, self._columns)
        cells = sorted(repr(_round_cell(cell)) for cell in _flat(row.answer))
        return row.table, tuple(cells), reading.columns & self._columns, reading.constants


def answer_of(outcome: RunOutcome) -> tuple[TryVerdict | None, JsonValue]:
    """The answer that a ``plain`` set holds: a cell, a list of cells or a list of rows.

    It is the result's table, as an answer of `wideleaf.ask` would be, so that the program is right
    by its own gold.

    Returns:
        What is wrong with it, if anything, and the answer.
    """
    if isinstance(outcome.value, dict) and any(
        isinstance(value, (dict, list)) for value in outcome.value.values()
    ):
        return "no plain answer", None
    frame = outcome.frame
    if frame.height * frame.width > MAX_CELLS:
        return "too long", None
    rows: list[JsonValue] = []
    table = [[_cell(cell) for cell in row] for row in frame.rows()]
    rows += table
    data = [n for n, name in enumerate(frame.columns) if name not in outcome.index]
    cells = [row[n] for row in table for n in data or range(frame.width)]
    if all(cell is None or (isinstance(cell, str) and _ERROR.match(cell)) for cell in cells):
        return "empty", None
    if frame.width > 1:
        return None, rows
    return None, table[0][0] if len(table) == 1 else [row[0] for row in table]


def _cell(cell: Any) -> JsonValue:
    plain: JsonValue = clean(cell)
    return None if isinstance(plain, float) and not math.isfinite(plain) else plain


def _needs_order(row: QuestionTry, answer: JsonValue) -> bool:
    """Whether the question asks for an order, and the program gives one, to more than one row."""
    orders = read_program(row.program).methods & (ORDERING - {"rank"})
    several = isinstance(answer, list) and len(answer) > 1 and isinstance(answer[0], list)
    return bool(orders) and several and bool(_ORDER.search(row.question))


def _flat(answer: Any) -> list[Any]:
    if not isinstance(answer, list):
        return [answer]
    return [cell for part in answer for cell in _flat(part)]


def _round_cell(cell: Any) -> Any:
    if isinstance(cell, (int, float)) and not isinstance(cell, bool):
        return float(f"{cell:.9g}")
    return cell.casefold() if isinstance(cell, str) else cell
