"""Parts: one table of a thing that holds several, such as a database; what was declared of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self, runtime_checkable

from pydantic import BaseModel

if TYPE_CHECKING:
    from wideleaf.tools.sources.normal import Normal

Progress = Callable[[str], None] | None
FACTS_KEY = "wideleaf.table"
"""Where a normalised table's Parquet file keeps its `Facts`."""


@runtime_checkable
class TableHandle(Protocol):
    """One table of a database, a workbook or the like, not read yet."""

    @property
    def origin(self) -> str:
        """Where it is, in words that may be shown: never with a password."""

    def read(self, folder: Path, denied: Sequence[str], progress: Progress) -> Normal:
        """Make one Parquet file of it, without the denied columns.

        Raises:
            SourceError: If it cannot be read.
        """

    def close(self) -> None:
        """Let go of what reading has opened, if anything; reading again opens it again."""
        return None


class ForeignKey(BaseModel, frozen=True):
    """Columns whose cells are keys of another table, as a database declares it.

    Attributes:
        columns: Of the table that declares it.
        table: The other table, as the database calls it.
        other_columns: Its columns, in the order of `columns`.
    """

    columns: tuple[str, ...]
    table: str
    other_columns: tuple[str, ...]


class Facts(BaseModel, frozen=True):
    """What a database says of a table, kept beside the table's rows.

    Attributes:
        fingerprint: Of its content.
        database: Tells databases apart; a hash, so that it gives nothing away; empty for files.
        table: The table, as the database calls it.
        primary_key: Its columns; none if none is declared.
        foreign_keys: What it points at, in the database's terms; see `Catalog.foreign_keys`.
        withheld: Denied columns that it has; they were not read.
    """

    fingerprint: str = ""
    database: str = ""
    table: str = ""
    primary_key: tuple[str, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    withheld: tuple[str, ...] = ()

    def without(self, hidden: Sequence[str]) -> Self:
        """The same without the keys that have a hidden column."""
        gone = set(hidden)
        keys = tuple(key for key in self.foreign_keys if not gone & {*key.columns})
        primary = () if gone & {*self.primary_key} else self.primary_key
        return self.model_copy(update={"foreign_keys": keys, "primary_key": primary})


class Link(NamedTuple):
    """A foreign key between two tables of a run, by their names in it."""

    table: str
    columns: tuple[str, ...]
    other: str
    other_columns: tuple[str, ...]

    def __str__(self) -> str:
        left, right = ", ".join(self.columns), ", ".join(self.other_columns)
        return f"{self.table}.{left} -> {self.other}.{right}"


def read_facts(path: Path) -> Facts:
    """The facts that a normalised Parquet file carries; empty ones if it carries none."""
    import pyarrow.parquet as pq  # type: ignore[import-untyped]  # it ships no types

    text = (pq.read_metadata(path).metadata or {}).get(FACTS_KEY.encode())
    return Facts.model_validate_json(text) if text else Facts()
