"""The names of the trial table's columns: which there are at a width, in order and spelling."""

from __future__ import annotations

from agronomy.columns import (
    CORE_DAMAGES,
    DAMAGES,
    PHENOLOGY,
    RATES,
    SERIES,
    SOIL_TESTS,
    TRIAL_CODE,
    YEAR,
    YIELDS,
    Measure,
)
from agronomy.groups import FIELD, MANAGEMENT, SAME, OneHot

DAYS = range(-80, 251)
"""Days relative to planting that a series may have; `.80` in a name is day -80."""
FIRST_SERIES_DAYS = 8
"""Every series has at least so many days, those nearest to the planting day by tens."""
WIDE_FROM = 2_000
"""A table of fewer columns has the core of the fixed columns and the first levels of a group."""
FULL_COLUMNS = 8_058
"""The width of the table in the paper."""
MORE_STATISTICS = ("sd", "range")
"""What a table wider than the paper's has of each series beside its means."""


def fixed_names(wide: bool) -> tuple[str, ...]:
    """The columns beside the series, in the order of the table."""

    def measures(those: tuple[Measure, ...]) -> tuple[str, ...]:
        return tuple(measure.name for measure in those if wide or measure.core)

    def levels(groups: tuple[OneHot, ...]) -> tuple[str, ...]:
        return tuple(f"{group.stem}{level}" for group in groups for level in group.shown(wide))

    return (
        TRIAL_CODE,
        *((YEAR,) if wide else ()),
        *levels(MANAGEMENT),
        *YIELDS,
        *measures(PHENOLOGY),
        *levels(FIELD[:1]),
        SAME,
        *levels(FIELD[1:]),
        *measures(SOIL_TESTS),
        *measures(RATES),
        *(
            f"ENVDom_Damage_by_{cause}"
            for cause in DAMAGES[: len(DAMAGES) if wide else CORE_DAMAGES]
        ),
    )


def series_days(count: int) -> tuple[tuple[str, int], ...]:
    """Exactly so many pairs of series and day, in the order of the table.

    The days fill up by tens, then by fives, then all; planting day and the days about it first.
    Beyond the paper's width come other statistics of the same series.

    Raises:
        ValueError: If there cannot be so few or so many.
    """
    full = len(DAYS) * len(SERIES)
    least, most = FIRST_SERIES_DAYS * len(SERIES), full * (1 + len(MORE_STATISTICS))
    if not least <= count <= most:
        fixed = "the columns beside the series"
        raise ValueError(
            f"{count} columns are left after {fixed}; {least} to {most} of them can be series"
        )
    order = sorted(DAYS, key=lambda day: (day % 10 > 0, day % 5 > 0, abs(day), day))
    statistics = [
        [name.replace("_mean", f"_{more}") for name in SERIES] for more in MORE_STATISTICS
    ]
    names = [list(SERIES), *statistics]
    pairs = [(name, day) for those in names for day in order for name in those][:count]
    place = {name: number for number, name in enumerate(name for those in names for name in those)}
    return tuple(sorted(pairs, key=lambda pair: (place[pair[0]], pair[1])))


def day_name(series: str, day: int) -> str:
    """The column of a series on a day, a minus written as R does."""
    return f"{series}_.{-day}" if day < 0 else f"{series}_{day}"
