"""Set operations on whole rows of two tables: Union, Intersect, Difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple, Self

import narwhals as nw
from pydantic import Field

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.distinct import distinct_rows, in_order
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact, caveat
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table, aggregate_by, wider_type

NAMES_SHOWN = 5
_SIDE, _NUMBER, _RIGHT = "__side", "__number", "__right"


class ColumnPairs(NamedTuple):
    """Which columns of two tables belong together.

    Attributes:
        names: Left and right name of each, in the left order.
        by_position: Whether they were paired by their place, since their names differ.
    """

    names: tuple[tuple[str, str], ...]
    by_position: bool


class SetOperation(Action):
    """Base of the actions on whole rows; a null equals a null, text compares exactly."""

    purpose = "join"
    inputs = ("left", "right")
    compares: ClassVar[bool] = True

    distinct: bool = True

    def resolve(self, *tables: Table) -> Self:
        """Check that the columns fit.

        Raises:
            ActionError: If the tables' columns cannot be paired, or a pair is of two kinds.
        """
        left, right = tables
        for one, other in pair_columns(left, right).names:
            shared_type(left, one, right, other, compared=self.compares or self.distinct)
        return self

    def column_references(self, *headers: Header) -> list[list[str]]:
        """Whole rows."""
        return [list(header or ()) for header in headers]

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns of both sides; whole rows where they are compared, too."""
        left, right = headers
        theirs = need
        if left is not None and right is not None:
            pairs = pair_names(left, right).names
            theirs = need.through({one: Need(frozenset({other})) for one, other in pairs})
        if not self.compares:
            return [need, theirs]
        return [need.plus((), left or ()), theirs.plus((), right or ())]

    def run(self, *tables: Table) -> Table:
        """Stack the two tables, each row marked with its side, and keep what is asked for."""
        left, right = tables
        pairs = pair_columns(left, right).names
        sides = []
        for side, table in enumerate(tables):
            cells = []
            for pair in pairs:
                own = pair[side]
                dtype = shared_type(left, pair[0], right, pair[1], compared=False)
                cell = nw.col(own)
                cell = cell if table.schema[own] == dtype else cell.cast(dtype)
                cells.append(cell.alias(pair[0]))
            sides.append(table.frame.select(*cells))
        return Table(self._combined(sides, left.columns))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell the sizes, and how columns of unlike names were paired."""
        left, right = tables
        sizes = f"{left.count()} left and {right.count()} right rows made {result.count()}"
        facts = [Fact(text=sizes + ", each once" * self.distinct)]
        pairs = pair_columns(left, right)
        if pairs.by_position and len(pairs.names) > 1:  # one column fits one alone
            unlike = [f"{one!r} with {other!r}" for one, other in pairs.names if one != other]
            text = f"Columns were paired by position: {_list_names(unlike)}"
            facts.append(caveat(text))
        return facts

    def _combined(
        self, sides: Sequence[nw.LazyFrame[Any]], columns: tuple[str, ...]
    ) -> nw.LazyFrame[Any]:
        frames = [
            frame.with_columns(nw.lit(place, nw.Int64).alias(_SIDE))
            for place, frame in enumerate(sides)
        ]
        stacked = nw.concat(frames)
        side = nw.col(_SIDE)
        if self.distinct:
            ends = aggregate_by(stacked, columns, side.min().alias(_NUMBER), side.max())
            rows = ends.filter(self._wanted_once(nw.col(_NUMBER), side))
        else:
            # Left rows come first among equal ones, so that their numbers run from 1.
            counts = stacked.with_columns(
                side.cum_count().over(*columns, order_by=_SIDE).alias(_NUMBER),
                side.sum().over(*columns).alias(_RIGHT),
            )
            rows = counts.filter(side == 0, self._wanted(nw.col(_NUMBER), nw.col(_RIGHT)))
        return in_order(Table(rows.select(*columns)))

    def _wanted_once(self, first: nw.Expr, last: nw.Expr) -> nw.Expr:
        """Whether a row is wanted by the first and last side it is on: 0 is left, 1 is right."""
        raise NotImplementedError

    def _wanted(self, number: nw.Expr, right: nw.Expr) -> nw.Expr:
        """Whether the n-th of equal left rows is wanted beside so many equal right ones."""
        raise NotImplementedError


class Union(SetOperation):
    """Rows of both tables, one below the other."""

    compares = False
    phrases = (
        "append", "concatenate", "stack", "combine the tables", "both tables together",
        "in either table", "in one list", "all pairs", "either of the tables", "rows of both",
        "in any of the tables",
    )  # fmt: skip

    distinct: bool = Field(default=False, description="Drop duplicate rows.")

    def _combined(
        self, sides: Sequence[nw.LazyFrame[Any]], columns: tuple[str, ...]
    ) -> nw.LazyFrame[Any]:
        stacked = nw.concat(sides)
        return in_order(Table(distinct_rows(stacked, columns))) if self.distinct else stacked


class Intersect(SetOperation):
    """Rows that are in both tables."""

    phrases = (
        "in both tables", "in both lists", "in both files", "appear in both", "occur in both",
        "common to both", "in common", "shared by both", "in each of the tables",
        "also in the other",
    )  # fmt: skip

    distinct: bool = Field(default=True, description="False: as often as both have them.")

    def _wanted_once(self, first: nw.Expr, last: nw.Expr) -> nw.Expr:
        return (first == 0) & (last == 1)

    def _wanted(self, number: nw.Expr, right: nw.Expr) -> nw.Expr:
        return number <= right


class Difference(SetOperation):
    """Left rows that are not in the right table."""

    phrases = (
        "but not in", "not in the other", "not in table", "missing from the other",
        "missing in the other", "only in one", "only in the first", "except those",
        "except the ones", "set difference",
    )  # fmt: skip

    distinct: bool = Field(default=True, description="False: each right row takes one away.")

    def _wanted_once(self, first: nw.Expr, last: nw.Expr) -> nw.Expr:
        return last == 0

    def _wanted(self, number: nw.Expr, right: nw.Expr) -> nw.Expr:
        return number > right


def pair_columns(left: Table, right: Table) -> ColumnPairs:
    """Pair the columns of two tables by name, or by position where their names differ.

    Raises:
        ActionError: If one table has more columns, or a name is in both at different places.
    """
    return pair_names(left.columns, right.columns)


def pair_names(left: Sequence[str], right: Sequence[str]) -> ColumnPairs:
    """Pair two lists of columns, as `pair_columns` does.

    Raises:
        ActionError: If one is longer, or a name is in both at different places.
    """
    if len(left) != len(right):
        only = [
            f"only {side} has {_list_names([repr(n) for n in one if n not in other])}"
            for side, one, other in (("left", left, right), ("right", right, left))
            if set(one) - set(other)
        ]
        raise ActionError(
            f"left has {len(left)} columns and right {len(right)}"
            f"{''.join(f'; {text}' for text in only)}; Select the same ones of both first",
            kind="other columns",
        )
    for spelled in (str, _fold_name):
        names = {spelled(name): name for name in right}
        spellings = {spelled(name) for name in left}
        if spellings == set(names) and len(names) == len(left) == len(spellings):
            return ColumnPairs(tuple((name, names[spelled(name)]) for name in left), False)
    places = {_fold_name(name): place for place, name in enumerate(right)}
    for place, name in enumerate(left):
        if places.get(_fold_name(name), place) != place:
            raise ActionError(
                f"the columns differ, and {name!r}, which both have, is not at the same place; "
                f"Select the columns of both in one order first",
                kind="other columns",
            )
    return ColumnPairs(tuple(zip(left, right, strict=True)), True)


def shared_type(left: Table, one: str, right: Table, other: str, *, compared: bool) -> Any:
    """The type that holds the cells of both columns."""
    kinds = {left.kind(one), right.kind(other)}
    dtypes = left.schema[one], right.schema[other]
    zones = {getattr(dtype, "time_zone", None) for dtype in dtypes}
    apart = len(kinds) > 1 and kinds != {"date", "datetime"}
    if apart or (len(zones) > 1 and None in zones):
        raise ActionError(
            f"left {one!r} is {dtypes[0]} and right {other!r} is {dtypes[1]}; a column needs one "
            f"kind: Derive with cast first",
            kind="wrong type",
        )
    if "other" in kinds and (compared or dtypes[0] != dtypes[1]):
        raise ActionError(
            f"{one!r} holds {dtypes[0]}, whose cells are not compared; leave it out by Select",
            kind="wrong type",
        )
    return wider_type(dtypes)


def _fold_name(name: str) -> str:
    return name.strip().casefold()


def _list_names(names: Sequence[str]) -> str:
    more = len(names) - NAMES_SHOWN
    return ", ".join(names[:NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")
