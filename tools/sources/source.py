"""A source: one table of a run, what is declared of it, and what reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, Self, runtime_checkable

from pydantic import BaseModel, Field

from wideleaf.tools.sources.spec import CHOOSES
from wideleaf.tools.tables.relations import GRAPH, Relation

if TYPE_CHECKING:
    from wideleaf.tools.sources.normal import Normal

Storage = Literal["parquet", "duckdb", "spark", "database", "lake"]
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
        names = set(hidden)
        keys = tuple(key for key in self.foreign_keys if not names & {*key.columns})
        primary = () if names & {*self.primary_key} else self.primary_key
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


class Source(Facts, frozen=True):
    """A table on disk, in a DuckDB file, in Spark or on a database server, and its `Facts`.

    Attributes:
        name: What people and models call it.
        path: A Parquet file, or the DuckDB file.
        origin: What the user handed in, without a password.
        notes: Every repair and coercion, without cell values.
        caveats: Those of the notes that the reader of an answer should know.
        rows: Number of rows, if known.
        columns: Number of columns, if known.
        headers: Pairs of a column's name and the header it had, where they differ.
        place: Who holds it; Parquet is read by every engine, a server answers beside any, the
            others are read by their own alone. A lake is read by Polars, without a copy.
        about: Pairs of a column and what the file itself says it means.
        relations: Of a knowledge graph, what it says; none of any other table.
        frame: Of a frame of an earlier answer, its id; empty for any other table.
        native: A live Spark frame, or a table of a server or a lake; never written anywhere.
    """

    name: str
    path: Path = Path()
    fingerprint: str
    origin: str = ""
    notes: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
    rows: int | None = None
    columns: int | None = None
    headers: tuple[tuple[str, str], ...] = ()
    place: Storage = "parquet"
    about: tuple[tuple[str, str], ...] = ()
    relations: tuple[Relation, ...] = ()
    frame: str = ""
    native: Any = Field(default=None, exclude=True, repr=False)

    @property
    def changes(self) -> tuple[str, ...]:
        """Of the notes those that say more than which type text was read as."""
        return tuple(note for note in self.notes if not note.startswith("Read "))

    @property
    def address(self) -> str:
        """The source as an input that another process can read: ``name=path`` or the like."""
        if self.frame:
            return f"{self.name}={self.origin}"
        places = {
            "parquet": f"{GRAPH if self.relations else ''}{self.path}",
            "duckdb": f"{self.path}{CHOOSES}{self.table}",
            "spark": self.table,
            "database": getattr(self.native, "address", self.origin),
            "lake": self.origin,
        }
        return f"{self.name}={places[self.place]}"


def match_denials(
    columns: Iterable[str], headers: Mapping[str, str], denied: Iterable[str]
) -> list[str]:
    """The columns that are denied by the name they have or by the header they had."""
    folds = {fold_name(name) for name in denied}
    return [c for c in columns if {fold_name(c), fold_name(headers.get(c, c))} & folds]


def fold_name(name: str) -> str:
    """A name as it is compared: without case and surrounding blanks."""
    return name.strip().casefold()
