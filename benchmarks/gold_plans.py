"""Plans written by hand for questions with gold answers: do our actions give the same answers?"""

from __future__ import annotations

import argparse
import json
import math
import re
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from wideleaf.tools.engines.registry import open_engine
from wideleaf.tools.privacy import Policy
from wideleaf.tools.sources.opening import Catalog, open_catalog
from wideleaf.tools.steps.step import Wish, perform
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tree.call import Call

PLANS = Path(__file__).with_name("gold_plans.jsonl")
"""One plan a line: ``id``; ``steps``, each a name, arguments and, where it is not the frame before,
the labels of its inputs (the table is ``t``, frames are T1, T2, ...); or ``not`` and why there is
no such plan. ``labels`` says how a gold pandas object is read: how many parts of its row labels are
of the answer (0 where they number rows; default: all), or ``pairs`` of a symmetric matrix."""
DIGITS = 9
NOTHING = 1e-12
"""What is smaller is what rounding leaves of a zero."""
_INTERVAL = re.compile(r"Interval\(([^,]+), ([^,]+), closed='right'\)")
_PART = re.compile(r"'[^']*'|\"[^\"]*\"|\([^\]]*\]|[^,()\s][^,]*")


class Done(NamedTuple):
    """What became of a question: ``same``, ``other``, ``failed`` or ``not expressible``."""

    outcome: str
    said: str = ""


class Frame(NamedTuple):
    """Rows of cells under headers."""

    columns: list[str]
    rows: list[list[Any]]


def tables_of(folder: Path, scratch: Path) -> Path:
    """The folder of a set's tables, unpacked if they are in an archive."""
    archive = folder / "tables.zip"
    if archive.exists():
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(scratch)
        return scratch
    return folder


def carry_out(plan: dict[str, Any], store: FrameStore) -> Done | Frame:
    """Do a plan's steps on the table ``t`` of a store; its last frame."""
    ids: dict[str, str] = {}
    last = ""
    steps = [("Load", {"source": "t"}, []), *map(tuple, plan["steps"])]
    for number, (name, arguments, *inputs) in enumerate(steps):
        label = f"T{number}" if number else "t"
        labels = inputs[0] if inputs else [last]
        parents = [(one, ids[one]) for one in labels]
        call = Call(name=name, arguments=arguments)
        node = perform(Wish(call, label, parents), store, Policy(level="samples"))
        if node.outcome != "ok":
            return Done("failed", f"{label} {name}: {node.error}")
        ids[label], last = node.id, label
    made = store.get(ids[last])
    return Frame(list(made.columns), [list(row.values()) for row in made.rows(100_000)])


def cells(value: Any) -> Iterator[Any]:
    """The cells of a gold answer that is plain data; keys are cells, row numbers are not."""
    if isinstance(value, dict) and "kind" in value:
        yield from cells(value["value"] if "value" in value else value["data"])
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from (key, *cells(inner))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from cells(inner)
    else:
        yield value


def plain(value: Any) -> str:
    """A cell as it is compared: numbers with nine significant digits, text without blanks."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "null"
    if isinstance(value, bool) or value in ("True", "False"):
        return str(value).lower()
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value).strip().strip("()',\"")
    if abs(number) < NOTHING:
        return "0"
    return "null" if math.isnan(number) else f"{number:.{DIGITS}g}"


def parts_of(label: str) -> list[str]:
    """The parts of a row's label: those of a tuple, which is stored as its text, or itself."""
    if not (label.startswith("(") and label.endswith(")")):
        return [label]
    return [part.strip("'\"") for part in _PART.findall(_INTERVAL.sub(r"(\1; \2]", label)[1:-1])]


def gold_frame(gold: dict[str, Any], labels: int | None) -> Frame:
    """A gold Series or DataFrame as a frame, its rows' labels in the first columns."""
    data = [row if isinstance(row, list) else [row] for row in gold["data"]]
    index = gold["index"] or [""] * len(data)
    beside = [parts_of(label)[:labels] if gold["index"] else [] for label in index]
    width = len(beside[0]) if beside else 0
    headers = gold.get("columns", [str(gold.get("name"))])
    rows = [[*one, *row] for one, row in zip(beside, data, strict=True)]
    return Frame([""] * width + headers, rows)


def alike(found: Frame, gold: Frame) -> bool:
    """Whether two frames hold the same bag of rows and of columns, in whatever order."""

    def bag(lines: Any) -> Counter[tuple[str, ...]]:
        return Counter(tuple(sorted(map(plain, line))) for line in lines)

    if len(found.columns) != len(gold.columns) or bag(found.rows) != bag(gold.rows):
        return False
    return not found.rows or bag(zip(*found.rows, strict=True)) == bag(zip(*gold.rows, strict=True))


def same(found: Frame, gold: Any, labels: int | str | None = None) -> bool:
    """Whether a frame is a gold answer.

    A pandas object is compared by its rows and columns; one row may stand for a Series if its
    headers are the Series' labels. Other answers are compared as a bag of cells.
    """
    kind = gold.get("kind") if isinstance(gold, dict) else None
    named = kind == "series" and sorted(found.columns) == sorted(gold["index"] or ())
    if named and labels is None and len(found.rows) == 1:
        row = dict(zip(found.columns, map(plain, found.rows[0]), strict=True))
        return row == dict(zip(gold["index"], map(plain, gold["data"]), strict=True))
    if labels == "pairs":
        names = gold["index"]
        pairs = [
            [names[i], names[j], gold["data"][i][j]] for j in range(len(names)) for i in range(j)
        ]
        # Which of a pair is named first is nothing.
        return Counter(tuple(sorted(map(plain, row))) for row in found.rows) == Counter(
            tuple(sorted(map(plain, row))) for row in pairs
        )
    if kind in ("series", "dataframe"):
        return alike(found, gold_frame(gold, labels if isinstance(labels, int) else None))
    if kind == "dict":
        gold = list(gold["value"].values())
    flat = [cell for row in found.rows for cell in row]
    return Counter(map(plain, flat)) == Counter(map(plain, cells(gold)))


def main() -> None:
    """Carry out every plan of a set and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="holds questions.jsonl and the tables")
    parser.add_argument("--engine", default="polars", choices=["polars", "duckdb", "spark"])
    parser.add_argument("--misses", action="store_true", help="print them")
    options = parser.parse_args()
    plans = {p["id"]: p for p in map(json.loads, PLANS.read_text().splitlines())}
    lines = (options.folder / "questions.jsonl").read_text().splitlines()
    outcomes: Counter[str] = Counter()
    stores: dict[str, FrameStore] = {}
    with tempfile.TemporaryDirectory() as text:
        tables = tables_of(options.folder, Path(text) / "tables")
        folder = Path(text) / "frames"
        for question in map(json.loads, lines):
            plan = plans.get(question["id"])
            if plan is None or "not" in plan:
                done = Done("not expressible", plan["not"] if plan else "no plan written")
            else:
                name = question["table"]
                if name not in stores:
                    sources = open_catalog({"t": next(tables.rglob(name))}, folder).all
                    stores[name] = FrameStore(folder, Catalog(sources, open_engine(options.engine)))
                got = carry_out(plan, stores[name])
                if isinstance(got, Done):
                    done = got
                else:
                    right = same(got, question["answer"], plan.get("labels"))
                    done = Done("same" if right else "other", "" if right else repr(got.rows[:12]))
            outcomes[done.outcome] += 1
            if options.misses and done.outcome != "same":
                print(f"{question['id']}: {done.outcome}: {done.said}", flush=True)
    print(f"{options.engine}: {len(lines)} questions: {dict(outcomes)}")


if __name__ == "__main__":
    main()
