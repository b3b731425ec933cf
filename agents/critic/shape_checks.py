"""Checks of shape: whether rows, columns and types are of the kind that the question asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wideleaf.agents.critic.data_checks import words_in
from wideleaf.agents.critic.doubts import Doubt, Offer
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
_COUNTS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
NUMBERS = {word: number for number, word in enumerate(_COUNTS, 2)}
_LEAD = r"^(?:please |and |so |(?:in|for|on|at|of|from|during|among) [^,?]{1,60}, ?)?"
_HOW_MANY = re.compile(
    _LEAD + r"(?:how many \w|(?:what(?: is|'s| was)|find|give(?: me)?|show|return|count)"
    r"(?: me)? the (?:total )?(?:number|count) of )"
)
_ONE_NUMBER = re.compile(
    _LEAD + r"(?:how much |what(?: is|'s| was) the (?:average|mean|median|total|sum|combined) )"
)
_SEVERAL = re.compile(
    r"\b(?:each|every|per|by|respective(?:ly)?|and|both|compared|versus|vs|group(?:ed)?|across|"
    r"different \w+ of|(?:in|across|among|between|for|by) (?:the )?(?:different|various)|for all|"
    r"minimum|maximum|over time)\b|[;]"
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
_TOP = re.compile(
    r"\b(?:top|first|last|best|worst|bottom) (?P<a>\d+|[a-z]+)\b|"
    r"\b(?P<b>\d+|[a-z]+) (?:most|least|highest|lowest|largest|smallest|biggest|oldest|youngest|"
    r"longest|shortest|best|worst|greatest|heaviest|lightest|cheapest|latest|earliest)\b"
)
_WITHIN = re.compile(
    r"\b(?:in|during|over|within|after|before|across|through|throughout)(?: the)? $"
)
_PERCENT = re.compile(r" ?(?:%|percent|per cent)")
_ALL = re.compile(r"^(?:list|show|give|find|name|what are)\b.*?\ball\b")
_CUT = re.compile(
    r"\b(?:top|first|last|best|worst|most|least|only|limit|bottom|sample|any|some|\w+est|\d+)\b"
)


def one_number(case: Offer) -> Iterator[Doubt]:
    """A question of how many, or of the mean of something, wants one number."""
    asked = case.question.lower()
    counted = _HOW_MANY.search(asked)
    if not (counted or _ONE_NUMBER.search(asked)) or _SEVERAL.search(asked):
        return
    rows, columns = case.node.rows, case.table.columns
    numbers = [name for name in columns if case.table.kind(name) == "number"]
    if not rows or (rows == 1 and len(columns) == 1 and (numbers or _is_number(case.table))):
        return
    want = "how many" if counted else "for one number"
    if rows == 1 and numbers:
        yield Doubt(
            f"the question asks {want}; {case.label} has {len(columns)} columns, one is enough",
            reading=True,
        )
    elif rows == 1 or not numbers:
        yield Doubt(f"the question asks {want}; {case.label} holds no number", reading=True)
    else:
        shape = f"{rows} rows x {len(columns)} columns"
        text = f"the question asks {want}; {case.label} has {shape}: Aggregate gives one"
        yield Doubt(text, reading=True)


def _is_number(table: Table) -> bool:
    """Whether the one cell of a frame is a number written as text, or has one: 3.2 g/cm³."""
    (row,) = table.rows(1)
    cell = next(iter(row.values()))
    return read_number(cell) is not None or bool(re.search(r"\d", str(cell)))


def yes_or_no(case: Offer) -> Iterator[Doubt]:
    """A question of yes or no wants one boolean."""
    asked = case.question.strip().lower()
    if not _YES_NO.search(asked) or _MORE.search(asked):
        return
    kinds = [case.table.kind(name) for name in case.table.columns]
    if case.node.rows == 1 and (kinds == ["boolean"] or _says_yes_or_no(case.table)):
        return
    if case.drawn:  # "does a rise with b? scatter plot of both"
        return
    objects = not _COMPARES.search(asked)
    yield Doubt(
        f"the question asks yes or no; {case.label} is no single boolean: Derive or Aggregate one",
        objects=objects,
        caveat="The question asks yes or no; what is shown is what that rests on.",
    )


def _says_yes_or_no(table: Table) -> bool:
    (row,) = table.rows(1)
    cells = [str(cell).strip().casefold() for cell in row.values()]
    return len(cells) == 1 and cells[0] in ANSWERS


def names(case: Offer) -> Iterator[Doubt]:
    """Who, or which something, wants a column that names it, not numbers alone."""
    asked = case.question.strip().lower()
    table = case.table
    if any(table.kind(name) not in ("number", "boolean") for name in table.columns):
        return
    leaves = [case.table_of(leaf.label) for leaf in case.tree.leaves if leaf in case.plan]
    numbers = all(one.kind(name) in ("number", "boolean") for one in leaves for name in one.columns)
    if numbers and not any(_years(one, name) for one in leaves for name in one.columns[:LOOKED_AT]):
        return  # nothing there names anybody
    keys = any("id" in header_words(name) for name in table.columns)
    if asked.startswith("who ") or (keys and _NAME_OF.search(asked)):
        yield Doubt(
            f"the question asks {_asked_name(asked)}; {case.label} has no column of names",
            reading=True,
        )
        return
    found = _NOUN.search(asked)
    if not found or found[1] in _NO_NOUN:
        return
    noun = stem(found[1])
    told = {stem(word) for name in table.columns for word in header_words(name)}
    if noun not in told and not _says_which(case):
        yield Doubt(
            f"the question asks which {found[1]}; {case.label} has only numbers and no column "
            "that says it",
            reading=True,
        )


def _asked_name(asked: str) -> str:
    return "who" if asked.startswith("who ") else "for names"


def _says_which(case: Offer) -> bool:
    """Whether a column of numbers is what a row is known by: a year, a key, what was asked."""
    table = case.table
    if any(_years(table, name) for name in table.columns):
        return True
    given = [node.action.arguments for node in case.plan]
    grouped = {key for one in given for key in words_in(one.get("keys"))}
    if grouped & {*table.columns}:
        return True
    # A column that stands alone is what was measured, not what a row is known by.
    said = {stem(word) for word in tokenise(case.question)}
    sorted_by = {key.removeprefix("-") for one in given for key in words_in(one.get("by"))}
    return len(table.columns) > 1 and any(
        name in sorted_by or {stem(word) for word in header_words(name)} <= said
        for name in table.columns
    )


def _years(table: Table, name: str) -> bool:
    if not table.schema[name].is_integer() and "year" not in header_words(name):
        return False
    if table.kind(name) != "number":
        return False
    ends = [{"function": end, "column": name, "name": end} for end in ("min", "max")]
    row = Aggregate.model_validate({"measures": ends}).resolve(table).run(table).rows(1)[0]
    return row["min"] is not None and row["min"] >= FIRST_YEAR and row["max"] <= LAST_YEAR


def top_k(case: Offer) -> Iterator[Doubt]:
    """The top three are three rows; ties, which Sort keeps and tells of, aside."""
    asked = case.question.lower()
    if re.search(r"\b(?:each|every|per)\b", asked):
        return
    # "Over the first ten rounds" says where, and "the top 5 %" how large a part.
    tops = [
        found
        for found in _TOP.finditer(asked)
        if not (_WITHIN.search(asked[: found.start()]) or _PERCENT.match(asked[found.end() :]))
        and not any(found[0] in name.casefold() for name in case.table.columns)
    ]
    counts = [_number(found["a"] or found["b"]) for found in tops]
    wanted = next((count for count in counts if count and count < 1000), None)
    rows = case.node.rows
    if wanted is None or not rows or rows == wanted:
        return
    made = {node.action.name for node in case.plan}
    if case.node.action.name == "Aggregate" or "Correlate" in made:
        return
    if any(n.action.name == "PCA" and n.action.arguments.get("n") == wanted for n in case.plan):
        return  # the top three components are columns
    limits = [n.action.arguments.get("limit") for n in case.plan if n.action.name == "Sort"]
    for code in filter(None, (code_of(node.action) for node in case.plan)):
        limits += number_literals(code)  # such as nlargest(3, keep="all")
    if rows > wanted and wanted not in limits:
        text = f"the question asks for {wanted}; {case.label} has {rows} rows"
        yield Doubt(f"{text}: Sort with limit {wanted}", reading=True)
    elif rows < wanted and wanted not in limits:
        yield Doubt(f"the question asks for {wanted}; {case.label} has {rows} rows", reading=True)
    elif rows < wanted:
        yield Doubt(f"{wanted} were asked for and there are only {rows}", objects=False)


def all_rows(case: Offer) -> Iterator[Doubt]:
    """A list of all must not have been cut."""
    asked = case.question.strip().lower()
    if not _ALL.search(asked) or _CUT.search(asked):
        return
    for node in case.plan:
        if node.action.name == "Sample" or node.action.arguments.get("limit"):
            yield Doubt(f"the question asks for all; {node.label} keeps only some of the rows")


def _number(word: str | None) -> int | None:
    if word is None:
        return None
    return int(word) if word.isdigit() else NUMBERS.get(word)
