"""The demo's tables: 300 homes with a year of daily meter readings, and their districts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from wideleaf.tools.writing import write_given

if TYPE_CHECKING:
    import pandas as pd

HOMES, DAYS = 300, 365
HEATING = ("gas", "heat pump", "district heating", "oil")
DISTRICTS = {
    "Harbour": (18400, 31.5),
    "Hillside": (9200, 29.8),
    "Millfield": (27100, 33.2),
    "Northgate": (41300, 30.4),
    "Riverside": (22600, 34.1),
}
"""Inhabitants, and the price of electricity in cents for a kWh."""
MISSING = 0.01
"""Share of the readings that a meter did not send."""


def make_demo_tables(folder: Path) -> tuple[Path, Path]:
    """Write the two tables as Parquet, if they are not there.

    Args:
        folder: Where to; made if it is missing.

    Returns:
        The files of the homes and of the districts.
    """
    paths = folder / "homes.parquet", folder / "districts.parquet"
    for path, make in zip(paths, (homes, districts), strict=True):
        if not path.exists():
            with write_given(path) as part:
                make().to_parquet(part, index=False)
    return paths


def homes() -> pd.DataFrame:
    """One row a home: where it is, how it is built and heated, and each day's readings."""
    import numpy as np
    import pandas as pd

    rng = np.random.default_rng(2024)
    people = rng.integers(1, 7, HOMES)
    area = (38 + 17 * people + rng.normal(0, 12, HOMES)).clip(25).round()
    heating = rng.choice(HEATING, HOMES, p=(0.4, 0.3, 0.2, 0.1))
    solar = rng.random(HOMES) < 0.35
    fixed = {
        "home": [f"H{number:03d}" for number in range(1, HOMES + 1)],
        "district": rng.choice(list(DISTRICTS), HOMES),
        "people": people,
        "floor_area_m2": area,
        "year_built": rng.integers(1895, 2024, HOMES),
        "heating": heating,
        "solar_panels": np.where(solar, "yes", "no"),
    }
    winter = (1 + np.cos(2 * np.pi * (np.arange(1, DAYS + 1) - 15) / DAYS)) / 2
    per_home = people[:, None] * np.ones(DAYS)
    warmth = area[:, None] * winter
    pumped, burnt = ((heating == kind)[:, None] for kind in ("heat pump", "gas"))
    electricity = 1.5 + 1.6 * per_home + 0.11 * warmth * pumped
    families = {
        "electricity_kwh": electricity,
        "peak_kw": 0.6 + 0.22 * electricity,
        "gas_kwh": (4 + 0.5 * warmth) * burnt,
        "solar_kwh": solar[:, None] * (3 + 14 * (1 - winter)),
        "water_litres": 35 + 92 * per_home + 30 * (1 - winter),
        "indoor_celsius": 22.5 - 2 * winter + 0.6 * pumped,
    }
    readings: dict[str, Any] = {}
    for name, usual in families.items():
        spread = 0.02 if name == "indoor_celsius" else 0.2
        cells = (usual * rng.normal(1, spread, usual.shape)).clip(0).round(2)
        cells[rng.random(usual.shape) < MISSING] = np.nan
        readings |= {f"{name}_day_{day}": cells[:, day - 1] for day in range(1, DAYS + 1)}
    return pd.DataFrame(fixed | readings)


def districts() -> pd.DataFrame:
    """One row a district, to join."""
    import pandas as pd

    rows = [(name, *facts) for name, facts in DISTRICTS.items()]
    return pd.DataFrame(rows, columns=["district", "inhabitants", "cents_per_kwh"])
