"""Join: match the rows of two tables on equal keys, or on the nearest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Self

import narwhals as nw
from pydantic import Field, model_validator
from pydantic.json_schema import SkipJsonSchema

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.joining.asof import (
    Direction,
    count_duplicate_keys,
    count_matches,
    join_nearest,
    read_tolerance,
)
from wideleaf.tools.actions.joining.discovery import find_keys
from wideleaf.tools.actions.joining.keys import (
    JoinKey,
    JoinKeys,
    Pair,
    add_keys,
    avoid_clashes,
    fresh_names,
    need_comparable,
    resolve_pair,
)
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.needs import PLACES, Header, Need
from wideleaf.tools.tables.table import Table

__all__ = ["Join", "JoinKey", "avoid_clashes"]

MOST_ROWS = 200_000_000
GROWING = ("inner", "left", "right", "full")
_KEEPING = {
    "left": ("left", "full", "cross", "asof", "semi", "anti"),
    "right": ("right", "full", "cross"),
}
"""Joins that have each row of a side once if they have as many rows as it."""


class Join(Action):
    """Match rows of two tables on equal keys; asof: on the nearest. Nulls match nothing."""

    purpose = "several tables"
    inputs = ("left", "right")
    places = PLACES | {"left", "right", "on", "nearest"}

    on: JoinKeys = Field(default=(), description="Pairs of columns; else found.")
    how: Literal["inner", "left", "right", "full", "semi", "anti", "cross", "asof"] = "inner"
    nearest: Pair | None = Field(default=None, description="Of asof: number, date or time.")
    direction: Direction = "before"
    tolerance: float | str | None = Field(default=None, description="Of asof: 5, or '3 days'.")
    found: SkipJsonSchema[str] = ""

    @model_validator(mode="after")
    def _shaped(self) -> Self:
        if self.how == "cross" and self.on:
            raise ValueError("a cross join pairs all rows and takes no on")
        if self.how == "asof" and self.nearest is None:
            raise ValueError("asof needs nearest: the columns whose nearest cells match")
        beside = [self.nearest, self.tolerance, None if self.direction == "before" else 1]
        if self.how != "asof" and any(one is not None for one in beside):
            raise ValueError("nearest, direction and tolerance are for how asof alone")
        return self

    def resolve(self, *tables: Table) -> Self:
        """Name the keys, or find them, and weigh the result.

        Raises:
            ActionError: If keys are unknown, of different kinds or not clear, or the result is
                too large.
        """
        left, right = tables
        keys, found = tuple(resolve_pair(key, left, right) for key in self.on), self.found
        for key in keys:
            need_comparable(key, left, right)
        if not keys and self.how not in ("cross", "asof"):
            keys, found = find_keys(left, right)
        nearest = self.nearest and resolve_pair(self.nearest, left, right)
        if nearest:
            read_tolerance(self.tolerance, nearest, left, right)
        resolved = self.model_copy(update={"on": keys, "nearest": nearest, "found": found})
        if self.how in GROWING:
            _refuse_too_large(keys, left, right)
        if self.how == "cross" and left.count() * right.count() > MOST_ROWS:
            raise ActionError(
                f"a cross join of {left.count()} left and {right.count()} right rows makes "
                f"{left.count() * right.count()}, more than {MOST_ROWS}; Filter or Group first",
                kind="too large",
            )
        return resolved

    def column_references(self, *headers: Header) -> list[list[str]]:
        """The keys of each side."""
        keys = [*self.on, *([self.nearest] if self.nearest else [])]
        return [[key.left for key in keys], [key.right for key in keys]]

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns of each side, which the keys decide; of an unknown side all may be."""
        left, right = headers
        ours, theirs = need.past(left), Need()
        if self.how not in ("semi", "anti"):
            made: dict[str, Need] = {}
            if right is not None and left is not None:
                pairs = {key.right for key in self.on}
                others = avoid_clashes(left, [name for name in right if name not in pairs])
                made = {new: Need(frozenset({old})) for old, new in others.items()}
            if self.how in ("right", "full"):
                made |= {key.left: Need(frozenset({key.right})) for key in self.on}
            theirs = need.past(() if left is not None and right is not None else None, made)
        one, other = self.column_references(*headers)
        return [ours.plus((), one), theirs.plus((), other)]

    def run(self, *tables: Table) -> Table:
        """Join; a key appears once, under its left name."""
        left, right = tables
        keys = {key.right: key.left for key in self.on}
        others = avoid_clashes(left.columns, [c for c in right.columns if c not in keys])
        chosen = [nw.col(old).alias(new) for old, new in others.items()]
        if self.how == "cross":
            return Table(left.frame.join(right.frame.select(*chosen), how="cross"))
        if self.how == "asof":
            return Table(join_nearest(*self._asof(), others, left, right))
        names = fresh_names("key", len(self.on), left, right)
        ours, theirs = (add_keys(side, self.on, names, left, right) for side in (0, 1))
        if self.how in ("semi", "anti"):
            return Table(ours.join(theirs.select(*names), on=names, how=self.how).drop(*names))
        copies = dict(zip(names, fresh_names("copy", len(names), left, right), strict=True))
        theirs = theirs.select(*(nw.col(n).alias(copies[n]) for n in names), *chosen)
        if self.how == "right":
            joined = theirs.join(ours, left_on=list(copies.values()), right_on=names, how="left")
        else:
            joined = ours.join(theirs, left_on=names, right_on=list(copies.values()), how=self.how)
        columns = [nw.col(name) for name in left.columns]
        if self.how in ("right", "full"):
            # Of a row that is on the right alone the key stands under its left name, too.
            filled = {k.left: nw.col(copies[n]) for k, n in zip(self.on, names, strict=True)}
            columns = [
                nw.coalesce(name, filled[name]).alias(name) if name in filled else nw.col(name)
                for name in left.columns
            ]
        return Table(joined.select(*columns, *others.values()))

    def right_names(self, left: Table, right: Table) -> dict[str, str]:
        """What the right columns that are no keys are called in the result, by their own names."""
        if self.how in ("semi", "anti"):
            return {}
        keys = {key.right for key in self.on}
        return avoid_clashes(left.columns, [name for name in right.columns if name not in keys])

    def keeps_each_row(
        self, left: Table, right: Table, result: Table, side: Literal["left", "right"] = "left"
    ) -> bool:
        """Whether each row of a side stands in the result exactly once."""
        ours, theirs = (left, right) if side == "left" else (right, left)
        if result.count() != ours.count():
            return False
        if self.how in _KEEPING[side]:
            return True
        if self.how not in ("inner", "left", "right"):
            return False
        pairs = self.on
        if side == "right":
            pairs = tuple(JoinKey(left=key.right, right=key.left) for key in pairs)
        return _matched(pairs, ours, theirs) == ours.count()

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell how the keys were found, how many rows matched and how they multiplied."""
        left, right = tables
        rows = left.count()
        if self.how == "cross":
            return [Fact(text=f"Each of {rows} left rows with each of {right.count()} right rows")]
        if self.how == "asof":
            return self._asof_notes(left, right)
        facts = []
        if self.found:
            pairs = ", ".join(f"{key.left} = {key.right}" for key in self.on)
            facts.append(Fact(text=f"Joined on {pairs}, found by {self.found}", caveat=True))
        matched = _matched(self.on, left, right)
        # A semi or anti join is asked for just this; elsewhere such rows are lost or half empty.
        told = self.how in GROWING
        text = f"{matched} of {rows} left rows matched, {rows - matched} did not"
        facts.append(Fact(text=text, caveat=told and rows > matched))
        if matched < rows and any(left.kind(key.left) == "text" for key in self.on):
            more = _matched(self.on, left, right, fold=True) - matched
            if more:
                text = f"{more} more left rows would match without regard to case and blanks"
                facts.append(Fact(text=text, caveat=True))
        alone = rows - matched if self.how in ("left", "full") else 0
        if self.how in ("right", "full"):
            swapped = tuple(JoinKey(left=key.right, right=key.left) for key in self.on)
            lost = right.count() - _matched(swapped, right, left)
            alone += lost
            facts.append(Fact(text=f"{lost} right rows did not match", caveat=lost > 0))
        if told and matched:
            each = (result.count() - alone) / matched
            if each > 1:
                text = f"Fan-out: {each:.3g} rows for each matched left row on average"
                facts.append(Fact(text=text, caveat=True))
        return facts

    def _asof(self) -> tuple[JoinKeys, JoinKey, Direction, float | str | None]:
        assert self.nearest is not None
        return self.on, self.nearest, self.direction, self.tolerance

    def _asof_notes(self, left: Table, right: Table) -> list[Fact]:
        on, nearest, *_ = asked = self._asof()
        rows, matched = left.count(), count_matches(*asked, left, right)
        text = f"{matched} of {rows} left rows matched, {rows - matched} did not and have nulls"
        facts = [Fact(text=text, caveat=rows > matched)]
        if shared := count_duplicate_keys(on, nearest, left, right):
            text = f"{shared} right rows share their keys with others; of such the first by the "
            facts.append(Fact(text=f"{text}order of their cells is taken", caveat=True))
        return facts


def _matched(keys: Sequence[JoinKey], left: Table, right: Table, *, fold: bool = False) -> int:
    """How many left rows have a partner."""
    names = fresh_names("key", len(keys), left, right)
    ours, theirs = (
        add_keys(side, keys, names, left, right, fold=fold).select(*names) for side in (0, 1)
    )
    return Table(ours.join(theirs, on=names, how="semi")).count()


def _refuse_too_large(keys: Sequence[JoinKey], left: Table, right: Table) -> None:
    """Count the result before it is made, unless it cannot be large."""
    rows = left.count(), right.count()
    if rows[0] * rows[1] <= MOST_ROWS:
        return
    names = fresh_names("key", len(keys), left, right)

    def counted(side: int) -> nw.LazyFrame[Any]:
        frame = add_keys(side, keys, names, left, right).select(*names).drop_nulls()
        return frame.group_by(*names).agg(nw.len().cast(nw.Int64).alias(f"rows_{side}"))

    # A key of the smaller side rarely repeats; then the larger side needs no look.
    small = int(rows[1] <= rows[0])
    most = counted(small).select(nw.col(f"rows_{small}").max()).collect().item()
    if (most or 0) * rows[1 - small] <= MOST_ROWS:
        return
    pairs = counted(0).join(counted(1), on=names, how="inner")
    total = pairs.select((nw.col("rows_0") * nw.col("rows_1")).sum()).collect().item()
    if (total or 0) > MOST_ROWS:
        raise ActionError(
            f"this join would make {total} rows of {rows[0]} left and {rows[1]} right rows, more "
            f"than {MOST_ROWS}; the keys repeat on both sides: join on more keys or Group first",
            kind="too large",
        )
