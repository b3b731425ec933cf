"""What a model hangs on: the importances of its features, and a linear model's coefficients."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from wideleaf.tools.actions.learning.folds import Split, fitted_of
from wideleaf.tools.actions.learning.learners import LINEAR, Settings, fit
from wideleaf.tools.actions.learning.models import refuse_far_neighbours
from wideleaf.tools.actions.learning.rows import Material
from wideleaf.tools.errors import ActionError

if TYPE_CHECKING:
    import numpy as np

MOST_SHUFFLED = 300
"""Of so many features an importance can be told by shuffling each."""
ROWS_SHUFFLED, ROWS_COMPARED = 2_000, 500
"""Of neighbours fewer, for each is looked for."""
INTERCEPT = "intercept"


def importances(
    material: Material, settings: Settings, splits: list[Split]
) -> list[tuple[str, float]]:
    """What the model of all rows makes of each feature, the largest first.

    Args:
        material: The rows.
        settings: What the model is made by.
        splits: How rows are parted; of several it is fitted to them all.

    Raises:
        ActionError: If there are too many features to shuffle.
    """
    import numpy as np

    fitted = fitted_of(material, splits)
    refuse_far_neighbours(settings, [Split(fitted, fitted)])
    model = fit(material, fitted, settings)
    last = model[-1]
    if settings.learner in LINEAR:
        # Of standardised columns, whether or not the model was fitted to such.
        spread = np.ones(len(material.names))
        if not settings.scale:
            spread = model[:-1].transform(material.cells[fitted]).std(axis=0)
        if material.classes is None:
            found = np.ravel(last.coef_) * spread / material.target[fitted].std()
        else:
            found = np.abs(last.coef_ * spread).mean(axis=0)
    elif settings.learner in ("tree", "forest"):
        found = last.feature_importances_
    else:
        found = _shuffled(material, model, fitted, settings)
    order = np.argsort(-np.abs(found), kind="stable")
    return [(material.names[place], float(found[place])) for place in order]


def coefficients(
    material: Material, settings: Settings, splits: list[Split]
) -> list[tuple[str, str | None, float]]:
    """The terms of a linear model in the units of the columns, the intercept first.

    Args:
        material: The rows.
        settings: What the model is made by.
        splits: How rows are parted; of several it is fitted to them all.

    Returns:
        For each term its name, the class whose odds it is of, and its coefficient; of two classes
        the second alone, whose odds are those against the first.
    """
    import numpy as np

    model = fit(material, fitted_of(material, splits), settings)
    last = model[-1]
    weights, constants = np.atleast_2d(last.coef_), np.atleast_1d(last.intercept_)
    if settings.scale:
        scaler = model[-2]
        weights = weights / scaler.scale_
        constants = constants - weights @ scaler.mean_
    classes: list[str | None] = [told_class(one) for one in material.classes or ()] or [None]
    if len(classes) == 2:
        classes = classes[1:]
    names = (INTERCEPT, *material.names)
    return [
        (name, level, float(value))
        for level, constant, row in zip(classes, constants, weights, strict=True)
        for name, value in zip(names, (constant, *row), strict=True)
    ]


def told_class(level: Any) -> str:
    """A class as a text; of a whole number without a point."""
    return str(int(level)) if isinstance(level, float) and level.is_integer() else str(level)


def _shuffled(
    material: Material, model: Any, fitted: np.ndarray[Any, Any], settings: Settings
) -> np.ndarray[Any, Any]:
    from sklearn.inspection import permutation_importance  # type: ignore[import-untyped]

    if len(material.names) > MOST_SHUFFLED:
        raise ActionError(
            f"{settings.learner} tells no importances of {len(material.names)} features, more than "
            f"{MOST_SHUFFLED}; take the model 'forest' or a linear one",
            kind="argument model",
        )
    most = ROWS_COMPARED if settings.learner == "neighbours" else ROWS_SHUFFLED
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = permutation_importance(
            model,
            material.cells[fitted],
            material.target[fitted],
            n_repeats=3,
            random_state=settings.seed,
            n_jobs=1,
            max_samples=min(len(fitted), most),
        )
    found: np.ndarray[Any, Any] = made.importances_mean
    return found
