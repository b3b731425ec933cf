"""Joins as SQL: equal keys, which nulls never are, all pairs, and the nearest."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from wideleaf.tools.actions.join import Join, avoid_clashes
from wideleaf.tools.actions.joining.asof import read_tolerance
from wideleaf.tools.exports.sql.dates import seconds
from wideleaf.tools.exports.sql.measures import all_of
from wideleaf.tools.exports.sql.rules import StepInput, write_sql
from wideleaf.tools.exports.sql.words import (
    QueryScope,
    Sql,
    as_moment,
    binary,
    number,
    order_key,
    over,
    quote_identifier,
    with_alias,
)

LEFT, RIGHT = "l", "r"
_ROW, _NEAR = "__row", "__near"


@write_sql.register(Join)
def join_sql(action: Join, inputs: Sequence[StepInput], scope: QueryScope) -> exp.Query:
    """A join; a key appears once, under its left name."""
    left, right = inputs
    ours = QueryScope(scope.dialect, scope.label, scope.action, left.table, LEFT)
    theirs = QueryScope(scope.dialect, scope.label, scope.action, right.table, RIGHT)
    keys = {key.left: key.right for key in action.on}
    gone = set(keys.values())
    others = avoid_clashes(left.table.columns, [c for c in right.table.columns if c not in gone])
    equal = [_equal(key.left, key.right, ours, theirs) for key in action.on]
    sides = _named(left.source, LEFT), _named(right.source, RIGHT)
    columns: list[Sql] = [ours.column(name) for name in left.table.columns]
    beside = [with_alias(theirs.column(old), new) for old, new in others.items()]
    if action.how in ("semi", "anti"):
        partner = exp.Exists(this=exp.select(number(1)).from_(sides[1]).where(all_of(equal)))
        found = partner if action.how == "semi" else exp.Not(this=partner)
        return exp.select(*columns).from_(sides[0]).where(found)
    if action.how == "cross":
        return exp.select(*columns, *beside).from_(sides[0]).join(sides[1], join_type="cross")
    if action.how == "asof":
        return _asof(action, (left.source, sides[1]), (ours, theirs), equal, others)
    if action.how == "full" and scope.dialect in ("mysql", "doris", "starrocks"):
        scope.refuse("it has no full join; join left and right and take the Union")
    if action.how in ("right", "full"):
        # Of a row that is on the right alone the key stands under its left name, too.
        columns = [
            with_alias(exp.func("COALESCE", c, theirs.column(keys[c.name])), c.name)
            if c.name in keys
            else c
            for c in columns
        ]
    how = "left" if action.how == "right" else action.how
    first, second = sides if action.how != "right" else sides[::-1]
    query = exp.select(*columns, *beside).from_(first)
    return query.join(second, on=all_of(equal), join_type=how)


def _named(table: exp.Table, name: str) -> Sql:
    return exp.alias_(table, quote_identifier(name), table=True)


def _equal(one: str, other: str, ours: QueryScope, theirs: QueryScope) -> Sql:
    return binary(exp.EQ, ours.column(one), theirs.column(other))


def _asof(
    action: Join,
    sides: Sequence[Sql],
    scopes: tuple[QueryScope, QueryScope],
    equal: Sequence[Sql],
    others: dict[str, str],
) -> exp.Query:
    """All pairs that fit, numbered for each left row from the nearest on."""
    ours, theirs = scopes
    assert action.nearest is not None
    names = action.nearest.left, action.nearest.right
    at, there = (_place(scope, name) for scope, name in zip(scopes, names, strict=True))
    tolerance = read_tolerance(action.tolerance, action.nearest, ours.table, theirs.table)
    fits = list(equal)
    if action.direction != "nearest":
        fits.append(binary(exp.LTE if action.direction == "before" else exp.GTE, there, at))
    apart = exp.Abs(this=binary(exp.Sub, _size(theirs, names[1]), _size(ours, names[0])))
    if tolerance is not None:
        timed = ours.table.kind(names[0]) != "number"
        most = number(tolerance / 1_000_000 if timed else tolerance)
        fits.append(binary(exp.LTE, apart, most))
    if not fits:
        fits = [exp.Not(this=exp.Is(this=one, expression=exp.Null())) for one in (at, there)]
    nearest = {
        "before": [order_key(there, down=True)],
        "after": [order_key(there)],
        "nearest": [order_key(apart), order_key(there)],
    }[action.direction]
    ties = [
        order_key(theirs.column(name), nulls_first=True)
        for name in theirs.table.columns
        if theirs.table.kind(name) != "other"
    ]
    row = exp.column(quote_identifier(_ROW), table=quote_identifier(LEFT))
    counted = exp.select(exp.Star(), with_alias(over(exp.RowNumber()), _ROW)).from_(sides[0])
    place = with_alias(over(exp.RowNumber(), [row], [*nearest, *ties]), _NEAR)
    pairs = (
        exp.select(
            *(ours.column(name) for name in ours.table.columns),
            *(with_alias(theirs.column(old), new) for old, new in others.items()),
            place,
        )
        .from_(counted.subquery(quote_identifier(LEFT)))
        .join(sides[1], on=all_of(fits), join_type="left")
    )
    columns = [
        exp.column(quote_identifier(name)) for name in (*ours.table.columns, *others.values())
    ]
    first = binary(exp.EQ, exp.column(quote_identifier(_NEAR)), number(1))
    return exp.select(*columns).from_(pairs.subquery("pairs")).where(first)


def _place(scope: QueryScope, name: str) -> Sql:
    """A cell of numbers or times that the other side's compare with."""
    scope.need_clock(name)
    return as_moment(scope, scope.column(name), scope.table.kind(name))


def _size(scope: QueryScope, name: str) -> Sql:
    kind = scope.table.kind(name)
    return scope.number(name) if kind == "number" else seconds(scope.column(name), kind, scope)
