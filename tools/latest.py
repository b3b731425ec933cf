"""Latest: the values that were made last, by key, for whichever thread asks next."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

_Value = TypeVar("_Value")


class Latest(Generic[_Value]):
    """The last few values by key; what was not asked for longest goes first.

    Nothing is made within the lock: of two threads that make the same value, both get the first.

    Args:
        size: How many.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[object, _Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: object) -> _Value | None:
        """The value of a key, if it is still kept."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: object, value: _Value) -> _Value:
        """Keep a value, and give what is kept: the one before it, where there is one."""
        with self._lock:
            value = self._kept.setdefault(key, value)
            self._kept.move_to_end(key)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
            return value
