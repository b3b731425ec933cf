"""Overviews: what people ask of a table itself, such as its columns, gaps, first rows, outliers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.agents.planner.links.lexicon import Question, lexicon
from wideleaf.agents.planner.links.table_index import TableIndex, index_table
from wideleaf.agents.planner.scopes.derivation import PlanProposal
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call

SURE = 0.9
"""How sure an overview is read: no word of the question is left over."""
NAMED = 0.7
"""How well a column must be named to be the one that is looked at."""
SHOWN = 5
"""So many rows are shown where nobody says how many."""
CLASSES = (
    "columns", "lines", "whole", "gaps", "twice", "summary", "types", "outlying", "related",
    "fully", "few", "drawn",
)  # fmt: skip
ENDS = {"early": "first", "late": "last"}
MAX_KEYS = 100
"""A table of more columns is not looked through for rows that are the same."""
Step = tuple[str, dict[str, JsonValue], str]


class Asked(NamedTuple):
    """What a question asks of a table itself.

    Attributes:
        classes: The classes of its words.
        columns: Columns that it names.
        number: A number that it gives.
        counts: Whether it asks how many.
        whether: Whether it asks yes or no.
        end: ``first`` or ``last``, if it has one.
        most: Whether it asks for the one with the most.
        each: Whether it asks for every column.
    """

    classes: frozenset[str]
    columns: tuple[str, ...]
    number: int | None
    counts: bool
    whether: bool
    end: str
    most: bool
    each: bool


def read_overview(text: str, tables: Mapping[str, Table]) -> PlanProposal | None:
    """A plan for a question about the table itself; None where it has words of another kind.

    Args:
        text: The question.
        tables: The tables by their labels; of several none is meant.
    """
    if len(tables) != 1:
        return None
    ((label, table),) = tables.items()
    index = index_table(table)
    request = _read(Question(text), index)
    if request is None:
        return None
    steps = _plan(request, table)
    if not steps:
        return None
    calls, thoughts = [], []
    for place, (name, arguments, thought) in enumerate(steps):
        source = f"${place - 1}" if place else label
        calls.append(Call(name=name, arguments={"table": source, **arguments}))
        thoughts.append(thought)
    about = f" of {', '.join(request.columns)}" if request.columns else ""
    reading = f"{thoughts[-1][:1].lower()}{thoughts[-1][1:].rstrip('.')}{about} of {label}"
    return PlanProposal(
        steps=tuple(calls), thoughts=tuple(thoughts), confidence=SURE, reading=reading
    )


def _read(question: Question, index: TableIndex) -> Asked | None:
    """What a question asks whose words all speak of the table itself; None of any other."""
    ends = [cue for cue in question.cue("extreme") if cue.value in ENDS]
    tops = [cue for cue in question.cue("extreme", "mode") if cue.value == "max"]
    cues = (*ends, *tops, *question.cue("aside", "wh", "count", "each"))
    numbers = {number.place: number.value for number in question.numbers}
    reading = _read_words(question, index, numbers.keys() | {p for cue in cues for p in cue.places})
    if reading is None or not reading[0] or len(numbers) > 1:
        return None
    classes, columns = reading
    return Asked(
        frozenset(classes),
        tuple(dict.fromkeys(columns)),
        number=next((int(value) for value in numbers.values() if value > 0), None),
        counts=bool(question.cue("count")),
        whether=question.whether is not None or "any" in (w.text for w in question.words),
        end=ENDS[ends[0].value] if ends else "",
        most=bool(tops),
        each=bool(question.cue("each")),
    )


def _read_words(
    question: Question, index: TableIndex, silent: Collection[int]
) -> tuple[set[str], list[str]] | None:
    """The classes and the columns that words say; None where one that is not silent says none."""
    classes = lexicon().classes
    slight = lexicon().stopwords | classes["plain"] | classes["asking"]
    mentions = [m for m in index.names.mentions(question) if m.score >= NAMED and not m.several]
    kinds: set[str] = set()
    columns: list[str] = []
    for place, word in enumerate(question.words):
        kind = next((name for name in CLASSES if word.text in classes[name]), "")
        mention = next((m for m in mentions if place in m.places), None)
        if mention and (not kind or (kind != "columns" and mention.score > SURE)):
            columns.append(mention.column)
        elif kind:
            kinds.add(kind)
        elif place not in silent and word.text not in slight:
            return None
    return kinds, columns


def _plan(request: Asked, table: Table) -> list[Step]:
    kinds, columns = request.classes, request.columns
    core = kinds - {"whole", "lines"}
    if "outlying" in kinds and columns:
        return _outliers(request, index_table(table))
    if "related" in kinds and len(columns) == 1 and (request.most or "columns" in kinds):
        return _plan_correlations(request)
    if "summary" in kinds and core <= {"summary", "columns"}:
        of: dict[str, JsonValue] = {"columns": [*columns]} if columns else {}
        return [("Describe", of, "A summary of each column.")]
    if columns:
        return []
    if core == {"twice"}:
        return _twice(request, table)
    if "gaps" in kinds and core <= {"gaps", "columns", "fully"}:
        return [*_gaps(request)]
    if core in ({"columns"}, {"columns", "types"}):
        return [*_columns(request)]
    if core <= {"few", "drawn"} and "lines" in kinds and not request.counts:
        return _rows(request, table)
    return []


def _columns(request: Asked) -> Iterator[Step]:
    yield "Describe", {}, "The columns, one a row."
    if request.counts:
        measure: JsonValue = [{"function": "count", "name": "columns"}]
        yield "Aggregate", {"measures": measure}, "The number of columns."
        return
    columns: list[JsonValue] = ["column", "type"] if "types" in request.classes else ["column"]
    yield "Select", {"columns": columns}, "The columns."


def _gaps(request: Asked) -> Iterator[Step]:
    yield "Describe", {}, "How many values each column lacks."
    names: list[JsonValue] = ["column", "nulls"]
    if "columns" not in request.classes and not request.each and request.counts:
        measure: JsonValue = [{"function": "sum", "column": "nulls", "name": "missing values"}]
        yield "Aggregate", {"measures": measure}, "The number of missing values."
        return
    if "fully" in request.classes:
        empty: JsonValue = [{"column": "distinct", "op": "==", "value": 0}]
        yield "Filter", {"where": empty}, "Those without any value."
        yield "Select", {"columns": ["column"]}, "The columns without any value."
        return
    if request.whether and not {"columns", "lines"} & request.classes and not request.each:
        total: JsonValue = [{"function": "sum", "column": "nulls", "name": "missing values"}]
        yield "Aggregate", {"measures": total}, "The number of missing values."
        test: JsonValue = {"test": {"column": "missing values", "op": ">", "value": 0}}
        yield "Derive", {"name": "answer", "expression": test}, "Whether there are any."
        yield "Select", {"columns": ["answer", "missing values"]}, "Whether values are missing."
        return
    if not request.each:
        some: JsonValue = [{"column": "nulls", "op": ">", "value": 0}]
        yield "Filter", {"where": some}, "Those that lack some."
    order: dict[str, JsonValue] = {"by": [{"column": "nulls", "descending": True}]}
    if request.most:
        order |= {"limit": request.number or 1, "ties": "keep"}
    yield "Sort", order, "Those that lack most first."
    yield "Select", {"columns": names}, "The columns with missing values, and how many."


def _twice(request: Asked, table: Table) -> list[Step]:
    if len(table.columns) > MAX_KEYS:
        return []
    count: JsonValue = [{"function": "count", "name": "times"}]
    more: JsonValue = [{"column": "times", "op": ">", "value": 1}]
    same: Step = (
        "Group",
        {"keys": [*table.columns], "measures": count},
        "Rows that are the same, and how often.",
    )
    if not request.counts and not request.whether:
        return [same, ("Filter", {"where": more}, "The rows that are there more than once.")]
    extra: JsonValue = {"op": "-", "args": ["times", 1]}
    number: JsonValue = [{"function": "sum", "column": "again", "name": "duplicate rows"}]
    steps: list[Step] = [
        same,
        ("Derive", {"name": "again", "expression": extra}, "How often each is there again."),
        ("Aggregate", {"measures": number}, "The number of rows that repeat another."),
    ]
    if request.counts:
        return steps
    test: JsonValue = {"test": {"column": "duplicate rows", "op": ">", "value": 0}}
    return [
        *steps,
        ("Derive", {"name": "answer", "expression": test}, "Whether there are any."),
        ("Select", {"columns": ["answer"]}, "Whether rows are repeated."),
    ]


def _rows(request: Asked, table: Table) -> list[Step]:
    if not (request.end or request.number or request.classes & {"few", "drawn"}):
        return []
    many = request.number or SHOWN
    if "drawn" in request.classes and not request.end:
        return [("Sample", {"n": many}, "Some rows at random.")]
    last = request.end == "last"
    place = "place in the table"
    by: JsonValue = [{"column": place, "descending": last}]
    return [
        ("Position", {"name": place}, "Where each row stands."),
        ("Sort", {"by": by, "limit": many}, f"The {request.end or 'first'} {many}."),
        ("Select", {"columns": [*table.columns]}, f"The {request.end or 'first'} {many} rows."),
    ]


def _outliers(request: Asked, index: TableIndex) -> list[Step]:
    numbers: list[JsonValue] = [c for c in request.columns if index.kinds[c] == "number"]
    if len(numbers) > 1:  # which orders are outliers in price: what names rows is not looked at
        numbers = [c for c in numbers if c not in index.row_keys] or numbers
    if not numbers:
        return []
    flagged: JsonValue = [{"column": "is_anomaly", "op": "==", "value": True}]
    steps: list[Step] = [
        ("Anomaly", {"columns": numbers}, "How far each value lies from the others."),
        ("Filter", {"where": flagged}, "The rows far from the others (robust z-score over 3.5)."),
    ]
    if request.counts:
        number: JsonValue = [{"function": "count", "name": "outliers"}]
        steps.append(("Aggregate", {"measures": number}, "The number of outliers."))
    elif len(numbers) < len(request.columns):
        columns: JsonValue = [*request.columns]
        steps.append(("Select", {"columns": columns}, "The rows far from the others."))
    return steps


def _plan_correlations(request: Asked) -> list[Step]:
    steps: list[Step] = [
        ("Correlate", {"column": request.columns[0]}, "Correlations with every other number."),
    ]
    if request.most:
        size: JsonValue = {"op": "abs", "args": ["correlation"]}
        steps += [
            ("Derive", {"name": "strength", "expression": size}, "Regardless of their sign."),
            ("Sort", {"by": [{"column": "strength", "descending": True}],
                      "limit": request.number or 1, "ties": "keep"}, "The strongest."),
            ("Select", {"columns": ["column", "correlation"]}, "The strongest correlation."),
        ]  # fmt: skip
    return steps
