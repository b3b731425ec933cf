"""A chart: a frame drawn in the form that suits it or that was asked for; its spec and pictures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from wideleaf.tools.charts.channels import TITLE_LINES, text_lines
from wideleaf.tools.charts.choosing import EVERYWHERE, Places, lay_out
from wideleaf.tools.charts.columns import read_columns
from wideleaf.tools.charts.forms import RULES, Form, form_of
from wideleaf.tools.charts.layouts import Layout
from wideleaf.tools.charts.pictures import png_picture, svg_picture
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.words import cut, visible
from wideleaf.tools.writing import write_bytes, write_text

PIXELS = 2.0
"""Of a picture for each one of the spec, for screens of today."""
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


class Chart(BaseModel, frozen=True):
    """A frame as a chart.

    Attributes:
        form: Its form.
        spec: Vega-Lite, with its data inside: each of ``spec["data"]["values"]`` has ``x`` and
            ``y``, where there are series ``color``, where there are panels ``facet``. Of a
            histogram ``y`` is the number of rows between ``x`` and ``x_end``; of a box there are
            ``low``, ``q1``, ``median``, ``q3`` and ``high``, and ``y`` is what lies beyond.
        x: Header of what it is drawn along; empty where that is the headers of `y`.
        y: Headers of what is measured.
        color: Header of what tells series apart, or the rows of a heat map.
        title: Its title.
        caveats: What was cut, left out or put together.
    """

    form: Form
    spec: dict[str, Any]
    x: str
    y: tuple[str, ...]
    color: str = ""
    title: str = ""
    caveats: tuple[str, ...] = ()

    @property
    def reading(self) -> str:
        """How its marks are to be read, where the form alone does not say it."""
        rows = self.spec["data"]["values"]
        match self.form:
            case "histogram":
                low, high = rows[0]["x"], rows[-1]["x_end"]
                width = rows[0]["x_end"] - low
                empty = sum(not row["y"] for row in rows)
                none = f", {empty} of them without a row" if empty else ""
                return f"Bins of {width:g} from {low:g} to {high:g}{none}"
            case "small multiples":
                scales = self.spec.get("resolve", {}).get("scale", {})
                own = "independent" in scales.values()
                return "Each panel has a scale of its own" if own else "All panels have one scale"
            case "pie":
                return "Slices are written with their shares of the sum"
        return ""

    def svg(self) -> str:
        """The picture as SVG; nothing of it is fetched from elsewhere."""
        return svg_picture(self.spec)

    def png(self, scale: float = PIXELS) -> bytes:
        """The picture as PNG.

        Args:
            scale: Pixels of it for each one of the spec.
        """
        return png_picture(self.spec, scale)

    def save(self, path: str | Path) -> Path:
        """Write it as what the name ends in: ``.png``, ``.svg``, or ``.json`` for the spec.

        Raises:
            SettingsError: If it ends in something else, or cannot be written there.
        """
        path = Path(path)
        match path.suffix.casefold():
            case ".png":
                return write_bytes(path, self.png())
            case ".svg":
                return write_text(path, self.svg())
            case ".json":
                return write_text(path, json.dumps(self.spec, ensure_ascii=False) + "\n")
        raise SettingsError(f"{str(path)!r} is no name for a chart; end it in .png, .svg or .json")

    def __repr__(self) -> str:
        points = len(self.spec["data"]["values"])
        return f"<Chart {self.form}: {self.title!r}, {points} points>"

    def __str__(self) -> str:
        return "\n".join([repr(self), *self.caveats])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        version = self.spec["$schema"].rsplit("/v", 1)[1].split(".")[0]
        return {
            f"application/vnd.vegalite.v{version}+json": self.spec,
            "image/png": self.png(),
            "text/plain": str(self),
        }


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
    columns, _ = read_columns(frame)
    layout = lay_out(columns, form, places)
    RULES[layout.form].gather(layout)  # which refuses what has no point
    headers = frozenset(column.name for column in columns) - {*layout.left}
    if places.named:
        headers = headers & {column.name for column in layout.columns} or headers
    return form or layout.form, headers


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

    choice = form_of(form) if form else None
    columns, unread = read_columns(frame)
    layout = lay_out(columns, choice, places)
    rule = RULES[layout.form]
    points = rule.gather(layout)
    title = title or _title(layout)
    caveats = [*points.notes, *layout.notes]
    if rest := [*layout.left, *(() if places.named else unread)]:
        caveats.append(f"Not drawn: {cut(map(repr, rest), LEFT_CHARACTERS)}.")
    heading = {"text": text_lines(title, TITLE_CHARACTERS, TITLE_LINES)}
    if subtitle := visible(" ".join(caveats)):
        heading["subtitle"] = text_lines(subtitle, SUBTITLE_CHARACTERS, SUBTITLE_LINES)
    chart = {**rule.draw(points), "title": heading, "data": {"name": "points"}}
    alt.Chart.from_dict(chart)  # fails if this is no Vega-Lite
    spec = {**chart, "$schema": alt.SCHEMA_URL, "config": CONFIG, "data": {"values": points.rows}}
    return Chart(
        form=layout.form,
        spec=spec,
        x=layout.header("x"),
        y=tuple(column.name for column in layout.y),
        color=layout.header("color"),
        title=title,
        caveats=tuple(caveats),
    )


def _title(layout: Layout) -> str:
    """What is drawn by what, in the headers' words."""
    what = _list_names([column.name for column in layout.y])
    if layout.form == "histogram":
        return f"Distribution of {what}"
    by = _list_names([column.name for column in layout.columns[len(layout.y) :]])
    return f"{what} by {by}" if by else what


def _list_names(names: list[str]) -> str:
    if len(names) > LISTED:
        return f"{len(names)} columns"
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
