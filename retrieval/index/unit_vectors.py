"""Unit vectors: what an embedder gives, checked, of length 1, and for a while remembered."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING

from wideleaf.retrieval.index.records import READ, drop_surrogates
from wideleaf.retrieval.vectors.embedder import Embedder
from wideleaf.tools.errors import SettingsError

if TYPE_CHECKING:
    from wideleaf.retrieval.vectors.embedder import Vectors

IN_MEMORY = 4_096


class UnitVectors:
    """Vectors of texts, whatever characters they have and however long they are.

    Args:
        embedder: Who makes them; not asked before a text needs it.

    Attributes:
        seconds: How long the embedder took so far.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.seconds = 0.0
        self._embedder = embedder
        self._known: OrderedDict[str, Vectors] = OrderedDict()
        self._turn = Lock()

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Vectors made anew, of length 1 (that of a text without words may be 0).

        Raises:
            SettingsError: If the embedder gives something else than numbers, a row a text.
        """
        import numpy as np

        begun = perf_counter()
        array = self._embedder.embed([drop_surrogates(text)[:READ] for text in texts])
        rows = np.asarray(array, dtype=np.float32)
        if rows.ndim != 2 or len(rows) != len(texts) or not np.isfinite(rows).all():
            raise SettingsError(
                f"the embedder {self._embedder.name!r} gave an array of shape {rows.shape} for "
                f"{len(texts)} texts; one row of finite numbers a text would be right"
            )
        lengths = np.linalg.norm(rows, axis=1, keepdims=True).astype(np.float32)
        lengths[lengths == 0] = 1
        self.seconds += perf_counter() - begun
        unit: Vectors = rows / lengths
        return unit

    def vectors_of(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts, one row each; of those asked for lately none is made anew."""
        import numpy as np

        with self._turn:
            rows = {text: self._known[text] for text in texts if text in self._known}
        new = [text for text in dict.fromkeys(texts) if text not in rows]
        if new:
            rows.update(zip(new, self.embed_texts(new), strict=True))
        with self._turn:
            for text, row in rows.items():
                self._known[text] = row
                self._known.move_to_end(text)
            while len(self._known) > IN_MEMORY:
                self._known.popitem(last=False)
        return np.stack([rows[text] for text in texts]) if texts else np.empty((0, 0), np.float32)
