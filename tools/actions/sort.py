"""Sort: order rows, and keep the first of them with those tied to the last."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from itertools import chain
from typing import Any, Literal, Self
from zoneinfo import ZoneInfo

import narwhals as nw
from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from wideleaf.tools.actions.action import Action
from wideleaf.tools.conditions.literals import text_column
from wideleaf.tools.privacy import Fact, caveat
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.sort_keys import SortKeys, resolve_keys, tie_breakers
from wideleaf.tools.tables.table import Table


def _without_default(schema: dict[str, Any]) -> None:
    """What a limit does with ties hangs on the profile, which the prompt tells."""
    schema.pop("default", None)


_RANK = "__rank"


class Sort(Action):
    """Order rows; limit n keeps the first n.

    Nulls come last, and rows equal to the n-th in every key stay with it; as SQL has it nulls come
    first, and n rows stay. Which of these it is, the profile says.
    """

    purpose = "filter"
    keeps = frozenset(("rows", "columns"))
    peeks = True

    by: SortKeys = Field(min_length=1)
    limit: int | None = Field(default=None, ge=1)
    ties: Literal["keep", "cut"] = Field(default="keep", json_schema_extra=_without_default)
    nulls: SkipJsonSchema[Literal["last", "smallest"]] = "last"
    """Databases that take a null for the smallest value differ from what people mean."""

    def resolve(self, *tables: Table) -> Self:
        """Name the columns; a minus before a name means descending."""
        return self.model_copy(update={"by": resolve_keys(self.by, tables[0], "Sort")})

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, decided by the keys where there is a limit."""
        keys = () if self.limit is None else (key.column for key in self.by)
        return [need.plus((), keys)]

    def run(self, *tables: Table) -> Table:
        """Order and cut."""
        frame, beside = tables[0].frame, tie_breakers(tables[0])
        if self.limit is None or self.ties == "cut":
            ordered = self._ordered(frame, beside)
            return Table(ordered if self.limit is None else ordered.head(self.limit))
        if frame.implementation.is_ibis():
            return Table(self._ordered(self._ranked(frame), beside))
        if len(self.by) == 1 and (edge := self._edge(tables[0])) is not None:
            return Table(self._ordered(frame.filter(edge), beside))
        # A semi join on the keys of the first rows keeps just their ties, however wide the table
        # is, and on any engine; a null is no key of a join, so it goes as a flag and a stand-in.
        names = [key.column for key in self.by]
        keys = list(chain(*(_join_keys(n, place, tables[0]) for place, n in enumerate(names))))
        hidden = list(chain(*map(_hidden, range(len(names)))))
        first = self._ordered(frame.select(*names)).head(self.limit).select(*keys).unique()
        top_rows = frame.with_columns(*keys).join(first, on=hidden, how="semi").drop(*hidden)
        return Table(self._ordered(top_rows, beside))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell of ties at the limit: kept, left out, or broken by a later key."""
        if self.limit is None or result.count() < self.limit:
            return []
        if len(self.by) > 1 and result.count() == self.limit:
            by_first = self.model_copy(update={"by": self.by[:1], "ties": "keep"})
            first = by_first.run(*tables).count() - self.limit
            if first:
                names = ", ".join(key.column for key in self.by[1:])
                text = f"{first} more rows with the same {self.by[0].column} were left out, "
                text += f"for {names} decided"
                return [caveat(text)]
        keeping = self if self.ties == "keep" else self.model_copy(update={"ties": "keep"})
        count = result.count() if self.ties == "keep" else keeping.run(*tables).count()
        over = count - self.limit
        if not over:
            return []
        rows = "row is" if over == 1 else "rows are"
        fate = "kept" if self.ties == "keep" else "left out"
        return [caveat(f"{over} more {rows} equal to the one at place {self.limit} and {fate}")]

    def _edge(self, table: Table) -> nw.Expr | None:
        """The condition that a row is not behind the last one wanted, for one key that is a number.

        To look at the key alone is several times cheaper than to join on it, and does not touch
        the other columns; None where the last one wanted is a null.
        """
        (key,) = self.by
        if table.kind(key.column) != "number":
            return None
        keys = self._ordered(table.frame.select(key.column)).head(self.limit or 0).collect()
        last = keys[key.column].tail(1).to_list()
        if len(keys) < (self.limit or 0) or last == [None]:
            return None
        cell, edge = nw.col(key.column), nw.lit(last[0])
        if key.descending:
            return cell >= edge
        return (cell <= edge) | cell.is_null() if self.nulls == "smallest" else cell <= edge

    def _ranked(self, frame: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
        """The first rows and their ties by rank: a database is not asked for values beforehand."""
        import ibis

        rows: Any = nw.to_native(frame)
        order = []
        for key in self.by:
            first = self.nulls == "smallest" and not key.descending
            order.append(
                (ibis.desc if key.descending else ibis.asc)(rows[key.column], nulls_first=first)
            )
        ranked = rows.mutate(**{_RANK: ibis.rank().over(order_by=order) + 1})
        top_rows: nw.LazyFrame[Any] = nw.from_native(ranked.filter(ranked[_RANK] <= self.limit))
        return top_rows.drop(_RANK)

    def _ordered(self, frame: nw.LazyFrame[Any], beside: Sequence[str] = ()) -> nw.LazyFrame[Any]:
        """Rows in order; those equal in the keys by the columns beside them.

        An engine would put equal rows in an order of its own, which may differ from run to run.
        """
        names = [key.column for key in self.by]
        down = [key.descending for key in self.by]
        others = [name for name in beside if name not in names]
        if self.nulls == "last" or len(set(down)) == 1:
            last = self.nulls == "last" or down[0]
            descending = [*down, *(False for _ in others)]
            return frame.sort(*names, *others, descending=descending, nulls_last=last)
        # No engine puts the nulls of one key first and those of another last; flags do.
        flags = {f"__null_{place}": nw.col(name).is_null() for place, name in enumerate(names)}
        by = [*chain(*zip(flags, names, strict=True)), *others]
        descending = [*chain(*((not one, one) for one in down)), *(False for _ in others)]
        flagged = frame.with_columns(**flags)
        return flagged.sort(*by, descending=descending, nulls_last=True).drop(*flags)


def _hidden(place: int) -> tuple[str, str]:
    return f"__null_{place}", f"__key_{place}"


def _join_keys(name: str, place: int, table: Table) -> list[nw.Expr]:
    """Whether the cell is null, and the cell or something in its place."""
    zone = getattr(table.schema[name], "time_zone", None)
    stand_ins: dict[str, Any] = {
        "number": 0,
        "text": "",
        "boolean": False,
        "date": date(1970, 1, 1),
        "datetime": datetime(1970, 1, 1, tzinfo=ZoneInfo(zone) if zone else None),
    }
    flag, key = _hidden(place)
    cell = text_column(table, name) if table.kind(name) == "text" else nw.col(name)
    return [
        cell.is_null().alias(flag),
        cell.fill_null(stand_ins[table.kind(name)]).alias(key),
    ]
