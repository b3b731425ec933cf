"""Which rows a model is fitted to, and which it is judged by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from wideleaf.tools.actions.learning.encoding import LEAST_ROWS
from wideleaf.tools.actions.learning.rows import Material
from wideleaf.tools.errors import ActionError

if TYPE_CHECKING:
    import numpy as np

LEAST_FITTED = 5
"""Rows that a model of one fold has at least."""


class Judging(NamedTuple):
    """How a prediction is to be judged; without anything else by folds of all rows.

    Attributes:
        folds: How many, at most as many as there are groups.
        in_sample: By the rows fitted.
        test: By rows that a column holds out.
        share: By this share of the rows.
        stratify: With the same share of every class.
        seed: Where random choices start.
    """

    folds: int = 5
    in_sample: bool = False
    test: bool = False
    share: float | None = None
    stratify: bool = False
    seed: int = 0


class Split(NamedTuple):
    """One model's rows, by their places in the material; those to fit in the order of fitting."""

    fitted: np.ndarray[Any, Any]
    judged: np.ndarray[Any, Any]


def splits_of(material: Material, judging: Judging) -> list[Split]:
    """The models to fit; several are one a fold.

    Args:
        material: The rows.
        judging: How they are to be parted.

    Raises:
        ActionError: If there are too few rows, groups or moments for that.
    """
    import numpy as np

    usable = np.flatnonzero(material.usable)
    if judging.in_sample:
        made = [Split(usable, usable)]
    elif judging.test:
        held = material.held[usable]
        made = [Split(usable[~held], usable[held])]
    elif judging.share is not None:
        made = [_shared(material, usable, judging)]
    elif material.moments is not None:
        made = _past_first(material, usable, judging.folds)
    elif material.groups is not None:
        made = _by_group(material.groups, usable, judging.folds)
    else:
        parts = _dealt(material, judging)
        made = [
            Split(np.flatnonzero(material.usable & (parts != part)), np.flatnonzero(parts == part))
            for part in range(judging.folds)
        ]
    _refuse_too_few(material, made)
    return made


def fitted_of(material: Material, splits: list[Split]) -> np.ndarray[Any, Any]:
    """The rows of the one model that is told of: of all rows where each is predicted in a fold.

    Args:
        material: The rows.
        splits: How they are parted.
    """
    import numpy as np

    return splits[0].fitted if len(splits) == 1 else np.flatnonzero(material.usable)


def _refuse_too_few(material: Material, splits: list[Split]) -> None:
    import numpy as np

    fitted, judged = fitted_of(material, splits), splits[0].judged
    some = material.target[fitted]
    if len(fitted) < LEAST_ROWS or not len(judged) or len(np.unique(some)) < 2:
        raise ActionError(
            f"{len(fitted)} rows to fit and {len(judged)} held out are too few, or of one class; "
            f"at least {LEAST_ROWS} are fitted",
            kind="too few rows",
        )
    if (fewest := min(len(split.fitted) for split in splits)) < LEAST_FITTED:
        raise ActionError(
            f"a fold leaves {fewest} rows to fit, and {LEAST_FITTED} are the least; take fewer "
            "folds, or groups or times that part the rows more evenly",
            kind="argument folds",
        )


def _dealt(material: Material, judging: Judging) -> np.ndarray[Any, Any]:
    """A part for each usable row; of a category each has about the same share of every class."""
    import numpy as np

    usable = np.flatnonzero(material.usable)
    places = np.random.RandomState(judging.seed).permutation(usable)
    if material.classes is not None:
        places = places[np.argsort(material.target[places], kind="stable")]
    parts = np.full(len(material.usable), -1)
    parts[places] = np.arange(len(places)) % judging.folds
    return parts


def _by_group(
    groups: np.ndarray[Any, Any], usable: np.ndarray[Any, Any], folds: int
) -> list[Split]:
    """Folds of whole groups, the largest dealt first."""
    import numpy as np
    from sklearn.model_selection import GroupKFold  # type: ignore[import-untyped]

    codes = groups[usable]
    if (count := len(np.unique(codes))) < 2:
        raise ActionError(
            "all rows that can be learnt from are of one group; take other groups, or none",
            kind="argument groups",
        )
    parts = GroupKFold(min(folds, count)).split(codes, groups=codes)
    return [Split(usable[fitted], usable[judged]) for fitted, judged in parts]


def _past_first(material: Material, usable: np.ndarray[Any, Any], folds: int) -> list[Split]:
    """Each stretch of time by a model of what was strictly before it."""
    from sklearn.model_selection import TimeSeriesSplit

    moments, ordered = _in_time(material, usable)
    if len(ordered) <= folds:
        raise ActionError(
            f"{len(ordered)} rows do not make {folds} folds in time; take fewer",
            kind="argument folds",
        )
    made = []
    for fitted, judged in TimeSeriesSplit(folds).split(ordered):
        made.append(_before(moments, ordered[fitted], ordered[judged]))
    return made


def _shared(material: Material, usable: np.ndarray[Any, Any], judging: Judging) -> Split:
    """A share held out by chance: of rows, or of groups; or the last ones in time."""
    import numpy as np
    from sklearn.model_selection import GroupShuffleSplit, train_test_split

    size, seed = judging.share, judging.seed
    classes = material.target[usable] if judging.stratify else None
    if classes is not None:
        _refuse_rare(classes, judging.share or 0)
    try:
        if material.moments is not None:
            moments, ordered = _in_time(material, usable)
            fitted, judged = train_test_split(ordered, test_size=size, shuffle=False)
            return _before(moments, fitted, judged)
        if material.groups is not None:
            codes = material.groups[usable]
            drawn = GroupShuffleSplit(1, test_size=size, random_state=seed)
            fitted, judged = next(drawn.split(codes, groups=codes))
            return Split(usable[fitted], usable[judged])
        drawn = train_test_split(usable, test_size=size, random_state=seed, stratify=classes)
        return Split(*(np.asarray(part) for part in drawn))
    except ValueError:
        what = "groups" if material.groups is not None else "rows"
        raise ActionError(
            f"a share of {size:g} of {len(usable)} rows leaves no {what} on one side; take another",
            kind="argument share",
        ) from None


def _refuse_rare(classes: np.ndarray[Any, Any], share: float) -> None:
    """Refuse a share in which not every class can be."""
    import numpy as np

    sizes = np.unique(classes, return_counts=True)[1]
    rows = len(classes)
    held = int(np.ceil(share * rows))
    if sizes.min() < 2 or min(held, rows - held) < len(sizes):
        raise ActionError(
            "stratify needs 2 rows of every class and one of each on both sides, with "
            f"{held} of {rows} rows held out; take another share, or leave stratify out",
            kind="argument stratify",
        )


def _in_time(
    material: Material, usable: np.ndarray[Any, Any]
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The moments, and the rows in their order."""
    import numpy as np

    moments = np.zeros(len(material.usable)) if material.moments is None else material.moments
    return moments, usable[np.argsort(moments[usable], kind="stable")]


def _before(
    moments: np.ndarray[Any, Any], fitted: np.ndarray[Any, Any], judged: np.ndarray[Any, Any]
) -> Split:
    """Leave out rows of the very moment at which those to judge begin."""
    past = moments[fitted] < moments[judged].min()
    return Split(fitted[past], judged)
