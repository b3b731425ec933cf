"""Leftovers: the words of a question that no step of a plan came from, and whether they tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from wideleaf.agents.planner.coverage.abstention import find_guesses, is_vague
from wideleaf.agents.planner.coverage.roles import WordRoles
from wideleaf.agents.planner.links.lexicon import lexicon
from wideleaf.agents.planner.scenes.derivation import Derivation

MOST_SAID = 6


class Leftovers(NamedTuple):
    """What a plan leaves over of a question, as the user wrote it.

    Attributes:
        telling: What may change the answer: names, numbers, negations, groups and the like.
        slight: What only says again what was understood, such as ``game`` in ``the game on ...``.
        vague: Whether a column of the plan is hardly named, so that another may be meant.
    """

    telling: tuple[str, ...] = ()
    slight: tuple[str, ...] = ()
    vague: bool = False


def find_leftovers(
    d: Derivation, rows: Sequence[Mapping[str, Any]] | None, alone: bool = True
) -> Leftovers:
    """Find the words that no step, column, value or measure of a plan came from.

    Args:
        d: The plan's derivation.
        rows: What the plan gives.
        alone: Whether the question says all that the plan is of; a message that goes on from an
            earlier answer leaves unsaid what that was of.
    """
    roles = WordRoles(d, rows)
    left = [p for p in range(len(roles.words)) if p not in roles.covered and roles.says(p)]
    slight = {place for place in reversed(left) if roles.slight(place)}
    telling = [place for place in left if place not in slight]
    telling = sorted({*telling, *roles.unanswered()})
    if alone:
        telling = sorted({*telling, *find_guesses(roles)})
    slight -= {*telling}
    return Leftovers(
        _phrases(roles, telling, joined=True),
        _phrases(roles, sorted(slight), joined=False),
        alone and is_vague(roles),
    )


def _phrases(roles: WordRoles, places: Sequence[int], joined: bool) -> tuple[str, ...]:
    """Words that follow one another as phrases; small words between them join them, or not."""
    runs: list[list[int]] = []
    for place in places:
        last = runs[-1][-1] if runs else place
        gap = range(last + 1, place)
        small = all(roles.words[p] in lexicon().stopwords and p not in roles.covered for p in gap)
        broken = any(roles.has_break(p, p + 1) for p in range(last, place))
        if runs and not broken and (not gap or (small and joined)):
            runs[-1].append(place)
        else:
            runs.append([place])
    found = []
    for run in runs:
        start = run[0]
        if joined and start and roles.words[start - 1] == "by":
            start -= start - 1 not in roles.covered
        found.append(roles.question.span_text(start, run[-1] + 1))
    return tuple(dict.fromkeys(found))
