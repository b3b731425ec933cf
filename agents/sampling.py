"""Sampling: which sample of a vote is under way, for whoever must tell it from the others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple


class Sample(NamedTuple):
    """One of several answers to the same question (Wang et al. 2023).

    Attributes:
        number: From 1.
        of: How many there are to be.
    """

    number: int
    of: int


@contextmanager
def sampling(sample: Sample | None) -> Iterator[None]:
    """Have all that is asked inside be of a sample.

    Args:
        sample: None where nothing is voted on.
    """
    before = _sample.set(sample)
    try:
        yield
    finally:
        _sample.reset(before)


def current_sample() -> Sample | None:
    """The sample that is under way here; None if nothing is voted on."""
    return _sample.get()


_sample: ContextVar[Sample | None] = ContextVar("sample", default=None)
