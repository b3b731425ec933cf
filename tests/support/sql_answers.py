"""Answers to SQL: SQLite's own, and those of a plan run through the actions, compared."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import Any

from sql_relations import Plan, Schema, SourceColumn
from sql_values import affinity_of

from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.queries.meeting import copy_here, meet
from wideleaf.tools.steps.placement import run_where_it_stands
from wideleaf.tools.steps.semantics import Profile, under
from wideleaf.tools.tables.table import Table

Rows = list[tuple[Any, ...]]
MAX_SHOWN = 1_000_000


def connect(path: Path) -> sqlite3.Connection:
    """Open a SQLite database, whatever bytes its texts hold."""
    connection = sqlite3.connect(path)
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return connection


def by_sqlite(sql: str, path: Path) -> Rows:
    """SQLite's result."""
    with closing(connect(path)) as connection:
        return connection.execute(sql).fetchall()


def by_actions(plan: Plan, tables: Mapping[str, Table], profile: Profile = "sql") -> Rows:
    """The result of a plan, each call fitted to its tables and run.

    Raises:
        ActionError: If an action cannot be carried out.
    """
    return _rows(frames(plan, tables, profile)[plan.steps[-1].label])


def frames(plan: Plan, tables: Mapping[str, Table], profile: Profile = "sql") -> dict[str, Table]:
    """What each call of a plan makes, by label."""
    made: dict[str, Table] = {}
    for step in plan.steps:
        action = find_action(step.action).model_validate(step.arguments)
        inputs = [made[label] for label in step.inputs] or [tables[step.arguments["source"]]]
        inputs = meet(inputs)
        action = under(profile, action).resolve(*inputs)
        here = [partial(copy_here, table) for table in inputs]
        made[step.label] = run_where_it_stands(action, inputs, here)
    return made


def _rows(table: Table) -> Rows:
    names = table.columns
    return [tuple(row[name] for name in names) for row in table.rows(MAX_SHOWN)]


def same(ours: Rows, theirs: Rows, *, ordered: bool) -> bool:
    """Whether two results have equal rows, in order or as bags; columns in the order asked for."""
    mine = [tuple(map(plain, row)) for row in ours]
    yours = [tuple(map(plain, row)) for row in theirs]
    return mine == yours if ordered else Counter(mine) == Counter(yours)


def plain(cell: Any) -> Any:
    """A cell as it counts: numbers to ten digits, moments and truth as SQLite keeps them."""
    if isinstance(cell, bool):
        return float(cell)
    if isinstance(cell, (int, float)):
        return float(f"{cell:.10g}")
    if isinstance(cell, datetime):
        return cell.isoformat(sep=" ")
    if isinstance(cell, date):
        return cell.isoformat()
    return cell


def schema_of(path: Path, tables: Mapping[str, Table]) -> Schema:
    """The sources as SQL sees them: names and types of SQLite, kinds of the frames.

    Args:
        path: The database.
        tables: The same tables as frames, by the names they have in SQL; columns in one order.
    """
    schema: dict[str, list[SourceColumn]] = {}
    with closing(connect(path)) as connection:
        for name, table in tables.items():
            declared = connection.execute("SELECT name, type FROM pragma_table_info(?)", [name])
            columns = declared.fetchall()
            if len(columns) != len(table.columns):
                raise ValueError(
                    f"{name}: {len(columns)} columns in SQL, {len(table.columns)} here"
                )
            nulls = _nulls(table)
            schema[name] = [
                SourceColumn(
                    called,
                    column,
                    table.kind(column),
                    table.schema[column].is_integer(),
                    affinity_of(kind),
                    nulls[column],
                )
                for (called, kind), column in zip(columns, table.columns, strict=True)
            ]
    return schema


def _nulls(table: Table) -> dict[str, bool]:
    import narwhals as nw

    if not table.count():
        return dict.fromkeys(table.columns, False)
    found = table.frame.select(nw.col(n).is_null().any() for n in table.columns).collect()
    return {name: bool(found[name].item()) for name in table.columns}


def difference(ours: Rows, theirs: Rows) -> tuple[Sequence[Any], Sequence[Any]]:
    """Rows that only one of two results has."""
    mine, yours = (Counter(tuple(map(plain, row)) for row in rows) for rows in (ours, theirs))
    return list((mine - yours).elements()), list((yours - mine).elements())
