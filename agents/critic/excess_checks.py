"""Checks of what nobody asked for: whole tables, aggregates, rows of another table."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wideleaf.agents.critic.asked_checks import asked_header
from wideleaf.agents.critic.data_checks import aggregate_nodes, measures_of
from wideleaf.agents.critic.doubts import Doubt, Offer
from wideleaf.agents.critic.plan_words import (
    LEARNT,
    comparisons,
    question_headers,
    said_by,
    stems_of,
)
from wideleaf.agents.critic.side_checks import LEVELS, TIED, UPWARDS, plain_words, says_side
from wideleaf.agents.planner.links.lexicon import Question, lexicon
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.units import UNITS

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
ORDINARY = frozenset(("day", "days", "week", "weeks", "month", "months", "year", "years"))
"""Units of which rows may be one each."""
ALONE = frozenset(("Distinct", "Group", "Craft", "Pivot", "Union", "Intersect"))
"""Steps after which rows are different ones."""
MUCH = frozenset(
    ("much", "many", "long", "total", "typical", "typically", "overall", "rate", "summary",
     "distribution")
)  # fmt: skip
"""Words that may ask for an aggregate without naming it."""
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def check_whole_rows(case: Offer) -> Iterator[Doubt]:
    """Whole rows of a table are no answer to a question for something of them."""
    node, question = case.node, Question(case.question)
    if not node.parents or case.drawn or not question.words or question.cue("whole"):
        return
    named = question_headers(case).words
    rows = {word.text for word in question.words if word.stem not in named} & WHOLE_ROWS
    if rows or question.cue("order", "way"):
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
    if own & said or any(node.action.name in ("Group", "Distinct") for node in case.plan):
        return  # what is counted has a row a key, such as one a student
    for leaf in case.tree.leaves:
        words = {*stems_of(leaf.label)}
        if words and words <= said and any(len(word) > SHORT for word in words):
            text = f"rows of {leaves[0].label} are counted; the question names {leaf.label}"
            yield Doubt(text, reading=True)
            return


def check_unit_count(case: Offer) -> Iterator[Doubt]:
    """How many metres something is high is no number of rows."""
    question = Question(case.question)
    for cue in question.cue("count"):
        word = question.words[cue.end].text if cue.end < len(question.words) else ""
        for node in aggregate_nodes(case) if word in UNITS and len(word) > SHORT else ():
            raw = word in {name for leaf in case.tree.leaves for name in stems_of(leaf.label)}
            counts = {m.get("function") for m in measures_of(node)} <= {"count", "count distinct"}
            if counts and not raw and node.label == _last_measured(case):
                text = f"the question asks how many {word}; {node.label} counts rows"
                yield Doubt(text, objects=word not in ORDINARY, reading=True)
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
