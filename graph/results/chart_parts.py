"""A chart in a message: the picture for the person, and the spec for whoever draws it anew."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from wideleaf.tools.charts.chart import Chart

FORM = "wideleaf.chart/1"
SCALE = 1.5
"""Pixels of a message's picture for each one of the spec; it is kept with the thread."""


def chart_message_part(chart: Chart) -> dict[str, Any]:
    """A chart as the content block of a message that shows it.

    It is a data URL under ``image_url``, which clients in Python and in JavaScript read alike and
    which `content_blocks` of a LangChain message gives as a standard image block.

    Args:
        chart: The chart.
    """
    data = b64encode(chart.png(SCALE)).decode()
    return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}


def chart_artifact(chart: Chart) -> dict[str, Any]:
    """A chart as plain data, for clients that draw Vega-Lite themselves.

    Args:
        chart: The chart.

    Returns:
        ``type`` (the version of this form), ``form``, ``title``, ``x``, ``y``, ``color``,
        ``caveats`` and ``spec``, which holds the data.
    """
    return {"type": FORM, **chart.model_dump(mode="json")}
