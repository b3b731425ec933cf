"""Projection: keep some columns, in the order asked for."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import Field, model_validator
from pydantic.json_schema import SkipJsonSchema, WithJsonSchema

from wideleaf.tools.actions.action import Action
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.columns import OR_RENAMED, Columns, resolve_columns
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.sort_keys import SortKeys
from wideleaf.tools.tables.table import Table

MAX_PLACES = 15
"""A fraction has no more decimals."""
_NEW_NAME = ("as", "name", "alias")
Places = Annotated[int, Field(ge=0, le=MAX_PLACES)]
Rounding = Annotated[Places | dict[str, Places], WithJsonSchema({"type": ["integer", "object"]})]
"""To how many decimals all numbers are rounded, or each column by its name."""


class Projection(Action):
    """Base of actions whose frame has some columns of their input, and all its rows."""

    purpose = "columns"
    keeps = frozenset(("rows", "order"))

    columns: Columns

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns themselves."""
        return [need]

    def run(self, *tables: Table) -> Table:
        """Project."""
        return Table(tables[0].frame.select(*self.columns))


class Select(Projection):
    """Keep only these columns, in this order (projection); {old: new} renames.

    New names, an order and a rounding are steps of their own, for which a call may be short; see
    `tools.steps.shorthand`. An entry ``{"column": x}`` names the column x, or renames one that is
    itself called so: which of the two, the table tells.
    """

    columns: Annotated[Columns, OR_RENAMED]
    rename: SkipJsonSchema[dict[str, str]] = Field(default={})
    either: SkipJsonSchema[tuple[dict[str, str], ...]] = ()
    sort: SkipJsonSchema[SortKeys] = ()
    round: SkipJsonSchema[Rounding | None] = None

    @model_validator(mode="before")
    @classmethod
    def _names_apart(cls, fields: Any) -> Any:
        """A column may be listed with its new name, as ``{old: new}``."""
        entries = fields.get("columns") if isinstance(fields, dict) else None
        entries = [entries] if isinstance(entries, dict) else entries
        if not isinstance(entries, (list, tuple)):
            return fields
        pairs = [pair for one in entries for pair in _pairs(one)]
        rename = {old: new for old, new in pairs if new is not None and isinstance(old, str)}
        update: dict[str, Any] = {"columns": [old for old, _ in pairs]}
        if either := [one for one in entries if _names_a_column(one) and _plain(one)]:
            update["either"] = either
        if rename:
            beside = fields.get("rename") or {}
            update["rename"] = rename | beside if isinstance(beside, dict) else beside
        return fields | update

    @property
    def is_short(self) -> bool:
        """Whether it asks for more than its columns, or the table tells which they are."""
        return bool(self.rename or self.either or self.sort or self.round is not None)

    def resolve(self, *tables: Table) -> Self:
        """Turn families into names.

        Raises:
            ActionError: If a column is unknown, or it is short for several steps.
        """
        if self.rename or self.sort or self.round is not None:
            raise ActionError(
                "Select keeps columns as they are; rename by Derive, and order by Sort",
                kind="argument rename",
            )
        columns = resolve_columns(self.columns, tables[0])
        return self.model_copy(update={"columns": columns, "either": ()})


def _pairs(entry: Any) -> list[tuple[Any, Any]]:
    """What an entry of a list of columns stands for: columns, each with its new name or None."""
    if not isinstance(entry, dict):
        return [(entry, None)]
    if not _names_a_column(entry):
        return [*entry.items()]
    return [(entry["column"], next((entry[key] for key in entry if key != "column"), None))]


def _names_a_column(entry: Any) -> bool:
    """Whether an entry is ``{"column": x}``, alone or with a new name."""
    if not isinstance(entry, dict) or "column" not in entry:
        return False
    return len(entry) == 1 or (len(entry) == 2 and any(key in entry for key in _NEW_NAME))


def _plain(entry: dict[Any, Any]) -> bool:
    return all(isinstance(name, str) for name in entry.values())
