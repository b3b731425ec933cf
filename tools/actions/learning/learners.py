"""The kinds of model that Predict fits: a row for each says what makes, sets and names it."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Learner = Literal[
    "linear", "ridge", "lasso", "logistic", "tree", "forest", "boosting", "neighbours",
    "naive bayes",
]  # fmt: skip
_COEFFICIENT = "the coefficient of standardised columns, with its sign"
_COEFFICIENTS = "the mean size of a standardised column's coefficients over the classes"
_GAIN = "the share of the trees' gain in purity (biased towards features of many values)"
_SHUFFLED = "how much a shuffled column lowers the score on the rows fitted"


class Kind(NamedTuple):
    """A kind of model.

    Attributes:
        number: The class of scikit-learn that predicts numbers; None where there is none.
        category: The one that predicts classes.
        takes: The arguments of Predict that are its own.
        importance: What the importance of a feature is.
        spellings: What else people call it, in small letters without signs or endings.
        finds_penalty: Whether it tries penalties where none is given, as its ``CV`` class.
    """

    number: str | None
    category: str | None
    takes: tuple[str, ...]
    importance: str
    spellings: str
    finds_penalty: bool = False

    @property
    def linear(self) -> bool:
        """Whether it has coefficients."""
        return self.importance in (_COEFFICIENT, _COEFFICIENTS)

    @property
    def scaled(self) -> bool:
        """Whether the scale of a column says something to it, as not where each is by itself."""
        return self.linear or "neighbours" in self.takes


LEARNERS: dict[Learner, Kind] = {
    "linear": Kind(
        "linear_model.LinearRegression", None, (), _COEFFICIENT,
        "ols leastsquares multiplelinear ordinaryleastsquares",
    ),
    "ridge": Kind("linear_model.Ridge", None, ("penalty",), _COEFFICIENT, "", True),
    "lasso": Kind("linear_model.Lasso", None, ("penalty",), _COEFFICIENT, "", True),
    "logistic": Kind(
        None, "linear_model.LogisticRegression", ("penalty",), _COEFFICIENTS, "logit"
    ),
    "tree": Kind(
        "tree.DecisionTreeRegressor", "tree.DecisionTreeClassifier", ("depth",), _GAIN,
        "decisiontree cart",
    ),
    "forest": Kind(
        "ensemble.RandomForestRegressor", "ensemble.RandomForestClassifier", ("trees", "depth"),
        _GAIN, "randomforest",
    ),
    "boosting": Kind(
        "ensemble.HistGradientBoostingRegressor", "ensemble.HistGradientBoostingClassifier",
        ("trees", "depth"), _SHUFFLED,
        "gradientboosting histgradientboosting gradientboosted gradientboostedtrees",
    ),
    "neighbours": Kind(
        "neighbors.KNeighborsRegressor", "neighbors.KNeighborsClassifier", ("neighbours",),
        _SHUFFLED,
        "neighbors knn kneighbors kneighbours knearestneighbors knearestneighbours "
        "nearestneighbors nearestneighbours",
    ),
    "naive bayes": Kind(
        None, "naive_bayes.GaussianNB", (), _SHUFFLED, "bayes gaussiannb gaussiannaivebayes"
    ),
}  # fmt: skip
_SPELLINGS = {
    spelling: learner
    for learner, kind in LEARNERS.items()
    for spelling in (learner.replace(" ", ""), *kind.spellings.split())
}
_ENDING = re.compile(r"(regress(ion|or)|classif(ication|ier)|models?)$")


def spell_learner(wording: object) -> object:
    """The model that a wording means, as ``random forest`` or ``RandomForestClassifier``.

    Raises:
        ValueError: If it means none of ours; lists them.
    """
    if not isinstance(wording, str):
        return wording
    plain = "".join(sign for sign in wording.casefold() if sign.isalnum())
    while plain not in _SPELLINGS and _ENDING.search(plain):
        plain = _ENDING.sub("", plain)
    if plain not in _SPELLINGS:
        raise ValueError(f"there is no model {wording!r}; the models are {', '.join(LEARNERS)}")
    return _SPELLINGS[plain]
