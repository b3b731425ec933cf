"""The FROM of a SELECT: tables joined on the equalities that ON, USING or WHERE give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sql_conditions import conjuncts
from sql_relations import Field, Relation, UnexpressibleError
from sql_subqueries import key_pair
from sqlglot import exp


def joined(
    node: exp.Select, table: Callable[[exp.Expression], Relation], reading: Callable[..., Any]
) -> tuple[Relation, list[exp.Expression]]:
    """The relation that a SELECT draws from.

    Args:
        node: The SELECT; equalities of its WHERE that join its tables are taken as such.
        table: Makes the relation of one table.
        reading: Gives what reads expressions over a relation.

    Returns:
        The relation, and parts of ON conditions that are still to hold.
    """
    relation = table(node.args["from_"].this)
    rest: list[exp.Expression] = []
    where = node.args["where"].this if node.args.get("where") else None
    for one in node.args.get("joins") or ():
        right, side = table(one.this), (one.side or one.kind or "").lower()
        how = side if side in ("left", "right", "full") else "inner"
        named = _common(one, relation, right)
        if named is None:
            parts = conjuncts(one.args.get("on"))
            if how == "inner":
                # Equalities of the WHERE join too: it holds them once more, which is harmless.
                parts += [p for p in conjuncts(where) if isinstance(p, exp.EQ)]
                parts += [p for p in rest if isinstance(p, exp.EQ)]
        else:
            parts = []
        pairs, others = [], []
        for part in parts:
            sides = _sides(part, relation, right)
            if sides is None:
                others.append(part)
                continue
            left_value, right_value = (
                reading(rel).expressions.value(side_)
                for rel, side_ in zip((relation, right), sides, strict=True)
            )
            pairs.append(key_pair(relation, left_value, right, right_value))
        on = conjuncts(one.args.get("on"))
        if how == "inner":
            rest += [part for part in others if any(part is held for held in on)]
        elif others and how != "left":
            raise UnexpressibleError("outer join, other than on equalities")
        else:
            _filter_right(others, right, reading)
        for name in named or ():
            values = [rel.find(name) for rel in (relation, right)]
            if None in values:
                raise UnexpressibleError("unknown column", name)
            pairs.append(key_pair(relation, values[0], right, values[1]))  # type: ignore[arg-type]
        if not pairs and how != "inner":
            raise UnexpressibleError("outer join without an equality")
        mine = len(relation.fields)
        relation.join(right, list(dict.fromkeys(pairs)), how)
        if named:
            relation.fields = _merged(relation.fields, mine, named)
    return relation, rest


def _common(one: exp.Join, left: Relation, right: Relation) -> list[str] | None:
    """The names that USING or NATURAL joins on; None for other joins."""
    if using := one.args.get("using"):
        return [name.name for name in using]
    if (one.args.get("method") or "").upper() != "NATURAL":
        return None
    names = {field.name for field in right.fields}
    return list(dict.fromkeys(field.name for field in left.fields if field.name in names))


def _merged(fields: tuple[Field, ...], mine: int, names: list[str]) -> tuple[Field, ...]:
    """Of two columns of one name, USING shows the first."""
    folded = {name.casefold() for name in names}
    kept = [one for place, one in enumerate(fields) if place < mine or one.name not in folded]
    return tuple(kept)


def _sides(
    part: exp.Expression, left: Relation, right: Relation
) -> tuple[exp.Expression, exp.Expression] | None:
    """The left and right expression of an equality between the two, None if it is none."""
    part = part.unnest()
    if not isinstance(part, exp.EQ) or part.find(exp.Select) is not None:
        return None
    for one, other in ((part.this, part.expression), (part.expression, part.this)):
        if _only(one, left, right) and _only(other, right, left):
            return one, other
    return None


def _only(node: exp.Expression, own: Relation, other: Relation) -> bool:
    columns = list(node.find_all(exp.Column))
    return bool(columns) and all(
        own.find(one.name, one.table) is not None and other.find(one.name, one.table) is None
        for one in columns
    )


def _filter_right(
    parts: list[exp.Expression], right: Relation, reading: Callable[..., Any]
) -> None:
    """Conditions of an outer join's ON that speak of its right table alone."""
    for part in parts:
        columns = list(part.find_all(exp.Column))
        if not columns or any(right.find(one.name, one.table) is None for one in columns):
            raise UnexpressibleError("outer join, other than on equalities")
    right.filter([reading(right).conditions.condition(part) for part in parts])


def split_outer(
    where: exp.Expression | None, inner: Relation, outer: Relation | None
) -> tuple[list[exp.Expression], list[tuple[exp.Expression, exp.Expression]]]:
    """The parts of a WHERE that speak of its own tables, and pairs that must equal outer columns.

    Raises:
        UnexpressibleError: If a part ties the two otherwise than by equality.
    """
    mine, pairs = [], []
    for part in conjuncts(where):
        if outer is None or not (foreign := _foreign(part, inner, outer)):
            mine.append(part)
            continue
        sides = [part.this, part.expression] if isinstance(part, exp.EQ) else []
        outside = [side for side in sides if _foreign(side, inner, outer)]
        if len(outside) != 1 or not all(
            column in foreign for column in outside[0].find_all(exp.Column)
        ):
            raise UnexpressibleError("correlated sub-query, other than by equality")
        inside = next(side for side in sides if side is not outside[0])
        pairs.append((outside[0], inside))
    return mine, pairs


def _foreign(node: exp.Expression, inner: Relation, outer: Relation) -> list[exp.Column]:
    return [
        one
        for one in node.find_all(exp.Column)
        if inner.find(one.name, one.table) is None and outer.find(one.name, one.table) is not None
    ]
