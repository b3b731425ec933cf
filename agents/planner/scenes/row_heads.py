"""Row heads: the noun that a question asks for where rows are called so and no column is."""

from __future__ import annotations

from collections.abc import Collection
from itertools import takewhile

from wideleaf.agents.planner.links.lexicon import Question, lexicon
from wideleaf.agents.planner.links.meant import only_meant
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.retrieval.selection import FEW_COLUMNS
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.number_words import MONTHS
from wideleaf.retrieval.words.word_classes import is_light_word, is_operation

NAMED = 0.6
"""A word that names a column so well is not what a row is called."""
MEASURE = 0.4
"""A column named so well right behind a superlative is what it is of: the most expensive car."""
HEAD = 0.5
"""How sure the column is that tells rows apart where the question asks which row."""
ENDS = ("extreme", "mode")
TIMED = ("day", "date", "night")
ALIKE = 0.36
"""Cosine of a noun with the headers of a table from which its rows may be called so."""


def find_row_heads(
    question: Question,
    index: TableIndex,
    label: str,
    mentions: Collection[Mention],
    links: Collection[ValueLink],
) -> list[Mention]:
    """The columns that tell rows apart, as what a noun means that only names the rows.

    *The most expensive car* is one of the cars, so that its model is asked for, and who hit the
    most home runs is a name. A noun that a column or a cell has is none of rows.

    Args:
        question: The question.
        index: The table; of wide ones no noun is known to name the rows.
        label: The table's name.
        mentions: Columns that the question may name.
        links: Conditions of the question.
    """
    if len(index.kinds) > FEW_COLUMNS:
        return []
    about = index.table.about
    named = [m for m in mentions if not only_meant(question, m, about.get(m.column, ""))]
    place = _head(question, mentions, named, links)
    if place is None or not _calls_rows(question, index, label, place):
        return []
    timed = question.words[place].text.rstrip("s") in TIMED
    columns = index.daily if timed else index.naming
    return [Mention(c, place, place + 1, HEAD, frozenset((place,))) for c in columns]


def _calls_rows(question: Question, index: TableIndex, label: str, place: int) -> bool:
    """Whether rows may be called by a noun; what *which* asks for may be nothing of the table."""
    word = question.words[place].text
    plain = not place or question.words[place - 1].text not in ("what", "which")
    if plain or word in lexicon().classes["generic"]:
        return True
    if question.words[place].stem in label.casefold():
        return True
    return near_headers(question, index, word)


def near_headers(question: Question, index: TableIndex, word: str) -> bool:
    """Whether all headers of a small table together are near to a noun that they may be said of.

    Args:
        question: The question, with what compares meanings; without it nothing is near.
        index: The table.
        word: The noun.
    """
    headers = ", ".join(" ".join(header_words(column)) for column in index.kinds)
    meanings = question.meanings
    return meanings is not None and max(meanings.compare(word, [headers]), default=0.0) >= ALIKE


def _head(
    question: Question,
    mentions: Collection[Mention],
    named: Collection[Mention],
    links: Collection[ValueLink],
) -> int | None:
    """Where the noun stands: behind a superlative and its measure, else behind *which*."""
    known = {place for m in named if m.score >= NAMED for place in m.places}
    known |= {place for link in links for place in link.places}
    measures = {p for m in mentions if m.score >= MEASURE for p in m.places}
    words = question.words

    def free(place: int) -> bool:
        text = words[place].text
        small = not question.content(place, place + 1) or not text.isalpha()
        small = small or bool(place and question.text[words[place].start].isupper())
        plain = not (is_operation(text) or is_light_word(text) or text in MONTHS)
        plain = plain or text.rstrip("s") in TIMED
        return not small and plain and place not in known and not _cued(question, place)

    for cue in question.cue("wh"):
        which = words[cue.start].text in ("which", "what") and cue.end < len(words)
        if which and free(cue.end):
            return cue.end
    for cue in question.cue(*ENDS):
        start = cue.end
        while start < len(words) and start in measures:
            start += 1
        run = [*takewhile(free, range(start, len(words)))]
        if run and not _measures(question, cue.end, start):
            return run[-1]
    asks = [cue for cue in question.cue("wh") if cue.value == "who"]
    return asks[0].start if asks and question.cue(*ENDS) else None


def _measures(question: Question, end: int, start: int) -> bool:
    """Whether a plain superlative stands right before a noun: the highest rate is no row."""
    plain = lexicon().classes["superlative"] - {"best", "worst", "top", "first", "last", "biggest",
                                                "largest", "smallest"}  # fmt: skip
    return start == end and question.words[end - 1].text in plain


def _cued(question: Question, place: int) -> bool:
    return any(place in cue.places for cue in question.cues)
