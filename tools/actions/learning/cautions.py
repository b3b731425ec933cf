"""What makes a prediction doubtful: leaks, few rows, a rare class, columns that are mostly null."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wideleaf.tools.actions.learning.course import Course
from wideleaf.tools.actions.learning.folds import fitted_of
from wideleaf.tools.actions.learning.leakage import SUSPICIOUS, find_leaks
from wideleaf.tools.privacy import Fact

if TYPE_CHECKING:
    from wideleaf.tools.actions.learning.predict import Predict

NAMES_TOLD = 3
FEW_FITTED, FEW_JUDGED = 50, 20
FEW_VALUES = 10
"""A number of so few values, all whole, may be a code."""
COMMON = 0.9


def cautions_of(action: Predict, course: Course) -> list[Fact]:
    """Caveats about the rows and columns of a prediction.

    Args:
        action: The resolved action.
        course: What it learnt from.
    """
    import numpy as np

    material, splits = course.material, course.splits
    facts = []
    fitted = len(fitted_of(material, splits))
    judged = sum(len(split.judged) for split in splits)
    if action.model == "linear" and len(material.names) >= fitted:
        text = f"{len(material.names)} features for {fitted} rows: least squares fits anything"
        facts.append(_caveat(f"{text}; take ridge"))
    if fitted < FEW_FITTED or judged < FEW_JUDGED:
        text = f"{fitted} rows fitted and {judged} judged are few: other rows may go otherwise"
        facts.append(_caveat(text))
    target = material.target[material.usable]
    values, counts = np.unique(target, return_counts=True)
    if material.classes is not None and counts.max() > COMMON * len(target):
        text = "More than 90 % of the rows are of one class: accuracy alone says little"
        facts.append(_caveat(f"{text}; look at balanced accuracy"))
    if material.classes is None and len(values) <= FEW_VALUES and (values % 1 == 0).all():
        text = "The target has few values, all whole, and is learnt as a number; if these are "
        facts.append(_caveat(f"{text}codes, cast it to text first to learn classes"))
    if course.unordered:
        text = f"Which rows are held out hangs on their order, which {course.unordered} promises "
        facts.append(_caveat(f"{text}of a file or of sorted rows alone"))
    leaks = find_leaks(material)
    doubts = (
        (leaks.same, "are the target in another unit", "The target"),
        (leaks.near, f"tell the target alone (|r| or share right > {SUSPICIOUS}): leaks?", "Leaks"),
        (material.ids, "differ in every row, as ids do", "Ids"),
        (material.sparse, "are null in more than half of the rows", "Mostly null"),
    )
    for names, what, heading in doubts:
        if names:
            facts.append(_caveat(f"{len(names)} features {what}"))
            text = f"{heading}: {some(names)}"
            facts.append(Fact(text=text, matter="statistics", caveat=True))
    return facts


def some(names: Sequence[str]) -> str:
    """The first of some names, as they stand in a sentence."""
    return ", ".join(map(repr, names[:NAMES_TOLD]))


def _caveat(text: str) -> Fact:
    return Fact(text=text, caveat=True)
