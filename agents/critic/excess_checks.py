"""Checks of what nobody asked for: whole tables, aggregates, other tables, orders of letters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wideleaf.agents.critic.asked_checks import asked_header
from wideleaf.agents.critic.data_checks import aggregate_nodes, measures_of
from wideleaf.agents.critic.doubts import Doubt, Offer
from wideleaf.agents.critic.plan_words import (
    LEARNT,
    comparisons,
    directions,
    said_by,
    stems_of,
)
from wideleaf.agents.critic.side_checks import LEVELS, TIED, UPWARDS, plain_words, says_side
from wideleaf.agents.planner.links.lexicon import Question, lexicon
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.conditions.literals import read_number
from wideleaf.tools.tables.table import Table

SHORT = 2
"""Letters of a word that names no table."""
FEW = 3
"""Columns of the smallest table whose whole rows are more than what is asked for."""
WHOLE_ROWS = frozenset(
    ("row", "rows", "sorted", "ranked", "record", "records", "entry", "entries", "detail",
     "details", "information", "info", "data", "table", "tables", "column", "columns",
     "everything", "sheet", "file")
)  # fmt: skip
"""Words that may ask for rows as they are."""
MEASURING = (
    "mean", "median", "sum", "std", "variance", "range", "extreme", "more", "mode", "share",
    "difference", "minus", "count", "change", "correlation", "contrast",
)  # fmt: skip
"""Kinds of cues with which an aggregate may be taken."""
TAKEN = frozenset(("mean", "median", "sum", "std", "variance", "max", "min", "count"))
COMBINED = frozenset(("mean", "median", "sum", "std", "variance"))
"""Aggregates whose value stands in no row."""
MOST_CELLS = 200
"""Cells that are looked at for whether they are numbers."""
MOSTLY = 0.8
ALONE = frozenset(("Distinct", "Group", "Craft", "Pivot", "Union", "Intersect"))
"""Steps after which rows are different ones."""
MUCH = frozenset(
    (
        "much",
        "many",
        "long",
        "total",
        "typical",
        "typically",
        "overall",
        "rate",
        "summary",
        "distribution",
    )
)
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def check_whole_rows(case: Offer) -> Iterator[Doubt]:
    """Whole rows of a table are no answer to a question for something of them."""
    node, question = case.node, Question(case.question)
    if not node.parents or case.drawn or not question.words or question.cue("whole"):
        return
    if {word.text for word in question.words} & WHOLE_ROWS or question.cue("order", "way"):
        return
    columns = {*case.table.columns}
    leaves = [leaf for leaf in case.tree.leaves if leaf in case.plan]
    raw = {name for leaf in leaves for name in case.table_of(leaf.label).columns}
    for leaf in leaves:
        own = {*case.table_of(leaf.label).columns}
        if len(own) < FEW or not own <= columns <= raw or _all_named(question, own):
            continue
        some = (node.rows or 0) < (leaf.rows or 0)
        if not some or _asks_something(question, own):
            which = "whole rows" if some else "every row"
            text = f"{case.label} is {which} of {leaf.label}, all {len(own)} columns"
            yield Doubt(f"{text}; give what the question asks for")
            return


def check_unasked_aggregate(case: Offer) -> Iterator[Doubt]:
    """A mean of several rows is told where nothing in the question asks for an aggregate."""
    made = {node.action.name for node in case.plan}
    question = Question(case.question)
    if made & LEARNT or case.drawn or not question.cue("wh", "show"):
        return
    words = {word.text for word in question.words}
    if not words or question.cue(*MEASURING) or words & MUCH or "Derive" in made:
        return
    for node in aggregate_nodes(case):
        if node.action.name == "Group" or (case.tree[node.parents[0]].rows or 0) < 2:
            continue
        for measure in measures_of(node):
            function, column = measure.get("function"), measure.get("column")
            if function in TAKEN and node.label == _last_measured(case):
                of = f" of {column}" if column else ""
                rows = case.tree[node.parents[0]].rows
                text = f"{node.label} takes the {function}{of} over {rows} rows"
                yield Doubt(
                    f"{text}; the question asks for none",
                    objects=function in COMBINED,
                    reading=True,
                )
                return


def check_text_ends(case: Offer) -> Iterator[Doubt]:
    """The largest of texts is the last of the alphabet."""
    if Question(case.question).cue("alphabetic"):
        return
    for node in aggregate_nodes(case):
        table = case.table_of(node.parents[0])
        for measure in measures_of(node):
            function, column = measure.get("function"), measure.get("column")
            if function not in ("max", "min") or column not in table.columns:
                continue
            several = (case.tree[node.parents[0]].rows or 0) > 1
            if several and table.kind(str(column)) == "text":
                end = "last" if function == "max" else "first"
                text = f"{node.label} takes the {end} {column} by the alphabet"
                yield Doubt(f"{text}, which the question does not say", False, reading=True)
                return


def check_distinct_count(case: Offer) -> Iterator[Doubt]:
    """How many different ones is not how many rows."""
    question, functions = Question(case.question), said_by(case).functions
    distinct = {cue.start for cue in question.cue("distinct")}
    asked = any(cue.end in distinct for cue in question.cue("count"))
    made = {node.action.name for node in case.plan}
    if not asked or made & ALONE or made & LEARNT:
        return
    if "count" in functions and not any("distinct" in name for name in functions):
        node = next((n for n in aggregate_nodes(case)), case.node)
        text = f"the question asks for different ones; {node.label} counts each row"
        yield Doubt(f"{text}: count distinct", reading=True)


def check_other_table(case: Offer) -> Iterator[Doubt]:
    """Rows that are counted are of the table that the question names."""
    question = Question(case.question)
    leaves = [leaf for leaf in case.tree.leaves if leaf in case.plan]
    if len(leaves) != 1 or not question.cue("count") or "count" not in said_by(case).functions:
        return
    said, own = {word.stem for word in question.words}, {*stems_of(leaves[0].label)}
    if own & said:
        return
    for leaf in case.tree.leaves:
        words = {*stems_of(leaf.label)}
        if words and words <= said and any(len(word) > SHORT for word in words):
            text = f"rows of {leaves[0].label} are counted; the question names {leaf.label}"
            yield Doubt(text, reading=True)
            return


def check_text_order(case: Offer) -> Iterator[Doubt]:
    """Numbers that are kept as text are in the order of their letters: 9 after 18."""
    for node, _, column in directions(case):
        if node.action.name != "Sort" or not node.parents:
            continue
        table = case.table_of(node.parents[0])
        if column not in table.columns or table.kind(column) != "text":
            continue
        cells = [row[column] for row in Table(table.frame.select(column)).rows(MOST_CELLS)]
        filled = [str(cell) for cell in cells if cell]
        numbers = {cell: n for cell in filled if (n := read_number(cell)) is not None}
        if len([*filter(numbers.get, filled)]) < MOSTLY * len(filled):
            continue
        if sorted(numbers) != sorted(numbers, key=lambda cell: numbers[cell]):
            text = f"{column} is text, so {node.label} orders it letter by letter"
            yield Doubt(f"{text}: Derive a cast to number first")
            return


def check_no_side_of_date(case: Offer) -> Iterator[Doubt]:
    """On May 5 is that day, where nothing in the question says before or after."""
    question = Question(case.question)
    if says_side(question):
        return
    if plain_words(question) & {*LEVELS, *TIED, "during", "in", "through"}:
        return
    numbers = {int(one.value) for one in question.numbers}
    found = [*comparisons(case)]
    for one in found:
        if one.op not in UPWARDS or not isinstance(one.value, str) or not _DATE.match(one.value):
            continue
        alone = sum(two.column == one.column for two in found) == 1
        if alone and numbers & {int(part) for part in one.value[:10].split("-")}:
            side = "after" if UPWARDS[one.op] is not one.negated else "before"
            text = f"the question says no side of a date; {one.node.label} keeps {one.column}"
            yield Doubt(f"{text} {side} {one.value}", reading=True)
            return


def _last_measured(case: Offer) -> str:
    """The step that measures, where only a projection stands behind it."""
    node = case.node
    while node.action.name in ("Select", "Derive") and node.parents:
        node = case.tree[node.parents[0]]
    return node.label


def _asks_something(question: Question, columns: set[str]) -> bool:
    """Whether it asks who, when, where or how much, or for a header behind what or which."""
    if any(cue.value in ("who", "when", "where", "much") for cue in question.cue("wh")):
        return True
    headers = {name: stems_of(name) for name in columns}
    return asked_header(question, headers, one=True) is not None


def _all_named(question: Question, columns: set[str]) -> bool:
    """Whether a question names each of these columns by a word."""
    said = {word.stem for word in question.words}
    said |= {header for word in said for header in lexicon().meanings.get(word, ())}
    return all(said & {stem(word) for word in header_words(name)} for name in columns)
