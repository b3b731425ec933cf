"""Candidates of a match: for each text the nearest of the other side, by meaning and letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from wideleaf.tools.errors import ActionError

if TYPE_CHECKING:
    from wideleaf.retrieval.vectors.embedder import Vectors

SHOWN = 8
"""Candidates of a text."""
ROWS = 1_000
"""Texts of one side that are compared at once."""
MAX_TEXTS = 100_000


def find_candidates(
    ours: Sequence[str], theirs: Sequence[str], encode: Callable[[Sequence[str]], Vectors]
) -> list[list[int]]:
    """The places of the nearest texts of the other side, nearest first.

    Names that are written in other words are near by meaning, those with other abbreviations or a
    slip of the pen by their letters; the two are added up.

    Args:
        ours: Texts of one side, each once.
        theirs: Those of the other.
        encode: Gives vectors of length 1.

    Raises:
        ActionError: If there are too many.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer  # type: ignore[import-untyped]

    if max(len(ours), len(theirs)) > MAX_TEXTS:
        raise ActionError(
            f"{len(ours)} texts are to be matched with {len(theirs)}, more than {MAX_TEXTS}; "
            "Filter first",
            kind="too large",
        )
    if not ours or not theirs:
        return [[] for _ in ours]
    vectors = encode([*ours, *theirs])
    letters = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True)
    grams = letters.fit_transform([*theirs, *ours])
    their_vectors, their_grams = vectors[len(ours) :].T, grams[: len(theirs)].T.tocsr()
    nearest: list[list[int]] = []
    for start in range(0, len(ours), ROWS):
        near = vectors[start : min(start + ROWS, len(ours))] @ their_vectors
        first = len(theirs) + start
        near = near + (grams[first : first + len(near)] @ their_grams).toarray()
        best = np.argsort(-near, axis=1, kind="stable")[:, :SHOWN]
        nearest += [[int(place) for place in row] for row in best]
    return nearest
