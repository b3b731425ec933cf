"""Meanings: how near words are in meaning, asked for where no name, cell or list knows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]

Embed = Callable[[Sequence[str]], "Vectors"]
MAX_TEXTS = 400
"""So many texts at most are compared with: embedding more of them takes seconds."""


class Meanings:
    """Cosines of words and texts; each text is embedded once.

    Args:
        embed: Gives vectors of length 1, one row a text.
    """

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        self._known: dict[str, Vectors] = {}

    def compare(self, word: str, texts: Sequence[str]) -> list[float]:
        """The cosine of a word with each text; none where there are too many to embed.

        Args:
            word: A word or phrase.
            texts: Texts to compare it with.
        """
        if not texts or len(texts) > MAX_TEXTS:
            return []
        new = [text for text in dict.fromkeys((word, *texts)) if text not in self._known]
        if new:
            self._known.update(zip(new, self._embed(new), strict=True))
        own = self._known[word]
        return [float(self._known[text] @ own) for text in texts]
