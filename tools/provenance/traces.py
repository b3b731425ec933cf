"""A trace: what stands behind a cell, as data, in words and as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Self

from pydantic import BaseModel, ConfigDict, PrivateAttr

from wideleaf.tools.actions.craft import Craft
from wideleaf.tools.actions.filter import Filter
from wideleaf.tools.actions.load import Load
from wideleaf.tools.conditions.condition import condition_text
from wideleaf.tools.errors import ActionError
from wideleaf.tools.provenance.crafts import NOT_RUN
from wideleaf.tools.provenance.replaying import leaf_rows
from wideleaf.tools.provenance.rows import Lineage
from wideleaf.tools.steps.observation import column_entries
from wideleaf.tools.telling.element import element
from wideleaf.tools.tree.tree import Node
from wideleaf.tools.words import cut

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

LISTED = 1_000
"""So many row numbers are listed; the count is always whole."""
SHOWN = 12
COLUMNS_CHARACTERS = 300


class LeafRows(BaseModel):
    """The part of one source in a cell.

    Attributes:
        leaf: Label of the leaf.
        source: Where the source came from, in the words of the one who handed it in.
        rows: Numbers of the rows, counted from 0 in the table as it was loaded; the first
            `LISTED` of them.
        total: How many rows they are in all.
        of: How many rows the source has.
        values: Columns whose cells the value is made of.
        deciding: Columns that decided which rows it is made of: conditions, keys, orders.
    """

    model_config = ConfigDict(frozen=True)

    leaf: str
    source: str
    rows: tuple[int, ...]
    total: int
    of: int
    values: tuple[str, ...]
    deciding: tuple[str, ...]


class Trace(BaseModel):
    """What stands behind a cell (why-provenance, Buneman, Khanna and Tan 2001).

    Attributes:
        label: The node whose frame holds the cell.
        row: Its row, from 0.
        column: Its column; empty where the whole row was traced.
        value: The cell, or the row as a dict.
        leaves: What each source has in it.
        steps: The way from the cell down to the sources, in words.
        reproduced: Whether the plan, run on these rows alone, made the cell again; None where
            they are too many to try.
        note: Where the rows are more than the cell's own, why.
    """

    model_config = ConfigDict(frozen=True)

    label: str
    row: int
    column: str
    value: Any = None
    leaves: tuple[LeafRows, ...] = ()
    steps: tuple[str, ...] = ()
    reproduced: bool | None = None
    note: str = ""
    _lineage: Any = PrivateAttr(default=None)
    _behind: Any = PrivateAttr(default=None)

    def frame(self, leaf: str, *, whole: bool = False) -> pd.DataFrame:
        """The source rows behind the cell, under their numbers.

        Args:
            leaf: Label of the leaf.
            whole: Whether to read all columns of the source; else those that matter to the cell.

        Raises:
            ActionError: If there is no such leaf, or the trace was read from a file.
        """
        if self._lineage is None:
            raise ActionError("a trace read from a file has row numbers only; trace the cell again")
        source = next((one for one in self.leaves if one.leaf == leaf), None)
        if source is None:
            names = ", ".join(repr(one.leaf) for one in self.leaves)
            raise ActionError(f"no source {leaf!r} is behind the cell; there are {names or 'none'}")
        selection = {*source.values, *source.deciding}
        table = self._lineage.tables[leaf]
        columns = [name for name in table.columns if whole or not selection or name in selection]
        with self._lineage.store.reading("the trace"):
            rows = leaf_rows(self._lineage, leaf, self._behind[leaf], columns)
        frame: pd.DataFrame = rows.to_pandas()
        frame.index = self._behind[leaf].to_pandas()
        frame.index.name = "row"
        return frame

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _repr_html_(self) -> str:
        head = escape(self._title())
        rows = "".join(
            f"<tr><td>{escape(one.leaf)}</td><td>{one.total} of {one.of}</td>"
            f"<td>{escape(_numbers(one))}</td><td>{escape(self._columns(one.leaf, one.values))}"
            f"</td><td>{escape(self._columns(one.leaf, one.deciding))}</td></tr>"
            for one in self.leaves
        )
        titles = ("source", "rows", "which", "value of", "decided by")
        header = "".join(f"<th>{title}</th>" for title in titles)
        steps = "".join(f"<li>{escape(step)}</li>" for step in self.steps)
        end = f"<p>{escape(self._end())}</p>"
        table = f'<div class="frame"><table><tr>{header}</tr>{rows}</table></div>'
        return element(f"<p><b>{head}</b></p>", table, f"<ol>{steps}</ol>", end)

    def _title(self) -> str:
        where = f"row {self.row}" + (f", column {self.column!r}" if self.column else "")
        return f"{self.label}, {where}: {_short(self.value)}"

    def _end(self) -> str:
        verdict = {
            True: "Run on these rows alone, the plan makes the same.",
            False: "Run on these rows alone, the plan does not make the same.",
            None: ""
            if NOT_RUN in self.note
            else "These rows are too many to run the plan on once more.",
        }[self.reproduced]
        return f"{verdict} {self.note}".strip()

    def _lines(self) -> Iterable[str]:
        yield self._title()
        for one in self.leaves:
            yield f"  {one.leaf}: {one.total} of {one.of} rows ({_numbers(one)})"
            if one.values:
                yield f"    value of: {self._columns(one.leaf, one.values)}"
            if one.deciding:
                yield f"    decided by: {self._columns(one.leaf, one.deciding)}"
        yield from (f"  {step}" for step in self.steps)
        yield self._end()

    def _columns(self, leaf: str, names: Sequence[str]) -> str:
        if self._lineage is None:
            return cut(names, COLUMNS_CHARACTERS)
        return cut(column_entries(names, self._lineage.tables[leaf]), COLUMNS_CHARACTERS)

    @classmethod
    def of_rows(cls, lineage: Lineage, behind: dict[str, pl.Series], **told: Any) -> Self:
        """Put together what was found."""
        leaves = []
        for label, rows in behind.items():
            need, table = lineage.needs[label], lineage.tables[label]
            source = lineage.store.catalog.find(_source_name(lineage, label))
            leaves.append(
                LeafRows(
                    leaf=label,
                    source=source.origin or source.name,
                    rows=tuple(rows.head(LISTED).to_list()),
                    total=len(rows),
                    of=table.count(),
                    values=tuple(name for name in table.columns if name in need.values),
                    deciding=tuple(name for name in table.columns if name in need.deciding),
                )
            )
        steps = tuple(_sentence(node, lineage) for node in reversed(lineage.plan))
        trace = cls(leaves=tuple(leaves), steps=steps, **told)
        trace._lineage, trace._behind = lineage, behind
        return trace


def _source_name(lineage: Lineage, label: str) -> str:
    action = lineage.actions[label]
    assert isinstance(action, Load)
    return action.source


def _sentence(node: Node, lineage: Lineage) -> str:
    """A step of the way in words, with how many rows of it were wanted."""
    count = lineage.rows.get(node.label)
    rows = "" if count is None else f" ({count} row{'s' * (count != 1)})"
    action = lineage.actions[node.label]
    of = " and ".join(node.parents)
    if isinstance(action, Load):
        return f"{node.label}{rows}: the source {action.source!r}"
    if isinstance(action, Craft):
        how = "row by row of" if node.label in lineage.by_rows else "of all rows of"
        return f"{node.label}{rows}: made by a function that the model wrote, {how} {of}"
    what = type(action).__name__
    if isinstance(action, Filter):
        what = f"Filter by {condition_text(action.where)}"
    else:
        keys = getattr(action, "keys", None) or getattr(action, "by", None) or ()
        names = [str(getattr(key, "column", key)) for key in keys]
        what += f" by {cut(names, 120)}" if names else ""
    return f"{node.label}{rows}: {what} of {of}"


def _numbers(one: LeafRows) -> str:
    if one.total == one.of and one.total > SHOWN:
        return "all"
    numbers = ", ".join(str(number) for number in one.rows[:SHOWN])
    more = one.total - SHOWN
    return (numbers + (f" and {more} more" if more > 0 else "")) or "none"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 120 else f"{text[:117]}..."
