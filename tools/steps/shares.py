"""Shares: whether cells that a model is to read may leave this machine, by where they are from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.load import Load
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Policy
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tables.needs import Need
from wideleaf.tools.words import name_some


def need_shared(action: Action, parents: Sequence[str], store: FrameStore, policy: Policy) -> None:
    """Refuse to have cells read that the privacy level keeps in and nobody shares.

    Args:
        action: What is to be read, resolved.
        parents: Ids of its input frames.
        store: The frames.
        policy: What may leave the machine.

    Raises:
        ActionError: Before anything is sent; names the columns and how they are allowed.
    """
    if policy.allows("values"):
        return
    headers = [store.get(parent).columns for parent in parents]
    read = action.column_references(*headers)
    behind: set[tuple[str, str]] = set()
    for parent, columns in zip(parents, read, strict=True):
        behind |= source_columns(parent, columns, store)
    kept = sorted(
        f"{table}.{name}" for table, name in behind if not policy.shares_column(table, name)
    )
    if kept:
        raise ActionError(
            f"a model would read cells of {name_some(kept)}, which privacy={policy.level!r} keeps "
            f"in; nothing was sent. Whoever asks may allow it by shared={kept[:3]!r} or "
            "privacy='samples'; else answer without reading, or say that it cannot be answered",
            kind="not shared",
        )


def source_columns(key: str, columns: Iterable[str], store: FrameStore) -> set[tuple[str, str]]:
    """The columns of sources whose cells those of a frame are made of.

    Args:
        key: The frame's id.
        columns: Its columns.
        store: The frames.

    Returns:
        Pairs of a source's name and a column; of a frame whose making is not known, all that are
        wanted, of a source without a name.
    """
    recipe, wanted = store.recipe(key), frozenset(columns)
    if recipe is None:
        return {("", name) for name in wanted}
    action = store.action(recipe)
    if isinstance(action, Load):
        return {(action.source, name) for name in wanted}
    headers = [store.get(parent).columns for parent in recipe.parents]
    behind: set[tuple[str, str]] = set()
    for parent, need in zip(recipe.parents, action.needs(Need(wanted), *headers), strict=True):
        behind |= source_columns(parent, need.values, store)
    return behind
