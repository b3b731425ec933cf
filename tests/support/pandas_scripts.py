"""Plans of one or a few actions, run as pandas scripts in one process of their own."""

import json
import math
import subprocess
import sys
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
from action_examples import relations_of
from said import SHELF, ready

from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.engines.engine import PolarsEngine
from wideleaf.tools.exports.scripts.script import plan_script
from wideleaf.tools.plans.plan import Leaf, Plan, Step
from wideleaf.tools.tables.table import Table

RUNNER = """
import json, runpy, sys, traceback, warnings
from decimal import Decimal
import pandas as pd
warnings.simplefilter("error")
made = []
for path in sys.argv[1:]:
    try:
        answer = runpy.run_path(path)["answer"]
        rows = [
            [None if cell is pd.NA or cell is pd.NaT or cell != cell else
             cell.isoformat() if hasattr(cell, "isoformat") else
             int(cell) if isinstance(cell, Decimal) else
             cell.item() if hasattr(cell, "item") else cell for cell in row]
            for row in answer.astype(object).itertuples(index=False, name=None)
        ]
        made.append([list(answer.columns), rows])
    except Exception:
        made.append([traceback.format_exc(), None])
print(json.dumps(made))
"""


def planned(
    folder: Path, frames: dict[str, pl.DataFrame], steps: Sequence[tuple[str, dict[str, Any]]],
    thought: str = "", question: str = "What?", profile: str = "standard",
) -> tuple[Plan, dict[str, Table], dict[str, str], Table]:  # fmt: skip
    """A plan whose first step takes the leaves and each other one the frame before it."""
    tables, sources = {}, {}
    for place, (label, frame) in enumerate(frames.items()):
        path = folder / f"leaf {place}.parquet"
        frame.write_parquet(path)
        scanned = PolarsEngine().scan(path)
        tables[label], sources[label] = Table(scanned, relations=relations_of(frame)), str(path)
    parents, made, grown = list(frames), list(tables.values()), []
    for place, (name, arguments) in enumerate(steps, 1):
        kind = find_action(name)
        optional = [name for name in kind.optional if arguments.get(name) is not None]
        inputs = made[: max([len(kind.inputs), *(arguments[name] + 1 for name in optional)])]
        action = ready(kind.model_validate(arguments)).resolve(*inputs)
        step = Step(
            label=f"T{place}", name=name, arguments=action.arguments(),
            parents=tuple(parents[: len(inputs)]), thought=thought,
        )  # fmt: skip
        grown.append(step)
        parents, made = [step.label], [action.run(*inputs)]
        if name == "Craft":  # an export does not run it
            tables[step.label] = made[0]
    leaves = tuple(Leaf(label=label, source=label) for label in frames)
    verdicts = [SHELF.get(v) for one in grown if (v := one.arguments.get("verdicts"))]
    plan = Plan(
        question=question, answer=parents[0], leaves=leaves, steps=tuple(grown),
        verdicts=tuple(verdicts),
    )  # fmt: skip
    return plan, tables, sources, made[0]


def run_scripts(folder: Path, scripts: Sequence[str]) -> list[tuple[Any, Any]]:
    """The columns and rows of each script's answer, or its error and None."""
    paths = []
    for place, script in enumerate(scripts):
        path = folder / f"script_{place}.py"
        path.write_text(script, encoding="utf-8")
        paths.append(str(path))
    done = subprocess.run(
        [sys.executable, "-c", RUNNER, *paths], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return [tuple(one) for one in json.loads(done.stdout.splitlines()[-1])]


def plain(value: Any) -> Any:
    """A cell as the runner writes it: a day is its midnight."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day).isoformat()
    if isinstance(value, Decimal):  # a whole number beyond 64 bits
        return int(value)
    return None if isinstance(value, float) and math.isnan(value) else value


def same(one: Any, other: Any) -> bool:
    """Whether two cells are equal, numbers to nine digits."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    return bool(one == other)


def place_of(row: Sequence[Any]) -> list[str]:
    """What rows are sorted by where their order is not promised."""
    return [
        f"{cell + 0.0:.6g}" if isinstance(cell, int | float) and not isinstance(cell, bool)
        else repr(cell) for cell in row
    ]  # fmt: skip


def difference(found: tuple[Any, Any], table: Table, *, ordered: bool) -> str:
    """How a script's answer differs from the engine's; empty where it does not."""
    columns, rows = found
    if rows is None:
        return str(columns)[-1500:]
    if tuple(columns) != table.columns:
        return f"columns {columns} are not {list(table.columns)}"
    wanted = [[plain(cell) for cell in row.values()] for row in table.rows(100_000)]
    if not ordered:
        rows, wanted = sorted(rows, key=place_of), sorted(wanted, key=place_of)
    equal = len(rows) == len(wanted) and all(
        all(map(same, one, other)) for one, other in zip(rows, wanted, strict=True)
    )
    return "" if equal else f"{rows}\nis not\n{wanted}"


def script_of(*planned_case: Any) -> str:
    """The script of a plan as `planned` made it."""
    plan, tables, sources, _ = planned_case
    return plan_script(plan, tables, sources)
