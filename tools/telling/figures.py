"""Figures of a column: mean, deviation and quartiles, no finer than one row would move them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np

SIGNIFICANT_DIGITS = 3
"""Statistics are rounded to this, so that a quantile never repeats a cell exactly."""
QUARTILES = (0.25, 0.5, 0.75)
DECIDING = 0.5
"""A deviation of which one row makes up so much is not told, nor anything beside it."""
_STEPS = (1.0, 2.0, 5.0, 10.0)


class Figure(NamedTuple):
    """A statistic, and how far it moves at most if any one row is left out."""

    value: float
    influence: float

    def __str__(self) -> str:
        """Rounded to a step no smaller than the influence, and to three significant digits."""
        step = round_step(self.influence)
        rounded = round(self.value / step) * step if step else self.value
        return f"{rounded + 0.0:.{SIGNIFICANT_DIGITS}g}"


class Figures(NamedTuple):
    """What is told of a column of numbers."""

    mean: Figure
    deviation: Figure
    quartiles: tuple[Figure, ...]

    def __str__(self) -> str:
        quartiles = ", ".join(map(str, self.quartiles))
        return f"mean {self.mean}, deviation {self.deviation}, quartiles {quartiles}"


def find_figures(cells: np.ndarray[Any, Any]) -> Figures | None:
    """The figures of a column, each with the influence of its most influential row.

    So two frames that differ in one row differ by a step at most, and tell of that row which side
    of the step it is on. An offset, or a column made for it, changes nothing of this.

    Args:
        cells: Numbers without nulls, three or more.

    Returns:
        The figures; None if one row decides the deviation, or a cell is no finite number.
    """
    import numpy as np

    cells = np.sort(cells.astype(np.float64))
    if len(cells) < 3 or not np.isfinite(cells).all():
        return None
    middle = cells[len(cells) // 2]
    mean, deviation = _moments(cells - middle)
    if not deviation.influence <= DECIDING * deviation.value:
        return None
    return Figures(
        mean._replace(value=mean.value + middle),
        deviation,
        tuple(_quartile(cells, share) for share in QUARTILES),
    )


def round_step(influence: float) -> float:
    """The smallest of 1, 2 and 5 times a power of ten that is no less; 0 for none."""
    if not influence > 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(influence))
    return next((step * power for step in _STEPS if step * power >= influence), 10 * power)


def _moments(cells: np.ndarray[Any, Any]) -> tuple[Figure, Figure]:
    import numpy as np

    count = len(cells)
    mean = cells.mean()
    away = cells - mean
    squares = away**2
    total = squares.sum()
    deviation = math.sqrt(total / (count - 1))
    rest = np.clip(total - squares * count / (count - 1), 0.0, None)
    moved = np.abs(np.sqrt(rest / (count - 2)) - deviation)
    influence = np.abs(away).max() / (count - 1)
    return Figure(float(mean), float(influence)), Figure(deviation, float(moved.max()))


def _quartile(cells: np.ndarray[Any, Any], share: float) -> Figure:
    """A quantile of sorted cells; whichever cell goes, one of these four comes to the same."""
    value = _quantile(cells, share)
    low = int((len(cells) - 1) * share)
    places = {0, low, min(low + 1, len(cells) - 1), len(cells) - 1}
    moved = max(abs(_quantile(cells, share, without) - value) for without in places)
    return Figure(value, moved)


def _quantile(cells: np.ndarray[Any, Any], share: float, without: int | None = None) -> float:
    """A quantile between neighbours of sorted cells, as if one of them were not there."""
    count = len(cells) - (without is not None)

    def cell(place: int) -> float:
        return float(cells[place + (without is not None and place >= without)])

    exact = (count - 1) * share
    low = int(exact)
    return cell(low) + (cell(min(low + 1, count - 1)) - cell(low)) * (exact - low)
