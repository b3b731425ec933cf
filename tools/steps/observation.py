"""The observation: what is told of a new frame, within a fixed size and the privacy level."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import narwhals as nw

from wideleaf.tools.actions.action import Action
from wideleaf.tools.privacy import LEAST_FOR_STATISTICS, Fact, Policy
from wideleaf.tools.tables.families import LISTED_MEMBERS, find_families
from wideleaf.tools.tables.relations import RELATION
from wideleaf.tools.tables.table import Table
from wideleaf.tools.telling.figures import QUARTILES, SIGNIFICANT_DIGITS, find_figures
from wideleaf.tools.words import as_name, cell_text, cut

COLUMNS_CHARACTERS = 600
FEW_COLUMNS = 4
PREVIEW_ROWS = 5
FEW_ROWS = 12
"""So few rows are shown whole."""
PREVIEW_COLUMNS = 12


class Observation(NamedTuple):
    """What was seen of a frame: text for the prompt, row count, caveats for the person."""

    text: str
    rows: int
    caveats: tuple[str, ...]


class Disclosure(NamedTuple):
    """Of what statistics may be told where cells may not.

    Attributes:
        columns: Columns of the frame.
        notes: Whether those that the action notes of its input are among them.
    """

    columns: Collection[str] = ()
    notes: bool = False


def observe(
    action: Action,
    tables: Sequence[Table],
    result: Table,
    policy: Policy,
    disclosure: Disclosure = Disclosure(),  # noqa: B008 - an immutable value
    focus: Sequence[str] = (),
) -> Observation:
    """Look at the frame an action made.

    Args:
        action: The resolved action.
        tables: Its input frames.
        result: The frame it made.
        policy: What may be told.
        disclosure: Of what statistics may be told, if the policy lets out those alone.
        focus: Columns that the question means; of a wide frame, those are shown.

    Returns:
        What the policy lets out of it.
    """
    rows = result.count()
    columns = len(result.columns)
    shape = f"{rows} row{'s' * (rows != 1)} x {columns} column{'s' * (columns != 1)}"
    given = tables if action.inputs else ()  # a leaf has none that was told of
    facts = [Fact(text=f"{shape}: {_columns_told(given, result)}.")]
    noted = action.notes(tables, result)
    cells = policy.allows("values")
    if not (cells or disclosure.notes):
        noted = [fact for fact in noted if fact.matter != "statistics"]
    facts += noted
    first = _columns_shown(given, result, focus)
    if rows and cells:  # first, for a prompt cuts at the end
        shown_rows = rows if rows <= FEW_ROWS else PREVIEW_ROWS
        text = preview(result, first, shown_rows)
        if result.relations:
            text = preview_facts(result, [one.name for one in result.relations[:FEW_ROWS]])
        facts.append(Fact(text=text, matter="values"))
    if rows and policy.allows("statistics"):
        told = first if cells else [name for name in first if name in disclosure.columns]
        facts += statistics(result, told, exact=cells)
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


def _columns_shown(tables: Sequence[Table], result: Table, focus: Sequence[str]) -> Sequence[str]:
    """The columns of which cells are shown; of a wide frame, what is new and what is asked for."""
    columns = result.columns
    if len(columns) <= PREVIEW_COLUMNS:
        return columns
    before = {name for table in tables for name in table.columns}
    there = set(columns)
    new = [name for name in columns if name not in before] if tables else []
    chosen = dict.fromkeys([*new, *(name for name in focus if name in there)])
    if not chosen:
        return columns[:PREVIEW_COLUMNS]
    return list(dict.fromkeys([columns[0], *chosen]))[:PREVIEW_COLUMNS]


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
    # Once a family: a member's own look at all members takes seconds where there are thousands.
    kinds_of = {
        family.notation: Counter(map(table.kind, family.columns))
        for family in dict.fromkeys(family_of.values())
    }
    told: set[str] = set()
    entries = []
    for name in names:
        family = family_of.get(name)
        kinds = kinds_of[family.notation] if family else Counter()
        # A few columns of several kinds are listed one by one, so that each kind is clear.
        if family is None or (len(kinds) > 1 and len(family.columns) <= LISTED_MEMBERS):
            entries.append(f"{as_name(name)} ({table.kind(name)})")
        elif family.notation not in told:
            told.add(family.notation)
            count = f"{len(family.members)} {next(iter(kinds))} columns"
            if len(kinds) > 1:
                count = " and ".join(f"{n} {kind}" for kind, n in kinds.most_common()) + " columns"
            entries.append(f"{as_name(family.notation)} ({count})")
    return entries


def statistics(table: Table, columns: Iterable[str], *, exact: bool = False) -> list[Fact]:
    """Null share, distinct count and, for numbers, mean, deviation and quartiles.

    Columns with fewer than 20 non-null cells are left out; of those with fewer than 20 different
    ones no figures are told, for such a figure may be a cell.

    Args:
        table: The frame.
        columns: Columns that may tell statistics.
        exact: Whether the cells may be told, too, so that any figure may.
    """
    columns = list(columns)
    if not columns:
        return []
    collected = table.frame.select(*columns).collect()
    facts = []
    for name in columns:
        cells = collected[name].drop_nulls()
        if len(cells) < LEAST_FOR_STATISTICS:
            continue
        nulls, distinct = 1 - len(cells) / len(collected), cells.n_unique()
        text = f"{as_name(name)}: {nulls:.0%} null, {distinct} distinct"
        if table.kind(name) == "number":
            if exact:
                quartiles = [cells.quantile(q, interpolation="linear") for q in QUARTILES]
                text += f", mean {figure_text(cells.mean())}, deviation {figure_text(cells.std())}"
                text += f", quartiles {', '.join(figure_text(q) for q in quartiles)}"
            elif distinct >= LEAST_FOR_STATISTICS:
                figures = find_figures(cells.cast(nw.Float64).to_numpy())
                text += f", {figures}" if figures else ""
        facts.append(Fact(text=text, matter="statistics"))
    return facts


def preview(table: Table, columns: Sequence[str], rows: int = PREVIEW_ROWS) -> str:
    """The first rows of some columns as a small text table."""
    collected = Table(table.frame.select(*columns)).rows(rows)
    lines = [" | ".join(as_name(name) for name in columns)]
    lines += [" | ".join(cell_text(row[name]) for name in columns) for row in collected]
    return "\n".join(lines)


def preview_facts(graph: Table, relations: Sequence[str]) -> str:
    """One fact of each of some relations of a knowledge graph as a small text table."""
    lines = [" | ".join(graph.columns)]
    for name in relations:
        facts = Table(graph.frame.filter(nw.col(RELATION) == name))
        lines += [
            " | ".join(as_name(c) if one == RELATION else cell_text(c) for one, c in row.items())
            for row in facts.rows(1)
        ]
    return "\n".join(lines)


def figure_text(value: float | None) -> str:
    """A statistic with three significant digits."""
    return "null" if value is None else f"{value:.{SIGNIFICANT_DIGITS}g}"
