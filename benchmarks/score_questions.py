"""Score `wideleaf ask` without a model on a folder of questions with gold answers.

The folder holds ``questions.jsonl`` (id, question, table, answer, type, hardness) and its tables,
in ``tables.zip`` or beside it. Two rules: ``wikisql`` compares the list of the answer's cells with
the gold list, order and duplicates counting; ``wide`` compares parts, numbers within the decimals
that the gold shows, each column of a frame being a part. Every question goes through the whole
graph; with ``--shell`` each is a process of its own, as a user would type it, with its own peak.

    python benchmarks/score_questions.py FOLDER --set wikisql --n 200 --seed 0 --misses 20
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

import wideleaf as wl


def main() -> None:
    """Run the questions and print the score."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--set", choices=("wikisql", "wide"), required=True)
    parser.add_argument("--n", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--type", default="", help="only questions of this type or hardness")
    parser.add_argument("--misses", type=int, default=0, help="how many misses to list")
    parser.add_argument("--shell", action="store_true", help="a process for each question")
    options = parser.parse_args()

    lines = (options.folder / "questions.jsonl").read_text("utf-8").splitlines()
    questions = [json.loads(line) for line in lines]
    if options.type:
        questions = [q for q in questions if options.type in (q["type"], q["hardness"])]
    if options.n < len(questions):
        questions = random.Random(options.seed).sample(questions, options.n)
    same = {"wikisql": same_list, "wide": same_parts}[options.set]
    as_dates = 0  # misses that are right if a date may be written in any way

    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    status: Counter[str] = Counter()
    seconds, megabytes, misses = [], [], []
    ask = ask_in_shell if options.shell else ask_here
    with tempfile.TemporaryDirectory() as scratch:
        for question in questions:
            table = find_table(options.folder, question["table"], Path(scratch))
            started = time.perf_counter()
            asked = ask(question["question"], table, Path(scratch) / "frames")
            seconds.append(time.perf_counter() - started)
            megabytes.append(asked.megabytes)
            status[asked.status] += 1
            good = same(asked.columns, question["answer"])
            for group in ("all", question["type"], question["hardness"]):
                total[group] += 1
                right[group] += good
            if not good:
                misses.append((question, asked))
                as_dates += same_dates(asked.columns, question["answer"])
    for group, count in total.most_common():
        print(f"{group:20} {right[group]:5} of {count:5} = {right[group] / count:.1%}")
    all_right, count = right["all"] + as_dates, total["all"]
    print(f"{'all, dates as dates':20} {all_right:5} of {count:5} = {all_right / count:.1%}")
    print(", ".join(f"{count} {name}" for name, count in status.most_common()))
    for name, values in (("seconds", seconds), ("peak MB", megabytes)):
        print(f"{name}: median {statistics.median(values):.2f}, most {max(values):.2f}")
    for question, asked in misses[: options.misses]:
        print(f"\n{question['id']} {question['question']}")
        print(f"  said {asked.said[:300]}")
        print(f"  got  {str(asked.columns)[:200]}")
        print(f"  gold {str(question['answer'])[:200]}   {question.get('gold_sql', '')}")


class Asked(NamedTuple):
    """What came of one question: status, answer and caveats, the answer's columns, peak memory."""

    status: str
    said: str
    columns: list[list[Any]]
    megabytes: float


def ask_here(question: str, table: Path, folder: Path) -> Asked:
    """Ask in this process; the peak is the process's so far."""
    result = wl.ask(question, table, folder=str(folder))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return _asked(result, peak)


def ask_in_shell(question: str, table: Path, folder: Path) -> Asked:
    """Ask as a user would, by ``python -m wideleaf ask``."""
    command = [sys.executable, "-m", "wideleaf", "ask", question, str(table), "--json"]
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen([*command, "--folder", str(folder)], stdout=out)
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0
        out.seek(0)
        data = json.loads(out.read())
    data.pop("form")
    return _asked(wl.Result.model_validate(data), used.ru_maxrss / 1024)


def _asked(result: wl.Result, megabytes: float) -> Asked:
    frame = result.frame
    columns = [[None if c != c else c for c in frame[name].tolist()] for name in frame.columns]
    said = " / ".join([result.answer, *result.caveats])
    return Asked(result.status, said, columns, megabytes)


def find_table(folder: Path, name: str, scratch: Path) -> Path:
    """The file of one table, out of the set's archive if it has one."""
    path = folder / name
    archive = folder / "tables.zip"
    if not path.exists() and archive.exists():
        with zipfile.ZipFile(archive) as packed:
            path = Path(packed.extract(name, scratch))
    return path


def same_list(columns: list[list[Any]], gold: list[Any]) -> bool:
    """WikiSQL execution accuracy: the cells, in order, equal the gold list."""
    cells = [cell for row in zip(*columns, strict=True) for cell in row]
    return [_plain(cell) for cell in cells] == [_plain(cell) for cell in gold]


def same_dates(columns: list[list[Any]], gold: Any) -> bool:
    """Whether the cells are dates, and the gold texts the same dates in whatever writing."""
    cells = [cell for column in columns for cell in column]
    if not cells or not isinstance(gold, list) or len(gold) != len(cells):
        return False
    read = [pd.to_datetime(text, errors="coerce", dayfirst=True) for text in map(str, gold)]
    pairs = zip(cells, read, strict=True)
    return all(isinstance(c, date) and c.isoformat()[:10] == str(r)[:10] for c, r in pairs)


def same_parts(columns: list[list[Any]], gold: Any) -> bool:
    """Each part of the gold answer is one column's cells, in any order of columns."""
    if isinstance(gold, str):
        try:
            gold = ast.literal_eval(gold)
        except (ValueError, SyntaxError):
            gold = [gold]
    parts = gold if isinstance(gold, list) else [gold]
    if len(parts) != len(columns):
        return False
    wanted = [part if isinstance(part, list) else [part] for part in parts]
    left = [list(dict.fromkeys(map(_short, column))) for column in columns]
    for part in wanted:
        match = next((c for c in left if _alike(c, part)), None)
        if match is None:
            return False
        left.remove(match)
    return True


def _short(cell: Any) -> Any:
    return round(cell, 9) if isinstance(cell, float) else cell


def _alike(cells: list[Any], gold: list[Any]) -> bool:
    if len(cells) != len(gold):
        return False
    for cell, wanted in zip(cells, gold, strict=True):
        if isinstance(wanted, (int, float)) and isinstance(cell, (int, float)):
            digits = len(str(wanted).partition(".")[2])
            if abs(round(cell, digits) - wanted) > 1e-9 * max(1, abs(wanted)):
                return False
        elif _plain(cell) != _plain(wanted):
            return False
    return True


def _plain(cell: Any) -> str | float:
    text = str(cell).strip().lower()
    try:
        return round(float(text), 6)
    except ValueError:
        return text


if __name__ == "__main__":
    try:
        main()
    except wl.WideleafError as error:
        raise SystemExit(str(error)) from None
