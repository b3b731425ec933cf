"""The numbers of the trial table: series of days and what is measured once, as in TSO, A.2."""

from __future__ import annotations

from typing import NamedTuple

Slopes = tuple[tuple[str, float], ...]
"""What a number depends on: the factors of a trial, each with its slope."""


class Series(NamedTuple):
    """A measurement of every day: in a season, by what a trial is like, in steps of an instrument.

    The value of a day is the mean, a swing over the season, the slopes and noise, rounded to steps
    above the least value there can be (at most 255 steps).
    """

    name: str
    mean: float
    swing: float
    slopes: Slopes
    noise: float
    step: float
    least: float = 0.0


class Measure(NamedTuple):
    """A number measured once: its mean, what it depends on, and how much of it is missing."""

    name: str
    mean: float
    slopes: Slopes
    noise: float
    gaps: float
    digits: int = 1
    least: float = 0.0
    most: float = 1e6
    core: bool = False


def _series() -> tuple[Series, ...]:
    rain, green, warm, light = "rain", "green", "warm", "light"
    return (
        Series("BOMDom_max_temperature_mean", 24, -6, ((rain, -0.5), (warm, 1.5)), 2, 0.2, -3),
        Series("BOMDom_min_temperature_mean", 11, -5, ((rain, 0.2), (warm, 1.2)), 2, 0.2, -12),
        Series("BOMDom_rainfall_mean", 2, 0.8, ((rain, 0.9),), 1, 0.1),
        Series("BOMDom_solar_exposure_mean", 18, -5, ((rain, -0.8),), 2, 0.2),
        Series("BOMDom_vapour_pressure_mean", 11, -2, ((rain, 0.6), (warm, 0.4)), 1, 0.1),
        Series("BOMDom_relative_humidity_mean", 60, 10, ((rain, 4),), 6, 0.5),
        Series("BOMDom_evaporation_mean", 5, -2, ((rain, -0.3), (warm, 0.4)), 0.8, 0.1),
        Series("BOMDom_wind_speed_mean", 4, 0.3, (), 0.8, 0.1),
        Series("SatDom_NDVI_mean", 0.35, 0.3, ((green, 0.06),), 0.03, 0.005),
        Series("SatDom_EVI_mean", 0.25, 0.22, ((green, 0.05), (light, 0.03)), 0.03, 0.005),
        Series("SatDom_NDWI_mean", 0.3, 0.1, ((rain, 0.05), (green, 0.02)), 0.04, 0.005),
        Series("SatDom_FPAR_mean", 0.4, 0.3, ((green, 0.06),), 0.05, 0.005),
        Series("SatDom_LAI_mean", 1.5, 1.2, ((green, 0.3),), 0.3, 0.05),
        Series("SatDom_GPP_mean", 0.03, 0.02, ((green, 0.005),), 0.005, 0.0005),
        Series("SatDom_LST_day_mean", 27, -8, ((rain, -1), (green, -0.5), (warm, 2)), 2, 0.2, 1),
        Series("SatDom_LST_night_mean", 9, -4, ((rain, 0.3), (warm, 1.2)), 2, 0.2, -12),
        Series("SatDom_EvapoTrans_mean", 12, 5, ((rain, 0.8), (green, 1)), 2, 0.2),
        Series("SatDom_blue_band_mean", 0.06, -0.02, ((green, -0.004),), 0.01, 0.001),
        Series("SatDom_green_band_mean", 0.09, -0.01, ((light, 0.004),), 0.01, 0.001),
        Series("SatDom_red_band_mean", 0.11, -0.05, ((green, -0.01),), 0.01, 0.001),
        Series("SatDom_NIR_mean", 0.27, 0.08, ((green, 0.02),), 0.02, 0.002),
        Series("SatDom_MIR_mean", 0.25, -0.08, ((rain, -0.01), (green, -0.01)), 0.02, 0.002),
        Series("SatDom_SWIR_mean", 0.22, -0.06, ((rain, -0.01), (green, -0.01)), 0.02, 0.002),
    )


SERIES = {series.name: series for series in _series()}

TRIAL_CODE, YEAR = "MANDom_trial_code", "MANDom_Year"
YIELDS = ("PHENDom_yield_t_ha", "PHENDom_yield_pct_of_average")


def _soil_tests() -> tuple[Measure, ...]:
    tests = {
        # mean, what a clay soil has more of it, digits, whether narrow tables have it
        "Colwell": (35.0, 8.0, 1, True),
        "Bray": (18.0, 4.0, 1, True),
        "pH": (6.5, 0.4, 2, True),
        "Olsen": (14.0, 3.0, 1, False),
        "Organic.Carbon": (1.4, 0.3, 2, False),
        "Nitrate": (12.0, 2.5, 1, False),
        "Ammonium": (4.0, 0.8, 1, False),
        "Sulphur": (9.0, 1.5, 1, False),
        "Potassium": (220.0, 50.0, 0, False),
        "Boron": (1.8, 0.4, 2, False),
        "Conductivity": (0.25, 0.06, 3, False),
        "Exchange.Capacity": (14.0, 4.0, 1, False),
    }
    return tuple(
        Measure(
            f"METADom_Soil_test_class_{depth}cm_{test}",
            mean,
            (("clay", slope),),
            slope / 3,
            0.05,
            digits,
            core=core and depth < 90,
        )
        for depth in (10, 30, 60, 90)
        for test, (mean, slope, digits, core) in tests.items()
    )


def _field_scores() -> tuple[Measure, ...]:
    scores: dict[str, tuple[float, Slopes, bool]] = {
        "Waterlogging": (3.0, (("clay", 2.0),), True),
        "Yellow_Leaf_Spot": (2.0, (("rain", 0.5),), True),
        "Weed_score": (2.0, (), True),
        "Stripe_Rust": (2.5, (("rain", 0.6),), False),
        "Leaf_Rust": (2.0, (("rain", 0.5), ("warm", 0.4)), False),
        "Stem_Rust": (1.5, (("warm", 0.5),), False),
        "Powdery_Mildew": (2.0, (("rain", 0.6),), False),
        "Crown_Rot": (1.8, (("rain", -0.5),), False),
        "Septoria": (1.5, (("rain", 0.7),), False),
        "Lodging_score": (2.0, (("green", 0.8),), False),
        "Frost_score": (1.5, (("warm", -0.8),), False),
        "Shattering": (1.2, (("warm", 0.4),), False),
        "Early_vigour": (5.0, (("green", 0.9),), False),
    }
    return tuple(
        Measure(f"PHENDom_{name}", mean, slopes, 0.7, 0.4, 0, 0, 9, core)
        for name, (mean, slopes, core) in scores.items()
    )


def _phenology() -> tuple[Measure, ...]:
    # Wet feet make small grain: on heavy clay, where water stands, a good tenth of its weight.
    filled: Slopes = (("green", 2.0), ("kernel", 1.5), ("clay", -3.5))
    return (
        *_field_scores(),
        *(
            Measure(f"PHENDom_Zadoks_score_obs_{n}", 10 + 13 * n, (), 3, 0.1, 0, 0, 99, True)
            for n in range(1, 7)
        ),
        *(
            Measure(f"PHENDom_X1000.grain.weight_{n}", 38 + n, filled, 2, 0.1, 2, 10, 80, True)
            for n in range(1, 7)
        ),
        Measure("PHENDom_Plant_height_cm", 85, (("height", 9), ("rain", 3)), 4, 0.2, 1),
        Measure("PHENDom_Days_to_flowering", 105, (("earliness", 7), ("warm", -3)), 3, 0.2, 0),
        Measure("PHENDom_Days_to_maturity", 160, (("earliness", 8), ("warm", -4)), 4, 0.2, 0),
        Measure("PHENDom_Plants_per_m2", 150, (("green", 15),), 12, 0.15, 0),
        Measure("PHENDom_Grain_protein_pct", 11.5, (("green", -0.5), ("rain", -0.4)), 0.7, 0.1, 2),
        Measure("PHENDom_Test_weight_kg_hl", 77, (("kernel", 1.0),), 1.5, 0.1, 1),
        Measure("PHENDom_Screenings_pct", 4, (("rain", -1.0),), 1.2, 0.1, 2),
        Measure("PHENDom_Grain_moisture_pct", 11, (("rain", 0.3),), 0.6, 0.1, 2),
    )


PHENOLOGY, SOIL_TESTS = _phenology(), _soil_tests()
RATES = (
    Measure("METADom_Fertiliser_rate_N_kg_ha", 60, (("rain", 10),), 15, 0.1, 0),
    Measure("METADom_Fertiliser_rate_P_kg_ha", 14, (), 4, 0.1, 0),
    Measure("METADom_Fertiliser_rate_K_kg_ha", 8, (), 3, 0.1, 0),
    Measure("METADom_Fertiliser_rate_S_kg_ha", 6, (), 2, 0.1, 0),
    Measure("METADom_Sowing_rate_kg_ha", 65, (), 8, 0.1, 0),
    Measure("METADom_Row_spacing_cm", 26, (), 4, 0.1, 0),
    Measure("METADom_Sowing_depth_cm", 4, (), 0.8, 0.1, 1),
)
DAMAGES = (
    *("Frost", "Hail", "Herbicide", "Insects", "Birds", "Mice", "Kangaroos", "Wind"),
    *("Heat", "Drought", "Flooding", "Livestock", "Rabbits", "Slugs", "Fire", "Machinery"),
)
CORE_DAMAGES = 4
