"""A plan as the planner hands it on: calls in order, why each, and how sure it is."""

from __future__ import annotations

from pydantic import BaseModel, JsonValue

from wideleaf.agents.derivation import Derivation
from wideleaf.agents.lexicon import Question
from wideleaf.tools.action import Call


class Planned(BaseModel, frozen=True):
    """A plan the planner believes in.

    Attributes:
        steps: The calls in order. An input (``table``, ``left``, ``right``) is a leaf's label,
            or ``$0``, ``$1``, ... for the frame of an earlier step.
        thoughts: Why, one a step.
        score: How good it looks beside the others; higher is better.
        confidence: How likely its answer is right, 0 to 1, as calibrated.
        reading: What was understood, in a sentence.
        same: Whether it gives the same answer as a better plan.
        empty: Whether no row fits though it explains nearly every word, or a condition on a
            named column asks for a value that the column does not hold.
        remarks: What an answer by this plan begins with: words of the question that it does not
            use, and values that are nowhere.
        unused: Those words.
        dropped: Whether it leaves a condition of the question out.
    """

    steps: tuple[Call, ...]
    thoughts: tuple[str, ...]
    score: float = 0.0
    confidence: float = 0.0
    reading: str = ""
    same: bool = False
    empty: bool = False
    remarks: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    dropped: bool = False


def planned(d: Derivation) -> Planned:
    """The plan of a finished derivation, rounded where the question says to how many decimals."""
    digits = decimals(d.scene.question)
    if digits is not None:
        for column in d.answers:
            if column not in d.scene.kinds or d.scene.kinds[column] == "number":
                rounding: JsonValue = {"op": "round", "args": [column, digits]}
                thought = f"Round to {digits} decimals as asked."
                d = d.then("Derive", thought, {"name": column, "expression": rounding})
    return Planned(steps=d.steps, thoughts=d.thoughts, reading=d.reading)


def decimals(question: Question) -> int | None:
    """How many decimals the question wishes for; None if it does not say."""
    for cue in question.cue("decimals"):
        for number in question.numbers:
            if number.place == (cue.end if cue.value == "to" else cue.start - 1):
                return int(number.value)
    return None
