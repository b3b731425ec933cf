"""Where the nodes of a tree stand in a drawing: layers above the raw tables, lanes side by side."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import NamedTuple

from wideleaf.tools.tree.tree import FrameTree, Node

UNUSED_DRAWN = 1
"""Raw tables of which nothing was made; more of them are named in a line under the drawing."""


class Cell(NamedTuple):
    """A place in the grid.

    Attributes:
        lane: 0 for the way to the answer, below 0 for what is joined to it, above 0 for
            branches and failed tries.
        layer: 0 at the bottom.
    """

    lane: int
    layer: int


class TreeLayout(NamedTuple):
    """What stands where.

    Attributes:
        frames: Cell by label.
        tries: Failed tries by the label of the frame they were made on ("" for none), with
            their cell, the next free one above that frame.
        trunk: The parent by which a frame continues its lane.
    """

    frames: dict[str, Cell]
    tries: dict[str, tuple[Cell, list[Node]]]
    trunk: dict[str, str]


def arrange(tree: FrameTree, goal: str) -> TreeLayout:
    """Give every node a cell; no two share one, and parents stand below their children.

    Args:
        tree: The tree.
        goal: Label of the frame whose way is drawn straight; may be empty.
    """
    nodes = [node for node in tree.nodes if node.outcome == "ok"]
    layer = _layers(nodes)
    trunk = {n.label: max(n.parents, key=layer.__getitem__) for n in nodes if n.parents}
    way = {node.label for node in tree.plan(goal)} if goal else set()
    frames: dict[str, Cell] = {}
    cells: set[Cell] = set()

    def place(chain: list[str], lanes: Iterable[int]) -> None:
        low = layer[trunk[chain[0]]] + 1 if chain[0] in trunk else layer[chain[0]]
        span = range(low, layer[chain[-1]] + 1)
        lane = next(at for at in lanes if not any(Cell(at, y) in cells for y in span))
        cells.update(Cell(lane, y) for y in span)
        frames.update({label: Cell(lane, layer[label]) for label in chain})

    spine = [goal] if goal else []
    while spine and spine[-1] in trunk:
        spine.append(trunk[spine[-1]])
    if spine:
        place(spine[::-1], (0,))
    for chain in _chains([n for n in nodes if n.label in way], trunk, set(frames)):
        place(chain, count(-1, -1))
    for chain in _chains(nodes, trunk, set(frames)):
        start = frames[trunk[chain[0]]].lane if chain[0] in trunk else 0
        place(chain, count(start))
    return TreeLayout(frames, _place_tries(tree, frames, layer, cells), trunk)


def _place_tries(
    tree: FrameTree, frames: dict[str, Cell], layer: dict[str, int], cells: set[Cell]
) -> dict[str, tuple[Cell, list[Node]]]:
    """Failed tries by the highest frame they were made on, in the next free cell above it."""
    tries: dict[str, tuple[Cell, list[Node]]] = {}
    for node in tree.nodes:
        if node.outcome == "ok":
            continue
        on = max((p for p in node.parents if p in frames), key=layer.__getitem__, default="")
        if on not in tries:
            lane, level = (frames[on].lane, layer[on] + 1) if on else (1, 0)
            free = (Cell(lane + step, level) for step in count())
            cell = next(cell for cell in free if cell not in cells)
            cells.add(cell)
            tries[on] = (cell, [])
        tries[on][1].append(node)
    return tries


def unused_tables(tree: FrameTree, goal: str) -> list[Node]:
    """Raw tables of which nothing was made or tried, where they are more than are drawn."""
    labels = {label for node in tree.nodes for label in node.parents}
    labels |= {end for move in tree.moves for end in (move.origin, move.target)} | {goal, tree.head}
    leaves = [node for node in tree.leaves if node.label not in labels]
    return leaves if len(leaves) > UNUSED_DRAWN else []


def _layers(nodes: list[Node]) -> dict[str, int]:
    layer: dict[str, int] = {}
    above: dict[str, list[str]] = {}
    for node in nodes:
        layer[node.label] = 1 + max((layer[parent] for parent in node.parents), default=-1)
        for parent in node.parents:
            above.setdefault(parent, []).append(node.label)
    for node in reversed(nodes):  # what waits for a join stands right below it
        if node.label in above:
            layer[node.label] = min(layer[child] for child in above[node.label]) - 1
    return layer


def _chains(nodes: list[Node], trunk: dict[str, str], labels: set[str]) -> list[list[str]]:
    """Split what is not done yet into runs of frames that continue each other."""
    onward: dict[str, str] = {}
    for node in nodes:
        if node.label in trunk and node.label not in labels:
            onward.setdefault(trunk[node.label], node.label)
    chains = []
    for node in nodes:
        if node.label not in labels:
            chain = [node.label]
            while chain[-1] in onward:
                chain.append(onward[chain[-1]])
            labels = labels | set(chain)
            chains.append(chain)
    return chains
