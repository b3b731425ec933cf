"""Extract: typed values out of texts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from pydantic import Field, field_validator

from wideleaf.tools.actions.reading.reading import Reading, grounds_columns, grounds_names
from wideleaf.tools.verdicts.task import Task, TextField
from wideleaf.tools.verdicts.verdicts import Verdict

if TYPE_CHECKING:
    import polars as pl

MAX_FIELDS = 20


class Extract(Reading):
    """Add columns with values that texts state, typed; null where a text does not; a model reads.

    A date is one that the text gives whole.
    """

    keeps = frozenset(("rows", "order"))
    places = frozenset(("columns",))
    phrases = (
        "extract", "pull out", "out of the text", "stated in", "mentioned in the text",
        "say in the text", "named in the text",
    )  # fmt: skip

    fields: tuple[TextField, ...] = Field(min_length=1, max_length=MAX_FIELDS)
    quote: bool = Field(default=False, description="Add the passage that decides.")

    @field_validator("fields", mode="before")
    @classmethod
    def _read_names(cls, fields: Any) -> Any:
        """A field may be given by its name alone."""
        if isinstance(fields, str | dict):
            fields = [fields]
        if not isinstance(fields, list | tuple):
            return fields
        return [{"name": one} if isinstance(one, str) else one for one in fields]

    @field_validator("fields")
    @classmethod
    def _need_different(cls, fields: tuple[TextField, ...]) -> tuple[TextField, ...]:
        names = [one.name for one in fields]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ValueError(f"two fields are called {twice!r}; give each a name of its own")
        return fields

    @property
    def task(self) -> Task:
        """The values."""
        return Task(kind="extract", columns=self.columns, fields=self.fields, quote=self.quote)

    @property
    def new_columns(self) -> tuple[str, ...]:
        """The values, how sure they are together, and the passage."""
        names = [one.name for one in self.fields]
        return (*names, *grounds_names(self._together, quote=self.quote))

    @property
    def _together(self) -> str:
        """What all values of a row are called: one is called by its name."""
        return self.fields[0].name if len(self.fields) == 1 else "extracted"

    def put(self, frame: pl.DataFrame, found: Sequence[Verdict | None]) -> pl.DataFrame:
        """All rows with their values."""
        import polars as pl

        types = {"number": pl.Float64, "boolean": pl.Boolean, "date": pl.Date, "text": pl.String}
        values = [one.value if one and isinstance(one.value, dict) else {} for one in found]
        new = [
            pl.Series(f.name, [typed(v.get(f.name), f) for v in values], dtype=types[f.kind])
            for f in self.fields
        ]
        return frame.with_columns(*new, *grounds_columns(found, self._together, quote=self.quote))


def typed(value: Any, field: TextField) -> Any:
    """A value as its field wants it; None where it is none of that type.

    Args:
        value: As the reader gave it.
        field: What it is to be.
    """
    if value is None:
        return None
    try:
        if field.kind == "number":
            number = math.nan if isinstance(value, bool) else float(value)
            return number if math.isfinite(number) else None
        if field.kind == "date":
            return date.fromisoformat(str(value))
    except (TypeError, ValueError, OverflowError):
        return None
    if field.kind == "boolean":
        return value if isinstance(value, bool) else None
    return str(value).strip() or None if not isinstance(value, dict | list) else None
