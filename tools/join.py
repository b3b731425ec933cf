"""Join: match the rows of two tables on equal keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self

import narwhals as nw
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from wideleaf.tools.action import Action
from wideleaf.tools.columns import resolve_column
from wideleaf.tools.errors import ActionError
from wideleaf.tools.literals import text_column
from wideleaf.tools.privacy import Fact
from wideleaf.tools.table import Table

MOST_ROWS = 200_000_000
SUFFIX = "_right"


class JoinKey(BaseModel):
    """A pair of columns that must be equal."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    left: str
    right: str


def _as_pairs(value: object) -> object:
    values = value if isinstance(value, (list, tuple)) else [value]
    return [{"left": item, "right": item} if isinstance(item, str) else item for item in values]


class Join(Action):
    """Match rows of two tables on equal keys; nulls match nothing."""

    inputs = ("left", "right")

    on: Annotated[tuple[JoinKey, ...], BeforeValidator(_as_pairs)] = Field(min_length=1)
    how: Literal["inner", "left", "full", "semi", "anti"] = "inner"

    def resolve(self, *tables: Table) -> Self:
        """Name the keys and weigh the result.

        Raises:
            ActionError: If keys are unknown or of different kinds, or the result is too large.
        """
        left, right = tables
        keys = tuple(
            JoinKey(left=resolve_column(k.left, left), right=resolve_column(k.right, right))
            for k in self.on
        )
        for key in keys:
            _need_comparable(key, left, right)
        resolved = self.model_copy(update={"on": keys})
        if self.how in ("inner", "left", "full"):
            _refuse_too_large(resolved, left, right)
        return resolved

    def run(self, *tables: Table) -> Table:
        """Join; a key appears once, under its left name."""
        left, right = tables
        keyed = [_keyed(table, side, self.on, tables) for side, table in enumerate(tables)]
        names = [f"__key_{place}" for place in range(len(self.on))]
        if self.how in ("semi", "anti"):
            frame = keyed[0].join(keyed[1].select(*names).unique(), on=names, how=self.how)
            return Table(frame.drop(*names))
        keys = {key.right: key.left for key in self.on}
        others = renamed(left.columns, [c for c in right.columns if c not in keys])
        hidden = {name: f"{name}_right" for name in names}
        side = keyed[1].select(
            *(nw.col(name).alias(hidden[name]) for name in names),
            *(nw.col(old).alias(new) for old, new in others.items()),
        )
        joined = keyed[0].join(side, left_on=names, right_on=list(hidden.values()), how=self.how)
        columns: list[nw.Expr] = [nw.col(name) for name in left.columns]
        if self.how == "full":
            filled = {k.left: nw.col(hidden[n]) for k, n in zip(self.on, names, strict=True)}
            columns = [
                nw.coalesce(name, filled[name]).alias(name) if name in filled else nw.col(name)
                for name in left.columns
            ]
        return Table(joined.select(*columns, *(nw.col(new) for new in others.values())))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell how many rows matched and how they multiplied."""
        left, right = tables
        rows, matched = left.count(), self._matched(left, right)
        # A semi or anti join is asked for just this; elsewhere such rows are lost or half empty.
        told = self.how in ("inner", "left", "full")
        text = f"{matched} of {rows} left rows matched, {rows - matched} did not"
        facts = [Fact(text=text, caveat=told and rows > matched)]
        unmatched = rows - matched if self.how in ("left", "full") else 0
        if self.how == "full":
            swapped = tuple(JoinKey(left=key.right, right=key.left) for key in self.on)
            other = Join(on=swapped)._matched(right, left)
            lost = right.count() - other
            unmatched += lost
            facts.append(Fact(text=f"{lost} right rows did not match", caveat=lost > 0))
        if told and matched:
            each = (result.count() - unmatched) / matched
            if each > 1:
                text = f"Fan-out: {each:.3g} rows for each matched left row on average"
                facts.append(Fact(text=text, caveat=True))
        return facts

    def _matched(self, left: Table, right: Table) -> int:
        return self.model_copy(update={"how": "semi"}).run(left, right).count()


def renamed(left: Sequence[str], right: Sequence[str]) -> dict[str, str]:
    """New names for the right columns, so that none clashes."""
    taken, names = {*left, *right}, {}
    for name in right:
        new = name
        while new in left or (new != name and new in taken):
            new += SUFFIX
        taken.add(new)
        names[name] = new
    return names


def _keyed(
    table: Table, side: int, keys: Sequence[JoinKey], tables: Sequence[Table]
) -> nw.LazyFrame[Any]:
    """The frame with its keys beside it, in a type that both sides share."""
    made = []
    for place, key in enumerate(keys):
        name = (key.left, key.right)[side]
        dtypes = {tables[0].schema[key.left], tables[1].schema[key.right]}
        column = nw.col(name)
        if table.kind(name) == "text":
            column = text_column(table, name)
        elif len(dtypes) > 1 and table.kind(name) == "number":
            whole = all(dtype.is_integer() for dtype in dtypes)
            column = column.cast(nw.Int64 if whole else nw.Float64)
        made.append(column.alias(f"__key_{place}"))
    return table.frame.with_columns(*made)


def _need_comparable(key: JoinKey, left: Table, right: Table) -> None:
    kinds = left.kind(key.left), right.kind(key.right)
    if kinds[0] != kinds[1] or "other" in kinds:
        raise ActionError(
            f"left {key.left!r} is {kinds[0]} and right {key.right!r} is {kinds[1]}; join "
            f"columns of one kind, or Derive with cast first",
            kind="wrong type",
        )


def _refuse_too_large(join: Join, left: Table, right: Table) -> None:
    """Count the result before it is made, unless it cannot be large."""
    rows = left.count(), right.count()
    if rows[0] * rows[1] <= MOST_ROWS:
        return
    names = [f"__key_{place}" for place in range(len(join.on))]

    def counted(side: int) -> nw.LazyFrame[Any]:
        keyed = _keyed((left, right)[side], side, join.on, (left, right))
        return keyed.group_by(*names).agg(nw.len().cast(nw.Int64).alias(f"__rows_{side}"))

    # A key of the smaller side rarely repeats; then the larger side needs no look.
    small = int(rows[1] <= rows[0])
    most = counted(small).select(nw.col(f"__rows_{small}").max()).collect().item()
    if most * rows[1 - small] <= MOST_ROWS:
        return
    pairs = counted(0).join(counted(1), on=names, how="inner")
    total = pairs.select((nw.col("__rows_0") * nw.col("__rows_1")).sum()).collect().item()
    if (total or 0) > MOST_ROWS:
        raise ActionError(
            f"this join would make {total} rows of {rows[0]} left and {rows[1]} right rows, more "
            f"than {MOST_ROWS}; the keys repeat on both sides: join on more keys or Group first",
            kind="too large",
        )
