"""Header of a graph: its relations as the columns of a table without rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import narwhals as nw

from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    from wideleaf.tools.tables.relations import RelationKind


def header_of(graph: Table) -> Table:
    """The relations of a graph as columns, so that they are chosen as columns are.

    Args:
        graph: A knowledge graph as it was handed in.

    Returns:
        A table without rows; what the user says of relations stays with them.
    """
    import polars as pl

    kinds: dict[RelationKind, pl.DataType] = {
        "number": pl.Float64(),
        "date": pl.Date(),
        "entity": pl.String(),
        "text": pl.String(),
    }
    schema = {one.name: kinds[one.kind] for one in graph.relations}
    return Table(nw.from_native(pl.LazyFrame(schema=schema)), graph.about)
