"""Derive: add a column computed from others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import narwhals as nw
from pydantic import Field

from wideleaf.tools.actions.action import Action
from wideleaf.tools.conditions.condition import columns_of
from wideleaf.tools.expressions.derivation import Builder
from wideleaf.tools.expressions.expression import (
    Across,
    Apply,
    Cases,
    Cast,
    Choose,
    Expression,
    Truth,
    casts,
)
from wideleaf.tools.expressions.formulas import resolve_expression
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.needs import PLACES, Header, Need, join_needs
from wideleaf.tools.tables.table import Table


class Derive(Action):
    """Add a column computed from others."""

    purpose = "columns"
    keeps = frozenset(("rows", "order"))
    places = PLACES | {"expression", "args", "then", "else", "of"}  # a bare text is a column

    name: str = Field(min_length=1)
    expression: Expression

    def resolve(self, *tables: Table) -> Self:
        """Fit the expression to the table."""
        expression, _ = resolve_expression(self.expression, tables[0])
        return self.model_copy(update={"expression": expression})

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, and for the new one those of the expression."""
        return [need.past(headers[0], {self.name: _read(self.expression)})]

    def run(self, *tables: Table) -> Table:
        """Add the column."""
        return Table(Builder(tables[0]).columns({self.name: self.expression}))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell of cells that did not parse and of a column that was replaced."""
        table = tables[0]
        facts = []
        if self.name in table.columns:
            facts.append(Fact(text=f"Column {self.name!r} replaces the one of that name"))
        lost = _lost(list(casts(self.expression)), table)
        return facts + [
            Fact(text=f"{count} cells do not read as a {cast.cast} and became null", caveat=True)
            for cast, count in lost
            if count
        ]


def _read(expression: Expression) -> Need:
    """The columns an expression reads; those of its conditions decide."""
    match expression:
        case str():
            return Need(frozenset({expression}))
        case Apply(args=args):
            return join_needs(map(_read, args))
        case Cast(of=inner):
            return _read(inner)
        case Truth(test=test):
            return Need(columns_of(test))
        case Choose(if_=test, then=then, else_=other):
            parts = [then] if other is None else [then, other]
            return join_needs(map(_read, parts)).plus((), columns_of(test))
        case Cases(cases=cases, else_=other):
            parts = [*(case.then for case in cases), *([] if other is None else [other])]
            tests = (name for case in cases for name in columns_of(case.if_))
            return join_needs(map(_read, parts)).plus((), tests)
        case Across(columns=columns):
            return Need(frozenset(columns))
    return Need()


def _lost(made: list[Cast], table: Table) -> list[tuple[Cast, int]]:
    """How many cells each cast could not read; one query for all."""
    if not made:
        return []
    before = {f"__before_{place}": cast.of for place, cast in enumerate(made)}
    after = {f"__after_{place}": cast for place, cast in enumerate(made)}
    frame = Builder(table).columns(before | after)
    totals = [
        (~nw.col(one).is_null() & nw.col(other).is_null()).cast(nw.Int64).sum().alias(one)
        for one, other in zip(before, after, strict=True)
    ]
    row = frame.select(*totals).collect().row(0)
    return [(cast, int(count or 0)) for cast, count in zip(made, row, strict=True)]
