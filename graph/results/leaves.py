"""What the exports of a plan need beside it: its tables, where they are, what was repaired."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from wideleaf.tools.errors import ActionError, SettingsError
from wideleaf.tools.plans.plan import Plan
from wideleaf.tools.sources.catalog import Catalog
from wideleaf.tools.tables.table import Table


class Leaves(NamedTuple):
    """A plan's raw tables, each by the plan's label.

    Attributes:
        tables: The tables as they were loaded, and the frames of functions that a model wrote.
        paths: Where they are.
        repairs: What was changed in their cells when they were read, a sentence each.
    """

    tables: dict[str, Table]
    paths: dict[str, str]
    repairs: dict[str, tuple[str, ...]]


def leaves_of(plan: Plan, catalog: Catalog, crafted: Mapping[str, Table] | None = None) -> Leaves:
    """A plan's raw tables as a catalog opens them.

    Args:
        plan: The plan.
        catalog: The tables.
        crafted: Frames that model-written code made in the run, by label: no export runs it.

    Raises:
        ActionError: If the catalog has no such table.
    """
    names = {leaf.label: leaf.source for leaf in plan.leaves}
    sources = {label: catalog.find(name) for label, name in names.items()}
    return Leaves(
        {**{label: catalog.table(name) for label, name in names.items()}, **(crafted or {})},
        {label: source.address.partition("=")[2] for label, source in sources.items()},
        {label: source.notes for label, source in sources.items()},
    )


@contextmanager
def tell_refusals() -> Iterator[None]:
    """Tell the user what an action could not do.

    Raises:
        SettingsError: With the words of the action's error.
    """
    try:
        yield
    except ActionError as error:
        raise SettingsError(error.text) from None
