"""Queries as a person reads them: without columns and queries that nothing needs, under names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlglot.expressions as exp

INPUT = "input "
"""Before the name of a table, so that ibis' own names are unlike it until the query is written."""


def tidy(query: exp.Query, columns: dict[str, object], syntax: Any) -> exp.Query:
    """The same query, where that is shorter, without columns that nothing reads.

    Queries within queries become named ones that stand before them, and those without windows
    are one with the query that reads them.
    """
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    query = _inner(query)
    if len([*query.find_all(exp.Select)]) == 1:
        return query
    try:
        candidate = _shorter(query, columns, syntax)
    except SqlglotError:  # such as stars of functions that make tables
        return query
    best: exp.Query = min(
        query, candidate, key=lambda one: (numbers_rows(one), len(one.sql(syntax)))
    )
    return best


def numbers_rows(query: exp.Query) -> bool:
    """Whether it counts rows as they come."""
    from sqlglot import exp

    windows = query.find_all(exp.Window)
    return any(isinstance(w.this, exp.RowNumber) and not w.args.get("order") for w in windows)


def _shorter(query: exp.Query, columns: dict[str, object], syntax: Any) -> Any:
    from sqlglot import exp, parse_one
    from sqlglot.optimizer import (
        eliminate_ctes,
        eliminate_subqueries,
        merge_subqueries,
        pushdown_projections,
        qualify,
    )
    from sqlglot.schema import MappingSchema

    # Read anew, for ibis hangs one part under several others and sqlglot asks for its parent.
    tree: Any = parse_one(query.sql(syntax), read=syntax)
    tree = qualify.qualify(tree, schema=MappingSchema(columns, normalize=False))
    tree = pushdown_projections.pushdown_projections(tree)
    tree = eliminate_subqueries.eliminate_subqueries(tree)
    if not tree.find(exp.Exists):  # it would take a table within for the one outside
        tree = merge_subqueries.merge_subqueries(tree)
    return eliminate_ctes.eliminate_ctes(tree)


def plainer(query: exp.Query) -> exp.Query:
    """The query without what says nothing: aliases of one name, frames that are not read."""
    from sqlglot import exp

    for select in query.find_all(exp.Select):
        for alias in [one for one in select.expressions if isinstance(one, exp.Alias)]:
            if isinstance(alias.this, exp.Column) and alias.this.name == alias.alias:
                alias.replace(alias.this)
        if grouping := select.args.get("group"):
            for place in [one for one in grouping.expressions if one.is_int]:
                place.replace(select.expressions[int(place.name) - 1].unalias().copy())
    _float_numbers(query)
    _short_windows(query)
    return query


def _float_numbers(query: exp.Query) -> None:
    """Write numbers with a point in arithmetic as floats, where databases take decimals."""
    from sqlglot import exp

    arithmetic = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Neg, exp.Paren, exp.Alias,
                  exp.Case, exp.If, exp.Coalesce, exp.Greatest, exp.Least)  # fmt: skip
    for number in query.find_all(exp.Literal):
        decimal = not number.is_string and re.fullmatch(r"\d+\.\d+", number.this)
        if decimal and isinstance(number.parent, arithmetic):
            number.set("this", f"{number.this}e0")


def _short_windows(query: exp.Query) -> None:
    """Leave out frames that are not read, and ibis' counting from 0."""
    from sqlglot import exp

    unframed = (exp.RowNumber, exp.Rank, exp.DenseRank, exp.PercentRank, exp.Lag, exp.Lead)
    for window in query.find_all(exp.Window):
        if not window.args.get("order") or isinstance(window.this, unframed):
            window.set("spec", None)
    for plus in [*query.find_all(exp.Add)]:
        less = plus.this.unnest()
        is_count = isinstance(less, exp.Sub) and isinstance(less.this, exp.Window)
        if is_count and plus.expression == less.expression == exp.Literal.number(1):
            plus.replace(less.this)


def with_names(query: exp.Query, name: str) -> exp.Query:
    """Tables under their own names, a step's queries within it under the step's."""
    from sqlglot import exp

    within = {cte.alias for cte in query.find_all(exp.CTE)}
    tables = {one.name.removeprefix(INPUT).casefold() for one in query.find_all(exp.Table)}
    while any(one.startswith(f"{name}_".casefold()) for one in tables):
        name += "_"
    names = {alias: f"{name}_{number}" for number, alias in enumerate(sorted(within), 1)}
    for cte in query.find_all(exp.CTE):
        cte.args["alias"].set("this", quote_identifier(names[cte.alias]))
    for table in query.find_all(exp.Table):
        real = names.get(table.name) or table.name.removeprefix(INPUT)
        table.set("this", quote_identifier(real))
    return query


def _inner(query: exp.Query) -> exp.Query:
    """What a query selects all from, where it does nothing else."""
    from sqlglot import exp

    clauses = {name for name, part in query.args.items() if part}
    whole = query.args.get("expressions") == [exp.Star()] and clauses <= {"expressions", "from_"}
    source = query.args["from_"].this if whole and "from_" in clauses else None
    return _inner(source.this) if isinstance(source, exp.Subquery) else query


def quote_identifier(name: str) -> exp.Identifier:
    """A name as an identifier, quoted whatever it holds."""
    from sqlglot import exp

    return exp.to_identifier(name, quoted=True)
