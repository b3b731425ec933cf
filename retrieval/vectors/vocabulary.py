"""Vocabulary: the whole English words that the default embedding model knows."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from wideleaf.retrieval.vectors.embedder import FOLDER, PACKAGE

LEAST = 4
"""Shorter entries are pieces of words as often as words."""


@cache
def known_words() -> frozenset[str]:
    """Words in lower case; none where the model is not installed.

    A word that is known is no slip of the spelling of another: religion is no region.
    """
    spec = find_spec(PACKAGE)
    folders = spec.submodule_search_locations if spec else None
    path = Path(folders[0]) / FOLDER / "vocab.txt" if folders else None
    if path is None or not path.is_file():
        return frozenset()
    lines = path.read_text(encoding="utf-8").split("\n")
    return frozenset(line for line in lines if len(line) >= LEAST and line.isalpha())
