"""Antecedents: what sentences before a question name, for a question that only points at it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from wideleaf.agents.planner.links.lexicon import Word, cell_words, lexicon, read_words
from wideleaf.agents.planner.links.table_index import TableIndex

LONGEST = 6
"""Words of a header or cell that is looked for."""
_POINTS = re.compile(r"\b(?:it|its|that one|this one)\b(?!')", re.IGNORECASE)
_THERE = re.compile(r"\s*\bthere\b(?! (?:is|are|was|were)\b)", re.IGNORECASE)
_END = re.compile(r"\s*[.?!]*\s*$")


class Antecedents(NamedTuple):
    """What sentences name exactly: headers and cells, as they are written there."""

    headers: tuple[str, ...]
    cells: tuple[str, ...]


def find_antecedents(text: str, indexes: Iterable[TableIndex]) -> Antecedents:
    """The headers and names among the cells that a text writes in full.

    A header counts if it is no plain word: two words or more, or one with a digit. A cell counts
    if it is written as a name, with a capital letter or a digit, elsewhere than at the beginning.
    """
    said = read_words(text)
    words = cell_words(text)
    headers: dict[str, None] = {}
    cells: dict[str, None] = {}
    for index in indexes:
        named = {cell_words(column): column for column in index.kinds}
        for start in range(len(words)):
            for end in range(start + 1, min(len(words), start + LONGEST) + 1):
                spelled = text[said[start].start : said[end - 1].end]
                column = named.get(words[start:end])
                if column and (end - start > 1 or re.search(r"\d", column)):
                    headers[column] = None
                elif _is_name(said[start:end], start, spelled) and words[start:end] in index.cells:
                    cells[spelled] = None
    return Antecedents(tuple(headers), tuple(cells))


def with_antecedents(question: str, before: Antecedents) -> str:
    """The question with what it points at in its place; as it is where that is not one thing.

    *In how many patients is it above 300?* after *I want to check M23197_at* asks of that column,
    and whatever is asked after *I'm after our Madison trial* is asked of Madison.
    """
    told = cell_words(question)
    headers = [name for name in before.headers if not _holds(told, cell_words(name))]
    cells = [name for name in before.cells if not _holds(told, cell_words(name))]
    if len(headers) == 1 and not cells and _POINTS.search(question):
        return _POINTS.sub(lambda _: headers[0], question, count=1)
    if len(cells) == 1 and not headers:
        rest = _END.sub("", _THERE.sub("", question, count=1))
        return f"{rest} for {cells[0]}{question[len(_END.sub('', question)) :]}"
    return question


def _is_name(words: tuple[Word, ...], start: int, spelled: str) -> bool:
    small = all(word.text in lexicon().stopwords for word in words)
    return not small and start > 0 and (spelled[0].isupper() or any(map(str.isdigit, spelled)))


def _holds(words: tuple[str, ...], part: tuple[str, ...]) -> bool:
    size = len(part)
    return any(words[at : at + size] == part for at in range(len(words) - size + 1))
