"""Leftovers: the words of a question that no step of a plan came from, and whether they tell."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from wideleaf.agents.planner.coverage.abstention import find_guesses, is_vague
from wideleaf.agents.planner.coverage.clauses import Clauses
from wideleaf.agents.planner.coverage.signs import signs_of
from wideleaf.agents.planner.features import weights
from wideleaf.agents.planner.links.lexicon import lexicon
from wideleaf.agents.planner.scenes.derivation import Derivation

MOST_SAID = 6
TELLS = 0.5
"""From this part of the answers that leave such words over, which are wrong for it, they tell."""
SHARE = 0.25
"""Of several words that tell together each that has so much of it by itself."""
CERTAIN = frozenset(("cell", "header", "quoted", "idle each", "of all rows"))
"""What is never passed over: words of tables, quoted ones, groups, what all rows do not say."""


SAYS_NOTHING = frozenset(("row", "all of them"))
"""Signs of what adds nothing to what is said of the rows: what they are called, all of a thing."""


class Leftovers(NamedTuple):
    """What a plan leaves over of a question, as the user wrote it.

    Attributes:
        telling: What may change the answer: names, numbers, negations, groups and the like.
        slight: What only says again what was understood, such as ``game`` in ``the game on ...``.
        vague: Whether a column of the plan is hardly named, so that another may be meant.
        doubt: By how much all these words lower the logarithm of how likely the answer is right.
        signs: Of each word that is left over.
        guesses: Whether the plan takes a word for more than question and table bear out.
    """

    telling: tuple[str, ...] = ()
    slight: tuple[str, ...] = ()
    vague: bool = False
    doubt: float = 0.0
    signs: tuple[frozenset[str], ...] = ()
    guesses: bool = False

    @property
    def certain(self) -> bool:
        """Whether a word tells, whatever the weights say."""
        return self.guesses or any(one & CERTAIN for one in self.signs)


def find_leftovers(d: Derivation, alone: bool = True) -> Leftovers:
    """Find the words that no step, column, value or measure of a plan came from.

    Args:
        d: The plan's derivation.
        alone: Whether the question says all that the plan is of; a message that goes on from an
            earlier answer leaves unsaid what that was of.
    """
    side = Clauses(d)
    left = [p for p in range(len(side.words)) if p not in side.covered and side.says(p)]
    signs = {place: signs_of(side, place) for place in left}
    parts = {place: _part(one) for place, one in signs.items()}
    doubt = -sum(math.log1p(-part) for part in parts.values())
    least = SHARE if doubt >= -math.log1p(-TELLS) else TELLS
    telling = {place for place, part in parts.items() if part >= least}
    telling |= {p for cue in side.ignored if cue.places & telling for p in cue.places}
    guesses = find_guesses(side) if alone else set()
    telling |= guesses
    slight = [place for place in left if place not in telling]
    return Leftovers(
        _phrases(side, sorted(telling), joined=True),
        _phrases(side, slight, joined=False),
        alone and is_vague(side),
        doubt,
        tuple(signs.values()),
        bool(guesses),
    )


def _part(signs: frozenset[str]) -> float:
    """How much a word tells."""
    if signs & CERTAIN:
        return max(tells(signs), TELLS)
    return 0.0 if signs & SAYS_NOTHING else tells(signs)


def tells(signs: Iterable[str]) -> float:
    """How likely an answer that leaves over a word with such signs is wrong for it.

    A noisy-or: the answer is right if the plan is and no word that it leaves over was needed.
    """
    known = weights()
    x = known.get("word base", 0.0) + sum(known.get(f"word {sign}", 0.0) for sign in signs)
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, x))))


def _phrases(side: Clauses, places: Sequence[int], joined: bool) -> tuple[str, ...]:
    """Words that follow one another as phrases; small words between them join them, or not."""
    runs: list[list[int]] = []
    for place in places:
        last = runs[-1][-1] if runs else place
        gap = range(last + 1, place)
        small = all(side.words[p] in lexicon().stopwords and p not in side.covered for p in gap)
        broken = any(side.has_break(p, p + 1) for p in range(last, place))
        if runs and not broken and (not gap or (small and joined)):
            runs[-1].append(place)
        else:
            runs.append([place])
    found = []
    for run in runs:
        start = run[0]
        if joined and start and side.words[start - 1] == "by":
            start -= start - 1 not in side.covered
        found.append(side.question.span_text(start, run[-1] + 1))
    return tuple(dict.fromkeys(found))
