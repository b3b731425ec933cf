"""The Parquet files that a path stands for: a file, a folder of parts, or a pattern of names."""

from __future__ import annotations

import glob
from pathlib import Path


def part_paths(path: Path) -> list[Path]:
    """The files of a path in the order of their names; the path itself if it is no more than one.

    Args:
        path: A file, a folder of parts, or a pattern such as ``folder/sales_*.parquet``, whose
            signs count only where no file has that very name.
    """
    if path.is_dir():
        return sorted(path.glob("*.parquet"))
    if path.exists() or not glob.has_magic(str(path)):
        return [path]
    return sorted(map(Path, glob.glob(str(path)))) or [path]
