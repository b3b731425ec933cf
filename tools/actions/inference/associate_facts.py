"""What Associate tells of a step: the verdict, how well all columns tell the target, caveats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import narwhals as nw

from wideleaf.tools.actions.filter import Filter
from wideleaf.tools.actions.inference.association import KINDS, LEAST_EXPECTED, MOST_LEVELS
from wideleaf.tools.actions.inference.together import FOLDS, Joint, judge_together
from wideleaf.tools.conditions.condition import condition_text
from wideleaf.tools.privacy import LEAST_FOR_STATISTICS, Fact, Matter
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    from wideleaf.tools.actions.inference.associate import Associate

RARE = 0.1
"""Where fewer of the rows are inside, or outside, the smaller side decides."""
FEW = 30
SPARSE = 0.2
NAMES_TOLD = 3
MOST_READ = 100_000


def tell_association(action: Associate, table: Table, result: Table, thin: int) -> list[Fact]:
    """Facts about an association.

    Args:
        action: The resolved action.
        table: Its input.
        result: What it made.
        thin: How many tests had cells of few rows.
    """
    rows = result.rows(MOST_READ)
    known = _known(action, table)
    facts = _verdict(action, table, rows)
    if action.where is not None:
        whole = Table(table.frame.filter(action.target(table)))
        facts += Filter(where=action.where).notes([table], whole)
    facts += _sides(action, table, known)
    tested = [row for row in rows if row["p_value"] is not None]
    if tested:
        facts.append(_together(action, table, [row["column"] for row in tested]))
        text = "What goes together need not be its cause: both may have another one"
        facts.append(Fact(text=text, caveat=True))
    if len(tested) > 1:
        text = f"{len(tested)} columns are tested; of so many about {0.05 * len(tested):.2g} would "
        facts.append(Fact(text=f"{text}have p < 0.05 by chance, which adjusted_p allows for"))
    return facts + _lost(action, table, rows, known, thin)


def _known(action: Associate, table: Table) -> int:
    cell = action.target(table).is_null().cast(nw.Int64).sum()
    return table.count() - int(table.frame.select(cell).collect().item() or 0)


def _verdict(action: Associate, table: Table, rows: list[dict[str, Any]]) -> list[Fact]:
    tested = [row for row in rows if row["p_value"] is not None]
    if not tested:
        return [Fact(text="No column can be compared with the target", caveat=True)]
    sure = sum(bool(row["significant"]) for row in rows)
    first = tested[0]
    text = f"{sure or 'None'} of {len(tested)} columns go together with {_named(action)} "
    text += "(p < 0.05 after Benjamini and Hochberg); the strongest is "
    way = _way(first, action, table)
    text += f"{first['column']!r} ({first['effect_name']} {first['effect']:.2g}{way})"
    matter: Matter = "statistics" if first["rows"] >= LEAST_FOR_STATISTICS else "values"
    return [Fact(text=text, matter=matter, caveat=True)]


def _named(action: Associate) -> str:
    return repr(action.column) if action.where is None else condition_text(action.where)


def _way(row: dict[str, Any], action: Associate, table: Table) -> str:
    """What the sign of an effect means."""
    if row["effect_name"] in ("Cramér's V", "eta") or not row["effect"]:
        return ""
    more = row["effect"] > 0
    if action.sort(table) == "yes/no":
        return f": {'higher' if more else 'lower'} inside"
    return f": {'rises' if more else 'falls'} with it"


def _sides(action: Associate, table: Table, known: int) -> list[Fact]:
    """How many rows are inside and outside, and where that is too few."""
    facts = []
    if lost := table.count() - known:
        text = f"{lost} of {known + lost} rows have no target and took no part"
        facts.append(Fact(text=text, caveat=True))
    if known < FEW:
        facts.append(Fact(text=f"{known} rows are few: chance alone joins columns", caveat=True))
    if action.sort(table) != "yes/no" or not known:
        return facts
    counted = action.target(table).cast(nw.Int64).sum()
    inside = int(table.frame.select(counted).collect().item() or 0)
    share = min(inside, known - inside) / known
    text = f"{inside} rows are inside and {known - inside} outside"
    if share < RARE:
        text += f": the smaller side has {100 * share:.2g} %, and what is said hangs on it"
    facts.append(Fact(text=text, caveat=share < RARE))
    return facts


def _together(action: Associate, table: Table, columns: list[str]) -> Fact:
    made = judge_together(table, action.target(table), action.sort(table), columns)
    if not isinstance(made, Joint):
        return Fact(text=f"All together were not judged: {made}")
    text = f"{made.features} of {len(columns)} columns together tell it with {made.measure} "
    text += f"{made.score:.2g} in "
    text += f"{FOLDS}-fold cross-validation of {made.rows} rows; to know nothing is {made.base:.2g}"
    return Fact(text=text, matter="statistics", caveat=True)


def _lost(
    action: Associate, table: Table, rows: list[dict[str, Any]], known: int, thin: int
) -> list[Fact]:
    """What took no part, and what hangs on few rows."""
    facts = []
    own = [name for name in action.aside if table.kind(name) in KINDS]
    if own:
        facts.append(Fact(text=f"{_some(own)} took no part: the target is made of it", caveat=True))
    if others := [name for name in action.aside if name not in own]:
        text = f"{_some(others)} took no part; of dates Derive a number"
        facts.append(Fact(text=text, caveat=True))
    if not known:
        return facts
    if undefined := [row["column"] for row in rows if row["effect"] is None]:
        text = f"{len(undefined)} columns have no effect: one value, or a text of more than "
        text += f"{MOST_LEVELS} values or of one for every other row"
        facts.append(Fact(text=text, caveat=True))
        text = f"Without an effect: {_some(undefined)}"
        facts.append(Fact(text=text, matter="statistics", caveat=True))
    if sparse := [row for row in rows if row["rows"] < (1 - SPARSE) * known]:
        text = f"{len(sparse)} columns lack a cell in more than {100 * SPARSE:g} % of the rows"
        facts.append(Fact(text=text, caveat=True))
    if action.where is not None and any(row["level"] for row in rows):
        text = "inside and outside of texts and of true and false are shares of the level"
        facts.append(Fact(text=text))
    if thin:
        text = f"{thin} tests are rough: under {LEAST_EXPECTED} rows are expected in a cell of "
        facts.append(Fact(text=f"{text}their table", caveat=True))
    return facts


def _some(names: list[str]) -> str:
    more = f" and {len(names) - NAMES_TOLD} more" if len(names) > NAMES_TOLD else ""
    return ", ".join(map(repr, names[:NAMES_TOLD])) + more
