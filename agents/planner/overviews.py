"""Overviews: what people ask of a table itself, such as its columns, gaps, first rows, outliers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.agents.planner.links.lexicon import Question, lexicon
from wideleaf.agents.planner.links.table_index import TableIndex, index_table
from wideleaf.agents.planner.scenes.derivation import PlanProposal
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
MOST_KEYS = 100
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
    asked = _read(Question(text), index)
    if asked is None:
        return None
    steps = _plan(asked, table)
    if not steps:
        return None
    calls, thoughts = [], []
    for place, (name, arguments, thought) in enumerate(steps):
        source = f"${place - 1}" if place else label
        calls.append(Call(name=name, arguments={"table": source, **arguments}))
        thoughts.append(thought)
    about = f" of {', '.join(asked.columns)}" if asked.columns else ""
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
    read = _read_words(question, index, numbers.keys() | {p for cue in cues for p in cue.places})
    if read is None or not read[0] or len(numbers) > 1:
        return None
    classes, columns = read
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
    found: set[str] = set()
    columns: list[str] = []
    for place, word in enumerate(question.words):
        kind = next((name for name in CLASSES if word.text in classes[name]), "")
        named = next((m for m in mentions if place in m.places), None)
        if named and (not kind or (kind != "columns" and named.score > SURE)):
            columns.append(named.column)
        elif kind:
            found.add(kind)
        elif place not in silent and word.text not in slight:
            return None
    return found, columns


def _plan(asked: Asked, table: Table) -> list[Step]:
    kinds, told = asked.classes, asked.columns
    core = kinds - {"whole", "lines"}
    if "outlying" in kinds and told:
        return _outliers(asked, index_table(table))
    if "related" in kinds and len(told) == 1 and (asked.most or "columns" in kinds):
        return _related(asked)
    if "summary" in kinds and core <= {"summary", "columns"}:
        of: dict[str, JsonValue] = {"columns": [*told]} if told else {}
        return [("Describe", of, "A summary of each column.")]
    if told:
        return []
    if core == {"twice"}:
        return _twice(asked, table)
    if "gaps" in kinds and core <= {"gaps", "columns", "fully"}:
        return [*_gaps(asked)]
    if core in ({"columns"}, {"columns", "types"}):
        return [*_columns(asked)]
    if core <= {"few", "drawn"} and "lines" in kinds and not asked.counts:
        return _rows(asked, table)
    return []


def _columns(asked: Asked) -> Iterator[Step]:
    yield "Describe", {}, "The columns, one a row."
    if asked.counts:
        measure: JsonValue = [{"function": "count", "name": "columns"}]
        yield "Aggregate", {"measures": measure}, "The number of columns."
        return
    shown: list[JsonValue] = ["column", "type"] if "types" in asked.classes else ["column"]
    yield "Select", {"columns": shown}, "The columns."


def _gaps(asked: Asked) -> Iterator[Step]:
    yield "Describe", {}, "How many values each column lacks."
    names: list[JsonValue] = ["column", "nulls"]
    if "columns" not in asked.classes and not asked.each and asked.counts:
        measure: JsonValue = [{"function": "sum", "column": "nulls", "name": "missing values"}]
        yield "Aggregate", {"measures": measure}, "The number of missing values."
        return
    if "fully" in asked.classes:
        empty: JsonValue = [{"column": "distinct", "op": "==", "value": 0}]
        yield "Filter", {"where": empty}, "Those without any value."
        yield "Select", {"columns": ["column"]}, "The columns without any value."
        return
    if asked.whether and not {"columns", "lines"} & asked.classes and not asked.each:
        total: JsonValue = [{"function": "sum", "column": "nulls", "name": "missing values"}]
        yield "Aggregate", {"measures": total}, "The number of missing values."
        test: JsonValue = {"test": {"column": "missing values", "op": ">", "value": 0}}
        yield "Derive", {"name": "answer", "expression": test}, "Whether there are any."
        yield "Select", {"columns": ["answer", "missing values"]}, "Whether values are missing."
        return
    if not asked.each:
        some: JsonValue = [{"column": "nulls", "op": ">", "value": 0}]
        yield "Filter", {"where": some}, "Those that lack some."
    order: dict[str, JsonValue] = {"by": [{"column": "nulls", "descending": True}]}
    if asked.most:
        order |= {"limit": asked.number or 1, "ties": "keep"}
    yield "Sort", order, "Those that lack most first."
    yield "Select", {"columns": names}, "The columns with missing values, and how many."


def _twice(asked: Asked, table: Table) -> list[Step]:
    if len(table.columns) > MOST_KEYS:
        return []
    count: JsonValue = [{"function": "count", "name": "times"}]
    more: JsonValue = [{"column": "times", "op": ">", "value": 1}]
    same: Step = (
        "Group",
        {"keys": [*table.columns], "measures": count},
        "Rows that are the same, and how often.",
    )
    if not asked.counts and not asked.whether:
        return [same, ("Filter", {"where": more}, "The rows that are there more than once.")]
    extra: JsonValue = {"op": "-", "args": ["times", 1]}
    number: JsonValue = [{"function": "sum", "column": "again", "name": "duplicate rows"}]
    steps: list[Step] = [
        same,
        ("Derive", {"name": "again", "expression": extra}, "How often each is there again."),
        ("Aggregate", {"measures": number}, "The number of rows that repeat another."),
    ]
    if asked.counts:
        return steps
    test: JsonValue = {"test": {"column": "duplicate rows", "op": ">", "value": 0}}
    return [
        *steps,
        ("Derive", {"name": "answer", "expression": test}, "Whether there are any."),
        ("Select", {"columns": ["answer"]}, "Whether rows are repeated."),
    ]


def _rows(asked: Asked, table: Table) -> list[Step]:
    if not (asked.end or asked.number or asked.classes & {"few", "drawn"}):
        return []
    many = asked.number or SHOWN
    if "drawn" in asked.classes and not asked.end:
        return [("Sample", {"n": many}, "Some rows at random.")]
    last = asked.end == "last"
    place = "place in the table"
    by: JsonValue = [{"column": place, "descending": last}]
    return [
        ("Position", {"name": place}, "Where each row stands."),
        ("Sort", {"by": by, "limit": many}, f"The {asked.end or 'first'} {many}."),
        ("Select", {"columns": [*table.columns]}, f"The {asked.end or 'first'} {many} rows."),
    ]


def _outliers(asked: Asked, index: TableIndex) -> list[Step]:
    numbers: list[JsonValue] = [c for c in asked.columns if index.kinds[c] == "number"]
    if len(numbers) > 1:  # which orders are outliers in price: what names rows is not looked at
        numbers = [c for c in numbers if c not in index.row_keys] or numbers
    if not numbers:
        return []
    flagged: JsonValue = [{"column": "is_anomaly", "op": "==", "value": True}]
    steps: list[Step] = [
        ("Anomaly", {"columns": numbers}, "How far each value lies from the others."),
        ("Filter", {"where": flagged}, "The rows far from the others (robust z-score over 3.5)."),
    ]
    if asked.counts:
        number: JsonValue = [{"function": "count", "name": "outliers"}]
        steps.append(("Aggregate", {"measures": number}, "The number of outliers."))
    elif len(numbers) < len(asked.columns):
        shown: JsonValue = [*asked.columns]
        steps.append(("Select", {"columns": shown}, "The rows far from the others."))
    return steps


def _related(asked: Asked) -> list[Step]:
    steps: list[Step] = [
        ("Correlate", {"column": asked.columns[0]}, "Correlations with every other number."),
    ]
    if asked.most:
        size: JsonValue = {"op": "abs", "args": ["correlation"]}
        steps += [
            ("Derive", {"name": "strength", "expression": size}, "Regardless of their sign."),
            ("Sort", {"by": [{"column": "strength", "descending": True}],
                      "limit": asked.number or 1, "ties": "keep"}, "The strongest."),
            ("Select", {"columns": ["column", "correlation"]}, "The strongest correlation."),
        ]  # fmt: skip
    return steps
