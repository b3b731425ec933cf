"""Checks against the data: repeated rows, values that are not there, ties, texts in an order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeVar

from wideleaf.agents.critic.findings import Candidate, Finding
from wideleaf.agents.critic.plan_text import aggregate_nodes, directions, measures, measures_of
from wideleaf.retrieval.words.names import header_words
from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.distinct import distinct_rows
from wideleaf.tools.actions.filter import Filter
from wideleaf.tools.conditions.condition import (
    EQUALITIES,
    PARTS_OF_TEXT,
    AllOf,
    AnyOf,
    Compare,
    Condition,
    Not,
    compares,
)
from wideleaf.tools.conditions.literals import read_number
from wideleaf.tools.steps.step import read_call
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.tree import Node

WEIGHED = frozenset(
    (
        "sum", "mean", "weighted mean", "median", "quantile", "std", "variance", "share",
        "skewness", "kurtosis", "standard error", "ci low", "ci high", "iqr", "mad",
        "geometric mean",
    )
)  # fmt: skip
"""Measures that change when a row stands twice; a count is of rows, whatever they are."""
MAX_CELLS = 5_000_000
"""Whole rows are compared only in frames of so many cells."""
MAX_COLUMNS = 300
MAX_ORDERED, MOSTLY = 200, 0.8
"""Cells of an order that are looked at, and the share of numbers among them."""
LEFT_OUT = ("!=", "not in")
ActionT = TypeVar("ActionT", bound=Action)
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_DIFFERENT = re.compile(r"\b(?:different|distinct|unique|without (?:duplicates|repeats))\b", re.I)


def check_duplicate_rows(case: Candidate) -> Iterator[Finding]:
    """Rows that are the same in every column were counted each; it may be a fault of the data."""
    for node in aggregate_nodes(case):
        if not any(m["function"] in (*WEIGHED, "count") for m in measures_of(node)):
            continue
        # A projection makes rows alike that are not: what counts is the frame before it.
        source = next(
            n for n in case.above(node.parents[0]) if n.action.name not in ("Select", "Derive")
        )
        if source.action.name in ("Group", "Aggregate", "Distinct", "Pivot"):
            continue
        table = case.table_of(source.label)
        if again := repeats(table):
            yield Finding(
                f"{again} of the {table.count()} rows of {source.label} that {node.label} "
                "aggregates repeat another row exactly; each was counted",
                objects=False,
            )


def check_duplicate_answers(case: Candidate) -> Iterator[Finding]:
    """Duplicates stay unless different ones are asked for; then they must go; both is said."""
    actions = {node.action.name for node in case.above(case.label)}
    distinct = bool(_DIFFERENT.search(case.text))
    rowwise = {"Select", "Filter", "Join", "Load", *(["Craft"] if distinct else [])}
    if not actions & rowwise or (case.node.rows or 0) < 2:
        return
    again = repeats(case.table)
    if again and distinct:
        yield Finding(
            f"the question asks for different ones; {again} rows repeat another: Distinct"
        )
    elif again:
        rows = case.table.count()
        text = f"{again} of {rows} rows repeat another row; Distinct would leave {rows - again}"
        yield Finding(text, objects=False)


def check_deduplication(case: Candidate) -> Iterator[Finding]:
    """Where duplicates went that nobody asked to go, the person should know."""
    if _DIFFERENT.search(case.text):
        return
    for node in case.plan:
        if node.action.name == "Distinct":
            rows = case.parent(node).rows
            if rows and node.rows and rows > node.rows:
                yield Finding(
                    f"{rows - node.rows} of {rows} rows were dropped as duplicates", objects=False
                )


def filter_values(case: Candidate) -> Iterator[Finding]:
    """A text that no cell matches, or only in another spelling, is said; never replaced."""
    for node in case.plan:
        if node.action.name != "Filter":
            continue
        where = action_of(node, Filter).where
        spare = [*_spare(where, case.table_of(node.parents[0]))]
        for compare in compares(where):
            if compare.op not in (*EQUALITIES, *PARTS_OF_TEXT) or not compare.literals:
                continue
            # Where it stood before other conditions: those that leave none of it are no slip.
            source = [n for n in case.above(node.parents[0]) if _has(case, n, compare.column)][-1]
            table = case.table_of(source.label)
            if table.kind(compare.column) != "text" or not source.rows:
                continue
            missed = [one for one in compare.literals if not _matches(compare, one, table)]
            if missed:
                text = f"no {compare.column} matches {', '.join(map(repr, missed))}"
                text = f"{text} in {source.label}"
                some = compare.op == "in" and len(missed) < len(compare.literals)
                if compare.op in LEFT_OUT:
                    yield Finding(
                        f"{text}, so {node.label} leaves out nothing by it", objects=False
                    )
                elif some or any(compare is one for one in spare):
                    yield Finding(f"{text}; others of {node.label} match", objects=False)
                else:
                    text += f", so {node.label} rests on a value that is not there"
                    yield Finding(text)
            elif compare.match == "folded":
                text = ", ".join(map(repr, compare.as_written))
                yield Finding(
                    f"{compare.column} matches {text} without regard to case and blanks",
                    objects=False,
                )


def check_idle_conditions(case: Candidate) -> Iterator[Finding]:
    """Leaving out a value that no row has changes nothing, which may be a slip of the column."""
    for node in case.plan:
        if node.action.name != "Filter" or not node.rows:
            continue
        if node.rows != case.parent(node).rows:
            continue
        table = case.table_of(node.parents[0])
        for compare in compares(action_of(node, Filter).where):
            if table.kind(compare.column) == "text":  # see `filter_values`
                continue
            if compare.op in LEFT_OUT and compare.literals:
                values = " or ".join(map(repr, compare.as_written))
                text = f"no {compare.column} of {node.parents[0]} is {values}"
                yield Finding(f"{text}, so {node.label} leaves out nothing", objects=False)
                return


def check_empty_measures(case: Candidate) -> Iterator[Finding]:
    """A measure over no rows is no finding: a zero there says that nothing was looked at."""
    for node in case.plan:
        if node.action.name == "Aggregate" and case.parent(node).rows == 0:
            functions = {measure["function"] for measure in measures_of(node)}
            source = node.parents[0]
            text = f"{source} has no rows, so {node.label} measures nothing"
            # No row of a kind is a count of 0, and right; a sum or mean of none is not.
            unmatched = any("is not there" in one.text for one in filter_values(case))
            if unmatched or functions - {"count"}:
                yield Finding(text, objects=unmatched)


def cut_ties(case: Candidate) -> Iterator[Finding]:
    """Rows tied with the last of a top-k belong to it, unless the person wants just so many."""
    if case.profile == "sql":  # there a limit cuts, as it does in a database
        return
    for node in case.plan:
        options = node.action.arguments
        if node.action.name != "Sort" or options.get("ties") != "cut" or not options.get("limit"):
            continue
        if any("left out" in caveat for caveat in node.caveats) and options.get("nulls") is None:
            text = f"{node.label} leaves out rows that tie with its last; ties: keep"
            yield Finding(text, by_note=True)


def check_counted_cells(case: Candidate) -> Iterator[Finding]:
    """A count of the cells of a column leaves out the rows where it is empty."""
    if not case.question.cue("count"):
        return
    for node, function, column, _ in measures(case):
        table = case.table_of(node.parents[0])
        if function != "count" or column not in case.headers & {*table.columns}:
            continue
        where = Compare.model_validate({"column": column, "op": "is null"})
        if empty := Filter(where=where).run(table).count():
            rows = "row" if empty == 1 else "rows"
            yield Finding(f"left out of the count: {empty} {rows} without {column}", objects=False)
            return


def check_text_order(case: Candidate) -> Iterator[Finding]:
    """Numbers that are kept as text are in the order of their letters: 9 after 18."""
    for node, _, column in directions(case):
        if node.action.name != "Sort" or not node.parents:
            continue
        table = case.table_of(node.parents[0])
        if column not in table.columns or table.kind(column) != "text":
            continue
        cells = [row[column] for row in Table(table.frame.select(column)).rows(MAX_ORDERED)]
        filled = [str(cell) for cell in cells if cell]
        if "date" in header_words(column) and len({*filled}) > 1 and not all(map(_is_iso, filled)):
            text = f"{column} is text, so {node.label} orders its dates letter by letter"
            yield Finding(text, objects=False)
            return
        numbers = {cell: n for cell in filled if (n := read_number(cell)) is not None}
        if sum(cell in numbers for cell in filled) < MOSTLY * len(filled):
            continue
        if sorted(numbers) != sorted(numbers, key=lambda cell: numbers[cell]):
            text = f"{column} is text, so {node.label} orders it letter by letter"
            yield Finding(f"{text}: Derive a cast to number first")
            return


def check_text_ends(case: Candidate) -> Iterator[Finding]:
    """The largest of texts is the last of the alphabet."""
    if case.question.cue("alphabetic"):
        return
    for node, function, column, _ in measures(case):
        table = case.table_of(node.parents[0])
        if function not in ("max", "min") or column not in table.columns:
            continue
        if (case.parent(node).rows or 0) > 1 and table.kind(column) == "text":
            end = "last" if function == "max" else "first"
            text = f"{node.label} takes the {end} {column} by the alphabet"
            yield Finding(f"{text}, which the question does not say", False, reading=True)
            return


def repeats(table: Table, *columns: str) -> int:
    """How many rows repeat another in these columns, or in all; 0 where that is too much to see."""
    names = columns or table.columns
    if len(names) > MAX_COLUMNS or table.count() * len(names) > MAX_CELLS:
        return 0
    return table.count() - Table(distinct_rows(table.frame, names)).count()


def _is_iso(cell: str) -> bool:
    return bool(_DATE.match(cell))


def _has(case: Candidate, node: Node, column: str) -> bool:
    return column in case.table_of(node.label).columns


def _spare(condition: Condition, table: Table) -> Iterator[Compare]:
    """Comparisons inside an ``any`` that holds somewhere: one of several spellings is enough."""
    match condition:
        case AnyOf(any=parts):
            if Filter(where=condition).run(table).rows(1):
                yield from compares(condition)
            else:
                for part in parts:
                    yield from _spare(part, table)
        case AllOf(all=parts):
            for part in parts:
                yield from _spare(part, table)
        case Not(not_=part):
            yield from _spare(part, table)


def _matches(compare: Compare, literal: Any, table: Table) -> bool:
    op = {"!=": "==", "in": "==", "not in": "=="}.get(compare.op, compare.op)
    alone = Compare.model_validate({"column": compare.column, "op": op, "value": literal})
    action = Filter(where=alone.model_copy(update={"match": compare.match}))
    narrow = Table(table.frame.select(compare.column))  # a lake's other columns are not fetched
    return bool(action.run(narrow).rows(1))


def action_of(node: Node, kind: type[ActionT]) -> ActionT:
    """The action of a node, read back from its arguments.

    Raises:
        ActionError: If they do not fit any more.
    """
    action = read_call(node.action)
    assert isinstance(action, kind)
    return action
