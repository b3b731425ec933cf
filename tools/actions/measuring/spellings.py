"""How measures are spelled: other words for a function, and words that are short for two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_SPELLINGS = {
    "avg": "mean",
    "average": "mean",
    "weighted average": "weighted mean",
    "stddev": "std",
    "stdev": "std",
    "standard deviation": "std",
    "var": "variance",
    "nunique": "count distinct",
    "size": "count",
    "percentile": "quantile",
    "most common": "mode",
    "proportion": "share",
    "skew": "skewness",
    "kurt": "kurtosis",
    "excess kurtosis": "kurtosis",
    "sem": "standard error",
    "se": "standard error",
    "stderr": "standard error",
    "std error": "standard error",
    "standard error of the mean": "standard error",
    "ci lower": "ci low",
    "lower ci": "ci low",
    "ci upper": "ci high",
    "upper ci": "ci high",
    "interquartile range": "iqr",
    "median absolute deviation": "mad",
    "gmean": "geometric mean",
    "geomean": "geometric mean",
    "concat": "list",
    "concatenate": "list",
    "group concat": "list",
    "string agg": "list",
    "listagg": "list",
    "join": "list",
    "array agg": "list",
    "collect": "list",
    "collect list": "list",
    "collect set": "list distinct",
    "distinct list": "list distinct",
    "unique list": "list distinct",
    "list unique": "list distinct",
}
_POPULATION = ("population", "pop")
_SAMPLE = ("sample", "samp")
"""Words before or after a function that say of what its rows are all, or some."""
_INTERVALS = ("ci", "confidence interval", "confidence interval of the mean", "95 % ci", "95% ci")
_ENDS = {"low": "ci low", "high": "ci high"}


def read_function(text: str) -> tuple[str, bool | None]:
    """A function's name from its spelling, and whether the words say that it is a population's.

    Args:
        text: As it was written, such as ``population std`` or ``stddev_pop``.
    """
    words = " ".join(text.replace("_", " ").lower().split())
    for kind, population in ((_POPULATION, True), (_SAMPLE, False)):
        for word in kind:
            rest = words.removeprefix(f"{word} ").removesuffix(f" {word}")
            if rest != words:
                return _SPELLINGS.get(rest, rest), population
    return _SPELLINGS.get(words, words), None


def with_both_ends(measures: object) -> object:
    """Measures as they were written, a confidence interval as its two ends."""
    if not isinstance(measures, list | tuple):
        return measures
    entries: list[Any] = []
    for one in measures:
        entries += _ends(one) if isinstance(one, Mapping) else [one]
    return entries


def _ends(measure: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    words = " ".join(str(measure.get("function", "")).replace("_", " ").lower().split())
    if words not in _INTERVALS:
        return [measure]
    name = measure.get("name")
    names = {end: {"name": f"{name}_{end}"} if name else {} for end in _ENDS}
    return [{**measure, "function": _ENDS[end], **names[end]} for end in _ENDS]
