"""What a test asks of the time something takes, without a clock: events, and counts of work."""

import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

PATIENCE = 300.0
"""Seconds after which an event will not come any more, however busy the machine is."""


def comes_true(condition: Callable[[], object]) -> bool:
    """Wait for an event as long as it takes; False if it does not come."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def calls_in(action: Callable[[], Any]) -> int:
    """How many functions an action calls, of Python and of C: its work, on any machine."""
    calls = 0

    def count(frame: FrameType, event: str, of: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        action()
    finally:
        sys.setprofile(before)
    return calls
