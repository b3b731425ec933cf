"""What Predict learns: models fitted to rows, and what they say of others."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

from wideleaf.tools.actions.learning.folds import Split, fitted_of
from wideleaf.tools.actions.learning.learners import Settings, fit
from wideleaf.tools.actions.learning.rows import Material
from wideleaf.tools.errors import ActionError

if TYPE_CHECKING:
    import numpy as np
    import polars as pl


class Learnt(NamedTuple):
    """What learning gave.

    Attributes:
        predicted: For each row of the material what a model says that was not fitted to it, save
            in sample; the place of a class; NaN where no model may say anything.
        chance: How probable the second of two classes is, or of more the one predicted; NaN for
            numbers.
        judged: Rows whose predictions are scored.
        base: What is said of each judged row without any model: the mean of the rows fitted, or
            in time the value before; NaN for a category that is not in time.
    """

    predicted: np.ndarray[Any, Any]
    chance: np.ndarray[Any, Any]
    judged: np.ndarray[Any, Any]
    base: np.ndarray[Any, Any]


def learn(
    material: Material, settings: Settings, splits: list[Split], *, unknown: bool = False
) -> Learnt:
    """Fit the models, and predict.

    Args:
        material: The rows.
        settings: What models are made by.
        splits: How rows are parted.
        unknown: Whether rows that no split judges are predicted, too.

    Raises:
        ActionError: If there are fewer rows to fit than neighbours.
    """
    import numpy as np

    refuse_far_neighbours(settings, splits)
    predicted = np.full(len(material.usable), np.nan)
    chance = predicted.copy()
    model, crossed = None, len(splits) > 1
    for split in splits:
        model = fit(material, split.fitted, settings)
        _tell(model, material, split.judged, predicted, chance)
    if unknown:  # by all that is known
        rest = material.whole & np.isnan(predicted) & ~(material.usable & crossed)
        if rest.any():
            if crossed:
                model = fit(material, fitted_of(material, splits), settings)
            _tell(model, material, np.flatnonzero(rest), predicted, chance)
    return Learnt(predicted, chance, _judged(material, splits), _bases(material, splits))


def relearn(
    material: Material, splits: list[Split], predicted: pl.Series, probable: pl.Series | None
) -> Learnt:
    """What learning gave, out of what it left in a table.

    Args:
        material: The rows that were learnt from.
        splits: How they were parted.
        predicted: The predictions, in the order of the table.
        probable: How probable they are, of a category.
    """
    import numpy as np

    cells = predicted.to_list()
    if material.classes is not None:
        codes = {level: float(code) for code, level in enumerate(material.classes)}
        cells = [codes.get(cell, math.nan) for cell in cells]
    values = np.array(cells, dtype=float)[material.place]  # a null becomes NaN
    chance = np.full(len(values), np.nan)
    if probable is not None:
        chance = np.array(probable.to_list(), dtype=float)[material.place]
        if len(material.classes or ()) == 2:
            chance = np.where(values == 1, chance, 1 - chance)
    judged = _judged(material, splits) & ~np.isnan(values)
    return Learnt(values, chance, judged, _bases(material, splits))


def refuse_far_neighbours(settings: Settings, splits: list[Split]) -> None:
    """Refuse more neighbours than there are rows.

    Raises:
        ActionError: If it is so; says how many there may be.
    """
    fewest = min(len(split.fitted) for split in splits)
    if settings.learner == "neighbours" and settings.neighbours > fewest:
        raise ActionError(
            f"{settings.neighbours} neighbours of {fewest} rows to fit; take {fewest} or fewer",
            kind="argument neighbours",
        )


def _tell(
    model: Any,
    material: Material,
    rows: np.ndarray[Any, Any],
    predicted: np.ndarray[Any, Any],
    chance: np.ndarray[Any, Any],
) -> None:
    """Write what a model says of some rows into both."""
    import numpy as np

    cells = material.cells[rows]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of numbers so large that they overflow: scores tell
        said = model.predict(cells)
        predicted[rows] = said
        if material.classes is None:
            return
        shares = model.predict_proba(cells)
    known = model.classes_
    if len(material.classes) == 2:
        second = known == 1
        chance[rows] = shares[:, second][:, 0] if second.any() else 0.0
        return
    chance[rows] = shares[np.arange(len(rows)), np.searchsorted(known, said)]


def _judged(material: Material, splits: list[Split]) -> np.ndarray[Any, Any]:
    """The rows that are scored."""
    import numpy as np

    judged = np.zeros(len(material.usable), dtype=bool)
    for split in splits:
        judged[split.judged] = True
    return judged


def _bases(material: Material, splits: list[Split]) -> np.ndarray[Any, Any]:
    """What each judged row is predicted as without a model."""
    import numpy as np

    base = np.full(len(material.usable), np.nan)
    if material.moments is not None:
        return _values_before(material, base)
    for split in splits if material.classes is None else ():
        base[split.judged] = material.target[split.fitted].mean()
    return base


def _values_before(material: Material, base: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The target at the moment before: of several rows the mean, or the class most of them have."""
    import numpy as np

    usable, moments = np.flatnonzero(material.usable), material.moments
    if moments is None:
        return base
    codes = np.unique(moments[usable], return_inverse=True)[1]
    target, kinds = material.target[usable], len(material.classes or ())
    if kinds:
        table = np.bincount(
            (codes * kinds + target).astype(int), minlength=kinds * codes.max() + kinds
        )
        told = table.reshape(-1, kinds).argmax(axis=1).astype(float)
    else:
        told = np.bincount(codes, weights=target) / np.bincount(codes)
    base[usable] = np.concatenate([[np.nan], told])[codes]
    return base
