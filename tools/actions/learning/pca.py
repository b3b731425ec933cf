"""PCA: the few directions along which many columns vary most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Self

import narwhals as nw
from pydantic import Field, field_validator

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.joining.keys import avoid_clashes
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact, caveat, matter_of
from wideleaf.tools.tables.batches import add_by_batch
from wideleaf.tools.tables.columns import Columns, need_kind, resolve_columns
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import polars as pl

    from wideleaf.tools.actions.learning.components import Components

COMPONENTS_TOLD, LOADINGS_TOLD = 5, 3
DIGITS, TIES = 2, 9
"""A share is told with so many, for it hangs on every cell; loadings equal in so many are alike."""
_HOW = {
    "randomised": "Components by a randomised method, to about four digits",
    "incremental": "Components by the covariance, added up by batches of rows",
}


class PCA(Action):
    """Add each row's scores on the principal components of columns, as PC1, PC2 and so on."""

    purpose = "pca"
    lazy = False
    phrases = (
        "pca", "principal component", "principal components", "dimensions",
        "dimensionality reduction", "explained variance", "variance explained",
    )  # fmt: skip

    columns: Columns
    n: int = Field(default=2, ge=1, le=100, description="Components.")
    scale: bool = Field(default=True, description="To unit variance.")
    nulls: Literal["auto", "drop", "mean"] = Field(
        default="auto",
        description="Rows with a null have no scores, or it is taken as the column's mean; auto: "
        "the mean where fewer than half of the rows are whole.",
    )
    result: Literal["scores", "variance", "loadings"] = Field(
        default="scores",
        description="Scores: the answer tells variance and largest loadings, too. Or a row a "
        "component; or a row a column, its loadings.",
    )
    method: Literal["full", "randomised", "incremental"] | Literal["auto"] = "auto"

    @field_validator("method", mode="before")
    @classmethod
    def _spelled(cls, method: object) -> object:
        return "randomised" if str(method).lower() == "randomized" else method

    def resolve(self, *tables: Table) -> Self:
        """Name the columns.

        Raises:
            ActionError: If one is a date, or they are fewer than components.
        """
        from wideleaf.tools.actions.learning.matrix import decide_nulls

        table = tables[0]
        columns = resolve_columns(self.columns, table)
        need_kind(table, columns, "number", "boolean", "text", purpose="PCA")
        texts = any(table.kind(name) == "text" for name in columns)
        if len(columns) < max(self.n, 2) and not texts:
            raise ActionError(
                f"{len(columns)} columns do not have {self.n} components; name "
                f"{max(self.n, 2)} columns or more",
                kind="argument columns",
            )
        nulls = decide_nulls(table, columns) if self.nulls == "auto" else self.nulls
        return self.model_copy(update={"columns": columns, "nulls": nulls})

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, and those that the components are of."""
        columns = self.column_references(*headers)[0]
        if self.result != "scores":
            return [Need(frozenset(columns))]
        return [need.past(headers[0]).plus(columns)]

    def run(self, *tables: Table) -> Table:
        """Find the components of the rows that take part, by batches where the table is large.

        Raises:
            ActionError: If a text has too many levels.
        """
        import polars as pl

        components = self._find(tables[0])
        if self.result == "scores":
            return self._scores(tables[0], components)
        names = _name_components(len(components.shares))
        if self.result == "variance":
            shares = {
                "explained_variance": components.shares,
                "cumulative": components.shares.cumsum(),
            }
            frame = pl.DataFrame({"component": pl.Series(names, dtype=pl.String), **shares})
        else:
            columns = pl.Series(components.matrix.features, dtype=pl.String)
            loadings = dict(zip(names, components.loadings, strict=True))
            frame = pl.DataFrame({"column": columns, **loadings})
        return Table(nw.from_native(frame.lazy()), found=components)

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell of rows and columns left out, the variance explained and what each component is."""
        components: Components = result.found or self._find(tables[0])
        facts = components.matrix.facts("scores")
        if missing := self.n - len(components.shares):
            predicate = "do not exist and are null" if self.result == "scores" else "do not exist"
            text = f"{missing} of {self.n} components {predicate}"
            facts.append(caveat(text))
        names = self._names(tables[0])
        if self.result == "scores" and names[0] != "PC1":
            facts.append(Fact(text=f"The scores are {', '.join(map(repr, names))}"))
        if how := _HOW.get(components.method):
            facts.append(Fact(text=how))
        return facts + _explain_components(components)

    def _find(self, table: Table) -> Components:
        from wideleaf.tools.actions.learning.components import find_components
        from wideleaf.tools.actions.learning.matrix import fit_matrix

        matrix = fit_matrix(table, self.columns, scale=self.scale, nulls=self.nulls, purpose="PCA")
        return find_components(table, matrix, self.n, self.method)

    def _scores(self, table: Table, components: Components) -> Table:
        import numpy as np
        import polars as pl

        names = self._names(table)

        def fill(frame: pl.DataFrame) -> pl.DataFrame:
            part, cells = components.matrix.standardise(frame)
            scores = np.full((frame.height, self.n), np.nan)
            scores[part, : len(components.shares)] = cells @ components.loadings.T
            return pl.DataFrame(scores, schema=types, nan_to_null=True)

        types = dict.fromkeys(names, pl.Float64())
        result = add_by_batch(table, self.columns, types, fill, "PCA")
        return Table(result.frame, found=components)

    def _names(self, table: Table) -> list[str]:
        return [*avoid_clashes(table.columns, _name_components(self.n)).values()]


def _name_components(count: int) -> list[str]:
    return [f"PC{place + 1}" for place in range(count)]


def _explain_components(components: Components) -> list[Fact]:
    """The first components' shares of the variance with their largest loadings, and the rest's."""
    import numpy as np

    matter, features = matter_of(components.matrix.rows), components.matrix.features
    shares = [share for share in components.shares if share > 1e-12]
    facts = []
    for place, share in enumerate(shares[:COMPONENTS_TOLD]):
        loadings = components.loadings[place].round(TIES)
        most = np.argsort(-np.abs(loadings), kind="stable")[:LOADINGS_TOLD]
        told = ", ".join(f"{loadings[m]:+.{DIGITS}g} {features[m]}" for m in most if loadings[m])
        text = f"PC{place + 1} explains {share:.{DIGITS}g} of the variance"
        facts.append(caveat(f"{text}; its largest loadings: {told}", matter))
    if len(shares) > 1:
        text = f"The {len(shares)} components explain {sum(shares):.{DIGITS}g} of the variance"
        facts.append(caveat(f"{text} together", matter))
    return facts
