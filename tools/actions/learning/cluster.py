"""Cluster: rows that are alike, how many there are of each kind, and what tells them apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import narwhals as nw
from pydantic import Field, field_validator

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.joining.keys import avoid_clashes
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact, Matter, caveat, matter_of
from wideleaf.tools.tables.batches import add_by_batch
from wideleaf.tools.tables.columns import Columns, need_kind, resolve_columns
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table
from wideleaf.tools.work import one_thread

if TYPE_CHECKING:
    import polars as pl

    from wideleaf.tools.actions.learning.clusters import Clusters

Method = Literal["k-means", "hierarchical", "hdbscan"]
NAME = "cluster"
FEATURES_TOLD, SIZES_TOLD = 3, 10
DIGITS, TIES = 2, 9
"""A share is told with so many digits; equal in so many, columns come in their order."""
CLEAR = 0.25
"""Below such a silhouette clusters hardly stand apart (Kaufman and Rousseeuw 1990)."""
SMALLEST, SHARE = 5, 0.01
_SPELLINGS = {
    "kmeans": "k-means",
    "k means": "k-means",
    "agglomerative": "hierarchical",
    "ward": "hierarchical",
    "dbscan": "hdbscan",
}


class Cluster(Action):
    """Group rows that are alike: adds cluster, from 1, the largest; 0 is in none."""

    purpose = "learning"
    lazy = False
    phrases = (
        "cluster", "clusters", "clustering", "clustered", "k means", "kmeans", "hdbscan", "dbscan",
        "segments of", "segment the", "segmentation", "group similar", "natural groups",
        "similar groups", "groups of similar",
    )  # fmt: skip

    columns: Columns
    method: Method = "k-means"
    k: int | None = Field(
        default=None, ge=2, le=100, description="Default: 2 to 10, by silhouette."
    )
    result: Literal["labels", "profiles"] = Field(
        default="labels", description="Or a row a cluster: size, share, means."
    )
    scale: bool = Field(default=True, description="To unit variance.")
    nulls: Literal["auto", "drop", "mean"] = Field(default="auto", description="As PCA's.")
    smallest: int | None = Field(default=None, ge=2, description="Fewest rows, of hdbscan.")
    seed: int = Field(default=0, ge=0, lt=2**32)

    @field_validator("method", mode="before")
    @classmethod
    def _spelled(cls, method: object) -> object:
        text = " ".join(str(method).lower().replace("_", " ").split())
        return _SPELLINGS.get(text, text)

    def resolve(self, *tables: Table) -> Self:
        """Name the columns.

        Raises:
            ActionError: If one is a date, or the method takes no such parameter.
        """
        from wideleaf.tools.actions.learning.matrix import decide_nulls

        table = tables[0]
        columns = resolve_columns(self.columns, table)
        need_kind(table, columns, "number", "boolean", "text", purpose="Cluster")
        if self.k is not None and self.method == "hdbscan":
            raise ActionError(
                f"'hdbscan' finds how many clusters there are and takes no k, which is {self.k}; "
                "leave k out, or take 'k-means'",
                kind="argument k",
            )
        if self.smallest is not None and self.method != "hdbscan":
            raise ActionError(
                f"{self.method!r} takes no smallest, which is {self.smallest}; leave it out, or "
                "take 'hdbscan'",
                kind="argument smallest",
            )
        nulls = decide_nulls(table, columns) if self.nulls == "auto" else self.nulls
        smallest = self.smallest
        if self.method == "hdbscan" and smallest is None:
            smallest = max(SMALLEST, int(table.count() * SHARE))
        fields = {"columns": columns, "nulls": nulls, "smallest": smallest}
        return self.model_copy(update=fields)

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, and those that the clusters are of."""
        columns = self.column_references(*headers)[0]
        if self.result == "profiles":
            return [Need(frozenset(columns))]
        return [need.past(headers[0]).plus(columns)]

    def run(self, *tables: Table) -> Table:
        """Find the clusters, in an order of the rows that depends on their cells alone.

        Raises:
            ActionError: If fewer rows take part than there are to be clusters.
        """
        from wideleaf.tools.actions.learning.clusters import find_clusters

        table = tables[0]
        with one_thread():
            clusters = find_clusters(self, table)
            frame = (
                _profiles(clusters) if self.result == "profiles" else self._labels(table, clusters)
            )
            return Table(frame, found=clusters)

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell how many clusters of how many rows there are, and how clearly they stand apart."""
        clusters: Clusters = self.recall(tables, result)
        matrix = clusters.matrix
        facts = matrix.facts("cluster")
        if not matrix.rows:
            return facts
        matter = matter_of(matrix.rows)
        name = self._name(tables[0])
        if self.result == "labels" and name != NAME:
            facts.append(Fact(text=f"The clusters are in {name!r}"))
        none, *sizes = clusters.sizes.tolist()
        counts = ", ".join(map(str, sizes[:SIZES_TOLD])) + ", ..." * (len(sizes) > SIZES_TOLD)
        facts.append(Fact(text=f"{len(sizes)} clusters, of {counts} rows", matter=matter))
        if none:
            text = f"{none} of {matrix.rows} rows are in no cluster (0)"
            facts.append(caveat(text, matter))
        facts += self._clearness(clusters, matter)
        if len(sizes) > 1:
            order = (-clusters.apart.round(TIES)).argsort(kind="stable")[:FEATURES_TOLD]
            shares = (f"{matrix.features[p]} ({clusters.apart[p]:.{DIGITS}g})" for p in order)
            text = f"Share of variance between clusters, most: {', '.join(shares)}"
            facts.append(Fact(text=text, matter=matter))
        if clusters.fitted < matrix.rows:
            how = "every other row went with its nearest"
            if self.method == "k-means":
                how = "then moved over all rows"
            text = (
                f"Clusters were found in a sample of {clusters.fitted} of {matrix.rows} rows; {how}"
            )
            facts.append(caveat(text))
        return facts

    def _clearness(self, clusters: Clusters, matter: Matter) -> list[Fact]:
        silhouettes = {k: value for k, value in clusters.silhouettes.items() if value == value}
        if not silhouettes:
            return []
        best = max(silhouettes, key=lambda one: silhouettes[one])
        value = f"{silhouettes[best]:.{DIGITS}g}"
        facts = [Fact(text=f"Mean silhouette {value} (-1 to 1)", matter=matter)]
        if self.k is None and self.method != "hdbscan":
            ends = f"{min(silhouettes)} to {max(silhouettes)}"
            text = f"k = {best} was chosen, of {ends}, by the mean silhouette"
            facts.append(caveat(text, matter))
        if silhouettes[best] < CLEAR:
            text = f"The clusters hardly stand apart (silhouette below {CLEAR})"
            facts.append(caveat(text, matter))
        return facts

    def _labels(self, table: Table, clusters: Clusters) -> nw.LazyFrame[Any]:
        import numpy as np
        import polars as pl

        name = self._name(table)

        def fill(frame: pl.DataFrame) -> pl.DataFrame:
            part, cells = clusters.matrix.standardise(frame)
            labels = np.full(frame.height, -1)
            labels[part] = clusters.assign(cells)
            column = pl.Series(name, labels, dtype=pl.Int64)
            return pl.DataFrame([column.set(column < 0, None)])

        return add_by_batch(table, self.columns, {name: pl.Int64}, fill, "Cluster").frame

    def _name(self, table: Table) -> str:
        return avoid_clashes(table.columns, [NAME])[NAME]


def _profiles(clusters: Clusters) -> nw.LazyFrame[Any]:
    """A row a cluster, that of none last: its rows, their share, and the mean of each feature."""
    import numpy as np
    import polars as pl

    matrix = clusters.matrix
    places = np.array(
        [*range(1, len(clusters.sizes)), *([0] if clusters.sizes[0] else [])], dtype=int
    )
    # A constant is the same in every cluster.
    means = np.tile(matrix.means, (len(clusters.sizes), 1))
    means[:, matrix.varies] = matrix.centre + matrix.scale * clusters.means
    cells: dict[str, Any] = {
        NAME: places,
        "rows": clusters.sizes[places].astype(np.int64),
        "share": clusters.sizes[places] / max(matrix.rows, 1),
    }
    for feature, column in zip(matrix.known, means[places].T, strict=True):
        name = feature.name if feature.name not in cells else f"{feature.name}_mean"
        cells[name] = column
    return nw.from_native(pl.DataFrame(cells).lazy())
