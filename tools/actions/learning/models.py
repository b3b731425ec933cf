"""Models that Predict learns, how they are judged and what they hang on."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from wideleaf.tools.actions.learning.rows import LEAST_ROWS, Material
from wideleaf.tools.errors import ActionError

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

Learner = Literal["linear", "ridge", "logistic", "forest", "boosting"]
LEARNERS: dict[Literal["number", "category"], tuple[Learner, ...]] = {
    "number": ("linear", "ridge", "forest", "boosting"),
    "category": ("logistic", "forest", "boosting"),
}
PENALTIES = (-2, 5, 15)
"""Ridge tries penalties from 10**-2 to 10**5, by leave-one-out within the rows fitted."""
TREES = 100
ROWS_A_TREE = 10_000
MOST_TRIED = 64
"""So many features at most are tried at a cut."""
MOST_SHUFFLED = 300
"""Of so many features boosting can tell the importance, by shuffling each."""


def one_thread() -> Any:
    """A context of one thread: several add up in another order, and wait for each other."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    return threadpool_limits(1)


class Learnt(NamedTuple):
    """What learning gave.

    Attributes:
        predicted: For each row of the material what a model says that was not fitted to it, save
            in sample; the place of a class; NaN where a row has a null that is not filled.
        judged: Rows whose predictions are scored.
        model: The model of all rows that are not held out; None where none was needed.
    """

    predicted: np.ndarray[Any, Any]
    judged: np.ndarray[Any, Any]
    model: Any


def learn(
    material: Material, learner: Learner, folds: int | None, seed: int, *, unknown: bool = False
) -> Learnt:
    """Fit a model, and predict.

    Args:
        material: The rows.
        learner: The kind of model.
        folds: In how many parts rows are predicted, each by a model of the others; None to
            predict the rows held out, or where there are none the rows fitted.
        seed: Where random choices start.
        unknown: Whether rows without a target are predicted, too.

    Raises:
        ActionError: If too few rows are left to fit or to score.
    """
    import numpy as np

    usable, fitted = material.usable, material.usable & ~material.held
    judged = _judged(material)
    if fitted.sum() < LEAST_ROWS or not judged.any() or len(np.unique(material.target[fitted])) < 2:
        raise ActionError(
            f"{int(fitted.sum())} rows to fit and {int((usable & material.held).sum())} held out "
            f"are too few, or of one class; at least {LEAST_ROWS} are fitted",
            kind="too few rows",
        )
    predicted = np.full(len(usable), np.nan)
    rest = judged & (not folds)
    if unknown:  # all rows that no fold predicts, by all that is known
        rest = material.whole & ~(fitted & bool(folds))
    model = _fit(material, fitted, learner, seed) if not folds or rest.any() else None
    if model is not None and rest.any():
        predicted[rest] = model.predict(material.cells[rest])
    if folds:
        parts = _folds(material, folds, seed)
        for part in range(folds):
            unseen = usable & (parts == part)
            fold = _fit(material, usable & (parts != part), learner, seed)
            predicted[unseen] = fold.predict(material.cells[unseen])
    return Learnt(predicted, judged, model)


def relearn(material: Material, predicted: pl.Series) -> Learnt:
    """What learning gave, out of the predictions that it left in a table.

    Args:
        material: The rows that were learnt from.
        predicted: The predictions, in the order of the table.
    """
    import numpy as np

    cells = predicted.to_list()
    if material.classes is not None:
        codes = {level: float(code) for code, level in enumerate(material.classes)}
        cells = [codes.get(cell, math.nan) for cell in cells]
    values = np.array(cells, dtype=float)  # a null becomes NaN
    return Learnt(values[material.place], _judged(material), None)


def _judged(material: Material) -> np.ndarray[Any, Any]:
    """The rows that are scored."""
    held = material.usable & material.held
    return held if material.held.any() else material.usable


def _folds(material: Material, folds: int, seed: int) -> np.ndarray[Any, Any]:
    """A part for each usable row; of a category each has about the same share of every class."""
    import numpy as np

    places = np.random.RandomState(seed).permutation(np.flatnonzero(material.usable))
    if material.classes is not None:
        places = places[np.argsort(material.target[places], kind="stable")]
    parts = np.full(len(material.usable), -1)
    parts[places] = np.arange(len(places)) % folds
    return parts


def _fit(material: Material, rows: np.ndarray[Any, Any], learner: Learner, seed: int) -> Any:
    """A model of some rows; what fills nulls and scales columns is learnt of them alone."""
    from sklearn.impute import SimpleImputer  # type: ignore[import-untyped]
    from sklearn.pipeline import make_pipeline  # type: ignore[import-untyped]
    from sklearn.preprocessing import StandardScaler  # type: ignore[import-untyped]

    filled = SimpleImputer(strategy="median", keep_empty_features=True)
    model = make_pipeline(filled, StandardScaler(), _model(learner, material, rows.sum(), seed))
    with warnings.catch_warnings():
        # Of a logistic model that is near its best, and of rare classes: the scores tell.
        warnings.simplefilter("ignore", UserWarning)
        return model.fit(material.cells[rows], material.target[rows])


def _model(learner: Learner, material: Material, rows: int, seed: int) -> Any:
    import numpy as np
    from sklearn import ensemble, linear_model  # type: ignore[import-untyped]

    category = material.classes is not None

    if learner == "linear":
        return linear_model.LinearRegression()
    if learner == "ridge":
        return linear_model.RidgeCV(alphas=np.logspace(*PENALTIES))
    if learner == "logistic":
        return linear_model.LogisticRegression(max_iter=300)
    if learner == "boosting":
        made = "HistGradientBoostingClassifier" if category else "HistGradientBoostingRegressor"
        return getattr(ensemble, made)(random_state=seed, early_stopping=False)
    grown = ensemble.RandomForestClassifier if category else ensemble.RandomForestRegressor
    third = max(1, min(len(material.names) // 3, MOST_TRIED))
    return grown(
        n_estimators=TREES,
        # As Breiman's: for numbers a third of the features at a cut, and leaves of five rows.
        max_features="sqrt" if category else third,
        min_samples_leaf=1 if category else 5,
        max_samples=ROWS_A_TREE if rows > ROWS_A_TREE else None,
        random_state=seed,
        n_jobs=1,
    )


def scores(material: Material, learnt: Learnt) -> list[tuple[str, float | None]]:
    """The measures of all judged rows together, a pair of name and value each."""
    import numpy as np

    true, said = material.target[learnt.judged], learnt.predicted[learnt.judged]
    counts: list[tuple[str, float | None]] = [
        ("rows", float(len(true))),
        ("features", float(len(material.names))),
    ]
    if material.classes is None:
        error = true - said
        spread = float(((true - true.mean()) ** 2).sum())
        varied = spread > 0 and float(said.std()) > 0
        return [
            ("R2", 1 - float((error**2).sum()) / spread if spread else None),
            ("RMSE", float(np.sqrt((error**2).mean()))),
            ("MAE", float(np.abs(error).mean())),
            ("correlation", float(np.corrcoef(true, said)[0, 1]) if varied else None),
            *counts,
        ]
    shares = [(true == one).mean() for one in np.unique(true)]
    recalls = [(said[true == one] == one).mean() for one in np.unique(true)]
    pairs = [
        ((true == one) & (said == one), true == one, said == one)
        for one in np.unique([*true, *said])
    ]
    f1 = [2 * both.sum() / (ours.sum() + theirs.sum()) for both, ours, theirs in pairs]
    return [
        ("accuracy", float((true == said).mean())),
        ("balanced accuracy", float(np.mean(recalls))),
        ("macro F1", float(np.mean(f1))),
        ("share of the largest class", float(max(shares))),
        ("classes", float(len(shares))),
        *counts,
    ]


def importances(
    material: Material, learnt: Learnt, learner: Learner, seed: int
) -> list[tuple[str, float | None]]:
    """What the model of all rows makes of each feature, the largest first.

    Raises:
        ActionError: If boosting has too many features to shuffle.
    """
    import numpy as np

    last = learnt.model[-1]
    fitted = material.usable & ~material.held
    if learner in ("linear", "ridge"):
        found = np.ravel(last.coef_) / material.target[fitted].std()
    elif learner == "logistic":
        found = np.abs(last.coef_).mean(axis=0)
    elif learner == "forest":
        found = last.feature_importances_
    else:
        found = _shuffled(material, learnt.model, fitted, seed)
    order = np.argsort(-np.abs(found), kind="stable")
    return [(material.names[place], float(found[place])) for place in order]


def _shuffled(
    material: Material, model: Any, fitted: np.ndarray[Any, Any], seed: int
) -> np.ndarray[Any, Any]:
    from sklearn.inspection import permutation_importance  # type: ignore[import-untyped]

    if len(material.names) > MOST_SHUFFLED:
        raise ActionError(
            f"boosting tells no importances of {len(material.names)} features, more than "
            f"{MOST_SHUFFLED}; take the model 'forest' or a linear one",
            kind="argument model",
        )
    cells, target = material.cells[fitted], material.target[fitted]
    made = permutation_importance(
        model,
        cells,
        target,
        n_repeats=3,
        random_state=seed,
        n_jobs=1,
        max_samples=min(len(cells), 2_000),
    )
    found: np.ndarray[Any, Any] = made.importances_mean
    return found
