"""MiniLM: the default model's forward pass in numpy, for opening torch takes longer than asking."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]
    Whole = npt.NDArray[np.int64]

LAYERS, HEADS = 6, 12
LONGEST = 256
"""Tokens of a text that count, as the model's own settings say."""
BATCH = 16
SMALL = 1e-12
"""What keeps a layer's spread from being 0, as the model's own settings say."""
ERF = (0.3275911, 1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)
"""The error function's scale and factors, of the highest power first."""
NO = -1e9
"""The weight of attention to a token that only fills a batch up."""


class MiniLM:
    """all-MiniLM-L6-v2 (Reimers and Gurevych, 2019; Wang et al., 2020) without torch.

    The weights and the tokenizer are the package's own; vectors are those of sentence-transformers
    within 1e-5, which a test compares. It opens in a tenth of the processor time and takes a
    quarter of the memory.

    Args:
        folder: Where `model.safetensors` and `tokenizer.json` are.
    """

    def __init__(self, folder: Path) -> None:
        from tokenizers import Tokenizer

        self._weights = _map_weights(folder / "model.safetensors")
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(LONGEST)
        self._tokenizer.enable_padding()

    def encode(self, texts: Sequence[str]) -> Floats:
        """Vectors of length 1, one row a text, float32; shape (texts, 384)."""
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # it has none

        # Of products this small, numpy's threads do little but wait for each other.
        with threadpool_limits(1, "blas"):
            return self._encode(texts)

    def _encode(self, texts: Sequence[str]) -> Floats:
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        vectors = np.zeros((len(texts), self._weights["pooler.dense.bias"].size), dtype=np.float32)
        for start in range(0, len(order), BATCH):
            some = order[start : start + BATCH]
            encodings = self._tokenizer.encode_batch([texts[place] for place in some])
            ids = np.array([one.ids for one in encodings])
            mask = np.array([one.attention_mask for one in encodings], dtype=np.float32)
            vectors[some] = _mean(self._layers(ids, mask), mask)
        return vectors

    def _layers(self, ids: Whole, mask: Floats) -> Floats:
        """The last layer's states; shape (texts, tokens, 384)."""
        weights = self._weights
        x = weights["embeddings.word_embeddings.weight"][ids]
        x = x + weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
        x = self._level(x + weights["embeddings.token_type_embeddings.weight"][0], "embeddings")
        away = (NO * (1 - mask))[:, None, None, :]
        for layer in range(LAYERS):
            own = f"encoder.layer.{layer}"
            q, k, v = (
                _heads(self._dense(x, f"{own}.attention.self.{part}"))
                for part in ("query", "key", "value")
            )
            near = q @ k.swapaxes(-1, -2) / np.float32(q.shape[-1] ** 0.5) + away
            near -= near.max(axis=-1, keepdims=True)
            np.exp(near, out=near)
            near /= near.sum(axis=-1, keepdims=True)
            context = near @ v
            context = context.swapaxes(1, 2).reshape(x.shape)
            attention = self._dense(context, f"{own}.attention.output.dense")
            x = self._level(x + attention, f"{own}.attention.output")
            inner = _gelu(self._dense(x, f"{own}.intermediate.dense"))
            x = self._level(x + self._dense(inner, f"{own}.output.dense"), f"{own}.output")
        return x

    def _dense(self, x: Floats, name: str) -> Floats:
        # One product of two matrices: of a stack of them numpy makes as many small ones.
        flat: Floats = x.reshape(-1, x.shape[-1]) @ self._weights[f"{name}.weight"].T
        flat += self._weights[f"{name}.bias"]
        return flat.reshape(*x.shape[:-1], -1)

    def _level(self, x: Floats, name: str) -> Floats:
        """Layer normalization."""
        own = f"{name}.LayerNorm"
        x -= x.mean(axis=-1, keepdims=True)
        x /= np.sqrt(np.square(x).mean(axis=-1, keepdims=True) + np.float32(SMALL))
        x *= self._weights[f"{own}.weight"]
        x += self._weights[f"{own}.bias"]
        return x


def _map_weights(path: Path) -> dict[str, Floats]:
    """The tensors of a file of safetensors, left on the disk until they are used.

    Most of the file are vectors of words, of which a text has a few: read whole, as its library
    does, it takes twice its size in memory (https://huggingface.co/docs/safetensors/format).
    """
    data = np.memmap(path, dtype=np.uint8, mode="r")
    begin = 8 + int(data[:8].view("<u8")[0])
    tensors = json.loads(bytes(data[8:begin]))
    return {
        name: data[begin + one["data_offsets"][0] : begin + one["data_offsets"][1]]
        .view("<f4")
        .reshape(one["shape"])
        for name, one in tensors.items()
        if one.get("dtype") == "F32"
    }


def _heads(x: Floats) -> Floats:
    """From (texts, tokens, 384) to (texts, heads, tokens, 32)."""
    return x.reshape(*x.shape[:2], HEADS, -1).swapaxes(1, 2)


def _gelu(x: Floats) -> Floats:
    """The bend of a layer: x times half of 1 + erf(x / √2).

    The error function is that of Abramowitz and Stegun (1964, 7.1.26), within 1e-6 at this
    precision: to open scipy for its own takes longer than to turn a question into vectors.
    """
    size = np.abs(x) * np.float32(0.5**0.5)
    scale, first, *others = ERF
    near = 1 / (1 + np.float32(scale) * size)
    rest = np.full_like(near, first)
    for factor in others:
        rest *= near
        rest += np.float32(factor)
    rest *= near
    rest *= np.exp(-size * size)
    bent: Floats = np.copysign(1 - rest, x)
    bent += 1
    bent *= x
    bent *= np.float32(0.5)
    return bent


def _mean(x: Floats, mask: Floats) -> Floats:
    """The mean of the tokens of each text, of length 1."""
    pooled = (x * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
    vectors: Floats = pooled / np.maximum(np.linalg.norm(pooled, axis=1, keepdims=True), SMALL)
    return vectors
