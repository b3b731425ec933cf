"""What can be done: the one list of actions, and the moves."""

from __future__ import annotations

from wideleaf.tools.action import Action
from wideleaf.tools.aggregate import Aggregate
from wideleaf.tools.anomaly import Anomaly
from wideleaf.tools.correlate import Correlate
from wideleaf.tools.craft import Craft
from wideleaf.tools.derive import Derive
from wideleaf.tools.describe import Describe
from wideleaf.tools.distinct import Distinct
from wideleaf.tools.errors import ActionError
from wideleaf.tools.filter import Filter
from wideleaf.tools.from_one_hot import FromOneHot
from wideleaf.tools.group import Group
from wideleaf.tools.join import Join
from wideleaf.tools.load import Load
from wideleaf.tools.moves import MOVES
from wideleaf.tools.pca import PCA
from wideleaf.tools.pivot import Pivot
from wideleaf.tools.position import Position
from wideleaf.tools.predict import Predict
from wideleaf.tools.projection import Select
from wideleaf.tools.resample import Resample
from wideleaf.tools.sample import Sample
from wideleaf.tools.set_operations import Difference, Intersect, Union
from wideleaf.tools.sort import Sort
from wideleaf.tools.unpivot import Unpivot
from wideleaf.tools.window import Window

ACTIONS: tuple[type[Action], ...] = (
    Load,
    Describe,
    Sample,
    Select,
    Filter,
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


def action_named(name: str) -> type[Action]:
    """The action or move of a name, whatever its case, as in ``from_one_hot``.

    Raises:
        ActionError: If there is none; lists what there is.
    """
    known = {action.__name__.casefold(): action for action in (*ACTIONS, *MOVES)}
    bare = name.casefold().removeprefix("functions.")
    found = known.get("".join(sign for sign in bare if sign.isalnum()))
    if found is None:
        names = ", ".join(action.__name__ for action in (*ACTIONS, *MOVES))
        raise ActionError(f"no action {name!r}; the actions are {names}", kind="unknown action")
    return found
