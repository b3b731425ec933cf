"""Forms of charts, and the names that people have for them."""

from __future__ import annotations

import re
from typing import Literal, get_args

from wideleaf.tools.errors import ActionError

Form = Literal[
    "bar",
    "grouped bar",
    "stacked bar",
    "percent stacked bar",
    "line",
    "area",
    "scatter",
    "histogram",
    "box",
    "heat map",
    "pie",
    "small multiples",
]
FORMS: tuple[Form, ...] = get_args(Form)

NAMES: dict[str, Form] = {
    **{form: form for form in FORMS},
    "column": "bar",
    "horizontal bar": "bar",
    "vertical bar": "bar",
    "grouped column": "grouped bar",
    "grouped": "grouped bar",
    "clustered bar": "grouped bar",
    "side by side bar": "grouped bar",
    "stacked column": "stacked bar",
    "stacked": "stacked bar",
    "percent stacked": "percent stacked bar",
    "percentage stacked bar": "percent stacked bar",
    "normalized stacked bar": "percent stacked bar",
    "normalised stacked bar": "percent stacked bar",
    "100% stacked": "percent stacked bar",
    "100% stacked bar": "percent stacked bar",
    "stacked percentage bar": "percent stacked bar",
    "multi line": "line",
    "curve": "line",
    "time series": "line",
    "trend": "line",
    "stacked area": "area",
    "point": "scatter",
    "dot": "scatter",
    "bubble": "scatter",
    "distribution": "histogram",
    "box and whisker": "box",
    "boxes and whisker": "box",
    "whisker": "box",
    "heat": "heat map",
    "matrix": "heat map",
    "donut": "pie",
    "doughnut": "pie",
    "facet": "small multiples",
    "panel": "small multiples",
    "small multiple": "small multiples",
    "trellis": "small multiples",
}
"""By name, in the singular and without the word chart."""
NEAREST: dict[str, Form] = {
    "bullet": "bar",
    "candlestick": "line",
    "chord": "heat map",
    "dendrogram": "heat map",
    "funnel": "bar",
    "gantt": "bar",
    "gauge": "bar",
    "lollipop": "bar",
    "network": "heat map",
    "pareto": "bar",
    "polar": "bar",
    "radar": "bar",
    "ridgeline": "small multiples",
    "sankey": "stacked bar",
    "spider": "bar",
    "sunburst": "pie",
    "swarm": "box",
    "tree map": "pie",
    "violin": "box",
    "waterfall": "bar",
    "word cloud": "bar",
}
"""Forms that people ask for and that are not drawn here, and which of those here is nearest."""
CHART = r"(?:charts?|plots?|graphs?|diagrams?)"
_JOINED = re.compile(rf"^(bar|box|line|scatter|area|pie|heat|tree)({CHART}|maps?)$")


def plain_name(text: str) -> str:
    """A form's name as `NAMES` has it: ``Bar-Charts`` is ``bar``, ``heatmap`` is ``heat map``.

    Args:
        text: What somebody called it.
    """
    words = re.sub(r"[\s_-]+", " ", text.casefold()).strip()
    words = re.sub(r"^100 ?(?:%|percent|per cent) ", "100% ", words)
    words = _JOINED.sub(r"\1 \2", words)
    words = re.sub(rf" {CHART}$", "", words)
    if words in NAMES:
        return words
    words = re.sub(r"\bboxes$", "box", words)
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
