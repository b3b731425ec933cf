"""Gold pandas programs, unchanged, in the sandbox: do they run, and give the same answer?"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import polars as pl
from gold_plans import Frame, same, tables_of

from wideleaf.tools.engines.registry import open_engine
from wideleaf.tools.errors import ActionError
from wideleaf.tools.sandbox.answer import RunOutcome
from wideleaf.tools.sandbox.program import Program, Sandbox
from wideleaf.tools.sandbox.registry import choose_sandbox
from wideleaf.tools.sources.opening import Catalog, open_catalog

_INTERVAL = re.compile(r"\(([^,]+), ([^,]+)\]")


class Ran(NamedTuple):
    """What became of a program: ``same``, ``other`` or an error's kind, and what is to be said."""

    outcome: str
    said: str = ""


def in_process(lines: Sequence[str]) -> Iterator[str]:
    """Run programs of a gold set in this process: what the child of the benchmark does."""
    import numpy as np

    frames: dict[str, pd.DataFrame] = {}
    for asked in map(json.loads, lines):
        path = asked["path"]
        if path not in frames:
            frames[path] = read_as_gold(Path(path))
        scope: dict[str, Any] = {"pd": pd, "np": np, "df": frames[path].copy()}
        try:
            exec(asked["code"], scope)  # the gold of a data set, in a child
            answer = {"answer": as_gold(scope["result"])}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        yield json.dumps(answer)


def read_as_gold(path: Path) -> pd.DataFrame:
    """A table as the gold programs had it."""
    return pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_csv(path)


def as_gold(result: Any) -> Any:
    """A result in the form of the stored answers."""
    import numpy as np

    if isinstance(result, pd.Series):
        index = [str(one) for one in result.index]
        data = [as_gold(one) for one in result.tolist()]
        return {"kind": "series", "name": str(result.name), "index": index, "data": data}
    if isinstance(result, pd.DataFrame):
        index = [str(one) for one in result.index]
        data = [[as_gold(one) for one in row] for row in result.itertuples(index=False, name=None)]
        columns = [str(one) for one in result.columns]
        return {"kind": "dataframe", "columns": columns, "index": index, "data": data}
    if isinstance(result, dict):
        value = {str(key): as_gold(one) for key, one in result.items()}
        return {"kind": "dict", "value": value}
    if isinstance(result, list | tuple | np.ndarray | pd.Index | pd.api.extensions.ExtensionArray):
        return {"kind": "list", "value": [as_gold(one) for one in result]}
    if isinstance(result, np.generic):
        result = result.item()
    return result if isinstance(result, int | float | str | bool | None) else str(result)


def answers_in_process(questions: Sequence[dict[str, Any]], tables: Path) -> list[dict[str, Any]]:
    """The answers of all programs, run by a child of this process."""
    asked = "\n".join(
        json.dumps({"path": str(next(tables.rglob(q["table"]))), "code": q["gold_pandas"]})
        for q in questions
    )
    told = subprocess.run(
        [sys.executable, "-W", "ignore", __file__, "--alone"],
        input=asked, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [json.loads(line) for line in told.stdout.splitlines()]


def frames_of(way: str, names: set[str], tables: Path, scratch: Path) -> dict[str, pl.DataFrame]:
    """The tables as the sandbox gets them: read by pandas, or by our own ingestion."""
    made: dict[str, pl.DataFrame] = {}
    for name in sorted(names):
        path = next(tables.rglob(name))
        if way == "pandas":
            made[name] = pl.from_pandas(read_as_gold(path), nan_to_null=True)
            continue
        catalog = Catalog(open_catalog({"t": path}, scratch / name).all, open_engine("polars"))
        made[name] = catalog.table("t").collect(purpose="a gold program")
    return made


def compare(made: RunOutcome, gold: Any) -> bool:
    """Whether what the sandbox made is a stored answer."""
    if made.shape in ("series", "table"):
        tuples = "Interval(" in json.dumps(gold)  # as gold_plans reads intervals inside of labels
        rows = [[_interval(one) if tuples else one for one in row] for row in made.frame.rows()]
        labels = None if made.index else 0
        return same(Frame(made.frame.columns, rows), gold, labels)
    if isinstance(gold, dict) and gold.get("kind") == "dict":
        value = made.value if isinstance(made.value, dict) else {}
        return same(Frame([], [list(value.values())]), gold) and [*value] == [*gold["value"]]
    if same(Frame([], [list(_cells(made.value))]), gold):
        return True
    return same(Frame([], [list(row) for row in made.frame.rows()]), gold)


def _interval(cell: Any) -> Any:
    return _INTERVAL.sub(r"(\1; \2]", cell) if isinstance(cell, str) else cell


def _cells(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _cells(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _cells(inner)
    else:
        yield value


def in_sandbox(
    sandbox: Sandbox, question: dict[str, Any], table: pl.DataFrame, alone: dict[str, Any]
) -> tuple[Ran, Ran]:
    """Run a program in the sandbox; how it stands to the run in-process, and to the stored gold."""
    try:
        made = sandbox.run(Program(code=question["gold_pandas"]), [table])
    except ActionError as error:
        failed = Ran(error.kind, f"{error.text} {error.private}".strip())
        both = failed if "answer" in alone else Ran("same", "both fail")
        return both, failed
    held = f"{made.shape}: {str(made.value)[:200]} {made.frame.head(5).rows()}"

    def ran(gold: Any) -> Ran:
        return (
            Ran("same") if compare(made, gold) else Ran("other", f"{held}; not {str(gold)[:400]}")
        )

    against = ran(alone["answer"]) if "answer" in alone else Ran("other", str(alone["error"]))
    return against, ran(question["answer"])


def main() -> None:
    """Run every program of a set and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="holds questions.jsonl and the tables")
    parser.add_argument("--read", default="pandas", choices=["pandas", "wideleaf"])
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.alone:
        for line in in_process(sys.stdin.read().splitlines()):
            print(line)
        return
    lines = (options.folder / "questions.jsonl").read_text().splitlines()
    questions = [one for one in map(json.loads, lines) if one.get("gold_pandas")]
    counts: dict[str, Counter[str]] = {"in-process": Counter(), "stored": Counter()}
    sandbox, both, seconds = choose_sandbox("auto"), 0, 0.0
    with tempfile.TemporaryDirectory() as text:
        tables = tables_of(options.folder, Path(text) / "tables")
        alone = answers_in_process(questions, tables)
        names = {question["table"] for question in questions}
        frames = frames_of(options.read, names, tables, Path(text) / "frames")
        for question, one in zip(questions, alone, strict=True):
            started = time.perf_counter()
            found = in_sandbox(sandbox, question, frames[question["table"]], one)
            seconds += time.perf_counter() - started
            both += all(ran.outcome == "same" for ran in found)
            for against, ran in zip(counts, found, strict=True):
                counts[against][ran.outcome] += 1
                if ran.outcome != "same":
                    said = f"{ran.outcome}: {ran.said}"
                    print(
                        f"{question['id']} against {against}: {said}\n    {question['gold_pandas']}"
                    )
    total = len(questions)
    print(f"{sandbox.name}, tables read by {options.read}: {total} programs, {seconds:.1f} s")
    for against, counted in counts.items():
        print(f"  {against}: {counted['same'] / total:.1%} same {dict(counted)}")
    print(f"  both: {both} of {total} ({both / total:.1%})")


if __name__ == "__main__":
    main()
