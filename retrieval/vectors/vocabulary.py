"""Vocabulary: the whole English words that the default embedding model knows."""

from __future__ import annotations

from functools import cache

from wideleaf.retrieval.vectors.embedder import minilm_folder

LEAST = 4
"""Shorter entries are pieces of words as often as words."""


@cache
def known_words() -> frozenset[str]:
    """Words in lower case; none where the model is not installed.

    A word that is known is no slip of the spelling of another: religion is no region.
    """
    folder = minilm_folder()
    if folder is None or not (folder / "vocab.txt").is_file():
        return frozenset()
    lines = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
    return frozenset(line for line in lines if len(line) >= LEAST and line.isalpha())
