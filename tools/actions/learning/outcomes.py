"""The tables that Predict gives: scores, predictions, importances and coefficients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import polars as pl

from wideleaf.tools.actions.joining.keys import avoid_clashes
from wideleaf.tools.actions.learning.facts import facts_of
from wideleaf.tools.actions.learning.models import Predictions, coefficients, importances, learn
from wideleaf.tools.actions.learning.scores import scores
from wideleaf.tools.actions.learning.splits import Split, split_rows
from wideleaf.tools.privacy import caveat
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    from wideleaf.tools.actions.learning.predict import Predict

OBSERVED, PREDICTED, PROBABILITY = "observed", "predicted", "probability"
SCORES = {"metric": pl.String, "value": pl.Float64, "low": pl.Float64, "high": pl.Float64}
IMPORTANCES = {"feature": pl.String, "importance": pl.Float64}
COEFFICIENTS = {"term": pl.String, "class": pl.String, "coefficient": pl.Float64}
NOTHING = [caveat("There is no row to learn from")]


def predict(action: Predict, table: Table) -> Table:
    """Learn, and judge; with the facts about it.

    Args:
        action: The resolved action.
        table: What it learns from.

    Raises:
        ActionError: If that cannot be done.
    """
    if action.result == "predictions":
        whole = table.collect(purpose="Predict")  # once, for the places of its rows
        columns, facts = _empty_cells(action, table), NOTHING
        if len(whole):
            split = split_rows(action, Table(nw.from_native(whole.lazy())))
            predictions = learn(action, split)
            columns = _cells(action, split, predictions)
            facts = facts_of(action, table, split, scores(split, predictions))
        names = avoid_clashes(table.columns, [cells.name for cells in columns])
        frame = whole.with_columns(cells.alias(names[cells.name]) for cells in columns)
        return Table(nw.from_native(frame.lazy()), found=facts)
    if not table.count():
        return Table(nw.from_native(_frame(action, []).lazy()), found=NOTHING)
    split = split_rows(action, table)
    if action.result == "scores":
        rated = scores(split, learn(action, split), action.seed)
        frame, facts = _frame(action, rated), facts_of(action, table, split, rated)
    else:
        tell = importances if action.result == "importances" else coefficients
        frame, facts = _frame(action, tell(action, split)), facts_of(action, table, split, [])
    return Table(nw.from_native(frame.lazy()), found=facts)


def _frame(action: Predict, rows: Sequence[Sequence[Any]]) -> pl.DataFrame:
    """The rows of any result but predictions."""
    if action.result != "coefficients":
        schema = SCORES if action.result == "scores" else IMPORTANCES
        return pl.DataFrame(rows, schema=schema, orient="row")
    frame = pl.DataFrame(rows, schema=COEFFICIENTS, orient="row")
    return frame if action.model == "logistic" else frame.drop("class")


def _cells(action: Predict, split: Split, predictions: Predictions) -> list[pl.Series]:
    """The predictions in the order of the table; beside them what the indicators said."""
    data, back = split.data, split.data.place.argsort()
    values, chance = predictions.values[back], predictions.probability[back]
    if data.classes is None:
        return [pl.Series(PREDICTED, values, dtype=pl.Float64, nan_to_null=True)]
    if len(data.classes) == 2:
        chance = np.where(values == 1, chance, 1 - chance)
    levels = pl.Series(data.classes, dtype=data.dtype)
    extras = {OBSERVED: data.target[back]} if action.levels else {}
    return [
        *(
            levels.gather(pl.Series(codes, nan_to_null=True).cast(pl.UInt32)).alias(name)
            for name, codes in {**extras, PREDICTED: values}.items()
        ),
        pl.Series(PROBABILITY, chance, dtype=pl.Float64, nan_to_null=True),
    ]


def _empty_cells(action: Predict, table: Table) -> list[pl.Series]:
    """The columns of predictions without a row."""
    kind = "text" if action.levels else table.kind(action.target[0])
    kinds: dict[str, Any] = {"text": pl.String, "boolean": pl.Boolean}
    schema = {PREDICTED: kinds.get(kind, pl.Float64)}
    if action.levels:
        schema = {OBSERVED: pl.String, **schema}
    if action.is_category(table):
        schema[PROBABILITY] = pl.Float64
    return [pl.Series(name, [], dtype=dtype) for name, dtype in schema.items()]
