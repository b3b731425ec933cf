"""Figures: aggregates of a column that stand where a condition has a value, as ``{"mean": x}``."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from wideleaf.tools.words import one_line

_BESIDE = ("q", "by")
TOLD = 80
FORMS = 'a value, {"mean": column} or {"column": column}'


def _as_names(given: object) -> object:
    return [given] if isinstance(given, str) else given


class Figure(BaseModel):
    """An aggregate of a column of the same table; which there are `Aggregate` knows.

    Attributes:
        function: As of a measure of `Group`.
        column: Of which column; none counts rows.
        q: Of a quantile.
        by: Of the rows that agree in these columns; of all, if none are named.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    function: str
    column: str | None = None
    q: float | None = Field(default=None, ge=0, le=1)
    by: Annotated[tuple[str, ...], BeforeValidator(_as_names)] = ()

    @model_validator(mode="before")
    @classmethod
    def _in_short(cls, given: Any) -> Any:
        if not isinstance(given, dict) or "function" in given:
            return given
        named = [name for name in given if name not in _BESIDE]
        if len(named) != 1:
            raise ValueError(f"{one_line(str(given), TOLD)} is no aggregate; write {FORMS}")
        beside = {name: given[name] for name in given if name in _BESIDE}
        return {"function": named[0], "column": given[named[0]], **beside}

    def measure(self) -> dict[str, Any]:
        """The measure of `Group` or `Aggregate` that makes it."""
        return self.model_dump(exclude={"by"}, exclude_none=True)

    def __str__(self) -> str:
        of = f" of {self.column}" if self.column else ""
        within = f" by {', '.join(self.by)}" if self.by else ""
        return f"{self.function}{of}{within}"


def move_figure(given: object) -> object:
    """A comparison with the figure or column in its value where they belong."""
    if not isinstance(given, dict):
        return given
    value = given.get("value")
    if not isinstance(value, dict):
        return given
    rest = {name: part for name, part in given.items() if name != "value"}
    if set(value) == {"value"}:
        return rest | {"value": value["value"]}
    if set(value) == {"column"}:
        return rest | {"other": value["column"]}
    return rest | {"figure": value}
