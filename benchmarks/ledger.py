"""Asks without a model whatever sets there are, and holds the figures against the ledger kept here.

    python benchmarks/ledger.py DATA [--python PYTHON] [--only SET ...] [--held] [--write]
        [--rows FILE] [--against FILE]

DATA is a folder of public sets as `wideleaf eval` reads them; PYTHON has the packages out of which
`question_sets.py` takes everyday tables. A line a set: how many were asked, answered, right, at
least 60 % sure, wrong and surely wrong; of what cannot be answered a refusal is right. `ledger.tsv`
holds the figures of before, and the run fails where a set has fewer right or more surely wrong.
With `--held` the sets are asked that nobody who builds may read: of these figures alone are told.
"""

from __future__ import annotations

import argparse
import csv
import functools
import itertools
import json
import multiprocessing
import random
import sys
import tempfile
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from asking import Row, ask_agronomy, ask_graph, ask_public, ask_rows, ask_texts, ask_turns
from question_sets import (
    HERE,
    OFFICES,
    Asked,
    domain_tables,
    everyday_tables,
    lines_of,
    questions_of,
    read_lines,
)

from wideleaf_evaluation.item import Item
from wideleaf_evaluation.sets import load_set

LEDGER = HERE / "ledger.tsv"
PUBLIC = {"wikisql": 60, "wikitablequestions": 60, "spider": 40, "tablebench": 40,
          "uci_dataframeqa": 40, "dabench": 20, "metaqa": 40, "pathquestion": 20,
          "webqsp_retrieved": 20, "timequestions": 20}  # fmt: skip
"""So many questions are drawn of the held half of each public set."""
LOOKED_AT = (5, 0)
"""Seeds of draws that were looked at; the first is the opened one, the held one has none."""
DRAWN, HELD_SEED, PACK = 120, 38, 10
DOMAINS = ("second", "fifth")
EVERYDAY = ("locked", "second", "fourth", "sixth")
TURNS = ("held", "fourth", "fifth")
"""Of the older sets the later parts alone, so that a run ends within a quarter of an hour."""
FRESH = HERE / "fresh"
SURE = 0.6
FIGURES = ("asked", "answered", "right", "sure", "wrong", "surely wrong")


Job = Callable[[str], list[Row]]
"""Asks some questions over one table, in a folder of its own."""


def main() -> None:
    """Ask, print the figures beside the ledger's, and fail where they are worse."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--python", default=sys.executable, help="has the everyday tables")
    parser.add_argument("--only", nargs="*", default=(), help="these sets alone")
    parser.add_argument("--held", action="store_true", help="the sets that are not read")
    parser.add_argument("--work", type=Path, default=Path(".wideleaf/ledger"))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rows", type=Path, help="a JSON Lines file for what was said")
    parser.add_argument("--against", type=Path, help="such a file of earlier; tells what changed")
    parser.add_argument("--write", action="store_true", help="keep the figures as the ledger")
    given = parser.parse_args()
    jobs = held_jobs(given) if given.held else opened_jobs(given)
    wanted = [(name, job) for name, job in jobs if not given.only or name in given.only]
    with multiprocessing.get_context("spawn").Pool(given.workers) as pool:
        rows = [row for some in pool.imap_unordered(run_job, wanted) for row in some]
    if given.rows and not given.held:
        given.rows.write_text("".join(json.dumps(row._asdict()) + "\n" for row in rows))
    if given.against and not given.held:
        tell_changes(rows, given.against)
    figures = {name: figures_of(rows, name) for name in dict.fromkeys(name for name, _ in wanted)}
    known = read_ledger()
    worse = [name for name, now in figures.items() if report(name, now, known.get(name))]
    if given.write:
        write_ledger(known | figures)
    elif worse:
        sys.exit(f"worse than the ledger: {', '.join(worse)}")


def run_job(named: tuple[str, Job]) -> list[Row]:
    """The rows of one job."""
    with tempfile.TemporaryDirectory() as folder:
        return named[1](folder)


def opened_jobs(given: Namespace) -> Iterator[tuple[str, Job]]:
    """What may be read by who builds, the slowest first."""
    work = given.work
    for part in DOMAINS:
        yield from _rows(f"domains {part}", domain_tables(part, work / "domains" / part))
    yield "agronomy", functools.partial(ask_agronomy, work=work)
    yield "graph", ask_graph
    for part in TURNS:
        for line in read_lines(HERE / "conversations" / f"{part}.jsonl"):
            job = functools.partial(ask_turns, name="turns", line=line, folders=(given.data, work))
            yield "turns", job
    yield from _public(given, held=False)
    for part in EVERYDAY:
        tables = everyday_tables(part, work / "everyday" / part, given.python)
        yield from _rows(f"everyday {part}", tables)
    for part in (*OFFICES[1:], "conversations"):
        yield from _texts(f"offices {part}", questions_of(HERE / "offices" / part))


def held_jobs(given: Namespace) -> Iterator[tuple[str, Job]]:
    """What nobody who builds may read."""
    yield from _public(given, held=True)
    yield from _texts("held offices", questions_of(HERE / "offices" / "fourth"))
    for questions in sorted(FRESH.glob("*/questions.jsonl")):
        yield from _texts(f"held {questions.parent.name}", questions_of(questions.parent))


def _rows(name: str, tables: Iterator[Asked]) -> Iterator[tuple[str, Job]]:
    for table, path, dictionary, asked in tables:
        given = {"name": name, "path": path, "dictionary": dictionary}
        yield name, functools.partial(ask_rows, lines=lines_of(asked, table), **given)


def _texts(name: str, lines: Sequence[dict[str, Any]]) -> Iterator[tuple[str, Job]]:
    def key(line: dict[str, Any]) -> Any:
        return line.get("conversation") or tuple(line["files"])

    for _, some in itertools.groupby(sorted(lines, key=lambda line: str(key(line))), key=key):
        yield name, functools.partial(ask_texts, name=name, lines=list(some))


def _public(given: Namespace, held: bool) -> Iterator[tuple[str, Job]]:
    for name, n in PUBLIC.items():
        items = draw(given.data / name, given.work / name, n, held)
        told = f"held {name}" if held else name
        items.sort(key=lambda item: item.group)  # a table is read once
        for start in range(0, len(items), PACK):
            pack = items[start : start + PACK]
            yield told, functools.partial(ask_public, name=told, items=pack, of=name)


def draw(folder: Path, place: Path, n: int, held: bool) -> list[Item]:
    """The opened draw of a set's held half, or one of what no earlier draw has."""
    if not held:
        return load_set(folder, unpack_to=place, half="held", n=n, seed=LOOKED_AT[0])
    looked = [load_set(folder, unpack_to=place, half="held", n=DRAWN, seed=seed)
              for seed in LOOKED_AT]  # fmt: skip
    seen = {item.id for some in looked for item in some}
    items = [i for i in load_set(folder, unpack_to=place, half="held") if i.id not in seen]
    return random.Random(HELD_SEED).sample(items, min(n, len(items)))


def figures_of(rows: Sequence[Row], name: str) -> tuple[int, ...]:
    """The figures of a set, as `FIGURES` names them."""
    here = [row for row in rows if row.set == name]
    given = [row for row in here if row.answered]
    sure = [row for row in given if row.confidence >= SURE]
    wrong = [sum(not row.right for row in some) for some in (given, sure)]
    return len(here), len(given), sum(row.right for row in here), len(sure), *wrong


def report(name: str, now: tuple[int, ...], before: tuple[int, ...] | None) -> bool:
    """Print a line; whether it is worse than the ledger's."""
    told = ", ".join(
        f"{figure} {value}" if not before or before[n] == value else
        f"{figure} {before[n]} -> {value}"
        for n, (figure, value) in enumerate(zip(FIGURES, now, strict=True))
    )  # fmt: skip
    worse = bool(before) and (now[2] < before[2] or now[5] > before[5])
    print(f"{'!' if worse else ' '} {name:24}{told}", flush=True)
    return worse


def tell_changes(rows: Sequence[Row], earlier: Path) -> None:
    """Print what came out otherwise than in an earlier run."""
    lines = earlier.read_text("utf-8").splitlines()
    before = {(one["set"], one["id"]): one for one in map(json.loads, lines)}
    for row in rows:
        was = before.get((row.set, row.id))
        if was and (was["answered"], was["right"]) != (row.answered, row.right):
            said = [_verdict(was["answered"], was["right"]), _verdict(row.answered, row.right)]
            print(f"{row.set} {row.id} {' -> '.join(said)} {was['confidence']:.2f} -> "
                  f"{row.confidence:.2f}: {row.question}\n   {row.said[:150]!r}")  # fmt: skip


def _verdict(answered: bool, right: bool) -> str:
    return ("right" if right else "wrong") if answered else "refused"


def read_ledger() -> dict[str, tuple[int, ...]]:
    """The figures that are kept, by set."""
    if not LEDGER.exists():
        return {}
    with LEDGER.open(encoding="utf-8", newline="") as lines:
        return {
            name: tuple(map(int, rest)) for name, *rest in [*csv.reader(lines, "excel-tab")][1:]
        }


def write_ledger(figures: dict[str, tuple[int, ...]]) -> None:
    """Keep figures, a line a set."""
    with LEDGER.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, "excel-tab", lineterminator="\n")
        writer.writerow(("set", *FIGURES))
        writer.writerows((name, *values) for name, values in sorted(figures.items()))


if __name__ == "__main__":
    main()
