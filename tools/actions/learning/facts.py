"""What Predict tells of a step: how it was judged, and how well that went."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wideleaf.tools.actions.learning.cautions import cautions_of, some
from wideleaf.tools.actions.learning.course import Course
from wideleaf.tools.actions.learning.folds import Split, fitted_of
from wideleaf.tools.actions.learning.intervals import DRAWS
from wideleaf.tools.actions.learning.learners import LINEAR, Learner
from wideleaf.tools.actions.learning.rows import Material
from wideleaf.tools.actions.learning.scores import Score
from wideleaf.tools.actions.learning.weights import told_class
from wideleaf.tools.privacy import LEAST_FOR_STATISTICS, Fact, Matter

if TYPE_CHECKING:
    from wideleaf.tools.actions.learning.predict import Predict

WITHOUT_UNIT = (
    "R2", "correlation", "accuracy", "balanced accuracy", "macro F1", "share of the largest class",
    "AUC",
)  # fmt: skip
DIGITS = 2
"""A score is told with so many, for it hangs on every cell."""
SUSPICIOUS = 0.9999
"""Who predicts unseen rows so well has most likely been told the answer."""
_SHUFFLED = "how much a shuffled column lowers the score on the rows fitted"
_MEANING: dict[Learner, str] = {
    **dict.fromkeys(LINEAR, "the coefficient of standardised columns, with its sign"),
    "logistic": "the mean size of a standardised column's coefficients over the classes",
    **dict.fromkeys(
        ("tree", "forest"),
        "the share of the trees' gain in purity (biased towards features of many values)",
    ),
    **dict.fromkeys(("boosting", "neighbours", "naive bayes"), _SHUFFLED),
}
JUDGED = ("scores", "predictions")


def facts_of(action: Predict, course: Course, scores: Sequence[Score]) -> list[Fact]:
    """Facts about a prediction.

    Args:
        action: The resolved action.
        course: What it learnt from.
        scores: How well it went; none where that was not asked.
    """
    material, splits = course.material, course.splits
    facts = [Fact(text=_judged(action, material, splits), caveat=True)]
    if course.drawn_of is not None:
        text = f"{course.drawn_of} rows are too many to fit: all is of {len(material.known)} of "
        facts.append(Fact(text=f"{text}them, drawn by the seed", caveat=True))
    facts += _left_out(action, material, splits)
    facts += cautions_of(action, course)
    if action.result == "scores" and scores:  # words of ours, by which a row is picked
        facts.append(Fact(text=f"Metrics: {', '.join(str(one[0]) for one in scores)}"))
    if action.result in JUDGED:
        return facts + _told(action, material, scores)
    if action.result == "importances":
        return [*facts, Fact(text=f"Importance is {_MEANING[action.settings.learner]}")]
    text = "Coefficients are in the units of the columns: the change for one more of each"
    if material.classes is not None:
        text += ", in log odds of the class" + " against the other" * (len(material.classes) == 2)
    facts.append(Fact(text=text))
    if len(set(material.owners)) < len(material.owners):
        text = "Every level of a text has a term; only differences between levels are determined"
        facts.append(Fact(text=text, caveat=True))
    return facts


def _judged(action: Predict, material: Material, splits: list[Split]) -> str:
    """How the scores or predictions were come by."""
    fitted = len(fitted_of(material, splits))
    if action.result not in JUDGED:
        return f"{action.model} model of {fitted} rows and {len(material.names)} features"
    held = len(splits[0].judged)
    if action.test:
        how = f"of {held} rows held out by {action.test!r}, by a model of {fitted} others"
    elif action.share is not None:
        which = f"the last {held} rows by {action.time!r}" if action.time else f"{held} rows"
        whole = f", whole groups of {action.groups!r}," if action.groups else ""
        how = f"of {which} held out{whole} by a model of {fitted} others"
        how += "" if action.time else f" (share {action.share:g}, seed {action.seed})"
    elif action.evaluate == "in sample":
        how = f"in sample: of the very {fitted} rows that the model was fitted to"
    elif action.time:
        how = f"of rows by models of what was before them in {action.time!r} "
        how += f"({len(splits)} folds in time of {fitted} rows)"
    else:
        unseen = "rows"
        if action.groups:
            unseen = f"groups of {action.groups!r}"
        how = f"of {unseen} the model had not seen "
        how += f"({len(splits)}-fold cross-validation of {fitted} rows)"
    what = "Scores are" if action.result == "scores" else "Predictions are"
    return f"{what} {how}; {action.model} model, {len(material.names)} features"


def _left_out(action: Predict, material: Material, splits: list[Split]) -> list[Fact]:
    """Rows and columns that took no part, or another one than it seems."""
    facts = []
    predicts = action.result == "predictions"
    if lost := int((~material.known).sum()):
        text = f"{lost} of {len(material.known)} rows have no target and took no part"
        text += "; theirs is predicted by a model of all others" * predicts
        facts.append(Fact(text=text, caveat=True))
    if cut := int((material.known & ~material.usable).sum()):
        beside = [name for name in (action.groups, action.time) if name]
        where = f" or {' or '.join(map(repr, beside))}" if beside else ""
        facts.append(Fact(text=f"{cut} rows are left out for a null feature{where}", caveat=True))
    seen = {int(row) for split in splits for row in split.judged}
    if action.time and len(splits) > 1 and (first := int(material.usable.sum()) - len(seen)):
        text = f"The first {first} rows in time have no past to learn from and are not judged"
        facts.append(Fact(text=text, caveat=True))
    if predicts and len(splits) == 1 and action.evaluate != "in sample":
        text = "Rows that were not held out are predicted by the model that was fitted to them"
        facts.append(Fact(text=text, caveat=True))
    if material.filled:
        text = f"Nulls of {material.filled} features were filled with the median of the rows "
        facts.append(Fact(text=f"{text}fitted on; of a text they are no value", caveat=True))
    if action.aside:
        more = ", groups or time" if action.groups or action.time else ""
        of = f"target, test{more}" if more else "target or test"
        facts.append(Fact(text=f"{some(action.aside)} took no part as features: {of}"))
    for names, what in ((material.empty, "empty"), (material.constant, "constant")):
        if names:
            text = f"{len(names)} {what} features took no part"
            facts.append(Fact(text=text, caveat=True))
            text = f"{what.capitalize()}: {some(names)}"
            facts.append(Fact(text=text, matter="statistics", caveat=True))
    return facts


def _told(action: Predict, material: Material, scores: Sequence[Score]) -> list[Fact]:
    """The scores that have no unit in a sentence, and whether they are too good or no good.

    One in the unit of the target, or of few rows, may be a cell. A frame of scores has them all;
    beside predictions a person is told how good these are.
    """
    found = {score.metric: score.value for score in scores}
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
    if action.result == "scores":
        facts += _meaning(action, material, scores)
    best = found.get("R2", found.get("accuracy"))
    unseen = action.evaluate != "in sample"
    if unseen and best is not None and best > SUSPICIOUS:
        text = "The target is predicted without error: a feature may be the target itself"
        facts.append(Fact(text=text, caveat=True))
    if unseen and (than := _no_better(action, found)):
        facts.append(Fact(text=f"The model is no better than {than}", caveat=True))
    return facts


def _meaning(action: Predict, material: Material, scores: Sequence[Score]) -> list[Fact]:
    """What rows of the scores are of."""
    facts = []
    if any(score.low is not None for score in scores):
        text = f"low and high: the middle 95 % of {DRAWS} bootstrap draws of the scored rows"
        if action.groups or action.time:
            near = "of one group" if action.groups else "near in time"
            text += f"; too narrow where rows {near} are alike"
        facts.append(Fact(text=text))
    if material.classes is not None and len(material.classes) == 2:
        plain = action.levels or isinstance(material.classes[1], bool)
        matter: Matter = "names" if plain else "values"
        text = "Precision, recall and AUC are of the second of the two classes in order"
        facts.append(Fact(text=text))
        text = f"That class is {told_class(material.classes[1])!r}"
        facts.append(Fact(text=text, matter=matter))
    elif material.classes is None:
        text = "Baselines predict the mean of the rows fitted"
        if action.time:
            text = f"Baselines predict the value before in {action.time!r}"
        facts.append(Fact(text=text))
    return facts


def _no_better(action: Predict, found: dict[str, float | None]) -> str:
    """What does as well without a model; nothing where it does worse."""
    pairs = (
        ("RMSE", "baseline RMSE", "the value before" if action.time else "the mean"),
        ("accuracy", "share of the largest class", "always the largest class"),
        ("accuracy", "baseline accuracy", "the value before"),
    )
    for name, other, words in pairs:
        value, base = found.get(name), found.get(other)
        if value is None or base is None:
            continue
        if value >= base if name == "RMSE" else value <= base:
            return words
    return ""
