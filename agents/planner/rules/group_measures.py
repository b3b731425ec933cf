"""What groups are made by and what is measured of them: keys, measures, and their words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.agents.planner.links.lexicon import Cue
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.agents.planner.rules.lists import TARGETS
from wideleaf.agents.planner.rules.outcomes import function_of, rows_noun, without
from wideleaf.agents.planner.rules.quantities import (
    counts_noun,
    is_faint_flag,
    is_only_meant,
    quantity_of,
)
from wideleaf.agents.planner.scopes.derivation import Arguments, Derivation, JoinScope, Use
from wideleaf.agents.planner.scopes.targets import longest_list, nearest_number, side_by_side

KEYS, MEASURED = 3, 4
NAMED = 0.5
"""How well a column is named whose different values are counted."""


class Keys(NamedTuple):
    """Columns to group by, and the words that ask for them."""

    columns: tuple[str, ...]
    uses: tuple[Use, ...]
    likely: float

    @property
    def places(self) -> frozenset[int]:
        """Places of their words."""
        return frozenset().union(*(use.places for use in self.uses))


class MeasureChoice(NamedTuple):
    """Measures of groups, pairs of function and column, and the words that ask for them."""

    pairs: tuple[tuple[str, str | None], ...]
    uses: tuple[Use, ...]
    rule: str
    likely: float

    @property
    def names(self) -> list[str]:
        """The measures' columns."""
        return [f"{function} of {column}" if column else "count" for function, column in self.pairs]

    @property
    def arguments(self) -> list[JsonValue]:
        """As Group writes them."""
        items: list[JsonValue] = []
        for name, (function, column) in zip(self.names, self.pairs, strict=True):
            one: Arguments = {"function": function, "name": name}
            items.append({**one, "column": column} if column else one)
        return items


def choose_keys(d: Derivation) -> list[Keys]:
    """The columns asked for, those joined by ``and`` together, then each alone."""
    _read_numbers(d, (a.column for a in d.scope.asked if a.mention))
    targets = [a for a in d.scope.asked if a.mention and groups_by(d, a.column)]
    targets = [a for a in targets if a.mention and not is_faint_flag(d.scope, a.mention)]
    group = longest_list(d.scope.question, targets)
    lists = [group] if len(group) > 1 else []
    lists += [[one] for one in targets[:TARGETS]]
    return [
        Keys(
            tuple(a.column for a in one),
            tuple(a.mention for a in one if a.mention),
            sum(a.score for a in one) / len(one),
        )
        for one in lists
    ]


def groups_by(d: Derivation, column: str) -> bool:
    """Whether a column is there and can be grouped by: one with fractions measures."""
    index = d.scope.index
    if not d.scope.there(column) or index.kinds.get(column) != "number":
        return d.scope.there(column)
    if column not in index.table.schema:
        return True
    return all(number.is_integer() for number in index.numbers(column))


def _read_numbers(d: Derivation, columns: Iterable[str]) -> None:
    """Read in one pass what `groups_by` asks of columns one by one."""
    index = d.scope.index
    there = (c for c in columns if d.scope.there(c) and c in index.table.schema)
    index.read(c for c in there if index.kinds.get(c) == "number")


def keys_after(d: Derivation, cue: Cue) -> Iterator[Keys]:
    """The columns named just after a cue, with what is joined to them and alone."""
    scope = d.scope
    _read_numbers(d, (m.column for m in scope.free))
    mentions = [m for m in scope.free if groups_by(d, m.column) and not is_faint_flag(scope, m)]
    near = [m for m in mentions if scope.follows(cue, m)]
    for key in sorted(near, key=lambda m: (m.start, -m.score))[:KEYS]:
        more = [
            m for m in mentions
            if m.column != key.column and m.score >= 0.5
            and side_by_side(scope.question, key.end, m.start)
        ][:1]  # fmt: skip
        for one in ([key, *more], [key]) if more else ([key],):
            yield Keys(tuple(m.column for m in one), tuple(one), key.score)


def measures(d: Derivation, keys: Keys, *but: Cue) -> Iterator[MeasureChoice]:
    """What may be measured of groups: the number of rows, or aggregates of number columns."""
    scope = d.scope
    count = [c for c in scope.cues("count") if c not in but and not c.places & keys.places][:1]
    yield from _counts(d, keys, count, but)
    free = [m for m in scope.free if m.column not in keys.columns and not m.places & keys.places]
    yield from _ranges_of_ends(d, free)
    inners = [cue for cue in scope.cues("measure", "extreme") if cue not in but]
    if not inners:
        yield from _unsaid_means(d, keys, free)
    for place, inner in enumerate(inners):
        yield from _choose_measures(d, inner, inners[place + 1 :], free)


def _counts(
    d: Derivation, keys: Keys, count: list[Cue], but: Sequence[Cue]
) -> Iterator[MeasureChoice]:
    """How many rows each group has, how many different values, or the sum of what counts them."""
    scope = d.scope
    spots = [m for m in d.uses if isinstance(m, Mention) and not m.column]
    nouns = [m for c in (*but, *count) for m in spots if scope.follows(c, m)][:1]
    rule = "count of a table" if nouns else f"count {bool(count)}"
    likely = 0.7 if nouns else 0.5 if count else 0.3
    uses: tuple[Use, ...] = (*count, *(use for cue in count for use in rows_noun(d, cue)))
    yield MeasureChoice((("count", None),), uses, rule, likely)
    for cue in count:
        yield from _counts_of_values(scope, keys, cue)


def _counts_of_values(scope: JoinScope, keys: Keys, cue: Cue) -> Iterator[MeasureChoice]:
    """How many different values the column counted has, or the sum of one that holds counts."""
    different = scope.cues("distinct")[:1]
    nouns = [m for m in scope.free if counts_noun(scope, cue, m) and m.score >= NAMED]
    nouns = [m for m in nouns if not is_only_meant(scope, m)]
    for m in [m for m in nouns if m.column not in keys.columns][:1]:
        rule = f"count distinct {bool(different)}"
        pairs = (("count distinct", m.column),)
        yield MeasureChoice(pairs, (cue, m, *different), rule, m.score)
    for m in [m for m in quantity_of(scope, cue) if m.column not in keys.columns][:1]:
        yield MeasureChoice((("sum", m.column),), (cue, m), "sum counted", m.score)


def _ranges_of_ends(d: Derivation, free: list[Mention]) -> Iterator[MeasureChoice]:
    """The difference between the highest and the lowest of a column."""
    scope, ends = d.scope, d.scope.cues("extreme")
    for cue in scope.cues("difference")[:1] if len(ends) > 1 else ():
        for m in nearest_number(scope.question, ends[1], scope.orders(free), scope.kinds)[:1]:
            if scope.kinds[m.column] == "number":
                uses: tuple[Use, ...] = (cue, *ends[:2], m)
                yield MeasureChoice((("range", m.column),), uses, "range of ends", m.score)


def _choose_measures(
    d: Derivation, inner: Cue, later: list[Cue], free: list[Mention]
) -> Iterator[MeasureChoice]:
    """What a word such as *mean* says of the columns near to it, of one or of two."""
    scope = d.scope
    near = nearest_number(scope.question, inner, scope.orders(free), scope.kinds)
    for one in near[:MEASURED]:
        m = without(one, inner)
        functions = [function_of(scope, inner, m.column)]
        uses: tuple[Use, ...] = (inner, m)
        for other in later[:1]:
            if other.start <= inner.end + 1 and other.end <= m.start:
                functions.append(function_of(scope, other, m.column))
                uses = (*uses, other)
        if scope.kinds[m.column] != "number" and not {*functions} <= {"max", "min"}:
            continue
        rule = f"{functions[0]} {inner.kind}"
        yield from _both(d, inner, m, functions[0], later, free)
        yield MeasureChoice(tuple((f, m.column) for f in functions), uses, rule, m.score)
        beside = [
            n for n in near
            if n.column != m.column and side_by_side(scope.question, m.end, n.start)
        ]  # fmt: skip
        for second in beside[:1]:
            both = tuple((f, n.column) for n in (m, second) for f in functions)
            yield MeasureChoice(both, (*uses, second), f"{rule} of two", m.score)


def _unsaid_means(d: Derivation, keys: Keys, free: list[Mention]) -> Iterator[MeasureChoice]:
    """The mean, where values are held against each other: do women earn more than men."""
    scope = d.scope
    sides = [use for use in keys.uses if isinstance(use, ValueLink) and use.op == "in"]
    spans = [(link.start, link.end) for link in sides]
    inner = [m for m in scope.named if any(a < m.start and m.end < b for a, b in spans)]
    free = [*free, *(m for m in inner if m not in free)]
    for cue in scope.question.cue("more", "compare", "contrast")[:1] if sides else ():
        for m in nearest_number(scope.question, cue, scope.orders(free), scope.kinds)[:MEASURED]:
            if scope.kinds[m.column] == "number" and not is_only_meant(scope, m):
                yield MeasureChoice((("mean", m.column),), (cue, m), "mean unsaid", m.score)


def _both(
    d: Derivation, inner: Cue, m: Mention, function: str, later: list[Cue], free: list[Mention]
) -> Iterator[MeasureChoice]:
    """Two measures, each with its own word: the median of one and the median of another."""
    scope = d.scope
    for other in later[:1]:
        if not m.end <= other.start:
            continue
        behind = [n for n in free if n.start >= other.end and n.column != m.column]
        for n in nearest_number(scope.question, other, scope.orders(behind), scope.kinds)[:1]:
            if scope.kinds[n.column] == scope.kinds[m.column] == "number":
                pairs = ((function, m.column), (function_of(scope, other, n.column), n.column))
                both = scope.question.cue("both")[:1]
                yield MeasureChoice(
                    pairs, (inner, m, other, n, *both), "two", (m.score + n.score) / 2
                )
