"""The condition graph in dicts and lists: what `get` means over triples, times and tables.

Written from the published mapping and argument patterns (CRAFTQA and TrustUQA, section 3), with
bags where those have sets of numbers and cells. It knows nothing of engines or frames.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

TIME_KEYS = ("time", "start_time", "end_time")
Fact = tuple[Any, str, Any, Any, Any]
"""Subject, relation, value, and the first and last year; both None where there are no times."""


class Found(NamedTuple):
    """What a question gives: a set of subjects, relations or years, or a bag of values."""

    kind: str
    items: list[Any]


class ConditionGraph:
    """Nodes with neighbours under conditions, as lists of facts.

    Args:
        facts: Of a graph its facts; of a table one for each cell, its row's number the subject.
        subjects: All of them, in order.
        temporal: Whether facts have times.
        table: Whether subjects are rows.
    """

    def __init__(
        self,
        facts: Sequence[Fact],
        subjects: Iterable[Any],
        *,
        temporal: bool = False,
        table: bool = False,
    ) -> None:
        self.facts, self.subjects = list(facts), list(dict.fromkeys(subjects))
        self.temporal, self.table = temporal, table

    @classmethod
    def of_rows(cls, rows: Sequence[dict[str, Any]]) -> ConditionGraph:
        """A table: each row is a subject, each column a relation."""
        facts = [
            (number, column, cell, None, None)
            for number, row in enumerate(rows, 1)
            for column, cell in row.items()
        ]
        return cls(facts, range(1, len(rows) + 1), table=True)

    @classmethod
    def of_facts(cls, facts: Sequence[Fact], *, temporal: bool = False) -> ConditionGraph:
        """Triples, or facts with years."""
        return cls(facts, (fact[0] for fact in facts), temporal=temporal)

    def get(
        self,
        relation: str = "",
        key: str = "",
        head: Sequence[Any] | None = None,
        tail: Sequence[Any] | None = None,
        value: Sequence[Any] | None = None,
        tail_cmp: str = "=",
        value_cmp: str = "=",
    ) -> Found:
        """Answer one question; heads, tails and values are lists, of which any will do."""
        if self.temporal and key in TIME_KEYS:
            return self._of_time(relation, key, head, tail, value, tail_cmp, value_cmp)
        if not relation and key:
            relation, key = key, ""
        if not key and tail is None and value is not None:
            tail, value, tail_cmp = value, None, value_cmp
        if head is not None and not relation:
            if self.table:
                return Found("subjects", [one for one in self.subjects if one in head])
            return Found("relations", _once(fact[1] for fact in self.facts if fact[0] in head))
        if head is not None and key:  # two hops
            ends = [cell for one, cell in self.pairs(relation) if one in head and cell is not None]
            if self.table:
                ends = [one for one, cell in self.pairs(relation) if cell in ends]
            return self.values(key, lambda one: one in ends)
        if head is not None:
            return self.values(relation, lambda one: one in head)
        if not relation:
            return Found("subjects", self.subjects)
        if tail is None and value is None:
            return self.values(relation, lambda one: True)
        chosen: list[Any] = []
        if tail is not None:
            chosen = self.search(relation, tail, tail_cmp)
        if value is not None:
            other = self.search(key, value, value_cmp)
            if tail is None:
                return self.values(relation, lambda one: one in other)
            return Found("subjects", [one for one in chosen if one in other])
        return self.values(key, lambda one: one in chosen) if key else Found("subjects", chosen)

    def pairs(self, relation: str) -> list[tuple[Any, Any]]:
        """Subjects with their values."""
        return [(fact[0], fact[2]) for fact in self.facts if fact[1] == relation]

    def values(self, relation: str, chosen: Callable[[Any], bool]) -> Found:
        """Node search: values of a relation at some subjects; entities once, all else as a bag."""
        every = self.pairs(relation)
        found = [cell for one, cell in every if chosen(one)]
        if self.table:
            return Found("values", found)
        numbers = [_number(cell) for _, cell in every]
        if None not in numbers:
            return Found("numbers", [_number(cell) for cell in found])
        return Found("values", _once(found))

    def search(self, relation: str, targets: Sequence[Any], sign: str) -> list[Any]:
        """Condition search: subjects with a value that compares."""
        return _once(one for one, cell in self.pairs(relation) if compares(cell, sign, targets))

    def _of_time(
        self,
        relation: str,
        key: str,
        head: Sequence[Any] | None,
        tail: Sequence[Any] | None,
        value: Sequence[Any] | None,
        tail_cmp: str,
        value_cmp: str,
    ) -> Found:
        facts = [
            fact
            for fact in self.facts
            if (not relation or fact[1] == relation)
            and (head is None or fact[0] in head)
            and (tail is None or compares(fact[2], tail_cmp, tail))
        ]
        if value is None:
            if key != "time":
                place = 3 if key == "start_time" else 4
                return Found("numbers", [f[place] for f in facts if f[place] is not None])
            years = [year for fact in facts for year in _years(fact)]
            return Found("years", _once(years))
        facts = [fact for fact in facts if _in_time(fact, key, value_cmp, value)]
        if head is None:
            return Found("subjects", _once(fact[0] for fact in facts))
        kept = ConditionGraph(facts, ())
        numbers = [_number(cell) for _, cell in self.pairs(relation)]
        found = [cell for _, cell in kept.pairs(relation)]
        if None not in numbers:
            return Found("numbers", [_number(cell) for cell in found])
        return Found("values", _once(found))


def compares(cell: Any, sign: str, targets: Sequence[Any]) -> bool:
    """Whether a cell compares with any target; unequal is unequal to all. A null never does."""
    if cell is None:
        return False
    known = [target for target in targets if target is not None]
    if sign in ("=", "!="):
        return any(_equal(cell, target) for target in known) == (sign == "=")
    own = _number(cell)
    others = [_number(target) for target in known]
    return own is not None and any(_ordered(own, sign, one) for one in others if one is not None)


def _in_time(fact: Fact, key: str, sign: str, years: Sequence[int]) -> bool:
    """Whether one of a fact's years compares with any; an open side has years without end."""
    start, end = {"start_time": (fact[3], fact[3]), "end_time": (fact[4], fact[4])}.get(
        key, (fact[3], fact[4])
    )
    if start is None and end is None:
        return False
    first = -10_000 if start is None else start
    last = 10_000 if end is None else end
    known = [year for year in years if year is not None]
    if sign == "!=":
        return not any(first <= year <= last for year in known)
    if sign == "=":
        return any(first <= year <= last for year in known)
    return any(_ordered(first if sign[0] == "<" else last, sign, year) for year in known)


def _years(fact: Fact) -> list[int]:
    known = [year for year in fact[3:] if year is not None]
    return [*range(known[0], known[-1] + 1)] if known else []


def _ordered(left: float, sign: str, right: float) -> bool:
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[sign]


def _equal(left: Any, right: Any) -> bool:
    one, other = _number(left), _number(right)
    return one == other if one is not None and other is not None else str(left) == str(right)


def _number(cell: Any) -> float | None:
    try:
        return None if cell is None else float(cell)
    except ValueError:
        return None


def _once(items: Iterable[Any]) -> list[Any]:
    return list(dict.fromkeys(items))
