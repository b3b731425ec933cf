"""How much the figures of a column tell of one cell, whatever the other cells were made to be.

Run as ``python -m benchmarks.statistics_bits``. Around one cell, which takes each of some thousand
values in turn, other cells are laid out as somebody would who wants to read it; the entropy of the
texts that come out is what they tell.
"""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import numpy.typing as npt

from wideleaf.tools.telling.figures import find_figures

VALUES = 4_001
LARGEST = 1e6
ROWS = (20, 40, 100, 1_000)
Cells = npt.NDArray[np.float64]


def layouts(count: int) -> dict[str, Cells]:
    """Other cells, by what they were made for."""
    chance = np.random.default_rng(0)
    half = count // 2
    low, high = chance.uniform(-1e3, 0, half), LARGEST + chance.uniform(0, 1e3, count - half)
    return {
        "small": chance.uniform(0, 10, count),
        "uniform": chance.uniform(0, LARGEST, count),
        "normal": chance.normal(LARGEST / 2, LARGEST / 5, count),
        "two heaps": np.concatenate([low, high]),
        "ladder": np.linspace(0, LARGEST, count),
        "wide": np.linspace(-10 * LARGEST, 10 * LARGEST, count),
    }


def bits(others: Cells) -> float:
    """The entropy of what is told as the cell goes through its values."""
    values = np.linspace(0, LARGEST, VALUES)
    told = Counter(str(find_figures(np.append(others, value))) for value in values)
    return -sum(n / VALUES * math.log2(n / VALUES) for n in told.values())


def main() -> None:
    """Measure and print."""
    print(f"bits of a cell of {math.log2(VALUES):.0f} bits that five figures tell")
    for rows in ROWS:
        found = {name: bits(others) for name, others in layouts(rows - 1).items()}
        shown = ", ".join(f"{name} {max(one, 0.0):.1f}" for name, one in found.items())
        print(f"{rows:6} rows: {shown}")


if __name__ == "__main__":
    main()
