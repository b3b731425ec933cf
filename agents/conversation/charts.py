"""Charts asked for in a message: of what, in which form, and which form is not drawn here."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from wideleaf.tools.charts.forms import CHART, NAMES, NEAREST, Form, form_of

UNMISTAKABLE = (
    "box and whisker", "grouped bar", "heat map", "histogram", "small multiple", "stacked area",
    "stacked bar", "stacked column", "clustered bar",
)  # fmt: skip
"""Names that mean a chart without the word; a line or a bar may be anything."""
STACKED = "stacked bar"
SURE = 2
"""So many of the patterns of a form mean a chart whatever else is said."""
OTHERS = tuple(NEAREST)
"""Forms that people ask for and that are not drawn here."""
_NOT = r"\b(?:not|no|instead of|rather than|without|unlike|don'?t want)\s+(?:as\s+|in\s+)?"
_ARTICLE = r"(?:an?\s+|the\s+|some\s+)?"
_BEFORE = (
    r"\b(?:as|into|in|with|using|use|to|draw|plot|show|make|want|prefer|"
    r"(?:make|turn|draw|plot|show|put)\s+(?:it|that|this|them|these|those)(?:\s+(?:as|in|into))?)\s+"
)
_END = r"(?=\s*(?:$|[.,;:!?)]|please\b|instead\b|then\b|now\b|of\b|for\b|from\b|rather\b|not\b))"

VERBS = "plot|chart|graph|sketch|diagram|visuali[sz]e"
"""What begins a message that wants a chart; to draw may be to draw a sample."""
NOUNS = (
    "number|numbers|no|nos|id|ids|code|codes|name|names|size|sizes|area|areas|with|without|where|"
    "which|that|is|are|has|have|was|were|had|in|on|at|and|or|s"
)
"""What follows such a word where it is a noun: "plot number 7", "plots with irrigation"."""
MARKS = " ,;:-.!?"
_ABOUT_MARKS = re.compile(
    r"[\s,;]+(?:with|where|in which|using)\s+(?:each|every|the|an?)\s+(?:bar|line|slice|point|dot|"
    r"box|panel|column|mark|segment|wedge|axis|x-axis|y-axis)s?\s+(?:represent|show|be|is|are|for|stand|"
    r"indicat|display|depict|denot)\w*\b.*$",
    re.I,
)
"""What is said of the picture's marks once it is said what is drawn."""
_OPEN = (
    r"^(?P<lead>.+?[,;.]\s+)??(?:(?:please|now|then|and|ok|okay|so|next|also|can|could|would|will|you|i|want|to|see|"
    r"i'd|need|like|help|let|me|us|let's)\b[\s,]*)*"
)


def read_drawing(message: str) -> str:
    """What a message asks of the tables that wants its answer drawn; empty if it wants no chart.

    "Plot these three" becomes "show these three": the table is what a thinker gives.

    Args:
        message: A person's words, such as "plot the mean yield by site" or "yield by site as a
            bar chart".
    """
    text = " ".join(message.replace("’", "'").split()).strip(MARKS)
    text = re.sub(r"[\s,]+please$", "", text, flags=re.I)
    front, end, form, pointing, points = _demands()
    demand = next((match for one in (*end, *front) if (match := one.search(text))), None)
    rest = form.sub("", _ABOUT_MARKS.sub("", demand["rest"])).strip(MARKS) if demand else ""
    if demand is None or pointing.fullmatch(rest):
        return ""
    lead = demand.groupdict().get("lead") or ""
    # What is left of an order is one still: two words that point look like a message cut off.
    return f"{lead}show {rest}" if lead or points.match(rest) else rest


class _Demands(NamedTuple):
    front: tuple[re.Pattern[str], ...]
    end: tuple[re.Pattern[str], ...]
    form: re.Pattern[str]
    pointing: re.Pattern[str]
    points: re.Pattern[str]


@cache
def _demands() -> _Demands:
    """A chart asked for at front or end of a message, its form, and words that point at it."""
    names = _any_of([*NAMES, *OTHERS])
    sure = _any_of([*UNMISTAKABLE, *OTHERS])
    chart, kind = rf"(?:(?:{names})?[\s-]?{CHART}|{sure})", rf"(?:(?:{names})[\s-]?{CHART}|{sure})"
    shows = (
        r",?\s*(?:(?:that|which|to|and)\s+)?(?:show|display|depict|compare|illustrate|represent|"
        r"present|visuali[sz]e|plot)(?:s|ing)?|,?\s*(?:showing|depicting|comparing|illustrating|"
        r"plotting|visuali[sz]ing)"
    )
    of = rf"(?:\s+(?:of|for|with|from|on|about)|\s*(?:{shows}))"
    verb = r"(?:show|give|draw|make|create|produce|display|get|do|plot|generate)(?:\s+me)?"
    front = (
        rf"{_OPEN}{verb}\s+(?:an?\s+|the\s+)?(?:[\w-]+\s+){{0,2}}?{chart}{of}\s+(?P<rest>.+)$",
        rf"{_OPEN}(?:an?\s+|the\s+)?{kind}{of}\s+(?P<rest>.+)$",
        rf"{_OPEN}(?:{VERBS})\s+(?!(?:{NOUNS})\b)(?P<rest>.+)$",
    )
    # "The last date on the chart" is of a table that is called so.
    put = rf"(?:(?:as|in|into|with|using)\s+(?:an?\s+)?{chart}|(?:on|in)\s+(?:an?\s+)?{kind})"
    it = r"(?:it|that|this|them|these|those|the results?|the answer)"
    order = rf"(?:and|then|,)\s*(?:then\s+)?(?:{VERBS}|draw)\s+{it}(?:\s+{put})?"
    end = rf"^(?P<rest>.+?)[\s,;:-]+(?:{order}|{put})$"
    form = rf"[\s,]+(?:as|in|with|using)\s+(?:an?\s+)?(?:{names})$"
    pointing = rf"(?:(?:{verb}|put|turn|{it}|{VERBS}|all|now|again|instead|me)\b\s*)*"
    return _Demands(
        tuple(re.compile(one, re.I) for one in front),
        (re.compile(end, re.I),),
        re.compile(form, re.I),
        re.compile(pointing, re.I),
        re.compile(r"(?:these|those|this|that|the same|both|all|the rest)\b", re.I),
    )


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


def wants_chart(question: str) -> bool:
    """Whether a question wants its answer drawn, wherever in it that is said.

    Args:
        question: Such as "number of storms a year, stacked bars please"; a form alone may be a
            word of the tables ("the column of names"), so it counts with the word chart, or where
            its name means nothing else.
    """
    return bool(read_drawing(question) or _find(question, NAMES, sure=True))


def _find(message: str, names: dict[str, Form] | tuple[str, ...], *, sure: bool = False) -> str:
    """The name that is asked for: one with the word chart, else one that is to be drawn."""
    text = " ".join(message.casefold().replace("’", "'").split())
    patterns = _patterns(tuple(names))
    text = patterns[0].sub(" ", text).strip(" ,.;:")
    matches = [
        match
        for pattern in patterns[1 : SURE + 1 if sure else None]
        if (match := pattern.search(text))
    ]
    return matches[0]["name"] if matches else ""


@cache
def _patterns(names: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """What is not to be, and what is: from the surest words for it to the least sure."""
    group = f"(?P<name>{_any_of(names)})"
    with_chart = rf"\b{group}[\s-]?{CHART}\b"
    sure = [name for name in names if name in UNMISTAKABLE + OTHERS or name.endswith(STACKED)]
    alone = rf"\b(?P<name>{_any_of(sure)})\b"
    placed = rf"{_BEFORE}{_ARTICLE}{group}{_END}"
    bare = rf"^{_ARTICLE}{group}(?:\s+(?:please|instead|then|now))*\W*$"
    unwanted = rf"{_NOT}{_ARTICLE}(?:{_any_of(names)})(?:[\s-]?{CHART})?\b"
    texts = (unwanted, with_chart, alone, placed, bare)
    return tuple(re.compile(pattern) for pattern in texts)


def _any_of(names: list[str] | tuple[str, ...]) -> str:
    """The names, longest first, in the singular and the plural, written together or not."""
    ordered = sorted(names, key=lambda name: -len(name))
    return "|".join(r"[\s-]?".join(name.split()) + "(?:e?s)?" for name in ordered)
