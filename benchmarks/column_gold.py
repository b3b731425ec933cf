"""Gold columns: derived from a question's own pandas code, and read from files of references.

    python benchmarks/column_gold.py QUESTIONS.jsonl --out benchmarks/wide_gold_columns.jsonl

QUESTIONS has an id, a `table` beside it and a `gold_pandas` on each line. The code is parsed,
never run. What is written has ids and references to columns alone.
"""

from __future__ import annotations

import argparse
import ast
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import narwhals as nw
import polars as pl

from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.columns import resolve_columns
from wideleaf.tools.tables.families import find_families
from wideleaf.tools.tables.table import Table

FRAME = "df"
GOLD_KEYS = ("gold", "columns", "gold_columns")


def columns_of_code(code: str, columns: Sequence[str]) -> tuple[str, ...]:
    """The columns that a piece of pandas code reads, in the order of the table.

    Read are attributes (`df.Year`) and texts (`'Year'`) that are names of columns, f-strings
    over a range of numbers, filters by `startswith` over the table's columns, and the whole
    table where it is used without a choice of columns (`df.drop(columns=[...]).groupby(...)`).

    Args:
        code: The code, over a frame named `df`.
        columns: The table's columns.
    """
    tree = ast.parse(code)
    known = frozenset(columns)
    bound = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    dropped = {id(inner) for drop in _drops(tree) for inner in ast.walk(drop)}
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in dropped:
            found |= known & {node.value} if isinstance(node.value, str) else set()
        elif isinstance(node, ast.Attribute) and id(node) not in called:
            found |= known & {node.attr}
        elif isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp)):
            found |= known & set(_comprehended(node, bound, columns))
    for drop in _drops(tree):
        if isinstance(drop.func, ast.Attribute) and _is_frame(drop.func.value):
            gone = {n.value for n in ast.walk(drop) if isinstance(n, ast.Constant)}
            found |= known - gone
    return tuple(column for column in columns if column in found)


def references_of(found: Collection[str], columns: Sequence[str]) -> list[str]:
    """Columns as few references: whole families, ranges of a family, and names.

    Where nearly all are meant, they are ``*`` and, with a ``!`` before them, those that are not.
    """
    held = set(found)
    left = dict.fromkeys(column for column in columns if column in held)
    if len(columns) - len(left) <= len(columns) // 100:
        return ["*", *(f"!{column}" for column in columns if column not in held)]
    references: list[str] = []
    for family in find_families(tuple(columns)):
        inside = [(value, column) for value, column in family.members if column in left]
        if len(inside) < 3:
            continue
        if len(inside) == len(family.members):
            reference = family.notation
        elif family.axis == "number":
            first, last = inside[0][0], inside[-1][0]
            reference = f"{family.stem}{{{first:g}..{last:g}}}{family.tail}"
        else:
            continue
        if set(expand([reference], columns)) == {column for _, column in inside}:
            references.append(reference)
            left = dict.fromkeys(c for c in left if c not in family.columns)
    return [*references, *left]


def alternatives_of(line: Mapping[str, Any]) -> list[list[str]]:
    """The gold alternatives of a line of a question file, each a list of references.

    Raises:
        ValueError: If the line has no gold.
    """
    for key in ("gold_alternatives", "alternatives"):
        if line.get(key):
            return [[one] if isinstance(one, str) else list(one) for one in line[key]]
    for key in GOLD_KEYS:
        gold = line.get(key)
        if isinstance(gold, str):
            return [[gold]]
        if gold:
            nested = [one for one in gold if not isinstance(one, str)]
            return [list(one) for one in nested] if nested else [list(gold)]
    raise ValueError(f"question {line.get('id')!r} has no gold; it has {sorted(line)}")


def expand(references: Iterable[str], columns: Sequence[str]) -> tuple[str, ...]:
    """The columns that references stand for, without those that stand there with a ``!``.

    Raises:
        ActionError: If one stands for no column.
    """
    known = frozenset(columns)
    meant: dict[str, None] = {}
    for reference in references:
        if reference in known:
            meant[reference] = None
        elif reference[:1] == "!" and reference[1:] in meant:
            del meant[reference[1:]]
        else:
            meant.update(dict.fromkeys(resolve_columns([reference], _table(tuple(columns)))))
    return tuple(meant)


@lru_cache(maxsize=8)
def _table(columns: tuple[str, ...]) -> Table:
    return Table(nw.from_native(pl.LazyFrame(schema=dict.fromkeys(columns, pl.Int8))))


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    lines = path.read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def _drops(tree: ast.AST) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "drop"
    ]


def _is_frame(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == FRAME


def _comprehended(
    node: ast.ListComp | ast.GeneratorExp | ast.SetComp,
    bound: Mapping[str, ast.AST],
    columns: Sequence[str],
) -> list[str]:
    """What a comprehension of one loop makes: f-strings over a range, or filtered columns."""
    loop = node.generators[0]
    if len(node.generators) != 1 or not isinstance(loop.target, ast.Name):
        return []
    over = bound.get(loop.iter.id, loop.iter) if isinstance(loop.iter, ast.Name) else loop.iter
    if _is_all_columns(over):
        starts = [_prefix(test, loop.target.id) for test in loop.ifs]
        if None in starts:
            raise ValueError(f"a filter of columns that is not understood: {ast.unparse(node)}")
        return [c for c in columns if all(c.startswith(str(start)) for start in starts)]
    numbers = _range(over)
    if numbers is not None and isinstance(node.elt, ast.JoinedStr) and not loop.ifs:
        return [_formatted(node.elt, loop.target.id, number) for number in numbers]
    return []


def _is_all_columns(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "columns" and _is_frame(node.value)


def _prefix(test: ast.AST, name: str) -> str | None:
    """The text of `name.startswith(text)`."""
    if (
        isinstance(test, ast.Call)
        and isinstance(test.func, ast.Attribute)
        and test.func.attr == "startswith"
        and isinstance(test.func.value, ast.Name)
        and test.func.value.id == name
        and isinstance(test.args[0], ast.Constant)
    ):
        return str(test.args[0].value)
    return None


def _range(node: ast.AST) -> range | None:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        return range(*(int(ast.literal_eval(one)) for one in node.args))
    return None


def _formatted(text: ast.JoinedStr, name: str, number: int) -> str:
    parts: list[str] = []
    for part in text.values:
        if isinstance(part, ast.Constant):
            parts.append(str(part.value))
        elif isinstance(part, ast.FormattedValue) and isinstance(part.value, ast.Name):
            if part.value.id != name:
                raise ValueError(f"an f-string that is not understood: {ast.unparse(text)}")
            form = part.format_spec
            spec = "".join(
                str(one.value)
                for one in (form.values if isinstance(form, ast.JoinedStr) else [])
                if isinstance(one, ast.Constant)
            )
            parts.append(format(number, spec))
    return "".join(parts)


def main() -> None:
    """Write the gold columns of a file of questions with pandas code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("questions", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--show", action="store_true", help="the code beside what was found")
    args = parser.parse_args()
    lines = []
    for question in read_lines(args.questions):
        columns = pl.read_parquet_schema(args.questions.parent / question["table"])
        found = columns_of_code(question["gold_pandas"], list(columns))
        references = references_of(found, list(columns))
        if set(expand(references, list(columns))) != set(found):
            raise ActionError(f"{question['id']}: {references} is not what was found")
        lines.append({"id": question["id"], "gold": references})
        if args.show:
            print(question["id"], len(found), references, "<-", question["gold_pandas"], sep="\n  ")
    if args.out:
        args.out.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")


if __name__ == "__main__":
    main()
