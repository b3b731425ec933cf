"""A measure of a table: a name for what is worked out of its columns, row by row."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, JsonValue


class Measure(BaseModel):
    """What a user calls a figure, and how it comes out of a row.

    Attributes:
        name: What it is called, such as ``revenue``.
        formula: As the user wrote it, ``price * quantity``.
        expression: The same as `Derive` takes it.
        columns: The columns it is made of.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    formula: str
    expression: dict[str, JsonValue]
    columns: tuple[str, ...]

    def beside(self, meaning: str) -> str:
        """What a column means, with the measure that it is a part of."""
        return f"{meaning}; {self._part}" if meaning else self._part

    def taken_from(self, meaning: str) -> str:
        """The meaning without what `beside` put to it."""
        return meaning.removesuffix(self._part).removesuffix("; ")

    @property
    def _part(self) -> str:
        return f"part of {self}"

    def __str__(self) -> str:
        return f"{self.name} = {self.formula}"
