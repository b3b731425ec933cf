"""Judge: rows whose text meets a criterion that only a reader can decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from wideleaf.tools.actions.reading.reading import (
    Reading,
    grounds_columns,
    grounds_names,
    value_columns,
)
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.verdicts.task import Task
from wideleaf.tools.verdicts.verdicts import Verdict

if TYPE_CHECKING:
    import polars as pl

MAX_WORDS = 2_000
KEPT = "judged"
Words = Annotated[str, Field(min_length=1, max_length=MAX_WORDS)]


class Judge(Reading):
    """Keep the rows whose text meets a criterion in words; a model reads each text.

    After the semantic filter of LOTUS (Patel et al. 2024).
    """

    keeps = frozenset(("rows", "order"))
    in_cascade = True
    phrases = (
        "complain about", "mention", "talk about", "speak of", "describe", "is about", "are about",
        "what people say", "in words", "meaning of the text", "sentiment", "positive", "negative",
    )  # fmt: skip

    criterion: Words = Field(description="True of a text, such as: complains about the battery.")
    into: str | None = Field(
        default=None,
        min_length=1,
        description="A truth column x for all rows, none left out, and x_confidence.",
    )
    quote: bool = Field(
        default=False, description="Add the passage that decides, and how sure the model is."
    )

    @property
    def task(self) -> Task:
        """Whether the criterion holds."""
        return Task(kind="judge", words=self.criterion, columns=self.columns, quote=self.quote)

    @property
    def new_columns(self) -> tuple[str, ...]:
        """The truth and how sure it is; of a filter nothing, or the passage and how sure it is.

        A filter keeps its columns by default, so that what two keep can be united or compared.
        """
        if self.into:
            return (self.into, *grounds_names(self.into, quote=self.quote))
        return grounds_names(KEPT, quote=True) if self.quote else ()

    @property
    def leaves_out(self) -> bool:
        """Whether rows are left out: where no column takes the truth."""
        return self.into is None

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns; where rows are left out, those that are read decide."""
        deciding = () if self.into else self.columns
        return [one.plus((), deciding) for one in super().needs(need, *headers)]

    def put(self, frame: pl.DataFrame, found: Sequence[Verdict | None]) -> pl.DataFrame:
        """The rows that meet it, or all with the truth beside them."""
        import polars as pl

        if self.into:
            return frame.with_columns(value_columns(found, self.into, pl.Boolean, quote=self.quote))
        fits = pl.Series([one is not None and one.value is True for one in found], dtype=pl.Boolean)
        grounds = grounds_columns(found, KEPT, quote=True) if self.quote else []
        return frame.with_columns(grounds).filter(fits)
