"""The error classes of a wrong answer of an evaluation: of its program, or of its steps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from wideleaf.tools.errors import WideleafError
from wideleaf_evaluation.errors.classes import classify, classify_steps
from wideleaf_evaluation.errors.judge import ErrorClass
from wideleaf_evaluation.errors.program_reading import ProgramCondition
from wideleaf_evaluation.item import Item
from wideleaf_evaluation.rows import EvalSettings
from wideleaf_evaluation.scorers.cells import Prediction
from wideleaf_evaluation.scorers.gold import gold_cells

if TYPE_CHECKING:
    from wideleaf.graph.results.result import Result
    from wideleaf.tools.tables.table import Table
    from wideleaf.tools.tree.tree import Node
    from wideleaf_evaluation.errors.judge import Mistake

MAX_VALUES = 20_000
SHOWN_COLUMNS, SHOWN_ROWS, SHOWN_TEXT = 60, 5, 600
_TESTS = {"in": "isin", "starts with": "startswith", "ends with": "endswith"}


class Classification(NamedTuple):
    """What is said of one wrong answer.

    Attributes:
        classes: Names of the error classes; none of a refusal, which is no error.
        why: A model's explanation, or why the rules had to do without.
        tokens: What asking a model took.
    """

    classes: tuple[str, ...] = ()
    why: str = ""
    tokens: int = 0


class _Data:
    """The tables of a question: kinds of columns, and their cells when they are asked for."""

    def __init__(self, item: Item, settings: EvalSettings, folder: Path, lower: bool) -> None:
        from wideleaf.tools.sources.opening import open_catalog

        catalog = open_catalog(item.sources, folder, (), cast(Any, settings.engine))
        self.lower = lower
        self.tables: dict[str, Table] = {}
        for name in catalog.names:
            table = catalog.table(name)
            self.tables |= {column: table for column in table.columns if column not in self.tables}
        self.kinds = {column: table.kind(column) for column, table in self.tables.items()}

    def cells(self, column: str) -> Sequence[Any]:
        frame = self.tables[column].collect(column, purpose="explaining an error")
        values: list[Any] = frame.get_column(column).unique().head(MAX_VALUES).to_list()
        return [c.lower() if self.lower and isinstance(c, str) else c for c in values]

    def rows(self) -> tuple[tuple[str, ...], ...]:
        first = next(iter(self.tables.values()), None)
        if first is None:
            return ()
        names = first.columns[:SHOWN_COLUMNS]
        return tuple(tuple(str(row[name]) for name in names) for row in first.rows(SHOWN_ROWS))


def classes_of_run(
    item: Item,
    settings: EvalSettings,
    folder: str | Path,
    result: Result | None,
    prediction: Prediction,
    model: Any = None,
) -> Classification:
    """Say of which classes a wrong answer is.

    A mistake here must not end an evaluation: what cannot be told is told as that.

    Args:
        item: The question.
        settings: What it was asked with; `classify` says who classifies.
        folder: Where its frames are.
        result: What came; None where an error ended it before there was anything.
        prediction: The answer; one that is not given is no answer.
        model: A live chat model in place of ``settings.model``.
    """
    if result is None or not result.tree.nodes:
        return Classification()
    try:
        return _classify_answer(item, settings, Path(folder), result, prediction, model)
    except Exception as problem:
        return Classification((), f"not classified: {type(problem).__name__}: {problem}"[:300])


def _classify_answer(
    item: Item,
    settings: EvalSettings,
    folder: Path,
    result: Result,
    prediction: Prediction,
    model: Any,
) -> Classification:
    program = _program(result)
    code = _code(program) if program else ""
    failed = [node for node in result.tree.nodes if node.outcome == "failed"]
    if program is None and result.status == "unanswered" and not failed:
        return Classification()
    data = _Data(
        item, settings, folder, bool(program and program.action.arguments.get("lower_case"))
    )
    expected, answer = gold_cells(item), prediction if prediction.given else None
    if program is not None:
        # Gold of SQL is no program to compare with.
        gold = item.gold_query if "df" in item.gold_query else ""
        outcome = program.error or "no answer" if answer is None else answer
        classes = classify(
            code,
            outcome,
            expected,
            data.kinds,
            item.question,
            kind=program.kind,
            cells=data.cells,
            gold_code=gold,
        )
    else:
        classes = classify_steps(
            [c for node in result.tree.nodes for c in _conditions(node.action.arguments)],
            [(node.kind, node.error) for node in failed],
            answer,
            expected,
            data.kinds,
            item.question,
            cells=data.cells,
        )
    if settings.classify == "rule":
        return Classification(tuple(map(str, classes)))
    return _judge_mistake(
        _mistake(item, result, code, data, answer, expected), settings, model, classes
    )


def _program(result: Result) -> Node | None:
    """The last step that a model wrote code for, of those an answer rests on if there is one."""
    ran = [node for node in result.tree.nodes if node.action.name == "Craft"]
    if result.label:
        plan = {node.label for node in result.tree.plan(result.label)}
        ran = [node for node in ran if node.label in plan]
    return ran[-1] if ran else None


def _code(node: Node) -> str:
    """The code of a step; of one that failed, the line at which it did, which its error quotes."""
    quoted = re.search(r"in line \d+, `([^`]*)`", node.error)
    return str(node.action.arguments.get("code") or (quoted[1] if quoted else ""))


def _conditions(value: Any, depth: int = 0) -> Iterator[ProgramCondition]:
    """Comparisons of columns with constants in a step's arguments."""
    if depth > 20:
        return
    if isinstance(value, Mapping):
        column, test = value.get("column"), value.get("op")
        if isinstance(column, str) and isinstance(test, str) and value.get("value") is not None:
            operand = value["value"]
            folded = value.get("match") == "folded"
            for one in operand if isinstance(operand, (list, tuple)) else [operand]:
                if isinstance(one, (str, int, float)):
                    yield ProgramCondition(column, _TESTS.get(test, test), one, folded)
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for one in value:
            yield from _conditions(one, depth + 1)


def _mistake(
    item: Item,
    result: Result,
    code: str,
    data: _Data,
    answer: Prediction | None,
    expected: Sequence[Any],
) -> Mistake:
    from wideleaf.tools.telling.calls import call_text
    from wideleaf_evaluation.errors.judge import Mistake

    steps = [node for node in result.tree.nodes if node.parents]
    errors = [node.error for node in steps if node.outcome == "failed"]
    came = answer.cells() if answer else []
    # An error of a step is already cut to what the level lets out.
    nothing = errors[-1] if errors else f"no answer ({result.status})"
    return Mistake(
        question=item.question,
        code=code or "\n".join(call_text(node.action, 300) for node in steps),
        columns=tuple(data.kinds.items())[:SHOWN_COLUMNS],
        rows=data.rows(),
        output=str(came)[:SHOWN_TEXT] if answer else nothing,
        expected=str(list(expected))[:SHOWN_TEXT],
        output_shape=_shape(answer.table()) if answer else nothing,
        expected_shape=f"{len(expected)} cell{'s' * (len(expected) != 1)}",
    )


def _shape(table: Sequence[Sequence[Any]]) -> str:
    return f"{len(table)} rows x {len(table[0]) if table else 0} columns"


def _judge_mistake(
    mistake: Mistake, settings: EvalSettings, model: Any, classes: tuple[ErrorClass, ...]
) -> Classification:
    """What a model says; the rules' word where it says nothing of use."""
    from wideleaf.graph.context import make_context
    from wideleaf.graph.gateways import gateway_of
    from wideleaf_evaluation.errors.judge import ErrorJudge

    context = make_context(
        model=model or settings.model or None,
        base_url=settings.base_url,
        api_key_env=settings.api_key_env,
        privacy=settings.privacy,
        timeout=settings.timeout,
    )
    try:
        verdict = ErrorJudge(gateway_of(context)).judge(mistake)
    except WideleafError as error:
        return Classification(tuple(map(str, classes)), f"by rule: {error}"[:300])
    tokens = verdict.usage.prompt_tokens + verdict.usage.completion_tokens
    if not verdict.classes:
        return Classification(tuple(map(str, classes)), f"by rule: {verdict.problem}"[:300], tokens)
    return Classification(tuple(map(str, verdict.classes)), verdict.why, tokens)
