"""Forms of charts: a row for each with all that it is, and the names that people have for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

from wideleaf.tools.charts import layouts, marks
from wideleaf.tools.charts.channels import Points, Spec
from wideleaf.tools.charts.layouts import Layout
from wideleaf.tools.charts.points import count_bins, gather_points, sum_up_boxes
from wideleaf.tools.charts.shapes import Shape
from wideleaf.tools.errors import ActionError

Form = Literal[
    "bar", "grouped bar", "stacked bar", "percent stacked bar", "line", "area", "scatter",
    "histogram", "box", "heat map", "pie", "waterfall", "small multiples",
]  # fmt: skip
FORMS: tuple[Form, ...] = get_args(Form)
Panel = Literal["bar", "line", "area", "point"]


@dataclass(frozen=True)
class FormRule:
    """What a form is.

    Attributes:
        names: Other names of it, in the singular and without the word chart.
        lay_out: Puts the columns of a shape into its places.
        gather: Makes the points that are drawn.
        draw: Makes the Vega-Lite.
        near: Forms that people ask for and that are not drawn here, of which it is the nearest.
        overlays: Whether many rows may have one place in it.
        panel: What a panel of small multiples is drawn with; None where it stands in no panel.
    """

    names: tuple[str, ...]
    lay_out: Callable[[Shape, Form], Layout]
    gather: Callable[[Layout], Points]
    draw: Callable[[Points], Spec]
    near: tuple[str, ...] = ()
    overlays: bool = False
    panel: Panel | None = None


_run_along = partial(gather_points, bands=False)
RULES: dict[Form, FormRule] = {
    "bar": FormRule(
        ("column", "horizontal bar", "vertical bar"),
        layouts.lay_out_series, gather_points, marks.draw_bars, panel="bar",
        near=("bullet", "funnel", "gantt", "gauge", "lollipop", "pareto", "polar", "radar",
              "spider", "word cloud"),
    ),
    "grouped bar": FormRule(
        ("grouped column", "grouped", "clustered bar", "side by side bar"),
        layouts.lay_out_series, gather_points, partial(marks.draw_bars, beside=True), panel="bar",
    ),
    "stacked bar": FormRule(
        ("stacked column", "stacked"),
        layouts.lay_out_series, gather_points, partial(marks.draw_bars, stack="zero"),
        near=("sankey",),
    ),
    "percent stacked bar": FormRule(
        ("percent stacked", "percentage stacked bar", "normalized stacked bar",
         "normalised stacked bar", "100% stacked", "100% stacked bar", "stacked percentage bar"),
        layouts.lay_out_series, partial(gather_points, join=True),
        partial(marks.draw_bars, stack="normalize"),
    ),
    "line": FormRule(
        ("multi line", "curve", "time series", "trend"),
        layouts.lay_out_series, partial(_run_along, keys=100), marks.draw_lines, panel="line",
        near=("candlestick",),
    ),
    "area": FormRule(
        ("stacked area",),
        layouts.lay_out_series, partial(_run_along, keys=100), marks.draw_areas, panel="area",
    ),
    "scatter": FormRule(
        ("point", "dot", "bubble"),
        layouts.lay_out_scatter, partial(_run_along, keys=60), marks.draw_scatter, panel="point",
        overlays=True,
    ),
    "histogram": FormRule(
        ("distribution",), layouts.lay_out_histogram, count_bins, marks.draw_histogram,
        overlays=True,
    ),
    "box": FormRule(
        ("box and whisker", "boxes and whisker", "whisker"),
        layouts.lay_out_boxes, sum_up_boxes, marks.draw_boxes,
        near=("swarm", "violin"), overlays=True,
    ),
    "heat map": FormRule(
        ("heat", "matrix"),
        layouts.lay_out_heat_map, partial(gather_points, keys=60, series=40), marks.draw_heat_map,
        near=("chord", "dendrogram", "network"),
    ),
    "pie": FormRule(
        ("donut", "doughnut"),
        layouts.lay_out_parts, partial(gather_points, keys=10_000, slices=True), marks.draw_slices,
        near=("sunburst", "tree map"),
    ),
    "waterfall": FormRule(
        ("bridge", "cascade"), layouts.lay_out_parts, gather_points, marks.draw_steps
    ),
    "small multiples": FormRule(
        ("facet", "panel", "small multiple", "trellis"),
        layouts.lay_out_panels, _run_along, marks.draw_panels, near=("ridgeline",), panel="bar",
    ),
}  # fmt: skip
NAMES: dict[str, Form] = {form: form for form in FORMS} | {
    name: form for form, rule in RULES.items() for name in rule.names
}
"""Forms by name, in the singular and without the word chart."""
NEAREST: dict[str, Form] = {name: form for form, rule in RULES.items() for name in rule.near}
"""Which form is nearest to one that is not drawn here."""
CHART = r"(?:charts?|plots?|graphs?|diagrams?)"
_JOINED = re.compile(rf"^(bar|box|line|scatter|area|pie|heat|tree)({CHART}|maps?)$")


def plain_name(text: str) -> str:
    """A form's name as `NAMES` has it: ``Bar-Charts`` is ``bar``, ``heatmap`` is ``heat map``.

    Args:
        text: What somebody called it.
    """
    words = re.sub(r"[\s_-]+", " ", text.casefold()).strip()
    words = re.sub(r"^100 ?(?:%|percent|per cent) ", "100% ", words)
    words = re.sub(rf" {CHART}$", "", _JOINED.sub(r"\1 \2", words))
    words = words if words in NAMES else re.sub(r"\bboxes$", "box", words)
    return words if words in NAMES else re.sub(r"s$", "", words)


def form_of(text: str) -> Form:
    """The form that a name stands for.

    Args:
        text: A form, or another name of one: ``column chart``, ``heatmap``, ``scatter plot``.

    Raises:
        ActionError: If no form has that name; names them all.
    """
    name, forms = plain_name(text), ", ".join(FORMS)
    if name in NAMES:
        return NAMES[name]
    if name in NEAREST:
        raise ActionError(
            f"no {name} is drawn here; the nearest is {NEAREST[name]!r}, and there are: {forms}"
        )
    raise ActionError(f"no chart has the form {text[:60]!r}; it is one of {forms}")
