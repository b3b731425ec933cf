"""The 20 questions of TSO's appendix A.3 over the twin, asked for real, each with its tree.

    python benchmarks/agronomy_table.py twin.parquet --rows 2000
    python benchmarks/agronomy_run.py twin.parquet [--model openai:...] [--base-url URL]
        [--retriever tso] [--out MD]

Answers are judged by `agronomy_gold.right`, by rules that were written down before any run
(`agronomy_questions.jsonl`). Without a model the embedded planner answers.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from agronomy_gold import gold, right

QUESTIONS = Path(__file__).with_name("agronomy_questions.jsonl")
ROWS_TOLD = 3


def main() -> None:
    """Ask, judge, and write what happened."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path)
    parser.add_argument("--only", nargs="*", default=[], help="ids, such as agronomy-3")
    parser.add_argument("--model", default="")
    parser.add_argument("--base-url", default="")
    parser.add_argument("--privacy", default="schema")
    parser.add_argument("--retriever", default="index")
    parser.add_argument("--workers", type=int, default=1, help="questions at a time")
    parser.add_argument("--out", type=Path, help="a Markdown file for the trees")
    asked = parser.parse_args()
    lines = [json.loads(line) for line in QUESTIONS.read_text("utf-8").splitlines()]
    lines = [line for line in lines if not asked.only or line["id"] in asked.only]
    answers = gold(asked.table, only=[line["id"] for line in lines])
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(asked.workers) as pool:
        told = list(pool.map(lambda line: ask(line, asked, folder, answers[line["id"]]), lines))
    count = sum(one["right"] for one in told)
    for one in told:
        verdict = "right" if one["right"] else one["status"]
        print(f"{one['id']:14}{verdict:12}{one['seconds']:7.1f} s  {one['answer'][:80]}")
    print(f"{count} of {len(told)} right")
    if asked.out:
        asked.out.write_text("\n".join(map(page, told)), "utf-8")


def ask(line: dict[str, Any], asked: argparse.Namespace, folder: str, wanted: Any) -> Any:
    """Ask one question and judge its answer."""
    import wideleaf as wl
    from wideleaf.graph.drawings.text import draw_text

    started = time.perf_counter()
    result = wl.ask(
        line["question"],
        asked.table,
        model=asked.model,
        base_url=asked.base_url,
        privacy=asked.privacy,
        retriever=asked.retriever,
        folder=folder,
        timeout=1500,
        max_seconds=100_000,
    )
    seconds = time.perf_counter() - started
    found = result.status == "answered" and right(line["id"], result.frame, wanted)
    return {
        **line,
        "right": bool(found),
        "status": "wrong" if result.status == "answered" else result.status,
        "seconds": seconds,
        "answer": result.answer or "",
        "confidence": result.confidence or 0.0,
        "caveats": result.caveats,
        "tree": draw_text(result.tree, result.label or None),
    }


def page(one: dict[str, Any]) -> str:
    """One question as Markdown: verdict, answer, caveats and tree."""
    rows = one["answer"].splitlines()
    answer = "\n".join(row[:160] for row in rows[: ROWS_TOLD + 1])
    more = f"\n... and {len(rows) - ROWS_TOLD - 1} more rows" * (len(rows) > ROWS_TOLD + 1)
    caveats = "".join(f"- {text[:240]}\n" for text in one["caveats"])
    verdict = "right" if one["right"] else one["status"]
    return (
        f"### {one['id']}: {verdict}\n\n{one['question']}\n\n"
        f"```\n{answer}{more}\n```\n\n{caveats}\n```\n{one['tree']}\n```\n"
    )


if __name__ == "__main__":
    main()
