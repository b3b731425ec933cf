"""Inferring keys between many tables: candidates by name, then by cells of the likeliest pairs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Literal, NamedTuple

from wideleaf.retrieval.words.names import LONGEST_HEADER, header_words
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.actions.joining.discovery import (
    KeyCandidate,
    are_comparable,
    bare_name,
    find_candidate,
)
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import MIN_FOR_STATISTICS, Policy
from wideleaf.tools.sources.source import Link
from wideleaf.tools.tables.profiling.column_profile import ColumnProfile
from wideleaf.tools.tables.table import Table, is_far
from wideleaf.tools.words import as_name, is_key

KeyEvidence = Literal["declared", "same name", "like name", "values"]
TableProfiles = Mapping[str, Mapping[str, ColumnProfile]]
MAX_LOOKED = 24
"""So many pairs of tables are looked at; of the others a name that says a table's key decides."""
MAX_SHARED = 8
"""A name that more tables have is no key, unless one of them is named after it."""
MAX_COLUMNS = 40
"""Of a table of more columns, only text, dates and what is named as a key may be a key."""
MAX_OF_A_PAIR = 6
MIN_PREFIX = 3
_KEY_ENDINGS = frozenset({"id", "key", "code", "no", "nr", "number", "pk", "fk"})


class JoinStep(NamedTuple):
    """One key between two tables.

    Attributes:
        link: The columns.
        how: How it is known.
        overlap: Share of the distinct keys of the side that has fewer which the other has, too;
            None where nobody looked or they are too few to speak of.
    """

    link: Link
    how: KeyEvidence
    overlap: float | None = None

    def line(self, policy: Policy | None = None) -> str:
        """The step in words; the share of values only where the policy lets it out."""
        link = self.link
        pairs = zip(link.columns, link.other_columns, strict=True)
        keys = " and ".join(
            f"{as_name(link.table)}.{as_name(ours)} = {as_name(link.other)}.{as_name(theirs)}"
            for ours, theirs in pairs
        )
        if self.how == "declared":
            return f"{keys} (declared)"
        if policy is not None and not policy.allows("statistics"):
            return f"{keys} (inferred)"
        share = "" if self.overlap is None else f", {100 * self.overlap:.3g} % of values found"
        return f"{keys} (inferred: {self.how}{share})"


class _Pair(NamedTuple):
    """A column of each of two tables that may hold the same keys.

    Attributes:
        tables: The two tables.
        columns: The column of each.
        home: Whether one of the tables is named after the key.
        shared: How many tables have columns of that name.
    """

    tables: tuple[str, str]
    columns: tuple[str, str]
    home: bool
    shared: int

    @property
    def rank(self) -> tuple[bool, bool, int]:
        """What is looked at first: a table's own key, what is named as a key, rare names."""
        return (not self.home, not all(map(is_key, self.columns)), self.shared)


def infer_keys(
    tables: Mapping[str, Table], declared: Sequence[JoinStep], profiles: TableProfiles
) -> list[JoinStep]:
    """Find keys by names, then by cells of the likeliest pairs of tables.

    Args:
        tables: Tables by name.
        declared: Keys that are declared; between tables that have some none is inferred.
        profiles: What is known of the cells, by table and column.
    """
    linked = {frozenset((step.link.table, step.link.other)) for step in declared}
    keyed = {name for pair in linked for name in pair}
    order = {name: number for number, name in enumerate(tables)}
    groups: dict[tuple[str, str], list[_Pair]] = defaultdict(list)
    like_names = False
    for pair in _like_names(tables):
        like_names = True
        if order[pair.tables[0]] > order[pair.tables[1]]:
            pair = pair._replace(tables=pair.tables[::-1], columns=pair.columns[::-1])
        if not (set(pair.tables) <= keyed or _apart(pair, profiles)):
            groups[pair.tables].append(pair)
    for pairs in groups.values():
        pairs.sort(key=lambda pair: pair.rank)
    # Each look at a cluster's data costs seconds.
    slow = any(is_far(table.frame) for table in tables.values())
    looks = 0 if slow else MAX_LOOKED
    steps: list[JoinStep] = []
    for place, pairs in enumerate(sorted(groups.values(), key=lambda pairs: pairs[0].rank)):
        if place < looks:
            steps += _looked(pairs[:MAX_OF_A_PAIR], tables, profiles)
        elif pairs[0].home and len(pairs) == 1:
            steps.append(JoinStep(Link(*_sides(pairs[0])), _how(pairs)))
    if len(tables) == 2 and not like_names and not linked and not slow:
        steps += _by_values(*tables.items())
    return steps


def _like_names(tables: Mapping[str, Table]) -> Iterator[_Pair]:
    """Pairs of columns whose names say the same key; a bare ``id`` is that of its own table."""
    holders: dict[str, list[tuple[str, str]]] = defaultdict(list)
    bare: dict[str, list[str]] = defaultdict(list)
    homes: dict[str, list[str]] = defaultdict(list)
    for name, table in tables.items():
        for word in dict.fromkeys(map(stem, header_words(name))):
            homes[word].append(name)
        for column in _possible(table):
            if folded := bare_name(column):
                holders[folded].append((name, column))
            else:
                bare[name].append(column)
    for columns in holders.values():
        own = _homes(columns[0][1], homes)
        yield from _to_bare_keys(columns, own, bare, tables)
        yield from _of_one_name(columns, own, tables)
    if len(tables) == 2:  # of more tables each has its own
        one, two = tables
        for column, theirs in product(bare[one], bare[two]):
            if _matches(one, column, two, theirs, tables):
                yield _Pair((one, two), (column, theirs), False, 2)


def _to_bare_keys(
    columns: Sequence[tuple[str, str]],
    own: Sequence[str],
    bare: Mapping[str, Sequence[str]],
    tables: Mapping[str, Table],
) -> Iterator[_Pair]:
    """Columns of one name with the bare keys of the tables that are named after it."""
    for name, column in columns:
        for other in own if is_key(column) and name not in own else ():
            for key in bare[other]:
                if _matches(name, column, other, key, tables):
                    yield _Pair((name, other), (column, key), True, 1)


def _of_one_name(
    columns: Sequence[tuple[str, str]], own: Sequence[str], tables: Mapping[str, Table]
) -> Iterator[_Pair]:
    """Columns of one name with each other; where a table is named after it, each with its one."""
    several = len({name for name, _ in columns})
    at_home = any(name in own for name, _ in columns)
    if several > MAX_SHARED and not at_home:
        return
    for (name, column), (other, theirs) in combinations(columns, 2):
        here = name in own or other in own
        if name == other or (at_home and not here):
            continue
        if _matches(name, column, other, theirs, tables):
            yield _Pair((name, other), (column, theirs), here, several)


def _possible(table: Table) -> list[str]:
    """Columns that may be a key."""
    names = [name for name in table.columns if len(name) <= LONGEST_HEADER]
    if len(table.columns) <= MAX_COLUMNS:
        return names
    return [n for n in names if is_key(n) or table.kind(n) in ("text", "date")]


def _homes(column: str, homes: Mapping[str, Sequence[str]]) -> list[str]:
    """The tables that are named after what a column is the key of."""
    words = header_words(column)
    while len(words) > 1 and words[-1] in _KEY_ENDINGS:
        words = words[:-1]
    subject = stem(words[-1]) if words else ""
    if subject in homes:
        return list(homes[subject])
    if len(subject) < MIN_PREFIX:
        return []
    return [name for word, names in homes.items() if word.startswith(subject) for name in names]


def _matches(one: str, column: str, two: str, other: str, tables: Mapping[str, Table]) -> bool:
    left, right = tables[one], tables[two]
    measures = [t.schema[c].is_float() for t, c in ((left, column), (right, other))]
    return are_comparable(column, other, left, right) and (is_key(column) or not any(measures))


def _apart(pair: _Pair, profiles: TableProfiles) -> bool:
    """Whether the profiles say that two columns have no value in common."""
    one, two = (profiles.get(t, {}).get(c) for t, c in zip(pair.tables, pair.columns, strict=True))
    if one is None or two is None:
        return False
    if one.nulls == one.rows or two.nulls == two.rows:
        return True
    for low, high in ((one, two), (two, one)):
        if isinstance(low.high, str) and isinstance(high.low, str) and low.high < high.low:
            return True
        if isinstance(low.high, float) and isinstance(high.low, float) and low.high < high.low:
            return True
    return False


def _looked(
    pairs: Sequence[_Pair], tables: Mapping[str, Table], profiles: TableProfiles
) -> list[JoinStep]:
    """The key between two tables; several where columns share one, such as two teams of a game."""
    one, two = pairs[0].tables
    sides = [tuple(dict.fromkeys(pair.columns[side] for pair in pairs)) for side in (0, 1)]
    left, right = (
        Table(tables[name].frame.select(*columns))
        for name, columns in zip((one, two), sides, strict=True)
    )

    def known(candidate: KeyCandidate) -> KeyCandidate | None:
        key = candidate.keys[0]
        profile_pair = profiles.get(one, {}).get(key.left), profiles.get(two, {}).get(key.right)
        return _told(candidate, *profile_pair)

    try:
        match, _ = find_candidate(left, right, known)
    except ActionError:
        alone = [pair for pair in pairs if pair.home and all(map(is_key, pair.columns))]
        if len(pairs) == 1 or not any(
            len({p.columns[side] for p in alone}) == 1 for side in (0, 1)
        ):
            return []
        return [step for pair in alone for step in _looked([pair], tables, profiles)]
    keys = match.keys
    link = Link(one, tuple(key.left for key in keys), two, tuple(key.right for key in keys))
    sufficient = match.distinct >= MIN_FOR_STATISTICS
    how: KeyEvidence = "same name" if match.likeness == 1 else "like name"
    return [JoinStep(link, how, match.overlap if sufficient else None)]


def _told(
    candidate: KeyCandidate, one: ColumnProfile | None, two: ColumnProfile | None
) -> KeyCandidate | None:
    """The candidate with its overlap where the profiles list every value of both columns."""
    if one is None or two is None or {one.kind, two.kind} != {"text"}:
        return None
    for side in (one, two):
        if not side.frequent or sum(count for _, count in side.frequent) != side.rows - side.nulls:
            return None
    ours, theirs = dict(one.frequent), dict(two.frequent)
    distinct = min(len(ours), len(theirs))
    unique = max(ours.values()) == 1 or max(theirs.values()) == 1
    overlap = len(ours.keys() & theirs.keys()) / distinct
    return candidate._replace(overlap=overlap, unique=unique, distinct=distinct)


def _by_values(one: tuple[str, Table], two: tuple[str, Table]) -> list[JoinStep]:
    """What the join itself would take between two tables of unlike names."""
    try:
        match, _ = find_candidate(one[1], two[1])
    except ActionError:
        return []
    link = Link(
        one[0], tuple(k.left for k in match.keys), two[0], tuple(k.right for k in match.keys)
    )
    sufficient = match.distinct >= MIN_FOR_STATISTICS
    return [JoinStep(link, "values", match.overlap if sufficient else None)]


def _sides(pair: _Pair) -> tuple[str, tuple[str], str, tuple[str]]:
    return pair.tables[0], (pair.columns[0],), pair.tables[1], (pair.columns[1],)


def _how(pairs: Sequence[_Pair]) -> KeyEvidence:
    ours, theirs = pairs[0].columns
    return "same name" if ours.casefold() == theirs.casefold() else "like name"
