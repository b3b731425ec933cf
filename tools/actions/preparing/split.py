"""Split: texts that hold several things, taken apart into rows or columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import narwhals as nw
from pydantic import Field, field_validator

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.joining.keys import avoid_clashes
from wideleaf.tools.actions.preparing.parts import (
    COMMA,
    LIST,
    SPELLINGS,
    joint,
    list_items,
    look_like_lists,
    take_apart,
    without_blanks,
)
from wideleaf.tools.conditions.literals import BLANKS
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.columns import Column, need_kind, resolve_column
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import MOST_CELLS, Table

if TYPE_CHECKING:
    import polars as pl

MOST_NEW = 1_000
"""So many columns may be made."""


class Split(Action):
    """Take texts apart, each part a row (other cells repeat) or a column."""

    purpose = "shape"
    lazy = False
    phrases = (
        "split into rows", "split into columns", "split the cells", "split the values",
        "split the column", "split the text", "split the names", "split the list", "split each",
        "split by comma", "explode", "exploded",
        "comma separated", "separated by", "delimited by", "several values in a cell",
        "multiple values in one cell", "one row per item", "one row per tag", "a row for each",
        "into separate rows", "into separate columns",
    )  # fmt: skip

    column: Column
    separator: str | None = Field(
        default=None,
        min_length=1,
        description="Or whitespace, or list. Default: list where all look like ['a', 'b'], else ,",
    )
    into: Literal["rows", "columns"] | None = Field(default=None, description="Default: rows.")
    name: str | None = Field(default=None, min_length=1, description="Of the parts, in rows.")
    place: str | None = Field(
        default=None, min_length=1, description="Of a column for the part's number."
    )
    names: tuple[str, ...] | None = Field(
        default=None, min_length=1, max_length=MOST_NEW, description="Of the new columns."
    )
    count: int | None = Field(default=None, ge=1, le=MOST_NEW, description="Of new columns.")
    strip: bool = Field(default=True, description="Blanks around.")

    @field_validator("separator", mode="before")
    @classmethod
    def _spelled(cls, separator: object) -> object:
        return SPELLINGS.get(str(separator).lower(), separator)

    def resolve(self, *tables: Table) -> Self:
        """Name the columns and find what the texts look like.

        Raises:
            ActionError: If the column is no text, a name is taken, or arguments do not go together.
        """
        table = tables[0]
        column = resolve_column(self.column, table)
        need_kind(table, [column], "text", purpose="Split")
        into = self.into or ("columns" if self.names or self.count else "rows")
        separator = self.separator or (LIST if look_like_lists(table, column) else COMMA)
        made: dict[str, Any] = {"column": column, "into": into, "separator": separator}
        resolved = self.model_copy(update=made)
        resolved._need_fitting()
        if into == "columns":
            resolved = resolved.model_copy(update={"names": resolved._new_columns(table)})
        else:
            resolved = resolved.model_copy(update={"name": self.name or column})
        resolved._need_free(table)
        return resolved

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, and for parts the text; as rows, there are as many as it has parts."""
        cut = Need(frozenset({self.column}))
        read = need.past(headers[0], dict.fromkeys(self.new_names, cut))
        return [read.plus((), {self.column}) if self.into == "rows" else read]

    def run(self, *tables: Table) -> Table:
        """Take the texts apart.

        Raises:
            ActionError: If the table is too large to hold in memory, or would become so.
        """
        frame = tables[0].collect(purpose="Split")
        parts = take_apart(frame[self.column], str(self.separator))
        made = self._as_rows(frame, parts) if self.into == "rows" else self._beside(frame, parts)
        return Table(nw.from_native(made.lazy()))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell how many parts there were, and which texts have fewer, more or none."""
        cells = tables[0].collect(self.column, purpose="Split")[self.column]
        parts = take_apart(cells, str(self.separator))
        rows, facts = self.into == "rows", list[Fact]()
        sizes = (without_blanks(parts, self.strip) if rows else parts).list.len().fill_null(0)
        most, count = max(sizes.to_list(), default=0), len(self.new_names)
        if rows:
            text = f"{result.count()} rows came of {len(cells)}, {most} of a text at most"
            facts.append(Fact(text=f"{text}; the other cells repeat", caveat=True))
            if empty := int((sizes == 0).sum()):
                facts.append(Fact(text=f"{empty} rows have no part: null", caveat=True))
        else:
            facts.append(Fact(text=f"A text has {most} parts at most, for {count} columns"))
            if fewer := int(((sizes < count) & (cells.str.strip_chars(BLANKS) != "")).sum()):
                text = f"{fewer} texts have fewer parts than columns: the last are null"
                facts.append(Fact(text=text, caveat=True))
            if more := int((sizes > count).sum()):
                text = f"{more} texts have more parts than columns: the last column holds the rest"
                facts.append(Fact(text=text, caveat=True))
        if len(cells) and most <= 1:
            text = f"no text has more than one part; the separator is {self.separator!r}"
            facts.append(Fact(text=text, caveat=True))
        if self.separator == LIST:
            facts.append(Fact(text="Texts were read as lists of items; the items are texts"))
            if odd := sum(
                bool(one.strip()) and list_items(one) is None for one in cells.drop_nulls()
            ):
                facts.append(Fact(text=f"{odd} texts are no list and stay whole", caveat=True))
        return facts

    @property
    def new_names(self) -> tuple[str, ...]:
        """The names of the columns that hold parts, and of that which numbers them."""
        if self.into == "columns":
            return self.names or ()
        return (str(self.name), *([self.place] if self.place else []))

    def _as_rows(self, frame: pl.DataFrame, parts: pl.Series) -> pl.DataFrame:
        """A row for each part that is not empty; one with a null where there is none."""
        import numpy as np
        import polars as pl

        kept = without_blanks(parts, self.strip)
        sizes = kept.list.len().fill_null(0)
        kept = kept.zip_with(sizes > 0, pl.Series([None], dtype=pl.List(pl.String)))
        rows = int(sizes.clip(1).sum())
        if rows * (frame.width + 1) > MOST_CELLS:
            raise ActionError(
                f"{rows} rows x {frame.width + 1} columns would be made, more than {MOST_CELLS} "
                "cells; Select columns, Filter rows or Sample first",
                kind="too large",
            )
        places = pl.when(sizes > 0).then(pl.int_ranges(1, sizes.cast(pl.Int64) + 1))
        repeated = frame[np.repeat(np.arange(len(frame)), sizes.clip(1).to_numpy())]
        name, *place = self.new_names
        made = [kept.explode().alias(name)]
        made += [pl.select(places).to_series().explode().alias(one) for one in place]
        return repeated.with_columns(made)

    def _beside(self, frame: pl.DataFrame, parts: pl.Series) -> pl.DataFrame:
        """A column for each part, the last with what is beyond; an empty part is null."""
        import polars as pl

        *names, last = self.names or ()
        made = [
            parts.list.get(place, null_on_oob=True).alias(name) for place, name in enumerate(names)
        ]
        rest = parts.list.slice(len(names)).list.join(joint(str(self.separator)))
        made.append(rest.alias(last))
        cells = [
            pl.col(name).str.strip_chars(BLANKS) if self.strip else pl.col(name)
            for name in self.names or ()
        ]
        cells = [pl.when(cell != "").then(cell).name.keep() for cell in cells]
        return frame.hstack(pl.DataFrame(made).select(cells))

    def _new_columns(self, table: Table) -> tuple[str, ...]:
        """The names of the new columns; as many as the most parts of a text if none are given."""
        if self.names:
            return self.names
        count = self.count
        if count is None:
            cells = table.collect(self.column, purpose="Split")[self.column]
            sizes = take_apart(cells, str(self.separator)).list.len().drop_nulls()
            count = max([1, *sizes.unique()])
        if count > MOST_NEW:
            raise ActionError(
                f"a text of {self.column!r} has {count} parts, more than {MOST_NEW} columns; take "
                "into rows, or give count",
                kind="too large",
            )
        stems = [f"{self.column}_{place}" for place in range(1, count + 1)]
        return tuple(avoid_clashes(table.columns, stems).values())

    def _need_fitting(self) -> None:
        """Refuse arguments that are of the other way.

        Raises:
            ActionError: Says which.
        """
        of_rows, of_columns = ("name", "place"), ("names", "count")
        for name in of_columns if self.into == "rows" else of_rows:
            if getattr(self, name):
                raise ActionError(
                    f"into {self.into} takes no {name}; leave it out", kind=f"argument {name}"
                )
        if self.names and self.count not in (None, len(self.names)):
            raise ActionError(
                f"{len(self.names)} names and a count of {self.count}; give one of the two",
                kind="argument count",
            )

    def _need_free(self, table: Table) -> None:
        """Refuse names that are taken, or given twice.

        Raises:
            ActionError: Names the first.
        """
        taken = {*table.columns}
        if self.into == "rows":
            taken.discard(self.column if self.name == self.column else "")
        for name in self.new_names:
            if name in taken:
                raise ActionError(
                    f"there is a column {name!r} already; give the parts another name",
                    kind="name taken",
                )
            taken.add(name)
