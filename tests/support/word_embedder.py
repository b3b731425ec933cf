"""An embedder for tests: texts that share words are near; it needs no model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import numpy as np


class WordEmbedder:
    """Counts the words of a text, each in a place of its own as far as there is room.

    Args:
        name: The model's name.
        width: How many numbers a vector has.

    Attributes:
        texts: All that was embedded, in order.
    """

    def __init__(self, name: str = "words", width: int = 512) -> None:
        self.name = name
        self.width = width
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> Any:
        """Vectors of length 1; a text without words is one word."""
        self.texts += texts
        rows = np.zeros((len(texts), self.width), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"\w+", text.lower()) or [text]:
                row[
                    int.from_bytes(blake2b(word.encode(), digest_size=4).digest()) % self.width
                ] += 1
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.where(lengths > 0, lengths, 1)
