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
from wideleaf.tools.errors import ActionError, need_none
from wideleaf.tools.privacy import Fact, caveat, caveats
from wideleaf.tools.tables.columns import Column, need_free, need_kind, resolve_column
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import MAX_CELLS, Table

if TYPE_CHECKING:
    import polars as pl

MAX_NEW = 1_000
"""So many columns may be made."""


class Split(Action):
    """Take texts apart, each part a row (other cells repeat) or a column."""

    purpose = "reshape"
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
        default=None, min_length=1, max_length=MAX_NEW, description="Of the new columns."
    )
    count: int | None = Field(default=None, ge=1, le=MAX_NEW, description="Of new columns.")
    strip: bool = Field(default=True, description="Blanks around.")

    @field_validator("separator", mode="before")
    @classmethod
    def _read_separator(cls, separator: object) -> object:
        return SPELLINGS.get(str(separator).lower(), separator)

    def resolve(self, *tables: Table) -> Self:
        """Name the columns and find what the texts look like.

        Raises:
            ActionError: If the column is no text, a name is taken, or arguments do not go together.
        """
        table = tables[0]
        column = resolve_column(self.column, table)
        need_kind(table, [column], "text", purpose="Split")
        fields: dict[str, Any] = {
            "column": column,
            "into": self.into or ("columns" if self.names or self.count else "rows"),
            "separator": self.separator or (LIST if look_like_lists(table, column) else COMMA),
        }
        resolved = self.model_copy(update=fields)
        resolved._need_fitting()
        if resolved.into == "columns":
            fields["names"] = resolved._new_columns(table)
        else:
            fields["name"] = self.name or column
        resolved = self.model_copy(update=fields)
        headers = {*table.columns} - ({column} if resolved.name == column else set())
        for name in resolved.new_names:
            need_free(name, headers, "parts")
            headers.add(name)
        return resolved

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, and for parts the text; as rows, there are as many as it has parts."""
        cut = Need(frozenset({self.column}))
        base = need.past(headers[0], dict.fromkeys(self.new_names, cut))
        return [base.plus((), {self.column}) if self.into == "rows" else base]

    def run(self, *tables: Table) -> Table:
        """Take the texts apart.

        Raises:
            ActionError: If the table is too large to hold in memory, or would become so.
        """
        frame = tables[0].collect(purpose="Split")
        parts = take_apart(frame[self.column], str(self.separator))
        put = self._as_rows if self.into == "rows" else self._as_columns
        result = put(frame, parts)
        return Table(nw.from_native(result.lazy()))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell how many parts there were, and which texts have fewer, more or none."""
        cells = tables[0].collect(self.column, purpose="Split")[self.column]
        parts = take_apart(cells, str(self.separator))
        rows, facts = self.into == "rows", list[Fact]()
        sizes = (without_blanks(parts, self.strip) if rows else parts).list.len().fill_null(0)
        most, count = max(sizes.to_list(), default=0), len(self.new_names)
        if rows:
            empty = int((sizes == 0).sum())
            text = f"{result.count()} rows came of {len(cells)}, {most} of a text at most"
            facts.append(caveat(f"{text}; the other cells repeat"))
            facts += caveats((empty, f"{empty} rows have no part: null"))
        else:
            fewer = int(((sizes < count) & (cells.str.strip_chars(BLANKS) != "")).sum())
            more = int((sizes > count).sum())
            facts.append(Fact(text=f"A text has {most} parts at most, for {count} columns"))
            facts += caveats(
                (fewer, f"{fewer} texts have fewer parts than columns: the last are null"),
                (
                    more,
                    f"{more} texts have more parts than columns: the last column holds the rest",
                ),
            )
        whole = f"no text has more than one part; the separator is {self.separator!r}"
        facts += caveats((len(cells) and most <= 1, whole))
        if self.separator == LIST:
            there = [text for text in cells.drop_nulls() if text.strip()]
            odd = sum(list_items(text) is None for text in there)
            facts.append(Fact(text="Texts were read as lists of items; the items are texts"))
            facts += caveats((odd, f"{odd} texts are no list and stay whole"))
        return facts

    @property
    def new_names(self) -> tuple[str, ...]:
        """The names of the columns that hold parts, and of that which numbers them."""
        if self.into == "columns":
            return self.names or ()
        return (str(self.name), *([self.place] if self.place else []))

    def _as_rows(self, frame: pl.DataFrame, parts: pl.Series) -> pl.DataFrame:
        """A row for each part that is not empty; one with a null where there is none."""
        import polars as pl

        pieces = without_blanks(parts, self.strip)
        sizes = pieces.list.len().fill_null(0).cast(pl.Int64)
        rows = int(sizes.clip(1).sum())
        if rows * (frame.width + 1) > MAX_CELLS:
            raise ActionError(
                f"{rows} rows x {frame.width + 1} columns would be made, more than {MAX_CELLS} "
                "cells; Select columns, Filter rows or Sample first",
                kind="too large",
            )
        numbers = [pl.int_ranges(1, sizes + 1).alias(self.place)] if self.place else []
        result = frame.with_columns(pieces.alias(str(self.name)), *numbers)
        return result.explode(self.new_names, empty_as_null=True)

    def _as_columns(self, frame: pl.DataFrame, parts: pl.Series) -> pl.DataFrame:
        """A column for each part, the last with what is beyond; an empty part is null."""
        import polars as pl

        rest = parts.list.slice(len(self.new_names) - 1).list.join(joint(str(self.separator)))
        columns = []
        for place, name in enumerate(self.new_names):
            last = place == len(self.new_names) - 1
            cell = pl.lit(rest if last else parts.list.get(place, null_on_oob=True))
            cell = cell.str.strip_chars(BLANKS) if self.strip else cell
            columns.append(pl.when(cell != "").then(cell).alias(name))
        return frame.with_columns(columns)

    def _new_columns(self, table: Table) -> tuple[str, ...]:
        """The names of the new columns; as many as the most parts of a text if none are given."""
        if self.names:
            return self.names
        count = self.count
        if count is None:
            cells = table.collect(self.column, purpose="Split")[self.column]
            sizes = take_apart(cells, str(self.separator)).list.len().drop_nulls()
            count = max([1, *sizes.unique()])
        if count > MAX_NEW:
            raise ActionError(
                f"a text of {self.column!r} has {count} parts, more than {MAX_NEW} columns; take "
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
        others = ("names", "count") if self.into == "rows" else ("name", "place")
        need_none(f"into {self.into}", {name: getattr(self, name) for name in others})
        if self.names and self.count not in (None, len(self.names)):
            raise ActionError(
                f"{len(self.names)} names and a count of {self.count}; give one of the two",
                kind="argument count",
            )
