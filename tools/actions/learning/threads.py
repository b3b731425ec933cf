"""Threads: numbers come out the same on every machine where one thread adds them up."""

from __future__ import annotations

from typing import Any


def one_thread() -> Any:
    """A context of one thread: several add up in another order, and wait for each other."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    return threadpool_limits(1)
