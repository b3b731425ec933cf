"""Which statistic a wanted value is, by its name and what is said of it."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from wideleaf.agents.report_form import Demand, words_in

MEASURES = {
    "skewness", "kurtosis", "standard error", "std", "variance", "median", "mean", "mode", "min",
    "max", "range", "q1", "q3", "iqr", "sum",
}  # fmt: skip
"""Those that an aggregate of one column is."""
SCORES = {"RMSE", "MSE", "MAE", "R2", "AUC", "accuracy", "precision", "recall", "macro F1"}
"""Those that judge what was learnt."""
COUNTS = {"outliers", "outlier share", "missing", "rows", "lower bound", "upper bound"}
"""Those that need no analysis."""
LIST = "list"
_SEVERAL = re.compile(r"1\s*,|,\s*\.\.")
_LISTED = re.compile(r"\b(?:comma[- ]separated )?list of\b", re.I)
VERDICT = "verdict"
_PART = re.compile(
    r"^(?:percent|percentage|pct|proportion|share|fraction|ratio|number|num|count)\b.*"
    r"\b(?:below|above|under|over|within|between|beyond|greater|less|more|exceeding)\b"
)
EXTREME = re.compile(
    r"\b(?:(?P<high>highest|largest|most|maximum|longest|biggest|greatest|oldest|best|max)"
    r"|(?P<low>lowest|smallest|least|fewest|minimum|shortest|youngest|worst|min))\b",
    re.I,
)
"""The words of one extreme or the other."""
LETTERS = {
    "r": "correlation", "rho": "correlation", "tau": "correlation", "p": "p_value",
    "t": "statistic", "f": "statistic", "u": "statistic", "w": "statistic", "h": "statistic",
    "z": "statistic", "chi2": "statistic",
}  # fmt: skip
"""What the field writes for short, where it is all of a name."""


def statistic_of(demand: Demand) -> str:
    """The statistic that is wanted, or empty where none of the field's names is said.

    Args:
        demand: The value.
    """
    if demand.choices:
        return VERDICT
    if _SEVERAL.search(demand.slot) or _LISTED.search(demand.told):
        return LIST
    if _PART.search(" ".join(demand.words)):
        return ""  # a share of rows or a count beyond a bound, whatever the bound is called
    if short := LETTERS.get("".join(demand.words)):
        return short
    for text in (" ".join(demand.words), " ".join(words_in(demand.slot)), demand.told.lower()):
        for name, spellings in _statistics().items():
            if any(pattern.search(text) for pattern in spellings):
                # *the site with the most missing cells* is no count of cells
                names_other = name in COUNTS and EXTREME.search(" ".join(demand.words))
                return "" if names_other else name
    return ""


def needs_analysis(demand: Demand) -> bool:
    """Whether a value comes out of a test, a correlation or a model, and not of an aggregate."""
    kind = statistic_of(demand)
    sides = kind == "rows" and re.search(r"\b(?:test|train)", " ".join(demand.words))
    return kind not in {*MEASURES, *COUNTS, LIST} or bool(sides)


def own_words(demand: Demand) -> tuple[str, ...]:
    """The words of its name that are no part of a statistic's."""
    text = " ".join(demand.words)
    for spellings in _statistics().values():
        for pattern in spellings:
            text = pattern.sub(" ", text)
    return tuple(word for word in text.split() if len(word) > 1 or word.isdigit())


@cache
def _statistics() -> dict[str, tuple[re.Pattern[str], ...]]:
    source = files("wideleaf.agents.planner.reports").joinpath("statistics.txt")
    found = {}
    for line in source.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, told = line.partition(":")
            spelled = (" ".join(one.split()) for one in told.split("|"))
            found[name] = tuple(re.compile(rf"\b{re.escape(one)}\b") for one in spelled)
    return found
