"""Layouts: which column of a frame goes where in a form of chart."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from wideleaf.tools.charts.choosing import BOXES, LINES, PANELS, SERIES, are_alike
from wideleaf.tools.charts.columns import Column
from wideleaf.tools.charts.forms import Form
from wideleaf.tools.charts.refusals import check_whole, need_groups
from wideleaf.tools.charts.shapes import Shape
from wideleaf.tools.errors import ActionError

Spread = Literal["", "x", "color", "facet"]
Panel = Literal["bar", "line", "area", "point"]


@dataclass(frozen=True)
class Layout:
    """Which column goes where.

    Attributes:
        form: The form of the chart.
        panel: Of small multiples and lines, what each panel is drawn with.
        x: What it is drawn along; None where the headers of `y` are.
        y: What is measured.
        color: What tells series apart, or the rows of a heat map.
        facet: What tells panels apart.
        spread: Where the headers of several `y` go.
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
    panel: Panel = "bar"
    left: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    bins: int | None = None
    width: float | None = None

    @property
    def lines(self) -> bool:
        """Whether points are joined."""
        return self.panel in ("line", "area")


def lay_out(shape: Shape, form: Form, *, asked: bool) -> Layout:
    """Put the columns of a shape into the places of a form.

    Args:
        shape: Of a frame.
        form: The form.
        asked: Whether somebody asked for it, who is told where it has to be another.

    Raises:
        ActionError: If the frame cannot be drawn so; says what can be.
    """
    match form:
        case "scatter":
            made = _points(shape)
        case "histogram":
            made = Layout(form, None, shape.numbers[:1])
        case "box":
            made = _boxes(shape)
        case "heat map":
            made = _cells(shape)
        case "pie":
            made = _slices(shape)
        case "small multiples":
            made = _panels(shape)
        case "line" | "area":
            made = _lines(shape, form)
        case _:
            made = _bars(shape, form)
    if asked and made.form == "bar" != form:
        made = replace(made, notes=(f"There is one series alone, so it is no {form} chart.",))
    used = [*made.y, *(c for c in (made.x, made.color, made.facet) if c)]
    names = {column.name for column in used}
    rest = tuple(c.name for c in (*shape.keys, *shape.numbers) if c.name not in names)
    return replace(made, left=(*shape.left, *rest))


def _need_groups(shape: Shape, form: str) -> None:
    if not shape.unique and shape.keys:
        need_groups(shape.keys, form)


def _points(shape: Shape) -> Layout:
    running = [key for key in shape.keys if key.runs]
    named = [key for key in shape.keys if not key.runs]
    if len(shape.numbers) >= 2 and not running:
        x, y = shape.numbers[:2]
    elif running or shape.keys:
        x, y = (running or named)[0], shape.numbers[0]
    else:
        raise ActionError(
            f"a scatter chart needs two numbers, and {shape.numbers[0].name!r} is the only one; "
            "a histogram or a box shows how its values lie"
        )
    color = next((key for key in named if key is not x and key.distinct <= LINES), None)
    if color and shape.unique and color.distinct == shape.rows:
        color = None
    return Layout("scatter", x, (y,), color, panel="point")


def _boxes(shape: Shape) -> Layout:
    key = next((key for key in shape.keys if key.distinct < shape.rows), None)
    if key is None and len(shape.numbers) > 1 and are_alike(shape.numbers):
        return Layout("box", None, shape.numbers[:SERIES], spread="x")
    return Layout("box", key, shape.numbers[:1])


def _cells(shape: Shape) -> Layout:
    if len(shape.keys) >= 2:
        _need_groups(shape, "heat map")
        x, color, *_ = shape.keys
        if not x.runs and color.distinct > x.distinct:
            x, color = color, x
        return Layout("heat map", x, shape.numbers[:1], color)
    if len(shape.keys) == 1 and len(shape.numbers) > 1:
        _need_groups(shape, "heat map")
        return Layout("heat map", shape.keys[0], shape.numbers, spread="color")
    raise ActionError(
        "a heat map needs two columns of keys and a number, or a key and several numbers; group "
        "by two columns first"
    )


def _slices(shape: Shape) -> Layout:
    number = shape.numbers[0]
    check_whole("pie", shape.numbers)
    if shape.rows == 1:
        return Layout("pie", None, shape.numbers, spread="x")
    _need_groups(shape, "pie")
    if len(shape.keys) != 1:
        raise ActionError(
            "a pie needs one column of keys and a number; a stacked bar chart shows two keys"
        )
    return Layout("pie", shape.keys[0], (number,))


def _bars(shape: Shape, form: Form) -> Layout:
    numbers = shape.numbers
    if shape.rows == 1:
        return Layout("bar", None, numbers, spread="x")
    _need_groups(shape, form)
    check_whole(form, numbers)
    if not shape.keys:
        return _without_keys(shape)
    x, *others = shape.keys
    if others:
        color = others[0]
        if not x.runs and color.distinct > x.distinct:
            x, color = color, x
        if len(others) > 1:
            return _panels(shape)
        kind: Form = form if form != "bar" else "grouped bar"
        return Layout(kind, x, numbers[:1], color)
    stacks = form in ("stacked bar", "percent stacked bar")
    if len(numbers) == 1 or (stacks and not are_alike(numbers)):
        return Layout("bar", x, numbers[:1])
    if not are_alike(numbers):
        return _panels(shape)
    kind = form if form != "bar" else "grouped bar"
    return Layout(kind, x, numbers, spread="color")


def _without_keys(shape: Shape) -> Layout:
    first, *others = shape.numbers
    if others and first.distinct == shape.rows:
        return Layout("bar", first.take("order"), tuple(others[:1]))
    if shape.rows <= BOXES:
        return Layout("bar", numbered(shape.rows), (first,))
    raise ActionError(
        "nothing says what each row is of, so there is nothing to draw bars for; a histogram "
        "shows how values lie, a scatter chart two numbers beside each other"
    )


def numbered(rows: int) -> Column:
    """A key for rows that have none: their numbers, from 1."""
    import polars as pl

    return Column("row", "key", pl.Series("row", [str(row + 1) for row in range(rows)]))


def _lines(shape: Shape, form: Form) -> Layout:
    panel: Panel = "area" if form == "area" else "line"
    keys, numbers = shape.keys, shape.numbers
    if shape.rows == 1:
        raise ActionError("a line needs several rows, and the frame has one; a bar chart shows it")
    _need_groups(shape, form)
    if not keys and len(numbers) > 1 and numbers[0].distinct == shape.rows:
        return Layout(form, numbers[0].take("order"), numbers[1:2], panel=panel)
    if not keys:
        return Layout(form, numbered(shape.rows).take("key"), numbers[:1], panel=panel)
    if len(keys) == 3:
        return replace(_panels(shape), panel=panel)
    if len(keys) == 2:
        return Layout(form, keys[0], numbers[:1], keys[1], panel=panel)
    if len(numbers) > 1 and not are_alike(numbers):
        return replace(_panels(shape), panel=panel)
    spread: Spread = "color" if len(numbers) > 1 else ""
    return Layout(form, keys[0], numbers, spread=spread, panel=panel)


def _panels(shape: Shape) -> Layout:
    keys, numbers = shape.keys, shape.numbers
    if not keys or (len(keys) == 1 and len(numbers) == 1):
        raise ActionError(
            "small multiples need two columns of keys, or a key and several numbers; group by two "
            "columns first"
        )
    _need_groups(shape, "small multiples")
    x = keys[0]
    panel: Panel = "line" if x.runs else "bar"
    if len(numbers) > 1:
        color = keys[1] if len(keys) > 1 else None
        return Layout("small multiples", x, numbers[:PANELS], color, spread="facet", panel=panel)
    if len(keys) == 2:
        facet = keys[1]
        if not x.runs and facet.distinct > x.distinct:
            x, facet = facet, x
        return Layout("small multiples", x, numbers, facet=facet, panel=panel)
    color, facet = sorted(keys[1:], key=lambda key: key.distinct)
    return Layout("small multiples", x, numbers, color, facet, panel=panel)
