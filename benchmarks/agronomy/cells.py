"""The cells of the trial table, by blocks: the same for a seed whatever is made around them."""

from __future__ import annotations

from functools import cache
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from agronomy.columns import SERIES, Measure, Series, Slopes
from agronomy.groups import (
    BREEDER,
    CROPS,
    FIELD,
    MANAGEMENT,
    ORIENTATION,
    PREVIOUS,
    OneHot,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Cells = npt.NDArray[Any]

BLOCK = 8_192
"""Rows of a block; each column of a block has random numbers of its own."""
STEPS = 255
DRAWS = 1 << 16
"""A cell of a series is one draw of sixteen bits: missing, or a quantile of the noise."""
GAPS = {"BOMDom": 0.01, "SatDom": 0.04}
"""The share of days a station or, for clouds, a satellite misses."""


class Block(NamedTuple):
    """What trials are like, the factors that their cells come from, for the rows of one block."""

    seed: int
    number: int
    rows: int
    wide: bool
    factors: dict[str, Cells]
    chosen: dict[str, Cells]
    yields: Cells

    def generator(self, name: str) -> np.random.Generator:
        """The random numbers of one column in this block."""
        return _generator(self.seed, self.number, name)


def make_block(seed: int, number: int, rows: int, wide: bool) -> Block:
    """The factors, choices and yields of one block of trials.

    Yield depends on rainfall, greenness, the previous crop and somewhat on the breeder.
    """
    import numpy as np

    size = min(BLOCK, rows - number * BLOCK)
    rng = _generator(seed, number, "factors")
    drawn = rng.normal(size=(5, BLOCK))[:, :size]
    factors = dict(zip(("rain", "green", "clay", "warm", "light"), drawn, strict=True))
    chosen = {
        group.stem: _choices(group, _generator(seed, number, group.stem), wide)[:size]
        for group in (*MANAGEMENT, *FIELD)
        if group.shown(wide)
    }
    # What was grown a year ago is the previous crop, in both families that tell it.
    chosen["METADom_Crop_rotation_minus_1_sub_crop"] = chosen[PREVIOUS.stem]
    # An orientation to the sun shows in the light, a breeder's kernels, height and earliness in
    # what is grown: three traits that tell the breeders apart, and a little in the yield.
    facing = np.array([0.6, 0.0, -0.6, 0.0])[chosen[ORIENTATION.stem]]
    factors["light"] = factors["light"] + facing
    traits = np.random.default_rng(2018).permuted(
        np.tile(np.linspace(-1.6, 1.6, len(BREEDER.levels)), (3, 1)), axis=1
    )[:, chosen[BREEDER.stem]]
    factors |= dict(zip(("kernel", "height", "earliness"), traits, strict=True))
    effect = np.array(list(CROPS.values()))[chosen[PREVIOUS.stem]]
    rain, green, kernel = factors["rain"], factors["green"], factors["kernel"]
    noise = rng.normal(scale=0.3, size=BLOCK)[:size]
    yields = np.clip(3.5 + 0.5 * rain + 0.7 * green + 0.15 * kernel + effect + noise, 0.1, None)
    return Block(seed, number, size, wide, factors, chosen, yields)


def measured(measure: Measure, block: Block) -> Cells:
    """The cells of a measure: float32, NaN where missing."""
    rng = block.generator(measure.name)
    noise, missing = rng.normal(scale=measure.noise, size=BLOCK), rng.random(BLOCK)
    values = measure.mean + _effect(measure.slopes, block) + noise[: block.rows]
    values = values.clip(measure.least, measure.most)
    return with_gaps(values, missing[: block.rows] < measure.gaps, measure.digits)


def with_gaps(values: Cells, missing: Cells, digits: int) -> Cells:
    """Rounded, as float32, NaN where missing."""
    import numpy as np

    cells = values.round(digits).astype(np.float32)
    cells[missing] = np.nan
    return cells


def indicated(stem: str, level: int, block: Block) -> Cells:
    """The column of 0 and 1 of one level."""
    import numpy as np

    cells: Cells = (block.chosen[stem] == level).astype(np.int8)
    return cells


def stepped(name: str, day: int, block: Block) -> tuple[Cells, Cells]:
    """The cells of a series on a day, as numbers of steps, and which are missing."""
    import numpy as np

    series, statistic = series_of(name)
    season = series.swing * float(np.sin(np.pi * min(max((day + 20) / 220, 0), 1)))
    draws = np.frombuffer(block.generator(f"{name} {day}").bytes(2 * BLOCK), np.uint16)
    draws = draws[: block.rows]
    noise = _noise(GAPS[name.split("_")[0]])[draws]
    if statistic == "mean":
        steps = series_effect(series, block) + noise * np.float32(series.noise / series.step)
        steps += np.float32((series.mean + season - series.least) / series.step)
    else:  # how much a day varied within the plots of a trial
        spread = {"sd": 0.5, "range": 1.6}[statistic] * series.noise / series.step
        steps = np.float32(spread) * np.exp(np.float32(0.3) * noise)
    missing = np.isnan(noise)
    steps[missing] = 0
    return np.rint(steps).clip(0, STEPS).astype(np.uint8), missing


def series_values(name: str) -> Cells:
    """What each number of steps of a series means."""
    import numpy as np

    series, statistic = series_of(name)
    least = series.least if statistic == "mean" else 0
    return (least + np.arange(STEPS + 1) * series.step).round(4).astype(np.float32)


def series_of(name: str) -> tuple[Series, str]:
    """The series and the statistic a name such as `SatDom_NDVI_mean` is of."""
    stem, _, statistic = name.rpartition("_")
    return SERIES[f"{stem}_mean"], statistic


def series_effect(series: Series, block: Block) -> Cells:
    """What the factors of its trials do to a series, in steps."""
    import numpy as np

    kept = block.factors.get(series.name)
    if kept is None:
        kept = (_effect(series.slopes, block) / series.step).astype(np.float32)
        block.factors[series.name] = kept
    return kept


def _effect(slopes: Slopes, block: Block) -> Cells:
    import numpy as np

    total = np.zeros(block.rows)
    for factor, slope in slopes:
        total += slope * block.factors[factor]
    return total


@cache
def _noise(gaps: float) -> Cells:
    """The standard normal quantile of every draw, NaN for the draws that are missing cells."""
    import numpy as np

    empty, quantile = round(gaps * DRAWS), NormalDist().inv_cdf
    known = DRAWS - empty
    quantiles = [quantile((place + 0.5) / known) for place in range(known)]
    return np.array([np.nan] * empty + quantiles, np.float32)


def _choices(group: OneHot, rng: np.random.Generator, wide: bool) -> Cells:
    """The number of the level each trial has; the first levels are the most frequent."""
    import numpy as np

    count = len(group.shown(wide))
    shares = 1 / (3 + np.arange(count))
    return rng.choice(count, size=BLOCK, p=shares / shares.sum())


def _generator(seed: int, number: int, name: str) -> np.random.Generator:
    import numpy as np

    return np.random.Generator(np.random.SFC64((seed, number, crc32(name.encode()))))
