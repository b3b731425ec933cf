"""Executes the notebooks and keeps what stands under their cells.

python .ci/notebooks.py [NAME ...]
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

from wideleaf.graph.progress import PROGRESS

FOLDER = Path(__file__).parent.parent / "notebooks"
LONGEST = 600
"""Seconds that one cell may take, for what never ends."""
LEFT_OUT = re.compile(r"^application/vnd\.vegalite")
"""A chart is kept as its picture alone, which every reader of notebooks shows."""
TIMES = re.compile(r"\d+\.\d+ s\b|\d+ s left|seconds=[\d.e-]+|request_tokens=\d+")
"""What changes from run to run, and with each word of a prompt."""
FOLDERS = re.compile(r"[\w./\\:-]*[/\\]tmp\w+[/\\]")
"""Where a notebook ran, which is another folder each time."""
DIGITS = re.compile(r"\d+\.\d{5,}")
"""Of a mean, whose last ones hang on the order of its sum, or of a score, on the processor."""


def execute(path: Path, folder: Path) -> nbformat.NotebookNode:
    """Run a notebook from top to bottom in a process of its own.

    Args:
        path: The notebook.
        folder: Where it runs, and leaves its files.

    Returns:
        It with its outputs; what was printed beside the answers, such as progress, is left out.

    Raises:
        CellExecutionError: If a cell fails; names it.
    """
    book = nbformat.read(path, as_version=4)
    where = {"metadata": {"path": str(folder)}}
    with tempfile.TemporaryDirectory(prefix="wl") as sockets:  # so that no port is opened
        kernel = Config(KernelManager={"transport": "ipc", "ip": f"{sockets}/k"})
        NotebookClient(book, config=kernel, timeout=LONGEST, resources=where).execute()
    for cell in book.cells:
        cell.metadata.pop("execution", None)  # when each cell ran
        if cell.cell_type == "code":
            cell.outputs = [one for one in cell.outputs if not _beside(one)]
            for one in cell.outputs:
                for kind in [kind for kind in one.get("data", {}) if LEFT_OUT.match(kind)]:
                    del one.data[kind]
    book.metadata["language_info"] = {"name": "python"}
    return book


def _beside(output: Any) -> bool:
    """Whether an output was told beside the answers."""
    return output.get("name") == "stderr" or output.get("metadata") == PROGRESS


def said(book: Any) -> list[str]:
    """What stands under each cell, without times, folders and the last digits of long numbers."""
    made = []
    for cell in book["cells"]:
        texts = [
            "".join(one.get("text") or one.get("data", {}).get("text/plain", ""))
            for one in cell.get("outputs", ())
        ]
        text = FOLDERS.sub("", TIMES.sub("- s", "\n".join(texts)))
        made.append(DIGITS.sub(lambda number: f"{float(number[0]):.4g}", text))
    return made


def write(path: Path | str, to: Path | str) -> None:
    """Execute a notebook and write it with its outputs."""
    with tempfile.TemporaryDirectory() as folder:
        book = execute(Path(path), Path(folder))
    Path(to).write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n", "utf-8")


def main(names: list[str]) -> None:
    """Execute the notebooks, or those that are named, and write them with their outputs."""
    for path in sorted(FOLDER.glob("*.ipynb")):
        if not names or path.stem in names:
            write(path, path)
            print(path.name, f"{path.stat().st_size / 1024:.0f} KiB")


if __name__ == "__main__":
    main(sys.argv[1:])
