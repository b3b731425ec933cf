"""What Predict learns: models fitted to rows, what they say of others, and what they hang on."""

from __future__ import annotations

import warnings
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from wideleaf.tools.actions.learning.splits import Split
from wideleaf.tools.actions.learning.training_data import Array, TrainingData
from wideleaf.tools.errors import ActionError

if TYPE_CHECKING:
    from wideleaf.tools.actions.learning.predict import Predict

PENALTIES = (-2, 5, 15)
"""Ridge tries penalties from 10**-2 to 10**5, by leave-one-out within the rows fitted."""
NEIGHBOURS = 5
TREES = 100
ROWS_A_TREE = 10_000
MAX_TRIED = 64
"""So many features at most are tried at a cut."""
MAX_GROWN_FULL = 100_000
"""Up to so many numbers a forest for numbers tries all features at a cut, down to single rows."""
STEPS, STEPS_UNSCALED = 300, 5_000
"""A logistic model of columns as they are goes a longer way."""
MAX_SHUFFLED = 300
"""Of so many features an importance can be told by shuffling each."""
ROWS_SHUFFLED, ROWS_COMPARED = 2_000, 500
"""Of neighbours fewer, for each is looked for."""
INTERCEPT = "intercept"


class Predictions(NamedTuple):
    """What models say of each row.

    Attributes:
        values: What a model says that was not fitted to the row, save in sample; the place of a
            class; NaN where no model may say anything.
        probability: How probable the second of two classes is, or of more the one predicted; NaN
            for numbers.
        baseline: What is said of each judged row without any model: the mean of the rows fitted,
            or in time the value before; NaN for a category that is not in time.
    """

    values: Array
    probability: Array
    baseline: Array


def learn(action: Predict, split: Split) -> Predictions:
    """Fit the models, and predict; where predictions are asked for, rows that none judges too.

    Args:
        action: What models are made by.
        split: The rows.

    Raises:
        ActionError: If there are fewer rows to fit than neighbours.
    """
    data, several = split.data, len(split.folds) > 1
    _refuse_far_neighbours(action, min(len(fold.train) for fold in split.folds))
    predictions = Predictions(*(np.full(len(data.target), np.nan) for _ in Predictions._fields))
    for fold in split.folds:
        model = fit(action, data, fold.train)
        _predict(model, data, fold.test, predictions)
        if data.classes is None and data.moments is None:
            predictions.baseline[fold.test] = data.target[fold.train].mean()
    if data.moments is not None:
        _repeat_last(data, data.moments, predictions.baseline)
    if action.result == "predictions":
        rest = data.whole & np.isnan(predictions.values) & ~(data.usable & several)
        if rest.any():
            if several:  # by all that is known
                model = fit(action, data, split.trained)
            _predict(model, data, np.flatnonzero(rest), predictions)
    return predictions


def fit(action: Predict, data: TrainingData, rows: Array) -> Any:
    """A model of some rows; what fills nulls and scales columns is learnt of them alone.

    Args:
        action: What it is made by.
        data: All rows.
        rows: The places of those to fit, in the order in which the model sees them.
    """
    from sklearn.dummy import DummyClassifier, DummyRegressor  # type: ignore[import-untyped]
    from sklearn.impute import SimpleImputer  # type: ignore[import-untyped]
    from sklearn.pipeline import make_pipeline  # type: ignore[import-untyped]
    from sklearn.preprocessing import StandardScaler  # type: ignore[import-untyped]

    cells, target = data.cells[rows], data.target[rows]
    steps = [SimpleImputer(strategy="median", keep_empty_features=True)]
    if action.scale and action.kind.scaled:
        steps.append(StandardScaler())
    if (target == target[0]).all():  # so it may be of a part; nothing else can be said then
        model = DummyRegressor() if data.classes is None else DummyClassifier()
    else:
        kind, tuned = action.kind, action.kind.finds_penalty and action.penalty is None
        name = kind.number if data.classes is None else kind.category
        estimator = resolve_name(f"sklearn.{name}{'CV' * tuned}")
        model = estimator(**_parameters(action, data, len(rows)))
    with warnings.catch_warnings():
        # Of a logistic model that is near its best, and of rare classes: the scores tell.
        warnings.simplefilter("ignore")
        return make_pipeline(*steps, model).fit(cells, target)


def _parameters(action: Predict, data: TrainingData, rows: int) -> dict[str, Any]:
    """What scikit-learn's class is given beside the rows."""
    penalty, category = action.penalty, data.classes is not None
    trees, grown = action.trees or TREES, {"max_depth": action.depth, "random_state": action.seed}
    match action.model:
        case "ridge" | "lasso" if penalty is not None:
            return {"alpha": penalty}
        case "ridge":
            return {"alphas": np.logspace(*PENALTIES)}
        case "lasso":
            from sklearn.model_selection import KFold  # type: ignore[import-untyped]

            # Shuffled, for rows stand in the order of their cells, those of the target first.
            return {"cv": KFold(min(5, rows), shuffle=True, random_state=action.seed)}
        case "logistic":
            return {"C": 1 / (penalty or 1), "max_iter": STEPS if action.scale else STEPS_UNSCALED}
        case "neighbours":
            return {"n_neighbors": action.neighbours or NEIGHBOURS, "n_jobs": 1}
        case "tree":
            return grown
        case "boosting":
            return {**grown, "max_iter": trees, "early_stopping": False}
        case "forest":
            # For numbers all features at a cut and leaves of one row, as scikit-learn does; of a
            # larger table, where that takes long, a third of them and leaves of five rows, as
            # Breiman's.
            wide = data.cells.size > MAX_GROWN_FULL and not category
            third = max(1, min(len(data.names) // 3, MAX_TRIED))
            return {
                **grown,
                "n_estimators": trees,
                "max_features": "sqrt" if category else third if wide else 1.0,
                "min_samples_leaf": 5 if wide else 1,
                "max_samples": ROWS_A_TREE if rows > ROWS_A_TREE else None,
                "n_jobs": 1,
            }
    return {}


def _refuse_far_neighbours(action: Predict, rows: int) -> None:
    neighbours = action.neighbours or NEIGHBOURS
    if action.model == "neighbours" and neighbours > rows:
        raise ActionError(
            f"{neighbours} neighbours of {rows} rows to fit; take {rows} or fewer",
            kind="argument neighbours",
        )


def _predict(model: Any, data: TrainingData, rows: Array, predictions: Predictions) -> None:
    """Write down what a model says of some rows."""
    cells = data.cells[rows]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of numbers so large that they overflow: scores tell
        predictions.values[rows] = values = model.predict(cells)
        if data.classes is None:
            return
        shares = model.predict_proba(cells)
    classes = model.classes_
    if len(data.classes) == 2:  # a model of one class knows no other
        predictions.probability[rows] = shares[:, classes == 1].sum(axis=1)
    else:
        predictions.probability[rows] = shares[
            np.arange(len(rows)), np.searchsorted(classes, values)
        ]


def _repeat_last(data: TrainingData, moments: Array, base: Array) -> None:
    """Write the target at the moment before: of several rows the mean, or their largest class."""
    usable = np.flatnonzero(data.usable)
    codes = np.unique(moments[usable], return_inverse=True)[1]
    target, kinds = data.target[usable], len(data.classes or ())
    if kinds:
        counts = np.zeros((codes.max() + 1, kinds))
        np.add.at(counts, (codes, target.astype(int)), 1)
        targets = counts.argmax(axis=1).astype(float)
    else:
        targets = np.bincount(codes, weights=target) / np.bincount(codes)
    base[usable] = np.concatenate([[np.nan], targets])[codes]


def importances(action: Predict, split: Split) -> list[tuple[str, float]]:
    """What the model of all rows makes of each feature, the largest first.

    Args:
        action: What the model is made by.
        split: The rows; of several folds it is fitted to them all.

    Raises:
        ActionError: If there are too many features to shuffle.
    """
    data, rows = split.data, split.trained
    _refuse_far_neighbours(action, len(rows))
    model = fit(action, data, rows)
    last = model[-1]
    if action.kind.linear:
        # Of standardised columns, whether or not the model was fitted to such.
        spread = 1.0 if action.scale else model[:-1].transform(data.cells[rows]).std(axis=0)
        weights = np.atleast_2d(last.coef_) * spread
        if data.classes is None:
            sizes = weights[0] / data.target[rows].std()
        else:
            sizes = np.abs(weights).mean(axis=0)
    elif action.model in ("tree", "forest"):
        sizes = last.feature_importances_
    else:
        sizes = _shuffle(action, model, data, rows)
    order = np.argsort(-np.abs(sizes), kind="stable")
    return [(data.names[place], float(sizes[place])) for place in order]


def _shuffle(action: Predict, model: Any, data: TrainingData, rows: Array) -> Array:
    from sklearn.inspection import permutation_importance  # type: ignore[import-untyped]

    if len(data.names) > MAX_SHUFFLED:
        raise ActionError(
            f"{action.model} tells no importances of {len(data.names)} features, more than "
            f"{MAX_SHUFFLED}; take the model 'forest' or a linear one",
            kind="argument model",
        )
    most = ROWS_COMPARED if action.model == "neighbours" else ROWS_SHUFFLED
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = permutation_importance(
            model, data.cells[rows], data.target[rows], n_repeats=3, random_state=action.seed,
            n_jobs=1, max_samples=min(len(rows), most),
        )  # fmt: skip
    sizes: Array = result.importances_mean
    return sizes


def coefficients(action: Predict, split: Split) -> list[tuple[str, str | None, float]]:
    """The terms of a linear model in the units of the columns, the intercept first.

    Args:
        action: What the model is made by.
        split: The rows; of several folds it is fitted to them all.

    Returns:
        For each term its name, the class whose odds it is of, and its coefficient; of two classes
        the second alone, whose odds are those against the first.
    """
    data, model = split.data, fit(action, split.data, split.trained)
    weights, constants = np.atleast_2d(model[-1].coef_), np.atleast_1d(model[-1].intercept_)
    if action.scale:
        weights = weights / model[-2].scale_
        constants = constants - weights @ model[-2].mean_
    classes: list[str | None] = [told_class(one) for one in data.classes or ()] or [None]
    return [
        (name, level, float(value))
        for level, constant, row in zip(classes[-len(weights) :], constants, weights, strict=True)
        for name, value in zip((INTERCEPT, *data.names), (constant, *row), strict=True)
    ]


def told_class(level: Any) -> str:
    """A class as a text; of a whole number without a point."""
    return str(int(level)) if isinstance(level, float) and level.is_integer() else str(level)
