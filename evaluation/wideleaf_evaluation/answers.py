"""One question of an evaluation: asks it, scores what came and says why it was wrong."""

from __future__ import annotations

import re
import resource
import sys
import time
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wideleaf.graph.options.strategies import PROGRAMS
from wideleaf.tools.errors import WideleafError
from wideleaf_evaluation.calling import calling_scores, samples_of
from wideleaf_evaluation.errors.runs import classes_of_run
from wideleaf_evaluation.item import Item
from wideleaf_evaluation.outcomes import reasoning_steps
from wideleaf_evaluation.registry import prediction_of, score
from wideleaf_evaluation.rows import ASKED, EvalRow, EvalSettings, SampleRow, code_stamp
from wideleaf_evaluation.scorers.causes import classify_error
from wideleaf_evaluation.scorers.cells import Prediction

if TYPE_CHECKING:
    from wideleaf.graph.results.result import Result

SHOWN_CELLS = 50


def answer_item(
    item: Item, settings: EvalSettings, folder: str | Path, model: Any = None
) -> EvalRow:
    """Ask one question and score what came; an error is a failed row."""
    import wideleaf as wl

    started = time.perf_counter()
    # How far the set has come is told instead.
    asking = {**asking_of(settings, folder, model), "progress": False}
    path = _place_of_run(item, folder) if settings.keep_runs else None
    if path and settings.asks_a_model(model):
        asking["audit"] = str(path.with_suffix(".requests.jsonl"))
    result, error, prediction = None, "", Prediction()
    try:
        result = wl.ask(item.question, *item.sources, **asking)
        prediction = prediction_of(result)
    except WideleafError as problem:
        result, error = problem.result, f"{problem.code}: {problem}"
    except Exception as problem:  # our own bug is one question's failure, and is named as such
        error = f"{type(problem).__name__}: {problem}"
    seconds = time.perf_counter() - started
    status = "failed" if error or result is None else result.status
    scores = score(item, prediction)
    row: dict[str, Any] = {"refused": {}, "refused_answer": ""}
    if status == "unanswered" and settings.refused_check:
        row = _ask_anyway(item, asking)
    if result is not None:
        row |= {
            "confidence": result.confidence,
            "answer": result.answer[:2000],
            "caveats": result.caveats,
            "tokens_in": result.usage.prompt_tokens,
            "tokens_out": result.usage.completion_tokens,
            "largest": result.usage.largest,
            "requests": result.usage.requests,
            "cost": result.usage.cost,
            "steps": result.steps,
            "failed": sum(node.outcome == "failed" for node in result.tree.nodes),
            "backtracks": sum(move.kind == "back" for move in result.tree.moves),
            "forced": sum(move.kind == "forced" for move in result.tree.moves),
            "objections": result.objections,
            # A program is asked for once a try; the strategy asks for nothing else.
            "tries": result.usage.requests if settings.strategy in PROGRAMS else 0,
            "plan_steps": reasoning_steps(result),
            "calling": calling_scores(item, samples_of(result, settings.strategy)),
            "samples": tuple(_sample_row(item, sample) for sample in result.samples),
            "run": str(result.save(path)) if path else "",
        }
    right = next(iter(scores.values()), 0.0) >= 1.0
    if not right:
        verdict = classes_of_run(item, settings, folder, result, prediction, model)
        row |= {
            "error_classes": verdict.classes,
            "error_why": verdict.why,
            "judge_tokens": verdict.tokens,
        }
    return EvalRow(
        **_told_of(item),
        status=status,
        scores=scores,
        cause="" if right else classify_error(status, item, prediction),
        cells=_show_cells(prediction),
        error=error[:2000],
        seconds=round(seconds, 4),
        megabytes=_peak(),
        code=code_stamp(),
        **row,
    )


def crashed_item(item: Item) -> EvalRow:
    """The row of a question during which the process ended."""
    return EvalRow(
        **_told_of(item),
        status="failed",
        scores=score(item, Prediction()),
        cause=classify_error("failed", item, Prediction()),
        error="the process ended while this question was under way",
        code=code_stamp(),
    )


def asking_of(settings: EvalSettings, folder: str | Path, model: Any = None) -> dict[str, Any]:
    """The settings of `wideleaf.ask` that an evaluation asks with."""
    fields = {name: getattr(settings, name) for name in ASKED}
    return {**fields, "model": model or settings.model or None, "folder": str(folder)}


def _told_of(item: Item) -> dict[str, Any]:
    """What the row of a question repeats of it."""
    names = ("id", "question", "type", "subtype", "hardness", "group")
    fields = {name: getattr(item, name) for name in names}
    return {**fields, "gold": str(item.gold)[:1000], "gold_query": item.gold_query[:1000]}


def _show_cells(prediction: Prediction) -> tuple[str, ...]:
    return tuple(str(cell)[:200] for cell in prediction.cells()[:SHOWN_CELLS])


def _sample_row(item: Item, sample: Result) -> SampleRow:
    prediction = prediction_of(sample)
    fields = {name: getattr(sample, name) for name in ("strategy", "status", "crafted", "votes")}
    return SampleRow(**fields, cells=_show_cells(prediction), scores=score(item, prediction))


def _place_of_run(item: Item, folder: str | Path) -> Path:
    """A file beside the frames for one question, whose id may be no file name."""
    name = re.sub(r"[^\w.-]+", "_", item.id)[:80].strip(".") or "question"
    mark = "" if name == item.id else f"-{sha256(item.id.encode()).hexdigest()[:6]}"
    place = Path(folder).parent / "runs" / f"{name}{mark}.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    return place


def _ask_anyway(item: Item, asking: dict[str, Any]) -> dict[str, Any]:
    """What a refused question's answer would have been with every guess let through."""
    import wideleaf as wl

    try:
        result = wl.ask(item.question, *item.sources, **asking, least_confidence=0.0)
        guess = prediction_of(result)
    except Exception as problem:  # it was refused; that it fails besides is no failure of its own
        return {"refused": {}, "refused_answer": f"{type(problem).__name__}: {problem}"[:500]}
    scores = score(item, guess) if guess.given else {}
    return {"refused": scores, "refused_answer": result.answer[:500]}


def _peak() -> float:
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(most / (1024 if sys.platform != "darwin" else 1024**2), 1)
