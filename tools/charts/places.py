"""Places that were asked for: which columns somebody wants along a chart, measured and apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pydantic import BaseModel

from wideleaf.tools.charts.choosing import are_alike, suggest_form
from wideleaf.tools.charts.columns import Column
from wideleaf.tools.charts.forms import MOST_SERIES, RULES, Form
from wideleaf.tools.charts.layouts import (
    Layout,
    Spread,
    check_groups,
    check_whole,
    lay_out,
    name_bars,
)
from wideleaf.tools.charts.shapes import Shape, check_several, find_shape, is_unique, runs_along
from wideleaf.tools.errors import ActionError


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


def lay_out_places(columns: Sequence[Column], form: Form | None, places: Places) -> Layout:
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
    wanted = {column.name: column for column in columns}
    if lost := [name for name in places.named if name not in wanted]:
        raise ActionError(f"{lost[0]!r} holds nothing that can be drawn: no number, text or date")
    if by_bins or (form == "histogram" and places != EVERYWHERE):
        return _bins(columns, places)
    if not places.x:
        return _by_rule(columns, form, places)
    x = wanted[places.x]
    color, facet = wanted.get(places.color), wanted.get(places.facet)
    y = _measured(columns, form, places)
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
    form = form or _suit(x, y, keys, unique)
    color, facet = _apart(color), _apart(facet)
    if not RULES[form].overlays:
        check_groups(keys, unique, form)
    check_whole(form, y)
    if form != "scatter" and x.role == "number":
        x = x.take("order")
    return _placed(form, x, y, color, facet)


def _by_rule(columns: Sequence[Column], form: Form | None, places: Places) -> Layout:
    """Without what it is drawn along: the keys are those that tell the rows apart."""
    if places.color or places.facet:
        raise ActionError("what the chart is drawn along is missing; name its column as x")
    kept = [c for c in columns if c.role != "number" or c.name in places.y or not places.y]
    shape = find_shape(kept)
    made = lay_out(shape, form or suggest_form(shape))
    missing = [name for name in places.y if name not in {column.name for column in made.y}]
    if missing and made.x is not None and made.x.name != missing[0]:
        raise ActionError(f"{missing[0]!r} has no place in a {made.form} chart; name x as well")
    return replace(made, left=()) if places.y else made


def _bins(columns: Sequence[Column], places: Places) -> Layout:
    names = [*places.y, *filter(None, [places.x])]
    numbers = [c for c in columns if c.role == "number" and (c.name in names or not names)]
    if not numbers:
        told = f"{names[0]!r} holds" if names else "the columns hold"
        raise ActionError(f"{told} no numbers, of which alone a histogram can be drawn")
    if places.color or places.facet:
        raise ActionError("a histogram has no series and no panels; Filter first, or ask for a box")
    return Layout("histogram", None, (numbers[0],), bins=places.bins, width=places.width)


def _measured(columns: Sequence[Column], form: Form | None, places: Places) -> tuple[Column, ...]:
    if places.y:
        return tuple(column for name in places.y for column in columns if column.name == name)
    others = [c for c in columns if c.role == "number" and c.name not in places.named]
    if not others:
        raise ActionError(
            f"nothing is left to be measured along {places.x!r}; name a column of numbers as y, "
            "or count rows by a Group first"
        )
    return tuple(others[:1] if form in ("scatter", "pie", "box") or places.color else others)


def _suit(x: Column, y: tuple[Column, ...], keys: list[Column], unique: bool) -> Form:
    if x.role == "number":
        return "line" if unique and runs_along(x) else "scatter"
    return suggest_form(Shape(len(x.cells), tuple(keys), y, unique))


def _apart(key: Column | None) -> Column | None:
    """What tells series or panels apart: numbers as keys, where they are few."""
    if key is None or key.role != "number":
        return key
    if key.distinct > MOST_SERIES:
        raise ActionError(
            f"{key.name!r} holds {key.distinct} different numbers, which no colors or panels tell "
            "apart; put them into few classes by Derive first, or leave it out"
        )
    return key.take("order")


def _placed(
    form: Form, x: Column, y: tuple[Column, ...], color: Column | None, facet: Column | None
) -> Layout:
    several, panel = len(y) > 1, RULES[form].panel
    spread: Spread = "color" if several else ""
    if facet or form == "small multiples":
        if panel is None:
            raise ActionError(f"a {form} chart has no panels; leave out the facet, or ask for bars")
        if several == bool(facet):
            raise ActionError(
                "panels are told apart by one column of keys (facet), or by several columns that "
                "are measured (y); name one or the other"
            )
        panel = "line" if form == "small multiples" and x.runs else panel
        spread = "facet" if several else ""
        return Layout("small multiples", x, y, color, facet, spread, panel)
    if form == "heat map" and not several and color is None:
        raise ActionError("a heat map needs its rows: name a column of keys as color, or several y")
    if form in ("scatter", "pie") and several:
        raise ActionError(f"a {form} measures one column, and y names {len(y)}; name one of them")
    if form == "box":
        return Layout(form, x, y[:1])
    if form in ("bar", "line", "area") and several and not are_alike(y):
        note = "The numbers are of other sizes or units, so each has an axis of its own."
        return Layout("small multiples", x, y, spread="facet", panel=panel, notes=(note,))
    return name_bars(Layout(form, x, y, color, spread=spread))
