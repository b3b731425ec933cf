"""Meant values: a word that no cell has stands for one of its family: rainy days, German cars."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import takewhile

from wideleaf.agents.planner.links.cells import MAX_TEXT_COLUMNS
from wideleaf.agents.planner.links.lexicon import Question, cell_words, lexicon
from wideleaf.agents.planner.links.meant import find_nearest
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.links.values import (
    ValueLink,
    has_negation,
    nearest_mention,
    nearness,
)
from wideleaf.retrieval.selection import FEW_COLUMNS
from wideleaf.retrieval.words.names import is_abbreviation

MIN_WORD = 4
SAID = 0.6
"""A column named so well owns its words."""
FEW_VALUES, MAX_VALUES = 60, 300
"""Of a column with more values, or a table with more, none is looked for by meaning."""
MIN_MEANT, CLEARLY = 0.55, 0.08
"""Cosine from which a word of its family means a cell, and how far before another cell."""
REPEATED = 2
"""So many rows at least have each value of a column whose values are looked for."""
SHARED = 3
"""So many letters at least begin both words of a family, or all of the shorter one."""
SURE = 0.3


def meant_links(
    question: Question,
    index: TableIndex,
    mentions: tuple[Mention, ...],
    links: Collection[ValueLink],
) -> Iterator[ValueLink]:
    """Conditions on cells of a small table that words mean and nearly spell.

    Meaning alone takes *silver* for *bronze*, and spelling alone *rainy* for *train*: a word has
    to begin as the cell does, or the cell to be short for it, and both have to mean the same.

    Args:
        question: The question, with what compares meanings; without it there are none.
        index: The table.
        mentions: What names of columns explain.
        links: The conditions on cells that the question spells.
    """
    if question.meanings is None or len(index.kinds) > FEW_COLUMNS:
        return
    cover = {place for link in links for place in link.places}
    cover |= {place for m in mentions if m.score >= SAID for place in m.places}
    cover |= {place for cue in question.cues for place in cue.places}
    words = cell_words(question.text)
    free = {place for place, word in enumerate(words) if _is_telling(word)} - cover
    if not free:
        return
    cells = _short_lists(index)
    for size in (2, 1):
        for start in range(len(words) - size + 1):
            places = {*range(start, start + size)}
            if not places <= free:
                continue
            phrase = " ".join(words[start : start + size])
            for column, cell in _meant(question, phrase, cells):
                free -= places
                mention = nearest_mention(question, mentions, column, start, start + size)
                sure = SURE + 0.4 * nearness(question, mention, start, start + size)
                op = "!=" if has_negation(question, start) else "=="
                yield ValueLink(start, start + size, column, op, cell, sure, mention)


def _is_telling(word: str) -> bool:
    return len(word) >= MIN_WORD and word.isalpha() and word not in lexicon().stopwords


def _short_lists(index: TableIndex) -> list[tuple[str, str]]:
    """Columns of few texts with their cells; none where all of them are too many."""
    pairs = []
    texts = index.of_kind("text")[:MAX_TEXT_COLUMNS]
    index.read(texts)
    for column in texts:
        cells = index.distinct(column)
        if 1 < len(cells) <= min(FEW_VALUES, index.rows / REPEATED):
            pairs += [(column, cell) for cell in cells if any(sign.isalpha() for sign in cell)]
    return pairs if len(pairs) <= MAX_VALUES else []


def _meant(question: Question, phrase: str, cells: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The cell that some words mean, with each column that has it; one cell at most."""
    own = phrase.split()
    near = {c for _, c in cells
            if all(any(_akin(one, other) for other in cell_words(c)) for one in own)}  # fmt: skip
    if not near or question.meanings is None:
        return []
    texts = [*dict.fromkeys(cell for _, cell in cells)]
    cosines = question.meanings.compare(phrase, texts)
    nearest = find_nearest(cosines, MIN_MEANT, CLEARLY)
    if nearest is None or texts[nearest] not in near:
        return []
    return [(column, cell) for column, cell in cells if cell == texts[nearest]]


def _akin(word: str, own: str) -> bool:
    """Whether two words begin alike, or the second is short for the first: CA, Prof."""
    alike = len([*takewhile(lambda pair: pair[0] == pair[1], zip(word, own, strict=False))])
    return alike >= min(SHARED, len(own)) > 1 or is_abbreviation(own, word)
