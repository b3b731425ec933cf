"""Which arguments of Predict go together, and which models a target and a wish allow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wideleaf.tools.actions.learning.learners import LEARNERS, LINEAR, TAKES, Learner
from wideleaf.tools.errors import ActionError

if TYPE_CHECKING:
    from wideleaf.tools.actions.learning.predict import Predict


def check_judging(action: Predict) -> None:
    """Refuse ways of judging that exclude each other.

    Raises:
        ActionError: If there are two; says which one to leave out.
    """
    inside = action.evaluate == "in sample"
    if action.test and inside:
        raise ActionError(
            f"rows where {action.test!r} is true are held out of fitting, so none is scored "
            "'in sample'; leave test or evaluate out",
            kind="argument test",
        )
    pairs = (
        ("share", action.share is not None, "evaluate 'in sample'", inside),
        ("share", action.share is not None, "test", action.test is not None),
        ("groups", action.groups is not None, "evaluate 'in sample'", inside),
        ("groups", action.groups is not None, "test", action.test is not None),
        ("groups", action.groups is not None, "time", action.time is not None),
        ("time", action.time is not None, "evaluate 'in sample'", inside),
        ("time", action.time is not None, "test", action.test is not None),
    )
    for name, given, other, also in pairs:
        if given and also:
            raise ActionError(
                f"{name} and {other} both say which rows are judged; leave one out",
                kind=f"argument {name}",
            )
    if action.stratify and (action.test or action.groups or action.time or inside):
        raise ActionError(
            "stratify draws a share, or folds, by class; leave it out beside test, groups, time "
            "and 'in sample'",
            kind="argument stratify",
        )


def choose_learner(action: Predict, category: bool) -> Learner:
    """The model, by default ridge for numbers and logistic for categories.

    Args:
        action: What is wished.
        category: Whether its target is one.

    Raises:
        ActionError: If the model is of the other kind, or has no such setting or result.
    """
    model: Learner = action.model or ("logistic" if category else "ridge")
    if category and model not in LEARNERS["category"]:
        raise ActionError(
            f"{model!r} predicts numbers and the target is a category; take one of "
            f"{', '.join(LEARNERS['category'])}",
            kind="argument model",
        )
    for name, models in TAKES.items():
        if getattr(action, name) is not None and model not in models:
            raise ActionError(
                f"{model!r} has no {name}; leave it out, or take the model {_either(models)}",
                kind=f"argument {name}",
            )
    if action.result == "coefficients" and model not in LINEAR:
        raise ActionError(
            f"{model!r} has no coefficients; take the result 'importances', or the model "
            f"{_either(LINEAR)}",
            kind="argument result",
        )
    if action.stratify and not category and model in LEARNERS["number"]:
        raise ActionError(
            "stratify keeps the share of every class, and the target is a number; leave it out",
            kind="argument stratify",
        )
    return model


def _either(models: Sequence[str]) -> str:
    return " or ".join(map(repr, models))
