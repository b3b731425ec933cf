"""Finding the keys of a join where none are named: by names, then by values that both have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import narwhals as nw

from wideleaf.tools.actions.joining.keys import JoinKey, add_keys, fresh_names
from wideleaf.tools.actions.joining.samples import sample_here, sample_partners
from wideleaf.tools.errors import ActionError
from wideleaf.tools.queries.meeting import meet
from wideleaf.tools.tables.profiling.sampled import is_large
from wideleaf.tools.tables.table import Table
from wideleaf.tools.words import KEY_WORDS, is_key

MAX_TRIED = 12
MAX_COLUMNS = 40
"""Columns of a table up to which values alone may tell a key."""
SAMPLED = 1_000_000
MIN_OVERLAP = 0.3
CLEARLY = 0.2


class KeyCandidate(NamedTuple):
    """Keys that may be meant.

    Attributes:
        keys: The pairs of columns.
        likeness: How alike their names are, from 0 to 1.
        overlap: Share of the distinct keys of a side that the other has, too.
        unique: Whether no key repeats on one of the sides.
        distinct: How many distinct keys the side of fewer has; 0 where nobody looked.
    """

    keys: tuple[JoinKey, ...]
    likeness: float
    overlap: float = 0.0
    unique: bool = False
    distinct: int = 0

    @property
    def text(self) -> str:
        """The pairs in words."""
        return " and ".join(f"{key.left!r} = {key.right!r}" for key in self.keys)

    @property
    def score(self) -> float:
        """How much speaks for it."""
        return self.likeness + self.overlap

    @property
    def fits(self) -> bool:
        """Whether the tables have keys in common and none repeats on one of the sides."""
        return self.unique and self.overlap >= MIN_OVERLAP


def find_keys(left: Table, right: Table) -> tuple[tuple[JoinKey, ...], str]:
    """The keys that are clearly best, and by what they were found.

    Raises:
        ActionError: If there are none, or several that would do.
    """
    candidate, by = find_candidate(left, right)
    return candidate.keys, by


def find_candidate(
    left: Table,
    right: Table,
    lookup: Callable[[KeyCandidate], KeyCandidate | None] = lambda candidate: None,
) -> tuple[KeyCandidate, str]:
    """The candidate that is clearly best, and by what it was found.

    Args:
        left: One table.
        right: The other.
        lookup: Gives a candidate of like names with its overlap where that is known already; None
            where the cells have to be read.

    Raises:
        ActionError: If there are none, or several that would do.
    """
    candidates = _pair_names(left, right)
    if len(candidates) == 1 and 0 in (left.count(), right.count()):
        return candidates[0], "name"
    trials: list[KeyCandidate] = []
    for one in candidates:
        best = max((other.score for other in trials if other.fits), default=0.0)
        if best - (one.likeness + 1) < CLEARLY:  # else it could not be as good
            trials.append(lookup(one) or _weigh(one, left, right))
    alike = [one for one in trials if one.overlap >= MIN_OVERLAP]
    good, by = [one for one in alike if one.unique], "name and overlap"
    if not candidates:
        good, by = list(_by_values(left, right)), "overlap"
    elif not good and len(alike) > 1:
        good, by = _together(alike, left, right), "names and overlap"
    good.sort(key=lambda one: -one.score)
    if not good:
        raise ActionError(
            _nothing(candidates, alike, left, right), kind="no key", private=_told(trials)
        )
    if len(good) > 1 and good[0].score - good[1].score < CLEARLY:
        several = "; ".join(one.text for one in good[:5])
        raise ActionError(
            f"several keys would do: {several}; give on", kind="no key", private=_told(good)
        )
    return good[0], by


def _together(alike: Sequence[KeyCandidate], left: Table, right: Table) -> list[KeyCandidate]:
    """The pairs of one name as one key, where each repeats by itself and together they do not."""
    keys = tuple(key for one in alike if one.likeness == 1 for key in one.keys)
    whole = _weigh(KeyCandidate(keys, 1.0), left, right) if keys else None
    return [whole] if whole and whole.fits else []


def _pair_names(left: Table, right: Table) -> list[KeyCandidate]:
    """Pairs of comparable columns of like names, the most alike first."""
    theirs: dict[str, list[str]] = {}
    for name in right.columns:
        theirs.setdefault(bare_name(name), []).append(name)
    candidates = []
    for name in left.columns:
        bare = bare_name(name)
        others = list(theirs.get(bare, ()))
        if bare and is_key(name):
            others += theirs.get("", ())
        if not bare:
            others = [one for one in right.columns if is_key(one)]
        for other in others:
            if are_comparable(name, other, left, right):
                likeness = _likeness(name, other)
                candidates.append(KeyCandidate((JoinKey(left=name, right=other),), likeness))
    candidates.sort(key=lambda one: (-one.likeness, not is_key(one.keys[0].left)))
    return candidates[:MAX_TRIED]


@lru_cache(maxsize=65536)
def bare_name(name: str) -> str:
    """A name without case, blanks and what says that it is a key; empty for a bare ``id``."""
    return _fold_name(KEY_WORDS.sub("", name.strip()))


def _likeness(name: str, other: str) -> float:
    bare = [not bare_name(one) for one in (name, other)]
    if all(bare):  # each table may count its own rows
        return 0.5
    if any(bare):
        return 0.8
    return 1.0 if _fold_name(name) == _fold_name(other) else 0.9


def _fold_name(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def are_comparable(name: str, other: str, left: Table, right: Table) -> bool:
    """Whether a column of each table could hold the same keys, as far as their types tell."""
    kind = left.kind(name)
    if kind == "datetime" and left.schema[name] != right.schema[other]:
        return False
    return kind == right.kind(other) and kind in ("number", "text", "date", "datetime")


def _weigh(candidate: KeyCandidate, left: Table, right: Table) -> KeyCandidate:
    """The candidate with what the data say; of large tables, samples of them."""
    if not (is_large(left) or is_large(right)):
        return _weigh_whole(candidate, left, right)
    swapped = tuple(JoinKey(left=key.right, right=key.left) for key in candidate.keys)
    sides = [(candidate.keys, left, right), (swapped, right, left)]
    sides.sort(key=lambda side: -side[1].count())  # the longer table rather has the other's keys
    candidates = [candidate]
    for keys, some, other in sides:
        ours, theirs = ({getattr(key, side): None for key in keys} for side in ("left", "right"))
        rows = sample_here(some, *ours)
        rows, partners = sample_partners(keys, rows, Table(other.frame.select(*theirs)))
        trial = _weigh_whole(candidate._replace(keys=keys), rows, partners, looked_up=True)
        candidates.append(trial._replace(keys=candidate.keys))
        if trial.fits:
            break
    return max(candidates, key=lambda one: (one.fits, one.overlap))


def _weigh_whole(
    candidate: KeyCandidate, left: Table, right: Table, looked_up: bool = False
) -> KeyCandidate:
    """What all rows say, of a very long left table the first; or a sample that was looked up."""
    names = fresh_names("key", len(candidate.keys), left, right)

    def distinct(side: int) -> nw.LazyFrame[Any]:
        frame = add_keys(side, candidate.keys, names, left, right).select(*names)
        frame = frame.head(SAMPLED) if side == 0 else frame
        return (
            frame.drop_nulls().group_by(*names).agg(nw.len().cast(nw.Int64).alias(f"rows_{side}"))
        )

    counts = []
    for side in (0, 1):
        rows = nw.col(f"rows_{side}")
        row = distinct(side).select(nw.len().alias("distinct"), rows.max().alias("most"))
        counts.append(row.collect().row(0))
    (ours, our_most), (theirs, their_most) = counts
    if not ours or not theirs:
        return candidate
    one, other = meet([Table(distinct(0)), Table(distinct(1))])
    both = Table(one.frame.join(other.frame, on=names, how="inner")).count()
    # That no key repeats in a sample says nothing; of keys that were looked up all rows are there.
    unique = their_most == 1 or (our_most == 1 and not looked_up)
    distinct_keys = ours if looked_up else min(ours, theirs)
    return candidate._replace(overlap=both / distinct_keys, unique=unique, distinct=distinct_keys)


def _by_values(left: Table, right: Table) -> Iterator[KeyCandidate]:
    """Text columns that share their values; numbers would by chance."""
    if max(len(left.columns), len(right.columns)) > MAX_COLUMNS:
        return
    texts = [[n for n in table.columns if table.kind(n) == "text"] for table in (left, right)]
    pairs = [JoinKey(left=a, right=b) for a in texts[0] for b in texts[1]]
    for key in pairs[: MAX_TRIED**2]:
        weighed = _weigh(KeyCandidate((key,), 0.0), left, right)
        if weighed.unique and weighed.overlap >= 2 * MIN_OVERLAP:
            yield weighed


def _nothing(
    candidates: Sequence[KeyCandidate], alike: Sequence[KeyCandidate], left: Table, right: Table
) -> str:
    if alike:
        several = "; ".join(one.text for one in alike[:5])
        return f"no key is clear: {several} repeat on both sides; give on to join so all the same"
    if candidates:
        several = "; ".join(one.text for one in candidates[:5])
        return f"no key was found: {several} have like names but hardly a value in common; give on"
    return (
        f"no key was found: none of {len(left.columns)} left and {len(right.columns)} right "
        "columns have like names and kinds; give on, such as [{left: ..., right: ...}]"
    )


def _told(candidates: Sequence[KeyCandidate]) -> str:
    shares = (f"{one.text}: {100 * one.overlap:.3g}% overlap" for one in candidates[:5])
    return "; ".join(shares)
