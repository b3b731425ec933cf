"""What can be done: the one list of actions, those of other packages, and the moves."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.chart import Chart
from wideleaf.tools.actions.compare import Compare
from wideleaf.tools.actions.craft import Craft
from wideleaf.tools.actions.derive import Derive
from wideleaf.tools.actions.describe import Describe
from wideleaf.tools.actions.detecting.anomaly import Anomaly
from wideleaf.tools.actions.distinct import Distinct
from wideleaf.tools.actions.drop_nulls import DropNulls
from wideleaf.tools.actions.filter import Filter
from wideleaf.tools.actions.from_one_hot import FromOneHot
from wideleaf.tools.actions.get import Get
from wideleaf.tools.actions.group import Aggregate, Group
from wideleaf.tools.actions.inference.associate import Associate
from wideleaf.tools.actions.inference.correlate import Correlate
from wideleaf.tools.actions.inference.fit import Fit
from wideleaf.tools.actions.inference.hypothesis import Test
from wideleaf.tools.actions.join import Join
from wideleaf.tools.actions.learning.cluster import Cluster
from wideleaf.tools.actions.learning.pca import PCA
from wideleaf.tools.actions.learning.predict import Predict
from wideleaf.tools.actions.load import Load
from wideleaf.tools.actions.moves import MOVES
from wideleaf.tools.actions.pivot import Pivot
from wideleaf.tools.actions.position import Position
from wideleaf.tools.actions.preparing.bin import Bin
from wideleaf.tools.actions.preparing.impute import Impute
from wideleaf.tools.actions.preparing.normalise import Normalise
from wideleaf.tools.actions.preparing.split import Split
from wideleaf.tools.actions.projection import Select
from wideleaf.tools.actions.reading.extract import Extract
from wideleaf.tools.actions.reading.judge import Judge
from wideleaf.tools.actions.reading.label import Label
from wideleaf.tools.actions.reading.match import Match
from wideleaf.tools.actions.reading.rank import Rank
from wideleaf.tools.actions.reading.summarise import Summarise
from wideleaf.tools.actions.resample import Resample
from wideleaf.tools.actions.sample import Sample
from wideleaf.tools.actions.sequences.runs import Runs
from wideleaf.tools.actions.sequences.trend import Trend
from wideleaf.tools.actions.set_operations import Difference, Intersect, Union
from wideleaf.tools.actions.sort import Sort
from wideleaf.tools.actions.unpivot import Unpivot
from wideleaf.tools.actions.window import Window
from wideleaf.tools.errors import ActionError, SettingsError

GROUP = "wideleaf.actions"
"""The group of entry points under which a package names its actions."""
RESERVED = ("More",)
"""Tools of a request that are no actions."""
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
    Compare,
    Pivot,
    Unpivot,
    FromOneHot,
    Bin,
    Normalise,
    Impute,
    Split,
    Get,
    Window,
    Position,
    Resample,
    Correlate,
    PCA,
    Anomaly,
    Cluster,
    Predict,
    Test,
    Fit,
    Associate,
    Trend,
    Runs,
    Judge,
    Label,
    Extract,
    Match,
    Rank,
    Summarise,
    Chart,
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


def find_action(name: str) -> type[Action]:
    """The action or move of a name, whatever its case, as in ``from_one_hot``.

    Raises:
        ActionError: If there is none; lists what there is.
    """
    catalogue, bare = _by_name((*actions(), *MOVES)), name.casefold().removeprefix("functions.")
    match = catalogue.get("".join(sign for sign in bare if sign.isalnum()))
    if match is None:
        names = ", ".join(action.__name__ for action in (*actions(), *MOVES))
        raise ActionError(f"no action {name!r}; the actions are {names}", kind="unknown action")
    return match


@cache
def _by_name(classes: tuple[type[Action], ...]) -> dict[str, type[Action]]:
    return {action.__name__.casefold(): action for action in classes}


def load_plugins(own: Iterable[type[Action]]) -> tuple[type[Action], ...]:
    """The actions that packages installed here bring, by name.

    Only who installs packages adds actions: no setting, and no request to a server, names one.

    Args:
        own: The actions and moves that there are already.

    Raises:
        SettingsError: If one cannot be loaded, is no action, or has the name of another.
    """
    names = (*(action.__name__ for action in own), *RESERVED)
    owners = {name.casefold(): "one of Wideleaf's own" for name in names}
    plugins = []
    for point in sorted(entry_points(group=GROUP), key=lambda one: (one.name, one.value)):
        where = _where(point)
        action = _load(point, where)
        name = action.__name__.casefold()
        if name in owners:
            raise SettingsError(
                f"{where} is called {action.__name__}, and so is {owners[name]}; rename its class, "
                "or uninstall one of the packages"
            )
        owners[name] = f"that of {where}"
        plugins.append(action)
    return tuple(plugins)


def _load(point: EntryPoint, where: str) -> type[Action]:
    try:
        action = point.load()
    except Exception as error:  # whatever a stranger's module does when it is imported
        raise SettingsError(
            f"{where} cannot be loaded: {type(error).__name__}: {error}; mend the package, or "
            "uninstall it"
        ) from error
    if not (isinstance(action, type) and issubclass(action, Action)):
        raise SettingsError(
            f"{where} is {action!r}, no action; name a subclass of "
            "wideleaf.tools.actions.action.Action"
        )
    name = action.__name__
    fits = name.isalnum() and name.isascii() and name[0].isupper()
    if not fits or not action.__doc__ or action.__doc__ == Action.__doc__:
        raise SettingsError(
            f"{where} is told to models by its name and docstring; the class {name!r} needs a name "
            "of letters and digits that begins with a capital, and a docstring"
        )
    return action


def _where(point: EntryPoint) -> str:
    of = f" of {point.dist.name}" if point.dist else ""
    return f"the action {point.name!r}{of} ({point.value})"
