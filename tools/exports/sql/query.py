"""A plan as readable SQL: one named query for each step, with its comments and headers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.errors import ActionError, SettingsError
from wideleaf.tools.plans.plan import Plan, Step
from wideleaf.tools.steps.step import read_call
from wideleaf.tools.tables.table import Table
from wideleaf.tools.words import one_line, printable

if TYPE_CHECKING:
    from wideleaf.tools.exports.sql.rules import OrderKey

NAME_CHARACTERS, THOUGHT_CHARACTERS = 60, 200
COLUMNS_TOLD = 12
HIDDEN = (
    "__key", "__cell", "__rank", "__place", "__number", "__row", "__near", "__stage_", "__subject",
    "__member",
)  # fmt: skip
"""How columns begin that queries make for themselves."""
DISTINGUISHING = ("postgres", "redshift", "snowflake", "oracle")
"""Dialects in which quoted names that differ by case alone are two."""


def plan_sql(
    plan: Plan,
    tables: Mapping[str, Table],
    dialect: str = "duckdb",
    *,
    repairs: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """Write a plan as one SQL query that gives the same rows.

    Args:
        plan: The plan; each step becomes a common table expression of its label.
        tables: Each leaf's table as it was loaded, by the leaf's label. The query reads it as a
            table of that name; values that a step took from the data are looked up in it.
        dialect: One of sqlglot's. Those of `plan_sql_words.TRIED` are run in the tests.
        repairs: By leaf: what was changed in its cells when it was read, for the comments.

    Raises:
        ActionError: If a step cannot be said in the dialect; names it and says why.
        SettingsError: If there is no such dialect, a leaf's table is missing, or the extra
            ``exports`` is not installed.
    """
    _need_sqlglot(dialect)
    from sqlglot import ErrorLevel, UnsupportedError, exp

    from wideleaf.tools.exports.sql.rules import PLACE, StepInput, order_of, write_sql
    from wideleaf.tools.exports.sql.words import QueryScope, quote_identifier

    load_rules()
    if missing := [leaf.label for leaf in plan.leaves if leaf.label not in tables]:
        raise SettingsError(f"no table for the leaf {missing[0]!r}; give each leaf's as loaded")
    made = {
        leaf.label: StepInput(leaf.label, tables[leaf.label], leaf=True) for leaf in plan.leaves
    }
    for given in made.values():
        need_unlike(given.table, dialect, f"table {given.name!r}")
    names = _names(plan)
    origin, placed = _order_of(plan, tables)
    orders: dict[str, Sequence[OrderKey]] = {}
    query = exp.select(exp.Star())
    steps = {step.label: step for step in plan.steps}
    for label in _needed(plan):
        step = steps[label]
        inputs = [made[parent] for parent in step.parents]
        action = read_call(step.call)
        frames = [given.table for given in inputs]
        places = placed and label == origin
        scope = QueryScope(dialect, step.label, step.name, frames[0], places=places)
        body = write_sql(action, inputs, scope)
        result = Table(action.run(*frames).frame)
        need_unlike(result, dialect, f"step {label!r} ({step.name})")
        body.add_comments([comment_of(step)])
        query = query.with_(quote_identifier(names[label]), as_=body, copy=False)
        carried = "order" in action.keeps and any(given.placed for given in inputs)
        made[label] = StepInput(names[label], result, places or carried)
        orders[label] = order_of(action, frames[0], result)
    answer = made[plan.answer]
    if answer.placed:
        columns = [exp.column(quote_identifier(name)) for name in answer.table.columns]
        query = query.select(*columns, append=False)
        query = query.order_by(exp.column(quote_identifier(PLACE)))
    elif orders.get(origin):
        query = query.order_by(*(key.sql() for key in orders[origin]))
    query = query.from_(answer.source)
    try:
        text = query.sql(dialect=dialect, pretty=True, unsupported_level=ErrorLevel.RAISE)
    except UnsupportedError as error:
        reason = one_line(str(error), 200)
        raise ActionError(f"the plan cannot be said in {dialect}: {reason}", kind="sql") from None
    return "\n".join([*header(plan, tables, dialect, repairs or {}), text]) + "\n"


def load_rules() -> None:
    """Register the rules; they stand on sqlglot, which is an extra and loaded with them."""
    import wideleaf.tools.exports.sql.get
    import wideleaf.tools.exports.sql.join
    import wideleaf.tools.exports.sql.pivot
    import wideleaf.tools.exports.sql.preparing
    import wideleaf.tools.exports.sql.relations
    import wideleaf.tools.exports.sql.runs
    import wideleaf.tools.exports.sql.set_operations
    import wideleaf.tools.exports.sql.shapes
    import wideleaf.tools.exports.sql.sort
    import wideleaf.tools.exports.sql.window  # noqa: F401


def _need_sqlglot(dialect: str) -> None:
    try:
        from sqlglot.dialects.dialect import Dialect
    except ImportError:
        raise SettingsError(
            "SQL is written by sqlglot, which is not installed; pip install 'wideleaf[exports]'"
        ) from None
    known = sorted(name for name in Dialect.classes if name)
    if dialect not in known:
        raise SettingsError(f"no SQL dialect {dialect!r}; there are {', '.join(known)}")


def _needed(plan: Plan) -> list[str]:
    """The steps that the answer is made of, in order."""
    steps = {step.label: step for step in plan.steps}
    needed, stack = set(), [plan.answer]
    while stack:
        label = stack.pop()
        if label in steps and label not in needed:
            needed.add(label)
            stack.extend(steps[label].parents)
    return [step.label for step in plan.steps if step.label in needed]


def _names(plan: Plan) -> dict[str, str]:
    """What each step's query is called: its label, unless a table or another has that name."""
    taken = {leaf.label.casefold() for leaf in plan.leaves}
    names = {}
    for step in plan.steps:
        name = step.label
        while name.casefold() in taken:
            name += "_step"
        taken.add(name.casefold())
        names[step.label] = name
    return names


def _order_of(plan: Plan, tables: Mapping[str, Table]) -> tuple[str, bool]:
    """The step that orders the answer's rows, and whether its keys are lost on the way.

    Only along steps that keep the order of their rows; the label is empty if there is none.
    """
    steps = {step.label: step for step in plan.steps}
    label, lost = plan.answer, False
    while label in steps and "order" in (keeps := find_action(steps[label].name).keeps):
        lost = lost or "columns" not in keeps
        label = steps[label].parents[0]
    if label not in steps or (lost and steps[label].name != "Sort"):
        return "", False
    return label, lost


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
