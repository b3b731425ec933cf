"""The observation: what is told of a new frame, within a fixed size and the privacy level."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import narwhals as nw

from wideleaf.tools.actions.action import Action
from wideleaf.tools.cells.shapes import SHAPED_ROWS, find_shapes
from wideleaf.tools.privacy import MIN_FOR_STATISTICS, Fact, Policy
from wideleaf.tools.steps.preview import (
    LAST_ROWS,
    MAX_ROWS,
    MIN_ROWS,
    preview,
    preview_facts,
    preview_table,
)
from wideleaf.tools.steps.rows_apart import MAX_ROWS as MAX_LOOKED_THROUGH
from wideleaf.tools.steps.rows_apart import find_rows_apart
from wideleaf.tools.tables.families import LISTED_MEMBERS, find_families
from wideleaf.tools.tables.table import MAX_CELLS, Table, is_far
from wideleaf.tools.telling.figures import QUARTILES, SIGNIFICANT_DIGITS, find_figures
from wideleaf.tools.words import as_name, cell_text, cut

COLUMNS_CHARACTERS = 600
FEW_COLUMNS = 4
PREVIEW_COLUMNS = 12
RELATIONS_SHOWN = 12
SHAPED_COLUMNS = 40
"""Of a wider raw table those columns alone that are shown are looked at for shapes of text."""
FEW_TEXTS, TEXTS_CHARACTERS = 12, 200
"""So many different texts of a column are listed, where their cells may be told."""


class Observation(NamedTuple):
    """What was seen of a frame.

    Attributes:
        text: For the prompt, as far as the policy lets it out.
        rows: How many there are.
        caveats: Of what the person should know, that which the policy lets out.
        told: All that the person should know; it stays on this machine.
    """

    text: str
    rows: int
    caveats: tuple[str, ...]
    told: tuple[str, ...]


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
        What the policy lets out of it, and all that the person should know.
    """
    rows = result.count()
    columns = len(result.columns)
    shape = f"{rows} row{'s' * (rows != 1)} x {columns} column{'s' * (columns != 1)}"
    inputs = tables if action.inputs else ()  # a leaf has none that was told of
    facts = [Fact(text=f"{shape}: {_columns_told(inputs, result)}.")]
    noted = action.notes(tables, result)
    notes = tuple(fact.text for fact in noted if fact.caveat)
    cells = policy.allows("values")
    if not (cells or disclosure.notes):
        noted = [fact for fact in noted if fact.matter != "statistics"]
    facts += noted
    first = _columns_shown(inputs, result, focus)
    leaf = not action.inputs and not result.relations
    if leaf and not is_far(result.frame):
        facts += _shapes_told(result, first)
    raw = leaf and rows <= MAX_LOOKED_THROUGH
    if rows and cells:
        facts += _cells_told(result, first, rows, raw=raw)
    elif rows * len(first) <= MAX_CELLS:
        open_to = disclosure.columns if policy.allows("statistics") else ()
        facts += _tell_without_cells(result, first, open_to, raw=raw)
    caveats = tuple(f.text for f in facts if f.caveat and policy.allows(f.matter))
    return Observation(policy.text(facts), rows, caveats, notes)


def _cells_told(result: Table, columns: Sequence[str], rows: int, *, raw: bool) -> list[Fact]:
    """Rows first, for a prompt cuts at the end; then figures of what is not shown whole."""
    if rows * len(columns) > MAX_CELLS:  # nobody holds all of them to look at
        return [Fact(text=preview_table(result, columns, MIN_ROWS), matter="values")]
    collected = result.frame.select(*columns).collect()
    first = collected.head(MAX_ROWS).rows(named=True)
    if result.relations:
        names = [one.name for one in result.relations[:RELATIONS_SHOWN]]
        text, count = preview_facts(result, names), 0
    else:
        last = collected.tail(LAST_ROWS).rows(named=True)
        text, count = preview(first, last, rows, columns)
    facts = [Fact(text=text, matter="values")]
    if raw:
        facts += find_rows_apart(collected.rows(named=True), cells=True)
    return facts if count == rows else [*facts, *statistics(result, collected, exact=True)]


def _tell_without_cells(
    result: Table, columns: Sequence[str], open_to: Collection[str], *, raw: bool
) -> list[Fact]:
    """Which rows stand apart, then statistics of the columns that are open to them."""
    facts: list[Fact] = []
    if raw and not is_far(result.frame):
        rows = result.frame.select(*columns).collect().rows(named=True)
        facts += find_rows_apart(rows, cells=False)
    if names := [name for name in columns if name in open_to]:
        facts += statistics(result, result.frame.select(*names).collect())
    return facts


def _shapes_told(result: Table, first: Sequence[str]) -> list[Fact]:
    """Which columns of text read as dates or numbers, and in what shape these are written."""
    columns = result.columns if len(result.columns) <= SHAPED_COLUMNS else first
    texts = [name for name in columns if result.kind(name) == "text"]
    if not texts:
        return []
    sample = result.frame.select(*texts).head(SHAPED_ROWS).collect()
    facts = []
    for name in texts:
        read_as, shapes = find_shapes([*map(str, sample[name].drop_nulls().to_list())])
        if read_as:
            form = f", written {' or '.join(shapes)}" * (shapes not in ((), ("9",)))
            facts.append(Fact(text=f"{as_name(name)} is text that reads as {read_as}{form}"))
    return facts


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
    selection = dict.fromkeys([*new, *(name for name in focus if name in there)])
    if not selection:
        return columns[:PREVIEW_COLUMNS]
    return list(dict.fromkeys([columns[0], *selection]))[:PREVIEW_COLUMNS]


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
    notations: set[str] = set()
    entries = []
    for name in names:
        family = family_of.get(name)
        kinds = kinds_of[family.notation] if family else Counter()
        # A few columns of several kinds are listed one by one, so that each kind is clear.
        if family is None or (len(kinds) > 1 and len(family.columns) <= LISTED_MEMBERS):
            entries.append(f"{as_name(name)} ({table.kind(name)})")
        elif family.notation not in notations:
            notations.add(family.notation)
            count = f"{len(family.members)} {next(iter(kinds))} columns"
            if len(kinds) > 1:
                count = " and ".join(f"{n} {kind}" for kind, n in kinds.most_common()) + " columns"
            entries.append(f"{as_name(family.notation)} ({count})")
    return entries


def statistics(table: Table, collected: nw.DataFrame[Any], *, exact: bool = False) -> list[Fact]:
    """Null share, distinct count, of numbers mean, deviation and quartiles, of few texts each.

    Columns with fewer than 20 non-null cells are left out; of those with fewer than 20 different
    ones no figures are told, for such a figure may be a cell.

    Args:
        table: The frame.
        collected: Its columns that may tell statistics, with all their rows.
        exact: Whether the cells may be told, too, so that any figure may.
    """
    facts = []
    for name in collected.columns:
        cells = collected[name].drop_nulls()
        if len(cells) < MIN_FOR_STATISTICS:
            continue
        nulls, distinct = 1 - len(cells) / len(collected), cells.n_unique()
        text = f"{as_name(name)}: {nulls:.0%} null, {distinct} distinct"
        if table.kind(name) == "number":
            if exact:
                quartiles = [cells.quantile(q, interpolation="linear") for q in QUARTILES]
                text += f", mean {figure_text(cells.mean())}, deviation {figure_text(cells.std())}"
                text += f", quartiles {', '.join(figure_text(q) for q in quartiles)}"
            elif distinct >= MIN_FOR_STATISTICS:
                figures = find_figures(cells.cast(nw.Float64).to_numpy())
                text += f", {figures}" if figures else ""
        elif exact and table.kind(name) == "text" and distinct <= FEW_TEXTS:
            texts = [cell_text(cell) for cell in sorted(cells.unique().to_list())]
            text += f": {cut(texts, TEXTS_CHARACTERS)}"
        facts.append(Fact(text=text, matter="statistics"))
    return facts


def figure_text(value: float | None) -> str:
    """A statistic with three significant digits."""
    return "null" if value is None else f"{value:.{SIGNIFICANT_DIGITS}g}"
