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
    cover: Collection[int],
    hearing: Hearing,
) -> Attachment:
    """The best way to attach the words to the hops of a path, in an order that speech allows."""
    tokens = hearing.reading.tokens
    weights = [0.0 if p in cover else token.weight for p, token in enumerate(tokens)]
    telling = {p for p, weight in enumerate(weights) if weight == 1}
    shared = hearing.reading.cue("shared", "company")
    turned = [step._replace(back=not step.back) for step in path]
    turns = [p for p in range(1, len(path)) if shared and path[p] == turned[p - 1]]
    slots: list[np.ndarray] = []  # two a hop: its relation, and the kind of node it leads to
    costs: list[float] = []
    for place, step in enumerate(path):
        slots += [hearing.scores(step.relation), hearing.role_scores(step)]
        costs += [RETURN if place in turns else UNSAID, 0.0]
    gain, assignment, number = _choose_order(hearing.reading.orders(topic), slots, costs, weights)
    strengths, overlaps = [0.0] * len(path), [0.0] * len(path)
    asks = doubled = 0
    for place, step in enumerate(path):
        own = [p for p, slot in assignment.items() if slot == 2 * place]
        if own:
            words = hearing.matches(step.relation)
            strengths[place] = float(slots[2 * place][own].max())
            overlaps[place] = float(words[own].max(axis=0).mean())
            asks += all(tokens[p].text in ASKING for p in own)
            doubled += _count_doubled(words[sorted(telling.intersection(own))])
    for place in turns:  # who shares something is said by one word for both ways
        if strengths[place] < strengths[place - 1]:
            strengths[place], overlaps[place] = strengths[place - 1], overlaps[place - 1]
    rest = tuple(sorted(telling - assignment.keys()))
    score = {p: float(slots[s][p]) for p, s in assignment.items()}
    gain -= DOUBLED * doubled
    return Attachment(gain, tuple(strengths), tuple(overlaps), rest, score, number, doubled, asks)


def _count_doubled(words: np.ndarray) -> int:
    """How many words surely say a part of a name that another of them says, too."""
    parts = words[words.max(axis=1) >= SURE].argmax(axis=1)
    return len(parts) - len(np.unique(parts))


def _choose_order(
    orders: Sequence[Sequence[int]],
    slots: Sequence[np.ndarray],
    costs: Sequence[float],
    weights: Sequence[float],
) -> tuple[float, dict[int, int], int]:
    """The best of the words' orders: its gain, which word says which slot, and its number."""
    options = []
    for number, order in enumerate(orders):
        gain, assignment = _assign([p for p in order if weights[p] > 0], slots, costs, weights)
        options.append((gain - 0.02 * number, assignment, number))
    return max(options, key=lambda one: one[0])


def _assign(
    places: Sequence[int],
    slots: Sequence[np.ndarray],
    costs: Sequence[float],
    weights: Sequence[float],
) -> tuple[float, dict[int, int]]:
    """Words to slots, never back to an earlier one; the best by dynamic programming."""
    size = len(slots)
    skip = [0.0]
    for cost in costs:
        skip.append(skip[-1] + cost)
    gains = [[weights[p] * (float(score[p]) - NOTHING) for score in slots] for p in places]
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
    assignment: dict[int, int] = {}
    for place, come in zip(reversed(places), reversed(back), strict=True):
        i, has_word = come[j]
        if has_word:
            assignment[place] = j - 1
        j = i
    return gain, assignment
