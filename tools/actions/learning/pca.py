"""PCA: the few directions along which many columns vary most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import narwhals as nw
from pydantic import Field, field_validator

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.join import avoid_clashes
from wideleaf.tools.actions.learning.components import (
    Components,
    Method,
    choose_method,
    find_components,
)
from wideleaf.tools.actions.learning.matrix import (
    decide_nulls,
    fit_matrix,
    need_matrix,
    tell_matrix,
)
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import LEAST_FOR_STATISTICS, Fact, Matter
from wideleaf.tools.tables.batches import add_by_batch
from wideleaf.tools.tables.columns import Columns, resolve_columns
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import polars as pl

LOADINGS_TOLD = 3
DIGITS = 2
"""A share is told with so many, for it hangs on every cell."""
_HOW = {
    "randomised": "Components by a randomised method, to about four digits",
    "incremental": "Components by the covariance, added up by batches of rows",
}


class PCA(Action):
    """Add each row's scores on the principal components of columns, as PC1, PC2 and so on."""

    purpose = "learning"
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
        default="scores", description="Or a row a component; or a row a column, its loadings."
    )
    method: Method | Literal["auto"] = "auto"

    @field_validator("method", mode="before")
    @classmethod
    def _spelled(cls, method: object) -> object:
        return "randomised" if str(method).lower() == "randomized" else method

    def resolve(self, *tables: Table) -> Self:
        """Name the columns.

        Raises:
            ActionError: If one is a date, or they are fewer than components.
        """
        table = tables[0]
        columns = resolve_columns(self.columns, table)
        need_matrix(table, columns, "PCA")
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
        named = self.column_references(*headers)[0]
        if self.result != "scores":
            return [Need(frozenset(named))]
        return [need.past(headers[0]).plus(named)]

    def run(self, *tables: Table) -> Table:
        """Find the components of the rows that take part, by batches where the table is large.

        Raises:
            ActionError: If a text has too many levels.
        """
        found = self._find(tables[0])
        if self.result == "scores":
            return self._scores(tables[0], found)
        if self.result == "variance":
            cells: dict[str, Any] = {
                "component": [f"PC{place + 1}" for place in range(len(found.shares))],
                "explained_variance": found.shares.tolist(),
                "cumulative": found.shares.cumsum().tolist(),
            }
        else:
            cells = {"column": [feature.name for feature in found.matrix.features]}
            for place, loadings in enumerate(found.loadings):
                cells[f"PC{place + 1}"] = loadings.tolist()
        kinds = {name: nw.Float64() for name in [*cells][1:]}
        schema = {next(iter(cells)): nw.String(), **kinds}
        made = nw.from_dict(cells, schema=schema, backend="polars")
        return Table(made.lazy("polars"), found=found)

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell of rows and columns left out, the variance explained and what each component is."""
        found: Components = result.found or self._find(tables[0])
        facts = tell_matrix(found.matrix, self.columns, "scores")
        if missing := self.n - len(found.shares):
            gone = "do not exist and are null" if self.result == "scores" else "do not exist"
            text = f"{missing} of {self.n} components {gone}"
            facts.append(Fact(text=text, caveat=True))
        names = self._names(tables[0])
        if self.result == "scores" and names[0] != "PC1":
            facts.append(Fact(text=f"The scores are {', '.join(map(repr, names))}"))
        if how := _HOW.get(found.method):
            facts.append(Fact(text=how))
        return facts + _explained(found)

    def _find(self, table: Table) -> Components:
        columns, nulls = tuple(self.columns), "mean" if self.nulls == "mean" else "drop"
        matrix = fit_matrix(table, columns, scale=self.scale, nulls=nulls, purpose="PCA")  # type: ignore[arg-type]
        method = self.method
        if method == "auto":
            method = choose_method(matrix.rows, len(matrix.features))
        return find_components(table, columns, matrix, self.n, method)

    def _scores(self, table: Table, found: Components) -> Table:
        import polars as pl

        names = self._names(table)

        def fill(frame: pl.DataFrame) -> pl.DataFrame:
            import numpy as np

            rows, standard = found.matrix.standardise(frame, self.columns)
            scores = np.full((frame.height, self.n), np.nan)
            scores[rows, : len(found.shares)] = standard @ found.loadings.T
            return pl.DataFrame(
                [
                    pl.Series(name, scores[:, place], dtype=pl.Float64, nan_to_null=True)
                    for place, name in enumerate(names)
                ]
            )

        types = dict.fromkeys(names, pl.Float64)
        made = add_by_batch(table, self.columns, types, fill, "PCA")
        return Table(made.frame, found=found)

    def _names(self, table: Table) -> list[str]:
        return list(
            avoid_clashes(table.columns, [f"PC{one + 1}" for one in range(self.n)]).values()
        )


def _explained(found: Components) -> list[Fact]:
    """Each component's share of the variance, and the columns that load most on it."""
    import numpy as np

    matter: Matter = "statistics" if found.matrix.rows >= LEAST_FOR_STATISTICS else "values"
    facts = []
    for place, share in enumerate(found.shares):
        if share <= 1e-12:
            continue
        text = f"PC{place + 1} explains {share:.{DIGITS}g} of the variance"
        facts.append(Fact(text=text, matter=matter, caveat=True))
        loadings = found.loadings[place]
        most = np.argsort(-np.abs(loadings), kind="stable")[:LOADINGS_TOLD]
        signed = (("-" if loadings[m] < 0 else "+") + found.matrix.features[m].name for m in most)
        text = f"PC{place + 1} is mostly {', '.join(signed)}"
        facts.append(Fact(text=text, matter=matter, caveat=True))
    return facts
