"""PCA: the few directions along which many columns vary most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

import narwhals as nw
from pydantic import Field

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.join import avoid_clashes
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import LEAST_FOR_STATISTICS, Fact, Matter
from wideleaf.tools.tables.columns import Columns, need_kind, resolve_columns
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

EXACT_COLUMNS = 2_000
"""Of more columns the components are found by a randomised method, from a fixed seed."""
LOADINGS_TOLD = 3
DIGITS = 2
"""A share is told with so many, for it hangs on every cell."""


class PCA(Action):
    """Add each row's scores on the principal components of columns, as PC1, PC2 and so on."""

    purpose = "learning"
    lazy = False
    cues = ("principal components", "principal component analysis", "dimensions")

    columns: Columns
    n: int = Field(default=2, ge=1, le=100, description="Components.")
    scale: bool = Field(default=True, description="To unit variance.")
    nulls: Literal["auto", "drop", "mean"] = Field(
        default="auto",
        description="Rows with a null have no scores, or it is taken as the column's mean; auto: "
        "the mean where fewer than half of the rows are whole.",
    )

    def resolve(self, *tables: Table) -> Self:
        """Name the columns.

        Raises:
            ActionError: If one is no number, or they are fewer than components.
        """
        columns = resolve_columns(self.columns, tables[0])
        need_kind(tables[0], columns, "number", "boolean", purpose="PCA")
        if len(columns) < max(self.n, 2):
            raise ActionError(
                f"{len(columns)} columns do not have {self.n} components; name "
                f"{max(self.n, 2)} columns or more",
                kind="argument columns",
            )
        nulls = self.nulls
        if nulls == "auto":
            whole = nw.all_horizontal(
                *(~nw.col(name).is_null() for name in columns), ignore_nulls=True
            )
            counted = (
                tables[0].frame.select(whole=whole.cast(nw.Int64)).select(nw.col("whole").sum())
            )
            there = int(counted.collect().item() or 0)
            nulls = "drop" if 2 * there >= tables[0].count() else "mean"
        return self.model_copy(update={"columns": columns, "nulls": nulls})

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, and those that the components are of."""
        return [need.past(headers[0]).plus(self.column_references(*headers)[0])]

    def run(self, *tables: Table) -> Table:
        """Find the components of the rows that take part and add their scores.

        Raises:
            ActionError: If the table is too large to hold in memory.
        """
        import numpy as np
        import polars as pl

        frame = tables[0].collect(purpose="PCA")
        part = _standardised(frame, self.columns, self.scale, self.nulls)
        scores = np.full((len(frame), self.n), np.nan)
        count = min(self.n, part.cells.shape[1], max(len(part.cells) - 1, 0))
        if count:
            scores[part.complete, :count] = _scores(part.cells, count)
        made = [
            pl.Series(name, scores[:, place], dtype=pl.Float64, nan_to_null=True)
            for place, name in enumerate(self._names(tables[0]))
        ]
        return Table(nw.from_native(frame.with_columns(made).lazy()))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell of rows and columns left out, the variance explained and what each component is."""
        names = self._names(tables[0])
        needed = dict.fromkeys([*self.columns, *names])
        frame = result.collect(*needed, purpose="PCA")
        part = _standardised(frame, self.columns, self.scale, self.nulls)
        rows, facts = len(part.cells), []
        if lost := len(frame) - rows:
            why = "a null in a column" if self.nulls == "drop" else "nulls in all columns"
            text = f"{lost} of {len(frame)} rows have no scores, for {why}"
            facts.append(Fact(text=text, caveat=True))
        if self.nulls == "mean" and (filled := part.filled):
            text = f"{filled} nulls, of {frame.height * len(self.columns)} cells, count as the mean"
            facts.append(Fact(text=f"{text} of their columns", caveat=True))
        if constant := [name for name in self.columns if name not in part.names]:
            text = f"{len(constant)} constant columns took no part"
            facts.append(Fact(text=text, caveat=True))
            shown = ", ".join(map(repr, constant[:LOADINGS_TOLD]))
            facts.append(Fact(text=f"Constant: {shown}", matter="statistics", caveat=True))
        if missing := self.n - min(self.n, len(part.names), max(rows - 1, 0)):
            text = f"{missing} of {self.n} components do not exist and are null"
            facts.append(Fact(text=text, caveat=True))
        if names[0] != "PC1":
            facts.append(Fact(text=f"The scores are {', '.join(map(repr, names))}"))
        if len(part.names) > EXACT_COLUMNS:
            facts.append(Fact(text="Components by a randomised method, to about four digits"))
        matter: Matter = "statistics" if rows >= LEAST_FOR_STATISTICS else "values"
        return facts + _explained(part, frame, names, matter)

    def _names(self, table: Table) -> list[str]:
        return list(
            avoid_clashes(table.columns, [f"PC{one + 1}" for one in range(self.n)]).values()
        )


class _Part(NamedTuple):
    """What takes part: which rows are complete, which columns vary, their standardised cells."""

    complete: np.ndarray[Any, Any]
    names: list[str]
    cells: np.ndarray[Any, Any]
    filled: int = 0


def _standardised(
    frame: pl.DataFrame, columns: Sequence[str], scale: bool, nulls: str = "drop"
) -> _Part:
    """Centre the cells of the rows that take part and, if asked, to unit variance."""
    import numpy as np
    import polars as pl

    floats = frame.select(pl.col(list(columns)).cast(pl.Float64))
    cells = floats.to_numpy()  # a null becomes NaN
    there = np.isfinite(cells)
    complete = there.any(axis=1) if nulls == "mean" else there.all(axis=1)
    cells, there = cells[complete], there[complete]
    if not len(cells):
        return _Part(complete, [], cells[:, :0])
    filled = int((~there).sum())
    if filled:
        sums = np.where(there, cells, 0.0).sum(axis=0)
        means = sums / np.maximum(there.sum(axis=0), 1)
        cells = np.where(there, cells, means)
    varies = cells.min(axis=0) != cells.max(axis=0)
    cells = cells[:, varies]
    cells = cells - cells.mean(axis=0)
    if scale:
        cells = cells / np.sqrt((cells**2).sum(axis=0) / max(len(cells) - 1, 1))
    names = [name for name, does in zip(columns, varies, strict=True) if does]
    return _Part(complete, names, cells, filled)


def _scores(cells: np.ndarray[Any, Any], count: int) -> np.ndarray[Any, Any]:
    """Scores whose component has its loading of largest size positive."""
    import numpy as np
    from sklearn.decomposition import PCA as Decomposition  # type: ignore[import-untyped]

    solver = "covariance_eigh" if cells.shape[1] <= EXACT_COLUMNS else "randomized"
    found = Decomposition(n_components=count, svd_solver=solver, random_state=0)
    scores: np.ndarray[Any, Any] = found.fit_transform(cells)
    loadings = found.components_
    largest = np.abs(loadings).argmax(axis=1)
    return scores * np.where(loadings[np.arange(count), largest] < 0, -1.0, 1.0)


def _explained(
    part: _Part, frame: pl.DataFrame, names: Sequence[str], matter: Matter
) -> list[Fact]:
    """Each component's share of the variance, and the columns that load most on it."""
    import numpy as np

    total = (part.cells**2).sum()
    facts = []
    for place, name in enumerate(names):
        scores = frame[name].to_numpy()[part.complete]
        size = scores @ scores
        if not len(scores) or not np.isfinite(size) or size <= 1e-12 * total:
            continue
        text = f"PC{place + 1} explains {size / total:.{DIGITS}g} of the variance"
        facts.append(Fact(text=text, matter=matter, caveat=True))
        loadings = scores @ part.cells / size
        most = np.argsort(-np.abs(loadings), kind="stable")[:LOADINGS_TOLD]
        listed = ", ".join(("-" if loadings[m] < 0 else "+") + part.names[m] for m in most)
        text = f"PC{place + 1} is mostly {listed}"
        facts.append(Fact(text=text, matter=matter, caveat=True))
    return facts
