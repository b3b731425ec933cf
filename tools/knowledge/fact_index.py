"""Facts held as arrays: names of nodes, and which facts lead from a node to which others."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from wideleaf.tools.conditions.dates import read_period
from wideleaf.tools.conditions.literals import read_number
from wideleaf.tools.tables.relations import FACT, TIMES, Relation
from wideleaf.tools.tables.table import Table

YEARS = range(1000, 2200)
"""Numbers that may be years."""
MAX_READ = 200
Places = npt.NDArray[np.int64]
_WORD = re.compile(r"[^\W_]+")


def fold_name(text: str) -> str:
    """A name or a question as its words: lower case, without accents and punctuation."""
    plain = unicodedata.normalize("NFKD", text)
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return " ".join(_WORD.findall(letters.lower()))


class Step(NamedTuple):
    """One hop: along a relation, or against it.

    Attributes:
        relation: The relation's name.
        back: From tails to heads.
    """

    relation: str
    back: bool = False


class FactIndex:
    """The facts of a graph as arrays.

    Args:
        facts: Columns ``head``, ``relation``, ``tail``; of a temporal graph ``start`` and ``end``.
        relations: What is known of the relations.

    Attributes:
        names: Names of heads and tails, each once.
        relations: Names of relations, each once.
        starts: The year each fact begins; NaN where it is open, None of a graph without times.
        ends: The year each fact ends.
        measured: Relations whose tails are numbers or dates.
    """

    def __init__(self, facts: pl.DataFrame, relations: Sequence[Relation] = ()) -> None:
        facts = facts.drop_nulls(FACT)
        columns = {name: facts[name].cast(pl.String) for name in FACT}
        both = pl.concat([columns["head"].rename("name"), columns["tail"].rename("name")])
        self.names: list[str] = both.unique(maintain_order=True).to_list()
        self.relations: list[str] = columns["relation"].unique(maintain_order=True).to_list()
        self.heads = _codes(columns["head"], self.names)
        self.tails = _codes(columns["tail"], self.names)
        self.kinds = _codes(columns["relation"], self.relations)
        self.measured = frozenset(r.name for r in relations if r.kind in ("number", "date"))
        temporal = all(name in facts.columns for name in TIMES)
        self.starts = _years(facts["start"]) if temporal else None
        self.ends = _years(facts["end"]) if temporal else None
        size = 2 * max(len(self.relations), 1)
        fact = np.arange(len(self.heads))
        origin = np.concatenate([self.heads, self.tails])
        step = np.concatenate([2 * self.kinds, 2 * self.kinds + 1])
        key = origin * size + step
        order = np.argsort(key, kind="stable")
        self._size = size
        self._keys = key[order]
        self._facts = np.concatenate([fact, fact])[order]
        self._others = np.concatenate([self.tails, self.heads])[order]

    @property
    def temporal(self) -> bool:
        """Whether facts have times."""
        return self.starts is not None

    @cached_property
    def dated(self) -> frozenset[str]:
        """Relations whose tails are years or days."""
        relations = set()
        for name in self.measured:
            tails = np.unique(self.tails[self.kinds == self.relations.index(name)])[:MAX_READ]
            values = self.measure(tails)
            days = np.array([read_number(self.names[tail]) is None for tail in tails])
            if (days | ((values >= YEARS[0]) & (values < YEARS[-1]) & (values % 1 == 0))).all():
                relations.add(name)
        return frozenset(relations)

    @cached_property
    def by_name(self) -> dict[str, list[int]]:
        """Nodes by their folded names; a bracket behind a name may be left out."""
        nodes: dict[str, list[int]] = {}
        for node, name in enumerate(self.names):
            for form in {fold_name(name), fold_name(re.sub(r"\s*\([^()]*\)\s*$", "", name))}:
                if form:
                    nodes.setdefault(form, []).append(node)
        return nodes

    @cached_property
    def by_word(self) -> dict[str, list[int]]:
        """Nodes by each word of their folded names."""
        nodes: dict[str, list[int]] = {}
        for node, name in enumerate(self.names):
            for word in set(fold_name(name).split()):
                nodes.setdefault(word, []).append(node)
        return nodes

    @cached_property
    def by_initials(self) -> dict[str, list[int]]:
        """Nodes of several words by the first letters of these."""
        nodes: dict[str, list[int]] = {}
        for node, name in enumerate(self.names):
            words = fold_name(name).split()
            if 1 < len(words) < 8:
                nodes.setdefault("".join(word[0] for word in words), []).append(node)
        return nodes

    def steps_from(self, nodes: Places) -> list[tuple[Step, int]]:
        """The hops that some nodes allow, and along how many facts."""
        low = np.searchsorted(self._keys, nodes * self._size)
        high = np.searchsorted(self._keys, (nodes + 1) * self._size)
        keys = self._keys[_ranges(low, high)] % self._size
        counts = np.bincount(keys, minlength=self._size)
        return [(self.step(int(one)), int(counts[one])) for one in np.flatnonzero(counts)]

    def step(self, code: int) -> Step:
        """The hop of a code."""
        return Step(self.relations[code // 2], bool(code % 2))

    def facts_along(self, nodes: Places, step: Step) -> tuple[Places, Places]:
        """The facts that lead from some nodes along a hop, and the nodes that each leads to."""
        code = 2 * self._relation[step.relation] + step.back
        keys = nodes * self._size + code
        low = np.searchsorted(self._keys, keys)
        high = np.searchsorted(self._keys, keys + 1)
        places = _ranges(low, high)
        return self._facts[places], self._others[places]

    def follow(self, nodes: Places, step: Step) -> Places:
        """The nodes that some lead to along a hop, each once, in the order of the facts."""
        facts, others = self.facts_along(nodes, step)
        others = others[np.argsort(facts, kind="stable")]
        _, first = np.unique(others, return_index=True)
        return others[np.sort(first)]

    @cached_property
    def _relation(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.relations)}

    def measure(self, nodes: Places) -> npt.NDArray[np.float64]:
        """The numbers that names of nodes write, of a date its days; NaN where one is neither."""
        return np.array([_number(self.names[node]) for node in nodes], dtype=np.float64)


def _number(name: str) -> float:
    number = read_number(name)
    if number is not None:
        return number
    period = read_period(name)
    return float(period[0].toordinal()) if period is not None else float("nan")


def index_facts(table: Table) -> FactIndex:
    """The index of an open graph.

    Raises:
        ActionError: If the facts are more than may be held in memory.
    """
    columns = [name for name in (*FACT, *TIMES) if name in table.columns]
    facts = table.collect(*columns, purpose="The index of a graph")
    return FactIndex(facts, table.relations)


def _codes(column: pl.Series, names: Sequence[str]) -> Places:
    coded = column.cast(pl.Enum(list(names))) if len(names) else column.cast(pl.Int64)
    return coded.to_physical().to_numpy().astype(np.int64)


def _years(column: pl.Series) -> Any:
    if column.dtype in (pl.Date, pl.Datetime):
        column = column.dt.year() + (column.dt.ordinal_day() - 1) / 366
    return column.cast(pl.Float64).fill_null(float("nan")).to_numpy()


def _ranges(low: Places, high: Places) -> Places:
    """All places from each low to its high."""
    sizes = high - low
    total = int(sizes.sum())
    if not total:
        return np.empty(0, dtype=np.int64)
    starts = np.repeat(low - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes)
    return starts + np.arange(total)
