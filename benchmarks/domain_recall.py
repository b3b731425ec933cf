"""How many of the columns that a question needs the descent returns, over tables of twelve fields.

python benchmarks/domain_recall.py [--part locked] [--limit 20] [--words] [--misses]

Which columns a question needs is what its gold code (`domains/*/gold.py`) reads of the frame for
it; columns that only tell rows apart are left out, since code names rows by several of them.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

import pandas as pd
from column_retrieval import Desk
from unseen import domain_tables

from wideleaf.retrieval.cards.cards import make_cards
from wideleaf.retrieval.descent import IndexRetriever
from wideleaf.retrieval.vectors.embedder import open_embedder

UNIQUE = 0.95
"""Such a share of the rows has a value of its own in a column that tells rows apart."""


class Watched(pd.DataFrame):  # type: ignore[misc]
    """A frame that notes which of its columns are read, and by which line of the gold code."""

    read: list[tuple[int, str]] = []  # noqa: RUF012
    code: CodeType | None = None

    @property
    def _constructor(self) -> type[Watched]:
        return Watched

    def __getitem__(self, key: Any) -> Any:
        for one in [key] if isinstance(key, str) else key if isinstance(key, list) else []:
            if isinstance(one, str):
                Watched.note(one)
        return super().__getitem__(key)

    def __getattr__(self, name: str) -> Any:
        found = super().__getattr__(name)
        if name in self._info_axis:
            Watched.note(name)
        return found

    @classmethod
    def note(cls, column: str) -> None:
        """Note a column with the line that asks for it."""
        frame: FrameType | None = sys._getframe()
        while frame is not None and frame.f_code is not cls.code:
            frame = frame.f_back
        if frame is not None:
            cls.read.append((frame.f_lineno, column))


def columns_of(name: str, frame: pd.DataFrame) -> dict[str, set[str]]:
    """By question the columns that its gold code reads, those of its variables included."""
    module = importlib.import_module(f"domains.{name}.gold")
    Watched.read, Watched.code = [], module.answers.__code__
    module.answers(Watched(frame))
    found: dict[str, set[str]] = {}
    held: dict[str, set[str]] = {}
    for line in statements_of(module):
        last = line.iter.end_lineno if isinstance(line, ast.For) else line.end_lineno
        inside = range(line.lineno, (last or 0) + 1)
        nodes = [*ast.walk(line.iter)] if isinstance(line, ast.For) else [*ast.walk(line)]
        own = {c for at, c in Watched.read if at in inside and c in frame.columns}
        bound = {t.id for n in nodes if isinstance(n, ast.comprehension)
                 for t in ast.walk(n.target) if isinstance(t, ast.Name)}  # fmt: skip
        used = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        used -= bound
        own |= {column for one in used for column in held.get(one, ())}
        asked = {key for node in nodes if (key := question_of(node, name))}
        for key in asked:
            found[key] = found.get(key, set()) | own
        targets = line.targets if isinstance(line, ast.Assign) else []
        targets = [line.target] if isinstance(line, ast.For) else targets
        for node in (n for target in targets for n in ast.walk(target)):
            if isinstance(node, ast.Name) and not asked and node.id != "f":  # the table itself
                held[node.id] = own
    every = set[str]().union(*found.values())
    keys = {c for c in every if not pd.api.types.is_float_dtype(frame[c])
            and frame[c].nunique() >= UNIQUE * len(frame)}  # fmt: skip
    return {key: read - keys for key, read in found.items() if read - keys}


def statements_of(module: ModuleType) -> list[ast.stmt]:
    """The assignments, calls and loops of the gold code, in order."""
    tree = ast.parse(inspect.getsource(module))
    (body,) = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "answers"]
    plain = (ast.Assign, ast.AugAssign, ast.Expr, ast.For)
    return sorted((n for n in ast.walk(body) if isinstance(n, plain)), key=lambda n: n.lineno)


def question_of(node: ast.AST, name: str) -> str:
    """The question whose answers a piece of code is: ``out["x-1"]``, ``out[q + "1"]``."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        return ""
    told = [n.value for n in ast.walk(node.slice) if isinstance(n, ast.Constant)]
    texts = [text for text in told if isinstance(text, str) and text[-1:].isdigit()]
    if node.value.id not in ("out", "a") or len(texts) != 1:
        return ""
    return texts[0] if "-" in texts[0] else f"{name}-{texts[0]}"


def recalls(part: str, limit: int, words: bool, work: Path) -> Iterator[dict[str, Any]]:
    """For each question the share of its columns that come back, one by one and by family."""
    for name, path, dictionary, asked in domain_tables(part, work):
        gold = columns_of(name, pd.read_parquet(path))
        desk = Desk(path, dictionary or "", work / "kept")
        chosen = IndexRetriever(desk.folder, None if words else open_embedder(), desk.fingerprints)
        members = {card.reference: card.columns for card in make_cards(desk.columns)}
        for line in map(json.loads, asked.open(encoding="utf-8")):
            need = gold.get(line["id"])
            if not need or line["unanswerable"]:
                continue
            picks = chosen.select(line["question"], desk.tables, limit).picks[:limit]
            back = {column for pick in picks for column in pick.columns}
            whole = back.union(*(members.get(pick.reference, ()) for pick in picks))
            yield {
                "table": name,
                "id": line["id"],
                "question": line["question"],
                "recall": len(need & back) / len(need),
                "in family": len(need & whole) / len(need),
                "missing": sorted(need - whole),
                "returned": len(picks),
            }


def main() -> None:
    """Print the mean by field, and what was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=("development", "locked"), default="locked")
    parser.add_argument("--limit", type=int, default=20)
    parser.add_argument("--words", action="store_true", help="without meanings")
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--work", type=Path, help="keeps tables and index")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = given.work or Path(scratch)
        work.mkdir(parents=True, exist_ok=True)
        rows = list(recalls(given.part, given.limit, given.words, work))
    for name in (*dict.fromkeys(row["table"] for row in rows), "all"):
        some = [row for row in rows if name in ("all", row["table"])]
        means = {key: sum(row[key] for row in some) / len(some) for key in ("recall", "in family")}
        print(f"{name:12s} {len(some):3d} questions", {k: round(v, 3) for k, v in means.items()})
    for row in rows:
        if given.misses and row["missing"]:
            print(f"{row['id']}: {row['question']}\n   {row['missing'][:8]} ({row['returned']})")


if __name__ == "__main__":
    main()
