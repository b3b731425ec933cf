"""A small embedder for tests: each word hashed into a number; it counts what it was asked."""

import hashlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt


class CountingEmbedder:
    def __init__(self, name: str = "words", width: int = 512) -> None:
        self.name = name
        self.width = width
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.texts += texts
        rows = np.zeros((len(texts), self.width), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                digest = hashlib.blake2b(word.encode(), digest_size=4).digest()
                row[int.from_bytes(digest, "big") % self.width] += 1
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.where(lengths > 0, lengths, 1)
