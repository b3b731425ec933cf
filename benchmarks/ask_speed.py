"""Where the time of a question goes, without a model: cold in new processes, and warm.

python benchmarks/ask_speed.py TABLE.parquet "How many rows are there?" "What is the mean price?"

Each turn is a process of its own that asks the questions one after the other, and then all of
them again. Processor time is told by part: importing, opening the table, the nodes of the graph.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from functools import wraps
from inspect import isfunction
from typing import Any

PARTS = ("import", "prepare", "select", "supervise", "act", "criticise", "write", "open and tell")


def child(table: str, questions: list[str], folder: str) -> list[dict[str, Any]]:
    """Ask in this process; a line for each question, first cold and then again."""
    spent: dict[str, float] = defaultdict(float)
    started, wall = time.process_time(), time.perf_counter()
    from langgraph.graph import StateGraph

    add: Any = StateGraph.add_node

    def add_node(builder: Any, name: str, node: Any, **more: Any) -> Any:
        if not isfunction(node):  # a graph within
            return add(builder, name, node, **more)

        @wraps(node)
        def measure(*given: Any, **named: Any) -> Any:
            begun = time.process_time()
            made = node(*given, **named)
            spent[node.__name__] += time.process_time() - begun
            return made

        return add(builder, name, measure, **more)

    StateGraph.add_node = add_node  # type: ignore[method-assign]
    import wideleaf as wl

    asking = wl.ask
    imported = time.process_time() - started
    found = []
    for turn, question in enumerate([*questions, *questions]):
        spent.clear()
        begun = time.process_time() if turn else started
        clock = time.perf_counter() if turn else wall
        result = asking(question, table, folder=folder)
        whole = time.process_time() - begun
        first = imported if not turn else 0.0
        parts = {"import": first, **spent}
        parts["open and tell"] = whole - sum(parts.values())
        found.append(
            {
                "question": question,
                "again": turn >= len(questions),
                "processor": whole,
                "wall": time.perf_counter() - clock,
                "status": result.status,
                **parts,
            }
        )
    return found


def main() -> None:
    """Measure in processes of their own and print medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table")
    parser.add_argument("questions", nargs="+")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--child", help="ask in this process, with this folder")
    given = parser.parse_args()
    if given.child:
        print(json.dumps(child(given.table, given.questions, given.child)))
        return
    with tempfile.TemporaryDirectory() as folder:
        # As an installed package is: its modules are compiled once, not in each process.
        shell = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        command = [sys.executable, __file__, given.table, *given.questions, "--child", folder]
        subprocess.run(
            command, check=True, capture_output=True, env=shell
        )  # builds the index, fills caches
        turns = []
        for _ in range(given.turns):
            done = subprocess.run(command, check=True, capture_output=True, text=True, env=shell)
            turns.append(json.loads(done.stdout.splitlines()[-1]))
    print(f"{'':44s}{'wall':>7s}{'cpu':>7s}  " + " ".join(f"{part:>13s}" for part in PARTS))
    for rows in zip(*turns, strict=True):
        first = rows[0]
        name = (
            f"{'again' if first['again'] else 'first'} {first['question'][:30]} {first['status']}"
        )
        middle = {
            key: statistics.median(row.get(key, 0.0) for row in rows)
            for key in ("wall", "processor", *PARTS)
        }
        told = " ".join(f"{middle[part]:13.2f}" for part in PARTS)
        print(f"{name:44s}{middle['wall']:7.2f}{middle['processor']:7.2f}  {told}")


if __name__ == "__main__":
    main()
