"""What Predict tells of a step: how it was judged, how well that went, what is doubtful."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from wideleaf.tools.actions.learning.leakage import SUSPICIOUS, find_leaks
from wideleaf.tools.actions.learning.models import told_class
from wideleaf.tools.actions.learning.scores import DRAWS, Score
from wideleaf.tools.actions.learning.splits import Split
from wideleaf.tools.privacy import Fact, Matter, caveat, caveats_of_columns, matter_of
from wideleaf.tools.tables.table import Table, is_polars
from wideleaf.tools.words import name_some

if TYPE_CHECKING:
    from wideleaf.tools.actions.learning.predict import Predict

WITHOUT_UNIT = (
    "R2", "correlation", "accuracy", "balanced accuracy", "macro F1", "share of the largest class",
    "AUC",
)  # fmt: skip
DIGITS = 2
"""A score is told with so many, for it hangs on every cell."""
PERFECT = 0.9999
"""Who predicts unseen rows so well has most likely been told the answer."""
FEW_TRAINED, FEW_JUDGED = 50, 20
FEW_VALUES = 10
"""A number of so few values, all whole, may be a code."""
COMMON = 0.9


def facts_of(action: Predict, table: Table, split: Split, scores: Sequence[Score]) -> list[Fact]:
    """Facts about a prediction.

    Args:
        action: The resolved action.
        table: What it learnt from.
        split: How.
        scores: How well it went; none where that was not asked.
    """
    facts = [caveat(_how_judged(action, split)), *_tell_left_out(action, split)]
    facts += _cautions(action, table, split)
    if action.result == "scores":  # words of ours, by which a row is picked
        facts.append(Fact(text=f"Metrics: {', '.join(score.metric for score in scores)}"))
    if action.judges:
        return [*facts, *_how_well(action, split, scores)]
    if action.result == "importances":
        return [*facts, Fact(text=f"Importance is {action.kind.importance}")]
    text, data = (
        "Coefficients are in the units of the columns: the change for one more of each",
        split.data,
    )
    if data.classes is not None:
        text += ", in log odds of the class" + " against the other" * (len(data.classes) == 2)
    facts.append(Fact(text=text))
    if len(set(data.owners)) < len(data.owners):
        text = "Every level of a text has a term; only differences between levels are determined"
        facts.append(caveat(text))
    return facts


def _how_judged(action: Predict, split: Split) -> str:
    """How the scores or predictions were come by."""
    trained, test_rows = len(split.trained), len(split.folds[0].test)
    features = f"{len(split.data.names)} features"
    if not action.judges:
        return f"{action.model} model of {trained} rows and {features}"
    if action.test:
        how = f"of {test_rows} rows held out by {action.test!r}, by a model of {trained} others"
    elif action.share is not None:
        which = (
            f"the last {test_rows} rows by {action.time!r}" if action.time else f"{test_rows} rows"
        )
        whole = f", whole groups of {action.groups!r}," if action.groups else ""
        how = f"of {which} held out{whole} by a model of {trained} others"
        how += "" if action.time else f" (share {action.share:g}, seed {action.seed})"
    elif action.evaluate == "in sample":
        how = f"in sample: of the very {trained} rows that the model was fitted to"
    elif action.time:
        how = f"of rows by models of what was before them in {action.time!r} "
        how += f"({len(split.folds)} folds in time of {trained} rows)"
    else:
        unseen = f"groups of {action.groups!r}" if action.groups else "rows"
        how = f"of {unseen} the model had not seen "
        how += f"({len(split.folds)}-fold cross-validation of {trained} rows)"
    return f"{action.result.capitalize()} are {how}; {action.model} model, {features}"


def _tell_left_out(action: Predict, split: Split) -> list[Fact]:
    """Rows and columns that took no part, or another one than it seems."""
    data, texts = split.data, []
    rows, several = len(data.target), len(split.folds) > 1
    predicts = action.result == "predictions"
    beside = " or ".join(repr(name) for name in (action.groups, action.time) if name)
    if split.drawn_of is not None:
        text = f"{split.drawn_of} rows are too many to fit: all is of {rows} of them, drawn by the "
        texts.append(f"{text}seed")
    if lost := int((~data.known).sum()):
        text = f"{lost} of {rows} rows have no target and took no part"
        texts.append(text + "; theirs is predicted by a model of all others" * predicts)
    if cut := int((data.known & ~data.whole).sum()):
        texts.append(f"{cut} rows are left out for a null feature{f' or {beside}' * bool(beside)}")
    if action.time and several and (first := int(data.usable.sum()) - len(split.judged)):
        text = f"The first {first} rows in time have no past to learn from and are not judged"
        texts.append(text)
    if predicts and not several and action.evaluate != "in sample":
        text = "Rows that were not held out are predicted by the model that was fitted to them"
        texts.append(text)
    if data.filled:
        text = f"Nulls of {data.filled} features were filled with the median of the rows "
        texts.append(f"{text}fitted on; of a text they are no value")
    facts = [*map(caveat, texts)]
    if action.aside:
        of = "target, test, groups or time" if beside else "target or test"
        facts.append(Fact(text=f"{name_some(action.aside)} took no part as features: {of}"))
    facts += caveats_of_columns(data.empty, "empty features took no part", "Empty")
    return facts + caveats_of_columns(data.constant, "constant features took no part", "Constant")


def _cautions(action: Predict, table: Table, split: Split) -> list[Fact]:
    """What makes a prediction doubtful: leaks, few rows, a rare class, columns mostly null."""
    data, texts = split.data, []
    trained, judged = len(split.trained), len(split.judged)
    if action.model == "linear" and len(data.names) >= trained:
        text = f"{len(data.names)} features for {trained} rows: least squares fits anything"
        texts.append(f"{text}; take ridge")
    if trained < FEW_TRAINED or judged < FEW_JUDGED:
        text = f"{trained} rows fitted and {judged} judged are few: other rows may go otherwise"
        texts.append(text)
    values, counts = np.unique(data.target[data.usable], return_counts=True)
    if data.classes is not None and counts.max() > COMMON * counts.sum():
        text = "More than 90 % of the rows are of one class: accuracy alone says little"
        texts.append(f"{text}; look at balanced accuracy")
    if data.classes is None and len(values) <= FEW_VALUES and (values % 1 == 0).all():
        text = "The target has few values, all whole, and is learnt as a number; if these are "
        texts.append(f"{text}codes, cast it to text first to learn classes")
    if action.listed and split.drawn_of is None and not is_polars(table.frame):
        engine = "DuckDB" if table.frame.implementation.is_duckdb() else "Spark"
        text = f"Which rows are held out hangs on their order, which {engine} promises "
        texts.append(f"{text}of a file or of sorted rows alone")
    same, near = find_leaks(data)
    alone = f"features tell the target alone (|r| or share right > {SUSPICIOUS}): leaks?"
    sparse = "features are null in more than half of the rows"
    return [
        *map(caveat, texts),
        *caveats_of_columns(same, "features are the target in another unit", "The target"),
        *caveats_of_columns(near, alone, "Leaks"),
        *caveats_of_columns(data.ids, "features differ in every row, as ids do", "Ids"),
        *caveats_of_columns(data.sparse, sparse, "Mostly null"),
    ]


def _how_well(action: Predict, split: Split, scores: Sequence[Score]) -> list[Fact]:
    """The scores that have no unit in a sentence, and whether they are too good or no good.

    One in the unit of the target, or of few rows, may be a cell. A frame of scores has them all;
    beside predictions a person is told how good these are.
    """
    metrics = {score.metric: score.value for score in scores if score.value is not None}
    phrase = ", ".join(
        f"{name} {value:.{DIGITS}g}" for name, value in metrics.items() if name in WITHOUT_UNIT
    )
    facts = []
    matter = matter_of(int(metrics["rows"]))
    if phrase and action.result == "predictions":
        facts.append(caveat(f"The predictions score {phrase}", matter))
    elif phrase:
        facts.append(Fact(text=phrase, matter=matter))
    if action.result == "scores":
        facts += _meaning(action, split, scores)
    if action.evaluate == "in sample":
        return facts
    if metrics.get("R2", metrics.get("accuracy", 0)) > PERFECT:
        text = "The target is predicted without error: a feature may be the target itself"
        facts.append(caveat(text))
    bases = (
        ("RMSE", "baseline RMSE", "the value before" if action.time else "the mean"),
        ("accuracy", "share of the largest class", "always the largest class"),
        ("accuracy", "baseline accuracy", "the value before"),
    )
    for name, other, words in bases:
        if name in metrics and other in metrics:
            ahead = metrics[name] - metrics[other]
            if ahead >= 0 if name == "RMSE" else ahead <= 0:
                return [*facts, caveat(f"The model is no better than {words}")]
    return facts


def _meaning(action: Predict, split: Split, scores: Sequence[Score]) -> list[Fact]:
    """What rows of the scores are of."""
    facts, classes = [], split.data.classes
    if any(score.low is not None for score in scores):
        text = f"low and high: the middle 95 % of {DRAWS} bootstrap draws of the scored rows"
        if action.groups or action.time:
            near = "of one group" if action.groups else "near in time"
            text += f"; too narrow where rows {near} are alike"
        facts.append(Fact(text=text))
    if classes is None:
        base = (
            f"the value before in {action.time!r}" if action.time else "the mean of the rows fitted"
        )
        facts.append(Fact(text=f"Baselines predict {base}"))
    elif len(classes) == 2:
        text = "Precision, recall and AUC are of the second of the two classes in order"
        matter: Matter = "names" if action.levels or isinstance(classes[1], bool) else "values"
        facts.append(Fact(text=text))
        facts.append(Fact(text=f"That class is {told_class(classes[1])!r}", matter=matter))
    return facts
