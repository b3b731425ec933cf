"""Between what a score lies: the middle 95 % of scores of rows drawn again and again."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

DRAWS = 200
LEAST_DRAWN = 10
"""Of fewer rows nothing is drawn."""
MOST_DRAWN = 20_000
"""Of more rows so many are drawn, and what they spread more for that is taken back."""
BOUNDS = (2.5, 97.5)


def intervals(
    measure: Callable[[np.ndarray[Any, Any]], Mapping[str, float | None]],
    found: Mapping[str, float | None],
    rows: np.ndarray[Any, Any],
    seed: int,
) -> dict[str, tuple[float, float]]:
    """The bounds of every measure that has a value in half of the draws or more.

    Args:
        measure: The measures of any rows, one as often as it is named.
        found: Those of all rows.
        rows: The rows.
        seed: Where the draws start.
    """
    import numpy as np

    if len(rows) < LEAST_DRAWN:
        return {}
    random = np.random.RandomState(seed)
    size = min(len(rows), MOST_DRAWN)
    drawn = [measure(rows[random.randint(len(rows), size=size)]) for _ in range(DRAWS)]
    bounds = {}
    for name, value in found.items():
        told = [one for draw in drawn if (one := draw.get(name)) is not None]
        if value is None or 2 * len(told) < DRAWS:
            continue
        low, high = np.percentile(told, BOUNDS)
        narrower = math.sqrt(size / len(rows))
        bounds[name] = (
            value + narrower * (float(low) - value),
            value + narrower * (float(high) - value),
        )
    return bounds
