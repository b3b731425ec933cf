"""What stands around a plan's SQL: its comments, and headers that a dialect could not hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wideleaf.tools.errors import ActionError
from wideleaf.tools.plan import Plan, Step
from wideleaf.tools.table import Table
from wideleaf.tools.wording import one_line, printable

NAME_CHARACTERS, THOUGHT_CHARACTERS = 60, 200
COLUMNS_TOLD = 12
HIDDEN = ("__key", "__cell", "__rank", "__place", "__number", "__row", "__near", "__stage_")
"""How columns begin that queries make for themselves."""
DISTINGUISHING = ("postgres", "redshift", "snowflake", "oracle")
"""Dialects in which quoted names that differ by case alone are two."""


def need_unlike(table: Table, dialect: str, where: str) -> None:
    """Refuse columns that the dialect would take for one, or for something of its own.

    Raises:
        ActionError: If two names differ only in the case of plain letters, or one is reserved.
    """
    if taken := next((name for name in table.columns if name.startswith(HIDDEN)), None):
        raise ActionError(
            f"{where} has the column {taken!r}, a name that the query needs itself; rename it",
            kind="sql",
        )
    lost = next((n for n in table.columns if n.lower() in ("true", "false")), None)
    if dialect == "sqlite" and lost and where.startswith("step"):
        raise ActionError(
            f"{where} has the column {lost!r}, which SQLite renames in a named query; rename it, "
            "or write the plan in duckdb",
            kind="sql",
        )
    if dialect in DISTINGUISHING:
        return
    seen: dict[str, str] = {}
    for name in table.columns:
        low = "".join(char.lower() if char.isascii() else char for char in name)
        if low in seen:
            raise ActionError(
                f"{where} has the columns {seen[low]!r} and {name!r}, which are one in {dialect}; "
                f"rename one in the table, or write the plan in {DISTINGUISHING[0]}",
                kind="sql",
            )
        seen[low] = name


def comment_of(step: Step) -> str:
    """A step's thought, or its action, as a comment; sqlglot takes the end of a comment apart."""
    thought = one_line(step.thought, THOUGHT_CHARACTERS)
    return printable(f" {step.name}: {thought} " if thought else f" {step.name} ")


def header(
    plan: Plan,
    tables: Mapping[str, Table],
    dialect: str,
    repairs: Mapping[str, Sequence[str]],
) -> list[str]:
    """What the query answers and which tables it reads, as comments."""
    lines = [one_line(plan.question, 500)] if plan.question else []
    if dialect not in ("duckdb", "sqlite"):
        lines.append(f"Written for {dialect}, where it was never run; look at its results first.")
    if dialect == "sqlite":
        lines.append("Dates are text (YYYY-MM-DD HH:MM:SS), true and false are 1 and 0.")
    for leaf in plan.leaves:
        schema = tables[leaf.label].schema
        shown = [f"{one_line(n, NAME_CHARACTERS)} {dtype}" for n, dtype in schema.items()]
        more = len(shown) - COLUMNS_TOLD
        also = f" and {more} more" if more > 0 else ""
        label, source = (one_line(t, NAME_CHARACTERS) for t in (leaf.label, leaf.source))
        lines.append(f"Table {label}, from {source}: {', '.join(shown[:COLUMNS_TOLD])}{also}")
        lines += [f"  {one_line(said, 300)}" for said in repairs.get(leaf.label, ())]
    return [f"-- {printable(line)}" for line in lines]
