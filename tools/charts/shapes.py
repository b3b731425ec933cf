"""Shapes of frames: which columns say what a row is of, and which are measured."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from wideleaf.tools.charts.columns import Column
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.families import Family, find_families, slot_text

MIN_ON_A_LINE = 3
"""Of fewer moments or years each is a key."""
MEMBERS_ON_A_LINE = 5
"""So many columns of one family run along the numbers in their headers."""
KEYS_LOOKED_AT = 5
FEW_NUMBERS = 6
"""Classes 1 to 3 are kinds, weeks 1 to 9 are a way."""
CLASS_BELOW = 100
"""Kinds are numbered by one or two digits."""
NEARLY_UNIQUE = 0.9
"""A key of which so many cells are different names rows, of which two happen to be called alike."""
EVEN = 1e-6
"""By so much of a step even steps may differ."""
ALIKE = 12
"""Numbers of which the largest of one is at most so many times that of another share an axis."""
_TIME = (
    "year years yr decade quarter month months week weeks day days date hour hours minute minutes "
    "second seconds time age dose depth step epoch rank round generation season"
)
RUNNING = frozenset(_TIME.split())
"""Words of headers whose whole numbers are what others run along."""
_WORDS = re.compile(r"[a-z]+")
_UNIT = re.compile(r"[(\[]([^()\[\]]+)[)\]]\s*$")
_PER = re.compile(r"(?:\bper\s+|(?<=\w)\s*/\s*)[a-z]+")
_MEASURE = re.compile(r"(?:mean|median|average|sum|total|count|number|min|max|std|share|range)\b")
"""How headers of measures begin: a mean of days is no day."""


@dataclass(frozen=True)
class Shape:
    """What the columns of a frame are to a chart of it.

    Attributes:
        rows: Number of rows.
        keys: Columns that say what a row is of, the first being what a chart is drawn along.
        numbers: Columns that are measured.
        unique: Whether no two rows have the same keys.
        left: Headers of columns that have no part in it.
    """

    rows: int
    keys: tuple[Column, ...]
    numbers: tuple[Column, ...]
    unique: bool
    left: tuple[str, ...] = ()


def find_shape(columns: Sequence[Column]) -> Shape:
    """Tell keys from numbers.

    Args:
        columns: The columns of a frame with rows.

    Raises:
        ActionError: If there is no number, or one number alone.
    """
    columns = tuple(columns)
    if not any(column.role == "number" for column in columns):
        subject = f"{columns[0].name!r}" if columns else "the frame"
        raise ActionError(
            f"{subject} holds no number, of which alone nothing can be drawn; count its rows or "
            "measure something by it (the number of rows for each, the mean for each)"
        )
    if family := _one_family(columns):
        columns = _unfold(columns, family)
    rows = len(columns[0].cells)
    if rows == 1:
        numbers = [column for column in columns if column.role == "number"]
        numbers = [n for n in numbers if not _says_year(n)] or numbers
        check_several(rows, numbers)
        return Shape(1, (), tuple(numbers), True, _names(columns, numbers))
    columns = tuple(_with_order(columns))
    keys, unique = _find_keys(_find_varied(columns))
    if not unique and len(keys) == 1 and (apart := _number_repeats(keys[0])):
        keys, unique = (apart,), True
    numbers = [column for column in columns if column.role == "number"]
    return Shape(rows, keys, tuple(numbers), unique, _names(columns, [*keys, *numbers]))


def check_several(rows: int, numbers: Sequence[Column]) -> None:
    """Refuse to draw a single value.

    Raises:
        ActionError: If there is no more than one number in one row.
    """
    if rows == 1 and len(numbers) == 1:
        raise ActionError(
            f"{numbers[0].name!r} is a single value, of which there is nothing to draw; ask "
            "for it by a group (by site, by year) or for the rows behind it"
        )


def is_unique(keys: Sequence[Column]) -> bool:
    """Whether no two rows have the same cells in all of these columns."""
    import polars as pl

    if len(keys) == 1:
        return keys[0].distinct == len(keys[0].cells)
    table = pl.DataFrame([key.cells.alias(str(at)) for at, key in enumerate(keys)])
    return table.n_unique() == table.height


def are_alike(numbers: Sequence[Column]) -> bool:
    """Whether numbers can share an axis: of one size, and of one unit where headers tell it."""
    units = {match[1] for number in numbers if (match := _UNIT.search(number.name))}
    sizes = [size for number in numbers if (size := size_of(number))]
    return len(units) <= 1 and (not sizes or max(sizes) <= ALIKE * min(sizes))


def size_of(number: Column) -> float:
    """How far from zero the cells of a number lie at most, but for endless ones."""
    sizes = number.cells.drop_nulls().abs()
    return float(sizes.filter(sizes.is_finite()).max() or 0.0)  # type: ignore[arg-type]


def _find_varied(columns: Iterable[Column]) -> list[Column]:
    """The columns of keys that do not have the same cell in every row."""
    return [column for column in columns if column.role != "number" and column.distinct > 1]


def _names(columns: Iterable[Column], others: Iterable[Column]) -> tuple[str, ...]:
    names = {column.name for column in others}
    return tuple(column.name for column in columns if column.name not in names)


def _find_keys(varied: Sequence[Column]) -> tuple[tuple[Column, ...], bool]:
    """The fewest columns that tell all rows apart, what runs first; else the first two."""
    candidates = varied[:KEYS_LOOKED_AT]
    for count in (1, 2, 3):
        for some in combinations(candidates, count):
            if is_unique(some):
                return tuple(_in_order(some)), True
    return tuple(_in_order(candidates[:2])), False


def _number_repeats(key: Column) -> Column | None:
    """A key of which few cells repeat, with these made apart; None where it is one of groups."""
    import polars as pl

    if key.role != "key" or not NEARLY_UNIQUE * len(key.cells) <= key.distinct < len(key.cells):
        return None
    cells = key.cells.fill_null("null").to_frame("cell")
    again = cells.select("cell", before=pl.int_range(pl.len()).over("cell"))
    texts = [f"{cell} ({n + 1})" if n else cell for cell, n in again.iter_rows()]
    return replace(key, cells=pl.Series(key.name, texts, dtype=pl.String))


def _in_order(keys: Iterable[Column]) -> list[Column]:
    """What runs before what is named; a few of a kind do not run."""
    axes = []
    for key in keys:
        # Whole numbers of no time are kinds while few; 1999 and 2005 are years under any header.
        kinds = key.role == "order" and key.whole and not _says_time(key)
        small = kinds and all(-CLASS_BELOW < cell < CLASS_BELOW for cell in key.cells.drop_nulls())
        least = FEW_NUMBERS if small else MIN_ON_A_LINE
        axes.append(key if key.distinct >= least else key.take("key"))
    return sorted(axes, key=lambda key: not key.runs)


def _with_order(columns: Sequence[Column]) -> Iterable[Column]:
    """The columns, and of their numbers those that others run along in that role."""
    spare = sum(column.role == "number" for column in columns)
    has_key = any(is_unique([key]) for key in _find_varied(columns)[:KEYS_LOOKED_AT])
    for column in columns:
        first = column is columns[0]
        if column.role == "number" and spare > 1:
            # When something was is no measure of it, though keys tell the rows apart.
            runs = _says_time(column) or (first and _climbs(column))
            if _says_year(column) if has_key else runs:
                spare -= 1
                column = column.take("order")
        yield column


def runs_along(column: Column) -> bool:
    """Whether a number is one that others run along: years, days, even steps."""
    return _says_time(column) or _climbs(column)


def _says_time(column: Column) -> bool:
    return bool(RUNNING & _words(column)) and not _MEASURE.match(column.name.casefold())


def _says_year(column: Column) -> bool:
    return "year" in _words(column)


def _words(column: Column) -> set[str]:
    """What the header of whole numbers says they are, not per what: births per year are no year."""
    return {*_WORDS.findall(_PER.sub(" ", column.name.casefold()))} if column.whole else set()


def _climbs(column: Column) -> bool:
    """Whether each number is above the one before, in even steps."""
    steps = column.cells.diff().drop_nulls()
    if column.cells.null_count() or len(steps) < MIN_ON_A_LINE - 1 or not steps[0] > 0:
        return False
    return bool(((steps - steps[0]).abs() <= steps[0] * EVEN).all())


def _one_family(columns: Sequence[Column]) -> Family | None:
    """The family that all numbers belong to, where it runs along numbers of its headers."""
    numbers = tuple(column.name for column in columns if column.role == "number")
    others = _find_varied(columns)
    if len(numbers) < MEMBERS_ON_A_LINE or len(others) > 1:
        return None
    if not is_unique(others) if others else len(columns[0].cells) > 1:
        return None
    whole = (some for some in find_families(numbers) if len(some.columns) == len(numbers))
    return next((family for family in whole if family.axis in ("number", "date")), None)


def _unfold(columns: Sequence[Column], family: Family) -> tuple[Column, ...]:
    """The members of a family below each other, with the numbers of their headers beside."""
    import polars as pl

    by_name = {column.name: column for column in columns}
    stem = family.stem.rstrip(" _.-")
    words = re.split(r"[\s_.]+", stem)
    along, value = f"* of {family.pattern}", family.pattern
    if len(words) > 1 and words[-1].casefold() in RUNNING:
        along, value = words[-1], stem[: -len(words[-1])].rstrip(" _.-")
    rows = len(columns[0].cells)
    slots = [slot for slot, _ in family.members for _ in range(rows)]
    if family.axis == "date":
        digits = pl.Series([re.sub(r"\D", "", slot_text(slot)) for slot in slots])
        moments = digits.str.to_datetime("%Y%m%d", strict=False, time_unit="us")
        axis = Column(along, "moment", moments)
    else:
        axis = Column(along, "order", pl.Series(slots, dtype=pl.Float64))
    cells = pl.concat([by_name[name].cells.cast(pl.Float64).alias("") for name in family.columns])
    repeated = (
        Column(other.name, other.role, pl.concat([other.cells] * len(family.columns)))
        for other in _find_varied(columns)
    )
    return (axis, Column(value, "number", cells), *repeated)
