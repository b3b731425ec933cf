"""What a page shows of a frame: some of its rows, its chart, its tree, the rows behind a cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from wideleaf.agents.answer.writer import plain_cell
from wideleaf.graph.channels import PlainData
from wideleaf.tools.errors import SourceError
from wideleaf.tools.provenance.provenance import trace_cell
from wideleaf.tools.steps.charting import draw_kept
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tables.part import read_part
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree, Node

MAX_DRAWN = 60
"""Frames of a picture; of a larger tree only the way to the answer is drawn."""
ROWS, COLUMNS = 200, 40
"""Most rows and columns of a frame that are given at once."""
BEHIND = 20
"""Rows of each source behind a cell that are given."""


class Look(NamedTuple):
    """What a request asks for.

    Attributes:
        frame: The id of an answer's frame.
        node: The id of a frame on the way to it; the answer's own, if none is named.
        pairs: Label and id of each frame of the tree; a client could have written them.
        first: How many rows to pass over.
        across: How many columns to pass over.
        sort: The header of a column to sort by, the smallest first; after ``-`` the largest.
        row: The row of a cell, from 0, as the frame stands.
        column: Its column by its header; empty for the row as a whole.
    """

    frame: str
    node: str
    pairs: Sequence[tuple[str, str]] = ()
    first: int = 0
    across: int = 0
    sort: str = ""
    row: int = 0
    column: str = ""

    @classmethod
    def of_query(cls, frame: str, query: Sequence[tuple[str, str]]) -> Look:
        """Read the part of an address behind the question mark.

        Args:
            frame: The id that stands before it.
            query: Its names and values; ``tree`` may be there for each frame, as ``LABEL=ID``.

        Raises:
            SourceError: If a number is none, or below 0.
        """
        given = dict(query)
        numbers = {name: given.get(name, "0") for name in ("first", "across", "row")}
        if wrong := [one for one in numbers.values() if not (one.isdecimal() and len(one) < 16)]:
            raise SourceError(f"{wrong[0][:20]!r} is no number of a row or column, counted from 0")
        parts = [value.rpartition("=") for name, value in query if name == "tree"]
        return cls(
            frame,
            given.get("node") or frame,
            [(label, key) for label, _, key in parts],
            **{name: int(number) for name, number in numbers.items()},
            sort=given.get("sort", ""),
            column=given.get("column", ""),
        )


def read_page(store: FrameStore, look: Look) -> PlainData:
    """Some rows and columns of a frame, whole or sorted.

    Args:
        store: Where it is.
        look: Which frame and which part of it.

    Returns:
        ``columns`` (``name`` and ``kind``), ``rows`` (a list for each), their ``numbers`` in the
        frame as it stands (none where an engine cannot tell), ``first``, ``across``, and how many
        there are in all, ``total`` and ``width``.

    Raises:
        SourceError: If the frame is not on the way to the answer.
    """
    need_on_the_way(store, look)
    table = store.with_labels(look.node)
    part = read_part(table, (look.across, COLUMNS), (look.first, ROWS), look.sort)
    return {
        "columns": [{"name": name, "kind": table.kind(name)} for name in part.rows.columns],
        "rows": [[plain_cell(cell) for cell in row] for row in part.rows.rows()],
        "numbers": part.numbers,
        "first": look.first,
        "across": look.across,
        "total": table.count(),
        "width": len(table.columns),
    }


def trace_rows(store: FrameStore, look: Look) -> PlainData:
    """The rows of the raw tables behind a cell of a frame.

    Args:
        store: Where it is.
        look: The cell, and the tree that its frame stands in.

    Returns:
        A `tools.provenance.traces.Trace` as plain data, in ``words``, and of each source the first
        rows with the columns that matter, ``samples``.

    Raises:
        SourceError: If the names fit no tree that was made here.
        ActionError: If there is no such row or column.
    """
    tree = name_tree(store, look.pairs, look.node)
    trace = trace_cell(tree, tree.head, store, look.row, look.column or None)
    samples = []
    for leaf in trace.leaves:
        rows = trace.frame(leaf.leaf).head(BEHIND).reset_index()
        cells = [[plain_cell(cell) for cell in row] for row in _objects(rows)]
        samples.append({"leaf": leaf.leaf, "columns": [*map(str, rows.columns)], "rows": cells})
    return {**trace.model_dump(mode="json"), "words": str(trace), "samples": samples}


def _objects(rows: Any) -> list[list[Any]]:
    """The cells of a pandas frame as Python's own objects."""
    cells: list[list[Any]] = rows.astype(object).where(rows.notna(), None).to_numpy().tolist()
    return cells


def compile_chart(store: FrameStore, look: Look) -> PlainData:
    """The chart of a frame as Vega, which a page draws without Vega-Lite's compiler.

    Raises:
        SourceError: If the frame is not on the way to the answer.
        ActionError: If no Chart made the frame.
    """
    import vl_convert

    need_on_the_way(store, look)
    spec = draw_kept(store, look.node).spec
    vega: PlainData = vl_convert.vegalite_to_vega(spec)
    return vega


def name_tree(store: FrameStore, pairs: Sequence[tuple[str, str]], answer: str) -> FrameTree:
    """The tree of the frames that an address names; its head is the answer.

    Args:
        store: Where they are.
        pairs: Label and id of each; the client could have written them.
        answer: The id of the answer's.

    Raises:
        SourceError: If the names fit no tree that was made here.
        KeyError: If a frame is not here.
        ActionError: If a frame cannot be made again.
    """
    labels = {key: label for label, key in pairs}
    if len(pairs) > MAX_DRAWN or len({*labels.values()}) < len(pairs) or answer not in labels:
        raise SourceError(f"a tree is at most {MAX_DRAWN} frames, each with a label of its own")
    nodes = []
    for key, label in labels.items():
        recipe = store.recipe(key)
        if recipe is None or not labels.keys() >= {*recipe.parents}:
            raise SourceError("the frames of that tree are not here")
        call = Call(name=recipe.name, arguments=recipe.arguments)
        parents = tuple(labels[parent] for parent in recipe.parents)
        node, table = Node(label=label, id=key, parents=parents, action=call), store.get(key)
        size = {"rows": table.count(), "columns": len(table.columns)}
        nodes.append(node.model_copy(update=size))
    return FrameTree(nodes=tuple(nodes), head=labels[answer])


def need_on_the_way(store: FrameStore, look: Look) -> None:
    """Refuse a frame that the answer is not made of.

    Raises:
        SourceError: Says so.
    """
    if look.node not in store.recipes(look.frame):
        raise SourceError(f"the frame {look.node[:64]} is not on the way to {look.frame}")
