"""What a request says of sources beyond their columns and relations: times, and what was seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from wideleaf.agents.requests import lines_within
from wideleaf.tools.privacy import Policy
from wideleaf.tools.steps.observation import PREVIEW_COLUMNS
from wideleaf.tools.steps.preview import preview_facts, preview_table
from wideleaf.tools.tables.relations import TIMES
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.tree import Node
from wideleaf.tools.words import one_line

SEEN_CHARACTERS = 4_000
"""Of what was seen of a source beyond its shape and columns; the request has its own limit."""
LINE_CHARACTERS = 300
ROWS_SEEN = 40
"""Rows of a table of few columns; a program is written before anything else is seen of them."""
RELATIONS_SEEN = 24
"""Relations of a graph of which one fact is shown."""


class SourceSketch(NamedTuple):
    """A table or graph as a run opened it.

    Attributes:
        name: Its name.
        is_temporal: Whether it is a graph whose facts have times.
        seen: What was seen of its cells, as far as the privacy level lets it out.
    """

    name: str
    is_temporal: bool = False
    seen: tuple[str, ...] = ()


def sketch_sources(
    leaves: Iterable[Node], tables: Callable[[str], Table], policy: Policy, columns: str = ""
) -> list[SourceSketch]:
    """Sketch the sources of a run.

    Args:
        leaves: Their nodes.
        tables: Gives the frame of a node's id.
        policy: What may be told of cells.
        columns: What is shown of their columns and relations.
    """
    return [_sketch(leaf, tables(leaf.id), policy, columns) for leaf in leaves]


def _sketch(leaf: Node, table: Table, policy: Policy, columns: str) -> SourceSketch:
    temporal = bool(table.relations) and set(TIMES) <= set(table.columns)
    told = _lines(leaf, table, policy, columns)
    lines = (f"  | {one_line(line, LINE_CHARACTERS)}" for line in told)
    seen = tuple(lines_within(lines, SEEN_CHARACTERS))
    return SourceSketch(repr(one_line(leaf.label, 100)), temporal, seen)


def _lines(leaf: Node, table: Table, policy: Policy, columns: str) -> list[str]:
    """What was seen: statistics, and where cells may be told, rows or a fact of each relation."""
    told = leaf.observation.splitlines()[1:] if policy.allows("statistics") else []
    if not policy.allows("values"):
        return told
    if table.relations:
        shown = [one.name for one in table.relations if one.name in columns][:RELATIONS_SEEN]
        return preview_facts(table, shown).splitlines()
    if len(table.columns) > PREVIEW_COLUMNS:
        return told
    return preview_table(table, table.columns, ROWS_SEEN).splitlines()
