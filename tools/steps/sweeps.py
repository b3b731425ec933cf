"""Sweeps: whoever holds frames of a folder in memory learns that some were taken away."""

from __future__ import annotations

import os
from pathlib import Path

from wideleaf.tools.writing import explain_writes

SWEPT = "swept"
"""A file whose time tells when frames of its folder were last taken away."""


def tell_sweep(folder: Path) -> None:
    """Tell all processes that frames of a folder are taken away."""
    with explain_writes(folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / SWEPT).write_bytes(b"")


def swept_at(folder: Path) -> int:
    """When frames of a folder were last taken away, in nanoseconds; 0 if none ever was."""
    try:
        return os.stat(folder / SWEPT).st_mtime_ns
    except OSError:
        return 0
