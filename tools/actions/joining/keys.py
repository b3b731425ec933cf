"""Join keys: pairs of columns, in a type that both sides share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import narwhals as nw
from pydantic import BaseModel, BeforeValidator, ConfigDict

from wideleaf.tools.conditions.literals import NUMBER, fold_text, text_column
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.columns import resolve_column
from wideleaf.tools.tables.table import Table

SUFFIX = "_right"


class JoinKey(BaseModel):
    """A column of the left table and the one of the right that it is compared with."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    left: str
    right: str


def _as_pair(value: object) -> object:
    return {"left": value, "right": value} if isinstance(value, str) else value


def _as_pairs(value: object) -> object:
    if value is None:
        return ()
    values = value if isinstance(value, (list, tuple)) else [value]
    return [_as_pair(item) for item in values]


Pair = Annotated[JoinKey, BeforeValidator(_as_pair)]
JoinKeys = Annotated[tuple[JoinKey, ...], BeforeValidator(_as_pairs)]


def resolve_pair(key: JoinKey, left: Table, right: Table) -> JoinKey:
    """Name the two columns.

    Raises:
        ActionError: If one is unknown.
    """
    return JoinKey(left=resolve_column(key.left, left), right=resolve_column(key.right, right))


def need_comparable(key: JoinKey, left: Table, right: Table) -> None:
    """Refuse a pair whose cells could never be equal.

    Raises:
        ActionError: If their kinds differ; says which cast makes them one.
    """
    kinds = left.kind(key.left), right.kind(key.right)
    text = f"left {key.left!r} is {kinds[0]} and right {key.right!r} is {kinds[1]}; "
    if "other" in kinds:
        raise ActionError(f"{text}such cells cannot be compared", kind="wrong type")
    if kinds[0] != kinds[1]:
        side, table, name = _text_side(key, left, right, kinds)
        if "text" in kinds:
            other = next(kind for kind in kinds if kind != "text")
            cast = f'{{"cast": "{other}", "of": "{name}"}}'
            private = _readable(table, name) if other == "number" else ""
            text += f"first Derive on the {side} table with {cast}, then join on that"
            raise ActionError(text, kind="wrong type", private=private)
        raise ActionError(
            f"{text}join columns of one kind, or Derive with cast first", kind="wrong type"
        )
    zones = [
        getattr(table.schema[name], "time_zone", None)
        for table, name in ((left, key.left), (right, key.right))
    ]
    if kinds[0] == "datetime" and (zones[0] is None) != (zones[1] is None):
        raise ActionError(
            f"left {key.left!r} has {_zone(zones[0])} and right {key.right!r} has "
            f"{_zone(zones[1])}; join on columns that both have one or both have none",
            kind="wrong type",
        )


def fresh_names(stem: str, count: int, *tables: Table) -> list[str]:
    """Names for columns that are dropped again, which no table has."""
    while any(name.startswith(f"__{stem}") for table in tables for name in table.columns):
        stem = f"_{stem}"
    return [f"__{stem}_{place}" for place in range(count)]


def avoid_clashes(left: Sequence[str], right: Sequence[str]) -> dict[str, str]:
    """New names for the right columns, so that none clashes."""
    ours = set(left)
    headers, names = {*left, *right}, {}
    for name in right:
        new = name
        while new in ours or (new != name and new in headers):
            new += SUFFIX
        headers.add(new)
        names[name] = new
    return names


def add_keys(
    side: int, keys: Sequence[JoinKey], names: Sequence[str], *tables: Table, fold: bool = False
) -> nw.LazyFrame[Any]:
    """A table's frame with its keys beside it, in a type that both sides share.

    Args:
        side: 0 for the left table, 1 for the right.
        keys: Pairs of columns.
        names: What to call the keys.
        tables: Left and right.
        fold: Whether texts are compared without regard to case and blanks.
    """
    columns = []
    for key, name in zip(keys, names, strict=True):
        column = _cast_key(side, key, *tables)
        if fold and tables[0].kind(key.left) == "text":
            column = fold_text(column)
        columns.append(column.alias(name))
    frame = tables[side].frame
    return frame.with_columns(*columns) if columns else frame


def _cast_key(side: int, key: JoinKey, left: Table, right: Table) -> nw.Expr:
    table, name = ((left, key.left), (right, key.right))[side]
    dtypes = {left.schema[key.left], right.schema[key.right]}
    kind = table.kind(name)
    if kind == "text":
        return text_column(table, name)
    if len(dtypes) == 1:
        return nw.col(name)
    if kind == "number":
        whole = all(dtype.is_integer() for dtype in dtypes)
        return nw.col(name).cast(nw.Int64 if whole else nw.Float64)
    if kind == "datetime":
        zone = "UTC" if getattr(table.schema[name], "time_zone", None) else None
        return nw.col(name).cast(nw.Datetime("us", zone))
    return nw.col(name)


def _text_side(
    key: JoinKey, left: Table, right: Table, kinds: tuple[str, str]
) -> tuple[str, Table, str]:
    return ("left", left, key.left) if kinds[0] == "text" else ("right", right, key.right)


def _readable(table: Table, name: str) -> str:
    """How many of a column's cells read as numbers, which its text alone does not tell."""
    text = text_column(table, name).str.strip_chars()
    reads = text.str.contains(NUMBER) & text.str.contains(r"\d")
    row = table.frame.select(
        reads.cast(nw.Int64).sum().alias("reads"), nw.col(name).count().alias("cells")
    )
    reading, cells = row.collect().row(0)
    return f"{reading or 0} of {cells} cells of {name!r} read as numbers"


def _zone(zone: object) -> str:
    return "no time zone" if zone is None else "a time zone"
