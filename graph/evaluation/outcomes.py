"""Outcomes of questions by TSO's letters: right, wrong, or no answer within the limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from wideleaf.graph.evaluation.rows import EvalRow

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
    told = {name: [outcome_of(row) for row in group] for name, group in groups.items()}
    return {
        name: {letter: letters.count(letter) for letter in OUTCOMES}
        for name, letters in told.items()
    }
