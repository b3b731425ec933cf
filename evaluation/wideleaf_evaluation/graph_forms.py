"""Forms of question sets over knowledge graphs: one function each turns a line into an item."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from wideleaf.tools.tables.relations import GRAPH
from wideleaf.tools.writing import write_text
from wideleaf_evaluation.item import Item

HEADERS = {3: ("head", "relation", "tail"), 5: ("head", "relation", "tail", "start", "end")}
BOUNDS = (1, 2916)
"""The years that TimeQuestions writes for a start or an end that is not known."""
PARITIES: dict[str, Literal["fit", "held"]] = {"even": "fit", "odd": "held"}
"""Halves of the sets over graphs, whose questions mostly share one graph: by the id's number."""


def read_webqsp(line: dict[str, Any]) -> Item:
    """WebQSP (Yih et al. 2016) with the paths that were retrieved for each question."""
    return _item(line, "webqsp_retrieved", share=line.get("gold_in_subgraph"))


def read_metaqa(line: dict[str, Any]) -> Item:
    """MetaQA (Zhang et al. 2018): one graph, one to three hops."""
    return _item(line, "metaqa", "kb.tsv.gz", share=line.get("gold_reproduced_from_kb"))


def read_pathquestion(line: dict[str, Any]) -> Item:
    """PathQuestion and WorldCup2014 (Zhou, Huang, Zhu 2018): five graphs, two and three hops."""
    return _item(line, "pathquestion", f"kb_{line['kb']}.tsv", share=line.get("reproduced"))


def read_timequestions(line: dict[str, Any]) -> Item:
    """TimeQuestions (Jia et al. 2021): a temporal graph with the facts of each question."""
    return _item(line, "timequestions", share=line.get("gold_in_facts"))


def read_cronquestions(line: dict[str, Any]) -> Item:
    """CronQuestions (Saxena et al. 2021), each over the facts of all: harder than over its own."""
    return _item(line, "cronquestions_sample", "tkg_union.tsv", subtype=line["answer_type"])


def _item(
    line: dict[str, Any], name: str, graph: str = "", share: Any = None, subtype: str = ""
) -> Item:
    kind = line.get("type") or ""
    return Item(
        id=str(line["id"]),
        question=line["question"],
        sources=(f"{GRAPH}{graph}",) if graph else (),
        gold=list(line["answer"]),
        set=name,
        type=" + ".join(kind) if isinstance(kind, list) else str(kind),
        subtype=subtype or _reach(share),
        hardness=str(line.get("hardness") or ""),
        group=parity(str(line["id"])),
    )


def _reach(share: Any) -> str:
    """How much of the gold answer the facts hold, as the set says."""
    if share is None:
        return ""
    if share >= 1:
        return "gold in facts"
    return "gold partly in facts" if share > 0 else "gold not in facts"


def parity(name: str) -> str:
    """Whether the last number of a name is even or odd; a name without one is even."""
    numbers = re.findall(r"\d+", name)
    return "odd" if numbers and int(numbers[-1]) % 2 else "even"


def read_triples(line: dict[str, Any]) -> Sequence[Sequence[Any]]:
    """The triples that a line of WebQSP brings along."""
    return line["triples"]  # type: ignore[no-any-return]  # of JSON; `write_facts` looks at it


def read_years(line: dict[str, Any]) -> Sequence[Sequence[Any]]:
    """The facts that a line of TimeQuestions brings along, open where it writes its bounds."""
    first, last = BOUNDS
    return [
        (*fact, None if start == first else start, None if end == last else end)
        for *fact, start, end in line["facts"]
    ]


def write_facts(facts: Sequence[Sequence[Any]], place: Path) -> Path:
    """Write the facts of one question as a TSV with a header, once; what they are names its folder.

    Args:
        facts: Triples, or quintuples with the first and the last year.
        place: The folder.

    Raises:
        ValueError: If the facts have another number of parts, or not all the same.
    """
    widths = {len(fact) for fact in facts} or {3}
    if len(widths) > 1 or not widths <= HEADERS.keys():
        raise ValueError(f"facts have 3 parts or 5, all alike; these have {sorted(widths)}")
    lines = [HEADERS[widths.pop()], *facts]
    text = "".join("\t".join(map(_cell, line)) + "\n" for line in lines)
    # The file's name is what a model hears of it; the folder's tells the graphs apart.
    path = place / sha256(text.encode()).hexdigest()[:16] / "facts.tsv"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, text)
    return path


def _cell(part: Any) -> str:
    """A part of a fact, which can hold no mark that parts or lines are told by."""
    return "" if part is None else re.sub(r"[\t\r\n]", " ", str(part))
