"""Rank: the rows whose texts meet a criterion most, found by comparing texts in pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import Field

from wideleaf.tools.actions.reading.judge import Words
from wideleaf.tools.actions.reading.reading import Reading, grounds_columns, grounds_names
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.verdicts.task import Task
from wideleaf.tools.verdicts.verdicts import Verdict

if TYPE_CHECKING:
    import polars as pl

MAX_RANKED = 100


class Rank(Reading):
    """The n rows whose texts meet a criterion most, best first; a model compares texts in pairs.

    Rows of equal text share a place, and those of the n-th all stay.
    """

    keeps = frozenset(("rows",))
    phrases = (
        "most serious", "most urgent", "angriest", "happiest", "most convincing", "rank by how",
        "most critical", "worst complaint", "best written", "most enthusiastic",
    )  # fmt: skip

    criterion: Words = Field(description="More of it ranks higher, such as: angry.")
    n: int = Field(default=10, ge=1, le=MAX_RANKED)
    into: str = Field(default="rank", min_length=1)

    @property
    def task(self) -> Task:
        """How much of it each text has, on its own."""
        return Task(kind="grade", words=self.criterion, columns=self.columns)

    def against(self, reference: str) -> Task:
        """Whether a text has more of it than another."""
        return Task(kind="compare", words=self.criterion, columns=self.columns, reference=reference)

    @property
    def new_columns(self) -> tuple[str, ...]:
        """The place, and how sure the model was where it was least sure of it."""
        return (self.into, *grounds_names(self.into, quote=False))

    @property
    def leaves_out(self) -> bool:
        """Always: rows without a place are left out."""
        return True

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, decided by those that are read."""
        return [one.plus((), self.columns) for one in super().needs(need, *headers)]

    def put(self, frame: pl.DataFrame, found: Sequence[Verdict | None]) -> pl.DataFrame:
        """The rows that have a place, in its order."""
        import polars as pl

        places = pl.Series(self.into, [one and one.value for one in found], dtype=pl.Int64)
        sure = grounds_columns(found, self.into, quote=False)
        ranked = frame.with_columns(places, *sure).filter(pl.col(self.into) > 0)
        return ranked.sort(self.into, maintain_order=True)
