"""Derive: add a column computed from others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import narwhals as nw
from pydantic import Field

from wideleaf.tools.action import Action
from wideleaf.tools.expressions import Expression, casts
from wideleaf.tools.formulas import expression_expr, resolve_expression
from wideleaf.tools.privacy import Fact
from wideleaf.tools.table import Table


class Derive(Action):
    """Add a column computed from others."""

    name: str = Field(min_length=1)
    expression: Expression

    def resolve(self, *tables: Table) -> Self:
        """Fit the expression to the table."""
        expression, _ = resolve_expression(self.expression, tables[0])
        return self.model_copy(update={"expression": expression})

    def run(self, *tables: Table) -> Table:
        """Add the column."""
        column = expression_expr(self.expression, tables[0]).alias(self.name)
        return Table(tables[0].frame.with_columns(column))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell of cells that did not parse and of a column that was replaced."""
        table = tables[0]
        facts = []
        if self.name in table.columns:
            facts.append(Fact(text=f"Column {self.name!r} replaces the one of that name"))
        made = list(casts(self.expression))
        if made:
            lost = [
                (
                    ~expression_expr(cast.of, table).is_null()
                    & expression_expr(cast, table).is_null()
                )
                .cast(nw.Int64)
                .sum()
                .alias(str(place))
                for place, cast in enumerate(made)
            ]
            row = table.frame.select(*lost).collect().row(0)
            facts += [
                Fact(
                    text=f"{count} cells do not read as a {cast.cast} and became null", caveat=True
                )
                for cast, count in zip(made, row, strict=True)
                if count
            ]
        return facts
