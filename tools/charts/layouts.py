"""Layouts: which column of a frame goes where in a form of chart, by the frame's shape.

A form is laid out by the function that stands in its row (`forms.RULES`): it takes the shape and
the form's name, and refuses a shape that the form cannot show with what would be right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wideleaf.tools.charts.columns import Column
from wideleaf.tools.charts.shapes import Shape, are_alike
from wideleaf.tools.errors import ActionError

if TYPE_CHECKING:
    from wideleaf.tools.charts.forms import Form, Panel

MAX_SERIES, PANELS = 10, 6
ROWS_AS_KEYS = 30


@dataclass(frozen=True)
class Layout:
    """Which column goes where.

    Attributes:
        form: The form of the chart.
        x: What it is drawn along; None where the headers of `y` are.
        y: What is measured; several are told apart by their headers.
        color: What tells series apart, or the rows of a heat map.
        facet: What tells panels apart.
        panel: What each panel of small multiples is drawn with.
        left: Headers of columns that are not drawn.
        notes: What the reader should know of the choice.
        bins: How many bins there are, about; by rule if it is None.
        width: How wide each bin is; by rule if it is None.
    """

    form: Form
    x: Column | None
    y: tuple[Column, ...]
    color: Column | None = None
    facet: Column | None = None
    panel: Panel | None = None
    left: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    bins: int | None = None
    width: float | None = None

    @property
    def spread(self) -> str:
        """The place that the headers of several `y` have; empty of one alone."""
        if len(self.y) == 1:
            return ""
        if self.x is None:
            return "x"
        return "facet" if self.form == "small multiples" else "color"

    @property
    def lines(self) -> bool:
        """Whether points are joined."""
        return (self.panel or self.form) in ("line", "area")

    @property
    def columns(self) -> tuple[Column, ...]:
        """All columns that are drawn."""
        keys = (self.x, self.color, self.facet)
        return (*self.y, *(column for column in keys if column))

    @property
    def measure(self) -> str:
        """What is measured, in the headers' words."""
        return self.header("y") or "value"

    def header(self, place: str) -> str:
        """The header behind ``x``, ``y``, ``color`` or ``facet``; empty if not one is."""
        if place == "y":
            return self.y[0].name if len(self.y) == 1 else ""
        column: Column | None = getattr(self, place)
        return column.name if column else ""

    def with_series(self) -> Layout:
        """The same with bars in groups or stacks where there are several series, and only there."""
        several = self.color is not None or self.spread == "color"
        if self.form == "bar" and several:
            return replace(self, form="grouped bar")
        if self.form.endswith(" bar") and not several:
            note = f"There is one series alone, so it is no {self.form} chart."
            return replace(self, form="bar", notes=(note,))
        return self


def check_groups(keys: Sequence[Column], unique: bool, form: Form) -> None:
    """Refuse a form that would draw rows over each other.

    Raises:
        ActionError: If rows have the same keys; says that they are to be grouped by them first.
    """
    if keys and not unique:
        names = " and ".join(repr(key.name) for key in keys)
        raise ActionError(
            f"several rows have the same {names}, so a {form} chart would draw them over each "
            "other; group by it first (the mean, the sum or the number of rows for each)",
            kind="not grouped",
        )


def check_whole(form: Form, numbers: Sequence[Column]) -> None:
    """Refuse shares of a whole where numbers are below zero.

    Raises:
        ActionError: If the form shows shares and there are such numbers.
    """
    if form not in ("pie", "percent stacked bar"):
        return
    if any(float(n.cells.drop_nulls().min() or 0) < 0 for n in numbers):  # type: ignore[arg-type]
        raise ActionError(
            f"a {form} shows shares of a whole, and there are numbers below zero; a bar chart "
            "shows them"
        )


def lay_out_series(shape: Shape, form: Form) -> Layout:
    """Bars, lines or areas: series by a second key or by header, panels where these are more."""
    keys, numbers = shape.keys, shape.numbers
    lines = form in ("line", "area")
    if shape.rows == 1 and not lines:
        return Layout(form, None, numbers)
    if shape.rows == 1:
        raise ActionError("a line needs several rows, and the frame has one; a bar chart shows it")
    check_groups(keys, shape.unique, form)
    check_whole(form, numbers)
    if not keys:
        return _without_keys(shape, form, lines)
    if len(keys) == 2:
        x, color = keys if lines else _longer_first(*keys)
        return Layout(form, x, numbers[:1], color)
    alike = are_alike(numbers)
    if len(keys) > 2 or not (alike or "stacked" in form):
        return lay_out_panels(shape, form)
    return Layout(form, keys[0], numbers if alike else numbers[:1])


def _without_keys(shape: Shape, form: Form, lines: bool) -> Layout:
    """Along the first number if it tells the rows apart, else along their numbers from 1."""
    import polars as pl

    first, *others = shape.numbers
    if others and first.distinct == shape.rows:
        return Layout(form, first.take("order"), tuple(others[:1]))
    if not lines and shape.rows > ROWS_AS_KEYS:
        raise ActionError(
            "nothing says what each row is of, so there is nothing to draw bars for; a histogram "
            "shows how values lie, a scatter chart two numbers beside each other"
        )
    rows = pl.Series("row", [str(row + 1) for row in range(shape.rows)])
    return Layout(form, Column("row", "key", rows), (first,))


def lay_out_panels(shape: Shape, form: Form) -> Layout:
    """Panels by a key or by number, also for forms that have no place for all of them."""
    keys, numbers = shape.keys, shape.numbers
    if not keys or len(keys) == len(numbers) == 1:
        raise ActionError(
            "small multiples need two columns of keys, or a key and several numbers; group by two "
            "columns first"
        )
    check_groups(keys, shape.unique, "small multiples")
    x, *others = keys
    panel: Panel = form if form in ("line", "area") else "line" if x.runs else "bar"
    color, facet = None, None
    if len(numbers) > 1:
        color = others[0] if others else None
    elif len(others) == 1:
        x, facet = _longer_first(x, others[0])
    else:
        color, facet = sorted(others, key=lambda key: key.distinct)
    return Layout("small multiples", x, numbers[:PANELS], color, facet, panel)


def _longer_first(x: Column, other: Column) -> tuple[Column, Column]:
    """What runs goes along the chart, else the key of more values."""
    return (other, x) if not x.runs and other.distinct > x.distinct else (x, other)


def lay_out_scatter(shape: Shape, form: Form) -> Layout:
    """Two numbers, or what runs and a number; a key of few values colors the points."""
    keys, numbers = shape.keys, shape.numbers
    if len(numbers) > 1 and not (keys and keys[0].runs):
        x, y = numbers[:2]
    elif keys:
        x, y = keys[0], numbers[0]
    else:
        raise ActionError(
            f"a scatter chart needs two numbers, and {numbers[0].name!r} is the only one; "
            "a histogram or a box shows how its values lie"
        )
    few = (key for key in keys if key is not x and not key.runs and key.distinct <= MAX_SERIES)
    color = next(few, None)
    if color and shape.unique and color.distinct == shape.rows:
        color = None
    return Layout(form, x, (y,), color)


def lay_out_histogram(shape: Shape, form: Form) -> Layout:
    """The first number."""
    return Layout(form, None, shape.numbers[:1])


def lay_out_boxes(shape: Shape, form: Form) -> Layout:
    """A box for each value of a key that repeats, or for each of several numbers alike."""
    key = next((key for key in shape.keys if key.distinct < shape.rows), None)
    several = key is None and len(shape.numbers) > 1 and are_alike(shape.numbers)
    return Layout(form, key, shape.numbers[: MAX_SERIES if several else 1])


def lay_out_heat_map(shape: Shape, form: Form) -> Layout:
    """Cells of two keys, or of a key and several numbers."""
    keys, numbers = shape.keys, shape.numbers
    if len(keys) < 2 and not (keys and len(numbers) > 1):
        raise ActionError(
            "a heat map needs two columns of keys and a number, or a key and several numbers; "
            "group by two columns first"
        )
    check_groups(keys, shape.unique, form)
    if len(keys) == 1:
        return Layout(form, keys[0], numbers)
    x, color = _longer_first(*keys[:2])
    return Layout(form, x, numbers[:1], color)


def lay_out_parts(shape: Shape, form: Form) -> Layout:
    """The slices of a pie, the steps of a waterfall: one key and one number, or one row."""
    check_whole(form, shape.numbers)
    if shape.rows == 1:
        return Layout(form, None, shape.numbers)
    check_groups(shape.keys, shape.unique, form)
    if len(shape.keys) != 1:
        raise ActionError(
            f"a {form} needs one column of keys and a number; a stacked bar chart shows two keys"
        )
    return Layout(form, shape.keys[0], shape.numbers[:1])
