"""Plain data as every file, engine and checkpoint can hold it."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterator
from typing import Any

_LONG_NUMBER = re.compile(r"\d{19}")


def whole(value: Any) -> Any:
    """Plain data without what JSON can write but a file, engine or checkpoint cannot hold.

    Half of a character becomes a question mark; an integer beyond 64 bits the nearest float, and
    what is beyond floats, too, the largest of them, so that comparisons with it stay right; what
    is no number (NaN) becomes null.

    Raises:
        ValueError: If it is nested too deep to be written as JSON.
    """
    try:
        return value if _is_whole(value) else _mend(value)
    except RecursionError:
        raise ValueError("nested too deep") from None


def is_deeper(value: object, levels: int) -> bool:
    """Whether lists and objects stand in one another more than so many levels deep."""
    if not isinstance(value, (dict, list)):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(is_deeper(item, levels - 1) for item in inner)


def texts_in(value: object, *, keys: bool = True) -> Iterator[str]:
    """Every text in plain data, with or without the keys of objects."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value if keys else ()
        value = [*value.values()]
    if isinstance(value, list):
        for item in value:
            yield from texts_in(item, keys=keys)


def _is_whole(value: object) -> bool:
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode()
    except ValueError:  # half of a character, no finite number, or one of too many digits
        return False
    return not _LONG_NUMBER.search(text)


def _mend(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_mend(key): _mend(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_mend(item) for item in value]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    if isinstance(value, int) and -(2**63) <= value < 2**63:
        return value
    try:
        number = float(value)
    except OverflowError:
        number = math.inf if value > 0 else -math.inf
    if math.isnan(number):
        return None
    return max(-sys.float_info.max, min(number, sys.float_info.max))
