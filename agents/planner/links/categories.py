"""Categories: one-hot columns seen as the one column of text that they were made of."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.tables.families import LONGEST_HEADER

MIN_LEVELS = 3
LEVEL_KINDS = ("number", "boolean")
_LEVEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ENDS = "_. -"


class Category(NamedTuple):
    """Columns that may be the levels of one category; the cells say whether they are.

    Attributes:
        name: The column that they are to become: what their names begin with.
        columns: The columns, in the order of the table.
        levels: The level each stands for, as its name writes it.
        reference: What stands for all of them in an action: a star or the names.
    """

    name: str
    columns: tuple[str, ...]
    levels: tuple[str, ...]
    reference: tuple[str, ...]


@lru_cache(maxsize=64)
def find_categories(
    kinds: tuple[tuple[str, str], ...], small: tuple[bool, ...]
) -> tuple[Category, ...]:
    """Find columns whose names are a factor's name with its level, by names and types alone.

    A level begins with a capital after the last underscore (``MAN_BreederNorth``), as model
    matrices write it, or, where types are whole numbers or booleans, after an underscore
    (``breeder_North``), as dummy columns are written.

    Args:
        kinds: Each column's name and kind.
        small: For each, whether its type is one that dummy columns are written with.
    """
    short = [len(name) <= LONGEST_HEADER for name, _ in kinds]
    numbers = [n for (n, kind), ok in zip(kinds, short, strict=True) if ok and kind in LEVEL_KINDS]
    factors: dict[str, list[str]] = {}
    cuts = {name: _capitals(name) for name in numbers}
    sizes = Counter(name[:cut] for name, places in cuts.items() for cut in places)
    for name in numbers:
        cut = next((cut for cut in cuts[name] if sizes[name[:cut]] >= MIN_LEVELS), 0)
        if cut:
            factors.setdefault(name[:cut], []).append(name)
    levels = {name for names in factors.values() for name in names}
    dummies = [n for (n, _), *all_of in zip(kinds, small, short, strict=True) if all(all_of)]
    whole = [name for name in dummies if name not in levels]
    factors |= _group_by_prefix(whole)
    every = sorted({name for name, _ in kinds})
    return tuple(
        _category(start, names, every)
        for start, names in factors.items()
        if len(names) >= MIN_LEVELS
    )


def _capitals(name: str) -> list[int]:
    """Where a level may begin: before a capital after the last underscore."""
    least = name.rfind("_") + 1
    return [
        m.start()
        for m in _LEVEL.finditer(name)
        if m.start() > least and re.search(r"[_.]", name[: m.start()])
    ]


def _group_by_prefix(names: list[str]) -> dict[str, list[str]]:
    """Groups of names that share what stands before an underscore, the longest such text."""
    begun: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        for match in re.finditer("_", name):
            if 0 < match.start() < len(name) - 1:
                begun[name[: match.start() + 1]].append(name)
    longest: dict[tuple[str, ...], str] = {}
    for start, group in begun.items():
        numbered = all(name[len(start) :].isdigit() for name in group)
        if len(group) >= MIN_LEVELS and not numbered:
            longest[tuple(group)] = start  # a longer start comes after the shorter one
    return {start: list(group) for group, start in longest.items()}


def _category(start: str, names: list[str], every: list[str]) -> Category:
    """A category by its columns; every name of the table comes in order."""
    star = f"{start}*"
    plain = not set("*{}") & set(start) and not _is_among(star, every)
    first = bisect_left(every, start)
    begun = takewhile(lambda name: name.startswith(start), every[first : first + len(names) + 1])
    alone = plain and sum(1 for _ in begun) == len(names)
    called = start.rstrip(_ENDS) or start
    if _is_among(called, every):
        called = f"{called} level"
    reference = (star,) if alone else tuple(names)
    return Category(called, tuple(names), tuple(name[len(start) :] for name in names), reference)


def _is_among(name: str, every: list[str]) -> bool:
    place = bisect_left(every, name)
    return every[place : place + 1] == [name]


class CategoryLevel(NamedTuple):
    """A level of a category: the column that stands for it."""

    category: str
    level: str
    column: str


def level_words(categories: Mapping[str, Category]) -> dict[tuple[str, ...], list[CategoryLevel]]:
    """Stems of every run of a level's words to the levels that have it."""
    levels: defaultdict[tuple[str, ...], list[CategoryLevel]] = defaultdict(list)
    for one in categories.values():
        for level, column in zip(one.levels, one.columns, strict=True):
            words = tuple(stem(word) for word in header_words(level))
            runs = {
                words[start:end]
                for start in range(len(words))
                for end in range(start + 1, len(words) + 1)
            }
            for run in runs:
                levels[run].append(CategoryLevel(one.name, level, column))
    return levels
