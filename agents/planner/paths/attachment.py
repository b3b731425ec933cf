"""Attachment: which words of a question say which hop of a path, nearest to the topic first."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from wideleaf.agents.planner.paths.reading import ASKING, Span
from wideleaf.agents.planner.paths.relation_words import Hearing
from wideleaf.tools.knowledge.fact_index import Step

NOTHING = 0.35
"""A word that says a hop no better than this does not say it."""
SURE, DOUBLED = 0.7, 0.3
"""A word that says a part of a name as surely as this needs no second one that says it."""
UNSAID, RETURN = 0.45, 0.15
"""What a hop costs that no word says, and one that only goes back along the hop before
where the question speaks of what is shared."""


class Attachment(NamedTuple):
    """How words and hops go together.

    Attributes:
        gain: What the words say of the path, less what a hop costs that none says.
        said: The best score of a word for each hop.
        named: The share of each hop's name that words say.
        left: Places of telling words that say nothing of the path.
        score: By place, how well the word says what it is attached to.
        order: Which order of words it was.
        asked: How many hops only the asking word says.
        doubled: How many words say what another word at the same hop says already.
    """

    gain: float
    said: tuple[float, ...]
    named: tuple[float, ...]
    left: tuple[int, ...]
    score: dict[int, float]
    order: int
    doubled: int
    asked: int


def attach(
    path: Sequence[Step],
    topic: Span,
    used: Collection[int],
    hearing: Hearing,
) -> Attachment:
    """The best way to attach the words to the hops of a path, in an order that speech allows."""
    slots: list[tuple[bool, np.ndarray]] = []
    for step in path:
        slots += [(True, hearing.scores(step.relation)), (False, hearing.role_scores(step))]
    returns = [
        place > 0 and step == path[place - 1]._replace(back=not path[place - 1].back)
        for place, step in enumerate(path)
    ]
    cheap = RETURN if hearing.reading.cue("shared", "company") else UNSAID
    costs = [
        (cheap if returns[i // 2] else UNSAID) if hop else 0.0 for i, (hop, _) in enumerate(slots)
    ]
    tokens = hearing.reading.tokens
    best: tuple[float, dict[int, int], int] | None = None
    for number, order in enumerate(hearing.reading.orders(topic)):
        places = [p for p in order if p not in used and tokens[p].weight > 0]
        gain, chosen = _assign(places, slots, costs, [t.weight for t in tokens])
        gain -= 0.02 * number
        if best is None or gain > best[0]:
            best = (gain, chosen, number)
    assert best is not None
    gain, chosen, number = best
    said, named, doubled, asked = [], [], 0, 0
    for place, step in enumerate(path):
        own = [p for p, slot in chosen.items() if slot == 2 * place]
        said.append(max((float(slots[2 * place][1][p]) for p in own), default=0.0))
        words = hearing.matches(step.relation)[own] if own else np.zeros((1, 1))
        cover = words.max(axis=0)
        telling = [tokens[p].weight == 1 for p in own] or [False]
        sure = words[(words.max(axis=1) >= SURE) & telling]
        asked += bool(own) and all(tokens[p].text in ASKING for p in own)
        doubled += len(sure) - len(set(sure.argmax(axis=1).tolist()))
        named.append(float(cover.mean()))
    if cheap == RETURN:  # who shares something is said by one word for both ways
        for place in range(1, len(path)):
            if returns[place] and said[place] < said[place - 1]:
                said[place], named[place] = said[place - 1], named[place - 1]
    left = tuple(
        p for p, t in enumerate(tokens) if t.weight == 1 and p not in used and p not in chosen
    )
    score = {p: float(slots[s][1][p]) for p, s in chosen.items()}
    gain -= DOUBLED * doubled
    return Attachment(gain, tuple(said), tuple(named), left, score, number, doubled, asked)


def _assign(
    places: Sequence[int],
    slots: Sequence[tuple[bool, np.ndarray]],
    costs: Sequence[float],
    weights: Sequence[float],
) -> tuple[float, dict[int, int]]:
    """Words to slots, never back to an earlier one; the best by dynamic programming."""
    size = len(slots)
    skip = [0.0]
    for cost in costs:
        skip.append(skip[-1] + cost)
    gains = [[weights[p] * (float(score[p]) - NOTHING) for _, score in slots] for p in places]
    low = float("-inf")
    state = [0.0] + [low] * size  # the last slot used, from 1; none at 0
    back: list[list[tuple[int, bool]]] = []
    for row in gains:
        later = list(state)
        come = [(j, False) for j in range(size + 1)]
        for j in range(1, size + 1):
            if row[j - 1] <= 0:
                continue
            for i in range(j + 1):
                if state[i] == low:
                    continue
                value = state[i] + row[j - 1] - (skip[j - 1] - skip[i] if i < j else 0.0)
                if value > later[j]:
                    later[j], come[j] = value, (i, True)
        state = later
        back.append(come)
    ends = [value - (skip[size] - skip[j]) if value > low else low for j, value in enumerate(state)]
    j = max(range(size + 1), key=lambda k: ends[k])
    gain = ends[j]
    chosen: dict[int, int] = {}
    for place, come in zip(reversed(places), reversed(back), strict=True):
        i, taken = come[j]
        if taken:
            chosen[place] = j - 1
        j = i
    return gain, chosen
