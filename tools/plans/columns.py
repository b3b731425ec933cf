"""Which columns of its raw tables a plan names, found by a walk back from its last step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pydantic import ValidationError

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.families import find_families
from wideleaf.tools.tables.needs import Need, name_lists
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import Node

MIN_MEMBERS = 2


def find_leaf_columns(
    nodes: Sequence[Node], tables: Mapping[str, Table]
) -> dict[str, tuple[str, ...]]:
    """The columns of each leaf that some step names, in the leaf's order where it is known.

    A column that is only carried along is not among them; one that is named after a join gave it
    another name counts under the name it has in its leaf.

    Args:
        nodes: A plan, parents before children.
        tables: Frames by label, as many as are at hand.
    """
    needs: dict[str, dict[str, None]] = {node.label: {} for node in nodes}
    for node in reversed([node for node in nodes if node.parents]):
        action = _action(node.action)
        headers = [_columns(parent, tables) for parent in node.parents]
        below = action.needs(Need(frozenset(needs[node.label])), *headers)
        references = action.column_references(*headers)
        for parent, names, need in zip(node.parents, references, below, strict=False):
            needs[parent] |= dict.fromkeys([*names, *sorted(need.all)])
    columns = {}
    for node in nodes:
        if not node.parents:
            mentions, header = needs[node.label], _columns(node.label, tables)
            columns[node.label] = tuple(
                mentions if header is None else (c for c in header if c in mentions)
            )
    return columns


def whole_families(
    call: Call, parents: Sequence[str], tables: Mapping[str, Table]
) -> tuple[str, ...]:
    """Families of which a call names every member there is, as their patterns ``NDVI_*``."""
    if len(parents) != 1 or (columns := _columns(parents[0], tables)) is None:
        return ()
    # Measures name one column each, so a family may be spread over many groups.
    names = {name for group in groups_of(call) for name in group}
    if len(names) < MIN_MEMBERS:
        return ()
    return tuple(f.pattern for f in find_families(columns) if names.issuperset(f.columns))


def groups_of(call: Call) -> Iterator[list[str]]:
    """The names of columns in a call's arguments, those of one list together."""
    return name_lists(call.arguments, find_action(call.name).places)


def _action(call: Call) -> Action:
    """The action of a call; what cannot be read, as of another version, may look at any column."""
    try:
        return find_action(call.name).model_validate(call.arguments)
    except (ActionError, ValidationError):
        return Action()


def _columns(label: str, tables: Mapping[str, Table]) -> tuple[str, ...] | None:
    table = tables.get(label)
    return None if table is None else table.columns
