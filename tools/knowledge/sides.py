"""Sides: a table or graph as subjects with values, and those that compare with something."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import narwhals as nw

from wideleaf.tools.conditions.condition import Condition
from wideleaf.tools.conditions.literals import fold_text
from wideleaf.tools.conditions.matching import condition_expr
from wideleaf.tools.expressions.casting import number_of_text
from wideleaf.tools.expressions.date_formats import date_of_text
from wideleaf.tools.expressions.text_functions import as_text
from wideleaf.tools.knowledge.patterns import ROW, Layout
from wideleaf.tools.tables.relations import END, HEAD, RELATION, START, TAIL
from wideleaf.tools.tables.table import Table

ValueKind = Literal["integer", "number", "date", "text"]
Sign = Literal["=", "!=", "<", "<=", ">", ">="]
SUBJECT, CELL, KEY = "__subject", "__cell", "__key"
MEMBER = "__member"


class Members(NamedTuple):
    """What cells are compared with: a resolved condition on `KEY`, or the values of a frame.

    Attributes:
        test: The condition; None where a frame is given.
        frame: The frame.
        column: Its column that is meant; empty for the last.
        sign: How cells compare with the frame's values; any of them will do.
        folded: Whether text compares regardless of case and blanks.
    """

    test: Condition | None = None
    frame: Table | None = None
    column: str = ""
    sign: Sign = "="
    folded: bool = False


def sides_of(graph: Table, layout: Layout, name: str = "") -> Table:
    """Subjects, and their values as `CELL`, of one relation or column, or of all facts.

    Args:
        graph: A table, whose rows are numbered already; or facts.
        layout: Which of them.
        name: The relation or column; empty for the subjects alone.

    Returns:
        Columns `SUBJECT` and `CELL`; of facts with times `START` and `END`, too, and of all facts
        `RELATION`.
    """
    if layout == "rows":
        cell = [nw.col(name).alias(CELL)] if name else []
        return Table(graph.frame.select(nw.col(ROW).alias(SUBJECT), *cell))
    facts = graph.frame.filter(nw.col(RELATION) == name) if name else graph.frame
    times = (START, END) if layout == "times" else ()
    beside = () if name else (RELATION,)
    return Table(
        facts.select(nw.col(HEAD).alias(SUBJECT), nw.col(TAIL).alias(CELL), *times, *beside)
    )


def with_key(table: Table, column: str, kind: ValueKind | None = None) -> Table:
    """A frame with a column once more as `KEY`, of the kind it compares as."""
    return as_kind(Table(table.frame.with_columns(nw.col(column).alias(KEY))), KEY, kind)


def as_kind(table: Table, column: str, kind: ValueKind | None) -> Table:
    """A frame with a column as another kind; what does not read as it is null."""
    if kind is None:
        return table
    cell, own, engine = nw.col(column), table.kind(column), table.frame.implementation
    if kind in ("integer", "number"):
        cell = number_of_text(cell) if own == "text" else cell
        cell = cell.cast(nw.Float64) if own != "number" else cell
        if kind == "integer":
            cell = nw.when(cell == cell.floor()).then(cell).cast(nw.Int64)
        else:
            cell = cell.cast(nw.Float64)
        return Table(table.frame.with_columns(cell.alias(column)))
    if kind == "date" and own == "text":
        cell = date_of_text(cell, None, engine, lambda expression: expression)
    elif kind == "date" and own == "datetime":
        cell = cell.dt.date()
    elif kind == "text" and own != "text":
        cell = as_text(cell, own)
    return Table(table.frame.with_columns(cell.alias(column)))


def keep_members(
    table: Table, members: Members, column: str = CELL, kind: ValueKind | None = None
) -> Table:
    """The rows of which a column compares with what is asked for; a null never does.

    Args:
        table: The rows.
        members: What is asked for; a condition speaks of `KEY`.
        column: Which column.
        kind: As what it compares.
    """
    rows, key = with_key(table, column, kind), nw.col(KEY)
    if members.test is not None:
        return Table(rows.frame.filter(condition_expr(members.test, rows)).select(*table.columns))
    values = member_values(members, rows, KEY)
    if members.sign in ("=", "!="):
        cells = rows.frame.filter(~key.is_null())
        cells = cells.with_columns(fold_text(key).alias(KEY)) if members.folded else cells
        how: Any = "semi" if members.sign == "=" else "anti"
        matches = cells.join(values, left_on=KEY, right_on=MEMBER, how=how)
        return Table(matches.select(*table.columns))
    # Any of the values will do, so that the least or the greatest of them decides.
    member = nw.col(MEMBER)
    bound = values.select(member.min() if members.sign[0] == ">" else member.max())
    matches = rows.frame.join(bound, how="cross").filter(_compare(key, members.sign, member))
    return Table(matches.select(*table.columns))


def member_values(members: Members, beside: Table, column: str) -> nw.LazyFrame[Any]:
    """The values of a frame, of the kind that a column beside them has, without nulls."""
    frame = members.frame
    assert frame is not None, "only a frame has members"
    name = members.column or frame.columns[-1]
    own = frame.frame.select(nw.col(name).alias(MEMBER))
    values = as_kind(Table(own), MEMBER, member_kind(beside, column)).frame
    if members.folded:
        values = values.with_columns(fold_text(nw.col(MEMBER)).alias(MEMBER))
    return values.filter(~nw.col(MEMBER).is_null())


def member_kind(table: Table, column: str) -> ValueKind | None:
    """As what the values of a frame are read that are compared with a column."""
    kind = table.kind(column)
    if kind == "number":
        return "integer" if table.schema[column].is_integer() else "number"
    return kind if kind in ("date", "text") else None


def _compare(left: nw.Expr, sign: Sign, right: nw.Expr) -> nw.Expr:
    tests = {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}
    return tests[sign]
