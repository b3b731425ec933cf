"""BM25: how well short texts fit a query (Robertson and Zaragoza 2009), over stemmed words."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

K1 = 1.2
"""How fast a repeated word stops counting."""
B = 0.4
"""How much a long text is held against it; names differ less in length than documents do."""


class Bm25:
    """An index over weighted bags of words.

    Args:
        texts: One mapping from stem to weight for each text.
    """

    def __init__(self, texts: Sequence[Mapping[str, float]]) -> None:
        lengths = [sum(text.values()) for text in texts]
        mean = (
            sum(lengths) / max(len(lengths), 1) or 1.0
        )  # of headers that are years no word is left
        counts = Counter(word for text in texts for word in text)
        self.rarity = {
            word: math.log(1 + (len(texts) - count + 0.5) / (count + 0.5))
            for word, count in counts.items()
        }
        self._postings: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        for place, text in enumerate(texts):
            damping = K1 * (1 - B + B * lengths[place] / mean)
            for word, weight in text.items():
                gain = self.rarity[word] * weight * (K1 + 1) / (weight + damping)
                self._postings[word].append((place, gain))

    def gains(self, word: str) -> Iterable[tuple[int, float]]:
        """Pairs of a text's place and what the word adds to its score."""
        return self._postings.get(word, ())
