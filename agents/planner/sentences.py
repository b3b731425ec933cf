"""Sentences: a message of several is read by the one that asks, in the light of the others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from wideleaf.agents.planner.links.lexicon import Word, cell_words, lexicon, read_words
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.proposals import Proposals
from wideleaf.agents.planner.scopes.derivation import PlanProposal

LONGEST = 6
"""Words of a header or cell that is looked for."""
_POINTS = re.compile(r"\b(?:it|its|that one|this one)\b(?!')", re.IGNORECASE)
_THERE = re.compile(r"\s*\bthere\b(?! (?:is|are|was|were)\b)", re.IGNORECASE)
_CLOSE = re.compile(r"\s*[.?!]*\s*$")


class Antecedents(NamedTuple):
    """What sentences name exactly: headers and cells, as they are written there."""

    headers: tuple[str, ...]
    cells: tuple[str, ...]


def find_antecedents(text: str, indexes: Iterable[TableIndex]) -> Antecedents:
    """The headers and names among the cells that a text writes in full.

    A header counts if it is no plain word: two words or more, or one with a digit. A cell counts
    if it is written as a name, with a capital letter or a digit, elsewhere than at the beginning.
    """
    tokens = read_words(text)
    words = cell_words(text)
    headers: dict[str, None] = {}
    cells: dict[str, None] = {}
    for index in indexes:
        by_words = {cell_words(column): column for column in index.kinds}
        for start in range(len(words)):
            for end in range(start + 1, min(len(words), start + LONGEST) + 1):
                spelled = text[tokens[start].start : tokens[end - 1].end]
                column = by_words.get(words[start:end])
                if column and (end - start > 1 or re.search(r"\d", column)):
                    headers[column] = None
                elif (
                    _is_name(tokens[start:end], start, spelled) and words[start:end] in index.cells
                ):
                    cells[spelled] = None
    return Antecedents(tuple(headers), tuple(cells))


def with_antecedents(question: str, before: Antecedents) -> str:
    """The question with what it points at in its place; as it is where that is not one thing.

    *In how many patients is it above 300?* after *I want to check M23197_at* asks of that column,
    and whatever is asked after *I'm after our Madison trial* is asked of Madison.
    """
    words = cell_words(question)
    headers = [name for name in before.headers if not _holds(words, cell_words(name))]
    cells = [name for name in before.cells if not _holds(words, cell_words(name))]
    if len(headers) == 1 and not cells and _POINTS.search(question):
        return _POINTS.sub(lambda _: headers[0], question, count=1)
    if len(cells) == 1 and not headers:
        rest = _CLOSE.sub("", _THERE.sub("", question, count=1))
        return f"{rest} for {cells[0]}{question[len(_CLOSE.sub('', question)) :]}"
    return question


def _is_name(words: tuple[Word, ...], start: int, spelled: str) -> bool:
    small = all(word.text in lexicon().stopwords for word in words)
    return not small and start > 0 and (spelled[0].isupper() or any(map(str.isdigit, spelled)))


def _holds(words: tuple[str, ...], part: tuple[str, ...]) -> bool:
    size = len(part)
    return any(words[at : at + size] == part for at in range(len(words) - size + 1))


MOST = 4
"""A message of more sentences is read as a whole."""
MIN_WORDS = 2
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
    sentences = [""]
    for piece in _END.split(text.strip()):
        if sentences[-1] and (_SHORT.search(sentences[-1]) or not sentences[-1]):
            sentences[-1] += f" {piece}"
        else:
            sentences.append(piece)
    return [one for one in sentences if one]


def ask_which(text: str) -> str:
    """A question for which one there is, where whether there is one stands before it.

    *Is there any college with a rate above 100? which one* asks for the college.
    """
    match = _WHICH_ONE.fullmatch(text.strip())
    return f"Which {match['what']}?" if match else text


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
    best_reading, least = whole, best + CLEARLY
    for first, last in _ranges(len(sentences), [one.endswith("?") for one in sentences]):
        part = " ".join(sentences[first:last])
        if len(part.split()) < MIN_WORDS:
            continue
        rest = [*sentences[:first], *sentences[last:]]
        other = _pointing(part, " ".join(sentences[:first]), read, find)
        passed = rest if other is None else sentences[last:]
        other = other or read(part)
        sure = _sureness(other) * PASSED_OVER ** len(passed)
        if sure > least and not _cut_short(sentences, first, last):
            best_reading, least = _told(other, passed) if passed else other, sure
    return best_reading


def _cut_short(sentences: list[str], first: int, last: int) -> bool:
    """Whether a part is passed over that a colon joins to what is read, and that says much."""
    if sentences[last - 1].endswith(":"):
        return True  # what is asked stands behind it
    before = sentences[first - 1] if first else ""
    little = lexicon().stopwords
    content = [word for word in read_words(before) if word.text not in little]
    return before.endswith(":") and len(content) > INTRODUCTION


def _pointing(
    part: str, before: str, read: Callable[[str], Proposals], find: Callable[[str], Antecedents]
) -> Proposals | None:
    """The reading of sentences with what those before them name; none where it leaves words over.

    However sure they are without it: an answer that drops what was named answers something else.
    """
    question = with_antecedents(part, find(before)) if before else part
    if question == part:
        return None
    reading = read(question)
    if not reading.plans or reading.plans[0].unused:
        return None
    word = f"Read as {question!r}, from {before!r}."
    plans = tuple(_passing(plan, PASSED_OVER, word) for plan in reading.plans)
    return reading.model_copy(update={"plans": plans})


def _ranges(count: int, asks: list[bool]) -> list[tuple[int, int]]:
    """Runs of sentences, longer ones first; where some ask, those that hold one that does."""
    every = [
        (first, first + size)
        for size in range(count - 1, 0, -1)
        for first in range(count - size, -1, -1)
    ]
    return [(a, b) for a, b in every if any(asks[a:b]) or not any(asks)]


def _told(reading: Proposals, rest: list[str]) -> Proposals:
    sure = PASSED_OVER ** len(rest)
    word = "Passed over: " + " ".join(map(repr, rest)) + "."
    plans = tuple(_passing(plan, sure, word) for plan in reading.plans)
    return reading.model_copy(update={"plans": plans})


def _passing(plan: PlanProposal, sure: float, word: str) -> PlanProposal:
    remarks = (word, *plan.remarks)
    return plan.model_copy(update={"confidence": plan.confidence * sure, "remarks": remarks})


def _sureness(reading: Proposals) -> float:
    return reading.plans[0].confidence if reading.plans else 0.0
