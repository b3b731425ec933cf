"""Checks of shape: whether rows, columns and types are of the kind that the question asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wideleaf.agents.critic.findings import Candidate, Finding
from wideleaf.agents.critic.plan_text import words_in
from wideleaf.agents.planner.links.flags import ANSWERS
from wideleaf.retrieval.words.names import header_words, tokenise
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.actions.group import Aggregate
from wideleaf.tools.conditions.literals import read_number
from wideleaf.tools.craft.names import number_literals
from wideleaf.tools.tables.table import Table
from wideleaf.tools.telling.calls import code_of

LOOKED_AT = 40
"""Columns in which years are looked for."""
FIRST_YEAR, LAST_YEAR = 1000, 2199
MAX_WANTED = 1_000
_LEAD = r"^(?:please |and |so |(?:in|for|on|at|of|from|during|among) [^,?]{1,60}, ?)?"
_HOW_MANY = re.compile(
    _LEAD + r"(?:how many \w|(?:what(?: is|'s| was)|find|give(?: me)?|show|return|count)"
    r"(?: me)? the (?:total )?(?:number|count) of )"
)
_ONE_NUMBER = re.compile(
    _LEAD + r"(?:how much |what(?: is|'s| was) the (?:average|mean|median|total|sum|combined) )"
)
_SEVERAL = re.compile(
    r"\b(?:each|every|per|by|for all|respective(?:ly)?|and|both|compared|versus|vs|"
    r"different \w+ of|minimum|maximum|over time)\b|[;]"
)
_YES_NO = re.compile(
    r"^(?:is|are|was|were|do|does|did|has|have|had)\b(?! not)(?! it possible to| there a way to)"
)
_MORE = re.compile(r"\bor\b|[;.?!:,(]\s*\S|\band (?:\w+ ){0,2}(?:wh\w+|how|by)\b")
"""What names the answers, or asks for something beside yes and no."""
_COMPARES = re.compile(
    r"^is there an?y? (?:\w+ ){0,2}"
    r"(?:difference|correlation|relationship|association|trend|pattern)\b"
)
"""What such a question wants is the figures."""
_NOUN = re.compile(_LEAD + r"which (?:\d+ |one |of the )?([a-z][a-z-]+)")
_NAME_OF = re.compile(r"\bnames? of\b|\bnames\b(?= and\b|$|[?.,])")
_OTHER_WORDS = """is are was were has have had do does did one ones of the a an it they in on at
can will two three four five most least"""
_NO_NOUN = frozenset(_OTHER_WORDS.split())
_EACH = re.compile(r"\b(?:each|every|per)\b")
_WITHIN = re.compile(
    r"\b(?:in|during|over|within|after|before|across|through|throughout)(?: the)? $", re.I
)
_PERCENT = re.compile(r" ?(?:%|percent|per cent)")


def one_number(case: Candidate) -> Iterator[Finding]:
    """A question of how many, or of the mean of something, wants one number."""
    question = case.text.lower()
    how_many = _HOW_MANY.search(question)
    if not (how_many or _ONE_NUMBER.search(question)) or _SEVERAL.search(question):
        return
    if _groups_as_said(case):
        return
    rows, columns = case.node.rows, case.table.columns
    numbers = [name for name in columns if case.table.kind(name) == "number"]
    if not rows or (rows == 1 and len(columns) == 1 and (numbers or _is_number(case.table))):
        return
    if rows == 1 and numbers:
        shape = f"has {len(columns)} columns, one is enough"
    elif rows == 1 or not numbers:
        shape = "holds no number"
    else:
        shape = f"has {rows} rows x {len(columns)} columns: Aggregate gives one"
    want = "how many" if how_many else "for one number"
    yield Finding(f"the question asks {want}; {case.label} {shape}", reading=True)


def _groups_as_said(case: Candidate) -> bool:
    """Whether the rows are groups by what the question names: how many tickets a month."""
    said = {stem(word) for word in tokenise(case.text)}
    groups = (
        node.action.arguments.get("keys") for node in case.plan if node.action.name == "Group"
    )
    names = ({stem(w) for key in words_in(keys) for w in header_words(key)} for keys in groups)
    return any(name and name <= said for name in names)


def _is_number(table: Table) -> bool:
    """Whether the one cell of a frame is a number written as text, or has one: 3.2 g/cm³."""
    cell = next(iter(table.rows(1)[0].values()))
    return read_number(cell) is not None or bool(re.search(r"\d", str(cell)))


def yes_or_no(case: Candidate) -> Iterator[Finding]:
    """A question of yes or no wants one boolean."""
    question = case.text.strip().lower()
    if case.drawn or not _YES_NO.search(question) or _MORE.search(question):
        return
    if case.node.rows == 1 and len(case.table.columns) == 1:
        (cell,) = case.table.rows(1)[0].values()
        if isinstance(cell, bool) or str(cell).strip().casefold() in ANSWERS:
            return
    yield Finding(
        f"the question asks yes or no; {case.label} is no single boolean: Derive or Aggregate one",
        objects=not _COMPARES.search(question),
        caveat="The question asks yes or no; what is shown is what that rests on.",
    )


def names(case: Candidate) -> Iterator[Finding]:
    """Who, or which something, wants a column that names it, not numbers alone."""
    question, table = case.text.strip().lower(), case.table
    if not _has_numbers_alone(table):
        return
    raw = [case.table_of(leaf.label) for leaf in case.leaves]
    if all(map(_has_numbers_alone, raw)) and not any(map(_has_years, raw)):
        return  # nothing there names anybody
    keys = any("id" in header_words(name) for name in table.columns)
    noun = _NOUN.search(question)
    if question.startswith("who ") or (keys and _NAME_OF.search(question)):
        who = "who" if question.startswith("who ") else "for names"
        text = f"the question asks {who}; {case.label} has no column of names"
        yield Finding(text, reading=True)
    elif noun and noun[1] not in _NO_NOUN:
        headers = {stem(word) for name in table.columns for word in header_words(name)}
        if stem(noun[1]) not in headers and not _says_which(case):
            text = f"the question asks which {noun[1]}; {case.label} has only numbers"
            yield Finding(f"{text} and no column that says it", reading=True)


def _has_numbers_alone(table: Table) -> bool:
    return all(table.kind(name) in ("number", "boolean") for name in table.columns)


def _says_which(case: Candidate) -> bool:
    """Whether a column of numbers is what a row is known by: a year, a key, what was asked."""
    columns = case.table.columns
    arguments = [node.action.arguments for node in case.plan]
    keys = {key for one in arguments for key in words_in(one.get("keys"))}
    if _has_years(case.table) or keys & {*columns}:
        return True
    # A column that stands alone is what was measured, not what a row is known by.
    stems = {stem(word) for word in tokenise(case.text)}
    order = {key.removeprefix("-") for one in arguments for key in words_in(one.get("by"))}
    return len(columns) > 1 and any(
        name in order or {stem(word) for word in header_words(name)} <= stems for name in columns
    )


def _has_years(table: Table) -> bool:
    return any(_is_year(table, name) for name in table.columns[:LOOKED_AT])


def _is_year(table: Table, name: str) -> bool:
    if not table.schema[name].is_integer() and "year" not in header_words(name):
        return False
    if table.kind(name) != "number":
        return False
    ends = [{"function": end, "column": name, "name": end} for end in ("min", "max")]
    row = Aggregate.model_validate({"measures": ends}).resolve(table).run(table).rows(1)[0]
    return row["min"] is not None and row["min"] >= FIRST_YEAR and row["max"] <= LAST_YEAR


def top_k(case: Candidate) -> Iterator[Finding]:
    """The top three are three rows; ties, which Sort keeps and tells of, aside."""
    rows, count = case.node.rows, _wanted(case)
    if not count or not rows or rows == count:
        return
    if case.node.action.name == "Aggregate" or any(
        node.action.name == "Correlate"
        or (node.action.name == "PCA" and node.action.arguments.get("n") == count)
        for node in case.plan
    ):
        return  # the top three components are columns
    limits = [n.action.arguments.get("limit") for n in case.plan if n.action.name == "Sort"]
    for code in filter(None, (code_of(node.action) for node in case.plan)):
        limits += number_literals(code)  # such as nlargest(3, keep="all")
    text = f"the question asks for {count}; {case.label} has {rows} rows"
    if count not in limits:
        way = f": Sort with limit {count}" if rows > count else ""
        yield Finding(f"{text}{way}", reading=True)
    elif rows < count:
        yield Finding(f"{count} were asked for and there are only {rows}", objects=False)


def _wanted(case: Candidate) -> int:
    """How many rows of an end are asked for: the number beside a superlative; 0 if none is."""
    question = case.question
    if _EACH.search(case.text.lower()):
        return 0
    numbers = {one.place: int(one.value) for one in question.numbers if not one.ordinal}
    for cue in question.cue("extreme"):
        behind = numbers.get(cue.end, 0)
        superlative = question.words[cue.start].text.endswith("st")  # most, worst, highest; no peak
        before = numbers.get(cue.start - 1, 0) if superlative else 0
        start, end = cue.start - (not behind), cue.end + bool(behind)
        if not 1 < (behind or before) < MAX_WANTED:
            continue
        span = question.span_text(start, end).casefold()
        # "Over the first ten rounds" says where, and "the top 5 %" how large a part.
        if (
            _WITHIN.search(case.text[: question.words[start].start])
            or _PERCENT.match(case.text[question.words[end - 1].end :])
            or any(span in name.casefold() for name in case.table.columns)
        ):
            continue
        return behind or before
    return 0
