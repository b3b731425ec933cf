"""A plan as readable SQL: one named query for each step, with its comments and headers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import narwhals as nw

from wideleaf.tools.actions.craft import Craft
from wideleaf.tools.actions.distinct import Distinct
from wideleaf.tools.actions.get import Get
from wideleaf.tools.actions.group import Group
from wideleaf.tools.actions.pivot import Pivot
from wideleaf.tools.actions.projection import Projection
from wideleaf.tools.actions.reading.reading import Reading
from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.actions.resample import Resample
from wideleaf.tools.actions.sequences.runs import Runs
from wideleaf.tools.actions.set_operations import Difference, Intersect
from wideleaf.tools.actions.sort import Sort
from wideleaf.tools.errors import ActionError, SettingsError
from wideleaf.tools.exports.judged import add_values, run_judged, tell_verdicts
from wideleaf.tools.exports.query_source import QuerySource, run_query, said_of, write_query
from wideleaf.tools.exports.readable import quote_identifier
from wideleaf.tools.knowledge.patterns import ROW
from wideleaf.tools.plans.plan import Plan, Step
from wideleaf.tools.queries.dialects import Dialect
from wideleaf.tools.tables.sort_keys import tie_breakers
from wideleaf.tools.tables.table import Table
from wideleaf.tools.words import one_line, printable

if TYPE_CHECKING:
    import sqlglot.expressions as exp

    from wideleaf.tools.actions.action import Action

NAME_CHARACTERS, THOUGHT_CHARACTERS = 60, 200
COLUMNS_TOLD = 12
CRAFTED = (
    "its code is Python that a model wrote; take the notebook or script, or the SQL of a frame "
    "before it"
)
PLACE = "__place"
"""A hidden column that carries the order of a Sort past steps that drop its keys."""
TRIED = ("duckdb", "sqlite", "postgres")
"""Dialects in which the project's own tests run what is written."""
ESCAPING = ("bigquery", "clickhouse")
"""Dialects in whose quoted names a backslash begins an escape."""
DISTINGUISHING = ("postgres", "redshift", "snowflake", "oracle")
"""Dialects in which quoted names that differ by case alone are two."""


class OrderKey(NamedTuple):
    """A column by which rows come in order."""

    column: str
    down: bool = False
    nulls_first: bool = False

    def sql(self) -> exp.Ordered:
        """As a key to order by."""
        from sqlglot import exp

        column = exp.column(quote_identifier(self.column))
        return exp.Ordered(this=column, desc=self.down, nulls_first=self.nulls_first)


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
        dialect: One of `dialects.DIALECTS`. Those of `TRIED` are run in the tests.
        repairs: By leaf: what was changed in its cells when it was read, for the comments.

    Raises:
        ActionError: If a step cannot be said in the dialect; names it and says why.
        SettingsError: If there is no such dialect, or a leaf's table is missing.
    """
    from sqlglot import exp

    language = Dialect(dialect)
    source = QuerySource(language.name)
    frames = _open_leaves(plan, tables, source, dialect)
    names = _names(plan)
    origin, placed = _order_of(plan)
    keys: list[OrderKey] = []
    query: exp.Select = exp.select(exp.Star())
    steps = {step.label: step for step in plan.steps}
    for label in _find_needed(plan):
        step = steps[label]
        action, inputs = keep_place(plan.action(step), [frames[one] for one in step.parents])
        with said_of(step, dialect):
            if isinstance(action, Craft):
                raise ActionError(CRAFTED, kind="sql")
            beside: list[Table] = []
            if isinstance(action, Reading):
                own = f"{names[label]}_verdicts"
                result, view, values = run_judged(action, inputs, source, own)
                query, beside = add_values(query, values), [view]
            else:
                result = run_query(action, inputs)
            if PLACE in result.columns and PLACE not in inputs[0].columns:
                raise ActionError(f"it makes the column {PLACE!r}, the query's own", kind="sql")
            need_unlike(result, dialect, f"step {label!r} ({step.name})")
            if label == origin:
                keys = order_of(action, inputs[0], result)
                result = _with_place(result, keys) if placed else result
            body = write_query(language, names[label], result, [*inputs, *beside])
            source.need_order(body, dialect)
        (body.args.get("with_") or body).add_comments([comment_of(step)])
        query = query.with_(quote_identifier(names[label]), as_=body, copy=False)
        frames[label] = source.open_result(names[label], result)
    query = query.from_(exp.Table(this=quote_identifier(names.get(plan.answer, plan.answer))))
    query = _in_order(query, frames[plan.answer], keys)
    if dialect == "clickhouse":  # else an outer join fills gaps with zeros and empty texts
        nulls = exp.EQ(this=exp.column("join_use_nulls"), expression=exp.Literal.number(1))
        query.set("settings", [nulls])
    text = language.text(query)
    return "\n".join([*header(plan, tables, dialect, repairs or {}), text]) + "\n"


def _open_leaves(
    plan: Plan, tables: Mapping[str, Table], source: QuerySource, dialect: str
) -> dict[str, Table]:
    """The leaves as tables of the query, by label."""
    if missing := [leaf.label for leaf in plan.leaves if leaf.label not in tables]:
        raise SettingsError(f"no table for the leaf {missing[0]!r}; give each leaf's as loaded")
    frames = {leaf.label: source.open_frame(leaf.label, tables[leaf.label]) for leaf in plan.leaves}
    for label, table in frames.items():
        need_unlike(table, dialect, f"table '{label}'")
        if PLACE in table.columns:
            raise ActionError(
                f"table {label!r} has the column {PLACE!r}, a name that the query needs itself; "
                "rename it",
                kind="sql",
            )
    return frames


def _in_order(query: exp.Select, answer: Table, keys: Sequence[OrderKey]) -> exp.Select:
    """The answer's rows in their order, without the column that carried it."""
    from sqlglot import exp

    if PLACE in answer.columns:
        columns = [exp.column(quote_identifier(name)) for name in answer.columns if name != PLACE]
        query, keys = query.select(*columns, append=False), [OrderKey(PLACE)]
    return query.order_by(*(key.sql() for key in keys)) if keys else query


def order_of(action: Action, table: Table, result: Table) -> list[OrderKey]:
    """The columns that put the rows of an action's result in order; by default there are none.

    Args:
        action: The resolved action.
        table: Its first input.
        result: What it makes.
    """
    match action:
        case Sort():
            return _sort_keys(action, table)
        case Group():
            return [OrderKey(name) for name in action.keys]
        case Pivot():
            return [OrderKey(name) for name in action.index or ()]
        case Resample():
            return [OrderKey(name) for name in (*(action.by or ()), action.time)]
        case Distinct() | Intersect() | Difference():
            return [OrderKey(name) for name in result.columns if result.kind(name) != "other"]
        case Runs():
            return [OrderKey(*key) for key in action.sort_keys(table)]
        case Get() if action.layout == "rows":
            return [OrderKey(ROW)] if ROW in result.columns else []
        case Get():
            return [OrderKey(name) for name in result.columns]
    return []


def _sort_keys(action: Sort, table: Table) -> list[OrderKey]:
    """The order of a Sort's rows; those equal in the keys by the columns beside them."""
    names = {key.column for key in action.by}
    first = action.nulls == "smallest"
    keys = [OrderKey(k.column, k.descending, first and not k.descending) for k in action.by]
    uniform = len({key.down for key in keys}) == 1
    others = first and uniform and not keys[0].down
    return keys + [OrderKey(n, False, others) for n in tie_breakers(table) if n not in names]


def _with_place(table: Table, keys: Sequence[OrderKey]) -> Table:
    """A query's rows with their place in the order of some keys."""
    import ibis

    rows: Any = nw.to_native(table.frame)
    order = [
        (ibis.desc if key.down else ibis.asc)(rows[key.column], nulls_first=key.nulls_first)
        for key in keys
    ]
    place = ibis.row_number().over(order_by=order)
    return Table(nw.from_native(rows.mutate(**{PLACE: place})))


def keep_place(action: Action, tables: Sequence[Table]) -> tuple[Action, list[Table]]:
    """The step with the place of rows kept as one more column, or taken off before it."""
    if PLACE not in tables[0].columns or "order" not in action.keeps:
        return action, [
            Table(t.frame.drop(PLACE), relations=t.relations) if PLACE in t.columns else t
            for t in tables
        ]
    if isinstance(action, Projection):
        action = action.model_copy(update={"columns": (*action.columns, PLACE)})
    return action, [*tables]


def _find_needed(plan: Plan) -> list[str]:
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
    labels = {leaf.label.casefold() for leaf in plan.leaves}
    names = {}
    for step in plan.steps:
        name = step.label
        while name.casefold() in labels:
            name += "_step"
        labels.add(name.casefold())
        names[step.label] = name
    return names


def _order_of(plan: Plan) -> tuple[str, bool]:
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
    odd = next((n for n in (where, *table.columns) if "\\" in n or "`" in n), None)
    if odd and dialect in ESCAPING:
        raise ActionError(
            f"{where} has a name with a backslash or a backtick, which {dialect} reads as an "
            "escape; rename it",
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
    originals: dict[str, str] = {}
    for name in table.columns:
        low = "".join(char.lower() if char.isascii() else char for char in name)
        if low in originals:
            raise ActionError(
                f"{where} has the columns {originals[low]!r} and {name!r}, which are one in "
                f"{dialect}; "
                f"rename one in the table, or write the plan in {DISTINGUISHING[0]}",
                kind="sql",
            )
        originals[low] = name


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
    told = ((step.label, tell_verdicts(plan.action(step))) for step in plan.steps)
    lines += [f"{label} was {judged}." for label, judged in told if judged]
    if dialect not in TRIED:
        lines.append(f"Written for {dialect}, where it was never run; look at its results first.")
    if dialect == "sqlite":
        lines.append("Dates are text (YYYY-MM-DD HH:MM:SS), true and false are 1 and 0.")
    for leaf in plan.leaves:
        schema = tables[leaf.label].schema
        columns = [f"{one_line(n, NAME_CHARACTERS)} {dtype}" for n, dtype in schema.items()]
        more = len(columns) - COLUMNS_TOLD
        also = f" and {more} more" if more > 0 else ""
        label, source = (one_line(t, NAME_CHARACTERS) for t in (leaf.label, leaf.source))
        lines.append(f"Table {label}, from {source}: {', '.join(columns[:COLUMNS_TOLD])}{also}")
        lines += [f"  {one_line(repair, 300)}" for repair in repairs.get(leaf.label, ())]
    return [f"-- {printable(line)}" for line in lines]
