"""Forms of question sets: one function each turns a line of a benchmark into an item."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from wideleaf_evaluation.graph_forms import (
    PARITIES,
    read_cronquestions,
    read_metaqa,
    read_pathquestion,
    read_timequestions,
    read_triples,
    read_webqsp,
    read_years,
)
from wideleaf_evaluation.item import Item

Line: TypeAlias = dict[str, Any]


class Reader(NamedTuple):
    """How the lines of one set become items.

    Attributes:
        name: The set; a folder of this name is read by it.
        read: Makes an item of a line; gives none for a line that is no question of the set.
        types: Types that are asked unless others are wished for; empty for all.
        facts: Reads the graph that a line brings along, of a set that has no other.
        halves: The half of each group, where the set itself says so; see `sets.half_of`.
    """

    name: str
    read: Callable[[Line], Item | None]
    types: tuple[str, ...] = ()
    facts: Callable[[Line], Sequence[Sequence[Any]]] | None = None
    halves: Mapping[str, Literal["fit", "held"]] = {}


def _item(line: Line, name: str, **other: Any) -> Item:
    """What most sets have alike."""
    tables: Any = line["table"] if "table" in line else line["tables"]
    sources = (tables,) if isinstance(tables, str) else tuple(tables)
    fields = {
        "id": str(line["id"]),
        "question": line["question"],
        "sources": sources,
        "gold": line["answer"],
        "set": name,
        "type": str(line.get("type") or ""),
        "hardness": str(line.get("hardness") or ""),
        "group": sources[0],
    }
    return Item(**{**fields, **other})


def read_wikisql(line: Line) -> Item:
    """WikiSQL (Zhong, Xiong, Socher 2017): one table, gold is a list of cells."""
    return _item(line, "wikisql", gold_query=line.get("gold_sql", ""))


def read_wikisql_e(line: Line) -> Item:
    """WikiSQL-E (CRAFTQA, appendix A.1): WikiSQL's questions that predefined functions miss."""
    return _item(line, "wikisql_e", gold_query=line.get("gold_sql", ""))


def read_wikitablequestions(line: Line) -> Item:
    """WikiTableQuestions (Pasupat, Liang 2015): one table, gold is a list of texts."""
    return _item(line, "wikitablequestions", subtype=line.get("op_guess") or "")


def read_spider(line: Line) -> Item:
    """Spider (Yu et al. 2018) and its kin: a database, gold is rows."""
    database = line["db"]
    return _item(
        {**line, "table": database},
        "spider",
        ordered=bool(line.get("answer_ordered")),
        gold_query=line.get("gold_sql", ""),
    )


def read_tablebench(line: Line) -> Item:
    """TableBench (Wu et al. 2024): one table of text, gold is one text."""
    return _item(line, "tablebench", subtype=line.get("subtype") or "")


def read_tablebench_charts(line: Line) -> Item:
    """TableBench's visualisation: gold is a line of Python with the values that a chart draws."""
    return _item(line, "tablebench_charts", subtype=line.get("subtype") or "")


GROUPED = ("groupby", "value_counts", "pivot", "crosstab", "describe", "corr", ".T", "agg(")


def read_uci_dataframeqa(line: Line) -> Item | None:
    """DataFrame QA (Ye et al. 2024): one table, gold is the result of pandas code.

    Whether the index of a gold Series or frame is data, such as the groups, or only numbers of
    rows, is told by the code that made it.
    """
    if not line.get("gold_runs", True):
        return None
    code = line.get("gold_pandas", "")
    gold = {**line["answer"], "index_is_data": any(word in code for word in GROUPED)}
    return _item(line, "uci_dataframeqa", gold=gold, gold_query=code)


def read_dabench(line: Line) -> Item | None:
    """DABench (Hu et al. 2024): one table, gold is named values; rules are in the constraints."""
    if not line.get("table_available", True):
        return None
    parts = [line["question"], line.get("constraints"), line.get("format")]
    question = "\n".join(part for part in parts if part)
    return _item(line, "dabench", question=question, type=" + ".join(line["type"]))


def read_wide(line: Line) -> Item:
    """Questions over wide tables: gold is a cell, or a list of parts."""
    return _item(line, "wide", gold_query=line.get("gold_pandas", ""))


def read_agronomy(line: Line) -> Item:
    """The 20 questions of TSO's appendix A.3 over a twin of its table, each with its own rule."""
    return _item(line, "agronomy", gold={"rule": line["checker"], "answer": line["answer"]})


def read_plain(line: Line) -> Item:
    """A user's own set: id, question, table or tables, answer; the rest may be left out."""
    return _item(
        line,
        "plain",
        group=str(line.get("group") or line.get("table") or line["tables"][0]),
        subtype=str(line.get("subtype") or line.get("role") or ""),
        ordered=bool(line.get("answer_ordered")),
        gold_query=str(line.get("gold_pandas") or ""),
    )


READERS: tuple[Reader, ...] = (
    Reader("wikisql", read_wikisql),
    Reader("wikisql_e", read_wikisql_e),
    Reader("wikitablequestions", read_wikitablequestions),
    Reader("spider", read_spider),
    Reader("tablebench", read_tablebench, ("FactChecking", "NumericalReasoning")),
    Reader("tablebench_charts", read_tablebench_charts, ("Visualization",)),
    Reader("uci_dataframeqa", read_uci_dataframeqa),
    Reader("dabench", read_dabench),
    Reader("wide", read_wide),
    Reader("agronomy", read_agronomy),
    Reader("webqsp_retrieved", read_webqsp, facts=read_triples, halves=PARITIES),
    Reader("metaqa", read_metaqa, halves=PARITIES),
    Reader("pathquestion", read_pathquestion, halves=PARITIES),
    Reader("timequestions", read_timequestions, facts=read_years, halves=PARITIES),
    Reader("cronquestions_sample", read_cronquestions, halves=PARITIES),
    Reader("plain", read_plain),
)
