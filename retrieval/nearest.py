"""Which of several texts are nearest to a question, by the words they share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from wideleaf.retrieval.bm25 import Bm25
from wideleaf.retrieval.word_classes import telling_words

LEAST_SHARED = 0.34
"""Of a question's telling words, so many must be in a text for it to be near."""


def nearest(question: str, texts: Sequence[str], limit: int) -> list[int]:
    """The places of the nearest texts, best first; none where they share too little.

    Args:
        question: The question.
        texts: What is searched, by BM25 over stems of the words that tell something.
        limit: At most so many.
    """
    asked = telling_words(question)
    held = [telling_words(text) for text in texts]
    index = Bm25([dict.fromkeys(words, 1.0) for words in held])
    scores: defaultdict[int, float] = defaultdict(float)
    for word in asked:
        for place, gain in index.gains(word):
            scores[place] += gain
    near = [
        place
        for place in scores
        if len(asked & held[place]) >= LEAST_SHARED * min(len(asked), len(held[place]))
    ]
    return sorted(near, key=lambda place: (-scores[place], place))[:limit]
