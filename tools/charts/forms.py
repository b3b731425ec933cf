"""Forms of charts: what sets each apart, and the names that people have for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

from wideleaf.tools.errors import ActionError

Form = Literal[
    "bar", "grouped bar", "stacked bar", "percent stacked bar", "line", "area", "scatter",
    "histogram", "box", "heat map", "pie", "waterfall", "small multiples",
]  # fmt: skip
FORMS: tuple[Form, ...] = get_args(Form)
Panel = Literal["bar", "line", "area", "point"]
MOST_KEYS, MOST_SERIES = 30, 10


@dataclass(frozen=True)
class FormRule:
    """What sets a form apart from the others.

    Attributes:
        names: Other names of it, in the singular and without the word chart.
        keys: So many keys are drawn along it at most.
        series: So many series, or rows of a heat map.
        bands: Whether it has a place for each key rather than an axis that runs.
        overlays: Whether many rows may have one place in it.
        panel: What a panel of small multiples is drawn with; None where it stands in no panel.
        stack: How Vega-Lite stacks its bars.
    """

    names: tuple[str, ...] = ()
    keys: int = MOST_KEYS
    series: int = MOST_SERIES
    bands: bool = False
    overlays: bool = False
    panel: Panel | None = None
    stack: Literal["zero", "normalize"] | None = None


RULES: dict[Form, FormRule] = {
    "bar": FormRule(("column", "horizontal bar", "vertical bar"), bands=True, panel="bar"),
    "grouped bar": FormRule(
        ("grouped column", "grouped", "clustered bar", "side by side bar"), bands=True, panel="bar"
    ),
    "stacked bar": FormRule(("stacked column", "stacked"), bands=True, stack="zero"),
    "percent stacked bar": FormRule(
        ("percent stacked", "percentage stacked bar", "normalized stacked bar",
         "normalised stacked bar", "100% stacked", "100% stacked bar", "stacked percentage bar"),
        bands=True, stack="normalize",
    ),
    "line": FormRule(("multi line", "curve", "time series", "trend"), keys=100, panel="line"),
    "area": FormRule(("stacked area",), keys=100, panel="area"),
    "scatter": FormRule(("point", "dot", "bubble"), keys=60, overlays=True, panel="point"),
    "histogram": FormRule(("distribution",), overlays=True),
    "box": FormRule(
        ("box and whisker", "boxes and whisker", "whisker"), bands=True, overlays=True
    ),
    "heat map": FormRule(("heat", "matrix"), keys=60, series=40, bands=True),
    "pie": FormRule(("donut", "doughnut"), keys=10_000, bands=True),
    "waterfall": FormRule(("bridge", "cascade"), bands=True),
    "small multiples": FormRule(("facet", "panel", "small multiple", "trellis"), panel="bar"),
}  # fmt: skip
NAMES: dict[str, Form] = {form: form for form in FORMS} | {
    name: form for form, rule in RULES.items() for name in rule.names
}
"""Forms by name, in the singular and without the word chart."""
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
