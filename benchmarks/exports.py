"""Check on real questions that a plan's exports give the run's own frame.

Questions with gold answers are read as ``wideleaf eval`` reads them and answered by the embedded
planner. Of each answer, five things must give its frame: the SQL in DuckDB and in SQLite, the
pandas script in a process of its own, the replay of the saved plan on the same tables in another
folder, and, for one cell, the plan on its traced rows alone. A form may refuse by name; it must
never differ.

    python benchmarks/exports.py FOLDER_OF_SETS --n 100
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))

from pandas_scripts import difference, place_of, plain, run_scripts, same
from plan_sql_cases import alike, asked, ranked

import wideleaf as wl
from wideleaf.graph.results.result import Result
from wideleaf.tools.errors import ActionError, WideleafError
from wideleaf.tools.plans.plan import Plan
from wideleaf.tools.tables.table import Table
from wideleaf_evaluation.item import Item
from wideleaf_evaluation.sets import load_set

SETS = ("wikisql", "wikitablequestions", "spider", "uci_dataframeqa", "tablebench")
FORMS = ("DuckDB", "SQLite", "pandas", "replay", "trace")
MAX_ROWS = 100_000
SHOWN = 700


class Run(NamedTuple):
    """A question that was answered.

    Attributes:
        item: The question.
        result: Its answer.
        table: The answer's frame, under the headers that a person reads.
        ordered: Whether its last step put its rows in order.
    """

    item: Item
    result: Result
    table: Table
    ordered: bool


class Finding(NamedTuple):
    """What one form gave for one answer: equal, refused (by name) or different."""

    outcome: str
    reason: str = ""


def main() -> int:
    """Answer, export, compare, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="holds a folder for each set")
    parser.add_argument("--sets", nargs="+", default=list(SETS))
    parser.add_argument("--n", type=int, default=100, help="answered questions")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--engine", default="polars", choices=["polars", "duckdb"])
    options = parser.parse_args()
    found: dict[str, Counter[str]] = defaultdict(Counter)
    told = []
    with tempfile.TemporaryDirectory() as scratch:
        runs = list(answered(options, Path(scratch)))
        for form in FORMS:
            for run, finding in zip(runs, _findings(form, runs, options, scratch), strict=True):
                found[form][finding.outcome] += 1
                if finding.reason:
                    told.append((finding.outcome, form, run, finding.reason))
    print(f"{len(runs)} answers of {', '.join(options.sets)}, engine {options.engine}")
    print(f"{'':10}{'equal':>8}{'refused':>9}{'different':>11}")
    for form in FORMS:
        counts = found[form]
        print(f"{form:10}{counts['equal']:8}{counts['refused']:9}{counts['different']:11}")
    for outcome, form, run, reason in sorted(told, key=lambda one: one[:2]):
        print(f"\n{outcome}, {form}, {run.item.id}: {run.item.question}\n  {reason[:SHOWN]}")
    return 1 if any(outcome == "different" for outcome, *_ in told) else 0


def answered(options: argparse.Namespace, scratch: Path) -> Iterator[Run]:
    """Questions of each set in turn until so many are answered."""
    turns = []
    for name in options.sets:
        most = options.n * 3
        turns.append(load_set(options.folder / name, n=most, seed=options.seed,
                              unpack_to=scratch / "tables" / name))  # fmt: skip
        random.Random(options.seed).shuffle(turns[-1])
    share, given = -(-options.n // len(turns)), 0
    for items in turns:
        here = 0
        for item in items:
            if here == share or given == options.n:
                break
            asking = {"folder": str(scratch / "runs"), "engine": options.engine}
            try:
                result = wl.ask(item.question, *item.sources, **asking)
                if result.status != "answered":
                    continue
                table = result.store().with_labels(result.tree[result.label].id)
            except WideleafError:
                continue
            if table.count() > MAX_ROWS:
                continue
            here, given = here + 1, given + 1
            ordered = result.tree[result.label].action.name == "Sort"
            yield Run(item, result, table, ordered)


def _findings(
    form: str, runs: Sequence[Run], options: argparse.Namespace, scratch: str
) -> Iterator[Finding]:
    if form == "pandas":
        yield from _by_pandas(runs, Path(scratch))
        return
    draw = random.Random(options.seed)
    for run in runs:
        try:
            if form == "replay":
                difference_found = _by_replay(run, Path(scratch) / "again", options.engine)
            elif form == "trace":
                difference_found = _by_trace(run, draw)
            else:
                difference_found = _by_sql(run, form.lower())
        except (WideleafError, ActionError) as error:
            yield Finding("refused", str(error))
        except Exception as error:
            yield Finding("different", f"{type(error).__name__}: {error}")
        else:
            yield Finding("different" if difference_found else "equal", difference_found)


def _by_sql(run: Run, dialect: str) -> str:
    sql = run.result.to_sql(dialect)
    leaves = run.result.leaves()
    frames = {label: _frame(table) for label, table in leaves.tables.items()}
    headers, rows = asked(sql, frames, dialect)
    made = run.result.store().get(run.result.tree[run.result.label].id)
    if headers != list(made.columns):
        return f"headers {headers} are not {made.columns}\n{sql}"
    if differs := _compared(rows, _frame(run.table).rows(), alike, ranked, ordered=run.ordered):
        return f"{differs}\n{sql}"
    return ""


def _by_pandas(runs: Sequence[Run], scratch: Path) -> Iterator[Finding]:
    scripts: list[str] = []
    places: list[int | str] = []
    for run in runs:
        try:
            scripts.append(run.result.to_pandas())
            places.append(len(scripts) - 1)
        except WideleafError as error:
            places.append(str(error))
    made = run_scripts(scratch, scripts)
    for run, place in zip(runs, places, strict=True):
        if isinstance(place, str):
            yield Finding("refused", place)
            continue
        found = difference(made[place], run.table, ordered=run.ordered)
        yield Finding("different" if found else "equal", found)


def _by_replay(run: Run, folder: Path, engine: str) -> str:
    plan = Plan.model_validate_json(run.result.plan.model_dump_json())
    paths = run.result.leaves().paths
    given = [f"{leaf.source}={paths[leaf.label]}" for leaf in plan.leaves]
    again = wl.replay(plan, *given, folder=str(folder), engine=engine)
    table = again.store().with_labels(again.tree[again.label].id)
    if table.columns != run.table.columns:
        return f"headers {table.columns} are not {run.table.columns}"
    ours, wanted = (
        [tuple(map(plain, row)) for row in _frame(one).rows()] for one in (table, run.table)
    )
    return _compared(ours, wanted, same, place_of, ordered=run.ordered)


def _by_trace(run: Run, draw: random.Random) -> str:
    rows = run.table.count()
    if not rows:
        return ""
    place, column = draw.randrange(rows), draw.choice(run.table.columns)
    trace = run.result.trace(place, column)
    if trace.reproduced is None:
        raise ActionError("the traced rows are too many to run the plan on once more")
    return "" if trace.reproduced else f"row {place}, column {column!r}: {trace}"


def _compared(ours: Any, wanted: Any, equal: Any, rank: Any, *, ordered: bool) -> str:
    if not ordered:
        ours, wanted = sorted(ours, key=rank), sorted(wanted, key=rank)
    same_rows = len(ours) == len(wanted) and all(
        all(map(equal, one, other)) for one, other in zip(ours, wanted, strict=True)
    )
    return "" if same_rows else f"{str(ours)[:200]} is not {str(wanted)[:200]}"


def _frame(table: Table) -> pl.DataFrame:
    made: pl.DataFrame = table.frame.collect("polars").to_native()
    return made


if __name__ == "__main__":
    sys.exit(main())
