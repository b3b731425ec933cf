"""Layouts: which column of a frame goes where in a form of chart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from wideleaf.tools.charts.choosing import BOXES, PANELS, are_alike
from wideleaf.tools.charts.columns import Column
from wideleaf.tools.charts.forms import FORMS, MOST_SERIES, RULES, Form, Panel
from wideleaf.tools.charts.shapes import Shape
from wideleaf.tools.errors import ActionError

Spread = Literal["", "x", "color", "facet"]


@dataclass(frozen=True)
class Layout:
    """Which column goes where.

    Attributes:
        form: The form of the chart.
        x: What it is drawn along; None where the headers of `y` are.
        y: What is measured.
        color: What tells series apart, or the rows of a heat map.
        facet: What tells panels apart.
        spread: Where the headers of several `y` go.
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
    spread: Spread = ""
    panel: Panel | None = None
    left: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    bins: int | None = None
    width: float | None = None

    @property
    def lines(self) -> bool:
        """Whether points are joined."""
        return (self.panel or RULES[self.form].panel) in ("line", "area")

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


def lay_out(shape: Shape, form: Form) -> Layout:
    """Put the columns of a shape into the places of a form.

    Args:
        shape: Of a frame.
        form: The form.

    Raises:
        ActionError: If the frame cannot be drawn so; says what can be.
    """
    made = name_bars(_LAID_OUT[form](shape, form))
    drawn = {column.name for column in made.columns}
    rest = tuple(c.name for c in (*shape.keys, *shape.numbers) if c.name not in drawn)
    return replace(made, left=(*shape.left, *rest))


def name_bars(layout: Layout) -> Layout:
    """The same with bars in groups or stacks where there are several series, and only there."""
    form = layout.form
    several = layout.color is not None or layout.spread == "color"
    if form == "bar" and several:
        return replace(layout, form="grouped bar")
    if (form == "grouped bar" or RULES[form].stack) and not several:
        note = f"There is one series alone, so it is no {form} chart."
        return replace(layout, form="bar", notes=(note,))
    return layout


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


def _longer_first(x: Column, other: Column) -> tuple[Column, Column]:
    """What runs goes along the chart, else the key of more values."""
    return (other, x) if not x.runs and other.distinct > x.distinct else (x, other)


def _points(shape: Shape, form: Form) -> Layout:
    runs = [key for key in shape.keys if key.runs]
    named = [key for key in shape.keys if not key.runs]
    if len(shape.numbers) >= 2 and not runs:
        x, y = shape.numbers[:2]
    elif shape.keys:
        x, y = (*runs, *named)[0], shape.numbers[0]
    else:
        raise ActionError(
            f"a scatter chart needs two numbers, and {shape.numbers[0].name!r} is the only one; "
            "a histogram or a box shows how its values lie"
        )
    few = (key for key in named if key is not x and key.distinct <= MOST_SERIES)
    color = next(few, None)
    if color and shape.unique and color.distinct == shape.rows:
        color = None
    return Layout(form, x, (y,), color)


def _bins(shape: Shape, form: Form) -> Layout:
    return Layout(form, None, shape.numbers[:1])


def _boxes(shape: Shape, form: Form) -> Layout:
    key = next((key for key in shape.keys if key.distinct < shape.rows), None)
    if key is None and len(shape.numbers) > 1 and are_alike(shape.numbers):
        return Layout(form, None, shape.numbers[:MOST_SERIES], spread="x")
    return Layout(form, key, shape.numbers[:1])


def _cells(shape: Shape, form: Form) -> Layout:
    several = len(shape.numbers) > 1
    if len(shape.keys) < 2 and not (shape.keys and several):
        raise ActionError(
            "a heat map needs two columns of keys and a number, or a key and several numbers; "
            "group by two columns first"
        )
    check_groups(shape.keys, shape.unique, form)
    if len(shape.keys) == 1:
        return Layout(form, shape.keys[0], shape.numbers, spread="color")
    x, color = _longer_first(*shape.keys[:2])
    return Layout(form, x, shape.numbers[:1], color)


def _slices(shape: Shape, form: Form) -> Layout:
    check_whole(form, shape.numbers)
    if shape.rows == 1:
        return Layout(form, None, shape.numbers, spread="x")
    check_groups(shape.keys, shape.unique, form)
    if len(shape.keys) != 1:
        raise ActionError(
            f"a {form} needs one column of keys and a number; a stacked bar chart shows two keys"
        )
    return Layout(form, shape.keys[0], shape.numbers[:1])


def _bars(shape: Shape, form: Form) -> Layout:
    keys, numbers = shape.keys, shape.numbers
    if shape.rows == 1:
        return Layout(form, None, numbers, spread="x")
    check_groups(keys, shape.unique, form)
    check_whole(form, numbers)
    if not keys:
        return _without_keys(shape, form)
    if len(keys) == 2:
        x, color = _longer_first(*keys)
        return Layout(form, x, numbers[:1], color)
    alike = are_alike(numbers)
    if len(keys) > 2 or not (alike or RULES[form].stack):
        return _panels(shape, form)
    shown = numbers if alike else numbers[:1]
    return Layout(form, keys[0], shown, spread="color" if len(shown) > 1 else "")


def _lines(shape: Shape, form: Form) -> Layout:
    keys, numbers = shape.keys, shape.numbers
    if shape.rows == 1:
        raise ActionError("a line needs several rows, and the frame has one; a bar chart shows it")
    check_groups(keys, shape.unique, form)
    if not keys:
        return _without_keys(shape, form)
    if len(keys) == 2:
        return Layout(form, keys[0], numbers[:1], keys[1])
    if len(keys) > 2 or not are_alike(numbers):
        return replace(_panels(shape, form), panel=RULES[form].panel)
    return Layout(form, keys[0], numbers, spread="color" if len(numbers) > 1 else "")


def _without_keys(shape: Shape, form: Form) -> Layout:
    """Along the first number if it tells the rows apart, else along their numbers from 1."""
    import polars as pl

    first, *others = shape.numbers
    if others and first.distinct == shape.rows:
        return Layout(form, first.take("order"), tuple(others[:1]))
    if RULES[form].bands and shape.rows > BOXES:
        raise ActionError(
            "nothing says what each row is of, so there is nothing to draw bars for; a histogram "
            "shows how values lie, a scatter chart two numbers beside each other"
        )
    rows = pl.Series("row", [str(row + 1) for row in range(shape.rows)])
    return Layout(form, Column("row", "key", rows), (first,))


def _panels(shape: Shape, form: Form) -> Layout:
    """Panels by a key or by number, also for forms that have no place for all of them."""
    form = "small multiples"
    keys, numbers = shape.keys, shape.numbers
    if not keys or len(keys) == len(numbers) == 1:
        raise ActionError(
            "small multiples need two columns of keys, or a key and several numbers; group by two "
            "columns first"
        )
    check_groups(keys, shape.unique, form)
    x, *others = keys
    panel: Panel = "line" if x.runs else "bar"
    if len(numbers) > 1:
        color = others[0] if others else None
        return Layout(form, x, numbers[:PANELS], color, spread="facet", panel=panel)
    if len(others) == 1:
        x, facet = _longer_first(x, others[0])
        return Layout(form, x, numbers, facet=facet, panel=panel)
    color, facet = sorted(others, key=lambda key: key.distinct)
    return Layout(form, x, numbers, color, facet, panel=panel)


_LAID_OUT: dict[Form, Callable[[Shape, Form], Layout]] = {
    **dict.fromkeys(FORMS, _bars),
    "line": _lines,
    "area": _lines,
    "scatter": _points,
    "histogram": _bins,
    "box": _boxes,
    "heat map": _cells,
    "pie": _slices,
    "waterfall": _slices,
    "small multiples": _panels,
}
