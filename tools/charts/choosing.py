"""The choice of a chart: the form that suits a frame, and which columns somebody wants where."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pydantic import BaseModel

from wideleaf.tools.charts.columns import Column
from wideleaf.tools.charts.forms import RULES, Form
from wideleaf.tools.charts.layouts import MAX_SERIES, PANELS, Layout, check_groups, check_whole
from wideleaf.tools.charts.shapes import (
    Shape,
    are_alike,
    check_several,
    find_shape,
    is_unique,
    runs_along,
    size_of,
)
from wideleaf.tools.errors import ActionError

ROWS_OF_A_HISTOGRAM = 10
KEYS_BESIDE = 30
"""More keys than that with two numbers are points rather than pairs of bars."""
BARS = 60
IN_A_BOX, BOXES = 5, 30
ROUNDED = 1.02
"""Rounded parts may come to so much of the whole."""
_SHARE = re.compile(r"(?:share|percent|proportion)", re.I)
_ADDS_UP = re.compile(r"(?:count|number|sum|total|share|percent|frequency|rows)\b|n$", re.I)


class Places(BaseModel, frozen=True):
    """Columns by the place that they are to have; what is empty is chosen by rule.

    Attributes:
        x: What the chart is drawn along.
        y: What is measured.
        color: What tells series apart, or the rows of a heat map.
        facet: What tells panels apart.
        bins: How many bins a histogram has, about.
        width: How wide each is.
    """

    x: str = ""
    y: tuple[str, ...] = ()
    color: str = ""
    facet: str = ""
    bins: int | None = None
    width: float | None = None

    @property
    def named(self) -> tuple[str, ...]:
        """All columns that are named, each once."""
        places = (self.x, self.color, self.facet, *self.y)
        return tuple(dict.fromkeys(name for name in places if name))


EVERYWHERE = Places()
"""All by rule."""


def suggest_form(shape: Shape) -> Form:
    """The form that suits a shape.

    Args:
        shape: Of a frame.
    """
    keys, numbers = shape.keys, shape.numbers
    if not shape.unique:
        return _of_repeats(shape)
    if not keys:
        return "bar"
    if keys[0].runs:
        return _along(keys, numbers)
    if len(keys) == 1:
        return _by_key(keys[0], numbers, shape.rows)
    if len(keys) == 2 and len(numbers) == 1:
        return _by_two_keys(*keys, numbers[0])
    return "small multiples"


def _of_repeats(shape: Shape) -> Form:
    keys, numbers = shape.keys, shape.numbers
    if not keys and len(numbers) == 1:
        return "histogram" if shape.rows >= ROWS_OF_A_HISTOGRAM else "bar"
    if len(numbers) > 1 or keys[0].runs:
        return "scatter"
    groups = next((key.distinct for key in keys if 1 < key.distinct <= BOXES), 0)
    return "box" if groups and shape.rows >= IN_A_BOX * groups else "histogram"


def _along(keys: Sequence[Column], numbers: Sequence[Column]) -> Form:
    if len(keys) == 2 and len(numbers) == 1:
        return "line" if keys[1].distinct <= MAX_SERIES else "heat map"
    shared = len(keys) == 1 and len(numbers) <= PANELS and are_alike(numbers)
    return "line" if shared else "small multiples"


def _by_key(key: Column, numbers: Sequence[Column], rows: int) -> Form:
    names = {number.name for number in numbers}
    if len(numbers) == 1:
        return "bar"
    if len(names) > 2 and names <= {*key.cells}:  # correlations, distances: the keys again
        return "heat map"
    if len(numbers) == 2 and rows > KEYS_BESIDE:
        return "scatter"
    if not are_alike(numbers):
        return "small multiples"
    few = len(numbers) <= PANELS and rows * len(numbers) <= BARS
    return "grouped bar" if few or len(numbers) < 4 else "heat map"


def _by_two_keys(first: Column, second: Column, number: Column) -> Form:
    few, bars = min(first.distinct, second.distinct), first.distinct * second.distinct
    same = first.distinct == second.distinct and {*first.cells} == {*second.cells}
    if same or few > MAX_SERIES:
        return "heat map"
    if _adds_up(first, number):
        return "stacked bar"
    return "grouped bar" if bars <= BARS else "heat map"


def _adds_up(key: Column, number: Column) -> bool:
    """Whether sums for a key mean something: of counts, sums and shares of one whole."""
    import polars as pl

    name, low = number.name.strip(), number.cells.drop_nulls().min()
    if not _ADDS_UP.match(name) or (isinstance(low, (int, float)) and low < 0):
        return False
    if not _SHARE.match(name):
        return True
    parts = pl.DataFrame({"key": key.cells, "part": number.cells.cast(pl.Float64)})
    sums = parts.group_by("key").agg(pl.col("part").sum())["part"]
    whole = 1.0 if size_of(number) <= 1 else 100.0
    return not (sums > whole * ROUNDED).any()


def lay_out(columns: Sequence[Column], form: Form | None, places: Places = EVERYWHERE) -> Layout:
    """Put columns where somebody wants them, and the others where they suit.

    Args:
        columns: Of a frame with rows.
        form: The form that was asked for; by rule if none was.
        places: Where columns are to stand.

    Raises:
        ActionError: If a column has no such place, or the form has not; says what would be right.
    """
    by_bins = bool(places.bins or places.width)
    if places.bins and places.width:
        raise ActionError("bins are as many or as wide as you say; name one of bins and bin_width")
    if by_bins and form not in (None, "histogram"):
        raise ActionError(f"a {form} chart has no bins; leave them out, or ask for a histogram")
    by_name = {column.name: column for column in columns}
    if lost := [name for name in places.named if name not in by_name]:
        raise ActionError(f"{lost[0]!r} holds nothing that can be drawn: no number, text or date")
    if by_bins or (form == "histogram" and places != EVERYWHERE):
        return _with_bins(columns, places)
    if places.x:
        return _as_asked(by_name, form, places)
    if places.color or places.facet:
        raise ActionError("what the chart is drawn along is missing; name its column as x")
    return _by_rule(columns, form, places.y)


def _with_bins(columns: Sequence[Column], places: Places) -> Layout:
    names = [*places.y, *filter(None, [places.x])]
    numbers = [c for c in columns if c.role == "number" and (c.name in names or not names)]
    if not numbers:
        subject = f"{names[0]!r} holds" if names else "the columns hold"
        raise ActionError(f"{subject} no numbers, of which alone a histogram can be drawn")
    if places.color or places.facet:
        raise ActionError("a histogram has no series and no panels; Filter first, or ask for a box")
    return Layout("histogram", None, (numbers[0],), bins=places.bins, width=places.width)


def _by_rule(columns: Sequence[Column], form: Form | None, y: tuple[str, ...]) -> Layout:
    """Without what it is drawn along: the keys are those that tell the rows apart."""
    shape = find_shape([c for c in columns if c.role != "number" or c.name in y or not y])
    form = form or suggest_form(shape)
    layout = RULES[form].lay_out(shape, form).with_series()
    missing = [name for name in y if name not in {column.name for column in layout.y}]
    if missing and layout.x is not None and layout.x.name != missing[0]:
        raise ActionError(f"{missing[0]!r} has no place in a {layout.form} chart; name x as well")
    if y:
        return layout
    headers = {column.name for column in layout.columns}
    rest = (c.name for c in (*shape.keys, *shape.numbers) if c.name not in headers)
    return replace(layout, left=(*shape.left, *rest))


def _as_asked(by_name: dict[str, Column], form: Form | None, places: Places) -> Layout:
    """Along a column that was named."""
    x, color, facet = by_name[places.x], by_name.get(places.color), by_name.get(places.facet)
    y = _choose_measures(by_name, form, places)
    if form == "heat map" and color and color.role == "number" and y[0].role != "number":
        y, color = (color,), y[0]  # two axes were named, and what is measured last
    for number in y:
        if number.role != "number":
            raise ActionError(
                f"{number.name!r} is measured and holds no numbers; name a column of numbers, or "
                "count rows by a Group first"
            )
    check_several(len(x.cells), y)
    if color and len(y) > 1:
        raise ActionError(
            f"{len(y)} columns that are measured tell series apart as {color.name!r} does; name "
            "one of them, or leave out the color"
        )
    keys = [x, *(key for key in (color, facet) if key)]
    unique = is_unique(keys)
    if form is None and x.role == "number":
        form = "line" if unique and runs_along(x) else "scatter"
    form = form or suggest_form(Shape(len(x.cells), tuple(keys), y, unique))
    color, facet = _apart(color), _apart(facet)
    if not RULES[form].overlays:
        check_groups(keys, unique, form)
    check_whole(form, y)
    if form != "scatter" and x.role == "number":
        x = x.take("order")
    return _lay_out(form, x, y, color, facet)


def _choose_measures(
    by_name: dict[str, Column], form: Form | None, places: Places
) -> tuple[Column, ...]:
    if measures := tuple(by_name[name] for name in places.y if name in by_name):
        return measures
    others = [c for c in by_name.values() if c.role == "number" and c.name not in places.named]
    if not others:
        raise ActionError(
            f"nothing is left to be measured along {places.x!r}; name a column of numbers as y, "
            "or count rows by a Group first"
        )
    return tuple(others[:1] if form in ("scatter", "pie", "box") or places.color else others)


def _apart(key: Column | None) -> Column | None:
    """What tells series or panels apart: numbers as keys, where they are few."""
    if key is None or key.role != "number":
        return key
    if key.distinct > MAX_SERIES:
        raise ActionError(
            f"{key.name!r} holds {key.distinct} different numbers, which no colors or panels tell "
            "apart; put them into few classes by Derive first, or leave it out"
        )
    return key.take("order")


def _lay_out(
    form: Form, x: Column, y: tuple[Column, ...], color: Column | None, facet: Column | None
) -> Layout:
    several, panel = len(y) > 1, RULES[form].panel
    if facet or form == "small multiples":
        if panel is None:
            raise ActionError(f"a {form} chart has no panels; leave out the facet, or ask for bars")
        if several == bool(facet):
            raise ActionError(
                "panels are told apart by one column of keys (facet), or by several columns that "
                "are measured (y); name one or the other"
            )
        panel = "line" if form == "small multiples" and x.runs else panel
        return Layout("small multiples", x, y, color, facet, panel)
    if form == "heat map" and not several and color is None:
        raise ActionError("a heat map needs its rows: name a column of keys as color, or several y")
    if form in ("scatter", "pie") and several:
        raise ActionError(f"a {form} measures one column, and y names {len(y)}; name one of them")
    if form == "box":
        return Layout(form, x, y[:1])
    if form in ("bar", "line", "area") and several and not are_alike(y):
        note = "The numbers are of other sizes or units, so each has an axis of its own."
        return Layout("small multiples", x, y, panel=panel, notes=(note,))
    return Layout(form, x, y, color).with_series()
