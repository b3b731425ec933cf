"""Relations: how facts stand in a frame, and what is known of each relation of a graph."""

from __future__ import annotations

from typing import Literal, NamedTuple

HEAD, RELATION, TAIL, START, END = "head", "relation", "tail", "start", "end"
FACT = (HEAD, RELATION, TAIL)
"""Columns of a fact; of a temporal one `TIMES` stand behind them."""
TIMES = (START, END)

GRAPH = "graph:"
"""What stands before a path whose table is a knowledge graph."""
RelationKind = Literal["entity", "number", "date", "text"]


class Relation(NamedTuple):
    """A relation of a knowledge graph; its name is a name as a column's is, its ends are cells.

    Attributes:
        name: As the facts have it.
        kind: What its tails are.
        facts: How many facts it has.
    """

    name: str
    kind: RelationKind
    facts: int
