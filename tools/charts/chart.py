"""A chart: its spec as plain data, and its pictures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from wideleaf.tools.charts.forms import Form
from wideleaf.tools.charts.pictures import png_picture, svg_picture
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.writing import write_bytes, write_text

PIXELS = 2.0
"""Of a picture for each one of the spec, for screens of today."""


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
