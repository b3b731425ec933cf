"""The sources of a question as a request describes them: tables, graphs and what was seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from wideleaf.retrieval.selection import FEW_COLUMNS, Selection
from wideleaf.tools.privacy import Policy
from wideleaf.tools.tables.relations import TIMES, Relation
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.tree import Node
from wideleaf.tools.words import as_name, one_line

SEEN_CHARACTERS = 1_200
"""Of what was seen of a source beyond its shape and columns."""


class SourceSketch(NamedTuple):
    """A source as a request describes it.

    Attributes:
        head: Its name, what it is, and how large.
        relations: Of a graph a line each.
        aside: How many relations are not among them.
        seen: What was seen of its cells, as far as the privacy level lets it out.
        is_temporal: Whether its facts have times.
    """

    head: str
    relations: tuple[str, ...] = ()
    aside: int = 0
    seen: tuple[str, ...] = ()
    is_temporal: bool = False


def sketch_sources(
    leaves: Iterable[Node],
    tables: Callable[[str], Table],
    policy: Policy,
    select: Callable[[], Selection] | None = None,
) -> list[SourceSketch]:
    """Describe the sources of a run.

    Args:
        leaves: Their nodes.
        tables: Gives the frame of a node's id.
        policy: What may be told; how many facts a relation has is a statistic.
        select: What was selected for the question; asked where a graph has many relations.
    """
    return [_sketch(leaf, tables(leaf.id), policy, select) for leaf in leaves]


def _sketch(
    leaf: Node, table: Table, policy: Policy, select: Callable[[], Selection] | None
) -> SourceSketch:
    name = repr(one_line(leaf.label, 100))
    rows = "" if leaf.rows is None else f"{leaf.rows:,} "
    if not table.relations:
        seen = leaf.observation.splitlines()[1:] if policy.allows("statistics") else []
        return SourceSketch(f"{name} is a table of {rows}rows", seen=_within(seen))
    shown = _shown(leaf.label, table.relations, select)
    temporal = set(TIMES) <= set(table.columns)
    what = f"a {'temporal ' * temporal}knowledge graph of {rows}facts"
    return SourceSketch(
        f"{name} is {what}; its relations:",
        tuple(_line(one, policy) for one in shown),
        len(table.relations) - len(shown),
        is_temporal=temporal,
    )


def _shown(
    label: str, relations: Sequence[Relation], select: Callable[[], Selection] | None
) -> Sequence[Relation]:
    """All of a few relations; of many those that were selected, best first."""
    if len(relations) <= FEW_COLUMNS or select is None:
        return relations
    known = {one.name: one for one in relations}
    picks = (pick for pick in select().picks if pick.table == label)
    names = dict.fromkeys(name for pick in picks for name in pick.columns if name in known)
    return [known[name] for name in names] or relations


def _line(relation: Relation, policy: Policy) -> str:
    facts = f", {relation.facts:,} facts" if policy.allows("statistics") else ""
    return f"  {as_name(relation.name)} ({relation.kind}{facts})"


def _within(lines: Sequence[str]) -> tuple[str, ...]:
    kept, room = [], SEEN_CHARACTERS
    for line in lines:
        text = f"  | {one_line(line, 300)}"
        room -= len(text) + 1
        if room < 0:
            break
        kept.append(text)
    return tuple(kept)
