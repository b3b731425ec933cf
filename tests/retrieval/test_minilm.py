"""The default model in numpy: the same vectors as sentence-transformers, without torch."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from wideleaf.retrieval.vectors import embedder
from wideleaf.retrieval.vectors.embedder import SentenceEmbedder

TEXTS = [
    "",
    "x",
    "mean temperature of soil at 30 cm",
    "Température de l'été à Orléans",
    "北京 rainfall",
    "many words " * 300,
    "What was the lowest nocturnal land surface temperature at day 123?",
]


def test_vectors_are_those_of_sentence_transformers() -> None:
    few, reference = SentenceEmbedder(), SentenceEmbedder()
    expected = reference._model.encode(TEXTS, normalize_embeddings=True)
    found = few.embed(TEXTS)
    assert found.dtype == np.float32 and found.shape == expected.shape
    assert float(np.abs(found - expected).max()) < 1e-5
    assert np.allclose(np.linalg.norm(found, axis=1), 1.0, atol=1e-5)


def test_no_texts_are_no_rows() -> None:
    assert SentenceEmbedder().embed([]).shape == (0, 384)


def test_a_text_has_one_vector_whatever_stands_beside_it() -> None:
    alone = SentenceEmbedder().embed(TEXTS[2:3])
    among = SentenceEmbedder().embed(TEXTS)[2:3]
    assert float(np.abs(alone - among).max()) < 1e-5


def test_few_texts_do_not_open_torch() -> None:
    asked = (
        "import sys; from wideleaf.retrieval.vectors.embedder import open_embedder; "
        "open_embedder().embed(['soil']); assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", asked], check=True)


def test_many_texts_go_through_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedder, "MANY", 3)
    one = SentenceEmbedder()
    found = one.embed(TEXTS[:4])
    assert "_model" in one.__dict__
    assert float(np.abs(found - SentenceEmbedder().embed(TEXTS[:2] + TEXTS[2:4])).max()) < 1e-5
