"""The report of an evaluation: how often right, why not, how sure, at what cost."""

from __future__ import annotations

import json
import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from wideleaf.tools.writing import write_text
from wideleaf_evaluation.calling import calling_of
from wideleaf_evaluation.errors.judge import CLASSES, ErrorClass
from wideleaf_evaluation.outcomes import (
    OUTCOMES,
    counts_and_shares,
    outcomes_of,
    passes_of,
    reasoning_of,
)
from wideleaf_evaluation.registry import scorers_of
from wideleaf_evaluation.rows import EvalRow, EvalSettings
from wideleaf_evaluation.scorers.causes import CAUSES

FORM = "wideleaf.evaluation/1"
TAKEN = ("steps", "failed", "backtracks", "forced", "objections")
"""What a run took besides tokens, one column a question in the table of runs."""
BINS = 10
WORST = 10
WORST_TITLE = "## Wrong with most confidence"


def evaluation_report(rows: Sequence[EvalRow], settings: EvalSettings) -> dict[str, Any]:
    """Reckon the report from the rows; shares are over all questions, refused ones included."""
    scorers = scorers_of(settings.set)
    wrong = [row for row in rows if not row.right]
    return {
        "form": FORM,
        "settings": settings.without_secrets(),
        "code": sorted({row.code for row in rows}),
        "questions": len(rows),
        "headline": scorers[0].name,
        "accuracy": {
            s.name: {"mean": _mean(r.scores[s.name] for r in rows), "about": s.about}
            for s in scorers
            if all(s.name in r.scores for r in rows)  # rows of older code lack newer scorers
        },
        "by": {name: _by(rows, name) for name in ("type", "subtype", "hardness")},
        "statuses": _by(rows, "status"),
        "outcomes": outcomes_of(rows),
        "reasoning": reasoning_of(rows),
        "calling": calling_of(rows),
        "passes": passes_of(rows, settings),
        "answered_right": _mean(row.right for row in rows if row.status == "answered"),
        "failures": {
            cause.name: {"count": len(of_it), "about": cause.about, "classes": _classes(of_it)}
            for cause in CAUSES
            if (of_it := [row for row in wrong if row.cause == cause.name])
        },
        "confidence": _calibration(rows),
        "refusals": _refusals(rows),
        "cost": _cost(rows),
        "worst": [
            row.model_dump(
                mode="json",
                include={"id", "question", "confidence", "answer", "gold", "caveats", "cause"},
            )
            for row in _worst(wrong)
        ],
    }


def _by(rows: Sequence[EvalRow], field: str) -> dict[str, dict[str, Any]]:
    groups: dict[str, list[EvalRow]] = defaultdict(list)
    for row in rows:
        groups[getattr(row, field)].append(row)
    groups.pop("", None)
    return {
        name: {"count": len(group), "right": sum(r.right for r in group), "share": _right(group)}
        for name, group in sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    }


def _classes(rows: Sequence[EvalRow]) -> dict[str, int]:
    """How many rows are of each error class; one may be of several."""
    counts = {str(one): sum(one in row.error_classes for row in rows) for one in ErrorClass}
    return {name: count for name, count in counts.items() if count}


def error_classes(report: dict[str, Any]) -> dict[str, int]:
    """The classes of all wrong answers of a report, whatever their cause."""
    tallies = [failure.get("classes", {}) for failure in report["failures"].values()]
    counts = {str(one): sum(some.get(one, 0) for some in tallies) for one in ErrorClass}
    return {name: count for name, count in counts.items() if count}


def _calibration(rows: Sequence[EvalRow]) -> dict[str, Any]:
    """Confidence against accuracy in ten bins of equal width, and the error (Guo et al. 2017)."""
    pairs = [(r.confidence, r) for r in rows if r.status == "answered" and r.confidence is not None]
    bins: dict[int, list[tuple[float, EvalRow]]] = defaultdict(list)
    for sure, row in pairs:
        bins[min(int(sure * BINS), BINS - 1)].append((sure, row))
    table = [
        {
            "from": number / BINS,
            "to": (number + 1) / BINS,
            "count": len(group),
            "confidence": _mean(sure for sure, _ in group),
            "accuracy": _right([row for _, row in group]),
        }
        for number, group in sorted(bins.items())
    ]
    # A bin's share times its gap is the difference of two sums, over the number of answers.
    gaps = [abs(sum(sure - row.right for sure, row in group)) for group in bins.values()]
    error = sum(gaps) / len(pairs) if pairs else None
    return {"told": len(pairs), "expected_calibration_error": error, "bins": table}


def _refusals(rows: Sequence[EvalRow]) -> dict[str, Any]:
    """How often a refusal was wise: its best guess would have been wrong."""
    refused = [row for row in rows if row.status == "unanswered"]
    guessed = [next(iter(row.refused.values())) for row in refused if row.refused]
    wise = sum(score < 1 for score in guessed)
    return {
        "count": len(refused),
        "guessed": len(guessed),
        "guess_wrong": wise,
        "guess_right": len(guessed) - wise,
        "wise": wise / len(guessed) if guessed else None,
    }


def _cost(rows: Sequence[EvalRow]) -> dict[str, Any]:
    seconds = sorted(row.seconds for row in rows)
    return {
        **{
            name: sum(getattr(row, name) for row in rows)
            for name in ("tokens_in", "tokens_out", "judge_tokens", "requests", *TAKEN)
        },
        "largest_request": max((row.largest for row in rows), default=0),
        "dollars": None if any(r.cost is None for r in rows) else sum(r.cost or 0 for r in rows),
        "seconds_median": statistics.median(seconds) if seconds else None,
        "seconds_p95": seconds[max(0, -(-len(seconds) * 95 // 100) - 1)] if seconds else None,
        "megabytes_peak": max((row.megabytes for row in rows), default=None),
    }


def _worst(wrong: Iterable[EvalRow]) -> list[EvalRow]:
    """Wrong answers that were given with most confidence."""
    sure = [row for row in wrong if row.status == "answered"]
    return sorted(sure, key=lambda row: -(row.confidence or 0.0))[:WORST]


def _mean(values: Iterable[float]) -> float | None:
    values = list(values)
    return sum(values) / len(values) if values else None


def _right(rows: Sequence[EvalRow]) -> float | None:
    return _mean(row.right for row in rows)


def in_markdown(report: dict[str, Any]) -> str:
    """The report as a page to read."""
    settings = report["settings"]
    fields = {k: v for k, v in settings.items() if v not in ("", [], None) and k != "folder"}
    lines = [
        f"# {settings['set']}: {report['questions']} questions",
        "",
        ", ".join(f"{k} {v}" for k, v in fields.items()),
    ]
    if len(report["code"]) > 1:
        lines += ["", f"The rows were made by {len(report['code'])} states of the code."]
    lines += _table(
        "Accuracy",
        ("scorer", "share", "what it does"),
        [(name, _percent(s["mean"]), s["about"]) for name, s in report["accuracy"].items()],
    )
    shares = [(name, _percent(n)) for name, n in report["passes"].items() if "pass@" in name]
    lines += _table("Programs", ("what", "share right"), shares)
    right = f"right of these ({report['headline']})"
    for name, groups in [*report["by"].items(), ("status", report["statuses"])]:
        lines += _table(
            f"By {name}",
            (name, "questions", right),
            [(g, n["count"], _percent(n["share"])) for g, n in groups.items()],
        )
    lines += _table(
        "Outcomes as TSO tells them",
        ("hardness", *(f"{letter}: {about}" for letter, about in OUTCOMES.items())),
        [
            (name, *counts_and_shares(letters).values())
            for name, letters in report["outcomes"].items()
        ],
    )
    lines += _measures(report)
    lines += _table(
        "Failures",
        ("cause", "questions", "error classes", "what it is"),
        [
            (name, f["count"], _counted(f.get("classes", {})), f["about"])
            for name, f in report["failures"].items()
        ],
    )
    lines += _table(
        "Error classes",
        ("class", "questions", "what it is"),
        [(n, c, CLASSES[ErrorClass(n)].about) for n, c in error_classes(report).items()],
    )
    sure = report["confidence"]
    lines += _table(
        "Confidence against accuracy",
        ("confidence", "answers", "mean confidence", "right"),
        [
            (
                f"{b['from']:.1f} to {b['to']:.1f}",
                b["count"],
                _percent(b["confidence"]),
                _percent(b["accuracy"]),
            )
            for b in sure["bins"]
        ],
    )
    if sure["told"]:
        lines += ["", f"Expected calibration error: {sure['expected_calibration_error']:.3f}."]
    refused = report["refusals"]
    lines += [
        "",
        f"Refused: {refused['count']}. Asked again with every guess let through, "
        f"{refused['guessed']} were answered, {refused['guess_wrong']} of these wrong "
        f"(refusing was wise in {_percent(refused['wise'])}).",
    ]
    lines += _table(
        "Cost", ("what", "how much"), [(k, _short(v)) for k, v in report["cost"].items()]
    )
    if report["worst"]:
        lines += ["", WORST_TITLE]
    for row in report["worst"]:
        lines += ["", f"- **{_line(row['question'])}** ({row['id']}, {row['cause']})"]
        lines += [f"  - said {_line(row['answer'])} (confidence {_short(row['confidence'])})"]
        lines += [f"  - gold {_line(row['gold'])}"]
        lines += [f"  - note: {_line(caveat)}" for caveat in row["caveats"][:3]]
    return "\n".join(lines) + "\n"


def write_report(
    rows: Sequence[EvalRow], settings: EvalSettings, out: str | Path
) -> dict[str, Any]:
    """Write ``report.json`` and ``report.md`` into the folder; gives back the report."""
    report = evaluation_report(rows, settings)
    text = json.dumps(report, ensure_ascii=False, indent=1)
    write_text(Path(out) / "report.json", text)
    write_text(Path(out) / "report.md", in_markdown(report))
    return report


def _measures(report: dict[str, Any]) -> list[str]:
    """Reasoning steps and CDA, a line each."""
    steps, calls = report["reasoning"], report["calling"]
    lines = []
    if steps:
        lines += [
            "",
            f"Reasoning steps of {steps['questions']} answers: {steps['mean']:.2f} on average, "
            f"{steps['max']} at most.",
        ]
    if calls:
        shares = ", ".join(f"{name} {_percent(share)}" for name, share in calls["cda"].items())
        lines += [
            "",
            f"CDA over {calls['questions']} questions of which a sample wrote a function, "
            f"{calls['samples']} samples each: {shares}.",
        ]
    return lines


def _table(title: str, head: Sequence[str], body: Sequence[Sequence[Any]]) -> list[str]:
    if not body:
        return []
    rows = [head, ["---"] * len(head), *body]
    return ["", f"## {title}", "", *("| " + " | ".join(map(_line, row)) + " |" for row in rows)]


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "-"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return "-" if value is None else str(value)


def _line(value: Any) -> str:
    """Text of cells and questions as one line that cannot break a table or drive a terminal."""
    text = " ".join(str(value).split())[:300].replace("|", "\\|").replace("<", "&lt;")
    return "".join(c if c.isprintable() else "?" for c in text)
