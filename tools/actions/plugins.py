"""Actions of other packages: found by their entry points, each of which must keep the contract."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points

from wideleaf.tools.actions.action import Action
from wideleaf.tools.errors import SettingsError

GROUP = "wideleaf.actions"
"""The group of entry points under which a package names its actions."""
RESERVED = ("ApproveCraft", "RunCraft", "More")
"""Nodes of the graph and tools of a request that are no actions."""


def load_plugins(own: Iterable[type[Action]]) -> tuple[type[Action], ...]:
    """The actions that packages installed here bring, by name.

    Only who installs packages adds actions: no setting, and no request to a server, names one.

    Args:
        own: The actions and moves that there are already.

    Raises:
        SettingsError: If one cannot be loaded, is no action, or has the name of another.
    """
    names = (*(action.__name__ for action in own), *RESERVED)
    taken = {name.casefold(): "one of Wideleaf's own" for name in names}
    made = []
    for point in sorted(entry_points(group=GROUP), key=lambda one: (one.name, one.value)):
        where = _where(point)
        action = _load(point, where)
        name = action.__name__.casefold()
        if name in taken:
            raise SettingsError(
                f"{where} is called {action.__name__}, and so is {taken[name]}; rename its class, "
                "or uninstall one of the packages"
            )
        taken[name] = f"that of {where}"
        made.append(action)
    return tuple(made)


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
