"""The trial table: a made-up wide table of crop trials with known relations, to try things on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Cells = npt.NDArray[Any]

QUESTIONS = (
    "What is the mean grain yield in tons per hectare?",
    "What is the mean NDVI 10 days after planting?",
    "For trials where the previous crop was wheat, what is the average grain yield?",
)

DAYS = range(-80, 251)
"""Days relative to planting that a series may have."""
SERIES = {
    # name: mean, swing over the season, effect of rain, of greenness, noise; cells are never < 0
    "SatDom_NDVI_mean": (0.35, 0.3, 0.0, 0.06, 0.03),
    "BOMDom_rainfall_mean": (2.0, 0.8, 0.9, 0.0, 1.0),
    "BOMDom_max_temperature_mean": (24.0, -6.0, -0.5, 0.0, 2.0),
    "BOMDom_min_temperature_mean": (11.0, -5.0, 0.2, 0.0, 2.0),
    "BOMDom_solar_exposure_mean": (18.0, -5.0, -0.8, 0.0, 2.0),
    "BOMDom_vapour_pressure_mean": (11.0, -2.0, 0.6, 0.0, 1.0),
    "BOMDom_relative_humidity_mean": (60.0, 10.0, 4.0, 0.0, 6.0),
    "BOMDom_evaporation_mean": (5.0, -2.0, -0.3, 0.0, 0.8),
    "BOMDom_wind_speed_mean": (4.0, 0.3, 0.0, 0.0, 0.8),
    "SatDom_EVI_mean": (0.25, 0.22, 0.0, 0.05, 0.03),
    "SatDom_SAVI_mean": (0.28, 0.2, 0.0, 0.05, 0.03),
    "SatDom_GNDVI_mean": (0.4, 0.25, 0.0, 0.05, 0.03),
    "SatDom_NDWI_mean": (0.3, 0.1, 0.05, 0.02, 0.04),
    "SatDom_FPAR_mean": (0.4, 0.3, 0.0, 0.06, 0.05),
    "SatDom_LAI_mean": (1.5, 1.2, 0.0, 0.3, 0.3),
    "SatDom_GPP_mean": (0.03, 0.02, 0.0, 0.005, 0.005),
    "SatDom_LST_day_mean": (27.0, -8.0, -1.0, -0.5, 2.0),
    "SatDom_LST_night_mean": (9.0, -4.0, 0.3, 0.0, 2.0),
    "SatDom_EvapoTrans_mean": (12.0, 5.0, 0.8, 1.0, 2.0),
    "SatDom_blue_band_mean": (0.06, -0.02, 0.0, -0.004, 0.01),
    "SatDom_green_band_mean": (0.09, -0.01, 0.0, 0.0, 0.01),
    "SatDom_red_band_mean": (0.11, -0.05, 0.0, -0.01, 0.01),
    "SatDom_NIR_mean": (0.27, 0.08, 0.0, 0.02, 0.02),
    "SatDom_MIR_mean": (0.25, -0.08, -0.01, -0.01, 0.02),
    "SatDom_SWIR_mean": (0.22, -0.06, -0.01, -0.01, 0.02),
}
CROPS = {"Wheat": -0.6, "Barley": -0.4, "Canola": 0.3, "Field.Pea": 0.7, "Fallow": 0.5}
"""Crops of earlier years and what each adds to the yield, in t/ha."""
INDICATORS = {
    "MANDom_Series_name": ("Durum", "Early.Conventional", "Late.IMI", "ITAdvMainLEP"),
    "MANDom_Breeder": (
        "Advanta.Seeds",
        "Bayer.CropScience",
        "Harrow.Genetics",
        "Longfield.Grain",
        "Northplain",
    ),
    "MANDom_Orientation_sub_crop": ("North", "East", "South", "West"),
}
SOIL_DEPTHS = (10, 30, 60)
FIRST_SERIES_DAYS = 8
"""Every series has at least so many days, those nearest to the planting day by tens."""


def make_trial_table(path: Path, rows: int = 400, columns: int = 1200, seed: int = 0) -> Path:
    """Write a trial table in the manner of TSO, appendix A.2: names as R writes them.

    Yield depends on rainfall, NDVI and the previous crop; waterlogging on the soil. One row is a
    trial; `.80` in a name is day -80.

    Args:
        path: The Parquet file to write.
        rows: Number of trials.
        columns: Number of columns.
        seed: The same seed gives the same table.

    Returns:
        The path.

    Raises:
        ValueError: If there cannot be so few or so many columns.
    """
    import numpy as np
    import pandas as pd

    rng = np.random.default_rng(seed)
    rain, green, clay = rng.normal(size=(3, rows))
    crops = list(CROPS)
    previous = rng.integers(len(crops), size=rows)
    effect = np.array(list(CROPS.values()))[previous]
    yields = 3.5 + 0.5 * rain + 0.7 * green + effect + rng.normal(scale=0.3, size=rows)
    yields = np.clip(yields, 0.1, None)
    cells: dict[str, Cells] = {
        "MANDom_trial_code": np.array([f"trial_{row:05d}" for row in range(1, rows + 1)]),
        "PHENDom_yield_t_ha": _gaps(yields, 0.03, rng),
        "PHENDom_yield_pct_of_average": _gaps(100 * yields / yields.mean(), 0.03, rng),
        "PHENDom_Waterlogging": _gaps(_score(3 + 2 * clay, rng), 0.4, rng),
        "PHENDom_Yellow_Leaf_Spot": _gaps(_score(2 + 0.5 * rain, rng), 0.5, rng),
        "PHENDom_Weed_score": _gaps(_score(np.full(rows, 2.0), rng), 0.5, rng),
    }
    for number in range(1, 7):
        stage = 10 + 13 * number + rng.normal(scale=3, size=rows)
        weight = 34 + number + 2 * green + rng.normal(scale=2, size=rows)
        cells[f"PHENDom_Zadoks_score_obs_{number}"] = _gaps(stage.round(), 0.1, rng)
        cells[f"PHENDom_X1000.grain.weight_{number}"] = _gaps(weight, 0.1, rng)
    for stem, levels in INDICATORS.items():
        cells |= _indicators(stem, levels, rng.integers(len(levels), size=rows))
    cells |= _indicators("METADom_previous_crop_sub_crop", crops, previous)
    cells["METADom_previous_crop_same_sub_cropTRUE"] = (previous == 0).astype(np.int8)
    for year in range(1, 6):
        grown = previous if year == 1 else rng.integers(len(crops), size=rows)
        cells |= _indicators(f"METADom_Crop_rotation_minus_{year}_sub_crop", crops, grown)
    for depth in SOIL_DEPTHS:
        for test, mean, slope in (("Colwell", 35.0, 8.0), ("Bray", 18.0, 4.0), ("pH", 6.5, 0.4)):
            soil = mean + slope * clay + rng.normal(scale=slope / 3, size=rows)
            cells[f"METADom_Soil_test_class_{depth}cm_{test}"] = _gaps(soil, 0.05, rng)
    for cause in ("Frost", "Hail", "Herbicide", "Insects"):
        cells[f"ENVDom_Damage_by_{cause}"] = (rng.random(rows) < 0.1).astype(np.int8)
    for name, day in _series_days(columns - len(cells)):
        mean, swing, wet, lush, noise = SERIES[name]
        season = swing * np.sin(np.pi * np.clip((day + 20) / 220, 0, 1))
        values = mean + season + wet * rain + lush * green + rng.normal(scale=noise, size=rows)
        suffix = f".{-day}" if day < 0 else str(day)
        cells[f"{name}_{suffix}"] = _gaps(np.clip(values, 0, None), 0.02, rng)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    pd.DataFrame(cells).to_parquet(part, index=False)
    return part.replace(path)


def trial_table_answers(path: Path) -> dict[str, float]:
    """The answers to `QUESTIONS`, computed by pandas alone."""
    import pandas as pd

    names = ["PHENDom_yield_t_ha", "SatDom_NDVI_mean_10", "METADom_previous_crop_sub_cropWheat"]
    table = pd.read_parquet(path, columns=names)
    yields, ndvi, wheat = (table[name] for name in names)
    values = (yields.mean(), ndvi.mean(), yields[wheat == 1].mean())
    return {question: float(value) for question, value in zip(QUESTIONS, values, strict=True)}


def _series_days(count: int) -> list[tuple[str, int]]:
    """Exactly so many pairs of series and day, in the order of the table.

    The days fill up by tens, then by fives, then all; planting day and the days about it first.
    """
    least, most = FIRST_SERIES_DAYS * len(SERIES), len(DAYS) * len(SERIES)
    if not least <= count <= most:
        fixed = "the columns beside the series"
        raise ValueError(
            f"{count} columns are left after {fixed}; {least} to {most} of them can be series"
        )
    order = sorted(DAYS, key=lambda day: (day % 10 > 0, day % 5 > 0, abs(day), day))
    pairs = [(name, day) for day in order for name in SERIES][:count]
    place = {name: number for number, name in enumerate(SERIES)}
    return sorted(pairs, key=lambda pair: (place[pair[0]], pair[1]))


def _gaps(values: Cells, share: float, rng: np.random.Generator) -> Cells:
    """Round to four digits and leave some cells empty."""
    import numpy as np

    return np.where(rng.random(len(values)) < share, np.nan, values.round(4))


def _score(level: Cells, rng: np.random.Generator) -> Cells:
    """A field score, whole numbers from 0 to 9."""
    import numpy as np

    return np.clip((level + rng.normal(scale=0.7, size=len(level))).round(), 0, 9)


def _indicators(stem: str, levels: list[str] | tuple[str, ...], chosen: Cells) -> dict[str, Cells]:
    """One column of 0 and 1 for each level, as a model matrix has them."""
    return {f"{stem}{level}": (chosen == n).astype("int8") for n, level in enumerate(levels)}
