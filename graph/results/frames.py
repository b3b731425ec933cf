"""Frames opened anew: one by its id, and those of a plan, with all that its exports need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from wideleaf.tools.errors import ActionError, SettingsError, SourceError

if TYPE_CHECKING:
    import pandas as pd

    from wideleaf.tools.plans.plan import Plan
    from wideleaf.tools.sources.catalog import Catalog
    from wideleaf.tools.steps.store import FrameStore
    from wideleaf.tools.tables.table import Table
    from wideleaf.tools.tree.tree import FrameTree


def frame(id: str, *sources: Any, folder: str | Path = ".wideleaf") -> pd.DataFrame:
    """Read a frame that a run made.

    Args:
        id: What the run called it: the field ``frame`` of an answer.
        sources: The tables of the run, as `wideleaf.ask` takes them; by them the frame is made
            again where it was not written to disk, and headers that were numbered to keep cells in
            are what they stand for.
        folder: The folder of the run.

    Returns:
        All rows and columns.

    Raises:
        SettingsError: If that is no id of a frame.
        SourceError: If the folder does not have the frame and it cannot be made again.
    """
    from wideleaf.tools.sources.catalog import Catalog
    from wideleaf.tools.sources.opening import open_catalog
    from wideleaf.tools.steps.store import FrameStore
    from wideleaf.tools.tree.lineage import is_id

    if not is_id(id):
        raise SettingsError(f"{id!r} is no id of a frame; an answer's field 'frame' has one")
    place = Path(folder)
    catalog = open_catalog(sources, place) if sources else Catalog(())
    store = FrameStore(place, catalog)
    try:
        with store.reading(f"the frame {id}"):
            return (store.with_labels(id) if sources else store.get(id)).to_pandas()
    except (KeyError, ActionError) as error:
        raise SourceError(
            f"the frame {id} is not in the folder {str(place)!r} and cannot be made again "
            f"({error.args[0]}); name the folder and the tables of its run"
        ) from None


def make_plan(tree: FrameTree, label: str, question: str, profile: str, store: FrameStore) -> Plan:
    """The plan of a node with what its frames tell: kinds, whole families, made-up headers.

    Args:
        tree: The tree.
        label: The node.
        question: What was asked.
        profile: What the run's actions meant.
        store: Where the frames are.

    Raises:
        KeyError: If a frame is not there and cannot be made again.
        SourceError: If a table of it is gone.
    """
    from wideleaf.tools.plans.plan import Plan

    nodes = tree.plan(label)
    tables = {node.label: store.get(node.id) for node in nodes}
    headers = {n.label: h for n in nodes if n.parents and (h := store.headers(n.id))}
    return Plan.of(tree, label, question, profile, tables, headers, store.verdicts.get)


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


def leaves_in(plan: Plan, tree: FrameTree, store: FrameStore) -> Leaves:
    """The same as the tables of a run are, with the frames that model-written code made in it.

    Args:
        plan: A plan of the tree.
        tree: The run's tree.
        store: Its frames.
    """
    crafted = [step.label for step in plan.steps if step.name == "Craft"]
    return leaves_of(plan, store.catalog, {one: store.get(tree[one].id) for one in crafted})


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
