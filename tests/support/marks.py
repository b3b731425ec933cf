"""What a test needs beside Python is told by its marks; what gives it asks for them."""

import pytest

current: set[str] = set()
"""The marks of the test that runs."""


def need_mark(name: str) -> None:
    """Fail a test that uses what it is not marked for, and so would run where that is left out."""
    if name not in current:
        pytest.fail(f"this test needs the mark {name!r}")
