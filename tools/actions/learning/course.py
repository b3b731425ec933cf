"""The course of a prediction: rows read, of too many a part; some to fit and some to judge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import narwhals as nw

from wideleaf.tools.actions.from_one_hot import FromOneHot
from wideleaf.tools.actions.joining.keys import fresh_names
from wideleaf.tools.actions.learning.folds import Judging, Split, splits_of
from wideleaf.tools.actions.learning.rows import Material, Roles, gather
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table, is_polars

if TYPE_CHECKING:
    from wideleaf.tools.actions.learning.predict import Predict


MOST_NUMBERS = 20_000_000
"""Fitting holds several copies of its numbers: rows times features."""
MOST_COMPARED = 40_000_000_000
"""Neighbours compare each row with each other: rows times rows times features."""
SORTED_BY = 32
"""Rows alike in so many columns may take each other's place."""
_PRIME, _FIRST, _SECOND = 2_147_483_647, 48_271, 69_621
"""Products of two of them stay within 64 bits."""
_MARGIN = 0.98


class Course(NamedTuple):
    """What models are learnt from.

    Attributes:
        material: The rows.
        splits: How they are parted.
        drawn_of: Of how many rows these are some; None if they are all.
        unordered: The engine, where rows are held out by an order that it does not promise.
    """

    material: Material
    splits: list[Split]
    drawn_of: int | None = None
    unordered: str | None = None


def course_of(action: Predict, table: Table, *, apart: bool = False) -> Course:
    """Read what an action learns from and part it.

    Args:
        action: The resolved action.
        table: The table.
        apart: Whether rows alike in these columns must be told apart, by the others.

    Raises:
        ActionError: If the rows are too many to predict, or too few.
    """
    part, drawn_of = table, None
    if action.result == "predictions":
        _refuse_too_large(action, table)
    else:
        features = len(action.features)
        most = most_rows(features, action.model == "neighbours")
        part, drawn_of = draw(table, _columns(action), most, action.seed)
    roles = Roles(action.target[0], action.features, action.test, action.groups, action.time)
    category = is_category(action, table)
    if action.levels:
        name = fresh_names("target", 1, table)[0]
        if not apart:
            part = Table(part.frame.select(*_columns(action)))
        indicators = FromOneHot(columns=action.target, name=name, levels=action.levels)
        part, roles = indicators.run(part), roles._replace(target=name)
    # A share is drawn as scikit-learn does, of rows as they are listed; time makes its own order.
    listed = action.share is not None and action.time is None and drawn_of is None
    material = gather(part, roles, action.nulls, category, apart=apart, listed=listed)
    judging = Judging(
        folds=action.folds,
        in_sample=action.evaluate == "in sample",
        test=action.test is not None,
        share=action.share,
        stratify=action.stratify,
        seed=action.seed,
    )
    engine = unordered(action, table) if listed else None
    return Course(material, splits_of(material, judging), drawn_of, engine)


def unordered(action: Predict, table: Table) -> str | None:
    """The engine of a table, where a share of its rows is drawn by an order it does not promise.

    Args:
        action: The resolved action.
        table: The table.
    """
    if action.share is None or action.time is not None or is_polars(table.frame):
        return None
    return "DuckDB" if table.frame.implementation.is_duckdb() else "Spark"


def is_category(action: Predict, table: Table) -> bool:
    """Whether a resolved action predicts classes; some models know nothing else.

    Args:
        action: The action.
        table: The table.
    """
    number = table.kind(action.target[0]) == "number"
    return bool(action.levels) or not number or action.model in ("logistic", "naive bayes")


def _columns(action: Predict) -> list[str]:
    """What is read, each once."""
    named = (*action.target, *action.features, action.test, action.groups, action.time)
    return [name for name in dict.fromkeys(named) if name is not None]


def _refuse_too_large(action: Predict, table: Table) -> None:
    rows, features = table.count(), len(action.features)
    if rows * features > MOST_NUMBERS:
        raise ActionError(
            f"Predict fits its features in memory; {rows} rows x {features} features are more "
            f"than {MOST_NUMBERS} numbers; name fewer features, Filter rows or Sample first",
            kind="too large",
        )
    if action.model == "neighbours" and rows > (most := most_rows(features, compared=True)):
        raise ActionError(
            f"neighbours of {rows} rows are too many to look for, {most} at most with {features} "
            "features; take the model 'boosting', or Filter rows first",
            kind="too large",
        )


def most_rows(features: int, compared: bool) -> int:
    """How many rows of so many features can be fitted.

    Args:
        features: Their number.
        compared: Whether rows are compared with each other.
    """
    most = MOST_NUMBERS // max(features, 1)
    return min(most, math.isqrt(MOST_COMPARED // max(features, 1))) if compared else most


def draw(table: Table, columns: Sequence[str], most: int, seed: int) -> tuple[Table, int | None]:
    """About so many rows at most, by their places in the order of their cells; and of how many.

    Args:
        table: All rows.
        columns: The columns to keep; the first ones make the order.
        most: How many rows.
        seed: Which ones.
    """
    rows = table.count()
    if rows <= most:
        return table, None
    # By place, for a header may be anything.
    names = [f"c{place}" for place in range(len(columns))]
    pairs = list(zip(columns, names, strict=True))
    frame = table.frame.select(*(nw.col(column).alias(name) for column, name in pairs))
    placed = frame.with_row_index("place", order_by=names[:SORTED_BY])
    start = seed * _FIRST % _PRIME
    first = (nw.col("place").cast(nw.Int64) + start) % _PRIME * _FIRST % _PRIME
    mixed = (first * first % _PRIME + first) * _SECOND % _PRIME
    kept = placed.filter(mixed < int(_PRIME * _MARGIN * most / rows))
    back = (nw.col(name).alias(column) for column, name in pairs)
    return Table(kept.select(*back)), rows
