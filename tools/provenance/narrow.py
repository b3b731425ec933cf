"""Which columns of its leaves a trace has to read: those that the plan looks at, not all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.join import Join, avoid_clashes
from wideleaf.tools.actions.joining.keys import SUFFIX
from wideleaf.tools.actions.windowing.order import TIE_BREAKERS
from wideleaf.tools.plans.columns import find_leaf_columns
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import Node

COMPARED = 60
"""Columns by which a row is found again where its place has changed."""


def trace_columns(
    plan: Sequence[Node],
    actions: Mapping[str, Action],
    tables: Mapping[str, Table],
    columns: Sequence[str],
) -> dict[str, tuple[str, ...]]:
    """The columns of each leaf without which the plan would make other rows, or other cells.

    Beside those that a step names, and those by which the row is found again: the first ones,
    since they settle the order of rows that are equal in the keys of a Sort or Window, and those
    of names that clash in a join, since others are called after them.

    Args:
        plan: The plan, parents before children.
        actions: Its actions, by label.
        tables: Its frames, by label.
        columns: The columns of the last frame that are traced.
    """
    leaves = [node.label for node in plan if not node.parents]
    joins = [node for node in plan if isinstance(actions[node.label], Join)]
    if any(_looks_at_whole_rows(actions[node.label]) for node in plan):
        return {label: tables[label].columns for label in leaves}
    last = plan[-1]
    shown = [*columns, *tables[last.label].columns[:COMPARED]]
    told = Call(name="Select", arguments={"columns": list(dict.fromkeys(shown))})
    asked = Node(label="", id="", parents=(last.label,), action=told)
    used = find_leaf_columns([*plan, asked], tables)
    clashing: set[str] = set()
    for node in joins:
        clashing |= _clashing(actions[node.label], *(tables[parent] for parent in node.parents))
    found = {}
    for label in leaves:
        table, kept = tables[label], {*used[label], *clashing}
        others = [n for n in table.columns if n not in kept and table.kind(n) != "other"]
        kept |= {*others[: TIE_BREAKERS + 1]}
        found[label] = tuple(name for name in table.columns if name in kept)
    return found


def _looks_at_whole_rows(action: Action) -> bool:
    """An asof join chooses among rows of equal keys by all their cells."""
    return isinstance(action, Join) and action.how == "asof"


def _clashing(action: Action, left: Table, right: Table) -> set[str]:
    assert isinstance(action, Join)
    keys = {key.right for key in action.on}
    new = avoid_clashes(left.columns, [name for name in right.columns if name not in keys])
    names = {name for name, other in new.items() if name != other}
    names |= {name for name in (*left.columns, *right.columns) if name.endswith(SUFFIX)}
    for name in tuple(names):
        while name.endswith(SUFFIX):
            name = name.removesuffix(SUFFIX)
            names.add(name)
    return names
