"""Asks the questions of a set without a model, each judged by the set's own rule."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import agronomy_gold
import conversations
import judges
from agronomy.table import make_agronomy_table
from question_sets import HERE, read_lines

import wideleaf as wl
from wideleaf_evaluation.answers import answer_item
from wideleaf_evaluation.item import Item
from wideleaf_evaluation.rows import EvalSettings

SAID = 300
"""Characters kept of an answer."""
TWIN = (2_000, 8_058)
GRAPHS = HERE / "research_graph"


class Row(NamedTuple):
    """What came of one question."""

    set: str
    id: str
    question: str
    answered: bool
    right: bool
    confidence: float
    said: str


def ask_public(folder: str, name: str, items: list[Item], of: str) -> list[Row]:
    """Questions of a public set, by its headline score."""
    settings = EvalSettings(folder=of, set=of, refused_check=False)
    rows = []
    for item in items:
        row = answer_item(item, settings, folder)
        answered = row.status == "answered"
        right = answered and next(iter(row.scores.values()), 0.0) >= 1.0
        sure = row.confidence or 0.0
        rows.append(Row(name, row.id, row.question, answered, right, sure, row.answer[:SAID]))
    return rows


def ask_rows(
    folder: str, name: str, lines: list[dict[str, Any]], path: Path, dictionary: str | None
) -> list[Row]:
    """Questions over an everyday table or one of a field, judged by rows."""
    meanings = {"dictionary": dictionary} if dictionary else {}
    rows = []
    for line in lines:
        result = wl.ask(line["question"], path, folder=folder, **meanings)
        verdict = judges.verdict(line, result)
        right = verdict == ("refused" if line["unanswerable"] else "right")
        asked = (name, str(line["id"]), line["question"], verdict != "refused", right)
        rows.append(Row(*asked, result.confidence or 0.0, result.answer[:SAID]))
    return rows


def ask_texts(folder: str, name: str, lines: list[dict[str, Any]]) -> list[Row]:
    """Questions over related tables, or the turns of a conversation; without answers: not there."""
    rows = []
    session = wl.Session(*lines[0]["files"], folder=folder) if "conversation" in lines[0] else None
    for line in lines:
        ask = session.ask if session else functools.partial(_ask, line["files"], folder)
        answered, right, sure, said = judges.judge_text(line, ask(line["question"]))
        rows.append(Row(name, line["id"], line["question"], answered, right, sure, said))
    return rows


def _ask(files: Sequence[str], folder: str, question: str) -> wl.Result:
    return wl.ask(question, *files, folder=folder)


def ask_turns(folder: str, name: str, line: dict[str, Any], folders: Sequence[Path]) -> list[Row]:
    """The turns of a conversation over a table of the public sets, as they were unpacked."""
    found = [path for place in folders for path in _tables(place) if path.name == line["table"]]
    if not found:
        raise FileNotFoundError(f"no folder of {folders} has the table {line['table']}")
    table = found[0]
    rows = conversations.hold(line | {"table": table.name}, table.parent, Path(folder))
    return [
        Row(name, f"{row['id']}-{row['turn']}", turn["say"], row["status"] == "answered",
            row["right"], row.get("confidence") or 0.0, row["answer"][:SAID])
        for row, turn in zip(rows, line["turns"], strict=True)
    ]  # fmt: skip


def _tables(data: Path) -> Iterator[Path]:
    for suffix in ("*.csv", "*.parquet"):
        yield from data.rglob(suffix)


def ask_graph(folder: str) -> list[Row]:
    """66 questions over a made-up graph of a university: right if the first answer is a gold one.

    Graph, questions and golds are by somebody who had not seen the planner; six ask for what the
    graph has not.
    """
    rows = []
    for line in read_lines(GRAPHS / "questions.jsonl"):
        result = wl.ask(line["question"], f"graph:{GRAPHS / line['graph']}", folder=folder)
        frame = result.frame
        got = [_fold(cell) for cell in frame[frame.columns[-1]]] if len(frame.columns) else []
        answered = result.status == "answered" and bool(got)
        gold = {_fold(one) for one in line["answer"]}
        right = answered and got[0] in gold if gold else not answered
        asked = ("graph", str(line["id"]), line["question"], answered, right)
        rows.append(Row(*asked, result.confidence or 0.0, str(got[:3])))
    return rows


def _fold(cell: object) -> str:
    return str(cell).strip().casefold().removesuffix(".0")


def ask_agronomy(folder: str, work: Path) -> list[Row]:
    """The 20 questions of TSO's appendix A.3 over the twin, by the rule of each."""
    table = work / "twin.parquet"
    if not table.exists():
        make_agronomy_table(table, *TWIN)
    lines = read_lines(HERE / "agronomy_questions.jsonl")
    golds = agronomy_gold.gold(table, only=[line["id"] for line in lines])
    rows = []
    for line in lines:
        result = wl.ask(line["question"], table, folder=folder, max_seconds=100_000)
        answered = result.status == "answered"
        right = answered and agronomy_gold.right(line["id"], result.frame, golds[line["id"]])
        asked = ("agronomy", line["id"], line["question"], answered, bool(right))
        rows.append(Row(*asked, result.confidence or 0.0, (result.answer or "")[:SAID]))
    return rows
