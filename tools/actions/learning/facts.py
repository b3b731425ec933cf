"""What Predict tells of a step: how it was judged, and what took no part in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from wideleaf.tools.actions.learning.models import Learner
from wideleaf.tools.actions.learning.rows import Material
from wideleaf.tools.privacy import LEAST_FOR_STATISTICS, Fact, Matter

if TYPE_CHECKING:
    from wideleaf.tools.actions.learning.predict import Predict

NAMES_TOLD = 3
WITHOUT_UNIT = (
    "R2", "correlation", "accuracy", "balanced accuracy", "macro F1", "share of the largest class"
)  # fmt: skip
DIGITS = 2
"""A score is told with so many, for it hangs on every cell."""
SUSPICIOUS = 0.9999
"""Who predicts unseen rows so well has most likely been told the answer."""
_MEANING: dict[Learner, str] = {
    "linear": "the coefficient of standardised columns, with its sign",
    "ridge": "the coefficient of standardised columns, with its sign",
    "logistic": "the mean size of a standardised column's coefficients over the classes",
    "forest": "the share of the trees' gain in purity (biased towards features of many values)",
    "boosting": "how much a shuffled column lowers the score on the rows fitted",
}


def facts_of(action: Predict, material: Material, scores: Mapping[str, float | None]) -> list[Fact]:
    """Facts about a prediction.

    Args:
        action: The resolved action.
        material: What it learnt from.
        scores: How well it went, by the name of the measure; empty for importances.
    """
    facts = [Fact(text=_judged(action, material), caveat=True)]
    if lost := int((~material.known).sum()):
        text = f"{lost} of {len(material.known)} rows have no target and took no part"
        filled = action.result == "predictions"
        facts.append(
            Fact(
                text=text + "; theirs is predicted by a model of all others" * filled,
                caveat=True,
            )
        )
    if cut := int((material.known & ~material.usable).sum()):
        facts.append(Fact(text=f"{cut} rows are left out for a null feature", caveat=True))
    if material.filled:
        text = f"Nulls of {material.filled} features were filled with the median of the rows "
        facts.append(Fact(text=f"{text}fitted on; of a text they are no value", caveat=True))
    if action.aside:
        text = f"{_some(action.aside)} took no part as features: target or test"
        facts.append(Fact(text=text))
    for names, what in ((material.empty, "empty"), (material.constant, "constant")):
        if names:
            text = f"{len(names)} {what} features took no part"
            facts.append(Fact(text=text, caveat=True))
            text = f"{what.capitalize()}: {_some(names)}"
            facts.append(Fact(text=text, matter="statistics", caveat=True))
    fitted = int((material.usable & ~material.held).sum())
    if action.model == "linear" and len(material.names) >= fitted:
        text = f"{len(material.names)} features for {fitted} rows: least squares fits anything"
        facts.append(Fact(text=f"{text}; take ridge", caveat=True))
    if action.result != "importances":
        facts += _told(action, scores)
    else:
        facts.append(Fact(text=f"Importance is {_MEANING[action.model or 'ridge']}"))
    return facts


def _judged(action: Predict, material: Material) -> str:
    """How the scores or predictions were come by."""
    held = int((material.usable & material.held).sum())
    fitted = int(material.usable.sum()) - held
    if action.result == "importances":
        return f"{action.model} model of {fitted} rows and {len(material.names)} features"
    if action.test:
        how = f"of {held} rows held out by {action.test!r}, by a model of {fitted} others"
    elif action.evaluate == "in sample":
        how = f"in sample: of the very {fitted} rows that the model was fitted to"
    else:
        how = "of rows the model had not seen "
        how += f"({action.folds}-fold cross-validation of {fitted} rows)"
    what = "Scores are" if action.result == "scores" else "Predictions are"
    return f"{what} {how}; {action.model} model, {len(material.names)} features"


def _told(action: Predict, found: Mapping[str, float | None]) -> list[Fact]:
    """The scores that have no unit in a sentence, and whether they are too good.

    One in the unit of the target, or of few rows, may be a cell. A frame of scores has them all;
    beside predictions a person is told how good these are.
    """
    shown = ", ".join(
        f"{name} {value:.{DIGITS}g}"
        for name, value in found.items()
        if name in WITHOUT_UNIT and value is not None
    )
    facts = []
    matter: Matter = "statistics" if (found.get("rows") or 0) >= LEAST_FOR_STATISTICS else "values"
    if shown and action.result == "predictions":
        facts.append(Fact(text=f"The predictions score {shown}", matter=matter, caveat=True))
    elif shown:
        facts.append(Fact(text=shown, matter=matter))
    best = found.get("R2", found.get("accuracy"))
    if action.evaluate != "in sample" and best is not None and best > SUSPICIOUS:
        text = "The target is predicted without error: a feature may be the target itself"
        facts.append(Fact(text=text, caveat=True))
    return facts


def _some(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names[:NAMES_TOLD]))
