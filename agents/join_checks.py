"""Checks of joins: rows that one multiplied under a measure, and one that matched nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wideleaf.agents.data_checks import (
    WEIGHED,
    action_of,
    aggregates,
    measures_of,
    repeats,
    words_in,
)
from wideleaf.agents.doubts import Case, Doubt
from wideleaf.tools.join import Join
from wideleaf.tools.join_keys import renamed
from wideleaf.tools.tree import Node


def empty_join(case: Case) -> Iterator[Doubt]:
    """Keys that meet nowhere are hardly the same keys; what is counted after them is no zero."""
    for node in case.plan:
        if node.action.name != "Join" or node.rows:
            continue
        left, right = (case.tree[parent] for parent in node.parents)
        if left.rows and right.rows and action_of(node, Join).how in ("inner", "semi"):
            text = f"no row of {left.label} has a key that {right.label} has"
            yield Doubt(f"{node.label} is empty: {text}")


def fan_out(case: Case) -> Iterator[Doubt]:
    """A measure over rows that a join multiplied weighs some of them more than once."""
    for node in aggregates(case):
        for join in _joins(case, node.parents[0]):
            yield from _multiplied(case, node, join)


def _joins(case: Case, label: str) -> Iterator[Node]:
    """The joins whose rows reach a node one by one, the latest first."""
    last = [*case.above(label)][-1]
    while last.action.name == "Join":
        yield last
        last = [*case.above(last.parents[0])][-1]


def _multiplied(case: Case, node: Node, join: Node) -> Iterator[Doubt]:
    action = action_of(join, Join)
    if action.how not in ("inner", "left", "right", "full") or not action.on:
        return
    left, right = (case.table_of(parent) for parent in join.parents)
    keys = [key.left for key in action.on], [key.right for key in action.on]
    # A right column may have got another name in the join.
    names = renamed(left.columns, [c for c in right.columns if c not in keys[1]])
    sides = ({*left.columns}, {*names.values()})
    for side, (own, their_keys) in enumerate(zip(sides, reversed(keys), strict=True)):
        weighed = [m for m in measures_of(node) if m["function"] in WEIGHED and m["column"]]
        # What the other side has a part in is a measure of the joined rows, such as price x amount.
        based = [(m, _base(case, node, join, str(m["column"]))) for m in weighed]
        hit = [m for m, base in based if base & own and not base & (sides[1 - side] - own)]
        hit = [m for m in hit if _reaches(case, node, m)]
        other = (right, left)[side]
        if not hit:
            continue
        swapped = (other, left if side == 0 else right)
        pairs = [
            {"left": theirs, "right": mine}
            for theirs, mine in zip(their_keys, keys[side], strict=True)
        ]
        semi = Join.model_validate({"on": pairs, "how": "semi"}).resolve(*swapped)
        if repeats(semi.run(*swapped), *their_keys):
            whose, by = join.parents[side], join.parents[1 - side]
            yield Doubt(
                f"{node.label} takes the {hit[0]['function']} of {hit[0]['column']} over rows that "
                f"{join.label} multiplied: {', '.join(their_keys)} repeats in {by}, so rows of "
                f"{whose} count more than once; aggregate before joining, or use a semi join"
            )


def _base(case: Case, node: Node, join: Node, column: str) -> set[str]:
    """A column, and those it was derived from between the join and here."""
    found = {column}
    for step in case.above(node.parents[0]):
        if step.label == join.label:
            break
        if step.action.name == "Derive" and step.action.arguments.get("name") in found:
            found |= set(columns_in(step.action.arguments.get("expression")))
    return found


def columns_in(expression: object) -> Iterator[str]:
    """The texts of an expression that may be columns: not its operators, and not its literals."""
    if isinstance(expression, str):
        yield expression
    elif isinstance(expression, list):
        for part in expression:
            yield from columns_in(part)
    elif isinstance(expression, dict):
        for key, part in expression.items():
            if key not in ("op", "value", "row", "cast", "format", "match"):
                yield from columns_in(part)


def _reaches(case: Case, node: Node, measure: dict[str, Any]) -> bool:
    """Whether the answer, or a step on the way to it, uses a measure of a step of its plan."""
    name = str(measure["name"])
    later = [step for step in case.plan if step.label != node.label and step.parents]
    said = {word.removeprefix("-") for step in later for word in words_in(step.action.arguments)}
    return name in case.table.columns or name in said or any("*" in w or "{" in w for w in said)
