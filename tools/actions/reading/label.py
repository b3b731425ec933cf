"""Label: each text gets one of some classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from wideleaf.tools.actions.reading.reading import Reading, grounds_names, value_columns
from wideleaf.tools.verdicts.task import Task
from wideleaf.tools.verdicts.verdicts import Verdict

if TYPE_CHECKING:
    import polars as pl

MAX_CLASSES = 50
ClassName = Annotated[str, Field(min_length=1, max_length=100)]


class Label(Reading):
    """Add a column with one class for each text; a model reads each text."""

    keeps = frozenset(("rows", "order"))
    in_cascade = True
    phrases = (
        "topic", "classify", "categorise", "categorize", "label the", "kind of complaint",
        "sort into", "what they are about", "theme",
    )  # fmt: skip

    classes: tuple[ClassName, ...] = Field(
        default=(), max_length=MAX_CLASSES, description="Default: the model proposes some."
    )
    by: str = Field(default="", max_length=500, description="What they tell apart, in words.")
    into: str = Field(default="label", min_length=1)
    quote: bool = Field(default=False, description="Add the passage that decides.")

    places = frozenset(("columns",))

    @property
    def task(self) -> Task:
        """Which class it is."""
        return Task(
            kind="label",
            words=self.by,
            columns=self.columns,
            classes=self.classes,
            quote=self.quote,
        )

    @property
    def proposal(self) -> Task:
        """Which classes there are, of several texts at once."""
        return Task(kind="classes", words=self.by, columns=self.columns)

    @property
    def new_columns(self) -> tuple[str, ...]:
        """The class, how sure it is, and the passage."""
        return (self.into, *grounds_names(self.into, quote=self.quote))

    def put(self, frame: pl.DataFrame, found: Sequence[Verdict | None]) -> pl.DataFrame:
        """All rows with their classes."""
        import polars as pl

        return frame.with_columns(value_columns(found, self.into, pl.String, quote=self.quote))

    def tell_cascade(self, count: int, level: float) -> str:
        """What is said of texts that the model was spared."""
        return (
            f"{count} clear texts were labelled by the encoder, at least {level:.0%} of them as "
            "the model would (at 95 % confidence)"
        )
