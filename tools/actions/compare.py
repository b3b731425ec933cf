"""Compare: what was added, removed and changed between two states of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Self

import narwhals as nw
from pydantic import Field

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.distinct import distinct_rows
from wideleaf.tools.actions.join import Join
from wideleaf.tools.actions.joining.keys import avoid_clashes
from wideleaf.tools.actions.set_operations import shared_type
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.columns import Columns, resolve_columns
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table

NAMES = ("change", "changed_columns")
BEFORE = "_before"


class Compare(Action):
    """Rows added, removed or changed from left to right; x_before is the left cell of x."""

    purpose = "join"
    inputs = ("left", "right")
    places = frozenset(("on", "columns"))
    phrases = (
        "what changed", "has changed", "have changed", "was changed", "what is new", "added since",
        "removed since", "changes between", "difference between the two files", "diff",
        "compare the two tables", "compared with the old",
    )  # fmt: skip

    on: Columns = Field(description="The key of a row; of the same name in both.")
    columns: Columns | None = Field(default=None, description="Default: all that both have.")

    def resolve(self, *tables: Table) -> Self:
        """Name the columns.

        Raises:
            ActionError: If one is not in both or is of two kinds, or a key stands in several rows.
        """
        left, right = tables
        on = resolve_columns(self.on, left)
        defaults = [name for name in left.columns if name in right.columns and name not in on]
        columns = tuple(defaults)
        if self.columns is not None:
            columns = resolve_columns(self.columns, left)
        if missing := [name for name in (*on, *columns) if name not in right.columns]:
            raise ActionError(
                f"right has no column {missing[0]!r}, which left has; Select the right one under "
                "that name first",
                kind="unknown column",
            )
        if not columns or {*on} & {*columns}:
            raise ActionError(
                f"there is no column to compare beside the key {', '.join(map(repr, on))}; name "
                "others in on",
                kind="argument columns",
            )
        for name in (*on, *columns):
            shared_type(left, name, right, name, compared=True)
        for side, table in zip(self.inputs, tables, strict=True):
            keys = Table(distinct_rows(table.frame, on)).count()
            if keys < table.count():
                raise ActionError(
                    f"{table.count()} rows of {side} have {keys} keys {', '.join(map(repr, on))}, "
                    "and a row is found by its key; name more columns in on, or Distinct first",
                    kind="argument on",
                )
        return self.model_copy(update={"on": on, "columns": columns})

    def column_references(self, *headers: Header) -> list[list[str]]:
        """The keys and the columns of both sides."""
        return [[*self.on, *(self.columns or ())] for _ in headers]

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The keys and all columns that are compared, for each may have changed."""
        return [Need(frozenset(names)) for names in self.column_references(*headers)]

    def run(self, *tables: Table) -> Table:
        """Join the two states on the key: rows of one alone, and those that are not the same."""
        columns, left, right = self.columns or (), *tables
        types = {
            name: shared_type(left, name, right, name, compared=True)
            for name in (*self.on, *columns)
        }
        cells = [nw.col(name).cast(dtype) for name, dtype in types.items()]
        old, new = (Table(table.frame.select(*cells)) for table in tables)
        both = self._join("inner").right_names(old, new)
        changes = {name: self._differs(name, both[name]) for name in columns}
        # Texts without a null, for a database may join none with one.
        parts = [
            nw.when(one).then(nw.lit(f", {name}")).otherwise(nw.lit(""))
            for name, one in changes.items()
        ]
        which = nw.concat_str(*parts, separator="").str.slice(2)
        some = nw.any_horizontal(*changes.values(), ignore_nulls=True)

        def show(frame: nw.LazyFrame[Any], change: str, cells: Sequence[nw.Expr]) -> Any:
            expressions = [
                nw.lit(change),
                which if change == "changed" else _none(nw.lit("")),
                *cells,
            ]
            aliases = (
                cell.alias(name) for cell, name in zip(expressions, self._names(), strict=True)
            )
            return frame.select(*self.on, *aliases)

        values = [nw.col(name) for name in columns]
        empty = [_none(cell) for cell in values]
        rows = [
            show(self._join("anti").run(new, old).frame, "added", [*values, *empty]),
            show(self._join("anti").run(old, new).frame, "removed", [*empty, *values]),
            show(
                self._join("inner").run(old, new).frame.filter(some),
                "changed",
                [*(nw.col(both[name]) for name in columns), *values],
            ),
        ]
        return Table(nw.concat(rows).sort(*self.on, self._names()[0], nulls_last=True))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell how many rows there are of each kind."""
        change = self._names()[0]
        counts = result.frame.group_by(change).agg(nw.len().alias("rows")).collect()
        rows = Counter(dict(counts.iter_rows()))
        kinds = ", ".join(f"{rows[kind]} {kind}" for kind in ("added", "removed", "changed"))
        left, right = (table.count() for table in tables)
        return [Fact(text=f"Of {left} left and {right} right rows {kinds}; others are the same")]

    def _names(self) -> list[str]:
        """The columns of the result behind the key: what changed, the new cells, the old ones."""
        columns = self.columns or ()
        names = avoid_clashes((*self.on, *columns), NAMES).values()
        old = avoid_clashes((*self.on, *columns, *names), [f"{name}{BEFORE}" for name in columns])
        return [*names, *columns, *old.values()]

    def _join(self, how: str) -> Join:
        return Join.model_validate({"on": list(self.on), "how": how})

    def _differs(self, one: str, other: str) -> nw.Expr:
        """Whether two cells differ, of which a null differs from any other alone."""
        unlike = (nw.col(one) != nw.col(other)).fill_null(False)
        return unlike | (nw.col(one).is_null() != nw.col(other).is_null())


def _none(cell: nw.Expr) -> nw.Expr:
    """No value, of the type of a cell."""
    return nw.when(nw.lit(False)).then(cell)
