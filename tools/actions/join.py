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
from wideleaf.tools.actions.joining.order import (
    Sides,
    cross_in_order,
    join_in_none,
    join_in_order,
    put_back,
)
from wideleaf.tools.actions.joining.partners import (
    MAX_ROWS,
    count_partners,
    meets_once,
    refuse_too_large,
)
from wideleaf.tools.actions.position import keeps_order, number_places
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact, caveat
from wideleaf.tools.tables.needs import PLACES, Header, Need
from wideleaf.tools.tables.table import Table, is_polars

__all__ = ["Join", "JoinKey", "avoid_clashes"]

GROWING = ("inner", "left", "right", "full")
_KEEPING = {
    "left": ("left", "full", "cross", "asof", "semi", "anti"),
    "right": ("right", "full", "cross"),
}
"""Joins that have each row of a side once if they have as many rows as it."""


class Join(Action):
    """Match rows of two tables on equal keys; asof: on the nearest. Nulls match nothing."""

    purpose = "join"
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
        keys, origin = tuple(resolve_pair(key, left, right) for key in self.on), self.found
        for key in keys:
            need_comparable(key, left, right)
        if not keys and self.how not in ("cross", "asof"):
            keys, origin = find_keys(left, right)
        nearest = self.nearest and resolve_pair(self.nearest, left, right)
        if nearest:
            read_tolerance(self.tolerance, nearest, left, right)
        resolved = self.model_copy(update={"on": keys, "nearest": nearest, "found": origin})
        if self.how in GROWING:
            refuse_too_large(keys, left, right)
        if self.how == "cross" and left.count() * right.count() > MAX_ROWS:
            raise ActionError(
                f"a cross join of {left.count()} left and {right.count()} right rows makes "
                f"{left.count() * right.count()}, more than {MAX_ROWS}; Filter or Group first",
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
            sources: dict[str, Need] = {}
            if right is not None and left is not None:
                pairs = {key.right for key in self.on}
                others = avoid_clashes(left, [name for name in right if name not in pairs])
                sources = {new: Need(frozenset({old})) for old, new in others.items()}
            if self.how in ("right", "full"):
                sources |= {key.left: Need(frozenset({key.right})) for key in self.on}
            theirs = need.past(() if left is not None and right is not None else None, sources)
        one, other = self.column_references(*headers)
        return [ours.plus((), one), theirs.plus((), other)]

    def run(self, *tables: Table) -> Table:
        """Join; a key appears once, under its left name, and rows keep the left's order."""
        left, right = tables
        keys = {key.right: key.left for key in self.on}
        others = avoid_clashes(left.columns, [c for c in right.columns if c not in keys])
        selection = [nw.col(old).alias(new) for old, new in others.items()]
        one, other = fresh_names("place", 2, left, right)
        places = (one, other)
        if self.how == "cross":
            return Table(cross_in_order(left.frame, right.frame.select(*selection), places))
        if self.how == "asof":
            return Table(self._nearest_in_order(others, left, right, places[0]))
        names = fresh_names("key", len(self.on), left, right)
        ours, theirs = (add_keys(side, self.on, names, left, right) for side in (0, 1))
        if self.how in ("semi", "anti"):
            keyed = theirs.select(*names)
            rows = join_in_order(ours, keyed, (names, names), self.how, places)
            return Table(rows.drop(*names))
        copies = dict(zip(names, fresh_names("copy", len(names), left, right), strict=True))
        theirs = theirs.select(*(nw.col(n).alias(copies[n]) for n in names), *selection)
        others_names = list(copies.values())
        how: Sides
        if self.how == "right":
            sides, how, pairs = (theirs, ours), "left", (others_names, names)
        else:
            sides, how, pairs = (ours, theirs), self.how, (names, others_names)
        columns = [nw.col(name) for name in left.columns]
        if self.how in ("right", "full"):
            # Of a row that is on the right alone the key stands under its left name, too.
            filled = {k.left: nw.col(copies[n]) for k, n in zip(self.on, names, strict=True)}
            columns = [
                nw.coalesce(name, filled[name]).alias(name) if name in filled else nw.col(name)
                for name in left.columns
            ]
        columns += map(nw.col, others.values())
        frame = join_in_order(*sides, pairs, how, places).select(*columns)
        if is_polars(left.frame) or not keeps_order(left.frame):
            return Table(frame)
        return Table(frame, unordered=lambda: join_in_none(*sides, pairs, how).select(*columns))

    def _nearest_in_order(
        self, others: dict[str, str], left: Table, right: Table, place: str
    ) -> nw.LazyFrame[Any]:
        if not keeps_order(left.frame):
            return join_nearest(*self._asof(), others, left, right)
        numbered = Table(number_places(left.frame, place))
        return put_back(join_nearest(*self._asof(), others, numbered, right), place)

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
        return count_partners(pairs, ours, theirs) == ours.count()

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell how the keys were found, how many rows matched and how they multiplied."""
        left, right = tables
        rows = left.count()
        if self.how == "cross":
            text = f"Each of {rows} rows of the left table, each of {right.count()} of the right"
            return [Fact(text=text), *_tell_order(result)]
        if self.how == "asof":
            return [*self._asof_notes(left, right), *_tell_order(result)]
        facts = []
        if self.found:
            pairs = ", ".join(f"{key.left} = {key.right}" for key in self.on)
            facts.append(caveat(f"Joined on {pairs}, found by {self.found}"))
        once = self.how == "inner" and meets_once(self.on, left, right)
        matches = result.count() if once else count_partners(self.on, left, right)
        # A semi or anti join is asked for just this; elsewhere such rows are lost or half empty.
        grows = self.how in GROWING
        text = _describe_matches(matches, rows)
        facts.append(Fact(text=text, caveat=grows and rows > matches))
        if matches < rows and any(left.kind(key.left) == "text" for key in self.on):
            more = count_partners(self.on, left, right, fold=True) - matches
            if more:
                text = f"{more} more would match without regard to case and blanks"
                facts.append(caveat(text))
        alone = rows - matches if self.how in ("left", "full") else 0
        if self.how in ("right", "full"):
            swapped = tuple(JoinKey(left=key.right, right=key.left) for key in self.on)
            lost = right.count() - count_partners(swapped, right, left)
            alone += lost
            facts.append(
                Fact(text=f"{lost} rows of the right table have no match", caveat=lost > 0)
            )
        if grows and matches:
            each = (result.count() - alone) / matches
            if each > 1:
                text = "Rows are repeated (a fan-out): each matched row of the left table meets "
                text += f"{each:.3g} rows of the right one on average"
                facts.append(caveat(text))
        return [*facts, *_tell_order(result)]

    def _asof(self) -> tuple[JoinKeys, JoinKey, Direction, float | str | None]:
        assert self.nearest is not None
        return self.on, self.nearest, self.direction, self.tolerance

    def _asof_notes(self, left: Table, right: Table) -> list[Fact]:
        on, nearest, *_ = arguments = self._asof()
        rows, matches = left.count(), count_matches(*arguments, left, right)
        text = f"{_describe_matches(matches, rows)}, but nulls"
        facts = [Fact(text=text, caveat=rows > matches)]
        if shared := count_duplicate_keys(on, nearest, left, right):
            text = (
                f"{shared} rows of the right table have the keys of another one; of such rows the "
            )
            facts.append(caveat(f"{text}first by the order of their cells is taken"))
        return facts


def _tell_order(result: Table) -> list[Fact]:
    if keeps_order(result.frame):
        return []
    return [
        Fact(text="Its rows stand in no order, as on Spark and servers; Sort them where it matters")
    ]


def _describe_matches(matches: int, rows: int) -> str:
    none = rows - matches
    return f"{matches} of {rows} rows of the left table have a match in the right, {none} have none"
