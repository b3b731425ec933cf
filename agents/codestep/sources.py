"""What a request says of sources beyond their columns and relations: times, and what was seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from wideleaf.tools.privacy import Policy
from wideleaf.tools.tables.relations import TIMES
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.tree import Node
from wideleaf.tools.words import one_line

SEEN_CHARACTERS = 1_200
"""Of what was seen of a source beyond its shape and columns."""
LINE_CHARACTERS = 300


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
    leaves: Iterable[Node], tables: Callable[[str], Table], policy: Policy
) -> list[SourceSketch]:
    """Sketch the sources of a run.

    Args:
        leaves: Their nodes.
        tables: Gives the frame of a node's id.
        policy: What may be told of cells.
    """
    return [_sketch(leaf, tables(leaf.id), policy) for leaf in leaves]


def _sketch(leaf: Node, table: Table, policy: Policy) -> SourceSketch:
    temporal = bool(table.relations) and set(TIMES) <= set(table.columns)
    kept, room = [], SEEN_CHARACTERS
    for line in leaf.observation.splitlines()[1:] if policy.allows("statistics") else ():
        text = f"  | {one_line(line, LINE_CHARACTERS)}"
        room -= len(text) + 1
        if room < 0:
            break
        kept.append(text)
    return SourceSketch(repr(one_line(leaf.label, 100)), temporal, tuple(kept))
