"""References to columns, by name or by family, resolved against the columns at hand."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Annotated

from pydantic import BeforeValidator, Field
from pydantic.json_schema import WithJsonSchema

from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.families import Family, find_families
from wideleaf.tools.tables.table import Table
from wideleaf.tools.words import visible

NEAREST_SHOWN = 5
CUT, MIN_CUT = "…", 20
"""How a prompt ends a long header; written back with so many characters, it is that header."""


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


Column = Annotated[str, Field(description="A column name.")]
AnyColumns = Annotated[
    tuple[str, ...],
    BeforeValidator(_as_list),
    Field(description="Names, or families: NDVI_* (all), NDVI_{0..80} (range), NDVI_{0,8} (some)."),
]
"""Columns, or none."""
OR_RENAMED = WithJsonSchema({"type": "array", "items": {"type": ["string", "object"]}})
"""For a list whose columns may have new names, as ``{old: new}``."""
Columns = Annotated[AnyColumns, Field(min_length=1)]

_BRACES = re.compile(r"^(?P<stem>[^{}]*)\{(?P<inside>[^{}]+)\}(?P<tail>[^{}]*)$")
_RANGE = re.compile(r"^\s*(-?\d+(?:\.\d+)?)\s*\.\.\s*(-?\d+(?:\.\d+)?)\s*$")


def resolve_columns(references: Iterable[str], table: Table) -> tuple[str, ...]:
    """Turn references into the columns they stand for, in order, each once.

    Args:
        references: Names and family references.
        table: The table at hand.

    Raises:
        ActionError: If a reference stands for no column; names the nearest ones.
    """
    columns: dict[str, None] = {}
    for reference in references:
        columns.update(dict.fromkeys(_resolve_one(reference, table.columns)))
    return tuple(columns)


def resolve_column(reference: str, table: Table) -> str:
    """Turn a reference into exactly one column.

    Raises:
        ActionError: If it stands for none or for several.
    """
    columns = _resolve_one(reference, table.columns)
    if len(columns) > 1:
        raise ActionError(
            f"{reference!r} stands for {len(columns)} columns; here one is needed, such as "
            f"{columns[0]!r}",
            kind="several columns",
        )
    return columns[0]


def resolve_groups(
    references: Iterable[str] | None, table: Table, purpose: str
) -> tuple[str, ...] | None:
    """Turn references into columns that group rows; None where nothing does.

    Raises:
        ActionError: If a reference stands for no column, or one whose cells cannot be equal.
    """
    if references is None:
        return None
    columns = resolve_columns(references, table)
    kinds = ("number", "text", "boolean", "date", "datetime")
    need_kind(table, columns, *kinds, purpose=f"{purpose} by")
    return columns


def need_kind(table: Table, columns: Iterable[str], *kinds: str, purpose: str) -> None:
    """Refuse columns of a kind that the purpose cannot use.

    Raises:
        ActionError: Names the first such column, its kind and the kinds that would do.
    """
    for column in columns:
        kind = table.kind(column)
        if kind not in kinds:
            others = [name for name in table.columns if table.kind(name) in kinds]
            hint = (
                f"; columns of that kind: {_quote_names(others[:NEAREST_SHOWN])}" if others else ""
            )
            raise ActionError(
                f"{purpose} needs a {' or '.join(kinds)} column, but {column!r} is {kind}{hint}",
                kind="wrong type",
            )


def need_few_numbers(rows: int, features: int, most: int, purpose: str) -> None:
    """Refuse more numbers than can be fitted, of which a fit holds several copies.

    Raises:
        ActionError: If rows times features are more.
    """
    if rows * features > most:
        raise ActionError(
            f"{purpose} holds its features in memory; {rows} rows x {features} features are more "
            f"than {most} numbers; name fewer features, Filter rows or Sample first",
            kind="too large",
        )


def need_few_levels(name: str, levels: int, most: int) -> None:
    """Refuse a text feature of more values than terms can be made of.

    Raises:
        ActionError: If it has more.
    """
    if levels > most:
        raise ActionError(
            f"{name!r} is text of more than {most} values; leave it out of the features, or "
            "Derive a coarser one",
            kind="argument features",
        )


def need_free(name: str | None, columns: Collection[str], what: str) -> None:
    """Refuse a name for something new that a column has already.

    Raises:
        ActionError: If it is taken.
    """
    if name in columns:
        raise ActionError(
            f"there is a column {name!r} already; give the {what} another name", kind="name taken"
        )


def nearest_names(name: str, names: Sequence[str], limit: int = NEAREST_SHOWN) -> list[str]:
    """The names most like one that does not exist, best first."""
    from rapidfuzz import fuzz, process, utils  # loaded on an error only

    hits = process.extract(
        name, names, scorer=fuzz.WRatio, processor=utils.default_process, limit=limit
    )
    return [hit[0] for hit in hits]


def _resolve_one(reference: str, names: tuple[str, ...]) -> tuple[str, ...]:
    if reference in names:
        return (reference,)
    if braces := _BRACES.match(reference):
        columns = _members(braces, names)
    elif "*" in reference:
        # Only the star is special: a bracket in a header is a bracket.
        pattern = re.sub(r"([\[\]?])", r"[\1]", reference)
        columns = tuple(name for name in names if fnmatchcase(name, pattern))
    else:
        folded = _flat(reference)
        columns = tuple(name for name in names if _flat(name) == folded)
        if not columns and folded.endswith(CUT) and len(folded) > MIN_CUT:
            columns = tuple(name for name in names if _flat(name).startswith(folded[: -len(CUT)]))
        if len(columns) > 1:
            raise ActionError(
                f"{reference!r} could be {_quote_names(columns[:NEAREST_SHOWN])}; "
                "write one of them "
                "exactly",
                kind="unknown column",
            )
    if not columns:
        raise ActionError(
            f"no column {reference!r}; the nearest of {len(names)} are "
            f"{_quote_names(nearest_names(reference, names))}",
            kind="unknown column",
        )
    return columns


def _flat(name: str) -> str:
    """A name as a prompt shows it, on one line, regardless of case."""
    return visible(name).casefold()


def _members(braces: re.Match[str], names: tuple[str, ...]) -> tuple[str, ...]:
    stem, inside, tail = braces["stem"], braces["inside"], braces["tail"]
    family = next((f for f in find_families(names) if f.stem == stem and f.tail == tail), None)
    if family is None:
        return ()
    if inside == "*":
        return family.columns
    if span := _RANGE.match(inside):
        low, high = sorted((float(span[1]), float(span[2])))
        return tuple(c for v, c in family.members if isinstance(v, float) and low <= v <= high)
    first, dots, last = inside.partition("..")
    if dots:  # as a family of texts is shown, ``breeder{Ashby..Saltbush}``
        columns = [column for _, column in family.members]
        start, end = (columns.index(_member(family, one.strip())) for one in (first, last))
        return tuple(columns[min(start, end) : max(start, end) + 1])
    return tuple(_member(family, text.strip()) for text in inside.split(","))


def _member(family: Family, text: str) -> str:
    for value, column in family.members:
        if value == text or column == f"{family.stem}{text}{family.tail}":
            return column
        if isinstance(value, float):
            try:
                if float(text) == value:
                    return column
            except ValueError:
                continue
    raise ActionError(
        f"family {family.notation!r} has no member {text!r}; name members that it has, or all of "
        f"them as {family.pattern}",
        kind="unknown column",
    )


def _quote_names(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in names)
