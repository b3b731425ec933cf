"""Recent: what was made of tables lately, kept for the next question by whichever thread asks."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from wideleaf.tools.tables.table import Table

_Made = TypeVar("_Made")


class Recent(Generic[_Made]):
    """Values by the very tables they were made of; the last few are kept.

    Args:
        size: How many.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[object, tuple[tuple[Table, ...], _Made]] = OrderedDict()
        self._lock = Lock()

    def get(self, tables: tuple[Table, ...], more: object, make: Callable[[], _Made]) -> _Made:
        """The value of some tables, made if it is not kept.

        Args:
            tables: By identity: kept here, so that no other table has the number of one of them.
            more: What else the value depends on.
            make: Makes it, outside of the lock; of two threads' values all get the first.
        """
        key = (more, *map(id, tables))
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key][1]
        made = make()
        with self._lock:
            value = self._kept.setdefault(key, (tables, made))[1]
            self._kept.move_to_end(key)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
            return value
