"""A chart in a message: the picture for the person, and the spec for whoever draws it anew."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from typing import TYPE_CHECKING, Any

from wideleaf.tools.charts.chart import Chart
from wideleaf.tools.charts.pictures import png_beside
from wideleaf.tools.words import one_line

if TYPE_CHECKING:
    from wideleaf.tools.steps.store import FrameStore
    from wideleaf.tools.tree.tree import FrameTree

CHART = "Chart"
"""The action."""
FORM = "wideleaf.chart/1"
TITLE_CHARACTERS = 200
SCALE = 1.5
"""Pixels of a message's picture for each one of the spec; it is kept with the thread."""


def chart_message_part(chart: Chart) -> dict[str, Any]:
    """A chart as the content block of a message that shows it.

    It is a data URL under ``image_url``, which clients in Python and in JavaScript read alike and
    which `content_blocks` of a LangChain message gives as a standard image block.

    Args:
        chart: The chart.
    """
    data = b64encode(png_beside(chart.spec, SCALE)).decode()
    return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}


def chart_image(chart: Chart) -> str:
    """A chart as an element of a page: an image of SVG, in which no link and no script can work.

    Args:
        chart: The chart; its spec may come from a file that a stranger wrote.
    """
    data = b64encode(chart.svg().encode()).decode()
    title = escape(one_line(chart.title, TITLE_CHARACTERS), quote=True)
    style = "max-width:100%;height:auto;background:#fff"
    return f'<img alt="{title}" style="{style}" src="data:image/svg+xml;base64,{data}">'


def chart_artifact(chart: Chart) -> dict[str, Any]:
    """A chart as plain data, for clients that draw Vega-Lite themselves.

    Args:
        chart: The chart.

    Returns:
        ``type`` (the version of this form), ``form``, ``title``, ``x``, ``y``, ``color``,
        ``caveats`` and ``spec``, which holds the data.
    """
    return {"type": FORM, **chart.model_dump(mode="json")}


def chart_channel(tree: FrameTree, label: str, store: FrameStore) -> dict[str, Any]:
    """The channel ``chart`` of an answer that is a chart; nothing of another answer.

    Args:
        tree: The tree.
        label: The answer's node.
        store: Where its frame is.

    Raises:
        ActionError: If its frame cannot be made again.
    """
    from wideleaf.tools.steps.charting import draw_kept

    node = tree[label]
    if node.action.name != CHART or not node.rows:
        return {}
    return {"chart": chart_artifact(draw_kept(store, node.id))}
