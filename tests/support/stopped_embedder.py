"""An embedder for tests that can be stopped in the middle, as by Ctrl-C; it needs no model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import numpy as np

WIDTH = 256


class StoppedEmbedder:
    """Hashes words into numbers; may be stopped after so many texts."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.name = "words of a test"
        self.stop_after: int | None = None

    def embed(self, texts: Sequence[str]) -> Any:
        if self.stop_after is not None and len(self.texts) >= self.stop_after:
            raise KeyboardInterrupt
        self.texts += texts
        rows = np.full((len(texts), WIDTH), 1e-3, dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"[a-z]{3,}", text.lower()):
                row[int.from_bytes(blake2b(word.encode(), digest_size=2).digest()) % WIDTH] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)
