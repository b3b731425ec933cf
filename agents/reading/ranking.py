"""Ranking: the texts that have most of something, by grades first, then in pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wideleaf.tools.actions.reading.rank import Rank
from wideleaf.tools.verdicts.task import Task
from wideleaf.tools.verdicts.verdicts import Verdict

Ask = Callable[[Task, Mapping[str, str]], dict[str, Verdict]]
FEW = 20
"""So few texts, or three times as many as are wanted, are compared without being graded first."""
UNRANKED = 0
"""The place of a text that is not among the first."""


def rank_texts(action: Rank, texts: Mapping[str, str], ask: Ask) -> dict[str, Verdict]:
    """The places of the texts that come first, from 1; the others have none.

    Each text is graded by itself, and those with the best grades are sorted by comparing all of
    them with one, then those above and those below it likewise (quicksort), as far as places are
    wanted. Texts that were not read are left out.

    A place is as sure as the least sure of the comparisons that a text was in.

    Args:
        action: What is wanted.
        texts: By their keys.
        ask: Asks the reader.
    """
    sure: dict[str, float] = {}
    grades: dict[str, Any] = {key: 0 for key in texts}
    least = max(FEW, 3 * action.n)
    if len(texts) > least:
        given = ask(action.task, texts)
        grades = {key: one.value for key, one in given.items() if one.value is not None}
    best = sorted(grades, key=lambda key: -grades[key])[:least]
    ordered = _sorted(action, {key: texts[key] for key in best}, action.n, ask, sure)
    places = {key: place for place, key in enumerate(ordered[: action.n], 1)}
    return {
        key: Verdict(value=places[key], confidence=sure.get(key))
        if key in places
        else Verdict(value=UNRANKED)
        for key in grades
    }


def _sorted(
    action: Rank, texts: Mapping[str, str], n: int, ask: Ask, sure: dict[str, float]
) -> list[str]:
    """The first n of some texts in their order, and in `sure` how sure their places are."""
    if len(texts) < 2 or n <= 0:
        return list(texts)[: max(n, 0)]
    keys = list(texts)
    pivot = keys[len(keys) // 2]
    others = {key: text for key, text in texts.items() if key != pivot}
    given = ask(action.against(texts[pivot]), others)
    for key, verdict in given.items():
        if verdict.confidence is not None:
            for one in (key, pivot):
                sure[one] = min(sure.get(one, 1.0), verdict.confidence)
    above = {key: text for key, text in others.items() if given.get(key, Verdict()).value}
    below = {key: text for key, text in others.items() if key not in above}
    first = _sorted(action, above, n, ask, sure)
    rest = n - len(above) - 1
    return [*first, pivot, *(_sorted(action, below, rest, ask, sure) if rest > 0 else [])]
