"""Columns that matter: those that arguments name, and those behind a cell of a later frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pydantic import JsonValue

Header = Sequence[str] | None
"""The columns of an input; None where they are not known."""
PLACES = frozenset(
    ("column", "columns", "other", "keys", "by", "order", "weight", "index", "time", "with", "keep")
)
"""Arguments that hold names of columns, wherever they stand."""


class Need(NamedTuple):
    """Columns of one frame that matter to a cell above it.

    Attributes:
        values: Those whose cells the value is made of.
        deciding: Those that decide which rows it is made of: conditions, keys, orders.
    """

    values: frozenset[str] = frozenset()
    deciding: frozenset[str] = frozenset()

    @property
    def all(self) -> frozenset[str]:
        """Both."""
        return self.values | self.deciding

    def plus(self, values: Iterable[str] = (), deciding: Iterable[str] = ()) -> Need:
        """The same with further columns."""
        return Need(self.values | {*values}, self.deciding | {*deciding})

    def through(self, needs: Mapping[str, Need]) -> Need:
        """What stands behind these columns, each made of others; one not named is not there."""
        none = Need()
        behind = [needs.get(name, none) for name in self.values]
        beside = [needs.get(name, none).all for name in self.deciding]
        values = frozenset[str]().union(*(one.values for one in behind))
        deciding = frozenset[str]().union(*(one.deciding for one in behind), *beside)
        return Need(values, deciding)

    def past(self, header: Header, needs: Mapping[str, Need] | None = None) -> Need:
        """What stands behind these columns where an input keeps its own beside those made."""
        columns = self.all if header is None else header
        return self.through({name: Need(frozenset({name})) for name in columns} | dict(needs or {}))


def join_needs(parts: Iterable[Need]) -> Need:
    """What several columns read, as one need."""
    needs = [*parts]
    return Need().plus(
        (name for one in needs for name in one.values),
        (name for one in needs for name in one.deciding),
    )


def name_lists(
    arguments: Mapping[str, JsonValue], places: frozenset[str] = PLACES
) -> Iterator[list[str]]:
    """The names of columns in arguments, those of one list together.

    Args:
        arguments: Of a call.
        places: The arguments that hold names, wherever they stand.
    """
    stack: list[tuple[str, JsonValue]] = [("", dict(arguments))]
    while stack:
        place, value = stack.pop()
        if isinstance(value, dict):
            stack.extend(reversed(list(value.items())))
        elif isinstance(value, list):
            names = [part for part in value if isinstance(part, str)]
            if names and place in places:
                yield names
            stack.extend((place, part) for part in reversed(value) if isinstance(part, dict | list))
        elif isinstance(value, str) and place in places:
            yield [value]
