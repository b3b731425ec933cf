"""What is counted of a question: its outcome by TSO's letters, its steps, its programs' tries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from wideleaf_evaluation.rows import EvalRow, EvalSettings

if TYPE_CHECKING:
    from wideleaf.graph.results.result import Result


def passes_of(rows: Sequence[EvalRow], settings: EvalSettings) -> dict[str, Any]:
    """Of written programs the share right at the first try, and at all of them.

    pass@1 is that of Chen et al. (2021) with one program a question, as DataFrame QA reports it
    (section 4.4): nothing is told of an error and nothing is written again. pass@T lets an error
    be mended T - 1 times; a wrong result that ran is never tried again.
    """
    programs = [row for row in rows if row.tries]
    if not programs:
        return {}
    first = sum(row.right and row.tries == 1 for row in rows) / len(rows)
    return {
        "tries": settings.tries,
        "pass@1": first,
        f"pass@{settings.tries}": sum(row.right for row in rows) / len(rows),
        "written_again": sum(row.tries > 1 for row in rows),
    }


def reasoning_steps(result: Result) -> int | None:
    """The nodes of the answer's plan without its leaves; None where there is no answer."""
    if result.status != "answered" or not result.label:
        return None
    return sum(bool(node.parents) for node in result.tree.plan(result.label))


def reasoning_of(rows: Sequence[EvalRow]) -> dict[str, Any]:
    """Mean and maximum over the questions answered (CRAFTQA, equations 18 and 19)."""
    steps = [row.plan_steps for row in rows if row.plan_steps is not None]
    if not steps:
        return {}
    return {"questions": len(steps), "mean": sum(steps) / len(steps), "max": max(steps)}


Outcome = Literal["T", "F", "S"]
OUTCOMES: dict[Outcome, str] = {
    "T": "right",
    "F": "answered, and wrong",
    "S": "no answer: a limit ended it, nobody knew how, or an error did",
}


def outcome_of(row: EvalRow) -> Outcome:
    """The letter of one question (TSO, appendix A.3, table 2)."""
    if row.right:
        return "T"
    return "F" if row.status == "answered" else "S"


def outcomes_of(rows: Sequence[EvalRow]) -> dict[str, dict[str, int]]:
    """How many questions have each letter: of all, and by hardness."""
    groups = {"all": list(rows)}
    for row in rows:
        if row.hardness:
            groups.setdefault(row.hardness, []).append(row)
    outcomes = {name: [outcome_of(row) for row in group] for name, group in groups.items()}
    return {
        name: {letter: letters.count(letter) for letter in OUTCOMES}
        for name, letters in outcomes.items()
    }


def counts_and_shares(counts: Mapping[str, int]) -> dict[str, str]:
    """Each count as a text, with its share of them all."""
    total = sum(counts.values()) or 1
    return {name: f"{count} ({count / total:.1%})" for name, count in counts.items()}
