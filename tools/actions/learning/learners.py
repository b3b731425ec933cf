"""The kinds of model that Predict fits: how they are spelled, set and made."""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from wideleaf.tools.actions.learning.rows import Material

if TYPE_CHECKING:
    import numpy as np

Learner = Literal[
    "linear", "ridge", "lasso", "logistic", "tree", "forest", "boosting", "neighbours",
    "naive bayes",
]  # fmt: skip
LEARNERS: dict[Literal["number", "category"], tuple[Learner, ...]] = {
    "number": ("linear", "ridge", "lasso", "tree", "forest", "boosting", "neighbours"),
    "category": ("logistic", "tree", "forest", "boosting", "neighbours", "naive bayes"),
}
LINEAR: tuple[Learner, ...] = ("linear", "ridge", "lasso", "logistic")
TAKES: dict[str, tuple[Learner, ...]] = {
    "penalty": ("ridge", "lasso", "logistic"),
    "neighbours": ("neighbours",),
    "trees": ("forest", "boosting"),
    "depth": ("tree", "forest", "boosting"),
}
"""Which models have a setting."""
PENALTIES = (-2, 5, 15)
"""Ridge tries penalties from 10**-2 to 10**5, by leave-one-out within the rows fitted."""
TREES = 100
ROWS_A_TREE = 10_000
MOST_TRIED = 64
"""So many features at most are tried at a cut."""
MOST_GROWN_FULL = 100_000
"""Up to so many numbers a forest for numbers tries all features at a cut, down to single rows."""
NEIGHBOURS = 5
STEPS, STEPS_UNSCALED = 300, 5_000
"""A logistic model of columns as they are goes a longer way."""
_SCALED = (*LINEAR, "neighbours")
"""Trees and naive Bayes take every column by itself, so its scale says nothing to them."""
_SPELLINGS: dict[str, Learner] = {
    "linear": "linear", "ols": "linear", "leastsquares": "linear", "multiplelinear": "linear",
    "ordinaryleastsquares": "linear", "ridge": "ridge", "lasso": "lasso", "logistic": "logistic",
    "logit": "logistic", "tree": "tree", "decisiontree": "tree", "cart": "tree",
    "forest": "forest", "randomforest": "forest", "boosting": "boosting",
    "gradientboosting": "boosting", "histgradientboosting": "boosting",
    "gradientboosted": "boosting", "gradientboostedtrees": "boosting", "neighbours": "neighbours",
    "neighbors": "neighbours", "knn": "neighbours", "kneighbors": "neighbours",
    "kneighbours": "neighbours", "knearestneighbors": "neighbours",
    "knearestneighbours": "neighbours", "nearestneighbors": "neighbours",
    "nearestneighbours": "neighbours", "naivebayes": "naive bayes", "bayes": "naive bayes",
    "gaussiannb": "naive bayes", "gaussiannaivebayes": "naive bayes",
}  # fmt: skip
_ENDING = re.compile(r"(regress(ion|or)|classif(ication|ier)|models?)$")


class Settings(NamedTuple):
    """What a model is made by.

    Attributes:
        learner: Its kind.
        penalty: Alpha of ridge and lasso, the inverse of a logistic model's C; None as it comes.
        neighbours: How many neighbours.
        trees: Of a forest, or steps of boosting.
        depth: Levels of a tree; None without a limit.
        scale: Whether columns are brought to mean 0 and deviation 1 where that matters.
        seed: Where random choices start.
    """

    learner: Learner = "ridge"
    penalty: float | None = None
    neighbours: int = NEIGHBOURS
    trees: int = TREES
    depth: int | None = None
    scale: bool = True
    seed: int = 0


def spell_learner(given: object) -> object:
    """The model that a wording means, as ``random forest`` or ``RandomForestClassifier``.

    Raises:
        ValueError: If it means none of ours; lists them.
    """
    if not isinstance(given, str):
        return given
    plain = "".join(sign for sign in given.casefold() if sign.isalnum())
    while plain not in _SPELLINGS and _ENDING.search(plain):
        plain = _ENDING.sub("", plain)
    if plain not in _SPELLINGS:
        known = ", ".join(dict.fromkeys(_SPELLINGS.values()))
        raise ValueError(f"there is no model {given!r}; the models are {known}")
    return _SPELLINGS[plain]


def fit(material: Material, rows: np.ndarray[Any, Any], settings: Settings) -> Any:
    """A model of some rows; what fills nulls and scales columns is learnt of them alone.

    Args:
        material: All rows.
        rows: The places of those to fit, in the order in which the model sees them.
        settings: What it is made by.
    """
    from sklearn.dummy import DummyClassifier, DummyRegressor  # type: ignore[import-untyped]
    from sklearn.impute import SimpleImputer  # type: ignore[import-untyped]
    from sklearn.pipeline import make_pipeline  # type: ignore[import-untyped]
    from sklearn.preprocessing import StandardScaler  # type: ignore[import-untyped]

    cells, target = material.cells[rows], material.target[rows]
    model = _model(settings, material, len(rows))
    if (target == target[0]).all():  # so it may be of a part; nothing else can be said then
        model = DummyRegressor() if material.classes is None else DummyClassifier()
    steps = [SimpleImputer(strategy="median", keep_empty_features=True)]
    if settings.scale and settings.learner in _SCALED:
        steps.append(StandardScaler())
    with warnings.catch_warnings():
        # Of a logistic model that is near its best, and of rare classes: the scores tell.
        warnings.simplefilter("ignore")
        return make_pipeline(*steps, model).fit(cells, target)


def _model(settings: Settings, material: Material, rows: int) -> Any:
    import numpy as np
    from sklearn import linear_model  # type: ignore[import-untyped]

    learner, penalty = settings.learner, settings.penalty
    if learner == "linear":
        return linear_model.LinearRegression()
    if learner == "ridge":
        if penalty is None:
            return linear_model.RidgeCV(alphas=np.logspace(*PENALTIES))
        return linear_model.Ridge(alpha=penalty)
    if learner == "lasso":
        return _lasso(settings, rows)
    if learner == "logistic":
        steps = STEPS if settings.scale else STEPS_UNSCALED
        return linear_model.LogisticRegression(C=1 / (penalty or 1), max_iter=steps)
    if learner == "neighbours":
        from sklearn import neighbors

        made = neighbors.KNeighborsRegressor
        if material.classes is not None:
            made = neighbors.KNeighborsClassifier
        return made(settings.neighbours, n_jobs=1)
    if learner == "naive bayes":
        from sklearn.naive_bayes import GaussianNB  # type: ignore[import-untyped]

        return GaussianNB()
    return _grown(settings, material, rows)


def _lasso(settings: Settings, rows: int) -> Any:
    """With the penalty that says most of rows it has not seen, where none is given."""
    from sklearn import linear_model
    from sklearn.model_selection import KFold  # type: ignore[import-untyped]

    if settings.penalty is not None:
        return linear_model.Lasso(alpha=settings.penalty)
    # Shuffled, for rows stand in the order of their cells, those of the target first.
    folds = KFold(min(5, rows), shuffle=True, random_state=settings.seed)
    return linear_model.LassoCV(cv=folds)


def _grown(settings: Settings, material: Material, rows: int) -> Any:
    """A tree, or many."""
    from sklearn import ensemble, tree

    category, depth = material.classes is not None, settings.depth
    if settings.learner == "tree":
        one = tree.DecisionTreeClassifier if category else tree.DecisionTreeRegressor
        return one(max_depth=depth, random_state=settings.seed)
    if settings.learner == "boosting":
        name = "HistGradientBoostingClassifier" if category else "HistGradientBoostingRegressor"
        return getattr(ensemble, name)(
            max_iter=settings.trees,
            max_depth=depth,
            random_state=settings.seed,
            early_stopping=False,
        )
    wide = len(material.usable) * len(material.names) > MOST_GROWN_FULL
    third = max(1, min(len(material.names) // 3, MOST_TRIED))
    made = ensemble.RandomForestClassifier if category else ensemble.RandomForestRegressor
    return made(
        n_estimators=settings.trees,
        max_depth=depth,
        # For numbers all features at a cut and leaves of one row, as scikit-learn does; of a larger
        # table, where that takes long, a third of them and leaves of five rows, as Breiman's.
        max_features="sqrt" if category else third if wide else 1.0,
        min_samples_leaf=5 if wide and not category else 1,
        max_samples=ROWS_A_TREE if rows > ROWS_A_TREE else None,
        random_state=settings.seed,
        n_jobs=1,
    )
