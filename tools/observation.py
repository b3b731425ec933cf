"""The observation: what is told of a new frame, within a fixed size and the privacy level."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from wideleaf.tools.action import Action
from wideleaf.tools.families import find_families
from wideleaf.tools.privacy import LEAST_ROWS_FOR_STATISTICS, Fact, Policy
from wideleaf.tools.table import Table
from wideleaf.tools.visible import visible

COLUMNS_CHARACTERS = 600
FEW_COLUMNS = 4
PREVIEW_ROWS = 5
FEW_ROWS = 12
"""So few rows are shown whole."""
PREVIEW_COLUMNS = 12
CELL_CHARACTERS = 40
MOST_LOOKED_AT = 4_000
"""Of a cell of a megabyte no more is looked at to show its beginning."""
SIGNIFICANT_DIGITS = 3
"""Statistics are rounded to this, so that a quantile never repeats a cell exactly."""


class Observation(NamedTuple):
    """What was seen of a frame: text for the prompt, row count, caveats for the person."""

    text: str
    rows: int
    caveats: tuple[str, ...]


def observe(action: Action, tables: Sequence[Table], result: Table, policy: Policy) -> Observation:
    """Look at the frame an action made.

    Args:
        action: The resolved action.
        tables: Its input frames.
        result: The frame it made.
        policy: What may be told.

    Returns:
        What the policy lets out of it.
    """
    rows = result.count()
    columns = len(result.columns)
    shape = f"{rows} row{'s' * (rows != 1)} x {columns} column{'s' * (columns != 1)}"
    given = tables if action.inputs else ()  # a leaf has none that was told of
    facts = [Fact(text=f"{shape}: {_columns_told(given, result)}.")]
    facts += action.notes(tables, result)
    if rows and policy.allows("values"):  # first, for a prompt cuts at the end
        shown_rows = rows if rows <= FEW_ROWS else PREVIEW_ROWS
        facts.append(Fact(text=preview(result, shown_rows), matter="values"))
    if rows and policy.allows("statistics"):
        facts += statistics(result, result.columns[:PREVIEW_COLUMNS])
    caveats = tuple(f.text for f in facts if f.caveat and policy.allows(f.matter))
    return Observation(policy.text(facts), rows, caveats)


def _columns_told(tables: Sequence[Table], result: Table) -> str:
    """The columns, by what changed where they are those of the one input frame and a few."""
    if len(tables) != 1 or tables[0] is result or len(tables[0].columns) < FEW_COLUMNS:
        return columns_text(result)
    before, now = tables[0].schema, result.schema
    new = [name for name, dtype in now.items() if before.get(name) != dtype]
    if len(before) > len(now) - len(new):
        return columns_text(result)
    return f"its input's columns{' and ' * bool(new)}{cut(column_entries(new, result), 200)}"


def columns_text(table: Table, characters: int = COLUMNS_CHARACTERS) -> str:
    """List columns with their kinds, families as one entry, cut to a size."""
    return cut(column_entries(table.columns, table), characters)


def column_entries(names: Sequence[str], table: Table) -> list[str]:
    """One entry a column or family, such as ``NDVI_{0..80} (81 number columns)``."""
    family_of = {
        column: family
        for family in find_families(tuple(names))
        if len(family.members) > 2
        for column in family.columns
    }
    told: set[str] = set()
    entries = []
    for name in names:
        family = family_of.get(name)
        if family is None:
            entries.append(f"{shown(name)} ({table.kind(name)})")
        elif family.notation not in told:
            told.add(family.notation)
            count, kind = len(family.members), table.kind(family.columns[0])
            entries.append(f"{shown(family.notation)} ({count} {kind} columns)")
    return entries


def cut(entries: Iterable[str], characters: int) -> str:
    """Join entries with commas as long as they fit; say how many were left out."""
    kept: list[str] = []
    entries = list(entries)
    used = 0
    for entry in entries:
        used += len(entry) + 2
        if kept and used > characters:
            return f"{', '.join(kept)} and {len(entries) - len(kept)} more"
        kept.append(entry)
    return ", ".join(kept)


def statistics(table: Table, columns: Iterable[str]) -> list[Fact]:
    """Null share, distinct count and, for numbers, mean, deviation and quartiles.

    Columns with fewer than 20 non-null cells are left out.
    """
    columns = list(columns)
    collected = table.frame.select(*columns).collect()
    facts = []
    for name in columns:
        cells = collected[name].drop_nulls()
        if len(cells) < LEAST_ROWS_FOR_STATISTICS:
            continue
        nulls = 1 - len(cells) / len(collected)
        text = f"{shown(name)}: {nulls:.0%} null, {cells.n_unique()} distinct"
        if table.kind(name) == "number":
            quartiles = [cells.quantile(q, interpolation="linear") for q in (0.25, 0.5, 0.75)]
            text += f", mean {rounded(cells.mean())}, deviation {rounded(cells.std())}"
            text += f", quartiles {', '.join(rounded(q) for q in quartiles)}"
        facts.append(Fact(text=text, matter="statistics"))
    return facts


def preview(table: Table, rows: int = PREVIEW_ROWS) -> str:
    """The first rows as a small text table."""
    columns = table.columns[:PREVIEW_COLUMNS]
    collected = Table(table.frame.select(*columns)).rows(rows)
    lines = [" | ".join(shown(name) for name in columns)]
    lines += [" | ".join(cell_text(row[name]) for name in columns) for row in collected]
    return "\n".join(lines)


def shown(name: str) -> str:
    """A header as it may stand in a prompt: one line, of bounded length."""
    flat = visible(name) or ascii(name)
    return flat if len(flat) <= 2 * CELL_CHARACTERS else f"{flat[: 2 * CELL_CHARACTERS - 1]}…"


def cell_text(value: Any) -> str:
    """A cell as it may stand in a line; one with blanks at its ends in quotes, to be seen."""
    if value is None:
        return "null"
    text = f"{value:.6g}" if isinstance(value, float) else visible(str(value)[:MOST_LOOKED_AT])
    text = text if len(text) <= CELL_CHARACTERS else f"{text[: CELL_CHARACTERS - 1]}…"
    if not isinstance(value, str) or value.strip() == value:
        return text
    before, after = " " * (value.lstrip() != value), " " * (value.rstrip() != value)
    return f"'{before}{text}{after}'" if text else repr(value[:CELL_CHARACTERS])


def rounded(value: float | None) -> str:
    """A statistic with three significant digits."""
    return "null" if value is None else f"{value:.{SIGNIFICANT_DIGITS}g}"
