"""Neighbours: the relations around the nodes that a question names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wideleaf.agents.planner.paths.reading import Reading
from wideleaf.agents.planner.paths.topics import find_topics
from wideleaf.agents.planner.recent import Recent
from wideleaf.tools.knowledge.fact_index import FactIndex, index_facts

if TYPE_CHECKING:
    from wideleaf.tools.tables.table import Table

NAMED = 3
"""Nodes of a question that are looked around."""
HELD = 2
MOST_FOLLOWED = 200
"""Nodes a hop away, of which more say little of what is asked."""


def relations_around(question: str, graph: Table) -> list[str]:
    """The relations that lead to or from what a question names, those a hop further behind.

    A name of a relation says little by itself; that it is there for what is asked says more.

    Args:
        question: The user's words.
        graph: The facts.

    Returns:
        Names of relations, each once, those of few facts of the named nodes first.
    """
    index = open_index(graph)
    topics = [one for one in find_topics(Reading(question), index) if one.telling][:NAMED]
    nodes = np.array(sorted({one.node for one in topics}), dtype=np.int64)
    if not len(nodes):
        return []
    near = _steps(index, nodes)
    ends = [index.follow(nodes, step) for step, _ in index.steps_from(nodes)]
    further = np.unique(np.concatenate(ends)) if ends else nodes[:0]
    beyond = _steps(index, further) if 0 < len(further) <= MOST_FOLLOWED else []
    return list(dict.fromkeys([*near, *beyond]))


def open_index(graph: Table) -> FactIndex:
    """The facts as arrays; those of the graphs that were asked last are held."""
    return _indexes.get((graph,), None, lambda: index_facts(graph))


def _steps(index: FactIndex, nodes: np.typing.NDArray[np.int64]) -> list[str]:
    counted = sorted(index.steps_from(nodes), key=lambda one: (one[1], one[0].relation))
    return list(dict.fromkeys(step.relation for step, _ in counted))


_indexes: Recent[FactIndex] = Recent(HELD)
