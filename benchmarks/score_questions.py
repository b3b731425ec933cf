"""Score the embedded planner on a folder of questions with gold answers.

The folder holds ``questions.jsonl`` (id, question, table, answer, type, hardness) and its tables,
in ``tables.zip`` or beside it. Two rules: ``wikisql`` compares the list of the answer's cells with
the gold list, order and duplicates counting; ``wide`` compares parts, numbers within the decimals
that the gold shows, each column of a frame being a part.

    python benchmarks/score_questions.py FOLDER --set wikisql --n 200 --seed 0 --misses 20
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import resource
import tempfile
import time
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

from wideleaf.agents.proposals import propose
from wideleaf.agents.ranking import try_plan
from wideleaf.tools.errors import WideleafError
from wideleaf.tools.sources import Catalog, read_sources
from wideleaf.tools.table import Table


def main() -> None:
    """Run the questions and print the score."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--set", choices=("wikisql", "wide"), required=True)
    parser.add_argument("--n", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--type", default="", help="only questions of this type or hardness")
    parser.add_argument("--misses", type=int, default=0, help="how many misses to list")
    options = parser.parse_args()

    lines = (options.folder / "questions.jsonl").read_text("utf-8").splitlines()
    questions = [json.loads(line) for line in lines]
    if options.type:
        questions = [q for q in questions if options.type in (q["type"], q["hardness"])]
    if options.n < len(questions):
        questions = random.Random(options.seed).sample(questions, options.n)
    same = {"wikisql": same_list, "wide": same_parts}[options.set]

    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    seconds, slowest, misses = 0.0, 0.0, []
    with tempfile.TemporaryDirectory() as scratch:
        tables: dict[str, Table] = {}
        for question in questions:
            name = question["table"]
            if name not in tables:
                if len(tables) > 8:
                    tables.clear()
                tables[name] = open_table(options.folder, name, Path(scratch))
            started = time.perf_counter()
            plan, columns = answer(question["question"], tables[name])
            taken = time.perf_counter() - started
            seconds, slowest = seconds + taken, max(slowest, taken)
            good = same(columns, question["answer"])
            for group in ("all", question["type"], question["hardness"]):
                total[group] += 1
                right[group] += good
            if not good:
                misses.append((question, plan, columns))
    for group, count in total.most_common():
        print(f"{group:20} {right[group]:5} of {count:5} = {right[group] / count:.1%}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{seconds / len(questions):.2f} s a question, slowest {slowest:.1f} s, peak {peak:.0f} MB"
    )
    for question, plan, columns in misses[: options.misses]:
        print(f"\n{question['id']} {question['question']}")
        print(f"  plan {plan}")
        print(f"  got  {str(columns)[:200]}")
        print(f"  gold {str(question['answer'])[:200]}   {question.get('gold_sql', '')}")


def open_table(folder: Path, name: str, scratch: Path) -> Table:
    """Read one table of the set, out of its archive if it has one."""
    path = folder / name
    archive = folder / "tables.zip"
    if not path.exists() and archive.exists():
        with zipfile.ZipFile(archive) as packed:
            path = Path(packed.extract(name, scratch))
    (source,) = read_sources(path, folder=scratch / "cache")
    return Catalog([source]).table(source.name)


def answer(question: str, table: Table) -> tuple[str, list[list[Any]]]:
    """The best plan in words and the columns of its answer."""
    found = propose(question, {"table": table})
    if not found.plans:
        return f"none: {found.understood}; missing {found.missing}", []
    plan = found.plans[0]
    frame = try_plan(plan, {"table": table}).frame.collect()
    said = f"{plan.score} {plan.reading}"
    return said, [frame[column].to_list() for column in frame.columns]


def same_list(columns: list[list[Any]], gold: list[Any]) -> bool:
    """WikiSQL execution accuracy: the cells, in order, equal the gold list."""
    cells = [cell for row in zip(*columns, strict=True) for cell in row]
    return [_plain(cell) for cell in cells] == [_plain(cell) for cell in gold]


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
    except WideleafError as error:
        raise SystemExit(str(error)) from None
