"""Exact search: the records of one table whose vectors are nearest to some others."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from wideleaf.retrieval.vectors.embedder import Vectors


class Near(NamedTuple):
    """A record that is near a text, and its cosine."""

    reference: str
    score: float


class TableVectors(NamedTuple):
    """The vectors of a table's records.

    Attributes:
        digest: Of the records they are of.
        references: What they stand for, in order of the alphabet.
        vectors: One row each, of length 1.
    """

    digest: str
    references: tuple[str, ...]
    vectors: Vectors

    @property
    def width(self) -> int:
        """How many numbers a vector has; 0 where there is none."""
        return int(self.vectors.shape[1]) if self.references else 0

    def nearest(self, queries: Vectors, count: int) -> list[list[Near]]:
        """For each row asked for the nearest records, best first, equal ones by name.

        Args:
            queries: Rows of length 1.
            count: At most so many of each.
        """
        import numpy as np

        if not self.references or count <= 0:
            return [[] for _ in queries]
        scores = np.clip(queries @ self.vectors.T, -1.0, 1.0)
        if count < scores.shape[1]:
            places = np.argpartition(-scores, count - 1, axis=1)[:, :count]
            places.sort(axis=1)
        else:
            places = np.broadcast_to(np.arange(scores.shape[1]), scores.shape)
        best = np.take_along_axis(scores, places, axis=1)
        order = np.argsort(-best, axis=1, kind="stable")
        best = np.take_along_axis(best, order, axis=1)
        places = np.take_along_axis(places, order, axis=1)
        return [
            [Near(self.references[p], score) for p, score in zip(row, values, strict=True)]
            for row, values in zip(places.tolist(), best.tolist(), strict=True)
        ]
