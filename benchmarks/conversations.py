"""Conversations of four turns over everyday and very wide tables: how many turns come out right.

Run: python benchmarks/conversations.py FOLDER_OF_TABLES [--set FILE] [--model NAME --base-url URL]

Each line of the set is a conversation over one table; each turn has what is said and its gold: a
value, a list, rows, the columns that were used, texts that an explanation must hold, or the x and
y of a chart. A turn that fails leaves the conversation as it is, and the next is asked all the
same. Rows may hold one column beside those of the gold, such as the measure that was sorted by.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from pathlib import Path
from typing import Any

import wideleaf as wl

HERE = Path(__file__).parent / "conversations"
FURTHER_COLUMNS = 1
DIGITS = 1e-4
"""Relative: answers are compared at four digits, as a person would read them."""


def same_cell(given: Any, gold: Any) -> bool:
    """Whether two cells are the same: numbers to some digits, texts without case."""
    if isinstance(given, bool) or isinstance(gold, bool):
        return str(given).casefold() == str(gold).casefold()
    try:
        return math.isclose(float(given), float(gold), rel_tol=DIGITS, abs_tol=1e-9)
    except (TypeError, ValueError):
        return str(given).strip().casefold() == str(gold).strip().casefold()


def rows_of(value: Any) -> list[list[Any]]:
    """A value as rows of cells."""
    if isinstance(value, dict):
        return [list(value.values())]
    if isinstance(value, list):
        return [
            list(one.values()) if isinstance(one, dict) else one if isinstance(one, list) else [one]
            for one in value
        ]
    return [] if value is None else [[value]]


def same_rows(given: list[list[Any]], gold: list[list[Any]], ordered: bool) -> bool:
    """Whether rows hold the gold's columns, whatever their order, and at most one more."""
    if len(given) != len(gold):
        return False
    if not gold:
        return True
    width, wanted = len(given[0]), len(gold[0])
    if not wanted <= width <= wanted + FURTHER_COLUMNS:
        return False
    return any(
        _same_order([[row[place] for place in places] for row in given], gold, ordered)
        for places in permutations(range(width), wanted)
    )


def _same_order(given: list[list[Any]], gold: list[list[Any]], ordered: bool) -> bool:
    def same(one: list[Any], other: list[Any]) -> bool:
        return all(same_cell(a, b) for a, b in zip(one, other, strict=True))

    if ordered:
        return all(same(one, other) for one, other in zip(given, gold, strict=True))
    left = list(gold)
    for row in given:
        place = next((n for n, other in enumerate(left) if same(row, other)), None)
        if place is None:
            return False
        left.pop(place)
    return True


def is_right(result: wl.Result, gold: dict[str, Any]) -> bool:
    """Whether a turn's result is what its gold says."""
    if result.status != "answered":
        return False
    kind, ordered = gold["kind"], bool(gold.get("ordered"))
    if kind == "columns":
        named = {str(one) for one in result.value or []}
        return any(named == set(one) for one in (gold["value"], *gold.get("also", [])))
    if kind == "explanation":
        told = " ".join([result.answer, *result.caveats]).casefold()
        return all(str(text).casefold() in told for text in gold["mentions"])
    if kind == "chart":
        return _charted(result, gold)
    given = rows_of(result.value)
    golds = [gold["value"], *gold.get("also", [])]
    return any(same_rows(given, rows_of(one), ordered) for one in golds)


def _charted(result: wl.Result, gold: dict[str, Any]) -> bool:
    if not result.drawn:
        return False
    given = [[row["x"], row["y"]] for row in result.drawn["spec"]["data"]["values"]]
    golds = [[*zip(one["x"], one["y"], strict=True)] for one in (gold, *gold.get("also", []))]
    return any(same_rows(given, [[*row] for row in rows], ordered=False) for rows in golds)


def hold(conversation: dict[str, Any], tables: Path, folder: Path, **settings: Any) -> list[Any]:
    """Hold a conversation; a row a turn."""
    session = wl.Session(tables / conversation["table"], folder=str(folder), **settings)
    rows = []
    for number, turn in enumerate(conversation["turns"], 1):
        started, cpu = time.perf_counter(), time.process_time()
        row = {"id": conversation["id"], "turn": number, "kind": turn["gold"]["kind"]}
        try:
            result = session.ask(turn["say"])
        except wl.WideleafError as error:
            row |= {"right": False, "status": "failed", "answer": str(error)}
        else:
            row |= {
                "right": is_right(result, turn["gold"]),
                "status": result.status,
                "answer": result.answer,
                "caveats": list(result.caveats),
                "confidence": result.confidence,
                "requests": result.usage.requests,
                "tokens": result.usage.prompt_tokens + result.usage.completion_tokens,
            }
        row |= {"seconds": time.perf_counter() - started, "cpu": time.process_time() - cpu}
        rows.append(row)
    return rows


def report(rows: Sequence[dict[str, Any]]) -> str:
    """Turns right, in all, by turn and by kind; answers that were wrong and those refused."""
    right = sum(row["right"] for row in rows)
    wrong = sum(row["status"] == "answered" and not row["right"] for row in rows)
    lines = [f"{right} of {len(rows)} turns right, {wrong} answered wrong"]
    for name in ("turn", "kind"):
        groups = sorted({row[name] for row in rows})
        told = (
            f"{group}: {sum(r['right'] for r in rows if r[name] == group)} of "
            f"{sum(r[name] == group for r in rows)}"
            for group in groups
        )
        lines.append(f"by {name}: {', '.join(told)}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Hold all conversations of a set, and report."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tables", type=Path, help="the folder of the tables that the set names")
    parser.add_argument("--set", type=Path, default=HERE / "held.jsonl")
    parser.add_argument("--out", type=Path, help="a row a turn, as JSON lines")
    parser.add_argument("--folder", type=Path, default=Path(".wideleaf"))
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--model", default="")
    parser.add_argument("--base-url", default="")
    parser.add_argument("--privacy", default="schema")
    parser.add_argument("--timeout", type=float, default=60.0)
    given = parser.parse_args(arguments)
    conversations = [json.loads(line) for line in given.set.read_text().splitlines() if line]
    settings: dict[str, Any] = {}
    if given.model:
        settings = {"model": given.model, "base_url": given.base_url, "privacy": given.privacy}
        settings |= {"timeout": given.timeout, "max_seconds": given.timeout * 10}
    with ThreadPoolExecutor(given.workers) as pool:
        held = pool.map(
            lambda one: hold(one, given.tables, given.folder, **settings), conversations
        )
        rows = [row for conversation in held for row in conversation]
    if given.out:
        given.out.write_text("".join(json.dumps(row, default=str) + "\n" for row in rows))
    print(report(rows))


if __name__ == "__main__":
    main()
