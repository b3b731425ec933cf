"""Derive: add a column computed from others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import narwhals as nw
from pydantic import Field

from wideleaf.tools.actions.action import Action
from wideleaf.tools.cells.shapes import SHAPED_ROWS, find_shapes
from wideleaf.tools.conditions.condition import columns_of
from wideleaf.tools.conditions.nodes import parts_of, parts_within
from wideleaf.tools.errors import ActionError
from wideleaf.tools.expressions.derivation import Builder, Loss, find_losses
from wideleaf.tools.expressions.expression import (
    Across,
    Apply,
    Case,
    Cases,
    Cast,
    Expression,
    Truth,
)
from wideleaf.tools.expressions.formulas import resolve_expression
from wideleaf.tools.expressions.functions import FUNCTIONS
from wideleaf.tools.expressions.widening import widen, wides_in
from wideleaf.tools.privacy import Fact, caveat
from wideleaf.tools.tables.extents import describe_floats
from wideleaf.tools.tables.needs import PLACES, Header, Need, join_needs
from wideleaf.tools.tables.table import Table, count_where


class Derive(Action):
    """Add a column computed from others."""

    purpose = "columns"
    keeps = frozenset(("rows", "order"))
    places = PLACES | {"expression", "args", "then", "else", "of"}  # a bare text is a column

    name: str = Field(min_length=1)
    expression: Expression

    def resolve(self, *tables: Table) -> Self:
        """Fit the expression to the table.

        Raises:
            ActionError: If a part of it does not fit, or a cast reads no cell at all.
        """
        expression, _ = resolve_expression(self.expression, tables[0])
        if any(isinstance(part, Cast) for part in parts_within(expression)):
            _need_some(find_losses(expression, tables[0]), expression, tables[0])
        return self.model_copy(update={"expression": widen(expression, tables[0])})

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, and for the new one those of the expression."""
        return [need.past(headers[0], {self.name: _read(self.expression)})]

    def run(self, *tables: Table) -> Table:
        """Add the column."""
        return Table(Builder(tables[0]).columns({self.name: self.expression}))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell of cells that became null or were missing, and of a column that was replaced."""
        table = tables[0]
        facts = []
        if self.name in table.columns:
            facts.append(Fact(text=f"Column {self.name!r} replaces the one of that name"))
        if "float" in wides_in(self.expression):
            facts.append(caveat(describe_floats(self.name)))
        losses = find_losses(self.expression, table)
        texts = dict.fromkeys(_told(self.name, loss) for loss in losses if loss.lost)
        facts += [caveat(text) for text in texts]
        silent = any(isinstance(one.part, Cast) for one in losses) and not texts
        return facts + (_note_empty(self, table, result) if silent else [])


def _read(expression: Expression) -> Need:
    """The columns an expression reads; those of its conditions decide."""
    match expression:
        case str():
            return Need(frozenset({expression}))
        case Case(if_=test):
            return join_needs(map(_read, parts_of(expression))).plus((), columns_of(test))
        case Apply() | Cast() | Cases() | Across():
            return join_needs(map(_read, parts_of(expression)))
        case Truth(test=test):
            return Need(columns_of(test))
    return Need()


def _need_some(losses: Sequence[Loss], expression: Expression, table: Table) -> None:
    """Refuse a cast that reads no cell at all, unless something else stands in for it.

    Raises:
        ActionError: If every cell would become null.
    """
    failed = [
        (one.part, one.given)
        for one in losses
        if isinstance(one.part, Cast) and one.lost == one.given > 0
    ]
    if not failed:
        return
    frame = Builder(table).columns({_RESULT: expression})
    if int(frame.select(nw.col(_RESULT).count()).collect().item() or 0):
        return
    cast, count = failed[0]
    of = repr(cast.of) if isinstance(cast.of, str) else "what it is made of"
    form = f"in the format {cast.format!r}" if cast.format else "as it stands"
    raise ActionError(
        f"none of the {count} cells of {of} reads as a {cast.cast} {form}; "
        f"{_written(cast, table)}, and {_REMEDIES.get(cast.cast, _REMEDY)}",
        kind="nothing reads",
    )


def _written(cast: Cast, table: Table) -> str:
    """How the cells of a column are written, as far as a shape tells it."""
    if isinstance(cast.of, str) and cast.of in table.columns and table.kind(cast.of) == "text":
        cells = table.frame.select(cast.of).drop_nulls().head(SHAPED_ROWS).collect()[cast.of]
        if shapes := find_shapes(cells.to_list())[1]:
            return f"they are written {' or '.join(shapes)}"
    return "Sample shows how they are written, where cells may be seen"


def _told(name: str, loss: Loss) -> str:
    part = loss.part
    if isinstance(part, Cast):
        return f"{loss.lost} cells do not read as a {part.cast} and became null"
    if isinstance(part, Apply):
        return f"{name} is null in {loss.lost} rows: {FUNCTIONS[part.op].null_of}"
    return (
        f"In {loss.lost} of {loss.given} rows some of the {len(part.columns)} cells are missing; "
        f"{name} is the {part.row} of the others"
    )


_RESULT = "__result"
_REMEDY = "a function such as 'null if' or a comparison may say more"
_FORMAT = "a format says how, such as"
_REMEDIES = {
    "number": f"{_FORMAT} '1.234,5 €'; 'extract' takes a number out of a text",
    "date": f"{_FORMAT} 'DD.MM.YYYY'",
    "datetime": f"{_FORMAT} 'DD.MM.YYYY HH:mm'",
}


def _note_empty(action: Derive, table: Table, result: Table) -> list[Fact]:
    """Cells that are there and of which nothing was read, though each cast had what it needs."""
    need = _read(action.expression)
    if len(need.values) != 1 or need.deciding or action.name in table.columns:
        return []
    (column,) = need.values
    missed = ~nw.col(column).is_null() & nw.col(action.name).is_null()
    (count,) = count_where(result.frame, missed)
    text = f"Of {count} cells of {column!r} nothing came: they are null in {action.name!r}"
    return [caveat(text)] if count else []
