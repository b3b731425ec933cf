"""Charts asked for in a message: which form is named in it, and which that is not drawn here."""

from __future__ import annotations

import re
from functools import cache

from wideleaf.tools.charts.forms import CHART, NAMES, Form, form_of

UNMISTAKABLE = (
    "box and whisker", "grouped bar", "heat map", "histogram", "small multiple", "stacked area",
    "stacked bar", "stacked column", "clustered bar",
)  # fmt: skip
"""Names that mean a chart without the word; a line or a bar may be anything."""
OTHERS = (
    "bullet", "candlestick", "chord", "dendrogram", "funnel", "gantt", "gauge", "lollipop",
    "network", "pareto", "polar", "radar", "ridgeline", "sankey", "spider", "sunburst", "swarm",
    "tree map", "violin", "waterfall", "word cloud",
)  # fmt: skip
"""Forms that people ask for and that are not drawn here."""
_NOT = r"\b(?:not|no|instead of|rather than|without|unlike|don'?t want)\s+(?:as\s+|in\s+)?"
_ARTICLE = r"(?:an?\s+|the\s+|some\s+)?"
_BEFORE = (
    r"\b(?:as|into|in|with|using|use|to|draw|plot|show|make|want|prefer|"
    r"(?:make|turn|draw|plot|show|put)\s+(?:it|that|this|them|these|those)(?:\s+(?:as|in|into))?)\s+"
)
_END = r"(?=\s*(?:$|[.,;:!?)]|please\b|instead\b|then\b|now\b|of\b|for\b|from\b|rather\b|not\b))"


def read_form(message: str) -> Form | None:
    """The form of chart that a message asks for; None if it names none.

    Args:
        message: A person's words about a chart, such as "plot that as a line".
    """
    name = _find(message, NAMES)
    return form_of(name) if name else None


def read_other_form(message: str) -> str:
    """A form that a message asks for and that is not drawn here; empty if it asks for none.

    Args:
        message: A person's words about a chart, such as "as a radar chart".
    """
    return _find(message, OTHERS)


def _find(message: str, names: dict[str, Form] | tuple[str, ...]) -> str:
    """The name that is asked for: one with the word chart, else one that is to be drawn."""
    text = " ".join(message.casefold().replace("’", "'").split())
    found = _patterns(tuple(names))
    text = found[0].sub(" ", text).strip(" ,.;:")
    matches = [match for pattern in found[1:] if (match := pattern.search(text))]
    return matches[0]["name"] if matches else ""


@cache
def _patterns(names: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """What is not to be, and what is: from the surest words for it to the least sure."""
    named = f"(?P<name>{_any_of(names)})"
    with_chart = rf"\b{named}[\s-]?{CHART}\b"
    alone = rf"\b(?P<name>{_any_of([name for name in names if name in UNMISTAKABLE + OTHERS])})\b"
    placed = rf"{_BEFORE}{_ARTICLE}{named}{_END}"
    bare = rf"^{_ARTICLE}{named}(?:\s+(?:please|instead|then|now))*\W*$"
    unwanted = rf"{_NOT}{_ARTICLE}(?:{_any_of(names)})(?:[\s-]?{CHART})?\b"
    made = (unwanted, with_chart, alone, placed, bare)
    return tuple(re.compile(pattern) for pattern in made)


def _any_of(names: list[str] | tuple[str, ...]) -> str:
    """The names, longest first, in the singular and the plural, written together or not."""
    ordered = sorted(names, key=lambda name: -len(name))
    return "|".join(r"[\s-]?".join(name.split()) + "(?:e?s)?" for name in ordered)
