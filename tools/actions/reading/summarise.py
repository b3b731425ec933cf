"""Summarise: one text for the texts of each group."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import narwhals as nw
from pydantic import Field

from wideleaf.tools.actions.reading.judge import MAX_WORDS
from wideleaf.tools.actions.reading.reading import (
    Reading,
    grounds_names,
    texts_of,
    value_columns,
)
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.columns import need_free, resolve_groups
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table
from wideleaf.tools.verdicts.task import Task, digest

if TYPE_CHECKING:
    import polars as pl

ROWS = "rows"
MAX_GROUPS = 1_000


class TextGroup(NamedTuple):
    """The texts of a group.

    Attributes:
        cells: Its keys.
        rows: How many rows it has.
        texts: Their texts, each once, in the order of rows.
    """

    cells: tuple[Any, ...]
    rows: int
    texts: tuple[str, ...]

    @property
    def key(self) -> str:
        """What tells its texts from those of another."""
        return digest(sorted(self.texts))


class Summarise(Reading):
    """Sum up texts: a summary for each group, or one for all; a model reads them, in parts."""

    phrases = (
        "sum up", "summarise", "summarize", "summary of", "in a few words", "gist",
        "what do they say", "what people write", "main points",
    )  # fmt: skip

    about: str = Field(
        default="", max_length=MAX_WORDS, description="What of them to sum up, such as: dosage."
    )
    by: tuple[str, ...] | None = Field(default=None, description="Keys of groups.")
    into: str = Field(default="summary", min_length=1)

    @property
    def task(self) -> Task:
        """A summary of several texts."""
        return Task(kind="summarise", words=self.about, columns=self.columns)

    @property
    def new_columns(self) -> tuple[str, ...]:
        """None beside the rows of its input."""
        return ()

    def resolve(self, *tables: Table) -> Self:
        """Name keys and columns.

        Raises:
            ActionError: If one does not exist, the summary's name is a key's, or there are too
                many groups.
        """
        by = resolve_groups(self.by, tables[0], "Summarise")
        for name in (self.into, *grounds_names(self.into, quote=False)):
            need_free(name, [*(by or ()), ROWS], "summaries")
        resolved = super().resolve(*tables).model_copy(update={"by": by})
        count = len(resolved.groups(tables[0]))
        if count > MAX_GROUPS:
            raise ActionError(
                f"{count} groups would have a summary each, more than {MAX_GROUPS}; take fewer "
                "keys, or Filter first",
                kind="too large",
            )
        return resolved

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The keys, and for summaries the texts."""
        by = self.by or ()
        sources = {name: Need(frozenset({name})) for name in by}
        for name in (self.into, *grounds_names(self.into, quote=False)):
            sources[name] = Need(frozenset(self.columns))
        return [need.through(sources).plus((), by)]

    def groups(self, table: Table) -> list[TextGroup]:
        """The texts of each group, in the order of keys."""
        names = dict.fromkeys((*(self.by or ()), *self.columns))
        return _groups(table.collect(*names, purpose="Summarise"), self.by or (), self.columns)

    def run(self, *tables: Table) -> Table:
        """A row a group: its keys, how many rows it has, the summary, and how sure it is."""
        import polars as pl

        by, groups = self.by or (), self.groups(tables[0])
        schema = tables[0].frame.select(*by).collect("polars").to_native().schema if by else {}
        found = self.given.of(group.key if group.texts else None for group in groups)
        columns = [
            pl.Series(name, [group.cells[place] for group in groups], dtype=schema[name])
            for place, name in enumerate(by)
        ]
        columns += [
            pl.Series(ROWS, [group.rows for group in groups], dtype=pl.Int64),
            *value_columns(found, self.into, pl.String, quote=False),
        ]
        return Table(nw.from_native(pl.DataFrame(columns).lazy()))

    def items(self, *tables: Table) -> dict[str, str]:
        """The texts of each group, as a list, by what its summary is known by."""
        groups = [group for group in self.groups(tables[0]) if group.texts]
        return {group.key: json.dumps(group.texts, ensure_ascii=False) for group in groups}


def _groups(frame: pl.DataFrame, by: Sequence[str], columns: Sequence[str]) -> list[TextGroup]:
    texts = texts_of(frame.select(columns))
    keys = [()] * len(texts) if not by else list(frame.select(by).iter_rows())
    groups: dict[tuple[Any, ...], list[str | None]] = {} if by else {(): []}
    for key, text in zip(keys, texts, strict=True):
        groups.setdefault(key, []).append(text)
    ordered = sorted(groups, key=lambda cells: [(cell is None, cell) for cell in cells])
    return [
        TextGroup(cells, len(groups[cells]), tuple(dict.fromkeys(filter(None, groups[cells]))))
        for cells in ordered
    ]
