"""Gold columns of a question: its alternatives, and the columns that references stand for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import narwhals as nw
import polars as pl

from wideleaf.tools.tables.columns import resolve_columns
from wideleaf.tools.tables.table import Table

GOLD_KEYS = ("gold", "columns", "gold_columns")


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
