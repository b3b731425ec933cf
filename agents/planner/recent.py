"""Recent: what was made of tables lately, kept for the next question by whichever thread asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from wideleaf.tools.latest import Latest
from wideleaf.tools.tables.table import Table

_Made = TypeVar("_Made")


class Recent(Generic[_Made]):
    """Values by the very tables they were made of; the last few are kept.

    Args:
        size: How many.
    """

    def __init__(self, size: int) -> None:
        self._latest: Latest[tuple[tuple[Table, ...], _Made]] = Latest(size)

    def get(self, tables: tuple[Table, ...], more: object, make: Callable[[], _Made]) -> _Made:
        """The value of some tables, made if it is not kept.

        Args:
            tables: By identity: kept here, so that no other table has the number of one of them.
            more: What else the value depends on.
            make: Makes it; of two threads' values both get the first.
        """
        key = (more, *map(id, tables))
        entry = self._latest.get(key) or self._latest.keep(key, (tables, make()))
        return entry[1]
