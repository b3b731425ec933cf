"""Nearest: the columns and values that come nearest to a word that nothing in a table explains."""

from __future__ import annotations

from wideleaf.agents.planner.links.meanings import Meanings
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.retrieval.words.names import header_words, is_abbreviation

MOST = 2
LEAST_ALIKE = 80
"""Rapidfuzz's ratio, of 100, from which a name looks like a word."""
MOST_VALUES = 5_000
NEAR = 0.42
"""Cosine from which a name is near in meaning."""


def nearest_names(
    phrase: str, index: TableIndex, meanings: Meanings | None, least: float = NEAR
) -> tuple[str, ...]:
    """Columns and values that look like a phrase, have a short form of it or mean nearly the same.

    Args:
        phrase: Words of the question.
        index: What is known of the table.
        meanings: Compares meanings of few names, where an embedder is at hand.
        least: The cosine from which a name is near in meaning.
    """
    from rapidfuzz import fuzz, process

    words = header_words(phrase)
    spelled = {column: " ".join(header_words(column)) for column in index.kinds}
    short = [
        column
        for column in spelled
        if any(is_abbreviation(part, word) for part in spelled[column].split() for word in words)
    ]
    said = " ".join(words)
    like = process.extract(said, spelled, scorer=fuzz.WRatio, limit=MOST, score_cutoff=LEAST_ALIKE)
    found = [*short[:MOST], *(column for _, _, column in like)]
    if len(index.cells) <= MOST_VALUES:
        cells = {key: " ".join(key) for key in index.cells}
        alike = process.extract(said, cells, scorer=fuzz.ratio, limit=1, score_cutoff=LEAST_ALIKE)
        found += [index.cells[key][0][1] for _, _, key in alike]
    if meanings is not None and not found:
        # Of columns that differ by a number the first stands for all: so wide tables are compared.
        alone = {_without_numbers(text): column for column, text in reversed(spelled.items())}
        cosines = meanings.compare(said, [*alone])
        order = sorted(zip(cosines, alone.values(), strict=False), key=lambda one: -one[0])
        found += [column for cosine, column in order[:MOST] if cosine >= least]
    return tuple(dict.fromkeys(found))[:MOST]


def _without_numbers(text: str) -> str:
    return " ".join(word for word in text.split() if not word.isdigit()) or text
