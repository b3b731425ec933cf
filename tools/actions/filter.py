"""Filter: keep the rows for which a condition is true."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import narwhals as nw

from wideleaf.tools.actions.action import Action
from wideleaf.tools.conditions.condition import (
    EQUALITIES,
    PARTS_OF_TEXT,
    AllOf,
    Compare,
    Condition,
    columns_of,
    compares,
    condition_text,
)
from wideleaf.tools.conditions.matching import (
    Align,
    absent_literals,
    condition_expr,
    distinct_texts,
    resolve_condition,
    tell_meanings,
)
from wideleaf.tools.privacy import Fact, caveat
from wideleaf.tools.tables.columns import nearest_names
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table

COMPARISONS_EXPLAINED = 3
LITERALS_TOLD = 6
PARTS_TOLD = 8
"""Of so many parts the rows are told; each count says something of the cells."""


class Filter(Action):
    """Keep the rows for which a condition is true; nulls match no comparison."""

    purpose = "filter"
    keeps = frozenset(("rows", "order", "columns"))

    where: Condition

    def resolve(self, *tables: Table) -> Self:
        """Fit the condition to the table."""
        return self.resolve_with(None, *tables)

    def resolve_with(self, align: Align | None, *tables: Table) -> Self:
        """Fit the condition to the table; words that no cell equals may mean one of its values."""
        return self.model_copy(update={"where": resolve_condition(self.where, tables[0], align)})

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, decided by those of the condition."""
        return [need.plus((), columns_of(self.where))]

    def run(self, *tables: Table) -> Table:
        """Keep the rows."""
        (table,) = tables
        condition = condition_expr(self.where, table)
        return Table(
            table.frame.filter(condition),
            unordered=table.unordered and (lambda: table.in_any_order.filter(condition)),
        )

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell of folded matches and of values that were meant; where nothing is left, why."""
        parts = list(compares(self.where))
        facts = [fact for one in parts for fact in tell_meanings(one, one.column)]
        facts += [
            Fact(text=f"Matched without regard to case and blanks: {condition_text(compare)}")
            for compare in compares(self.where)
            if compare.match == "folded"
        ]
        turned = [_tell_turned(one) for one in parts if _is_turned(one)]
        facts = turned + (facts if result.count() else _why_nothing(self.where, tables[0]))
        return facts + tell_absent(self.where, tables[0])


def _is_turned(compare: Compare) -> bool:
    """Whether an interval ends before it begins."""
    if compare.op != "between":
        return False
    low, high = compare.literals
    if isinstance(low, str) and isinstance(high, str):
        return low > high and not low.startswith(high)  # a day of a month, up to its end
    return not isinstance(low, str) and not isinstance(high, str) and low > high


def _tell_turned(compare: Compare) -> Fact:
    text = (
        f"{condition_text(compare)}: the bounds are turned round, and nothing lies between them; "
        "write the lower one first"
    )
    return caveat(text)


def _why_nothing(where: Condition, table: Table) -> list[Fact]:
    """How many rows each part matches on its own, and the values nearest to those missed."""
    parts = where.all if isinstance(where, AllOf) else (where,)
    texts = [
        compare
        for compare in compares(where)
        if compare.op in (*EQUALITIES, *PARTS_OF_TEXT)
        and compare.literals
        and table.kind(compare.column) == "text"
    ]
    conditions: list[Condition] = [*parts, *texts]
    totals = [
        condition_expr(part, table).fill_null(False).cast(nw.Int64).sum().alias(str(place))
        for place, part in enumerate(conditions)
    ]
    counts = [int(n or 0) for n in table.frame.select(*totals).collect().row(0)]
    alone = [f"{condition_text(p)}: {n} rows" for p, n in zip(parts, counts, strict=False)]
    more = f"; and {len(alone) - PARTS_TOLD} more parts" if len(alone) > PARTS_TOLD else ""
    text = f"No row is left. On their own, {'; '.join(alone[:PARTS_TOLD])}{more}"
    facts = [Fact(text=text)]
    if len(parts) == 1:
        facts = [Fact(text=f"No row has {condition_text(where)}")]
    missed = [c for c, n in zip(texts, counts[len(parts) :], strict=True) if n == 0]
    return facts + [_nearest_values(c, table) for c in missed[:COMPARISONS_EXPLAINED]]


def tell_absent(where: Condition, table: Table, what: str = "") -> list[Fact]:
    """Which texts stand in no cell, though rows are left or gone for other reasons.

    Args:
        where: The resolved condition.
        table: The rows it is of.
        what: What is compared, in the words of whoever asked for it; empty for cells by column.
    """
    absent = absent_literals(where, table)[:LITERALS_TOLD]
    columns = [*dict.fromkeys(compare.column for compare, _ in absent)]
    if not columns:
        return []
    unique = [nw.col(name).n_unique().alias(f"n{at}") for at, name in enumerate(columns)]
    nulls = [nw.col(name).is_null().any().alias(f"z{at}") for at, name in enumerate(columns)]
    counts = table.frame.select(*unique, *nulls).collect().row(0)
    facts = []
    for at, name in enumerate(columns):
        literals = ", ".join(repr(text) for compare, text in absent if compare.column == name)
        count = int(counts[at] or 0) - bool(counts[at + len(columns)])
        facts.append(
            Fact(
                text=f"No {what or f'cell of {name!r}'} is {literals}; "
                f"it has {count} different texts"
            )
        )
    return facts


def _nearest_values(compare: Compare, table: Table) -> Fact:
    texts = distinct_texts(table, compare.column)
    near = ", ".join(
        repr(v) for lit in compare.literals[:2] for v in nearest_names(str(lit), texts)
    )
    return Fact(text=f"Nearest values of {compare.column!r}: {near or 'none'}", matter="values")
