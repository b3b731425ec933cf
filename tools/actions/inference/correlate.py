"""Correlate: how one number moves with each of many others, or all of them with each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

import narwhals as nw
from pydantic import ConfigDict, Field, field_validator

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.inference.association import MAX_LEVELS, MIN_PAIRS, tell_thin
from wideleaf.tools.actions.inference.correlate_groups import Method, find_pairs, frame_of
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact, caveat, caveats, matter_of
from wideleaf.tools.tables.columns import (
    Column,
    Columns,
    need_kind,
    resolve_column,
    resolve_columns,
    resolve_groups,
)
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Kind, Table
from wideleaf.tools.words import p_text

if TYPE_CHECKING:
    import polars as pl

MAX_COLUMNS = 3_000
"""Of which all pairs are made."""
LEVEL = 0.05
FEW = 30
MANY = 20
"""Of so many correlations one is expected below the level by chance."""
MEANING_OF_MIXED = (
    "correlation is Pearson's r of two numbers, true and false being 1 and 0; of a text and a "
    "number the correlation ratio eta, and of two texts Cramér's V, which have no sign"
)
RESULTS = ("column", "other", "correlation", "p_value", "rows")
_NUMBERS: tuple[Kind, ...] = ("number", "boolean")
_SPELLINGS = {
    "linear": "pearson",
    "rank": "spearman",
    "rho": "spearman",
    "tau": "kendall",
    "kendall tau": "kendall",
    "auto": "mixed",
}


class Correlate(Action):
    """Correlations, strongest first: column, other (of all pairs), correlation, p_value, rows."""

    purpose = "statistics"
    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    lazy = False
    phrases = (
        "correlation", "correlate", "correlated", "correlations", "related to", "relate to",
        "relation between", "relationship between", "associated with", "association between",
        "depend on", "main factor", "factors affect", "factors influence", "contribute to",
        "contributes most", "influence on", "influences", "causally", "effect on", "impact on",
        "drivers of", "correlation matrix", "pearson", "spearman", "kendall", "move together",
    )  # fmt: skip

    column: Column | None = Field(default=None, description="Default: all pairs of with.")
    with_: Columns | None = Field(
        default=None,
        alias="with",
        description="Names or families. Default: all other number columns.",
    )
    method: Method = Field(
        default="pearson", description="mixed, by kinds: Pearson, eta, Cramér's V."
    )
    by: Columns | None = Field(default=None, description="In each of these groups.")
    limit: int | None = Field(default=None, ge=1, description="So many strongest.")

    @field_validator("method", mode="before")
    @classmethod
    def _spelled(cls, method: object) -> object:
        words = str(method).lower().replace("'s", "").replace("_", " ").strip()
        return _SPELLINGS.get(words, words)

    def resolve(self, *tables: Table) -> Self:
        """Name the columns.

        Raises:
            ActionError: If one is of no kind that goes, there is no other, or there are too many.
        """
        table = tables[0]
        kinds = (*_NUMBERS, "text") if self.method == "mixed" else _NUMBERS
        column = None if self.column is None else resolve_column(self.column, table)
        need_kind(table, [column] if column else (), *kinds, purpose="Correlate")
        by = resolve_groups(self.by, table, "Correlate's")
        self._refuse_keys(by or (), column)
        if self.with_ is None:
            default_kinds = kinds if self.method == "mixed" else ("number",)
            candidates = tuple(name for name in table.columns if table.kind(name) in default_kinds)
            candidates = tuple(name for name in candidates if name not in (by or ()))
        else:
            candidates = resolve_columns(self.with_, table)
            need_kind(table, candidates, *kinds, purpose="Correlate")
            self._refuse_keys(by or (), *candidates)
        others = tuple(name for name in candidates if name != column)
        if column is None:
            self._refuse_pairs(others)
        elif not others:
            raise ActionError(
                f"there is no number column beside {column!r} to correlate it with",
                kind="argument with",
            )
        return self.model_copy(update={"column": column, "with_": others, "by": by})

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns that the rows are about, and those that group the rows."""
        own = frozenset((*(self.with_ or ()), *([self.column] if self.column else ())))
        return [Need(own, frozenset(self.by or ()))]

    def run(self, *tables: Table) -> Table:
        """Read the columns, those that one is correlated with in chunks.

        Raises:
            ActionError: If columns are too large to hold in memory, or there are too many pairs.
        """
        pairs = find_pairs(self, tables[0])
        frame, more = frame_of(self, pairs)
        facts = self._facts(pairs, more, tables[0].count())
        return Table(nw.from_native(frame.lazy()), found=facts)

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell the strongest, how many to expect by chance, and of what lacks rows or is null."""
        facts: list[Fact] = self.recall(tables, result)
        return facts

    @property
    def names(self) -> tuple[str, ...]:
        """The columns by their places in the pairs."""
        return (*([self.column] if self.column else ()), *(self.with_ or ()))

    def _facts(self, pairs: pl.DataFrame, more: int, total: int) -> list[Fact]:
        """What is told of the pairs of all groups, kept or not.

        Args:
            pairs: As `find_pairs` found them.
            more: How many a limit keeps beyond itself, since they are as strong as the last.
            total: The rows of the table.
        """
        correlations = pairs.drop_nulls("size")
        undefined, partial = (
            len(pairs) - len(correlations),
            int((pairs["rows"] < pairs["of"]).sum()),
        )
        few, mixed = int((correlations["rows"] < FEW).sum()), self.method == "mixed"
        what = ("pairs" if self.column is None else "columns") + " of groups" * bool(self.by)
        why = f"constant, or under {MIN_PAIRS} rows"
        why += f", or a text of more than {MAX_LEVELS} values or of one for every other row" * mixed
        facts = (
            self._strongest(correlations, pairs["p_value"].drop_nulls())
            if len(correlations)
            else []
        )
        facts += caveats(
            (undefined, f"{undefined} {what} have no correlation: {why}"),
            (
                partial,
                f"{partial} correlations leave out rows of {'their group' if self.by else total}, "
                "where a cell is null",
            ),
            (
                few,
                f"{few} correlations are of under {FEW} rows, where chance alone makes large ones",
            ),
        )
        facts += tell_thin(int(pairs["thin"].sum()))
        text = f"{more} more than the limit of {self.limit} are kept: as strong as the last"
        facts += caveats((more, text))
        return [*facts, Fact(text=MEANING_OF_MIXED)] if mixed else facts

    def _strongest(self, correlations: pl.DataFrame, p_values: pl.Series) -> list[Fact]:
        """The strongest of the correlations that are defined, and what chance makes of many."""
        from scipy import stats  # type: ignore[import-untyped]

        best = correlations.row(correlations["size"].abs().arg_max() or 0, named=True)
        one, other = (self.names[best[end]] for end in ("left", "right"))
        matter, tested = matter_of(best["rows"]), len(p_values)
        text = f"The strongest{' of any group' * bool(self.by)} is of {one!r} and {other!r}: "
        text += f"{best['size']:.2g} ({p_text(best['p_value'])}, {best['rows']} rows)"
        facts = [caveat(text, matter)]
        if tested >= MANY:
            below = int((p_values < LEVEL).sum())
            sure = int((stats.false_discovery_control(p_values) < LEVEL).sum())
            chance = LEVEL * tested
            about = f"{chance:.0f}" if chance >= 10 else f"{chance:.2g}"
            text = f"Of {tested} correlations about {about} would have p < {LEVEL} by chance; "
            text += f"{below} have, and {sure} still after Benjamini and Hochberg"
            facts.append(caveat(text, matter))
        return facts

    def _refuse_keys(self, by: Sequence[str], *columns: str | None) -> None:
        if both := [name for name in columns if name in by]:
            raise ActionError(
                f"by names {both[0]!r}, which is to be correlated and is one value in each group",
                kind="argument by",
            )
        if clashes := [name for name in by if name in RESULTS]:
            raise ActionError(
                f"by names {clashes[0]!r}, as a column of the result is called; give it another "
                "name first: Select with rename",
                kind="taken name",
            )

    def _refuse_pairs(self, names: Sequence[str]) -> None:
        if len(names) < 2:
            raise ActionError(
                "all pairs need two columns or more; name them in with, or give column",
                kind="argument with",
            )
        if len(names) > MAX_COLUMNS:
            pairs = len(names) * (len(names) - 1) // 2
            raise ActionError(
                f"{len(names)} columns make {pairs} pairs, and {MAX_COLUMNS} columns are the most "
                "that all pairs are made of; name fewer in with, or give column",
                kind="too large",
            )
