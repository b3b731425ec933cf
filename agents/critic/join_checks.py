"""Checks of joins and keys: rows multiplied or lost, and a bare key where a name could stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from wideleaf.agents.critic.data_checks import WEIGHED, action_of, repeats
from wideleaf.agents.critic.findings import Candidate, Finding
from wideleaf.agents.critic.plan_text import aggregate_nodes, measures_of, words_in
from wideleaf.agents.planner.links.row_names import IDENTIFYING
from wideleaf.retrieval.words.names import header_words
from wideleaf.tools.actions.join import Join
from wideleaf.tools.actions.joining.keys import avoid_clashes
from wideleaf.tools.queries.meeting import meet
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.tree import Node


def empty_join(case: Candidate) -> Iterator[Finding]:
    """Keys that meet nowhere are hardly the same keys; what is counted after them is no zero."""
    for node in case.plan:
        if node.action.name != "Join" or node.rows:
            continue
        left, right = (case.tree[parent] for parent in node.parents)
        if left.rows and right.rows and action_of(node, Join).how in ("inner", "semi"):
            text = f"no row of {left.label} has a key that {right.label} has"
            yield Finding(f"{node.label} is empty: {text}")


def fan_out(case: Candidate) -> Iterator[Finding]:
    """A measure over rows that a join multiplied weighs some of them more than once."""
    for node in aggregate_nodes(case):
        for join in _joins(case, node.parents[0]):
            yield from _check_fanout(case, node, join)


def _joins(case: Candidate, label: str) -> Iterator[Node]:
    """The joins whose rows reach a node one by one, the latest first."""
    last = [*case.above(label)][-1]
    while last.action.name == "Join":
        yield last
        last = [*case.above(last.parents[0])][-1]


def _check_fanout(case: Candidate, node: Node, join: Node) -> Iterator[Finding]:
    action = action_of(join, Join)
    if action.how not in ("inner", "left", "right", "full") or not action.on:
        return
    left, right = (case.table_of(parent) for parent in join.parents)
    keys = [key.left for key in action.on], [key.right for key in action.on]
    # A right column may have got another name in the join.
    names = avoid_clashes(left.columns, [c for c in right.columns if c not in keys[1]])
    sides = ({*left.columns}, {*names.values()})
    for side, (own, their_keys) in enumerate(zip(sides, reversed(keys), strict=True)):
        weighed = [m for m in measures_of(node) if m["function"] in WEIGHED and m["column"]]
        # What the other side has a part in is a measure of the joined rows, such as price x amount.
        based = [(m, _base(case, node, join, str(m["column"]))) for m in weighed]
        hit = [m for m, base in based if base & own and not base & (sides[1 - side] - own)]
        hit = [m for m in hit if _reaches(case, node, m)]
        other = (right, left)[side]
        # Of very many rows nobody looks; and keys that never repeat do not where rows meet, either.
        if not hit or not repeats(other, *their_keys):
            continue
        swapped = meet((other, left if side == 0 else right))
        pairs = [
            {"left": theirs, "right": mine}
            for theirs, mine in zip(their_keys, keys[side], strict=True)
        ]
        semi = Join.model_validate({"on": pairs, "how": "semi"}).resolve(*swapped)
        if repeats(semi.run(*swapped), *their_keys):
            whose, by = join.parents[side], join.parents[1 - side]
            yield Finding(
                f"{node.label} takes the {hit[0]['function']} of {hit[0]['column']} over rows that "
                f"{join.label} multiplied: {', '.join(their_keys)} repeats in {by}, so rows of "
                f"{whose} count more than once; aggregate before joining, or use a semi join"
            )


def _base(case: Candidate, node: Node, join: Node, column: str) -> set[str]:
    """A column, and those it was derived from between the join and here."""
    columns = {column}
    for step in case.above(node.parents[0]):
        if step.label == join.label:
            break
        if step.action.name == "Derive" and step.action.arguments.get("name") in columns:
            columns |= set(columns_in(step.action.arguments.get("expression")))
    return columns


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


def _reaches(case: Candidate, node: Node, measure: dict[str, Any]) -> bool:
    """Whether the answer, or a step on the way to it, uses a measure of a step of its plan."""
    name = str(measure["name"])
    later = [step for step in case.plan if step.label != node.label and step.parents]
    words = {word.removeprefix("-") for step in later for word in words_in(step.action.arguments)}
    return name in case.table.columns or name in words or any("*" in w or "{" in w for w in words)


def bare_keys(case: Candidate) -> Iterator[Finding]:
    """A key of another table tells a person nothing where that table has a name for it."""
    if re.search(r"\b(?:ids?|codes?|keys?|identifiers?|numbers?)\b", case.text, re.I):
        return
    if not case.node.rows or (case.question.cue("whole") and not case.node.parents):
        return
    columns = {*case.table.columns}
    question = case.text.casefold()
    for column, other, name in _references(case):
        if column.casefold() in question and _is_key(column):
            continue
        theirs = {*case.table_of(other).columns} - {column}
        if column in columns and not any(c in columns for c in theirs if _is_text(case, other, c)):
            yield Finding(
                f"{column} holds keys of {other}; Join {other} to show its {name}",
                caveat=f"{column} is a key of {other}, which has a readable {name}.",
            )


def _references(case: Candidate) -> Iterator[tuple[str, str, str]]:
    """Columns of the answer that are keys of an opened table: column, table, its name column."""
    leaves = {leaf.label for leaf in case.tree.leaves}
    labels = {leaf.label for leaf in case.leaves}
    declared = {
        (link.columns[0], link.other)
        for link in case.foreign_keys
        if len(link.columns) == 1 and link.table in labels and link.other in leaves
        # A text that is not called a key can be read: a model, a country.
        if not _is_text(case, link.table, link.columns[0])
        or any(map(_is_key, (*link.columns, *link.other_columns)))
    }
    inferred = {
        (column, other)
        for column in case.table.columns
        for leaf in labels
        for other in leaves - {leaf}
        if _points_at(case, leaf, column, other)
    }
    for column, other in sorted(declared | inferred):
        if name := _name_column(case.table_of(other)):
            yield column, other, name


def _points_at(case: Candidate, leaf: str, column: str, other: str) -> bool:
    """Whether a column is called after a table, or after its key, and its cells are keys there."""
    mine, theirs = case.table_of(leaf), case.table_of(other)
    if column not in mine.columns or (_is_text(case, leaf, column) and not _is_key(column)):
        return False
    stem = _bare(re.sub(r"(?i)[ _]?(id|key|code|no|nr)$", "", column))
    table = _bare(other)
    if not stem or not (table.startswith(stem) or table.endswith((stem, f"{stem}s"))):
        return False
    for key in theirs.columns:
        if _bare(key) in ("id", "key", "code", _bare(column), f"{stem}id"):
            if mine.kind(column) != theirs.kind(key):
                continue
            if repeats(theirs, key):
                continue
            met = _semi(mine, column, theirs, key).count()
            return met > 0 and met >= 0.9 * mine.count()
    return False


def _is_key(column: str) -> bool:
    return not IDENTIFYING.isdisjoint(header_words(column)[-1:])


def _name_column(table: Table) -> str:
    texts = [name for name in table.columns if table.kind(name) == "text" and not _is_key(name)]
    titles = [name for name in texts if re.search(r"(?i)name|title|label|description", name)]
    full = [name for name in titles if re.search(r"(?i)full", name)]
    return next(iter((*full, *titles, *texts)), "")


def _is_text(case: Candidate, label: str, column: str) -> bool:
    return case.table_of(label).kind(column) == "text"


def _bare(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def _semi(left: Table, column: str, right: Table, key: str) -> Table:
    on = [{"left": column, "right": key}]
    return Join.model_validate({"on": on, "how": "semi"}).resolve(left, right).run(left, right)
