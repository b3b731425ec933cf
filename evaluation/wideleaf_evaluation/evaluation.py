"""The runner of an evaluation: asks every question of a set and keeps a row for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from wideleaf.graph.context import make_context
from wideleaf.graph.workers import Way, Work, ask_all
from wideleaf.tools.errors import ModelError, SettingsError
from wideleaf_evaluation.answers import answer_item, asking_of, crashed_item
from wideleaf_evaluation.item import Item
from wideleaf_evaluation.rows import (
    ROWS,
    EvalRow,
    EvalSettings,
    keep_settings,
    read_rows,
)

MAX_UNREACHED = 5
"""So many questions in a row without a usable model end the run; a second start asks them again."""

TellRow = Callable[[EvalRow, int, int], None]


def evaluate(
    items: Sequence[Item],
    settings: EvalSettings,
    out: str | Path,
    *,
    workers: int = 1,
    model: Any = None,
    told: TellRow | None = None,
) -> list[EvalRow]:
    """Ask the questions that the folder has no row of, and give back all rows.

    Ctrl-C ends it; what was answered is kept, and the next call goes on.

    Args:
        items: The questions.
        settings: What they are asked with.
        out: Where rows are kept.
        workers: How many questions are under way at a time: by processes of their own, or, where
            a model is waited for, by threads of this one.
        model: A live chat model in place of ``settings.model``.
        told: Called after each question with its row, how many are done and how many there are.

    Raises:
        SettingsError: If a setting does not fit, or the folder holds rows of other settings.
        ModelError: If several questions in a row found no usable model.
        KeyboardInterrupt: On Ctrl-C, when everything is kept.
    """
    out = Path(out)
    if workers < 1:
        raise SettingsError(f"workers={workers} does not fit: there must be 1 at least")
    if settings.classify == "model" and not settings.asks_a_model(model):
        raise SettingsError("classify='model' needs a model; name one, or leave it to the rule")
    # A setting that does not fit is told now, not of every question.
    make_context(**asking_of(settings, out, model))
    keep_settings(out, settings)
    # What a model that could not be reached left unanswered is asked again.
    rows = {row.id: row for row in read_rows(out) if not row.out_of_reach}
    todo = [item for item in items if item.id not in rows]
    count = len(items) - len(todo)
    unreached = 0
    way: Way = "threads" if settings.asks_a_model(model) else "processes"
    answer = partial(_answer, settings=settings, out=out, model=model)
    work = Work[Item, EvalRow](answer, crashed_item)
    by_id = {item.id: item for item in todo}
    with (out / ROWS).open("a", encoding="utf-8") as file:
        for _, row in ask_all(by_id, work, workers, "here" if workers == 1 else way, out):
            file.write(row.model_dump_json() + "\n")
            file.flush()
            rows[row.id] = row
            count += 1
            if told:
                told(row, count, len(items))
            unreached = unreached + 1 if row.out_of_reach else 0
            if unreached >= MAX_UNREACHED:
                raise ModelError(f"{unreached} questions in a row failed; the last: {row.error}")
    return [rows[item.id] for item in items]


def _answer(item: Item, worker: str, settings: EvalSettings, out: Path, model: Any) -> EvalRow:
    return answer_item(item, settings, out / f"frames{worker}", model)
