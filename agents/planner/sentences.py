"""Sentences: of a message of several, the one that asks; the others say what it is about."""

from __future__ import annotations

import re
from collections.abc import Callable

from wideleaf.agents.planner.antecedents import Antecedents, with_antecedents
from wideleaf.agents.planner.links.lexicon import lexicon, read_words
from wideleaf.agents.planner.proposals import Proposals
from wideleaf.agents.planner.scenes.derivation import PlanProposal

MOST = 4
"""A message of more sentences is read as a whole."""
LEAST_WORDS = 2
SURE = 0.5
"""So sure a reading of all of a message, which leaves no word over, is not compared."""
INTRODUCTION = 3
"""So many words that say something may stand before a colon as an introduction alone."""
PASSED_OVER = 0.95
"""What is left of the sureness of a reading for each sentence that it passes over."""
CLEARLY = 0.05
"""So much surer a reading of a part must be."""
_END = re.compile(r"(?<=[a-z\d)%\"'][.!?:])\s+(?=[\w\"'(])", re.IGNORECASE)
_WHICH_ONE = re.compile(
    r"(?:is|are|was|were) there (?:any |an? |some )?(?P<what>.+?)[?,.]?\s+"
    r"(?:and )?(?:if so,? )?which ones?(?: is it| are they)?\s*\??",
    re.IGNORECASE,
)
_SHORT = re.compile(r"(?:^|\s)[A-Z][a-z]{0,2}\.$")
"""An abbreviation such as ``St.``, which ends no sentence."""


def split_sentences(text: str) -> list[str]:
    """The sentences of a message, in order."""
    found = [""]
    for piece in _END.split(text.strip()):
        if found[-1] and (_SHORT.search(found[-1]) or not found[-1]):
            found[-1] += f" {piece}"
        else:
            found.append(piece)
    return [one for one in found if one]


def ask_which(text: str) -> str:
    """A question for which one there is, where whether there is one stands before it.

    *Is there any college with a rate above 100? which one* asks for the college.
    """
    found = _WHICH_ONE.fullmatch(text.strip())
    return f"Which {found['what']}?" if found else text


def read_in_parts(
    text: str, read: Callable[[str], Proposals], find: Callable[[str], Antecedents]
) -> Proposals:
    """The reading of a message: of all of it, or of those of its sentences that are surer alone.

    Whether a sentence asks something of the tables shows only when it is read: most have none of
    their words. What is passed over is told with the answer.

    Args:
        text: The message.
        read: Reads a text.
        find: The headers and cells that a text names.
    """
    whole = read(text)
    sentences = split_sentences(text)
    best = _sureness(whole)
    clear = bool(whole.plans) and not whole.plans[0].unused and best >= SURE
    if clear or not 1 < len(sentences) <= MOST:
        return whole
    found, least = whole, best + CLEARLY
    for first, last in _ranges(len(sentences), [one.endswith("?") for one in sentences]):
        part = " ".join(sentences[first:last])
        if len(part.split()) < LEAST_WORDS:
            continue
        left = [*sentences[:first], *sentences[last:]]
        other = _pointing(part, " ".join(sentences[:first]), read, find)
        passed = left if other is None else sentences[last:]
        other = other or read(part)
        sure = _sureness(other) * PASSED_OVER ** len(passed)
        if sure > least and not _cut_short(sentences, first, last):
            found, least = _told(other, passed) if passed else other, sure
    return found


def _cut_short(sentences: list[str], first: int, last: int) -> bool:
    """Whether a part is passed over that a colon joins to what is read, and that says much."""
    if sentences[last - 1].endswith(":"):
        return True  # what is asked stands behind it
    before = sentences[first - 1] if first else ""
    little = lexicon().stopwords
    said = [word for word in read_words(before) if word.text not in little]
    return before.endswith(":") and len(said) > INTRODUCTION


def _pointing(
    part: str, before: str, read: Callable[[str], Proposals], find: Callable[[str], Antecedents]
) -> Proposals | None:
    """The reading of sentences with what those before them name; none where it leaves words over.

    However sure they are without it: an answer that drops what was named answers something else.
    """
    asked = with_antecedents(part, find(before)) if before else part
    if asked == part:
        return None
    found = read(asked)
    if not found.plans or found.plans[0].unused:
        return None
    word = f"Read as {asked!r}, from {before!r}."
    plans = tuple(_passing(plan, PASSED_OVER, word) for plan in found.plans)
    return found.model_copy(update={"plans": plans})


def _ranges(count: int, asks: list[bool]) -> list[tuple[int, int]]:
    """Runs of sentences, longer ones first; where some ask, those that hold one that does."""
    every = [
        (first, first + size)
        for size in range(count - 1, 0, -1)
        for first in range(count - size, -1, -1)
    ]
    return [(a, b) for a, b in every if any(asks[a:b]) or not any(asks)]


def _told(found: Proposals, left: list[str]) -> Proposals:
    sure = PASSED_OVER ** len(left)
    word = "Passed over: " + " ".join(map(repr, left)) + "."
    plans = tuple(_passing(plan, sure, word) for plan in found.plans)
    return found.model_copy(update={"plans": plans})


def _passing(plan: PlanProposal, sure: float, word: str) -> PlanProposal:
    remarks = (word, *plan.remarks)
    return plan.model_copy(update={"confidence": plan.confidence * sure, "remarks": remarks})


def _sureness(found: Proposals) -> float:
    return found.plans[0].confidence if found.plans else 0.0
