"""The frames that Predict gives: scores, predictions, importances and coefficients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import narwhals as nw

from wideleaf.tools.actions.joining.keys import avoid_clashes
from wideleaf.tools.actions.learning.course import is_category
from wideleaf.tools.actions.learning.models import Learnt
from wideleaf.tools.actions.learning.rows import Material
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import polars as pl

    from wideleaf.tools.actions.learning.predict import Predict

OBSERVED, PREDICTED, PROBABILITY = "observed", "predicted", "probability"
SCORES = {"metric": nw.String, "value": nw.Float64, "low": nw.Float64, "high": nw.Float64}
IMPORTANCES = {"feature": nw.String, "importance": nw.Float64}
COEFFICIENTS = {"term": nw.String, "coefficient": nw.Float64}
OF_CLASSES = {"term": nw.String, "class": nw.String, "coefficient": nw.Float64}


def schema_of(action: Predict) -> dict[str, Any]:
    """The columns of any result but predictions.

    Args:
        action: The resolved action.
    """
    if action.result == "coefficients":
        return OF_CLASSES if action.model == "logistic" else COEFFICIENTS
    return SCORES if action.result == "scores" else IMPORTANCES


def frame_of(rows: Sequence[Sequence[Any]], schema: dict[str, Any]) -> Table:
    """Rows as a table.

    Args:
        rows: Their cells, in the order of the columns.
        schema: The columns.
    """
    cells = {name: [row[side] for row in rows] for side, name in enumerate(schema)}
    return Table(nw.from_dict(cells, schema=schema, backend="polars").lazy("polars"))


def new_names(action: Predict, table: Table) -> dict[str, str]:
    """The names of the columns that predictions add, by what they hold.

    Args:
        action: The resolved action.
        table: What they stand beside.
    """
    wanted = [OBSERVED, PREDICTED] if action.levels else [PREDICTED]
    wanted += [PROBABILITY] * is_category(action, table)
    return avoid_clashes(table.columns, wanted)


def cells_of(action: Predict, table: Table, material: Material, learnt: Learnt) -> list[pl.Series]:
    """The predictions in the order of the table; beside them what the indicators said.

    Args:
        action: The resolved action.
        table: The table.
        material: What was learnt from.
        learnt: What came of it.
    """
    import numpy as np
    import polars as pl

    back = material.place.argsort()
    values, names = learnt.predicted[back], new_names(action, table)
    if material.classes is None:
        name = names[PREDICTED]
        return [pl.Series(name, values, dtype=pl.Float64, nan_to_null=True)]
    levels = material.classes
    told = [None if code != code else levels[int(code)] for code in values]
    made = [pl.Series(names[PREDICTED], told, dtype=material.dtype)]
    if action.levels:
        known = [levels[int(code)] if code == code else None for code in material.target[back]]
        made.insert(0, pl.Series(names[OBSERVED], known, dtype=pl.String))
    chance = learnt.chance[back]
    if len(levels) == 2:
        chance = np.where(values == 1, chance, 1 - chance)
    made.append(pl.Series(names[PROBABILITY], chance, dtype=pl.Float64, nan_to_null=True))
    return made


def predict_nothing(action: Predict, table: Table) -> Table:
    """The columns of predictions without a row.

    Args:
        action: The resolved action.
        table: A table without a row.
    """
    import polars as pl

    kind = "text" if action.levels else table.kind(action.target[0])
    kinds: dict[str, Any] = {"text": pl.String, "boolean": pl.Boolean}
    dtypes = {
        OBSERVED: pl.String,
        PREDICTED: kinds.get(kind, pl.Float64),
        PROBABILITY: pl.Float64,
    }
    names = new_names(action, table)
    cells = [pl.Series(name, [], dtype=dtypes[what]) for what, name in names.items()]
    frame = table.collect(purpose="Predict").with_columns(cells)
    return Table(nw.from_native(frame.lazy()))
