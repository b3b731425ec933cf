"""A source: one table of a run, where it is and what is known of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from wideleaf.tools.sources.parts import Facts
from wideleaf.tools.sources.spec import CHOOSES
from wideleaf.tools.tables.relations import GRAPH, Relation

Storage = Literal["parquet", "duckdb", "spark", "database", "lake"]


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
