"""How rows are split: of too many some are drawn; some fit a model and others judge it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import narwhals as nw
import numpy as np

from wideleaf.tools.actions.from_one_hot import FromOneHot
from wideleaf.tools.actions.joining.keys import fresh_names
from wideleaf.tools.actions.learning.training_data import MIN_ROWS, Array, TrainingData, gather
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.columns import need_few_numbers
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    from wideleaf.tools.actions.learning.predict import Predict

MIN_TRAINED = 5
"""Rows that a model of one fold has at least."""
MAX_NUMBERS = 20_000_000
"""Fitting holds several copies of its numbers: rows times features."""
MAX_COMPARED = 40_000_000_000
"""Neighbours compare each row with each other: rows times rows times features."""
SORTED_BY = 32
"""Rows alike in so many columns may take each other's place."""
_PRIME, _FIRST, _SECOND = 2_147_483_647, 48_271, 69_621
"""Products of two of them stay within 64 bits."""
_MARGIN = 0.98


class Fold(NamedTuple):
    """One model's rows, by their places in the data; those to train in the order of fitting."""

    train: Array
    test: Array


class Split(NamedTuple):
    """What models are learnt from.

    Attributes:
        data: The rows.
        folds: How they are split; several are one model each.
        drawn_of: Of how many rows these are some; None if they are all.
    """

    data: TrainingData
    folds: list[Fold]
    drawn_of: int | None = None

    @property
    def trained(self) -> Array:
        """The rows of the one model that is told of: all where each is predicted in a fold."""
        return self.folds[0].train if len(self.folds) == 1 else np.flatnonzero(self.data.usable)

    @property
    def judged(self) -> Array:
        """The rows that are scored, in the order of the data."""
        return np.unique(np.concatenate([fold.test for fold in self.folds]))


def split_rows(action: Predict, table: Table) -> Split:
    """Read what an action learns from and split it.

    Args:
        action: The resolved action.
        table: The table.

    Raises:
        ActionError: If the rows are too many to predict, or too few.
    """
    names = (*action.target, *action.features, action.test, action.groups, action.time)
    columns = [name for name in dict.fromkeys(names) if name is not None]
    part, drawn_of, target = table, None, action.target[0]
    if action.result == "predictions":
        _refuse_too_large(action, table)
    else:
        part, drawn_of = draw(table, columns, _most_rows(action), action.seed)
    if action.levels:
        target = fresh_names("target", 1, table)[0]
        if action.result != "predictions":
            part = Table(part.frame.select(*columns))
        indicators = FromOneHot(columns=action.target, name=target, levels=action.levels)
        part = indicators.run(part)
    data = gather(action, part, target, listed=action.listed and drawn_of is None)
    return Split(data, _folds(action, data), drawn_of)


def _refuse_too_large(action: Predict, table: Table) -> None:
    rows, features = table.count(), len(action.features)
    need_few_numbers(rows, features, MAX_NUMBERS, "Predict")
    if rows > (most := _most_rows(action)):
        raise ActionError(
            f"neighbours of {rows} rows are too many to look for, {most} at most with {features} "
            "features; take the model 'boosting', or Filter rows first",
            kind="too large",
        )


def _most_rows(action: Predict) -> int:
    """How many rows can be fitted."""
    features = len(action.features)
    most = MAX_NUMBERS // features
    compared = math.isqrt(MAX_COMPARED // features)
    return min(most, compared) if action.model == "neighbours" else most


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
    sample = placed.filter(mixed < int(_PRIME * _MARGIN * most / rows))
    back = (nw.col(name).alias(column) for column, name in pairs)
    return Table(sample.select(*back)), rows


def _folds(action: Predict, data: TrainingData) -> list[Fold]:
    """The rows of each model.

    Raises:
        ActionError: If there are too few rows, groups or moments for that.
    """
    usable = np.flatnonzero(data.usable)
    if action.evaluate == "in sample":
        folds = [Fold(usable, usable)]
    elif data.held is not None:
        mask = data.held[usable]
        folds = [Fold(usable[~mask], usable[mask])]
    elif action.share is not None:
        folds = [_share(action, data, usable, action.share)]
    elif data.moments is not None:
        folds = _past_first(data.moments, usable, action.folds)
    elif data.groups is not None:
        folds = _by_group(data.groups[usable], usable, action.folds)
    else:
        parts = _deal(action, data, usable)
        folds = [Fold(usable[parts != part], usable[parts == part]) for part in range(action.folds)]
    _refuse_too_few(Split(data, folds))
    return folds


def _refuse_too_few(split: Split) -> None:
    trained, judged = split.trained, split.folds[0].test
    classes = len(np.unique(split.data.target[trained]))
    if len(trained) < MIN_ROWS or not len(judged) or classes < 2:
        raise ActionError(
            f"{len(trained)} rows to fit and {len(judged)} held out are too few, or of one class; "
            f"at least {MIN_ROWS} are fitted",
            kind="too few rows",
        )
    if (fewest := min(len(fold.train) for fold in split.folds)) < MIN_TRAINED:
        raise ActionError(
            f"a fold leaves {fewest} rows to fit, and {MIN_TRAINED} are the least; take fewer "
            "folds, or groups or times that part the rows more evenly",
            kind="argument folds",
        )


def _deal(action: Predict, data: TrainingData, usable: Array) -> Array:
    """A part for each usable row; of a category each has about the same share of every class."""
    order = np.random.RandomState(action.seed).permutation(len(usable))
    if data.classes is not None:
        order = order[np.argsort(data.target[usable[order]], kind="stable")]
    parts = np.empty(len(usable), dtype=int)
    parts[order] = np.arange(len(usable)) % action.folds
    return parts


def _by_group(codes: Array, usable: Array, folds: int) -> list[Fold]:
    """Folds of whole groups, the largest dealt first."""
    from sklearn.model_selection import GroupKFold  # type: ignore[import-untyped]

    if (count := len(np.unique(codes))) < 2:
        raise ActionError(
            "all rows that can be learnt from are of one group; take other groups, or none",
            kind="argument groups",
        )
    parts = GroupKFold(min(folds, count)).split(codes, groups=codes)
    return [Fold(usable[train], usable[test]) for train, test in parts]


def _past_first(moments: Array, usable: Array, folds: int) -> list[Fold]:
    """Each stretch of time by a model of what was strictly before it."""
    from sklearn.model_selection import TimeSeriesSplit

    if len(usable) <= folds:
        raise ActionError(
            f"{len(usable)} rows do not make {folds} folds in time; take fewer",
            kind="argument folds",
        )
    ordered = _in_time(moments, usable)
    parts = TimeSeriesSplit(folds).split(ordered)
    return [_before(moments, ordered[train], ordered[test]) for train, test in parts]


def _share(action: Predict, data: TrainingData, usable: Array, size: float) -> Fold:
    """A share held out by chance: of rows, or of groups; or the last ones in time."""
    from sklearn.model_selection import GroupShuffleSplit, train_test_split

    classes = data.target[usable] if action.stratify else None
    if classes is not None:
        _refuse_rare(classes, size)
    try:
        if data.moments is not None:
            ordered = _in_time(data.moments, usable)
            return _before(data.moments, *train_test_split(ordered, test_size=size, shuffle=False))
        if data.groups is not None:
            codes = data.groups[usable]
            splitter = GroupShuffleSplit(1, test_size=size, random_state=action.seed)
            train, test = next(splitter.split(codes, groups=codes))
            return Fold(usable[train], usable[test])
        return Fold(
            *train_test_split(usable, test_size=size, random_state=action.seed, stratify=classes)
        )
    except ValueError:
        what = "groups" if data.groups is not None else "rows"
        raise ActionError(
            f"a share of {size:g} of {len(usable)} rows leaves no {what} on one side; take another",
            kind="argument share",
        ) from None


def _refuse_rare(classes: Array, share: float) -> None:
    """Refuse a share in which not every class can be."""
    sizes = np.unique(classes, return_counts=True)[1]
    rows = len(classes)
    test_rows = int(np.ceil(share * rows))
    if sizes.min() < 2 or min(test_rows, rows - test_rows) < len(sizes):
        raise ActionError(
            "stratify needs 2 rows of every class and one of each on both sides, with "
            f"{test_rows} of {rows} rows held out; take another share, or leave stratify out",
            kind="argument stratify",
        )


def _in_time(moments: Array, usable: Array) -> Array:
    return usable[np.argsort(moments[usable], kind="stable")]


def _before(moments: Array, train: Array, test: Array) -> Fold:
    """Leave out rows of the very moment at which those to judge begin."""
    return Fold(train[moments[train] < moments[test].min()], test)
