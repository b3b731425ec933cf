"""What can be done: the one list of actions, those of other packages, and the moves."""

from __future__ import annotations

from functools import cache

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.anomaly import Anomaly
from wideleaf.tools.actions.correlate import Correlate
from wideleaf.tools.actions.craft import Craft
from wideleaf.tools.actions.derive import Derive
from wideleaf.tools.actions.describe import Describe
from wideleaf.tools.actions.distinct import Distinct
from wideleaf.tools.actions.drop_nulls import DropNulls
from wideleaf.tools.actions.filter import Filter
from wideleaf.tools.actions.from_one_hot import FromOneHot
from wideleaf.tools.actions.group import Aggregate, Group
from wideleaf.tools.actions.join import Join
from wideleaf.tools.actions.load import Load
from wideleaf.tools.actions.moves import MOVES
from wideleaf.tools.actions.pca import PCA
from wideleaf.tools.actions.pivot import Pivot
from wideleaf.tools.actions.plugins import load_plugins
from wideleaf.tools.actions.position import Position
from wideleaf.tools.actions.predict import Predict
from wideleaf.tools.actions.projection import Select
from wideleaf.tools.actions.resample import Resample
from wideleaf.tools.actions.sample import Sample
from wideleaf.tools.actions.set_operations import Difference, Intersect, Union
from wideleaf.tools.actions.sort import Sort
from wideleaf.tools.actions.unpivot import Unpivot
from wideleaf.tools.actions.window import Window
from wideleaf.tools.errors import ActionError

ACTIONS: tuple[type[Action], ...] = (
    Load,
    Describe,
    Sample,
    Select,
    Filter,
    DropNulls,
    Derive,
    Sort,
    Group,
    Aggregate,
    Join,
    Distinct,
    Union,
    Intersect,
    Difference,
    Pivot,
    Unpivot,
    FromOneHot,
    Window,
    Position,
    Resample,
    Correlate,
    PCA,
    Anomaly,
    Predict,
    Craft,
)
"""Wideleaf's own, in the order in which models are told of them."""


@cache
def actions() -> tuple[type[Action], ...]:
    """Wideleaf's actions, then those that installed packages bring; these are loaded once.

    Raises:
        SettingsError: If one of a package cannot be used; names it.
    """
    return (*ACTIONS, *load_plugins((*ACTIONS, *MOVES)))


def action_named(name: str) -> type[Action]:
    """The action or move of a name, whatever its case, as in ``from_one_hot``.

    Raises:
        ActionError: If there is none; lists what there is.
    """
    known = {action.__name__.casefold(): action for action in (*actions(), *MOVES)}
    bare = name.casefold().removeprefix("functions.")
    found = known.get("".join(sign for sign in bare if sign.isalnum()))
    if found is None:
        names = ", ".join(action.__name__ for action in (*actions(), *MOVES))
        raise ActionError(f"no action {name!r}; the actions are {names}", kind="unknown action")
    return found
