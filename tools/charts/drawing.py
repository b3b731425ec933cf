"""Drawing: a frame becomes a chart, in the form that suits it or that was asked for."""

from __future__ import annotations

from typing import Any

from wideleaf.tools.charts.channels import TITLE_LINES, text_lines
from wideleaf.tools.charts.chart import Chart
from wideleaf.tools.charts.choosing import suggest_form
from wideleaf.tools.charts.columns import read_columns
from wideleaf.tools.charts.forms import Form, form_of
from wideleaf.tools.charts.layouts import Layout
from wideleaf.tools.charts.marks import draw_marks
from wideleaf.tools.charts.places import EVERYWHERE, Places, lay_out_places
from wideleaf.tools.charts.points import Points, gather_points
from wideleaf.tools.charts.shapes import find_shape
from wideleaf.tools.charts.summaries import count_bins, sum_up_boxes
from wideleaf.tools.words import cut, visible

TITLE_CHARACTERS, SUBTITLE_CHARACTERS = 72, 92
SUBTITLE_LINES = 4
LEFT_CHARACTERS = 80
LISTED = 4
"""So many headers are named in a title."""
CONFIG: dict[str, Any] = {
    "font": "Liberation Sans, Arial, Helvetica, sans-serif",
    "background": "white",
    "view": {"stroke": None},
    "title": {
        "anchor": "start", "fontSize": 15, "fontWeight": 600, "subtitleFontSize": 11,
        "subtitleColor": "#666", "offset": 12, "lineHeight": 19,
    },
    "axis": {
        "labelFontSize": 11, "titleFontSize": 12, "titleFontWeight": 500, "titlePadding": 8,
        "gridColor": "#e6e6e6", "domainColor": "#999", "tickColor": "#999", "labelColor": "#333",
    },
    "axisX": {"labelFlush": False},
    "legend": {"labelFontSize": 11, "titleFontSize": 12, "titleFontWeight": 500},
    "header": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": 500},
    "facet": {"spacing": 36},
}  # fmt: skip


def choose_form(frame: Any) -> Form:
    """The form that suits a frame, by the kinds of its columns and how many values they have.

    Args:
        frame: A narwhals, pandas or Polars frame.

    Raises:
        SettingsError: If it is no frame.
        ActionError: If there is nothing to draw: no row, no number, a single value.
    """
    columns, _ = read_columns(frame)
    return suggest_form(find_shape(columns))


def lay_out_frame(
    frame: Any, form: Form | None = None, places: Places = EVERYWHERE
) -> tuple[Form, frozenset[str]]:
    """Which form a frame takes, and which of its columns are drawn in it.

    Args:
        frame: A narwhals, pandas or Polars frame.
        form: The form that was asked for; by rule if none was.
        places: Which columns are to stand where; by rule where it does not say.

    Returns:
        The form to ask for to get the same chart again, and the headers.

    Raises:
        SettingsError: If it is no frame.
        ActionError: If it cannot be drawn so; says what would be right.
    """
    columns, unread = read_columns(frame)
    layout = lay_out_places(columns, form, places)
    _points(layout)
    left = {*layout.left, *unread}
    used = [column.name for column in columns if column.name not in left]
    if places.named:
        drawn = {column.name for column in layout.columns}
        used = [name for name in used if name in drawn] or used
    return form or layout.form, frozenset(used)


def draw_chart(
    frame: Any, form: str | None = None, title: str = "", places: Places = EVERYWHERE
) -> Chart:
    """Draw a frame.

    Args:
        frame: A narwhals, pandas or Polars frame.
        form: A form, or a name of one (``column chart``, ``heatmap``); chosen by rule if not given.
        title: What stands above it; what is drawn by what, if not given.
        places: Which columns are to stand where; by rule where it does not say.

    Raises:
        SettingsError: If it is no frame.
        ActionError: If there is no such form, nothing to draw, or the frame cannot be drawn in
            the form; says what would be right.
    """
    import altair as alt
    import pandas as pd  # noqa: F401  # Altair uses what another thread has imported by half

    asked = form_of(form) if form else None
    columns, unread = read_columns(frame)
    layout = lay_out_places(columns, asked, places)
    points = _points(layout)
    title = title or _title(layout)
    caveats = [*points.notes, *layout.notes]
    if left := [*layout.left, *(() if places.named else unread)]:
        caveats.append(f"Not drawn: {cut(map(repr, left), LEFT_CHARACTERS)}.")
    heading = {"text": text_lines(title, TITLE_CHARACTERS, TITLE_LINES)}
    if told := visible(" ".join(caveats)):
        heading["subtitle"] = text_lines(told, SUBTITLE_CHARACTERS, SUBTITLE_LINES)
    made = {**draw_marks(layout, points), "title": heading, "data": {"name": "points"}}
    alt.Chart.from_dict(made)  # fails if this is no Vega-Lite
    spec = {**made, "$schema": alt.SCHEMA_URL, "config": CONFIG, "data": {"values": points.rows}}
    return Chart(
        form=layout.form,
        spec=spec,
        x=layout.header("x"),
        y=tuple(column.name for column in layout.y),
        color=layout.header("color"),
        title=title,
        caveats=tuple(caveats),
    )


def _points(layout: Layout) -> Points:
    if layout.form == "histogram":
        return count_bins(layout)
    return sum_up_boxes(layout) if layout.form == "box" else gather_points(layout)


def _title(layout: Layout) -> str:
    """What is drawn by what, in the headers' words."""
    what = _listed([column.name for column in layout.y])
    if layout.form == "histogram":
        return f"Distribution of {what}"
    by = _listed([column.name for column in layout.columns[len(layout.y) :]])
    return f"{what} by {by}" if by else what


def _listed(names: list[str]) -> str:
    if len(names) > LISTED:
        return f"{len(names)} columns"
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
