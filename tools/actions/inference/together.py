"""Together: how well several columns at once tell a target, of rows that no model saw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import narwhals as nw

from wideleaf.tools.actions.inference.association import Sort
from wideleaf.tools.actions.joining.keys import fresh_names
from wideleaf.tools.actions.learning.predict import Predict
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

MOST_NUMBERS = 2_000_000
MOST_FEATURES = 2_000
"""So many numbers and columns at most are learnt from beside a note."""
FOLDS = 5
MEASURES: dict[Sort, str] = {"yes/no": "AUC", "number": "R2", "category": "accuracy"}
KNOWN_NOTHING = {"AUC": 0.5, "R2": 0.0}
"""What knowing nothing scores; of an accuracy that is the share of the largest class."""


class Joint(NamedTuple):
    """How well all columns together tell the target.

    Attributes:
        measure: ``AUC``, ``R2`` or ``accuracy``.
        score: By rows of folds that no model was fitted to.
        base: What knowing nothing scores.
        rows: How many were scored.
        features: Columns that were learnt from.
    """

    measure: str
    score: float
    base: float
    rows: int
    features: int


def judge_together(
    table: Table, target: nw.Expr, sort: Sort, columns: Sequence[str]
) -> Joint | str:
    """Learn the target from all columns, by folds; or say why that is not done.

    Args:
        table: The table.
        target: The target's cells.
        sort: What it is taken for.
        columns: What to learn from.
    """
    columns = _few_levels(table, columns)
    if not columns:
        return "no column can be learnt from"
    rows = table.count()
    if len(columns) > MOST_FEATURES or rows * len(columns) > MOST_NUMBERS:
        return f"{rows} rows x {len(columns)} columns are many; Predict learns from more"
    (name,) = fresh_names("target", 1, table)
    chosen = Table(table.frame.select(target.alias(name), *map(nw.col, columns)))
    try:
        return _judged(chosen, name, columns, sort)
    except ActionError as error:
        return error.text


def _judged(chosen: Table, name: str, columns: Sequence[str], sort: Sort) -> Joint | str:
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    from wideleaf.tools.actions.learning.models import learn
    from wideleaf.tools.actions.learning.scores import scores
    from wideleaf.tools.actions.learning.splits import split_rows

    model: Literal["ridge", "logistic"] = "ridge" if sort == "number" else "logistic"
    action = Predict(target=(name,), features=tuple(columns), model=model, folds=FOLDS)
    with threadpool_limits(1):  # several add up in another order, and wait for each other
        split = split_rows(action, chosen)
        found = {one.metric: one.value for one in scores(split, learn(action, split))}
    score = found[measure := MEASURES[sort]]
    if score is None:
        return "its numbers are too near to each other"
    base = KNOWN_NOTHING.get(measure, found.get("share of the largest class") or 0.0)
    return Joint(measure, score, base, len(split.judged), len({*split.data.owners}))


def _few_levels(table: Table, columns: Sequence[str]) -> list[str]:
    """The columns without texts of many values, each of which would be a feature."""
    texts = [name for name in columns if table.kind(name) == "text"]
    if not texts:
        return list(columns)
    from wideleaf.tools.actions.learning.training_data import MOST_LEVELS

    counted = [nw.col(name).n_unique().alias(str(at)) for at, name in enumerate(texts)]
    counts = table.frame.select(*counted).collect().row(0)
    many = {name for name, count in zip(texts, counts, strict=True) if count > MOST_LEVELS}
    return [name for name in columns if name not in many]
