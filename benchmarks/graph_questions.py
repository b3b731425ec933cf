"""66 questions over a made-up graph of a research university, answered without a model.

    python benchmarks/graph_questions.py [--folder FOLDER] [--misses]

Graph, questions and gold answers were made by somebody who had not seen the planner, and the first
run over them was a first look. Six of them ask for what the graph has not.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import wideleaf as wl

HOME = Path(__file__).parent / "research_graph"


def main() -> None:
    """Ask them all and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", help="where the runs are kept; by default nowhere")
    parser.add_argument("--misses", action="store_true", help="list wrong answers")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        rows = [ask(line, options.folder or scratch) for line in read_questions()]
    real = [row for row in rows if row["gold"]]
    other = [row for row in rows if not row["gold"]]
    right, answered = sum(row["hit"] for row in real), sum(row["answered"] for row in real)
    print(f"Hit@1 {right} of {len(real)}, answered {answered}; of what is not there "
          f"{sum(not row['answered'] for row in other)} of {len(other)} refused")  # fmt: skip
    hits = Counter(row["type"] for row in real if row["hit"])
    for kind, count in Counter(row["type"] for row in real).items():
        print(f"  {kind}: {hits[kind]} of {count}")
    for row in rows if options.misses else ():
        if row["answered"] and not row["hit"]:
            print(f"{row['id']} ({row['confidence']:.2f}): {row['question']}\n  {row['got'][:3]}")


def read_questions() -> list[dict[str, Any]]:
    """The questions with their graphs and gold answers."""
    text = (HOME / "questions.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def ask(line: dict[str, Any], folder: str) -> dict[str, Any]:
    """One question; right if the first answer is among the gold ones."""
    result = wl.ask(line["question"], f"graph:{HOME / line['graph']}", folder=folder)
    frame = result.frame
    got = [fold(cell) for cell in frame[frame.columns[-1]]] if len(frame.columns) else []
    answered = result.status == "answered" and bool(got)
    gold = {fold(one) for one in line["answer"]}
    return {
        **{name: line[name] for name in ("id", "type", "question")},
        "gold": gold,
        "got": got,
        "answered": answered,
        "hit": answered and got[0] in gold,
        "confidence": result.confidence or 0.0,
    }


def fold(cell: object) -> str:
    """A cell as it is compared."""
    return str(cell).strip().casefold().removesuffix(".0")


if __name__ == "__main__":
    main()
